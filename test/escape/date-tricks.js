// fence: gate -- dates at the ends of time ask the host for a zone and get an answer
const out = [];
for (const t of [8.64e15, -8.64e15, 8.64e15 + 1, NaN, Infinity, 0, -1, 253402300800000, -62198755200000, 1e14, -1e14])
	{ const d = new Date(t); out.push(typeof d.getTimezoneOffset(), String(d).length > 5, typeof d.toLocaleString()); }
for (let y = -270000; y < 275000; y += 5000) new Date(y, 5, 1).getTimezoneOffset();
for (const s of ["2020-01-01T00:00:00", "x".repeat(1e6), "1/1/1 +9999", "-271821-04-20T00:00Z", "99999999999999999999"]) out.push(typeof Date.parse(s));
return new Set(out).size;
// => 3
