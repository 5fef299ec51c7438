// fence: environment -- the promise of a call cannot be settled, replaced or seen by anybody else
const out = [];
const p = tools.slow({ ms: 20, value: "real" });
for (const k of ["resolve", "reject", "then"]) try { Object.defineProperty(p, k, { value: (f) => f("forged") }); } catch {}
p.constructor = class { static get [Symbol.species]() { out.push("species"); return Promise; } };
Object.setPrototypeOf(p, null);
const real = await Promise.prototype.then.call(Object.setPrototypeOf(p, Promise.prototype), (v) => v);
const q = tools.slow({ ms: 5, value: "q" });
const w = await codemode.race([q, new Promise((r) => setTimeout(() => r("late"), 500))]);
return [real, w];
// warnings: any
// => ["real","q"]
