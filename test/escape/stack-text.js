// fence: environment -- no stack that reaches the model names a line of ours
const seen = [];
for (const f of [() => tools.nope, () => image("x"), () => store(1), () => text({ toJSON() { throw new Error("inner"); } }), () => codemode.map(1), () => setTimeout("x"), () => new AbortController().signal.throwIfAborted.call({})])
	try { await f(); } catch (e) { console.log(e); }
Promise.reject(new Error("unheard"));
codemode.sleep("x", { get signal() { throw new Error("late"); } });
tools.nope.x;
// output: 7
// console-has: TypeError
// console-has: TypeError
// console-has: TypeError
// console-has: Error: inner
// console-has: TypeError
// console-has: TypeError
// console-has: TypeError
// warnings: any
// hides: (environment:
// !! TypeError *:* does not exist
