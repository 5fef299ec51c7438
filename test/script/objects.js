// Objects, their properties, proxies, functions, symbols and errors, as the standard has them.
//// the order of keys, and what deletion does to it
const o = { b: 1, 10: 1, a: 1, 2: 1, [Symbol.iterator]: 1, 4294967294: 1, 4294967295: 1 };
delete o.b; o.b = 2; o["-1"] = 1; o["01"] = 1;
return [Reflect.ownKeys(o).map(String), Object.keys(o), Object.entries({ x: 1, 0: 2 }), JSON.stringify(o)];
// => [["2","10","4294967294","a","4294967295","b","-1","01","Symbol(Symbol.iterator)"],["2","10","4294967294","a","4294967295","b","-1","01"],[["0",2],["x",1]],"{\"2\":1,\"10\":1,\"4294967294\":1,\"a\":1,\"4294967295\":1,\"b\":2,\"-1\":1,\"01\":1}"]
//// many properties that come and go
const o = {}; let sum = 0;
for (let i = 0; i < 3000; i++) o["k" + i] = i;
for (let i = 0; i < 3000; i += 3) delete o["k" + i];
for (let i = 0; i < 3000; i += 6) o["k" + i] = -i;
for (const k in o) sum += o[k];
for (let i = 0; i < 5000; i++) { o.same = i; delete o.same; }
return [Object.keys(o).length, sum, "k3" in o, o.k6, Object.keys(o)[0], Object.keys(o).at(-1)];
// => [2500,2251500,false,-6,"k1","k2994"]
//// objects with members of their own names each
const all = [];
for (let i = 0; i < 500; i++) all.push({ ["n" + i]: i, same: 1 });
return [all.every((o, i) => o["n" + i] === i && o.same === 1 && Object.keys(o).join() === "n" + i + ",same")];
// => [true]
//// attributes decide what can be done
const why = [], o = Object.defineProperties({}, { r: { value: 1 }, g: { get() { return this.v ?? "none"; }, configurable: true }, s: { set(v) { this.v = v; }, enumerable: true } });
"use strict";
for (const f of [() => Object.defineProperty(o, "r", { value: 2 }), () => Object.defineProperty(o, "r", { value: 1 }), () => Object.defineProperty(o, "r", { enumerable: true }), () => Object.defineProperty(o, "g", { value: 7 }), () => Object.defineProperty(o, "s", { get: undefined }), () => Object.defineProperty(o, "s", { get() {} }), () => Object.defineProperty(o, "x", { get() {}, value: 1 }), () => Object.defineProperty(o, "x", { get: 1 }), () => Object.defineProperty(1, "x", {}), () => Object.defineProperty(o, "x", 1)])
	try { f(); why.push("done"); } catch (e) { why.push(e.name); }
o.s = 3;
return [why, o.g, o.v, o.s === undefined, Object.getOwnPropertyDescriptor(o, "g"), Object.keys(o), Object.getOwnPropertyNames(o)];
// => [["TypeError","done","TypeError","done","done","TypeError","TypeError","TypeError","TypeError","TypeError"],7,3,true,{"value":7,"writable":false,"enumerable":false,"configurable":true},["s","v"],["r","g","s","v"]]
//// strict code throws where a property is not set
const why = [], frozen = Object.freeze({ a: 1, list: [1] }), sealed = Object.seal({ a: 1 }), closed = Object.preventExtensions({ a: 1 });
(function () {
	"use strict";
	for (const f of [() => { frozen.a = 2; }, () => { frozen.b = 2; }, () => { delete frozen.a; }, () => { frozen.list.push(2); }, () => { sealed.a = 2; }, () => { delete sealed.a; }, () => { sealed.b = 1; }, () => { closed.b = 1; }, () => { delete closed.a; }, () => { ({ get x() { return 1; } }).x = 2; }, () => { Object.create(frozen).a = 1; }, () => { "abc"[0] = "x"; }, () => { "abc".length = 1; }, () => { (5).x = 1; }, () => { undefined.x = 1; }, () => { null.x; }])
		try { f(); why.push("done"); } catch (e) { why.push(e.name); }
})();
return [why, frozen, sealed, closed, Object.isFrozen(frozen), Object.isSealed(sealed), Object.isFrozen(sealed), Object.isFrozen("x"), Object.isFrozen(closed), Object.isExtensible(closed)];
// => [["TypeError","TypeError","TypeError","done","done","TypeError","TypeError","TypeError","done","TypeError","TypeError","TypeError","TypeError","TypeError","TypeError","TypeError"],{"a":1,"list":[1,2]},{"a":2},{},true,true,false,true,true,false]
//// the length of arrays
const a = [1, 2, 3, 4], why = [];
Object.defineProperty(a, 1, { value: "stays", configurable: false });
try { (function () { "use strict"; a.length = 0; })(); } catch (e) { why.push(e.name); }
const b = Object.defineProperty([1, 2], "length", { writable: false });
for (const f of [() => b.push(3), () => { b[0] = 9; return "set"; }, () => Reflect.set(b, 5, 1), () => Reflect.defineProperty(b, 2, { value: 1 }), () => { a.length = -1; }, () => { a.length = 1.5; }, () => new Array(-1), () => { a.length = "2"; return a.length; }])
	try { why.push(f()); } catch (e) { why.push(e.name); }
const c = []; c[5] = 1; c[4294967294] = 2; c["4294967295"] = 3;
return [a, why, b, c.length, Object.keys(c), 4 in c];
// => [[1,"stays"],["TypeError","TypeError","set",false,false,"RangeError","RangeError","RangeError",2],[9,2],4294967295,["5","4294967294","4294967295"],false]
//// arrays with holes, far indices, getters
const a = [, 1, , 2]; a[5000] = 3; let calls = 0;
Object.defineProperty(a, 0, { get() { calls++; return "got"; }, enumerable: true, configurable: true });
const keys = Object.keys(a); a.length = 2;
return [keys, a[0], a.map((x) => x), a.indexOf(1), calls > 0, 0 in a, a.concat([5]), [...a], Object.getOwnPropertyDescriptor(a, "1"), Array.isArray(a)];
// => [["0","1","3","5000"],"got",["got",1],1,true,true,["got",1,5],["got",1],{"value":1,"writable":true,"enumerable":true,"configurable":true},true]
//// elements of objects that are sealed and frozen
const a = Object.seal([1, 2]), f = Object.freeze([3, 4]), why = [];
a[0] = 9;
for (const g of [() => a.push(1), () => a.pop(), () => f.pop(), () => { "use strict"; f[0] = 1; }, () => { "use strict"; delete a[0]; }])
	try { g(); why.push("done"); } catch (e) { why.push(e.name); }
return [a, f, why, Object.isFrozen(f), Object.isSealed(a), Object.isFrozen(a), f.map((x) => x + 1)];
// => [[9,2],[3,4],["TypeError","TypeError","TypeError","TypeError","TypeError"],true,true,false,[4,5]]
//// prototypes
class A { who() { return "A"; } static make() { return new this(); } }
class B extends A { who() { return "B" + super.who(); } }
const b = B.make(), log = [b.who()];
A.prototype.late = function () { return "late"; }; log.push(b.late());
B.prototype.late = () => "mine"; log.push(b.late());
delete B.prototype.late; log.push(b.late());
Object.setPrototypeOf(B.prototype, { who() { return "C"; } }); log.push(b.late === undefined, b instanceof A);
for (const f of [() => Object.setPrototypeOf(Object.prototype, {}), () => { const x = {}, y = Object.create(x); Object.setPrototypeOf(x, y); }, () => Object.setPrototypeOf(Object.freeze({}), {}), () => Object.setPrototypeOf({}, 1)])
	try { f(); log.push("done"); } catch (e) { log.push(e.name); }
return [log, { __proto__: A.prototype } instanceof A, { ["__proto__"]: 1 }.__proto__, Object.create(null) instanceof Object];
// => [["BA","late","mine","late",true,false,"TypeError","TypeError","TypeError","TypeError"],true,1,false]
//// what was found on a prototype is looked up again when that changes
const base = { v: 1 }, mid = Object.create(base), o = Object.create(mid), seen = [];
const read = () => o.v;
for (const change of [() => 0, () => { base.v = 2; }, () => { mid.v = 3; }, () => { Object.defineProperty(mid, "v", { get: () => 4, configurable: true }); }, () => { delete mid.v; }, () => { Object.setPrototypeOf(mid, { v: 5 }); }, () => { o.v = 6; }, () => { delete o.v; }]) { change(); seen.push(read(), read()); }
return seen;
// => [1,1,2,2,3,3,4,4,2,2,5,5,6,6,5,5]
//// functions as objects
function f(a, b = 1, ...c) {} const g = (x, y) => x; class K { static m() {} constructor(a) {} get p() { return 1; } }
const bound = f.bind(null, 1), late = Object.getOwnPropertyNames(f);
f.extra = 1; f.length = 9; Object.defineProperty(f, "name", { value: "renamed" });
return [f.length, f.name, g.length, g.name, K.length, K.m.name, bound.name, bound.length, late.filter((k) => k !== "arguments" && k !== "caller"), Object.keys(f), f.prototype.constructor === f, Object.getOwnPropertyDescriptor(f, "prototype").enumerable, g.hasOwnProperty("prototype"), Object.getOwnPropertyDescriptor(K.prototype, "p").get.name, (function () {}).name, ({ ["a" + 1]() {} }).a1.name, ({ [Symbol("s")]: () => 1 })[Object.getOwnPropertySymbols({})[0]] === undefined];
// => [1,"renamed",2,"g",1,"m","bound f",0,["length","name","prototype"],["extra"],true,false,false,"get p","","a1",true]
//// call, apply and bind
function f() { return [this?.x ?? String(this), ...arguments]; }
"use strict";
const me = { x: "me" };
return [f.call(me, 1, 2), f.apply(me, [3, 4]), f.apply(me), f.apply(me, { length: 2, 0: "a", 1: "b" }), f.bind(me, 5)(6), f.bind(me).call({ x: "you" }, 7), new (class { constructor(a, b) { this.s = a + b; } }.bind(null, 1))(2).s, Function.prototype.call.call(f, me, 8), Reflect.apply(f, me, [9]), Math.max.apply(null, new Array(1000).fill(3)), typeof Function.prototype(), f.bind.name];
// => [["me",1,2],["me",3,4],["me"],["me","a","b"],["me",5,6],["me",7],3,["me",8],["me",9],3,"undefined","bind"]
//// the text of functions
const o = { async *m /* c */ (a) { return 1 }, get x() { return 2 }, ["k"]() {} };
class C { static s() {} #p() {} constructor() {} }
return [String(o.m), Object.getOwnPropertyDescriptor(o, "x").get.toString(), String(o.k), String(C), String(C.s), String((a) => a * 2), String(function named(x) { /* y */ }), /native code/.test(String(Math.max)), /native code/.test(String(o.m.bind()))];
// => ["async *m /* c */ (a) { return 1 }","get x() { return 2 }","[\"k\"]() {}","class C { static s() {} #p() {} constructor() {} }","s() {}","(a) => a * 2","function named(x) { /* y */ }",true,true]
//// symbols
const s = Symbol("d"), o = { [s]: 1, a: 2, [Symbol.toStringTag]: "Tag" }, why = [];
for (const f of [() => s + "", () => +s, () => new Symbol(), () => Symbol.keyFor("x"), () => `${s}`]) try { f(); why.push("done"); } catch (e) { why.push(e.name); }
return [String(s), s.description, Symbol().description === undefined, Symbol.for("k") === Symbol.for("k"), Symbol.keyFor(Symbol.for("k")), Symbol.keyFor(s) === undefined, Object.keys(o), Object.getOwnPropertySymbols(o).length, String(o), Object(s) == s, typeof Object(s), why, Object.assign({}, o)[s], { ...o }[s], Symbol.iterator.toString()];
// => ["Symbol(d)","d",true,true,"k",true,["a"],2,"[object Tag]",true,"object",["TypeError","TypeError","TypeError","TypeError","TypeError"],1,1,"Symbol(Symbol.iterator)"]
//// what objects become as primitives
const log = [], o = { toString() { log.push("s"); return "str"; }, valueOf() { log.push("v"); return 42; } }, p = { [Symbol.toPrimitive](h) { log.push(h); return h === "number" ? 7 : "prim"; } };
const r = [o + 1, `${o}`, o * 2, o > 41, o == 42, [o] + "", p + 1, +p, `${p}`, p < 8, { [o]: 1 }.str, { [p]: 1 }.prim, o == "42", -o, o ** 2, [1, [2, 3]] + "", {} + ""];
const why = [];
for (const f of [() => ({ toString() { return {}; }, valueOf() { return {}; } }) + 1, () => ({ [Symbol.toPrimitive]: 1 }) + 1, () => ({ [Symbol.toPrimitive]() { return {}; } }) + 1, () => Object.create(null) + 1]) try { f(); why.push("done"); } catch (e) { why.push(e.name); }
return [r, log.join(), why];
// => [[43,"str",84,true,true,"str","prim1",7,"prim",true,1,1,true,-42,1764,"1,2,3","[object Object]"],"v,s,v,v,v,s,default,number,string,number,s,string,v,v,v",["TypeError","TypeError","TypeError","TypeError"]]
//// proxies see every operation
const log = [], traps = new Proxy({}, { get: (t, name) => (...a) => { log.push(name); return Reflect[name](...a); } });
const p = new Proxy({ a: 1, get g() { return this === p; } }, traps), child = Object.create(p);
p.a; p.b = 2; "a" in p; delete p.b; Object.keys(p); Object.getPrototypeOf(p); Object.isExtensible(p); Object.defineProperty(p, "d", { value: 1, configurable: true }); ({ ...p }); child.a; child.z = 1; Object.freeze(p);
const fp = new Proxy(function (x) { return new.target ? { x } : x; }, traps);
return [log.join(), p.g, child.g, fp(1), new fp(2), JSON.stringify(p), Object.isFrozen(p), Array.isArray(new Proxy([], {})), typeof fp, String(Object.prototype.toString.call(new Proxy([], {})))];
// => ["get,set,getOwnPropertyDescriptor,defineProperty,has,deleteProperty,ownKeys,getOwnPropertyDescriptor,getOwnPropertyDescriptor,getPrototypeOf,isExtensible,defineProperty,ownKeys,getOwnPropertyDescriptor,get,getOwnPropertyDescriptor,get,getOwnPropertyDescriptor,get,set,preventExtensions,ownKeys,getOwnPropertyDescriptor,defineProperty,getOwnPropertyDescriptor,defineProperty,getOwnPropertyDescriptor,defineProperty",true,false,1,{"x":2},"{\"a\":1,\"g\":true}",true,true,"function","[object Array]"]
//// a proxy is no plain object where many were set before
const log = [], set = (o) => { o.x = 1; };
for (let i = 0; i < 3; i++) set(Object.create(null));
set(new Proxy({}, { set(t, k) { log.push(k); return true; } }));
for (const o of [{}, {}, Object.freeze({}), Object.create({ set x(v) { log.push("setter"); } }), new String("s"), []]) try { set(o); log.push(Object.keys(o).join()); } catch (e) { log.push(e.name); }
return log;
// => ["x","x","x","","setter","","0,x","x"]
//// proxies keep what cannot change
const fixed = Object.freeze({ a: 1 }), why = [];
const h = { get: () => 2, has: () => false, deleteProperty: () => true, ownKeys: () => [], set: () => true, defineProperty: () => true, getOwnPropertyDescriptor: () => undefined, getPrototypeOf: () => null, isExtensible: () => true, preventExtensions: () => true };
const p = new Proxy(fixed, h), { proxy, revoke } = Proxy.revocable({}, {}); revoke();
for (const f of [() => p.a, () => "a" in p, () => delete p.a, () => Object.keys(p), () => Reflect.set(p, "a", 5), () => Object.defineProperty(p, "a", { value: 3 }), () => Object.getOwnPropertyDescriptor(p, "a"), () => Object.getPrototypeOf(p), () => Object.isExtensible(p), () => proxy.x, () => typeof proxy, () => new Proxy({}, { ownKeys: () => ["a", "a"] }) && Object.keys(new Proxy({}, { ownKeys: () => ["a", "a"] })), () => Reflect.preventExtensions(new Proxy({}, { preventExtensions: () => true })), () => new Proxy({}, null), () => Proxy({}, {})])
	try { why.push(f()); } catch (e) { why.push(e.name); }
return why;
// => ["TypeError","TypeError","TypeError","TypeError","TypeError","TypeError","TypeError","TypeError","TypeError","TypeError","object","TypeError","TypeError","TypeError","TypeError"]
//// Reflect
class A { constructor(...a) { this.a = a; this.t = new.target.name; } } class B {}
const o = { get x() { return this.y; }, set x(v) { this.z = v; } }, r = { y: 5 };
return [Reflect.construct(A, [1, 2], B), Reflect.construct(A, [1], B) instanceof B, Reflect.get(o, "x", r), Reflect.set(o, "x", 7, r), r, Reflect.has(o, "x"), Reflect.ownKeys([1]), Reflect.deleteProperty(Object.freeze({ q: 1 }), "q"), Reflect.getPrototypeOf([]) === Array.prototype, Reflect.setPrototypeOf(Object.preventExtensions({}), {}), Reflect.set({}, "n", 1, 5), Reflect.set([], "length", 2, []), Object.prototype.toString.call(Reflect)];
// => [{"a":[1,2],"t":"B"},true,5,true,{"y":5,"z":7},true,["0","length"],false,true,false,false,true,"[object Reflect]"]
//// Object's functions
const grouped = Object.groupBy([1, 2, 3, 4], (x) => x % 2 ? "odd" : "even");
return [Object.fromEntries(new Map([["a", 1], ["b", [2]]])), grouped, Object.getPrototypeOf(grouped), Object.entries("ab"), Object.values([5, 6]), Object.assign({ a: 1 }, null, { b: 2 }, "xy", [9]), Object.is(NaN, NaN), Object.is(0, -0), Object.hasOwn({ a: 1 }, "a"), Object.getOwnPropertyDescriptors({ get a() { return 1; }, b: 2 }).b, Object.entries({ c: 1, get d() { return 2; } }), Object(1n) == 1n, typeof Object("s"), Object.keys("ab"), ({}).propertyIsEnumerable("x"), ({ a: 1 }).hasOwnProperty("a"), Object.create({ i: 1 }, { j: { value: 2, enumerable: true } })];
// => [{"a":1,"b":[2]},{"odd":[1,3],"even":[2,4]},null,[["0","a"],["1","b"]],[5,6],{"0":9,"1":"y","a":1,"b":2},true,false,true,{"value":2,"writable":true,"enumerable":true,"configurable":true},[["c",1],["d",2]],true,"object",["0","1"],false,true,{"j":2}]
//// names of for (... in)
const base = { b: 1, shadowed: 1 }, o = Object.create(base, { a: { value: 1, enumerable: true }, shadowed: { value: 1, enumerable: false }, gone: { value: 1, enumerable: true, configurable: true } }), names = [];
for (const k in o) { names.push(k); delete o.gone; }
for (const k in "ab") names.push(k);
for (const k in null) names.push(k);
for (const k in [7, , 8]) names.push(k);
return names;
// => ["a","b","0","1","0","2"]
//// errors
const cause = new Error("inner"), e = new TypeError("outer", { cause }), own = (x) => Object.getOwnPropertyNames(x).filter((k) => k !== "stack" && k !== "line" && k !== "column");
class Mine extends RangeError { constructor(m) { super(m); this.name = "Mine"; } }
return [String(e), e.cause === cause, own(e), Object.keys(e), String(new Mine("m")), new Mine("x") instanceof RangeError, String(new AggregateError([1, 2], "all")), new AggregateError([1, 2]).errors, own(new Error()), "message" in new Error(), Error("called") instanceof Error, Object.prototype.toString.call(e), Error.prototype.toString.call({ name: "N", message: "M" }), Error.prototype.toString.call({}), Object.hasOwn(new Error("x", {}), "cause"), typeof e.stack, TypeError.prototype.name, Object.getPrototypeOf(TypeError) === Error];
// => ["TypeError: outer",true,["message","cause"],[],"Mine: m",true,"AggregateError: all",[1,2],[],true,true,"[object Error]","N: M","Error",false,"string","TypeError",true]
//// URIs
const why = [];
for (const f of [() => encodeURIComponent("\ud800"), () => decodeURIComponent("%"), () => decodeURIComponent("%c0%80"), () => decodeURI("%ed%a0%80"), () => decodeURIComponent("%f4%90%80%80")]) try { why.push(f()); } catch (e) { why.push(e.name); }
return [encodeURIComponent("a b&c=ä/\u{1f600}é'()*~"), encodeURI("http://x/ä?q=1&r=#h[]"), decodeURIComponent("%F0%9F%98%80%C3%A4%2f"), decodeURI("%23%2f%41%C3%A9"), escape("ä€ b+/@"), unescape("%E4%u20AC%20%zz%u12"), why];
// => ["a%20b%26c%3D%C3%A4%2F%F0%9F%98%80%C3%A9'()*~","http://x/%C3%A4?q=1&r=#h%5B%5D","😀ä/","%23%2fAé","%E4%u20AC%20b+/@","ä€ %zz%u12",["URIError","URIError","URIError","URIError","URIError"]]
//// globals
return [typeof globalThis, globalThis.globalThis === globalThis, Object.keys(globalThis).includes("Array"), isNaN("x"), isFinite("5"), Number.isNaN("x"), typeof undefinedName, Object.getOwnPropertyDescriptor(globalThis, "NaN").writable, typeof Object.getOwnPropertyDescriptor(globalThis, "Object").value];
// => ["object",true,false,true,true,false,"undefined",false,"function"]
