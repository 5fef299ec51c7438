// fence: limits -- JSON of any depth is a value or an error, going in and coming out
const out = [];
for (const n of [1000, 5000, 20000, 60000, 66000, 200000, 1000000]) {
	try { const v = JSON.parse("[".repeat(n) + "]".repeat(n)); out.push(Array.isArray(v)); try { await tools.echo(v); } catch (e) { out.push(e.name); } try { text(v); } catch {} try { store("d", v); } catch {} } catch (e) { out.push(e.name); }
	try { await tools.deep({ n }); } catch (e) { out.push(e.name); }
}
return out.every((x) => x === true || ["RangeError", "SyntaxError", "InternalError", "TypeError"].includes(x));
// output: any
// => true
