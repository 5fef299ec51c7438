// fence: environment -- no function of ours can be reached through caller, arguments or callee
const got = [];
const look = (label, f) => {
	for (const k of ["caller", "arguments", "callee"]) {
		let v;
		try { v = f[k]; } catch { continue; }
		if (v !== undefined && v !== null) got.push(label + "." + k);
	}
};
function sloppy() { look("self", sloppy); look("arguments", { caller: arguments.caller }); return 1; }
const spy = { toString() { look("spy", spy.toString); return "x"; }, toJSON() { look("json", spy.toJSON); return 1; } };
text(spy);
console.log(spy);
await tools.echo(spy);
try { store("k", spy); } catch {}
[1].map(sloppy);
for (const f of [text, console.log, tools.echo, exit, store, load, image, codemode.map]) look(f.name, f);
return got;
// text: 1
// console: { toString: [Function: toString], toJSON: [Function: toJSON] }
// => []
