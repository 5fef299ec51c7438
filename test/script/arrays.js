//// unshift and splice do what the engine's own do
// An array with a property of its own is not plain: the engine's function runs.
let seed = 7;
const random = (n) => (seed = (seed * 48271) % 2147483647) % n;
const other = (a) => Object.assign([...a], { own: 1 });
const odd = [undefined, null, NaN, -1, 2.5, "1", -100, 100, {}, "x", -0];
const argument = (n) => (random(4) === 0 ? odd[random(odd.length)] : random(2 * n + 3) - n - 1);
const same = (a, b) => a.length === b.length && Array.from(a).every((x, i) => x === b[i] && i in a === i in b);
let wrong = 0;
for (let round = 0; round < 5000; round++) {
	const a = Array.from({ length: random(random(10) === 0 ? 300 : 8) }, (_, i) => (i % 3 ? { i } : i));
	const b = other(a);
	for (let step = 0; step < 3; step++) {
		const items = Array.from({ length: random(5) }, () => ["new", round]);
		const args = [argument(a.length), argument(a.length)].slice(0, random(8) === 0 ? random(3) : 2);
		const [x, y] = random(3) === 0 ? [[a.unshift(...items)], [b.unshift(...items)]] : [a.splice(...args, ...items), b.splice(...args, ...items)];
		if (!same(x, y) || !same(a, b)) wrong++;
	}
}
return wrong;
// => 0
//// what is not plain
const out = [];
const attempt = (f) => { try { out.push(f()); } catch (e) { out.push(e.name); } };
class List extends Array {}
attempt(() => Object.freeze([1]).unshift(2));
attempt(() => Object.seal([1, 2]).splice(0, 1));
attempt(() => Object.preventExtensions([1]).unshift(0));
attempt(() => List.of(1, 2, 3).splice(1, 1) instanceof List);
attempt(() => { const a = [, 1]; a.unshift(0); return [1 in a, a.length]; });
attempt(() => { const a = [1, 2]; a.length = 5; return [a.splice(1, 3).length, a.length, 1 in a]; });
attempt(() => { const log = []; const p = new Proxy([1, 2], { set(t, k, v) { log.push(k); t[k] = v; return true; } }); p.unshift(0); return log; });
attempt(() => { const o = { length: 1, 0: "a" }; Array.prototype.unshift.call(o, "b"); return o; });
attempt(() => Array.prototype.splice.call("ab", 0, 1));
attempt(() => Array.prototype.unshift.call({ length: 2 ** 53 - 1 }, 1));
attempt(() => Object.defineProperty([1], "length", { writable: false }).unshift(2));
attempt(() => { const a = [3, 4]; return a.splice({ valueOf() { a.length = 1; return 0; } }, 1).length; });
attempt(() => [1, 2, 3].splice());
attempt(() => [1, 2, 3].splice(1));
attempt(() => new ([].splice)());
return [out, Array.prototype.splice.length, Array.prototype.unshift.name];
// => [["TypeError","TypeError","TypeError",true,[false,3],[3,2,false],["2","1","0","length"],{"0":"b","1":"a","length":2},"TypeError","TypeError","TypeError",1,[],[2,3],"TypeError"],2,"unshift"]
//// a constructor, a species or a setter of the script's is asked
let made = "";
const species = Object.getOwnPropertyDescriptor(Array, Symbol.species);
Object.defineProperty(Array, Symbol.species, { get() { return function (n) { made += n; return []; }; }, configurable: true });
[1, 2, 3].splice(0, 2);
Object.defineProperty(Array, Symbol.species, species);
Array.prototype.constructor = function () { made += " constructor"; };
Array.prototype.constructor[Symbol.species] = function () { made += " own"; return []; };
[1].splice(0, 1);
Array.prototype.constructor = Array;
Object.defineProperty(Array.prototype, "2", { set(v) { made += " set " + v; }, configurable: true });
const a = [1, 2];
a.unshift(0);
delete Array.prototype[2];
Object.prototype[1] = "inherited";
Object.defineProperty(Object.prototype, "3", { set(v) { made += " set 3 " + v; }, configurable: true });
[1, 2, 3].splice(0, 0, 0);
return made;
// => "2 own set 2 set 3 3"
//// a long list that is spread into push
const rows = Array.from({ length: 100000 }, (_, i) => i);
const all = [];
all.push(...rows);
// !! RangeError 3:* all.push(...) takes at most 65,535 arguments, and the list that is spread has more: write for (const x of list) all.push(x), or all = all.concat(list)
//// a long list that is spread into Math.max
const rows = Array.from({ length: 100000 }, (_, i) => i);
return Math.max(...rows);
// !! RangeError 2:* Math.max(...) takes at most 65,535 arguments, and the list that is spread has more: write a loop or list.reduce((a, b) => ...), or call it with parts of list.slice(...)
//// the advice, applied
const list = Array.from({ length: 100000 }, (_, i) => i);
let all = [];
for (const x of list) all.push(x);
all = all.concat(list);
return [all.length, list.reduce((a, b) => Math.max(a, b))];
// => [200000,99999]
