// SPDX-License-Identifier: MIT
//
// arrays.js -- unshift and splice with one move (value_array.c).

const moving = (name, which) => {
	const f = host.moving(Array.prototype[name], which);
	defineProperty(f, "name", { __proto__: null, value: name, writable: false, enumerable: false, configurable: true });
	hidden(Array.prototype, name, f);
};
moving("unshift", 0);
moving("splice", 1);
