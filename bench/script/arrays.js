let state = 7;
const next = () => (state = (state * 1664525 + 1013904223) >>> 0);
const numbers = [];
for (let i = 0; i < 1000000; i++) numbers.push(next());
const kept = numbers.map((n) => n % 1000).filter((n) => n > 500);
const rows = [];
for (let i = 0; i < 100000; i++) rows.push({ id: i, key: numbers[i] % 50000, name: "row " + (numbers[i] % 997) });
rows.sort((a, b) => a.key - b.key || a.id - b.id);
return [kept.length, rows[0].id, rows[99999].key];
