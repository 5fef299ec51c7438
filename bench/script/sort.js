let state = 7;
const rows = [];
for (let i = 0; i < 100000; i++) {
	state = (state * 1664525 + 1013904223) >>> 0;
	rows.push({ id: i, key: state % 50000, name: "row " + (state % 997) });
}
rows.sort((a, b) => a.key - b.key || a.id - b.id);
return rows[0].id;
