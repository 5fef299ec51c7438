// SPDX-License-Identifier: MIT
//
// environment.js -- what a script sees, and nothing of ours behind it.
//
// Evaluated once, at build time; the result is part of the baked image. `host`
// holds one function for each line of ops.def. Returned are the functions that
// the engine's adapter calls, in the order of env.def.
//
// Rules:
//  E1  Nothing here relies on what a script can replace: built-ins are taken
//      into constants first and frozen afterwards, and methods are called
//      through `call`.
//  E2  A value of the script is touched only inside try, and what comes out
//      is a string, number or boolean of our own.
//  E3  What a script can hold in its hands is frozen.
(host) => {
"use strict";

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
const arrayMap = Array.prototype.map;
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

// ------------------------------------------------------------------ errors

// The finer code of errors that we made ourselves (DESIGN §6).
const codes = new WeakMap();

const fault = (code, Class, message) => {
	const e = new Class(message);
	call(weakSet, codes, e, code);
	return e;
};

const text_of = (v) => {
	try {
		return String(v);
	} catch {
		return "[a value that cannot be described]";
	}
};

const read = (object, name) => {
	try {
		return object[name];
	} catch {
		return undefined;
	}
};

// A message is for reading: what is longer is told by its length.
const MESSAGE_MAX = 10000;
const shortened = (s) => s.length <= MESSAGE_MAX ? s : call(slice, s, 0, MESSAGE_MAX) + "… (" + (s.length - MESSAGE_MAX) + " more characters)";

const WRAPPER = "(async (tools, console) => {";
const STACK_MAX = 20000;

// Frames of this file go; columns on line 1 lose the wrapper around the script.
// A script may write any stack: what is longer than one of ours can be is cut.
const clean_stack = (stack) => {
	const lines = call(split, call(slice, stack, 0, STACK_MAX), "\n");
	const kept = [];
	for (let i = 0; i < lines.length; i++) {
		const line = lines[i];
		if (line === "" || call(indexOf, line, "(environment:") >= 0 || call(indexOf, line, " environment:") >= 0)
			continue;
		const at = call(indexOf, line, "codemode.js:1:");
		if (at < 0) {
			call(push, kept, line);
			continue;
		}
		const column = +call(replace, call(slice, line, at + 14), /[^0-9].*$/, "");
		const fixed = column > WRAPPER.length ? column - WRAPPER.length : column;
		call(push, kept, call(slice, line, 0, at + 14) + fixed + call(replace, call(slice, line, at + 14), /^[0-9]+/, ""));
	}
	return call(join, kept, "\n");
};

// Errors of failed calls -> an Error made where the call was. The engine gives
// them a stack where they are thrown, at an await; one that is never thrown (a
// call that is returned, or that nobody awaits) is placed at its call.
const sites = new WeakMap();
const called_at = (error, site) => {
	call(weakSet, sites, error, site);
};

const frames_of = (e) => {
	const raw = read(e, "stack");
	return typeof raw === "string" ? clean_stack(raw) : undefined;
};

const described_stack = (e, name, message) => {
	const own = frames_of(e);
	const site = own === undefined || own === "" ? call(weakGet, sites, e) : undefined;
	const frames = site === undefined ? own : frames_of(site);
	if (frames === undefined)
		return undefined;
	const head = message === "" ? name : name + ": " + message;
	return frames === "" ? head : head + "\n" + frames;
};

const described_members = (e, depth) => {
	const out = { __proto__: null };
	const code = call(weakGet, codes, e);
	if (code !== undefined)
		out.code = code;
	const tool = read(e, "tool");
	if (typeof tool === "string")
		out.tool = shortened(tool);
	const cause = read(e, "cause");
	if (cause !== undefined && depth < 4)
		out.cause = describe_value(cause, depth + 1);
	const errors = read(e, "errors");
	if (isArray(errors) && depth < 4) {
		out.errors = [];
		for (let i = 0; i < errors.length && i < 10; i++)
			call(push, out.errors, describe_value(errors[i], depth + 1));
	}
	return out;
};

// {name?, message, stack?, code?, tool?, cause?, errors?} of anything thrown.
const describe_value = (e, depth) => {
	let is = false;
	try {
		is = isError(e) || (typeof e === "object" && e !== null && e instanceof Error);
	} catch {}
	if (!is) {
		let message;
		if (typeof e === "object" && e !== null) {
			try {
				message = stringify(e);
			} catch {}
		}
		return { __proto__: null, message: shortened(message ?? text_of(e)) };
	}
	let name, message;
	try {
		name = shortened(String(e.name));
		message = shortened(String(e.message));
	} catch {
		return { __proto__: null, message: "The script threw a value that cannot be described" };
	}
	const members = described_members(e, depth);
	const out = { __proto__: null, name, message, stack: described_stack(e, name, message) };
	for (const k of ["code", "tool", "cause", "errors"])
		if (members[k] !== undefined)
			out[k] = members[k];
	return out;
};

const describe = (e) => {
	try {
		return stringify(describe_value(e, 0));
	} catch {
		return '{"message":"[an error that cannot be described]"}';
	}
};

// ------------------------------------------------------------- text, console

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

// ------------------------------------------------------------------- image

const IMAGE_USAGE = "image() takes a base64 data: URL, { image_url }, or an image block { type: \"image\", data, mimeType }";

// [mime type, first characters in base64, fewest bytes such a file can have]
const SIGNATURES = [
	["image/png", /^iVBORw0KGgo/, 45],
	["image/jpeg", /^\/9j\/[^9]/, 20],
	["image/gif", /^R0lGOD[dl]h/, 14],
	["image/webp", /^UklG.{8}RUJQ/, 20],
];

const image_block_data = (v) => {
	const type = read(v, "type");
	const source = read(v, "source");
	if (type !== "image")
		throw new TypeError(IMAGE_USAGE + "; its type is " + text_of(stringify(type)));
	if (typeof source === "object" && source !== null)
		return read(source, "data");
	return read(v, "data");
};

// The data: URL or base64 text that the argument stands for.
const image_text = (v) => {
	if (typeof v === "string")
		return v;
	if (typeof v !== "object" || v === null || isArray(v))
		throw new TypeError(IMAGE_USAGE);
	let url = read(v, "image_url");
	if (typeof url === "object" && url !== null)
		url = read(url, "url");
	if (typeof url === "string")
		return url;
	const data = image_block_data(v);
	if (typeof data !== "string" || data === "")
		throw new TypeError(IMAGE_USAGE + "; its data must be base64 text");
	return call(startsWith, data, "data:") ? data : "data:image/*;base64," + data;
};

const image_data = (url) => {
	if (url === "")
		throw new TypeError(IMAGE_USAGE + "; the URL is empty");
	const scheme = call(toLowerCase, call(slice, url, 0, call(indexOf, url, ":")));
	if (scheme === "http" || scheme === "https")
		throw new TypeError("image() does not fetch " + scheme + ": URLs; pass the image itself as a base64 data: URL");
	const comma = call(indexOf, url, ",");
	const header = call(toLowerCase, call(slice, url, 0, comma < 0 ? 0 : comma));
	if (scheme !== "data" || !call(test, /;\s*base64\s*(;|$)/, header))
		throw new TypeError("invalid image output: not a base64 data: URL");
	const data = call(replace, call(slice, url, comma + 1), /\s+/g, "");
	if (data.length % 4 !== 0 || !call(test, /^[A-Za-z0-9+/]+={0,2}$/, data))
		throw new TypeError("invalid image output: the data is not base64");
	return data;
};

const image = (value) => {
	const data = image_data(image_text(value));
	for (let i = 0; i < SIGNATURES.length; i++) {
		const [mime, pattern, least] = SIGNATURES[i];
		if (call(test, pattern, data) && data.length / 4 * 3 >= least) {
			host.print(2, data, mime);
			return;
		}
	}
	throw new TypeError("invalid image output: neither a PNG, JPEG, GIF nor WebP image");
};

// ------------------------------------------------------------- exit, store

const EXIT = freeze({ __proto__: null, exit: true });

const exit = () => {
	host.exit();
	throw EXIT;
};

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

// ------------------------------------------------------------------- tools

const THROUGH = ["then", "toJSON", "constructor", "hasOwnProperty", "isPrototypeOf", "propertyIsEnumerable",
	"toLocaleString", "toString", "valueOf", "__proto__", "__defineGetter__", "__defineSetter__",
	"__lookupGetter__", "__lookupSetter__"];
const passes = { __proto__: null };
for (let i = 0; i < THROUGH.length; i++)
	passes[THROUGH[i]] = true;

// A namespace: its members are made when they are first looked at. Behind the
// proxy the target is an ordinary object that is frozen as soon as a script
// could tell the difference.
const namespace = (space) => {
	const target = create(null);

	const member = (name) => {
		const found = host.member(space, name);
		if (found === undefined)
			return undefined;
		const value = typeof found === "number" ? namespace(found) : found;
		shown(target, name, value);
		return value;
	};
	const complete = () => {
		if (!isExtensible(target))
			return target;
		const names = host.names(space);
		for (let i = 0; i < names.length; i++)
			if (getOwnPropertyDescriptor(target, names[i]) === undefined)
				member(names[i]);
		freeze(target);
		return target;
	};
	return new Proxy(target, {
		__proto__: null,
		get(_, name) {
			const known = target[name];
			if (known !== undefined)
				return known;
			if (typeof name !== "string")
				return undefined;
			const value = name === "then" ? undefined : member(name);
			if (value !== undefined || passes[name] === true)
				return value;
			throw fault("UnknownTool", TypeError, host.unknown(space, name));
		},
		has(_, name) { return has(complete(), name); },
		ownKeys() { return ownKeys(complete()); },
		getOwnPropertyDescriptor(_, name) { return getOwnPropertyDescriptor(complete(), name); },
		isExtensible() { complete(); return false; },
		preventExtensions() { complete(); return true; },
		defineProperty() { return false; },
		deleteProperty(_, name) { return getOwnPropertyDescriptor(complete(), name) === undefined; },
		set() { return false; },
		setPrototypeOf(_, proto) { return proto === null; },
	});
};
let all_tools;
const list_tools = () => {
	if (all_tools === undefined) {
		all_tools = host.tools();
		for (let i = 0; i < all_tools.length; i++)
			freeze(all_tools[i]);
		freeze(all_tools);
	}
	return all_tools;
};

// ------------------------------------------------------------------- timers

const timers = new Map(); // id -> function
const mapGet = Map.prototype.get;
const mapSet = Map.prototype.set;
const mapDelete = Map.prototype.delete;
const resolved = Promise.resolve();

const later = (ms, f) => {
	const id = host.timer(ms);
	call(mapSet, timers, id, f);
	return id;
};

const clear = (id) => {
	if (call(mapDelete, timers, id))
		host.clear(id);
};

// What a callback throws is a rejection that nobody handles: a warning.
const fire = (id) => {
	const f = call(mapGet, timers, id);
	call(mapDelete, timers, id);
	if (f !== undefined)
		call(then, resolved, f);
	return f !== undefined;
};

const setTimeout = (callback, ms, ...args) => {
	if (typeof callback !== "function")
		throw new TypeError("setTimeout() takes a function; strings are not run");
	return later(+ms, () => callback(...args));
};

const clearTimeout = (id) => {
	if (typeof id === "number")
		clear(id);
};

// ------------------------------------------------------------------- aborts

const secret = freeze({});
const signals = new WeakMap(); // AbortSignal -> {aborted, reason, listeners}

const state_of = (signal) => {
	const state = typeof signal === "object" && signal !== null ? call(weakGet, signals, signal) : undefined;
	if (state === undefined)
		throw fault("InvalidArguments", TypeError, "signal must be an AbortSignal, such as new AbortController().signal");
	return state;
};

const abort_error = (name, message) => {
	const e = new Error(message);
	defineProperty(e, "name", { __proto__: null, value: name, writable: true, enumerable: false, configurable: true });
	return e;
};

const abort = (signal, reason) => {
	const state = state_of(signal);
	if (state.aborted)
		return;
	state.aborted = true;
	state.reason = reason === undefined ? abort_error("AbortError", "This operation was aborted") : reason;
	const listeners = state.listeners;
	state.listeners = [];
	for (let i = 0; i < listeners.length; i++) {
		const f = listeners[i];
		if (typeof f === "number")
			host.cancel(f, state.reason);
		else
			call(then, resolved, () => f({ type: "abort", target: signal }));
	}
	if (typeof state.onabort === "function")
		call(then, resolved, () => state.onabort({ type: "abort", target: signal }));
};

class AbortSignal {
	constructor(key) {
		if (key !== secret)
			throw new TypeError("AbortSignal comes from new AbortController().signal or AbortSignal.timeout(ms)");
		call(weakSet, signals, this, { aborted: false, reason: undefined, listeners: [], onabort: null });
	}
	get aborted() { return state_of(this).aborted; }
	get reason() { return state_of(this).reason; }
	get onabort() { return state_of(this).onabort; }
	set onabort(f) { state_of(this).onabort = f; }
	throwIfAborted() {
		const state = state_of(this);
		if (state.aborted)
			throw state.reason;
	}
	addEventListener(type, f) {
		const state = state_of(this);
		if (type === "abort" && typeof f === "function" && !state.aborted)
			call(push, state.listeners, f);
	}
	removeEventListener(type, f) {
		const state = state_of(this);
		const kept = [];
		for (let i = 0; i < state.listeners.length; i++)
			if (state.listeners[i] !== f)
				call(push, kept, state.listeners[i]);
		state.listeners = kept;
	}
	static abort(reason) {
		const signal = new AbortSignal(secret);
		abort(signal, reason);
		return signal;
	}
	static timeout(ms) {
		const signal = new AbortSignal(secret);
		later(+ms, () => abort(signal, abort_error("TimeoutError", "The operation timed out after " + ms + " ms")));
		return signal;
	}
	static any(list) {
		const signal = new AbortSignal(secret);
		for (let i = 0; i < list.length; i++) {
			const state = state_of(list[i]);
			if (state.aborted)
				abort(signal, state.reason);
			else
				call(push, state.listeners, () => abort(signal, state.reason));
		}
		return signal;
	}
}

class AbortController {
	#signal = new AbortSignal(secret);
	get signal() { return this.#signal; }
	abort(reason) { abort(this.#signal, reason); }
}

const check_signal = (signal) => {
	const state = state_of(signal);
	if (state.aborted)
		throw state.reason;
};

const watch_signal = (signal, id) => {
	call(push, state_of(signal).listeners, id);
};

// ----------------------------------------------------------------- codemode

const sleep = (ms, options) => new Promise((resolve, reject) => {
	const signal = options?.signal;
	if (signal !== undefined)
		check_signal(signal);
	const id = later(+ms, () => resolve());
	if (signal !== undefined)
		call(push, state_of(signal).listeners, () => {
			clear(id);
			reject(state_of(signal).reason);
		});
});

const each_of = (what, items) => {
	if (!isArray(items))
		throw new TypeError("codemode." + what + "() takes an array");
	const copy = [];
	for (let i = 0; i < items.length; i++)
		call(push, copy, items[i]);
	return copy;
};

// Calls that belong together are known to the host, which stops the losers of a
// race the moment one has won, and gives the answers of all in their order.
// Members that are no calls it does not know: then what is here must do.
const RACE = 0;
const ALL = 1;

// The first call to settle wins; the others are stopped. Members may be calls
// already made, or functions (signal) => promise.
const race = async (members) => {
	const list = each_of("race", members);
	const controller = new AbortController();
	const started = [];
	for (let i = 0; i < list.length; i++)
		call(push, started, typeof list[i] === "function" ? list[i](controller.signal) : list[i]);
	host.group(RACE, started, started.length);
	try {
		return await new Promise((resolve, reject) => {
			for (let i = 0; i < started.length; i++)
				call(then, promiseResolve(started[i]), resolve, reject);
		});
	} finally {
		const lost = abort_error("AbortError", "another call won the race");
		controller.abort(lost);
		for (let i = 0; i < started.length; i++) {
			const id = host.call(started[i]);
			if (id > 0)
				host.cancel(id, lost);
		}
	}
};

// fn for each item, at most `concurrency` at once; results in the items' order.
const map = async (items, fn, options) => {
	const list = each_of("map", items);
	const most = options?.concurrency ?? 8;
	if (typeof fn !== "function")
		throw new TypeError("codemode.map(items, fn, { concurrency }) takes a function");
	if (!(most >= 1))
		throw new RangeError("concurrency must be a number of at least 1");
	const results = [];
	let next = 0;
	const work = async () => {
		while (next < list.length) {
			const i = next++;
			results[i] = await fn(list[i], i);
		}
	};
	const workers = [];
	for (let i = 0; i < most && i < list.length; i++)
		call(push, workers, work());
	for (let i = 0; i < workers.length; i++)
		await workers[i];
	return results;
};

// Promise.all, where the answers arrive in the order of the calls.
const all = (members) => {
	const list = each_of("all", members);
	host.group(ALL, list, list.length);
	return promiseAll(list);
};

const codemode = freeze({ __proto__: null, sleep, race, all, map });

// ---------------------------------------------------------------- promises

// JSON knows no promises and would make {} of them, which reads like "no
// data". So a promise says in JSON what it is, and the first one is told.
const NO_VALUE = "[a promise: await is missing]";
let promise_told = false;

hidden(Promise.prototype, "toJSON", () => {
	if (!promise_told) {
		promise_told = true;
		host.warn(stringify({
			code: "MissingAwait",
			message: "a promise stands where what it gives was meant: write await in front of the call, or await Promise.all(...) around many; it is shown as \"" + NO_VALUE + "\"",
			stack: described_stack(new Error(), "Error", ""),
		}));
	}
	return NO_VALUE;
});

// ------------------------------------------------------------------ RegExp

// The engine counts the alternatives of a pattern with named groups in eight
// bits: over 255 of them, new RegExp says "too many named groups". Such a
// pattern is compiled with its names taken off, and they are put back onto
// each match: (?<n>…) is a numbered group, and \k<n> is its number, or one
// after the other where several alternatives have a group of that name (those
// that took no part match nothing).
const OldRegExp = RegExp;
const exec = RegExp.prototype.exec;
const mended = new WeakMap(); // RegExp -> its pattern as written
const construct = Reflect.construct;

// [pattern without names, {name: [numbers]}], or undefined.
const unname = (pattern) => {
	const names = { __proto__: null };
	const parts = [];
	let groups = 0, in_class = false;
	for (let i = 0; i < pattern.length; i++) {
		const c = pattern[i];
		if (c === "\\") {
			call(push, parts, c + (pattern[++i] ?? ""));
			continue;
		}
		if (c === "[" || c === "]")
			in_class = c === "[";
		if (c !== "(" || in_class || (pattern[i + 1] === "?" && (pattern[i + 2] !== "<" || pattern[i + 3] === "=" || pattern[i + 3] === "!"))) {
			call(push, parts, c);
			continue;
		}
		groups++;
		call(push, parts, "(");
		if (pattern[i + 1] !== "?")
			continue;
		const end = call(indexOf, pattern, ">", i);
		const name = call(slice, pattern, i + 3, end);
		call(push, (names[name] ??= []), groups);
		i = end;
	}
	const plain = call(replace, call(join, parts, ""), /(\\\\)|\\k<([^>]*)>/g, (all, escaped, name) =>
		escaped !== undefined ? all : names[name] === undefined ? all : "(?:" + call(join, call(arrayMap, names[name], (n) => "\\" + n), "") + ")");
	return [plain, names];
};

const groups_of = (match, names) => {
	const groups = { __proto__: null };
	for (const name of ownKeys(names)) {
		groups[name] = undefined;
		for (let i = 0; i < names[name].length; i++)
			groups[name] ??= match[names[name][i]];
	}
	return groups;
};

const mend = (pattern, flags, target) => {
	const [plain, names] = unname(pattern);
	const re = construct(OldRegExp, [plain, flags], target);
	hidden(re, "source", pattern);
	hidden(re, "exec", function (text) {
		const match = call(exec, this, text);
		if (match !== null)
			match.groups = groups_of(match, names);
		return match;
	});
	call(weakSet, mended, re, pattern);
	return re;
};

const make_regexp = (args, target) => {
	const written = call(weakGet, mended, args[0]);
	try {
		if (written === undefined)
			return construct(OldRegExp, args, target);
	} catch (e) {
		if (!isError(e) || read(e, "message") !== "too many named groups" || typeof args[0] !== "string")
			throw e;
	}
	return mend(written ?? args[0], args[1] ?? (written === undefined ? "" : args[0].flags), target);
};

const new_regexp = new Proxy(OldRegExp, {
	__proto__: null,
	construct(_, args, target) {
		return make_regexp(args, target === new_regexp ? OldRegExp : target);
	},
	apply(_, self, args) {
		if (args[1] === undefined && isRegExp(args[0]) && args[0].constructor === new_regexp)
			return args[0];
		return make_regexp(args, OldRegExp);
	},
});
const isRegExp = (v) => typeof v === "object" && v !== null && v[Symbol.match] !== undefined && v[Symbol.match] !== false;

defineProperty(globalThis, "RegExp", { __proto__: null, value: new_regexp, writable: true, enumerable: false, configurable: true });
defineProperty(RegExp.prototype, "constructor", { __proto__: null, value: new_regexp, writable: true, enumerable: false, configurable: true });

// ------------------------------------------------------------- performance

const performance = freeze({
	now() { return host.now(0); },
	get timeOrigin() { return host.now(1); },
	toJSON() { return { timeOrigin: host.now(1) }; },
});

// --------------------------------------------------------------- lock-down

// Frozen built-ins make `o.toString = …` fail on every object that inherits
// toString. For these names, and for all of Object.prototype, an accessor
// stands in, so that an assignment defines the property on the object itself.
const OVERRIDABLE = ["constructor", "name", "message", "toString", "toLocaleString", "valueOf", "toJSON"];

const overridable = (owner, key, was) => {
	const { value } = was;
	const get = () => value;
	const { set } = {
		set(to) {
			if (this === owner)
				throw new TypeError("Cannot assign to read only property '" + text_of(key) + "' of a built-in");
			if ((typeof this !== "object" && typeof this !== "function") || this === null)
				return;
			defineProperty(this, key, { __proto__: null, value: to, writable: true, enumerable: true, configurable: true });
		},
	};
	freeze(get);
	freeze(set);
	defineProperty(owner, key, { __proto__: null, get, set, enumerable: was.enumerable, configurable: false });
};

const lock = (object) => {
	const keys = ownKeys(object);
	for (let i = 0; i < keys.length; i++) {
		const key = keys[i];
		const was = getOwnPropertyDescriptor(object, key);
		if (was === undefined || !was.configurable || !("value" in was) || !was.writable)
			continue;
		let listed = object === Object.prototype;
		for (let j = 0; j < OVERRIDABLE.length; j++)
			listed ||= OVERRIDABLE[j] === key;
		if (listed)
			overridable(object, key, was);
	}
	freeze(object);
};

const reachable = (roots) => {
	const seen = new Set(roots);
	for (const object of seen) {
		const add = (v) => {
			if (((typeof v === "object" && v !== null) || typeof v === "function") && v !== tools && v !== globalThis)
				seen.add(v);
		};
		add(getPrototypeOf(object));
		for (const key of ownKeys(object)) {
			const d = getOwnPropertyDescriptor(object, key);
			add(d.value);
			add(d.get);
			add(d.set);
		}
	}
	return seen;
};

const unnamed = () => [
	function* () {}, async function () {}, async function* () {}, (function* () {})(), (async function* () {})(),
	[][Symbol.iterator](), new Map()[Symbol.iterator](), new Set()[Symbol.iterator](), ""[Symbol.iterator](),
	"".matchAll(/./g), [].values().map((x) => x), Iterator.from({ next() {} }), getPrototypeOf(Int8Array),
].map((v) => getPrototypeOf(v));

const tools = namespace(-1);

// The engine's stack hook would be handed call sites, and so functions of this
// file. Its accessor works even on a frozen Error, so another one stands there.
const no_stack_hook = () => {
	const { get, set } = getOwnPropertyDescriptor({ get prepareStackTrace() { return undefined; }, set prepareStackTrace(_) {} }, "prepareStackTrace");
	defineProperty(Error, "prepareStackTrace", { __proto__: null, get, set, enumerable: false, configurable: false });
};

const lock_down = () => {
	no_stack_hook();
	for (const [name, value] of [["tools", tools], ["console", console], ["text", text], ["image", image],
		["exit", exit], ["store", store], ["load", load], ["performance", performance], ["codemode", codemode],
		["setTimeout", setTimeout], ["clearTimeout", clearTimeout]])
		shown(globalThis, name, value);
	for (const Class of [AbortController, AbortSignal])
		defineProperty(globalThis, Class.name, { __proto__: null, value: Class, writable: true, enumerable: false, configurable: true });
	defineProperty(globalThis, "ALL_TOOLS", { __proto__: null, get: list_tools, enumerable: true, configurable: false });
	reachable([globalThis, ...unnamed()]).forEach((object) => {
		if (object !== globalThis)
			lock(object);
	});
	for (const key of ownKeys(globalThis)) {
		const d = getOwnPropertyDescriptor(globalThis, key);
		if (d.configurable && "value" in d)
			defineProperty(globalThis, key, { __proto__: null, writable: false, configurable: false });
	}
};

// --------------------------------------------------------------------- run

// What JSON would lose of a returned value without a word.
const vanished = (v) => {
	if (typeof v === "function" || typeof v === "symbol")
		return "the script returned a " + typeof v + ", which is not JSON: the value is undefined";
	if (typeof v === "number" && (v !== v || v === Infinity || v === -Infinity))
		return "the script returned " + v + ", which is not JSON: the value is null";
	return undefined;
};

const finish = (value) => {
	let json;
	try {
		const converted = exotic(value);
		json = converted === value ? stringify(value) : stringify(converted, readable);
	} catch (e) {
		host.fail(describe(e));
		return;
	}
	const warning = vanished(value);
	if (warning !== undefined)
		host.warn(stringify({ message: warning }));
	host.done(json);
};

const OUT_OF_MEMORY = '{"code":"MemoryLimit","name":"InternalError","message":"out of memory"}';

const fail = (e) => {
	if (e !== EXIT)
		host.fail(e === null && host.full() ? OUT_OF_MEMORY : describe(e));
};

const run = (main) => {
	call(then, main(tools, console), finish, fail);
};

// For errors that native code makes: fault_of("CallLimit", 1, message).
const CLASSES = [Error, TypeError, RangeError];
const fault_of = (code, which, message) => fault(code, CLASSES[which], message);

// A rejection that nobody handled, as a warning.
const warn_rejection = (reason) => {
	if (reason === EXIT)
		return;
	const d = describe_value(reason, 0);
	const said = d.name === undefined ? d.message : d.name + ": " + d.message;
	host.warn(stringify({ message: "a promise was rejected and nobody awaited it: " + said, stack: d.stack, tool: d.tool }));
};

// Calls that the end of the script stopped.
const warn_unawaited = (site, id) => {
	const stack = described_stack(site, "Error", "");
	const native = call(indexOf, stack, " (native)");
	const name = native < 0 ? "a tool" : call(slice, stack, call(indexOf, stack, "    at ") + 7, native);
	host.warn(stringify({ message: "the script ended before its call of " + name + "() did, so the call was stopped: forgot `await`?", stack, call: id }));
};

lock_down();

return [run, describe, fault_of, called_at, check_signal, watch_signal, fire, warn_unawaited, warn_rejection];
}
