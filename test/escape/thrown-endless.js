// fence: clock -- an error whose message never ends being read is stopped by the deadline
// options: {"limits":{"wall_ms":300}}
throw { __proto__: Error.prototype, get message() { for (;;); } };
// !! * *:* timed out
// kind: timeout
