// SPDX-License-Identifier: MIT
//
// timers.js -- setTimeout and the timers of the other files.

const timers = new Map(); // id -> function
const mapGet = Map.prototype.get;
const mapSet = Map.prototype.set;
const mapDelete = Map.prototype.delete;

// Calls f in a turn of its own. Without a constructor the promise's `then` asks
// for no species. What f throws is a rejection without a handler: a warning.
const resolved = new Promise((resolve) => resolve());
hidden(resolved, "constructor", undefined);
const soon = (f) => {
	call(then, resolved, f);
};

const later = (ms, f) => {
	const id = host.timer(ms);
	call(mapSet, timers, id, f);
	return id;
};

const clear = (id) => {
	if (call(mapDelete, timers, id))
		host.clear(id);
};

const fire = (id) => {
	const f = call(mapGet, timers, id);
	call(mapDelete, timers, id);
	if (f !== undefined)
		soon(f);
	return f !== undefined;
};

const setTimeout = (callback, ms, ...args) => {
	if (typeof callback !== "function")
		throw new TypeError("setTimeout() takes a function; strings are not run");
	return later(+ms, () => apply(callback, undefined, args));
};

const clearTimeout = (id) => {
	if (typeof id === "number")
		clear(id);
};
