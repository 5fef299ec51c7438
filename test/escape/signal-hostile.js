// fence: environment -- listeners, reasons and getters of a signal cannot upset the call
const c = new AbortController();
const reason = new Proxy(function () {}, { get(_, k) { if (k === "then") return undefined; throw new Error("reason." + String(k)); }, getPrototypeOf() { throw 1; } });
c.signal.addEventListener("abort", () => { throw new Error("listener"); });
c.signal.onabort = () => { throw new Error("onabort"); };
const p = tools.hang(1, { signal: c.signal });
const q = tools.hang(2, { signal: c.signal });
q.catch(() => c.abort("again"));
c.abort(reason);
let got;
try { await p; } catch (e) { got = e === reason; }
try { await q; } catch (e) { got = got && e === reason; }
const copy = Object.create(c.signal);
let stolen;
try { stolen = copy.reason; } catch (e) { stolen = e.name; }
await codemode.sleep(1);
return [got, stolen];
// calls: hang unstarted, hang unstarted
// warning: listener
// warning: onabort
// => [true,"TypeError"]
