// fence: environment -- an error with hostile getters is told as far as it can be
const e = new Error("said");
for (const k of ["name", "stack", "cause", "errors", "tool", "code", "line", "column", "toString", "constructor"])
	Object.defineProperty(e, k, { get() { if (k === "name") return { toString: () => "Mine" }; throw new Error("getter " + k); } });
throw e;
// !! Mine *:* said
