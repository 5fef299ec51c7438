// fence: environment -- what is patched on values of one's own is seen by their owner only
const log = [];
const trap = (name) => new Proxy({}, { get(_, k) { log.push(name + "." + String(k)); return undefined; } });
class P extends Promise { then(...a) { log.push("then"); return super.then(...a); } static get [Symbol.species]() { log.push("species"); return Promise; } }
class A extends Array { static get [Symbol.species]() { log.push("array species"); throw 1; } map() { log.push("map"); return []; } push() { throw 2; } toJSON() { return "mine"; } }
text(A.of(1, 2));
console.log(A.of(3));
const r = await codemode.map(A.of(1, 2), (x) => x * 2);
const s = await codemode.race([P.resolve(5)]);
const echoed = await tools.echo(A.of(7));
return [r, s, echoed, log.includes("array species"), typeof trap];
// text: "mine"
// console: A(1) [ 3 ]
// => [[2,4],5,"mine",false,"function"]
