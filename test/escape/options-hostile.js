// fence: environment -- the options of a call that make no sense make no call
const out = [];
const tries = [{ timeoutMs: NaN }, { timeoutMs: -1 }, { timeoutMs: 1n }, { timeoutMs: Symbol() }, { timeoutMs: { valueOf() { throw new EvalError("v"); } } }, { signal: {} }, { signal: null }, { signal: Object.create(AbortSignal.prototype) }, { get signal() { throw new EvalError("s"); } }, new Proxy({}, { get() { throw new EvalError("p"); } }), { timeoutMs: Infinity }, { timeoutMs: 1e300 }, { signal: AbortSignal.abort(7) }, { signal: new Proxy(new AbortController().signal, {}) }];
for (const o of tries) {
	try { await tools.echo(1, o); out.push("called"); } catch (e) { out.push(e?.name ?? e); }
}
try { new AbortSignal(); out.push("made"); } catch (e) { out.push(e.name); }
try { new (class extends AbortSignal { constructor() { super({}); } })(); out.push("made"); } catch (e) { out.push(e.name); }
return out;
// calls: 
// => ["TypeError","TypeError","TypeError","TypeError","TypeError","TypeError","TypeError","TypeError","EvalError","EvalError","TypeError","TypeError",7,"TypeError","TypeError","TypeError"]
