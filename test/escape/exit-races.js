// fence: environment -- exit() in a callback of a timer, a then and a listener ends the run once
const c = new AbortController();
c.signal.addEventListener("abort", () => exit());
setTimeout(() => { text("timer"); c.abort(); exit(); }, 1);
Promise.resolve().then(() => { throw new Error("unheard"); });
await tools.hang();
// text: timer
// warnings: any
// => undefined
