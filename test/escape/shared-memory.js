// fence: wall -- shared memory and Atomics.wait block nothing and reach nothing
const out = [];
if (typeof SharedArrayBuffer === "function") {
	const view = new Int32Array(new SharedArrayBuffer(16));
	const t = Date.now();
	for (const f of [() => Atomics.wait(view, 0, 0, 100000), () => Atomics.wait(view, 0, 0), () => Atomics.notify(view, 0, 1e9), () => Atomics.waitAsync?.(view, 0, 0, 5), () => Atomics.add(view, 1e9, 1), () => Atomics.load(view, -1)])
		try { f(); } catch (e) { out.push(e.name); }
	if (Date.now() - t > 50000) return "it waited";
	try { await tools.echo(view); } catch (e) { out.push(e.name); }
}
return out.every((n) => n === "TypeError" || n === "RangeError" || n === "ReferenceError");
// => true
