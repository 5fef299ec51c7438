// SPDX-License-Identifier: MIT
//
// store.js -- store() and load().

const key_of = (what, key) => {
	if (typeof key !== "string")
		throw new TypeError(what + "() key must be a string");
	return key;
};

const store = (key, value) => {
	key_of("store", key);
	if (value === undefined) {
		host.store(key);
		return;
	}
	const where = "store(" + stringify(key) + ")";
	if (typeof value === "function" || typeof value === "symbol" || host.kind(value) === PROMISE)
		throw new TypeError(where + " takes no " + (typeof value === "object" ? "promise: await it" : typeof value));
	const json = to_json(value, "the value of " + where);
	if (json === undefined)
		throw new TypeError(where + " value is not JSON-serializable");
	host.store(key, json);
};

const load = (key) => host.load(key_of("load", key));
