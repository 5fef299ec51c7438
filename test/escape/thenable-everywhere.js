// fence: environment -- thenables that lie, throw or settle twice stay the script's own trouble
const out = [];
for (const t of [{ then(r, j) { r(1); j(2); r(3); } }, { then(r) { r(4); throw 5; } }, { get then() { throw 6; } }, { then: 7 }, { then(r) { Promise.resolve().then(() => r(8)); r(9); } }])
	try { out.push(await codemode.race([t])); } catch (e) { out.push("threw " + e); }
return [out.map((x) => (typeof x === "object" ? "object" : x)), tools.then === undefined, (await tools) === tools];
// => [[1,4,"threw 6","object",9],true,true]
