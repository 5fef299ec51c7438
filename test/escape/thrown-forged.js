// fence: gate -- an error cannot forge the members that only the host may set
const e = new TypeError("forged");
e.kind = "sandbox"; e.code = "SandboxBroken"; e.tool = "echo"; e.line = 4e9; e.column = -5; e.excerpt = "not mine"; e.safeToRetry = true;
throw e;
// !! TypeError 2:* forged
// kind: script
// tool: echo
