// fence: clock -- a regular expression that backtracks for ever is stopped by the deadline
// options: {"limits":{"wall_ms":400}}
try { /^(?:(a+)+)+$/.test("a".repeat(60) + "!"); } catch { text("caught"); }
try { new RegExp("(x+x+)+y", "s").test("x".repeat(100)); } finally { text("finally"); }
// !! * *:* timed out
// kind: timeout
// quickjs: the pattern is stopped by a limit of its own, as an error that can be caught
