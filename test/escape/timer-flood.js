// fence: limits -- more timers at once than allowed are refused; the rest come
let refused = 0, fired = 0;
for (let i = 0; i < 100000; i++) try { setTimeout(() => fired++, 1); } catch (e) { refused++; if (e.name !== "RangeError") throw e; }
await codemode.sleep(5).catch(() => 0);
for (let i = 0; i < 50; i++) try { await codemode.sleep(1); } catch { await null; }
return [refused, fired];
// or: script
// kind-of: ok script
