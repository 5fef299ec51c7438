// fence: lockdown -- a RegExp of one's own with a hostile exec deceives only its maker
const r = /x/;
Object.defineProperty(r, "exec", { value: () => ({ index: 1e9, length: -1, 0: { toString() { throw new Error("m"); } } }) });
const out = [];
for (const f of [() => "xxx".replace(r, "y"), () => r.test("x"), () => "x".search(r), () => [..."x".matchAll(/x/g)].length])
	try { out.push(typeof f()); } catch (e) { out.push(e.message); }
r.lastIndex = { valueOf() { r.compile?.("y"); return 2 ** 31; } };
try { "x".match(r); } catch {}
console.log(new Map([[/a/g, 1]]));
return [out, "abc".replace(/b/, "$&$&")];
// console-has: 1
// => [["m","boolean","number","number"],"abbc"]
