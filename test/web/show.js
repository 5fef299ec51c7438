// SPDX-License-Identifier: MIT
//
// show.js -- what a value is, as text: the same in Node and in a script. The
// body of a function (value) => text.

const inside = [];
const members = (v) => Object.keys(v).map((k) => k + ": " + show(v[k])).join(", ");
const show = (v) => {
	if (typeof v === "string")
		return JSON.stringify(v);
	if (typeof v === "bigint")
		return v + "n";
	if (Object.is(v, -0))
		return "-0";
	if ((typeof v !== "object" && typeof v !== "function") || v === null)
		return String(v);
	if (inside.includes(v))
		return "^" + (inside.length - inside.indexOf(v));
	inside.push(v);
	try {
		return shown_object(v);
	} finally {
		inside.pop();
	}
};
const shown_object = (v) => {
	const name = Object.getPrototypeOf(v)?.constructor?.name;
	if (typeof v === "function")
		return "function " + v.name;
	if (Array.isArray(v))
		return "[" + Array.from(v, (x, i) => i in v ? show(x) : "hole").join(", ") + "]";
	if (v instanceof Error)
		return name + "(" + show(v.message) + (Object.hasOwn(v, "cause") ? ", cause " + show(v.cause) : "") + ")";
	if (v instanceof Map)
		return "Map{" + [...v].map(([k, x]) => show(k) + " => " + show(x)).join(", ") + "}";
	if (v instanceof Set)
		return "Set{" + [...v].map(show).join(", ") + "}";
	if (v instanceof Date || v instanceof RegExp || v instanceof URL || v instanceof URLSearchParams)
		return name + "(" + (v instanceof Date ? v.getTime() : String(v)) + ")";
	if (v instanceof ArrayBuffer)
		return "ArrayBuffer(" + [...new Uint8Array(v)] + ")";
	if (ArrayBuffer.isView(v))
		return name + "(" + (v instanceof DataView ? [...new Uint8Array(v.buffer, v.byteOffset, v.byteLength)] : [...v]) + ")";
	if (["Number", "String", "Boolean", "BigInt"].includes(name))
		return name + "(" + show(v.valueOf()) + ")";
	return (name === "Object" ? "" : name) + "{" + members(v) + "}";
};
return show(value);
