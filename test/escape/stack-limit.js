// fence: environment -- stackTraceLimit in any spelling leaves errors that are told
const ways = [() => { Error.stackTraceLimit = 0; }, () => { Error.stackTraceLimit = -1; }, () => { Error.stackTraceLimit = Infinity; }, () => { Error.stackTraceLimit = { valueOf() { throw 1; } }; }, () => Object.defineProperty(Error, "stackTraceLimit", { get() { throw 2; } }), () => Reflect.set(Error, "stackTraceLimit", 1e9), () => { delete Error.stackTraceLimit; }];
for (const w of ways) try { w(); } catch {}
const deep = (n) => (n ? deep(n - 1) : new Error("deep").stack);
text(typeof deep(500));
await tools.fail({ message: "still told" });
// text: string
// !! Error *:* still told
