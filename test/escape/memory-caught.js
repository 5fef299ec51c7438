// fence: limits -- a script that catches running out of memory, again and again, gains nothing
// options: {"limits":{"heap":16777216}}
let caught = 0;
for (let round = 0; round < 10; round++) {
	const keep = [];
	try { for (;;) keep.push("x".repeat(100000) + keep.length, new Array(1000).fill(round)); } catch { caught++; }
}
return caught;
// => 10
