// fence: environment -- arguments that throw while they are read make no call
const out = [];
for (const a of [{ get x() { throw new Error("g"); } }, { toJSON() { throw new RangeError("t"); } }, new Proxy({}, { ownKeys() { throw new TypeError("k"); } }), 1n, { a: 1n }, Proxy.revocable({}, {}).proxy]) {
	try { await tools.echo(a); out.push("called"); } catch (e) { out.push(e.name); }
}
const revoked = Proxy.revocable({}, {}); revoked.revoke();
try { await tools.echo(revoked.proxy); out.push("called"); } catch (e) { out.push(e.name); }
return out;
// calls: echo ok, echo ok, echo ok
// => ["Error","RangeError","TypeError","called","called","called","TypeError"]
