//// built-ins cannot be changed
Array.prototype.map = null;
Array.prototype.extra = 1;
JSON.parse = null;
Promise.prototype.then = null;
return [[1].map((x) => x + 1), JSON.parse("2"), typeof [].extra];
// => [[2],2,"undefined"]
//// globals cannot be replaced
JSON = {};
Array = 5;
globalThis.Map = null;
delete globalThis.Set;
return [typeof JSON.parse, typeof Array, typeof Map, typeof Set];
// => ["function","function","function","function"]
//// strict code gets an error
"use strict";
(function () {
	"use strict";
	Array.prototype.map = 1;
})();
// !! TypeError *:* 
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
//// assigning it is an error in strict code, not silence
"use strict";
const m = new Map();
m.get = () => 5;
// !! TypeError 3:* get
//// Object.prototype itself cannot be changed
try { Object.prototype.toString = 1; } catch {}
try { Object.prototype.polluted = 1; } catch {}
return [String({}), ({}).polluted === undefined];
// => ["[object Object]",true]
//// __proto__ of an object cannot pollute
const o = JSON.parse('{"__proto__":{"evil":1}}');
const merged = Object.assign({}, o);
return [({}).evil === undefined];
// => [true]
//// everything reachable is frozen
const seen = new Set();
const soft = [];
function walk(o, path) {
	if ((typeof o !== "object" && typeof o !== "function") || o === null || seen.has(o)) return;
	seen.add(o);
	if (o !== globalThis && !Object.isFrozen(o) && !ArrayBuffer.isView(o)) soft.push(path);
	for (const k of Reflect.ownKeys(o)) {
		const d = Object.getOwnPropertyDescriptor(o, k);
		for (const part of ["value", "get", "set"]) walk(d[part], path + "." + String(k));
	}
	walk(Object.getPrototypeOf(o), path + ".__proto__");
}
for (const k of ["Object", "Array", "Function", "Promise", "Map", "Set", "JSON", "Math", "Reflect", "Proxy", "Error", "RegExp", "Date", "Symbol", "String", "Number", "tools", "ALL_TOOLS", "console", "text", "image", "exit", "store", "load"]) walk(globalThis[k], k);
for (const f of [function* () {}, async function () {}, async function* () {}]) walk(Object.getPrototypeOf(f), "f");
walk(Object.getPrototypeOf([][Symbol.iterator]()), "array iterator");
walk(Object.getPrototypeOf(new Map().entries()), "map iterator");
walk(Object.getPrototypeOf("".matchAll(/x/g)), "regex iterator");
return soft;
// => []
//// the environment relies on nothing that a script can replace
globalThis.then = 1;
const was = Promise.resolve;
try { Promise.resolve = null; } catch {}
Object.defineProperty(globalThis, "mine", { get() { return 1; } });
return [await tools.echo(1), Promise.resolve === was];
// => [1,true]
//// no way out through an error's constructor
let found = "nothing";
try {
	await tools.fail();
} catch (e) {
	found = e.constructor.constructor("return typeof process + typeof require + typeof Deno + typeof std + typeof os")();
}
return found;
// => "undefinedundefinedundefinedundefinedundefined"
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
