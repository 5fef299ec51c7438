// fence: wall -- detached, resized and out-of-range buffers never read memory that is not theirs
const out = [];
const b = new ArrayBuffer(16, { maxByteLength: 1 << 20 });
const u = new Uint8Array(b), d = new DataView(b), w = new Float64Array(b, 8);
const evil = { valueOf() { try { b.resize(0); } catch {} return 1; } };
u.fill(evil);
b.resize(1 << 20);
u.set(Array.from({ length: 100 }, (_, i) => ({ valueOf() { b.resize(8 + i); return i; } })).slice(0, 8));
for (const f of [() => d.getFloat64(8), () => d.setUint8({ valueOf() { b.resize(0); return 15; } }, 1), () => w.subarray({ valueOf() { b.resize(1 << 20); return 0; } }, 1e9).length, () => u.copyWithin(0, evil, 1e9), () => u.slice(0, { valueOf() { b.resize(4); return 1e9; } }).length, () => new Uint8Array(b, 1e9), () => u.sort((x, y) => { b.resize(0); return x - y; }), () => u.indexOf(1, evil), () => u.with(0, evil), () => structuredClone?.(b), () => b.transfer(1e15), () => u.at(-1e15), () => Atomics.store(new Int32Array(new ArrayBuffer(8)), evil, 1), () => u.toLocaleString()])
	try { const v = f(); out.push(typeof v); } catch (e) { out.push(e.name); }
const moved = b.transfer?.(64);
let sum = 0;
for (let i = 0; i < 4096; i++) sum += u[i] ?? 0;
return [sum, out.length, moved === undefined || moved.byteLength === 64];
// => [0,14,true]
