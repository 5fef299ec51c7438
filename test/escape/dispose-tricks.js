// fence: engine -- disposal that throws, returns itself or runs for ever is the script's own
const out = [];
try { { using a = { [Symbol.dispose]() { throw new EvalError("d"); } }; } } catch (e) { out.push(e.name); }
const s = typeof DisposableStack === "function" ? new DisposableStack() : null;
if (s) { s.defer(() => s.dispose()); s.adopt(tools, (t) => out.push(t === tools)); s.dispose(); }
return out;
// => ["EvalError",true]
