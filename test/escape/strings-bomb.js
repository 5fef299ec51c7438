// fence: clock -- string operations that take for ever are stopped by the deadline
// options: {"limits":{"wall_ms":500}}
const s = "ab".repeat(2e7);
for (;;) s.indexOf("abababababababababababababababababababababababababb");
// !! * *:* timed out
// kind: timeout
