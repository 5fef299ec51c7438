// fence: clock -- joining a billion holes is stopped by the deadline
// options: {"limits":{"wall_ms":500}}
return Array(1e9).join("xx");
// !! * *:* timed out
// kind: timeout
