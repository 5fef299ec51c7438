let state = 7;
const numbers = [];
for (let i = 0; i < 1000000; i++) {
	state = (state * 1664525 + 1013904223) >>> 0;
	numbers.push(state);
}
return numbers.length;
