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
const shortened = (s) => s.length <= MESSAGE_MAX ? s : call(slice, s, 0, MESSAGE_MAX) + "… (" + (s.length - MESSAGE_MAX) + " more characters)";

const STACK_MAX = 20000;

// Frames of the environment go. An instruction without a position has that of
// its function, and the script's function stands on line 0. A script may write
// any stack: what is longer than one of the engine's can be is cut.
const clean_stack = (stack) => {
	const lines = call(split, call(slice, stack, 0, STACK_MAX), "\n");
	const kept = [];
	for (let i = 0; i < lines.length; i++)
		if (lines[i] !== "" && call(indexOf, lines[i], "(environment:") < 0 && call(indexOf, lines[i], " environment:") < 0)
			call(push, kept, lines[i]);
	return call(replace, call(join, kept, "\n"), /\(codemode\.js:0:[0-9]+\)/, "(codemode.js:1:1)");
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
	const site = call(weakGet, sites, e);
	if (typeof tool === "string") {
		out.tool = shortened(tool);
	} else if (site !== undefined) { // aborted: not the tool's own failure
		out.code ??= "ScriptError";
		out.tool = tool_at(site);
	}
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
