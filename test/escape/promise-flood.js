// fence: limits -- promises made without end meet the memory limit, or the deadline
// options: {"limits":{"wall_ms":2000,"heap":67108864}}
const all = [];
for (;;) { all.push(Promise.resolve().then(() => {})); if (all.length % 1000 === 0) await null; }
// or: script
// kind-of: script timeout
