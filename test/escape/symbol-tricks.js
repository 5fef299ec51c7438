// fence: environment -- well-known symbols on what crosses decide nothing of ours
const evil = {
	[Symbol.toPrimitive]() { return { a: 1 }; },
	[Symbol.toStringTag]: { toString() { throw 1; } },
	get [Symbol.iterator]() { throw 2; },
	get [Symbol.asyncIterator]() { throw 3; },
	[Symbol.hasInstance]() { return true; },
	[Symbol.isConcatSpreadable]: true,
	[Symbol.match]: true,
	[Symbol.unscopables]: { tools: true },
};
const out = [];
for (const f of [() => text(evil), () => console.log(evil), () => store("k", evil), () => store(evil, 1), () => load(evil), () => image(evil), () => clearTimeout(evil), () => setTimeout(evil), () => codemode.map(evil), () => new AbortController().abort(evil), () => AbortSignal.any([evil]), () => tools[Symbol.iterator], () => tools[Symbol.toPrimitive], () => String(tools.echo)]) {
	try { f(); out.push("ok"); } catch (e) { out.push(e?.constructor?.name); }
}
try { await codemode.race(evil); out.push("ok"); } catch (e) { out.push(e.name); }
with (evil) { out.push(typeof tools); }
return out;
// output: any
// warnings: any
// => ["ok","ok","ok","TypeError","TypeError","TypeError","ok","TypeError","ok","ok","TypeError","ok","ok","ok","TypeError","object"]
