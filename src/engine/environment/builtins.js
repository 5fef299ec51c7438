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
// Rules:
//  E1  Nothing here relies on what a script can replace: built-ins are taken
//      into constants first and frozen afterwards, and methods are called
//      through `call`.
//  E2  A value of the script is touched only inside try, and the result is a
//      string, number or boolean of our own.
//  E3  Every object that a script can reach is frozen.

const { Object, Error, TypeError, RangeError, String, Array, Map, Set, WeakMap, Proxy, Reflect, JSON, Promise,
	Symbol } = globalThis;
const { ownKeys, getPrototypeOf, getOwnPropertyDescriptor, defineProperty, has } = Reflect;
const { create, freeze, isExtensible } = Object;
const { stringify } = JSON;
const isError = Error.isError;
const isArray = Array.isArray;

// call(f, self, ...args), without looking anything up on f.
const call = Function.prototype.call.bind(Function.prototype.call);
const slice = String.prototype.slice;
const indexOf = String.prototype.indexOf;
const split = String.prototype.split;
const toLowerCase = String.prototype.toLowerCase;
const startsWith = String.prototype.startsWith;
const push = Array.prototype.push;
const join = Array.prototype.join;
const replace = String.prototype.replace;
const test = RegExp.prototype.test;
const mapForEach = Map.prototype.forEach;
const setForEach = Set.prototype.forEach;
const weakGet = WeakMap.prototype.get;
const weakSet = WeakMap.prototype.set;
const then = Promise.prototype.then;
const promiseResolve = Promise.resolve.bind(Promise);
const promiseAll = Promise.all.bind(Promise);

const hidden = (object, name, value) =>
	defineProperty(object, name, { __proto__: null, value, writable: false, enumerable: false, configurable: false });
const shown = (object, name, value) =>
	defineProperty(object, name, { __proto__: null, value, writable: false, enumerable: true, configurable: false });
