// SPDX-License-Identifier: MIT
//
// clone.js -- structuredClone: as the HTML standard has it, and with the stack
// and the cause of errors, as V8 does.

import { kind } from "codemode:host";

const { defineProperty, hasOwn, keys } = Object;

const refuse = (v) => {
	const what = typeof v === "object" ? "#<" + (v.constructor?.name || "Object") + ">" : String(v);
	throw new DOMException(what + " could not be cloned.", "DataCloneError");
};

const put = (object, key, value, enumerable = true) =>
	defineProperty(object, key, { __proto__: null, value, writable: true, enumerable, configurable: true });

// The clone of each object is in `seen` before its members are cloned.
const clone = (v, seen) => {
	if ((typeof v !== "object" || v === null) && typeof v !== "function" && typeof v !== "symbol")
		return v;
	if (seen.has(v))
		return seen.get(v);
	const copy = typeof v === "object" ? COPIES[kind(v)] : undefined;
	return copy === undefined ? refuse(v) : copy(v, seen);
};

const started = (from, to, seen) => {
	seen.set(from, to);
	return to;
};

const copy_members = (from, to, seen) => {
	for (const key of keys(from))
		if (hasOwn(from, key))
			put(to, key, clone(from[key], seen));
	return to;
};
const copy_object = (from, seen) => copy_members(from, started(from, {}, seen), seen);
const copy_array = (from, seen) => copy_members(from, started(from, new Array(from.length), seen), seen);

const copy_map = (from, seen) => {
	const to = started(from, new Map(), seen);
	for (const [key, value] of [...Map.prototype.entries.call(from)])
		to.set(clone(key, seen), clone(value, seen));
	return to;
};
const copy_set = (from, seen) => {
	const to = started(from, new Set(), seen);
	for (const value of [...Set.prototype.values.call(from)])
		to.add(clone(value, seen));
	return to;
};

const ERRORS = { __proto__: null, EvalError, RangeError, ReferenceError, SyntaxError, TypeError, URIError };
const copy_error = (from, seen) => {
	const to = started(from, new (ERRORS[from.name] ?? Error)(), seen);
	for (const name of ["message", "stack", "cause"])
		if (hasOwn(from, name))
			put(to, name, name === "cause" ? clone(from[name], seen) : String(from[name]), false);
	return to;
};
const copy_exception = (from, seen) => started(from, new DOMException(from.message, from.name), seen);

const copy_buffer = (from, seen) => {
	const to = from.resizable ? new ArrayBuffer(from.byteLength, { maxByteLength: from.maxByteLength })
		: new ArrayBuffer(from.byteLength);
	new Uint8Array(to).set(new Uint8Array(from));
	return started(from, to, seen);
};
const copy_view = (Class) => (from, seen) =>
	started(from, new Class(clone(from.buffer, seen), from.byteOffset, from.length ?? from.byteLength), seen);

const copy_boxed = (from, seen) => started(from, Object(from.valueOf()), seen);
const copy_date = (from, seen) => started(from, new Date(from.getTime()), seen);
const copy_regexp = (from, seen) => started(from, new RegExp(from.source, from.flags), seen);

// class number of the engine -> how an object of that class is copied
const COPIES = { __proto__: null };
const by = (copy, ...samples) => {
	for (const sample of samples)
		COPIES[kind(sample)] = copy;
};
by(copy_object, {});
by(copy_array, []);
by(copy_map, new Map());
by(copy_set, new Set());
by(copy_error, new Error());
by(copy_exception, new DOMException());
by(copy_buffer, new ArrayBuffer());
by(copy_boxed, Object(1), Object(""), Object(true), Object(1n));
by(copy_date, new Date(0));
by(copy_regexp, /x/);
by(copy_view(DataView), new DataView(new ArrayBuffer()));
for (const Class of [Int8Array, Uint8Array, Uint8ClampedArray, Int16Array, Uint16Array, Int32Array, Uint32Array,
	BigInt64Array, BigUint64Array, Float16Array, Float32Array, Float64Array])
	by(copy_view(Class), new Class());

// What is transferred is copied, too, and the original is emptied at the end.
const seen_transfers = (transfer) => {
	const seen = new Map();
	for (const buffer of transfer) {
		if (!(buffer instanceof ArrayBuffer) || buffer.detached || seen.has(buffer))
			throw new DOMException("Value not transferable", "DataCloneError");
		copy_buffer(buffer, seen);
	}
	return seen;
};

export const structuredClone = { structuredClone(value, options) {
	const transfer = [...options?.transfer ?? []];
	const copy = clone(value, seen_transfers(transfer));
	for (const buffer of transfer)
		buffer.transfer();
	return copy;
} }.structuredClone;
