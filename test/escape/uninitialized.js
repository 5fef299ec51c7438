// fence: environment -- a value that the engine throws by mistake is no more than a strange value
const catch_it = () => { try { "\ufdfa".repeat(1e6).normalize("NFKD"); } catch (e) { return [e]; } return [1]; };
const out = [];
for (const f of [(v) => text(v[0]), (v) => console.log(v[0]), (v) => tools.echo(v[0]), (v) => store("k", v[0]), (v) => store(v[0], 1), (v) => Promise.reject(v[0]), (v) => setTimeout(v[0], v[0]), (v) => codemode.map(v, (x) => x), (v) => new AbortController().abort(v[0]), (v) => ({ ...v })])
	try { await f(catch_it()); out.push("ok"); } catch (e) { out.push("threw"); }
return out.length;
// options: {"limits":{"heap":16777216}}
// output: any
// warnings: any
// => 10
