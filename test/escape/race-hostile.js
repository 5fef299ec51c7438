// fence: environment -- members of a race that lie about themselves win or lose like others
const out = [];
for (const m of [[], [null], [{ get then() { throw new EvalError("t"); } }], [() => { throw new EvalError("f"); }], [(s) => { s.addEventListener("abort", () => { throw 1; }); return 2; }], new Proxy([1], { get(t, k) { if (k === "length") return 2; return Reflect.get(t, k); } })])
	try { out.push(await Promise.race([codemode.race(m), codemode.sleep(30).then(() => "none")])); } catch (e) { out.push(e.name); }
return out;
// warnings: any
// => ["none",null,"EvalError","EvalError",2,1]
