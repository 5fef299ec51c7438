// SPDX-License-Identifier: MIT
//
// convert.js -- the one way from a value of the script to JSON.
//
// doc/guide/values.md is the table of what becomes what. The adapter writes
// plain values (host.plain); what it does not write comes here. Objects of
// built-in classes go by KINDS, whatever a script has made of their prototypes.
//
// A conversion `c` has `where`, which names the value in warnings (undefined:
// none are given); `notes`, the first change of each kind; `tool`, the tool
// whose arguments these are: then what cannot be kept is refused; `around`, the
// objects that are being written. `at` is the container of a value: {up, object,
// key, depth}, where key is the member that is being written.

const { ArrayBuffer, DataView, Uint8Array, BigInt: bigIntOf, Number: numberOf } = globalThis;
const { isRawJSON } = JSON;
const { keys: keysOf } = Object;
const { isWellFormed, toWellFormed } = String.prototype;
const { toISOString, valueOf: timeOf } = Date.prototype;
const { toBase64 } = Uint8Array.prototype;
const getter = (object, name) => getOwnPropertyDescriptor(object, name).get;

// class number of the engine -> how an object of that class is written
const KINDS = { __proto__: null };
const kind = (write, ...samples) => {
	for (const sample of samples)
		if (sample !== undefined)
			KINDS[host.kind(sample)] = write;
};
const ARRAY = host.kind([]), PROMISE = host.kind(Promise.resolve());

// ------------------------------------------------------------------- paths

const is_name = (key) => {
	let letters = key !== "";
	for (let i = 0; i < key.length; i++) {
		const c = key[i];
		letters &&= c === "_" || c === "$" || (c >= "a" && c <= "z") || (c >= "A" && c <= "Z") || (i > 0 && c >= "0" && c <= "9") || c >= "\u00aa";
	}
	return letters;
};
const step_of = (key) => typeof key === "number" ? "[" + key + "]" : is_name(key) ? "." + key : "[" + stringify(key) + "]";

const path_of = (at) => {
	let path = "";
	for (let a = at; a !== undefined; a = a.up)
		path = step_of(a.key) + path;
	return path;
};

// ----------------------------------------------------------------- changes

const NO_VALUE = "[a promise: await is missing]";

// change -> [what became of the value, what to do where it is an argument;
// undefined: nothing, the change is made there, too]
const CHANGES = {
	__proto__: null,
	promise: ["write await in front of the call, or await Promise.all(...) around many; it is shown as \"" + NO_VALUE + "\"", "await it"],
	number: ["JSON has no such number, so it became null", "JSON has no such number"],
	date: ["JSON has no such time, so it became null", "JSON has no such time"],
	cycle: ["it became a text that says so, as JSON has no such thing", "JSON has no such thing"],
	bytes: ["they became base64 text", "pass base64 text, as its toBase64() gives it, or Array.from(bytes), whichever the tool wants"],
	left_out: ["JSON has nothing like it, so it was left out"],
	nulled: ["JSON has nothing like it, so it became null", "JSON has nothing like it"],
	text: ["the half that is there became U+FFFD"],
};

const refuse = (at, does, advice) => {
	const path = path_of(at);
	const name = path === "" ? "the argument" : "`" + (path[0] === "." ? call(slice, path, 1) : path) + "`";
	throw fault("InvalidArguments", TypeError, name + " " + does + ": " + advice);
};

// `does` says what the value is or has.
const change = (c, at, what, does) => {
	const advice = CHANGES[what][1];
	if (c.tool !== undefined && advice !== undefined)
		refuse(at, does, advice);
	if (c.where === undefined || (c.only !== undefined && c.only !== what))
		return;
	c.notes ??= { __proto__: null };
	c.notes[what] ??= { __proto__: null, path: path_of(at), does, count: 0 };
	c.notes[what].count++;
};

const warn = (code, message) => {
	const frames = frames_of(new Error());
	host.warn(to_json({ __proto__: null, code, message, stack: frames === "" ? undefined : "Error\n" + frames }));
};

const tell_changes = (c) => {
	if (c.notes === undefined)
		return;
	for (const what in c.notes) {
		const { path, does, count } = c.notes[what];
		const whole = (path === "" ? "" : "$" + path + " of ") + c.where + " " + does + ": " + CHANGES[what][0];
		warn(what === "promise" ? "MissingAwait" : undefined,
			count > 1 && c.only === undefined ? whole + " (and " + (count - 1) + " more)" : whole);
	}
};

// ---------------------------------------------------------- single values

const text_json = (s, c, at) => {
	if (call(isWellFormed, s))
		return stringify(s);
	change(c, at, "text", "is cut inside a character");
	return stringify(call(toWellFormed, s));
};

const number_json = (n, c, at) => {
	if (n - n === 0)
		return String(n);
	change(c, at, "number", "is " + n);
	return "null";
};

// undefined: in an array it becomes null, elsewhere it is left out.
const nothing_json = (does, c, at) => {
	change(c, at, at === undefined || typeof at.key === "number" ? "nulled" : "left_out", does);
	return undefined;
};

const promise_json = (v, c, at) => {
	change(c, at, "promise", "is a promise");
	return stringify(NO_VALUE);
};

const date_json = (v, c, at) => {
	const time = call(timeOf, v);
	if (time === time)
		return stringify(call(toISOString, v));
	change(c, at, "date", "is an invalid Date");
	return "null";
};

const unboxed = (valueOf) => (v, c, at) => value_json(call(valueOf, v), c, at);

kind(promise_json, Promise.resolve());
kind(date_json, new Date(0));
kind((v) => stringify("/" + read(v, "source") + "/" + read(v, "flags")), /x/);
kind(unboxed(Number.prototype.valueOf), Object(1));
kind(unboxed(String.prototype.valueOf), Object(""));
kind(unboxed(Boolean.prototype.valueOf), Object(true));
kind(unboxed(BigInt.prototype.valueOf), Object(1n));
kind(unboxed(Symbol.prototype.valueOf), Object(Symbol.iterator));
kind((v, c, at) => nothing_json("is an iterator, which [...it] would list", c, at),
	[][Symbol.iterator](), new Map()[Symbol.iterator](), new Set()[Symbol.iterator](), ""[Symbol.iterator](),
	"".matchAll(/./g), [].values().map((x) => x), Iterator.from({ next() {} }), (function* () {})(), (async function* () {})());
// Undefined: the engine has no such class.
const made = (name, ...args) => globalThis[name] === undefined ? undefined : construct(globalThis[name], args);
kind((v, c, at) => nothing_json("is a weak collection or reference", c, at),
	new WeakMap(), new WeakSet(), made("WeakRef", {}));

// ------------------------------------------------------------------- bytes

const { isView } = ArrayBuffer;
const VIEW = host.kind(new DataView(new ArrayBuffer(0)));
const getters = (prototype) => [getter(prototype, "buffer"), getter(prototype, "byteOffset"), getter(prototype, "byteLength")];
const typed_getters = getters(getPrototypeOf(Uint8Array.prototype));
const view_getters = getters(DataView.prototype);
const typedLength = getter(getPrototypeOf(Uint8Array.prototype), "length");

const bytes_of = (v) => {
	if (!isView(v))
		return new Uint8Array(v);
	const get = host.kind(v) === VIEW ? view_getters : typed_getters;
	return new Uint8Array(call(get[0], v), call(get[1], v), call(get[2], v));
};

const numbers_json = (v, c, at) => {
	const numbers = isView(v) && host.kind(v) !== VIEW ? v : bytes_of(v);
	return elements_json(numbers, call(typedLength, numbers), c, { __proto__: null, up: at, object: v, key: 0 });
};

const bytes_json = (v, c, at) => {
	const wanted = c.tool === undefined ? undefined : wanted_bytes(c, at);
	if (wanted === "array")
		return numbers_json(v, c, at);
	if (wanted !== "string")
		change(c, at, "bytes", "holds bytes");
	return stringify(call(toBase64, bytes_of(v)));
};

kind(bytes_json, new Uint8Array(), new Uint8ClampedArray(), new Int8Array(), new Int16Array(), new Uint16Array(),
	new Int32Array(), new Uint32Array(), new BigInt64Array(), new BigUint64Array(), new Float16Array(),
	new Float32Array(), new Float64Array(), new DataView(new ArrayBuffer(0)), new ArrayBuffer(0), made("SharedArrayBuffer", 0));

// ------------------------------------------- what a tool wants in some place

const own = (object, name) => typeof object === "object" && object !== null
	? getOwnPropertyDescriptor(object, name)?.value : undefined;

const has_type = (schema, ...types) => {
	const type = own(schema, "type");
	for (let i = 0; i < types.length; i++)
		for (let j = 0; j < (isArray(type) ? type.length : 1); j++)
			if ((isArray(type) ? type[j] : type) === types[i])
				return true;
	return false;
};

// "string" or "array" (of numbers), where a schema takes one; otherwise
// undefined. `path` are the keys from the schema to the place: {first, rest}.
const wanted_in = (schema, root, path, fuel) => {
	if (fuel === 0)
		return undefined;
	if (path === undefined && has_type(own(schema, "items"), "integer", "number"))
		return "array";
	if (path === undefined && has_type(schema, "string"))
		return "string";
	const ref = own(schema, "$ref");
	let wanted;
	if (typeof ref === "string" && call(startsWith, ref, "#/")) {
		const names = split(ref, "/");
		let at = root;
		for (let i = 1; i < names.length; i++)
			at = own(at, names[i]);
		wanted = wanted_in(at, root, path, fuel - 1);
	}
	for (const name in { __proto__: null, anyOf: 0, oneOf: 0, allOf: 0 }) {
		const branches = own(schema, name);
		for (let i = 0; isArray(branches) && i < branches.length; i++)
			wanted ??= wanted_in(branches[i], root, path, fuel - 1);
	}
	if (path === undefined || wanted !== undefined)
		return wanted;
	const { first, rest } = path;
	const next = typeof first === "number"
		? own(own(schema, "prefixItems"), first) ?? own(schema, "items")
		: own(own(schema, "properties"), first) ?? own(schema, "additionalProperties");
	return wanted_in(next, root, rest, fuel - 1);
};

const wanted_bytes = (c, at) => {
	let path;
	for (let a = at; a !== undefined; a = a.up)
		path = { __proto__: null, first: a.key, rest: path };
	const schema = host.schema(c.tool);
	return wanted_in(schema, schema, path, 32);
};

// ----------------------------------------------------- arrays and objects

const elements_json = (v, length, c, at) => {
	let out = "[";
	for (let i = 0; i < length; i++) {
		at.key = i;
		out += (i > 0 ? "," : "") + (value_json(v[i], c, at) ?? "null");
	}
	return out + "]";
};

const members_json = (v, c, at) => {
	const keys = keysOf(v);
	let out = "{";
	for (let i = 0; i < keys.length; i++) {
		at.key = keys[i];
		const json = value_json(v[keys[i]], c, at);
		if (json !== undefined)
			out += (out === "{" ? "" : ",") + text_json(keys[i], c, at) + ":" + json;
	}
	return out + "}";
};

const error_json = (e, c, at) => {
	const fields = { __proto__: null, name: text_of(read(e, "name")), message: text_of(read(e, "message")) };
	const keys = keysOf(e);
	for (let i = 0; i < keys.length; i++)
		if (!(keys[i] in fields))
			fields[keys[i]] = e[keys[i]];
	for (const name in { __proto__: null, cause: 0, errors: 0 })
		if (!(name in fields) && getOwnPropertyDescriptor(e, name) !== undefined)
			fields[name] = e[name];
	delete fields.stack;
	return members_json(fields, c, at);
};

const map_json = (map, c, at) => {
	const keys = list(), values = list();
	let strings = true;
	call(mapForEach, map, (value, key) => {
		call(push, keys, key);
		call(push, values, value);
		strings &&= typeof key === "string";
	});
	if (!strings) {
		const entries = list();
		for (let i = 0; i < keys.length; i++)
			call(push, entries, [keys[i], values[i]]);
		return elements_json(entries, entries.length, c, at);
	}
	const members = { __proto__: null };
	for (let i = 0; i < keys.length; i++)
		members[keys[i]] = values[i];
	return members_json(members, c, at);
};

const set_json = (set, c, at) => {
	const values = list();
	call(setForEach, set, (value) => {
		call(push, values, value);
	});
	return elements_json(values, values.length, c, at);
};

const setHas = Set.prototype.has, setAdd = Set.prototype.add, setDelete = Set.prototype.delete;
const containers = (write) => (v, c, at) => {
	call(setAdd, c.around, v);
	const depth = at === undefined ? 1 : at.depth + 1;
	const json = write(v, c, { __proto__: null, up: at, object: v, key: undefined, depth });
	call(setDelete, c.around, v);
	return json;
};
kind(containers((v, c, at) => elements_json(v, v.length, c, at)), []);
kind(containers(map_json), new Map());
kind(containers(set_json), new Set());
kind(containers(error_json), new Error());
const object_json = containers(members_json);

// The prototypes of the built-ins, with their names. Their toJSON does not count,
// and whatever a script makes of their constructor, these are their names.
const BUILT_IN = new WeakMap();
call(weakSet, BUILT_IN, getPrototypeOf(Uint8Array).prototype, "TypedArray");
for (const name of ownKeys(globalThis)) {
	const prototype = getOwnPropertyDescriptor(globalThis, name).value?.prototype;
	if (Object(prototype) === prototype && getOwnPropertyDescriptor(prototype, "constructor")?.value !== undefined)
		call(weakSet, BUILT_IN, prototype, name);
}

const own_to_json = (v) => {
	for (let o = v; o !== null && call(weakGet, BUILT_IN, o) === undefined; o = getPrototypeOf(o))
		if (getOwnPropertyDescriptor(o, "toJSON") !== undefined)
			return v.toJSON;
	return undefined;
};

// ----------------------------------------------------------------- values

const exotic_json = (v, c, at) => {
	if (call(setHas, c.around, v)) {
		let a = at;
		while (a.object !== v)
			a = a.up;
		const from = "$" + path_of(a.up);
		change(c, at, "cycle", "refers back to " + from);
		return stringify("[circular: " + from + "]");
	}
	if (isRawJSON(v))
		return v.rawJSON;
	if (isArray(v))
		return KINDS[ARRAY](v, c, at);
	return (KINDS[host.kind(v)] ?? object_json)(v, c, at);
};

// Where a value is tried as a plain one: each try looks at all that is in it.
const try_plain = (at) => at === undefined || at.depth < 16 || at.depth % 64 === 0;

// The JSON of v, or undefined.
const value_json = (v, c, at) => {
	switch (typeof v) {
	case "string": return text_json(v, c, at);
	case "number": return number_json(v, c, at);
	case "bigint": return String(v);
	case "boolean": return v ? "true" : "false";
	case "undefined": return undefined;
	case "function":
	case "symbol": return nothing_json("is a " + typeof v, c, at);
	}
	if (v === null)
		return "null";
	const plain = try_plain(at) ? host.plain(v) : undefined;
	if (plain !== undefined)
		return plain;
	const f = own_to_json(v);
	if (typeof f !== "function")
		return exotic_json(v, c, at);
	const to = call(f, v, at === undefined ? "" : String(at.key));
	return typeof to === "object" && to !== null ? exotic_json(to, c, at) : value_json(to, c, at);
};

// The JSON of a value, or undefined. `where` names it in warnings; without it
// there are none. `only`: the one kind of change that is told, and once.
const to_json = (v, where, only) => {
	const plain = host.plain(v);
	if (plain !== undefined)
		return plain;
	const c = { __proto__: null, where, notes: undefined, around: new Set(), tool: undefined, only };
	const json = value_json(v, c, undefined);
	tell_changes(c);
	return json;
};

// The JSON of a tool's arguments. What JSON cannot keep is refused.
const argument_json = (v, tool) => {
	const c = { __proto__: null, where: "the arguments of " + (tool_at(new Error()) ?? "a tool") + "()", notes: undefined, around: new Set(), tool };
	const json = value_json(v, c, undefined);
	tell_changes(c);
	return json;
};

// --------------------------------------------------------------- numbers in

const rounding_tools = { __proto__: null }; // those that were told

const warn_rounded = (site, tool, path, digits) => {
	if (rounding_tools[tool])
		return;
	rounding_tools[tool] = true;
	host.warn(to_json({ __proto__: null, message: path + " of the result of " + (tool_at(site) ?? "a tool") + "() is " + digits + ", which became " + numberOf(digits)
		+ ", as a number holds no more digits: call it with the options { integers: \"exact\" } to get a BigInt", stack: stack_of(site) }));
};
