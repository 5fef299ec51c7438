// fence: lockdown -- the engine's stack hooks hand nothing of ours to a script
const got = [];
const hook = (e, sites) => { for (const s of sites ?? []) { for (const m of ["getFunction", "getThis", "getEvalOrigin"]) try { const v = s[m]?.(); if (v != null) got.push(m + " " + typeof v); } catch {} got.push(String(s.getFileName?.())); } return sites; };
const ways = [() => { Error.prepareStackTrace = hook; }, () => Object.defineProperty(Error, "prepareStackTrace", { value: hook }), () => Reflect.set(Error, "prepareStackTrace", hook), () => Object.getOwnPropertyDescriptor(Error, "prepareStackTrace")?.set?.call(Error, hook), () => { TypeError.prepareStackTrace = hook; }, () => { class E extends Error { static prepareStackTrace = hook; } new E("x").stack; }, () => { globalThis.prepareStackTrace = hook; }];
for (const w of ways) try { w(); } catch {}
const errors = [];
for (const f of [() => null.x, () => tools.nope, () => image("x"), () => store(1), () => new Error("e"), () => text({ toJSON() { throw new Error("inner"); } }), () => codemode.map(1)])
	try { errors.push(f()); } catch (e) { errors.push(e); }
try { await tools.fail(); } catch (e) { errors.push(e); }
const o = {};
Error.captureStackTrace?.(o);
errors.push(o);
const kinds = errors.map((e) => typeof e?.stack);
const leaks = errors.filter((e) => /environment|\(native\).*host/.test(String(e?.stack)) && typeof e.stack !== "string").length;
return [got.filter((g) => !/codemode\.js|^$|undefined|null/.test(g)), leaks];
// warnings: any
// => [[],0]
