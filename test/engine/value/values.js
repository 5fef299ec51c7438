// SPDX-License-Identifier: MIT
//
// values.js -- (seed) => an array of random values: one and all that are in it
// or were made for it, each by an operation that gives it some representation
// inside the engine. Some cannot be written as JSON, and some throw when they
// are.
(() => {
let seed = 1;
const next = (n) => {
	seed = (Math.imul(seed, 1664525) + 1013904223) >>> 0;
	return Math.floor(seed / 4294967296 * n);
};
const pick = (list) => list[next(list.length)];

// ---------------------------------------------------------------- strings

const narrow = () => String.fromCharCode(next(8) ? 32 + next(95) : next(256));
const wide = () => String.fromCharCode(next(3) ? next(128) : next(65536));
const letters = (n, one) => {
	let s = '';
	while (n-- > 0)
		s += one();
	return s;
};
const long = ['0123456789abcdef'.repeat(200), '\u20ac-euro '.repeat(400),
	'caf\xe9 '.repeat(500), '"\\\n'.repeat(900)];
const sizes = [0, 1, 2, 7, 8, 9, 16, 100, 1023, 1024, 1025, 1026, 2000];
const cut = () => {
	const s = pick(long), from = next(40), len = pick(sizes);
	switch (next(6)) {
	case 0: return s.slice(from, from + len);
	case 1: return s.substring(from, from + len);
	case 2: return s.substr(from, len);
	case 3: return s.slice(from).slice(1, 1 + len);
	case 4: return s.match(/[^]{1,1500}/)[0];
	default: return s.split(pick(['8', '\n', ' ', 'e']), 3)[next(2)] ?? s;
	}
};
const joined = () => {
	let s = pick(['', 'x', cut()]);
	switch (next(6)) {
	case 0:
		for (let i = next(8); i > 0; i--) s += cut();
		return s;
	case 1: return ''.concat(cut(), s, cut());
	case 2: return [cut(), s, word()].join(pick(['', ',', '\u2028']));
	case 3: return `${s}${cut()}${next(100)}`;
	case 4: return s.padStart(next(1500), 'ab').padEnd(next(1600));
	default: return s + s + s;
	}
};
const changed = () => {
	const s = next(3) ? word() : cut();
	switch (next(8)) {
	case 0: return s.replace(/[a-m]/, (c) => c + c);
	case 1: return s.replaceAll('a', '\xe4');
	case 2: return s.toUpperCase();
	case 3: return s.trim();
	case 4: return s.normalize('NFD');
	case 5: return JSON.parse(JSON.stringify(s));
	case 6: return Object.keys({[s]: 1})[0];
	default: return s.split('').reverse().join('');
	}
};
const word = () => {
	switch (next(6)) {
	case 0: return letters(next(6), wide);
	case 1: return String(number());
	case 2: return Symbol(letters(next(5), narrow)).description;
	case 3: return pick(['', 'a', 'id', 'name', '\0', '\x7f', '\u2028']);
	default: return letters(next(6), narrow);
	}
};
const string = () => {
	switch (next(24)) {
	case 0: return cut();
	case 1: return joined();
	case 2: case 3: case 4: return changed();
	default: return word();
	}
};

// ---------------------------------------------------------------- numbers

const bits = new DataView(new ArrayBuffer(8));
const edges = [0, -0, 1, -1, 2 ** 31 - 1, 2 ** 31, -(2 ** 31), -(2 ** 31) - 1,
	2 ** 32, 2 ** 53, 2 ** 53 - 1, -(2 ** 53), 1e21, 1e-7, 123456789012345680000,
	5e-324, 1.7976931348623157e308, NaN, Infinity, -Infinity, 0.1 + 0.2];
const number = () => {
	switch (next(10)) {
	case 0: return pick(edges);
	case 1: return pick(edges) + next(3) - 1;
	case 2:
		bits.setUint32(0, next(2 ** 32));
		bits.setUint32(4, next(2 ** 32));
		return bits.getFloat64(0);
	case 3: return next(2 ** 24) * 2 ** (next(2000) - 1000);
	case 4: return (next(2 ** 24) - 2 ** 23) / 2 ** next(40);
	case 5: return Math.fround(next(2 ** 30) / 1000);
	case 6: return Number(`${next(1e9)}.${next(1e9)}e${next(40) - 20}`);
	case 7: return Math.sqrt(next(100) ** 2);
	default: return next(2000) - 1000;
	}
};

// ---------------------------------------------------------------- objects

const key = () => {
	switch (next(10)) {
	case 0: return String(next(20));
	case 1: return String(2 ** 31 - 2 + next(4));
	case 2: return String(2 ** 32 - 4 + next(5));
	case 3: return pick(['-1', '-0', '01', '1.5', '1e3', '0x1', '2147483648a']);
	case 4: return pick(['__proto__', 'toJSON', 'constructor', 'length', '']);
	case 5: return next(3) ? word() : string();
	default: return pick(['a', 'b', 'c', 'id', 'name', 'value', 'k' + next(99)]);
	}
};
// An array of billions of holes takes too long to write.
const key_for = (o) => Array.isArray(o) ? pick(['0', '2', '7', 'x', '-1']) : key();
const members = (o, depth) => {
	for (let n = next(6); n > 0; n--)
		o[key()] = value(depth);
	return o;
};
class Plain { x = 1; }
class Hidden { #secret = 1; y = 2; get z() { return 3; } }
class Writes { toJSON() { return {w: 4}; } }
class Stamp extends (function (o) { return o; }) { #mark = 1; }
const object = (depth) => {
	switch (next(12)) {
	case 0: return members(Object.create(null), depth);
	case 1: return {...members({}, depth), b: value(depth)};
	case 2: return Object.assign({a: 1}, members({}, depth));
	case 3: return Object.fromEntries([[key(), value(depth)], [key(), 1]]);
	case 4: return {[key()]: value(depth), __proto__: pick([null, {}, {a: 1}])};
	case 5: return parsed(depth);
	case 6: return members(new (pick([Plain, Hidden, Writes]))(), depth);
	default: return members({}, depth);
	}
};
const parsed = (depth) => {
	try {
		return JSON.parse(JSON.stringify(value(depth))) ?? null;
	} catch {
		return null;
	}
};
const redefine = (o, depth) => {
	const names = Object.keys(o), k = next(3) && names.length ? pick(names) : key_for(o);
	const flags = {enumerable: next(2) > 0, configurable: next(2) > 0};
	switch (next(4)) {
	case 0: flags.get = () => next(5); break;
	case 1: flags.set = () => {}; break;
	default:
		flags.value = value(depth);
		flags.writable = next(2) > 0;
	}
	Object.defineProperty(o, k, flags);
};
const alter = (o, depth) => {
	switch (next(16)) {
	case 0: redefine(o, depth); break;
	case 1: Object.freeze(o); break;
	case 2: Object.seal(o); break;
	case 3: Object.preventExtensions(o); break;
	case 4: o[Symbol(word())] = value(depth); break;
	case 5: o.toJSON = pick([() => 'own', {}, 1, null, undefined]); break;
	case 6: Object.defineProperty(o, 'toJSON', {value: () => 'hidden'}); break;
	case 7: return new Proxy(o, {});
	case 8: Object.setPrototypeOf(o, pick([null, {}, Array.prototype])); break;
	case 9: new Stamp(o); break;
	case 10: o[key_for(o)] = o; break;
	default:
		for (const k of Object.keys(o))
			if (next(3) === 0) delete o[k];
		if (next(2)) o[key_for(o)] = value(depth);
	}
	return o;
};

// ----------------------------------------------------------------- arrays

class Listed extends Array {}
const items = (depth) =>
	Array.from({length: next(6)}, () => value(depth));
const array = (depth) => {
	const a = items(depth);
	switch (next(24)) {
	case 0: a.length = a.length + next(3); return a;
	case 1: a[a.length + next(4)] = 1; return a;
	case 2: delete a[next(a.length)]; return a;
	case 3: a.unshift(value(depth)); return a;
	case 4: return a.splice(1, 2, value(depth)).concat(a);
	case 5: return a.reverse();
	case 6: return [a, [a]].flat();
	case 7: a.pop(); a.shift(); a.push(1); return a;
	case 8: return Listed.from(a);
	case 9: return a.map((x) => x).slice(next(2));
	case 10: return new Array(next(4));
	case 11: a.extra = 1; return a;
	case 12: return a.fill(value(depth), 1);
	case 13: a[2 ** 32 - 2 - next(3)] = 1; a.length = next(5); return a;
	case 14: Object.defineProperty(a, 'length', {writable: false}); return a;
	case 15: a.length = next(2); a.push('back'); return a;
	case 16: return /(a)(?<n>b)?/.exec('xab');
	case 17: return ((parts) => parts)`a${1}b`;
	default: return a;
	}
};

// ----------------------------------------------------------------- others

const odd = (depth) => {
	switch (next(24)) {
	case 0: return new Date(next(1e9) * 1000);
	case 1: return new Map([[key(), value(depth)]]);
	case 2: return new Set(items(depth));
	case 3: return new Uint8Array(items(depth).length);
	case 4: return new Float64Array([number(), 1.5]);
	case 5: return new ArrayBuffer(8);
	case 6: return new Error(word());
	case 7: return /x/g;
	case 8: return Object(pick([1, 'boxed', true, -0, cut()]));
	case 9: return () => 1;
	case 10: return Symbol('s');
	case 11: return 10n;
	case 12: return (function () { return arguments; })(1, value(depth));
	case 13: return Promise.resolve(1);
	case 14: return new Proxy([1, 2], {get: (o, k) => o[k]});
	case 15: return new Proxy({a: 1}, {ownKeys: () => ['a']});
	case 16: return [1, 2].values();
	case 17: return pick([Math, JSON, Object.prototype, Array.prototype]);
	case 18: return JSON.rawJSON ? JSON.rawJSON('1e5') : 1;
	case 19: return function named() {};
	case 20: return (() => { let o = 1; for (let i = next(60); i > 0; i--) o = [o]; return o; })();
	case 21: return new String(word());
	case 22: return new DataView(new ArrayBuffer(2));
	default: return new WeakMap();
	}
};

let made = [];
const value = (depth) => {
	const v = one(depth);
	made.push(v);
	return v;
};
const one = (depth) => {
	switch (next(depth > 3 ? 8 : 14)) {
	case 0: case 1: return number();
	case 2: case 3: case 4: return string();
	case 5: return pick([null, true, false, undefined]);
	case 6: return next(1000);
	case 7: return word();
	case 8: return array(depth + 1);
	case 9: return next(8) ? array(depth + 1) : odd(depth + 1);
	case 10: try {
			return alter(next(3) ? object(depth + 1) : array(depth + 1), depth + 1);
		} catch {
			return null; // what is frozen can not be altered
		}
	default: return object(depth + 1);
	}
};

return (n) => {
	seed = n >>> 0;
	next(1);
	next(1);
	made = [];
	value(0);
	return made;
};
})()
