// fence: environment -- codemode.map with lying lists, counts and functions ends as it is told
const out = [];
for (const [items, fn, o] of [[[1, 2], (x) => x, { concurrency: { valueOf: () => 1 } }], [[1], 5], [{ length: 1e9 }, (x) => x], [[1], (x) => x, { get concurrency() { throw new EvalError("c"); } }], [[1], (x) => x, { concurrency: NaN }], [[1], (x) => x, { concurrency: Infinity }], [Object.defineProperty([1, 2], 1, { get() { throw new EvalError("i"); } }), (x) => x], [[1, 2, 3], (x) => { throw new EvalError("f" + x); }]])
	try { out.push((await codemode.map(items, fn, o)).length); } catch (e) { out.push(e.name); }
return out;
// warnings: any
// => [2,"TypeError","TypeError","EvalError","RangeError",1,"EvalError","EvalError"]
