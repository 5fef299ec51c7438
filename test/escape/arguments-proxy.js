// fence: environment -- a proxy as arguments sees the steps of a reading and nothing else
const steps = new Set();
const spy = new Proxy({ a: 1, b: [2] }, Object.fromEntries(Reflect.ownKeys(Reflect).filter((k) => typeof k === "string").map((k) => [k, (...a) => { steps.add(k); return Reflect[k](...a); }])));
const back = await tools.echo(spy);
text(spy);
console.log(spy);
store("k", spy);
steps.delete("get"); steps.delete("ownKeys"); steps.delete("getOwnPropertyDescriptor"); steps.delete("getPrototypeOf");
return [back, [...steps]];
// text: {"a":1,"b":[2]}
// console: { a: 1, b: [ 2 ] }
// writes: {"set":{"k":{"a":1,"b":[2]}},"delete":[]}
// => [{"a":1,"b":[2]},[]]
