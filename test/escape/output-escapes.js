// fence: limits -- output that grows sixfold as JSON still fits the host
const s = "\u0001".repeat(1 << 20);
for (let i = 0; i < 8; i++) text(s);
return s.length;
// output: 8
// => 1048576
