// fence: limits -- every way to ask for much memory at once is refused as an error
// options: {"limits":{"heap":33554432}}
const G = 2 ** 31;
const ways = {
	buffer: () => new ArrayBuffer(G - 1), shared: () => new SharedArrayBuffer(G - 1), resizable: () => new ArrayBuffer(1, { maxByteLength: G - 1 }).resize(G - 1), typed: () => new Uint8Array(2e9), f64: () => new Float64Array(2 ** 28), array: () => new Array(2 ** 32 - 1).fill(0), from: () => Array.from({ length: 1e9 }), repeat: () => "x".repeat(2 ** 29), pad: () => "".padEnd(2 ** 29, "ab"), concat: () => { let s = "x"; for (let i = 0; i < 40; i++) s += s; return s.length && JSON.stringify(s); }, template: () => { let s = "ab"; for (;;) s = `${s}${s}`; }, replace: () => "a".repeat(1e6).replace(/a/g, "b".repeat(1e4)), split: () => "a".repeat(6e7).split(""), bigint: () => 2n ** (2n ** 33n), shift: () => 1n << (2n ** 40n), bigmul: () => { let b = 3n; for (;;) b *= b; }, map: () => { const m = new Map(); for (let i = 0; ; i++) m.set(i, i); }, set: () => { const s = new Set(); for (let i = 0; ; i++) s.add("k" + i); }, object: () => { const o = {}; for (let i = 0; ; i++) o["k" + i] = i; }, closures: () => { let f = () => {}; const all = []; for (;;) { const g = f; all.push(f = () => g); } }, symbols: () => { const a = []; for (;;) a.push(Symbol("s".repeat(1000))); }, json: () => JSON.parse("[" + "0,".repeat(3e7) + "0]"), structured: () => JSON.stringify(Array(1e7).fill("0123456789")), flat: () => { let a = [1]; for (;;) a = [...a, ...a]; }, args: () => Math.max(...Array(5e7).fill(1)), apply: () => String.fromCharCode.apply(null, { length: 1e8 }), func: () => Function("a,".repeat(1e7) + "a", ""), errors: () => { const a = []; for (;;) a.push(new Error("x".repeat(10000))); }, promises: () => { const a = []; for (;;) a.push(new Promise(() => {})); }, weak: () => { const a = []; for (;;) a.push(new WeakRef({ x: "y".repeat(100) })); }, iter: () => [...(function* () { for (;;) yield "x".repeat(100); })()], match: () => [..."a".repeat(2e7).matchAll(/a/g)], upper: () => "\u0149".repeat(2e7).toUpperCase(), encode: () => encodeURIComponent("\u20ac".repeat(2e7)), date: () => { const a = []; for (;;) a.push(new Date()); },
};
const bad = [];
for (const [name, f] of Object.entries(ways)) {
	try { const v = f(); bad.push(name + " gave " + typeof v); } catch (e) {
		if (e !== null && !["RangeError", "InternalError", "SyntaxError", "TypeError"].includes(e?.name)) bad.push(name + " threw " + String(e));
	}
}
return bad;
// => []
// quickjs: it has no weak references, no shared memory
