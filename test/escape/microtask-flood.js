// fence: clock -- microtasks that make microtasks cannot starve the deadline
// options: {"limits":{"wall_ms":300}}
const again = () => Promise.resolve().then(again);
for (let i = 0; i < 10; i++) again();
await tools.hang();
// !! * *:* timed out
// kind: timeout
