// SPDX-License-Identifier: MIT
//
// output.js -- text() and console: values as text for people.

// JSON of a value for reading: what JSON would drop without a word (errors,
// maps, sets) is shown. Keys of maps that are all strings become members.
const shown_map = (map) => {
	const entries = [];
	const object = { __proto__: null };
	let strings = true;
	call(mapForEach, map, (value, key) => {
		call(push, entries, [key, value]);
		if (typeof key === "string")
			object[key] = value;
		else
			strings = false;
	});
	return strings ? object : entries;
};

const shown_set = (set) => {
	const values = [];
	call(setForEach, set, (value) => {
		call(push, values, value);
	});
	return values;
};

const is_a = (v, Class) => {
	try {
		return v instanceof Class;
	} catch {
		return false;
	}
};

const exotic = (v) => {
	if (typeof v !== "object" || v === null)
		return v;
	if (isError(v))
		return text_of(read(v, "name")) + ": " + text_of(read(v, "message"));
	if (is_a(v, Map))
		return shown_map(v);
	if (is_a(v, Set))
		return shown_set(v);
	return v;
};

const readable = (key, v) => exotic(v);

const with_frames = (e) => {
	const name = text_of(read(e, "name"));
	const message = text_of(read(e, "message"));
	return described_stack(e, name, message) ?? name + ": " + message;
};

const logged = (v) => {
	if (typeof v === "string")
		return v;
	if ((typeof v !== "object" && typeof v !== "function") || v === null)
		return String(v);
	if (typeof v === "object" && isError(v))
		return with_frames(v);
	let json;
	try {
		json = stringify(v, readable);
	} catch {}
	return json ?? String(v);
};

const log = (args) => {
	const parts = [];
	for (let i = 0; i < args.length; i++)
		call(push, parts, logged(args[i]));
	host.print(1, call(join, parts, " "));
};

const console = freeze({
	log(...args) { log(args); },
	info(...args) { log(args); },
	warn(...args) { log(args); },
	error(...args) { log(args); },
	debug(...args) { log(args); },
});

const text = (value) => {
	if ((typeof value !== "object" && typeof value !== "function") || value === null) {
		host.print(0, String(value));
		return;
	}
	let shown = typeof value === "object" && isError(value) ? exotic(value) : undefined;
	try {
		shown ??= stringify(value, readable);
	} catch (e) {
		throw new TypeError(text_of(read(e, "message")));
	}
	host.print(0, shown ?? String(value));
};
