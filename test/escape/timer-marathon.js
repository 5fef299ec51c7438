// fence: limits -- tens of thousands of timers, one after the other, do not slow the host down
// options: {"limits":{"wall_ms":300000}}
setTimeout(() => {}, 15000);
let n = 0;
for (let i = 0; i < 30000; i++) { const id = setTimeout(() => {}, 10000); clearTimeout(id); n++; }
for (let i = 0; i < 300; i++) { await codemode.sleep(0); n++; }
return n;
// => 30300
// within: 3000
