// fence: lockdown -- the tools and what leads to them take no property and lose none
const loose = [];
for (const [n, o] of Object.entries({ tools, codemode, ALL_TOOLS, echo: tools.echo, first: ALL_TOOLS[0] })) {
	if (!Object.isFrozen(o)) loose.push(n + " is not frozen");
	try { o.evil = 1; } catch {}
	try { Object.defineProperty(o, "evil2", { value: 1 }); } catch {}
	try { Object.setPrototypeOf(o, { evil3: 1 }); } catch {}
	try { delete o.name; } catch {}
	if (Object.hasOwn(o, "evil") || Object.hasOwn(o, "evil2") || Object.getPrototypeOf(o)?.evil3) loose.push(n);
}
for (const k of ["tools", "codemode", "ALL_TOOLS", "undefined", "NaN"]) { try { globalThis[k] = 1; } catch {} try { delete globalThis[k]; } catch {} try { Object.defineProperty(globalThis, k, { value: 1 }); } catch {} if (globalThis[k] === 1) loose.push("global " + k); }
return loose;
// => []
