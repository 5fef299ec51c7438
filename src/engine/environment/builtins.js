// SPDX-License-Identifier: MIT
//
// builtins.js -- the built-ins that the environment uses, and the rules for all
// files of this folder.
//
// The environment is what a script sees. The build joins these files in the
// order that engine-quickjs/CMakeLists.txt lists, and the bake makes them the
// body of one function, (host) => {…}: constants of one file are seen by all
// later ones. The function is called once, when the image is baked. `host`
// holds one function for each line of ops.def. Returned (run.js) are the
// functions that the engine's adapter calls, in the order of env.def.
//
// A script may replace any built-in, as in Node. Rules:
//  E1  Nothing here relies on what a script can replace. Built-ins are taken
//      into constants, and methods are called through `call`. What the language
//      itself looks up is not used: no spread, no for-of, no destructuring of
//      arrays, no regular expression but through `match`, no string method with
//      a separator or pattern, no instanceof, no await or then of a promise of
//      ours but through `when`.
//  E2  A value of the script is touched only inside try, and the result is a
//      string, number or boolean of our own.
//  E3  Arrays and objects of our own have no prototype: `list()`, and
//      { __proto__: null, … }. A script that puts toJSON, a setter of "0" or
//      a missing member's name into Object.prototype is not asked for it. Only
//      what is handed to a script is an ordinary array (`array`) or object.

const { Object, Error, TypeError, RangeError, String, Array, Map, Set, WeakMap, Proxy, Reflect, JSON, Promise,
	Symbol } = globalThis;
const { apply, construct, defineProperty, getOwnPropertyDescriptor, getPrototypeOf, has, ownKeys } = Reflect;
const { create, freeze, isExtensible, setPrototypeOf } = Object;
const { stringify } = JSON;
const isError = Error.isError;
const isArray = Array.isArray;

// call(f, self, ...args), without looking anything up on f.
const call = Function.prototype.call.bind(Function.prototype.call);
const slice = String.prototype.slice;
const indexOf = String.prototype.indexOf;
const toLowerCase = String.prototype.toLowerCase;
const startsWith = String.prototype.startsWith;
const push = Array.prototype.push;
const arraySlice = Array.prototype.slice;
const join = Array.prototype.join;
const exec = RegExp.prototype.exec;
const mapForEach = Map.prototype.forEach;
const setForEach = Set.prototype.forEach;
const weakGet = WeakMap.prototype.get;
const weakSet = WeakMap.prototype.set;
const then = Promise.prototype.then;

// Defines an own property that an assignment would make, whatever setters the
// prototypes have.
const define = (object, name, value) =>
	defineProperty(object, name, { __proto__: null, value, writable: true, enumerable: true, configurable: true });
const hidden = (object, name, value) =>
	defineProperty(object, name, { __proto__: null, value, writable: true, enumerable: false, configurable: true });
// One that nothing can change.
const shown = (object, name, value) =>
	defineProperty(object, name, { __proto__: null, value, writable: false, enumerable: true, configurable: false });

// An empty array of our own (E3). The ordinary array of its elements, for a
// script: array(list).
const list = () => setPrototypeOf([], null);
const array = (own) => call(arraySlice, own);

// What the pattern finds first in the text, or null. `pattern` is of our own and
// has no flag g or y.
const match = (pattern, text) => call(exec, pattern, text);

// The parts of a text between separators.
const split = (text, separator) => {
	const parts = list();
	let from = 0;
	for (let at = call(indexOf, text, separator); at >= 0; at = call(indexOf, text, separator, from)) {
		call(push, parts, call(slice, text, from, at));
		from = at + separator.length;
	}
	call(push, parts, call(slice, text, from));
	return parts;
};

// The text with f(match) in the place of each match. `pattern` is of our own, has
// the flag g, and matches no empty text.
const replaced = (text, pattern, f) => {
	const parts = list();
	let from = 0;
	pattern.lastIndex = 0;
	for (let found = call(exec, pattern, text); found !== null; found = call(exec, pattern, text)) {
		call(push, parts, call(slice, text, from, found.index));
		call(push, parts, f(found));
		from = pattern.lastIndex;
	}
	call(push, parts, call(slice, text, from));
	return call(join, parts, "");
};

// Calls f or g when the promise settles. The promise is of our own or of an
// async function that no script has: without this `then` would look for its
// constructor, which a script may have replaced.
const when = (promise, f, g) => {
	hidden(promise, "constructor", undefined);
	call(then, promise, f, g);
};
