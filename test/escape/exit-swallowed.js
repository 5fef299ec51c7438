// fence: clock -- a script that swallows exit() and computes on is stopped and counts as ended
// options: {"limits":{"wall_ms":60000}}
store("k", 1);
for (let i = 0; i < 5; i++) try { exit(); } catch { continue; }
const t = Date.now();
while (Date.now() - t < 5000);
text("never");
// writes: {"set":{"k":1},"delete":[]}
// => undefined
