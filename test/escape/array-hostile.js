// fence: wall -- lengths and elements that change while a built-in works never reach past the array
const out = [];
const a = Array.from({ length: 1000 }, (_, i) => i);
const shrink = { valueOf() { a.length = 1; return 999; } };
for (const f of [() => a.splice(0, shrink, 1), () => a.fill(0, 0, shrink), () => a.copyWithin(0, shrink), () => a.sort((x, y) => { a.length = 0; return y - x; }), () => a.slice(shrink), () => a.lastIndexOf(1, shrink), () => a.concat({ length: 2 ** 53 - 1, [Symbol.isConcatSpreadable]: true }), () => a.reduce((p, c) => { a.length = 0; return p; }, 0), () => Array.prototype.push.call({ length: 2 ** 53 - 1 }, 1), () => Array.prototype.reverse.call({ length: 2 ** 53 - 1, get 0() { throw new EvalError("r"); } }), () => a.flatMap(() => { a.length = 5; return a; }), () => a.toSpliced(0, shrink), () => a.join({ toString() { a.length = 3; return "x".repeat(10); } }), () => { a.length = 4294967296; }, () => { Object.defineProperty(a, "length", { value: shrink }); }])
	try { f(); out.push("ok"); } catch (e) { out.push(e.name); }
return out.every((x) => ["ok", "TypeError", "RangeError", "EvalError"].includes(x));
// => true
