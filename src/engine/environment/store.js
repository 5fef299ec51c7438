// SPDX-License-Identifier: MIT
//
// store.js -- store(), load() and codemode.result().

const key_of = (what, key) => {
	if (typeof key !== "string")
		throw new TypeError(what + "() key must be a string");
	return key;
};

const RESULT = "codemode.result:";

const store = (key, value) => {
	if (call(startsWith, key_of("store", key), RESULT))
		throw new TypeError("store() key must not begin with " + RESULT);
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

// What an earlier script returned and the owner has kept whole.
const result = (id) => {
	const value = host.load(RESULT + id);
	if (value === undefined)
		throw new Error("codemode.result(" + stringify(id) + "): there is no such result (any more)");
	return value;
};

const load = (key) => host.load(key_of("load", key));
