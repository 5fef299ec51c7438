// fence: engine -- nothing that comes from JSON, a merge or a tool pollutes a prototype
const o = JSON.parse('{"__proto__":{"polluted":1},"constructor":{"prototype":{"polluted":2}}}');
Object.assign({}, o);
const back = await tools.echo(o);
const own = Object.hasOwn(back, "__proto__");
return [({}).polluted === undefined, [].polluted === undefined, own, Object.getPrototypeOf(back) === Object.prototype];
// => [true,true,true,true]
