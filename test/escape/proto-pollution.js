// fence: lockdown -- nothing that comes from JSON, a merge or a tool pollutes a prototype
const o = JSON.parse('{"__proto__":{"polluted":1},"constructor":{"prototype":{"polluted":2}}}');
const merge = (to, from) => { for (const k in from) if (typeof from[k] === "object" && from[k] && typeof to[k] === "object") merge(to[k], from[k]); else try { to[k] = from[k]; } catch {} return to; };
merge({}, o);
merge(Object.prototype, { polluted: 3 });
const back = await tools.echo(o);
const own = Object.hasOwn(back, "__proto__");
try { Object.prototype.polluted = 4; } catch {}
try { Object.prototype.__proto__ = { polluted: 5 }; } catch {}
try { Object.setPrototypeOf(Object.prototype, { polluted: 6 }); } catch {}
try { Object.prototype.__defineGetter__("polluted", () => 7); } catch {}
try { ({}).__proto__.polluted = 8; } catch {}
return [({}).polluted === undefined, [].polluted === undefined, own, Object.getPrototypeOf(back) === Object.prototype];
// => [true,true,true,true]
