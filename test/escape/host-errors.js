// fence: lockdown -- every error that something native makes leads to this realm and no other
const probes = [];
const look = (label, e) => {
	const seen = [];
	for (let p = e, i = 0; i < 6 && p != null; i++) { seen.push(p); p = Object.getPrototypeOf(p); }
	for (const o of seen) for (const k of Reflect.ownKeys(o)) {
		let v; try { v = o[k]; } catch { continue; }
		const F = v?.constructor?.constructor;
		if (typeof F !== "function") continue;
		let g; try { g = F("return typeof process + typeof require + typeof fetch + (this === undefined || this === globalThis)")(); } catch { continue; }
		if (typeof g === "string" && g !== "undefinedundefinedundefinedtrue") probes.push([label, String(k), g]);
	}
};
const tries = { getter: () => __defineGetter__("x"), locale: () => Object.prototype.toLocaleString.call(undefined), tool: () => tools.nope, arg: () => text(Symbol.iterator, 1), store: () => store(Symbol(), 1), json: () => JSON.parse("{"), image: () => image({ type: "image", data: "%" }), deep: function f() { return f(); }, regexp: () => new RegExp("("), uri: () => decodeURIComponent("%"), date: () => new Date(NaN).toISOString(), big: () => BigInt("x"), signal: () => new AbortSignal(), timer: () => setTimeout(1), clone: () => structuredClone(() => 1), url: () => new URL("::") };
for (const [k, f] of Object.entries(tries)) try { look(k, f()); } catch (e) { look(k, e); }
for (const p of [tools.fail({}), tools.echo(1n), Promise.any([tools.fail({})]), tools.slow({ ms: 1, fail: "x" }), tools.hang(1, { timeoutMs: 1 })]) try { look("ok", await p); } catch (e) { look("tool", e); e.errors?.forEach((x) => look("inner", x)); }
return probes;
// output: any
// => []
