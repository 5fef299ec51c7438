// fence: engine -- generators that are resumed inside themselves, returned and thrown into stay sound
const out = [];
function* g() { try { yield 1; out.push("resumed"); yield it.next(); } finally { yield "kept"; } }
const it = g();
it.next();
try { it.next(); } catch (e) { out.push(e.name); }
const h = (function* () { try { yield 1; } finally { return 2; } })();
h.next();
out.push(h.throw(new Error("x")).value, h.return(5).done);
const a = (async function* () { for (;;) { yield tools.echo(1); exit.length; } })();
out.push((await a.next()).value, (await Promise.all([a.next(), a.return(9), a.next()])).length);
for (const k of ["next", "return", "throw"]) try { (function* () {}).prototype[k].call({}); } catch (e) { out.push(e.name); }
return out;
// => ["resumed",2,true,1,3,"TypeError","TypeError","TypeError"]
