// SPDX-License-Identifier: MIT
//
// output.js -- text() and console: values as text for people.

const print = (kind, s) => {
	if (!call(isWellFormed, s))
		warn(undefined, "the printed text has half of a character that was cut in two: it became U+FFFD");
	host.print(kind, s);
};

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
		json = to_json(v);
	} catch {}
	return json ?? String(v);
};

const log = (args) => {
	const parts = list();
	for (let i = 0; i < args.length; i++)
		call(push, parts, logged(args[i]));
	print(1, call(join, parts, " "));
};

const console = {
	log(...args) { log(args); },
	info(...args) { log(args); },
	warn(...args) { log(args); },
	error(...args) { log(args); },
	debug(...args) { log(args); },
};

// An error as one line: its name and message, and the fields that it has.
const error_text = (e, where) => {
	const fields = { __proto__: null };
	const own_names = keysOf(e);
	for (let i = 0; i < own_names.length; i++)
		fields[own_names[i]] = e[own_names[i]];
	for (const name in { __proto__: null, cause: 0, errors: 0 })
		if (getOwnPropertyDescriptor(e, name) !== undefined)
			fields[name] = e[name];
	const json = to_json(fields, where);
	return text_of(read(e, "name")) + ": " + text_of(read(e, "message")) + (json === "{}" ? "" : " " + json);
};

const shown_text = (value) => {
	if ((typeof value !== "object" && typeof value !== "function") || value === null || typeof value === "function")
		return String(value);
	return isError(value) ? error_text(value, "the text") : to_json(value, "the text") ?? String(value);
};

const text = (value) => {
	print(0, shown_text(value));
};
