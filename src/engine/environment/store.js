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
	let json, why = "";
	try {
		json = stringify(value);
	} catch (e) {
		why = ": " + text_of(read(e, "message"));
	}
	if (json === undefined)
		throw new TypeError("store(" + stringify(key) + ") value is not JSON-serializable" + why);
	host.store(key, json);
};

const load = (key) => host.load(key_of("load", key));
