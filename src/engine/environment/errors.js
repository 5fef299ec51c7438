// SPDX-License-Identifier: MIT
//
// errors.js -- describing what a script threw: name, message, stack, cause.

// The codes of errors that the environment or the run made, such as
// "UnknownTool" and "CallTimeout".
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
// At most so many units, not cut inside a character.
const head_of = (s, most) => {
	const head = call(slice, s, 0, most);
	return head.length < s.length && match(/[\ud800-\udbff]$/, head) ? call(slice, head, 0, most - 1) : head;
};
const shortened = (s) => s.length <= MESSAGE_MAX ? s : head_of(s, MESSAGE_MAX) + "… (" + (s.length - MESSAGE_MAX) + " more characters)";

const STACK_MAX = 20000;

// Frames of the environment go. An instruction without a position has that of
// its function, and the script's function stands on line 0. A script may write
// any stack: what is longer than one of the engine's can be is cut.
const clean_stack = (stack) => {
	const lines = split(head_of(stack, STACK_MAX), "\n");
	const kept = list();
	for (let i = 0; i < lines.length; i++)
		if (lines[i] !== "" && call(indexOf, lines[i], "(environment:") < 0 && call(indexOf, lines[i], " environment:") < 0)
			call(push, kept, lines[i]);
	// The environment's own apply, below a function of the script that it calls.
	if (kept.length > 1 && kept[kept.length - 1] === "    at apply (native)")
		kept.length--;
	return replaced(call(join, kept, "\n"), /\(codemode\.js:0:[0-9]+\)/g, () => "(codemode.js:1:1)");
};

// Errors of failed calls -> an Error made where the call was. The engine gives
// them a stack where they are thrown, at an await; one that is never thrown (a
// call that is returned, or is not awaited) has the place of its call.
const sites = new WeakMap();
const called_at = (error, site, code) => {
	if (typeof error !== "object" || error === null)
		return;
	call(weakSet, sites, error, site);
	if (code !== undefined)
		call(weakSet, codes, error, code);
};
// The name of the tool that was called there.
const tool_at = (site) => {
	const stack = frames_of(site) ?? "";
	const native = call(indexOf, stack, " (native)");
	return native < 0 ? undefined : call(slice, stack, call(indexOf, stack, "    at ") + 7, native);
};

// The engine's own accessor, if it has one, unless the object has a stack of its
// own.
const engineStack = getOwnPropertyDescriptor(Error.prototype, "stack")?.get;
const frames_of = (e) => {
	let raw;
	try {
		raw = getOwnPropertyDescriptor(e, "stack") === undefined ? call(engineStack, e) : e.stack;
	} catch {}
	return typeof raw === "string" ? clean_stack(raw) : undefined;
};

// A class of the script that extends Error has a frame of its constructor on
// top: the place is where that was called.
const without_constructor = (e, frames) => {
	const name = read(read(e, "constructor") ?? undefined, "name");
	const top = "    at " + name + " (codemode.js:";
	const end = call(indexOf, frames, "\n");
	return typeof name === "string" && end > 0 && call(startsWith, frames, top) ? call(slice, frames, end + 1) : frames;
};

const described_stack = (e, name, message) => {
	const raw = frames_of(e);
	const own = raw === undefined ? raw : without_constructor(e, raw);
	const site = own === undefined || own === "" ? call(weakGet, sites, e) : undefined;
	const frames = site === undefined ? own : frames_of(site);
	if (frames === undefined)
		return undefined;
	const head = message === "" ? name : name + ": " + message;
	return frames === "" ? head : head + "\n" + frames;
};

// The members of a thrown object that are not told otherwise.
const FIELDS_MAX = 50;
const TOLD = ["name", "message", "stack", "cause", "errors", "tool"];

const own_fields = (e, told) => {
	const fields = { __proto__: null };
	const keys = ownKeys(e);
	let count = 0, size = 0;
	for (let i = 0; i < keys.length && count < FIELDS_MAX; i++) {
		const key = keys[i];
		let skip = typeof key !== "string" || getOwnPropertyDescriptor(e, key)?.enumerable !== true;
		for (let j = 0; j < told.length; j++)
			skip ||= key === told[j];
		if (skip)
			continue;
		let value, json;
		try {
			value = e[key];
			json = to_json(value);
		} catch (why) {
			value = json = "[" + text_of(read(why, "message")) + "]";
		}
		if (json === undefined)
			continue;
		count++;
		size += json.length;
		fields[key] = size <= STACK_MAX ? value : "[" + json.length + " characters left out]";
	}
	return count > 0 ? fields : undefined;
};

const ERRORS_MAX = 10;

const described_members = (e, depth) => {
	const out = { __proto__: null };
	const code = call(weakGet, codes, e);
	if (code !== undefined)
		out.code = code;
	const tool = read(e, "tool");
	const site = call(weakGet, sites, e);
	if (typeof tool === "string") {
		out.code ??= "ToolError";
		out.tool = shortened(tool);
	} else if (site !== undefined && code === undefined) { // aborted, or no memory: not the tool's own failure
		out.code = read(e, "message") === "out of memory" ? "MemoryLimit" : "ScriptError";
		out.tool = tool_at(site);
	}
	out.fields = own_fields(e, TOLD);
	const cause = read(e, "cause");
	if (cause !== undefined)
		out.cause = depth < 4 ? describe_value(cause, depth + 1) : { __proto__: null, message: "(further causes are left out)" };
	const errors = read(e, "errors");
	if (isArray(errors) && depth < 4) {
		out.errors = list();
		for (let i = 0; i < errors.length && i < ERRORS_MAX; i++)
			call(push, out.errors, describe_value(errors[i], depth + 1));
		if (errors.length > ERRORS_MAX)
			call(push, out.errors, { __proto__: null, message: "(" + (errors.length - ERRORS_MAX) + " more errors)" });
	}
	return out;
};

const is_error = (e) => {
	try {
		return isError(e) || (typeof e === "object" && e !== null && e instanceof Error);
	} catch {
		return false;
	}
};

// What was thrown and is no Error.
const described_value = (e) => {
	const out = { __proto__: null, message: undefined };
	if (typeof e === "object" && e !== null) {
		const told = list();
		for (const key in { __proto__: null, name: 0, message: 0 }) {
			const text = read(e, key);
			if (typeof text !== "string")
				continue;
			out[key] = shortened(text);
			call(push, told, key);
		}
		if (!isArray(e))
			out.fields = own_fields(e, told);
		try {
			out.message ??= shortened(to_json(e));
		} catch {}
	}
	out.message ??= shortened(text_of(e));
	return out;
};

// In place of a message, which that of Promise.any does not have.
const errors_told = (errors) => isArray(errors) && errors.length > 0
	? errors.length + (errors.length === 1 ? " error" : " errors") : "";

// {name?, message, stack?, code?, tool?, fields?, cause?, errors?} of anything
// thrown.
const describe_value = (e, depth) => {
	try {
		if (!is_error(e))
			return described_value(e);
		const name = shortened(String(e.name));
		const message = shortened(String(e.message)) || (name === "AggregateError" ? errors_told(read(e, "errors")) : "");
		const members = described_members(e, depth);
		const out = { __proto__: null, name, message, stack: described_stack(e, name, message) };
		for (const k in members)
			if (members[k] !== undefined)
				out[k] = members[k];
		return out;
	} catch {
		return { __proto__: null, message: "The script threw a value that cannot be described" };
	}
};

// Of what changes on the way, only cut characters are told: they are of the text
// that the reader sees.
const describe = (e) => {
	try {
		return to_json(describe_value(e, 0), "the error", "text");
	} catch {
		return '{"message":"[an error that cannot be described]"}';
	}
};
