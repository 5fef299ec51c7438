// fence: limits -- a million empty texts are counted as items
// options: {"limits":{"items":5000}}
for (;;) try { console.log(""); } catch {}
// output: 5000
// !! RangeError *:* too many texts
// code: OutputLimit
