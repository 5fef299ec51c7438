// fence: environment -- console takes anything, however deep, circular or hostile
const c = []; c.push(c);
const m = new Map(); m.set(m, m);
const e = new Error("in"); e.cause = e;
const bad = { get a() { throw 1; } };
try { console.log(c); } catch (x) { text(x.name); }
try { console.log(new Set([c])); } catch (x) { text(x.name); }
console.log(e, Symbol.iterator, 1n, -0, function f() {}, new Proxy([], {}), class {});
for (const v of [m, bad, Object.create(null), { [Symbol.toPrimitive]() { throw new EvalError("p"); } }])
	try { console.log(v); } catch (x) { text(x.name); }
return typeof console.log;
// output: any
// => "function"
