// fence: limits -- output without end is cut at its limit and the run ends there
// options: {"limits":{"output":1000000}}
for (;;) try { text("x".repeat(1000)); } catch {}
// output: 1000
// !! RangeError *:* printed too much
// code: OutputLimit
