// fence: limits -- members of an error that are too large cannot break the run
const e = new Error("m".repeat(5e6));
e.name = "n".repeat(5e6);
e.tool = "t".repeat(5e7);
e.cause = Object.assign(new Error("c"), { tool: "t".repeat(5e7) });
throw e;
// !! * *:* more characters
// kind: script
