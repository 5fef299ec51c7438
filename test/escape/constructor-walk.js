// fence: lockdown -- every constructor that an object leads to is of this one realm
const seen = new Set(), odd = [];
const kinds = [Function, (async () => {}).constructor, (function* () {}).constructor, (async function* () {}).constructor];
const walk = (o, path, depth) => {
	if ((typeof o !== "object" && typeof o !== "function") || o === null || seen.has(o) || depth > 12) return;
	seen.add(o);
	let F;
	try { F = o.constructor?.constructor; } catch { F = undefined; }
	if (typeof F === "function" && !kinds.includes(F)) odd.push(path);
	for (const k of Reflect.ownKeys(o)) {
		let d;
		try { d = Reflect.getOwnPropertyDescriptor(o, k); } catch { continue; }
		if (d === undefined) continue;
		for (const part of ["value", "get", "set"]) walk(d[part], path + "." + String(k), depth + 1);
	}
	walk(Reflect.getPrototypeOf(o), path + ".__proto__", depth + 1);
};
walk(globalThis, "globalThis", 0);
for (const f of [() => tools.nope, () => null.x, () => JSON.parse("{"), () => image("x"), () => store(1), () => tools.fail()]) {
	try { const v = f(); if (v) walk(v, "value", 0); if (v?.then) await v; } catch (e) { walk(e, "error", 0); }
}
walk(tools.echo, "tool", 0);
walk(tools, "tools", 0);
walk(ALL_TOOLS, "list", 0);
return [odd, seen.size > 500];
// => [[],true]
