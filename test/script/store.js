//// what was stored can be loaded
store("k", { a: [1, 2] });
return load("k");
// => {"a":[1,2]}
// writes: {"set":{"k":{"a":[1,2]}},"delete":[]}
//// load of a missing key is undefined
return [typeof load("none")];
// => ["undefined"]
// writes: {"set":{},"delete":[]}
//// load finds what the host gave
return [load("given"), load("list")];
// options: {"store":{"given":{"n":1},"list":[null,"x"]}}
// => [{"n":1},[null,"x"]]
//// load gives a fresh copy each time
const a = load("o");
a.n = 2;
return [load("o").n, load("o") === load("o")];
// options: {"store":{"o":{"n":1}}}
// => [1,false]
//// a stored object is a snapshot
const o = { n: 1 };
store("o", o);
o.n = 2;
return load("o").n;
// => 1
// writes: {"set":{"o":{"n":1}},"delete":[]}
//// undefined deletes
store("given", undefined);
return [typeof load("given")];
// options: {"store":{"given":1}}
// => ["undefined"]
// writes: {"set":{},"delete":["given"]}
//// a key that never was is deleted too
store("never", undefined);
// => undefined
// writes: {"set":{},"delete":["never"]}
//// the last write of a key counts, in the order of the first
store("a", 1);
store("b", 2);
store("a", 3);
// => undefined
// writes: {"set":{"a":3,"b":2},"delete":[]}
//// set after delete is a set
store("a", undefined);
store("a", 1);
// options: {"store":{"a":0}}
// => undefined
// writes: {"set":{"a":1},"delete":[]}
//// delete after set is a delete
store("a", 1);
store("a", undefined);
// => undefined
// writes: {"set":{},"delete":["a"]}
//// null is a value
store("n", null);
return load("n");
// => null
// writes: {"set":{"n":null},"delete":[]}
//// NaN is stored as null, and a warning says so
store("n", NaN);
return load("n");
// => null
// warning: the value of store("n") is NaN
// writes: {"set":{"n":null},"delete":[]}
//// the empty key is a key
store("", 1);
return load("");
// => 1
// writes: {"set":{"":1},"delete":[]}
//// the key __proto__ is a key like any other
store("__proto__", { a: 1 });
const plain = {};
return [load("__proto__"), plain.a === undefined];
// => [{"a":1},true]
// writes: {"set":{"__proto__":{"a":1}},"delete":[]}
//// the host's __proto__ key can be loaded
return load("__proto__");
// options: {"store":{"__proto__":{"x":1}}}
// => {"x":1}
//// other inherited names are keys too
store("constructor", 1);
store("toString", 2);
return [load("constructor"), load("toString"), typeof load("hasOwnProperty")];
// => [1,2,"undefined"]
// writes: {"set":{"constructor":1,"toString":2},"delete":[]}
//// a key must be a string
store(5, 1);
// !! TypeError 1:* key must be a string
//// load needs a string too
const k = Symbol("k");
load(k);
// !! TypeError 2:* load() key must be a string
//// a function cannot be stored
store("f", () => 1);
// !! TypeError 1:* store("f") takes no function
//// a promise cannot be stored
store("p", tools.echo(1));
// !! TypeError 1:* store("p") takes no promise: await it
// calls: echo unstarted
//// a cycle is stored as a text that says so
const o = {};
o.o = o;
store("o", o);
return load("o");
// => {"o":"[circular: $]"}
// warning: $.o of the value of store("o") refers back to $
// writes: {"set":{"o":{"o":"[circular: $]"}},"delete":[]}
//// a BigInt is stored with all its digits
store("n", { n: 2n ** 70n });
// => undefined
// writes: {"set":{"n":{"n":1180591620717411303424}},"delete":[]}
//// a failed store changes nothing
store("k", 1);
try { store("k", () => 1); } catch {}
return load("k");
// => 1
// writes: {"set":{"k":1},"delete":[]}
//// a script that fails writes nothing
store("k", 1);
throw new Error("no");
// !!= Error 2:* no
// result: storeWrites undefined
//// one value has a limit
store("big", "x".repeat(262143));
// !! RangeError 1:* 262
//// a value at the limit is stored
store("big", "x".repeat(262142));
return load("big").length;
// => 262142
// result: storeWrites.delete []
//// the limit on a value can be caught
try { store("big", "x".repeat(300000)); } catch (e) { return [e.name, typeof load("big")]; }
// => ["RangeError","undefined"]
// writes: {"set":{},"delete":[]}
//// all values together have a limit
for (let i = 0; i < 4; i++) store("k" + i, "x".repeat(260000));
store("k4", "x".repeat(20000));
// !! RangeError 2:* full
//// deleting makes room
for (let i = 0; i < 4; i++) store("k" + i, "x".repeat(260000));
store("k0", undefined);
store("k4", "x".repeat(20000));
return load("k4").length;
// => 20000
// result: storeWrites.delete ["k0"]
//// toJSON is asked when storing
store("d", new Date(0));
return load("d");
// => "1970-01-01T00:00:00.000Z"
// writes: {"set":{"d":"1970-01-01T00:00:00.000Z"},"delete":[]}
//// store and load can be replaced
store = load = (k) => k;
store("k", 1);
return load("k");
// => "k"
//// strings with every character survive
const s = "\u0000\u2028\"\\\ud83d\ude00é";
store(s, s);
return load(s) === s;
// => true
// result: storeWrites.delete []
//// deletions have a limit too
for (let i = 0; i < 200; i++) store("k".repeat(100000) + i, undefined);
// !! RangeError 1:* full
//// a key may not be longer than everything together
store("k".repeat(2000000), 1);
// !! RangeError 1:* 
//// what is stored can be read back, so its nesting has a limit
const nest = (n) => { let o = 1; while (n-- > 0) o = [o]; return o; };
store("deep", nest(1023));
try { store("deeper", nest(1024)); } catch (e) { return [e.name, load("deep").length]; }
// => ["RangeError",1]
// result: storeWrites.delete []
