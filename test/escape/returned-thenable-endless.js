// fence: clock -- a thenable that resolves to itself for ever meets the deadline
// options: {"limits":{"wall_ms":300}}
const t = { then(r) { r(t); } };
return t;
// !! * *:* timed out
// kind: timeout
