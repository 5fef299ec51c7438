// Arrays, maps, sets, iterators, generators and promises, as the standard has them.
//// an array is a queue from both ends
const q = [];
for (let i = 0; i < 2000; i++) { q.push(i); q.unshift(-i); if (i % 3 === 0) { q.shift(); q.pop(); } }
q.splice(5, 100, "x", "y");
q.splice(-3, 2);
q.splice(1000, 0, ...q.slice(0, 3));
return [q.length, q[0], q[5], q[6], q[7], q[1000], q.at(-1), q.indexOf("y"), q.lastIndexOf("x"), q.reduce((s, x) => typeof x === "number" ? s + x : s, 0)];
// => [2569,-1999,"x","y",-1841,-1999,1999,6,5,181715]
//// holes are kept, skipped or filled
const a = [1, , 3, , undefined];
return [a.length, 1 in a.map((x) => x), a.filter(() => true).length, Object.keys(a.concat([, 2])), a.indexOf(undefined), a.includes(undefined), a.join("-"), Object.keys(a.toSorted()), Object.keys([...a]), Object.keys(a.slice(1, 3)), a.flat().length, a.findLastIndex((x) => x === undefined), Object.keys([, 1].reverse())];
// => [5,false,3,["0","2","4","6"],4,true,"1--3--",["0","1","2","3","4"],["0","1","2","3","4"],["1"],3,4,["0"]]
//// sorting is stable, holes and undefined come last
const rows = Array.from({ length: 50 }, (_, i) => ({ k: i % 7, i }));
rows.sort((x, y) => x.k - y.k);
return [rows.every((r, i) => i === 0 || rows[i - 1].k < r.k || (rows[i - 1].k === r.k && rows[i - 1].i < r.i)), [3, undefined, 10, , "2", null, true].sort().map(String), [5, 25, 100].sort(), [5, 25, 100].sort((x, y) => y - x), ["b", "ä", "a", "B"].sort(), [3, 1, 2].toSorted(() => NaN)];
// => [true,["10","2","3","null","true","undefined",null],[100,25,5],[100,25,5],["B","a","b","ä"],[3,1,2]]
//// arrays that are subclassed, or only like one
class L extends Array { last() { return this.at(-1); } }
const l = L.from([1, 2, 3]), like = { length: 2, 0: "a", 1: "b" };
return [l.map((x) => x * 2).last(), l.slice(1) instanceof L, l.filter(Boolean).constructor === L, l.concat([4]).last(), L.of(7).length, Array.prototype.push.call(like, "c"), like, Array.prototype.map.call("xy", (c) => c + c), Array.from(new Set([1, 1, 2]), (x) => x + 1), Array.from({ length: 2 }), [1, 2, 3].with(1, 9), [1, 2, 3, 4].copyWithin(0, 2), [1, 2, 3].toSpliced(1, 1, "a", "b")];
// => [6,true,true,4,1,3,{"0":"a","1":"b","2":"c","length":3},["xx","yy"],[2,3],[null,null],[1,9,3],[3,4,3,4],[1,"a","b",3]]
//// what arrays refuse
const why = [];
for (const f of [() => new Array(-1), () => [].reduce((x) => x), () => [1].with(3, 0), () => Object.freeze([1]).push(2), () => [].map(1), () => Array.from({ length: 2 ** 53 }), () => { const o = [1]; o.length = 1.5; }, () => [1n].sort(() => 1n) && [1n, 2n].sort(() => 1n)])
	try { f(); why.push("none"); } catch (e) { why.push(e.name); }
return why;
// => ["RangeError","TypeError","RangeError","TypeError","TypeError","RangeError","RangeError","TypeError"]
//// a map keeps its order while it changes
const m = new Map([["a", 1], [NaN, 2], [-0, 3]]), seen = [];
for (const [k, v] of m) {
	seen.push(`${k}:${v}`);
	if (k === "a") { m.delete(NaN); m.set("late", 4); m.delete("a"); m.set("a", 5); }
	if (seen.length > 6) break;
}
const many = new Map();
for (let i = 0; i < 1000; i++) many.set(i, i);
let n = 0;
for (const k of many.keys()) { n++; many.delete(k); if (n < 500) many.set(k + 1000, 0); }
return [seen, m.size, m.get(0), Object.is([...m.keys()].find((k) => k === 0), 0), n, many.size, Map.groupBy([1, 2, 3], (x) => x % 2 ? "odd" : "even").get("odd")];
// => [["a:1","0:3","late:4","a:5","a:5","a:5","a:5"],3,3,true,1499,0,[1,3]]
//// a table that is cleared while it is read
const s = new Set([1, 2, 3]), read = [];
s.forEach((x) => { read.push(x); if (x === 2) { s.clear(); s.add(7); } });
const it = s.values();
it.next(); s.add(8);
const first = it.next().value;
it.next(); s.add(9);
return [read, first, it.next().done, [...s], new Set("hello").size, [...new Set([1, 2, 1]).entries()]];
// => [[1,2,7],8,true,[7,8,9],4,[[1,1],[2,2]]]
//// sets with each other
const x = new Set([1, 2, 3]), y = new Set([3, 4]), z = new Map([[1, "one"]]);
return [[...x.union(y)], [...x.intersection(y)], [...x.difference(y)], [...x.symmetricDifference(y)], y.isSubsetOf(x), x.isSupersetOf(z), x.isDisjointFrom(new Set([9])), [...x.union({ size: 1, has: () => false, keys: () => [5].values() })]];
// => [[1,2,3,4],[3],[1,2],[1,2,4],false,true,true,[1,2,3,5]]
//// keys of all kinds
const o = {}, f = () => 1, sym = Symbol("s"), all = [o, f, sym, "text", 12, 1.5, 10n, null, undefined, true], t = new Map(all.map((k, i) => [k, i]));
const rope = "tex" + ["t"].join("");
return [all.every((k, i) => t.get(k) === i), t.get({}), t.get(10n ** 1n), t.get(rope), t.get("12"), t.has(false), t.size];
// => [true,null,6,3,null,false,10]
//// weak maps take objects and symbols, and find them after a collection
const w = new WeakMap(), keep = [];
for (let i = 0; i < 5000; i++) { const k = { i }; w.set(k, { i, back: k }); if (i % 1000 === 0) keep.push(k); }
const junk = []; for (let i = 0; i < 100000; i++) junk[i % 100] = { i };
let refused = 0;
for (const k of [1, "a", null, Symbol.for("x")]) try { w.set(k, 1); } catch (e) { refused += e instanceof TypeError; }
return [keep.map((k) => w.get(k).i), keep.every((k) => w.get(k).back === k), w.has({}), w.delete(keep[0]), w.has(keep[0]), refused, new WeakSet([keep[1]]).has(keep[1])];
// => [[0,1000,2000,3000,4000],true,false,true,false,4,true]
//// iterators have methods, and are lazy
const log = [];
function* count() { try { for (let i = 1; ; i++) { log.push(i); yield i; } } finally { log.push("closed"); } }
const r = count().filter((v) => v % 2).map((v) => v * 10).drop(1).take(2).toArray();
const more = Iterator.from({ next: (() => { let i = 0; return () => ({ value: i, done: i++ > 2 }); })() });
return [r, log, [1, 2].values().flatMap((v) => [v, v]).toArray(), more.reduce((p, v) => p + v), count().some((v) => v > 2), count().find((v) => v > 1), [..."ab"].entries().toArray()];
// => [[30,50],[1,2,3,4,5,"closed",1,2,3,"closed",1,2,"closed"],[1,1,2,2],3,true,2,[[0,"a"],[1,"b"]]]
//// generators are spoken to, thrown into and closed
const said = [];
function* inner() { try { said.push(yield "a"); yield "b"; } catch (e) { said.push("caught " + e); yield "c"; } finally { said.push("end"); } return "result"; }
function* outer() { said.push(yield* inner()); return "over"; }
const g = outer(), h = inner();
h.next();
return [g.next(), g.next("x"), g.throw("t"), g.next(), g.next(), h.return("early"), h.next(), said];
// => [{"value":"a","done":false},{"value":"b","done":false},{"value":"c","done":false},{"value":"over","done":true},{"done":true},{"value":"early","done":true},{"done":true},["x","caught t","end","result","end"]]
//// async generators queue what they are asked
async function* ag() { const got = []; try { got.push(yield 1); got.push(yield Promise.resolve(2)); } finally { await null; yield got; } }
const k = ag(), asked = await Promise.all([k.next("lost"), k.next("a"), k.next("b"), k.next()]), last = await k.return(Promise.resolve(5));
const later = []; for await (const v of [1, Promise.resolve(2), (async () => 3)()]) later.push(v);
return [asked, last, later, await Array.fromAsync(ag(), (v) => Array.isArray(v) ? "list" : v)];
// => [[{"value":1,"done":false},{"value":2,"done":false},{"value":["a","b"],"done":false},{"done":true}],{"value":5,"done":true},[1,2,3],[1,2,"list"]]
//// promises in the order of the standard
const order = [], put = (v) => () => order.push(v);
Promise.resolve().then(put(1)).then(put(4)).then(put(6));
Promise.resolve({ then(f) { order.push(2); f(); } }).then(put(5));
(async () => { await null; order.push(3); await { then(f) { f(); } }; order.push(7); })();
await new Promise((f) => setTimeout(f, 1));
const settled = await Promise.allSettled([1, Promise.reject(new Error("no")), { then(_, no) { no("thenable"); } }]);
const any = await Promise.any([Promise.reject(1), 2]).finally(() => 3), none = await Promise.any([Promise.reject(1)]).catch((e) => [e.name, e.errors]);
const { promise, resolve } = Promise.withResolvers();
resolve(promise.constructor === Promise);
return [order, settled.map((p) => p.status + (p.value ?? p.reason.message ?? p.reason)), any, none, await promise, await Promise.try((p) => p + 1, 1), await Promise.race([new Promise(() => {}), "first"])];
// => [[1,2,3,4,5,6,7],["fulfilled1","rejectedno","rejectedthenable"],2,["AggregateError",[1]],true,2,"first"]
