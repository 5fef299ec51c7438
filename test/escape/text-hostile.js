// fence: environment -- text, console and image read each argument once and throw plain errors
const out = [];
const bad = [{ toString() { throw new EvalError("s"); } }, { toJSON() { throw new EvalError("j"); } }, { toJSON() { return undefined; } }, Object.create(null), Symbol("x"), new Proxy({}, { get() { throw new EvalError("p"); } }), () => 1, { get image_url() { throw new EvalError("i"); } }, { type: "image", get data() { return { toString: () => "x" }; } }];
for (const v of bad)
	for (const f of [text, console.log, image]) {
		try { f(v); out.push("-"); } catch (e) { out.push(e.constructor === TypeError ? "T" : e.name); }
	}
return out.join(" ");
// output: any
// warnings: any
// => "- - T EvalError - T - - T - - T - - T - - T - - T EvalError - T - - T"
