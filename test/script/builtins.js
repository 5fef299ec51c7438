//// built-ins can be changed, as in Node
Array.prototype.sum = function () { return this.reduce((a, b) => a + b, 0); };
Math.random = () => 0.5;
JSON.parse = () => "mine";
Promise.prototype.later = function (f) { return this.then(f); };
return [[1, 2, 3].sum(), Math.random(), JSON.parse("2"), await Promise.resolve(1).later((x) => x + 1)];
// => [6,0.5,"mine",2]
//// globals can be replaced
Map = 5;
globalThis.Set = null;
delete globalThis.WeakMap;
console.log = (x) => text("mine " + x);
console.log("said");
text = 1;
return [Map, Set, typeof WeakMap, text];
// text: mine said
// => [5,null,"undefined",1]
//// a polyfill finds that it is needed
if (![].mine) Object.defineProperty(Array.prototype, "mine", { value() { return "mine"; }, writable: true, configurable: true });
return [[].mine(), Object.keys([1]), JSON.stringify([1])];
// => ["mine",["0"],"[1]"]
//// own methods with the names of built-in ones
"use strict";
const list = [1, 2];
list.push = function (v) { this[this.length] = v * 10; return "own"; };
const m = new Map();
m.get = () => 5;
const p = Promise.resolve(1);
p.then = (f) => f("own");
const d = new Date(0);
d.toISOString = () => "own";
class A {}
A.bind = 1;
return [list.push(3), [...list], m.get(1), await p, p.then((x) => x), d.toISOString(), A.bind];
// => ["own",[1,2,30],5,1,"own","own",1]
//// BigInt.prototype.toJSON is JSON.stringify's, and what leaves is the digits
BigInt.prototype.toJSON = function () { return this + "n"; };
text({ n: 2n });
return [JSON.stringify({ n: 1n }), 2n];
// text: {"n":2}
// => ["{\"n\":\"1n\"}",2]
//// a member of Object.prototype is seen by the script alone
Object.prototype.x = "everywhere";
return [({}).x, Object.keys({}), await tools.echo({ a: 1 })];
// => ["everywhere",[],{"a":1}]
//// a built-in class can be extended
class List extends Array { first() { return this[0]; } }
class Failure extends Error { constructor(m) { super(m); this.name = "Failure"; } }
class Later extends Promise { twice() { return this.then((x) => x * 2); } }
const list = List.from([1, 2]).map((x) => x + 1);
return [list.first(), list instanceof List, String(new Failure("f")), await Later.resolve(2).twice()];
// => [2,true,"Failure: f",4]
//// tools, codemode and ALL_TOOLS stay
tools = 1;
codemode = 2;
ALL_TOOLS = 3;
tools.extra = 4;
codemode.map = 5;
return [typeof tools.echo, typeof codemode.map, Array.isArray(ALL_TOOLS), delete globalThis.tools];
// => ["function","function",true,false]
//// in strict code it is an error to set them
"use strict";
tools = 1;
// !! TypeError 2:* read-only
//// new globals are allowed
globalThis.mine = 1;
implicit = 2;
return [mine, implicit];
// => [1,2]
//// names of built-ins may be local variables
const Map = 1, name = 2, Array = [3];
let text2 = 4;
var console2 = 5;
return [Map, name, Array, text2, console2];
// => [1,2,[3],4,5]
//// an error's name can be set
const e = new Error("m");
e.name = "Mine";
e.message = "other";
return String(e);
// => "Mine: other"
//// an object's own toString can be set
const o = {};
o.toString = () => "mine";
o.valueOf = () => 5;
return [String(o), o + 1];
// => ["mine",6]
//// counting by the names of Object.prototype
const counts = {};
for (const w of ["constructor", "toString", "hasOwnProperty", "valueOf", "x"]) counts[w] = (Object.hasOwn(counts, w) ? counts[w] : 0) + 1;
return counts;
// => {"constructor":1,"toString":1,"hasOwnProperty":1,"valueOf":1,"x":1}
//// a prototype of one's own can override
function F() {}
F.prototype.toString = function () { return "F!"; };
F.prototype.constructor = F;
class G { constructor() { this.constructor = 7; } }
return [String(new F()), new G().constructor];
// => ["F!",7]
//// a class may override methods of a built-in
class MyMap extends Map {
	get(k) { return super.get(k) ?? "none"; }
}
return [new MyMap([[1, 2]]).get(1), new MyMap().get(1)];
// => [2,"none"]
//// an object's member may have the name of an inherited method, by definition
const m = new Map();
Object.defineProperty(m, "get", { value: () => 5 });
const a = Object.assign([], { length: 0 });
Object.defineProperty(a, "map", { value: "mine" });
return [m.get(), a.map];
// => [5,"mine"]
//// __proto__ of an object cannot pollute
const o = JSON.parse('{"__proto__":{"evil":1}}');
const merged = Object.assign({}, o);
return [({}).evil === undefined];
// => [true]
//// no way out through an error's constructor
let found = "nothing";
try {
	await tools.fail();
} catch (e) {
	found = e.constructor.constructor("return typeof process + typeof require + typeof Deno + typeof std + typeof os")();
}
return found;
// => "undefinedundefinedundefinedundefinedundefined"
// quickjs: it makes no code from text
//// globals of a script's own can be frozen
Object.freeze(globalThis);
return await tools.echo("works");
// => "works"
//// Error.stackTraceLimit and prepareStackTrace do no harm
Error.stackTraceLimit = 0;
Error.prepareStackTrace = () => { throw 1; };
text("still here");
throw new Error("told");
// text: still here
// !! Error *:* told
