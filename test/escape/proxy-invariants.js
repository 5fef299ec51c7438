// fence: engine -- a proxy over what is frozen cannot show something else; tools neither
const out = [];
const p = new Proxy(Object.freeze({ a: 1 }), { get: () => 2, ownKeys: () => ["b"], has: () => false, getOwnPropertyDescriptor: () => undefined });
for (const f of [() => p.a, () => Object.keys(p), () => "a" in p, () => Object.getOwnPropertyDescriptor(p, "a")]) try { f(); out.push("lied"); } catch (e) { out.push(e.name); }
const t = new Proxy(tools, { get: (_, k) => (k === "echo" ? () => "mine" : Reflect.get(_, k)) });
try { out.push(typeof t.echo); } catch (e) { out.push(e.name); }
return [out, Object.isFrozen(tools), await tools.echo("real")];
// => [["TypeError","TypeError","TypeError","TypeError","TypeError"],true,"real"]
