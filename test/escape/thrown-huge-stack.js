// fence: limits -- an error with a stack of many megabytes is the script's own error, told shortened
const e = new Error("big");
Object.defineProperty(e, "stack", { value: "at x (codemode.js:1:1)\n".repeat(2e6) });
throw e;
// !! Error *:* big
// kind: script
