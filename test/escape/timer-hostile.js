// fence: environment -- times that are no numbers are zero, and a broken one throws where it is given
const out = [];
for (const ms of [NaN, -1, Infinity, -Infinity, 1e300, "5", "x", null, undefined, [], {}, true, 2 ** 53, { valueOf: () => 1 }])
	try { const id = setTimeout(() => {}, ms); out.push(typeof id); clearTimeout(id); } catch (e) { out.push(e.name); }
for (const ms of [1n, Symbol(), { valueOf() { throw new EvalError("v"); } }, Object.create(null)])
	try { setTimeout(() => {}, ms); out.push("set"); } catch (e) { out.push(e.name); }
for (const id of [NaN, -1, 2 ** 31, 4294967297, "1", 1n, {}, null, 1.5]) try { clearTimeout(id); } catch (e) { out.push("clear " + e.name); }
let echoed = await tools.echo("still fine");
return [new Set(out.slice(0, 14)).size, out.slice(14), echoed];
// => [1,["TypeError","TypeError","EvalError","TypeError"],"still fine"]
