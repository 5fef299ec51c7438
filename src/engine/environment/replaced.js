// SPDX-License-Identifier: MIT
//
// replaced.js -- functions of the engine that the adapter calls in a way of its
// own: unshift and splice with one move (value_array.c), and JSON.stringify, which
// looks for a cycle in all the objects around each object, on a part of the stack:
// on all of it a value of 100,000 objects in objects would take minutes.

const replace = (object, name, which) => {
	const f = host.instead(object[name], object[name].length, which);
	defineProperty(f, "name", { __proto__: null, value: name, writable: false, enumerable: false, configurable: true });
	hidden(object, name, f);
};
replace(Array.prototype, "unshift", 0);
replace(Array.prototype, "splice", 1);
replace(JSON, "stringify", 2);
