// SPDX-License-Identifier: MIT
//
// inspect.js -- values as text for people, as Node 22 shows them, to depth 4.
//
// `c` is one inspection: {depth, indent, around, level, circular}. `around` is
// the chain of objects around a value, {up, object}; `level` is the depth of
// the object that was shown last; `circular` lists the objects that are shown
// inside of themselves, as <ref *1>, <ref *2> and so on.

const { floor, max, min, round, sqrt } = globalThis.Math;
const { charCodeAt, padStart, padEnd, repeat, toUpperCase } = String.prototype;
const { toString: numberText } = numberOf.prototype;
const { propertyIsEnumerable } = Object.prototype;
const { toString: functionText } = Function.prototype;
const { toString: symbolText } = Symbol.prototype;
const mapSize = getter(Map.prototype, "size"), setSize = getter(Set.prototype, "size");
const { toStringTag } = Symbol;

const LINE = 80;        // columns
const ELEMENTS = 100;   // of an array, a set or a map
const STRING = 10000;   // characters
const TOGETHER = 3;     // levels that may share a line

// ------------------------------------------------------------------ strings

const ESCAPES = { __proto__: null, "\n": "\\n", "\t": "\\t", "\r": "\\r", "\b": "\\b", "\f": "\\f", "\v": "\\v", "\\": "\\\\" };

const quoted_string = (s) => {
	const has_quote = (q) => call(indexOf, s, q) >= 0;
	const quote = !has_quote("'") ? "'" : !has_quote('"') ? '"' : has_quote("`") || has_quote("${") ? "'" : "`";
	let out = quote;
	for (let i = 0; i < s.length; i++) {
		const c = s[i];
		const code = call(charCodeAt, c, 0);
		const hex = call(numberText, code, 16);
		if (ESCAPES[c] !== undefined)
			out += ESCAPES[c];
		else if (c === quote)
			out += "\\" + c;
		else if (code < 32 || (code > 126 && code < 160))
			out += "\\x" + call(padStart, call(toUpperCase, hex), 2, "0");
		else if (code >= 0xd800 && code <= 0xdfff && !call(isWellFormed, call(slice, s, code < 0xdc00 ? i : i - 1, code < 0xdc00 ? i + 2 : i + 1)))
			out += "\\u" + hex;
		else
			out += c;
	}
	return out + quote;
};

const shown_string = (s, c) => {
	const rest = s.length - STRING;
	const more = rest > 0 ? "... " + rest + " more character" + (rest > 1 ? "s" : "") : "";
	const whole = rest > 0 ? call(slice, s, 0, STRING) : s;
	if (c.around === undefined || whole.length <= 16 || whole.length <= LINE - c.indent - 10)
		return quoted_string(whole) + more;
	const lines = split(whole, "\n"), shown_lines = list();
	for (let i = 0; i < lines.length; i++)
		if (i + 1 < lines.length || lines[i] !== "")
			call(push, shown_lines, quoted_string(i + 1 < lines.length ? lines[i] + "\n" : lines[i]));
	return call(join, shown_lines, " +\n" + call(repeat, " ", c.indent + 2)) + more;
};

const shown_number = (n) => n === 0 && 1 / n < 0 ? "-0" : String(n);

const shown_primitive = (v, c) => {
	switch (typeof v) {
	case "string": return shown_string(v, c);
	case "number": return shown_number(v);
	case "bigint": return v + "n";
	case "symbol": return call(symbolText, v);
	default: return String(v);
	}
};

// ------------------------------------------------------------------- layout

const fits = (c, parts, used, base) => {
	let length = parts.length + used;
	if (length + parts.length > LINE)
		return false;
	for (let i = 0; i < parts.length; i++)
		length += parts[i].length;
	return length <= LINE && call(indexOf, base, "\n") < 0;
};

// Elements of a long array, in columns.
const in_columns = (c, parts, v, more) => {
	const count = parts.length - (more ? 1 : 0);
	let total = 0, widest = 0, numbers = true;
	for (let i = 0; i < count; i++) {
		total += parts[i].length + 2;
		widest = max(widest, parts[i].length);
	}
	for (let i = 0; v !== undefined && i < parts.length; i++)
		numbers &&= typeof v[i] === "number" || typeof v[i] === "bigint";
	const wide = widest + 2;
	if (wide * 3 + c.indent >= LINE || (total / wide <= 5 && widest > 6))
		return parts;
	const biased = max(widest - 1 - sqrt(wide - total / parts.length), 1);
	const columns = min(round(sqrt(2.5 * biased * count) / biased), floor((LINE - c.indent) / wide), TOGETHER * 4, 15);
	if (columns <= 1)
		return parts;
	const widths = list(), lines = list();
	for (let i = 0; i < columns; i++) {
		let width = 0;
		for (let j = i; j < count; j += columns)
			width = max(width, parts[j].length);
		call(push, widths, width + 2);
	}
	for (let i = 0; i < count; i += columns) {
		const last = min(i + columns, count) - 1;
		let line = "";
		for (let j = i; j < last; j++)
			line += call(numbers ? padStart : padEnd, parts[j] + ", ", widths[j - i]);
		call(push, lines, line + (numbers ? call(padStart, parts[last], widths[last - i] - 2) : parts[last]));
	}
	if (more)
		call(push, lines, parts[count]);
	return lines;
};

const laid_out = (c, parts, base, open, close, is_array, level, v, more) => {
	const entries = parts.length;
	const lines = is_array && entries > 6 ? in_columns(c, parts, v, more) : parts;
	const front = (base === "" ? "" : base + " ") + open;
	if (c.level - level < TOGETHER && entries === lines.length &&
		fits(c, lines, lines.length + c.indent + open.length + base.length + 10, base)) {
		const joined = call(join, lines, ", ");
		if (call(indexOf, joined, "\n") < 0)
			return front + " " + joined + " " + close;
	}
	const line = "\n" + call(repeat, " ", c.indent);
	return front + line + "  " + call(join, lines, "," + line + "  ") + line + close;
};

// ------------------------------------------------------------------- names

const value_of = (object, name) => getOwnPropertyDescriptor(object, name)?.value;

const is_before = (v, prototype) => {
	for (let o = getPrototypeOf(v); o !== null; o = getPrototypeOf(o))
		if (o === prototype)
			return true;
	return v === prototype;
};

// The name of the class: that of the nearest constructor, or undefined.
const class_name = (v) => {
	for (let o = v; o !== null; o = getPrototypeOf(o)) {
		const built_in = call(weakGet, BUILT_IN, o);
		if (built_in !== undefined)
			return built_in;
		const made = value_of(o, "constructor");
		const name = typeof made === "function" ? value_of(made, "name") : undefined;
		if (typeof name === "string" && name !== "" && is_before(v, value_of(made, "prototype")))
			return name;
	}
	return undefined;
};

const prefix_of = (v, fallback, size) => {
	const name = class_name(v);
	const tag = getOwnPropertyDescriptor(v, toStringTag) === undefined ? read(v, toStringTag) : "";
	const counted = (name ?? "[" + fallback + (size ?? "") + ": null prototype]") + (name === undefined ? "" : size ?? "");
	return counted + (typeof tag === "string" && tag !== "" && tag !== (name ?? fallback) ? " [" + tag + "]" : "") + " ";
};

const function_base = (f) => {
	const source = call(functionText, f);
	const own_name = value_of(f, "name");
	const name = typeof own_name === "string" && own_name !== "" ? own_name : undefined;
	if (call(startsWith, source, "class") && call(indexOf, source, "{") > 0) {
		const parent = getPrototypeOf(f);
		const extended = typeof parent === "function" ? value_of(parent, "name") : undefined;
		return "[class " + (name ?? "(anonymous)") + (extended ? " extends " + extended : parent === null ? " extends null" : "") + "]";
	}
	const kind_name = value_of(getPrototypeOf(f) ?? f, toStringTag);
	return "[" + (typeof kind_name === "string" ? kind_name : "Function") + (name === undefined ? " (anonymous)" : ": " + name) + "]";
};

// ----------------------------------------------------------------- members

const shown_key = (key) => typeof key === "symbol" ? "[" + call(symbolText, key) + "]" : is_plain_name(key) ? key : quoted_string(key);
const is_plain_name = (key) => {
	let plain = key !== "";
	for (let i = 0; i < key.length; i++) {
		const k = key[i];
		plain &&= k === "_" || (k >= "a" && k <= "z") || (k >= "A" && k <= "Z") || (i > 0 && k >= "0" && k <= "9");
	}
	return plain;
};

const inside = (c, v, indent) => {
	c.indent += indent;
	const shown_value = inspected(v, c);
	c.indent -= indent;
	return shown_value;
};

const shown_member = (v, key, c) => {
	const d = getOwnPropertyDescriptor(v, key);
	if (d === undefined || has(d, "value"))
		return inside(c, d === undefined ? v[key] : d.value, 2);
	return d.get === undefined ? "[Setter]" : d.set === undefined ? "[Getter]" : "[Getter/Setter]";
};

const is_index = (key, length) => typeof key === "string" && String(key >>> 0) === key && key >>> 0 < length;

// The members behind the elements below `length`.
const add_members = (parts, v, c, length, except) => {
	const keys = ownKeys(v);
	for (let i = 0; i < keys.length; i++)
		if (!is_index(keys[i], length) && keys[i] !== except && call(propertyIsEnumerable, v, keys[i]))
			call(push, parts, shown_key(keys[i]) + ": " + shown_member(v, keys[i], c));
	return parts;
};

const add_more = (parts, rest, word) => {
	if (rest > 0)
		call(push, parts, "... " + rest + " more " + word + (rest > 1 ? "s" : ""));
};

const elements = (v, length, c) => {
	const parts = list();
	let i = 0;
	while (i < length && parts.length < ELEMENTS) {
		let empty = 0;
		while (i + empty < length && getOwnPropertyDescriptor(v, String(i + empty)) === undefined)
			empty++;
		call(push, parts, empty > 0 ? "<" + empty + " empty item" + (empty > 1 ? "s>" : ">") : shown_member(v, String(i), c));
		i += empty > 0 ? empty : 1;
	}
	add_more(parts, length - i, "item");
	return parts;
};

// ------------------------------------------------------- objects by class

// class number -> (v, c) => {parts, base, open, close, array, length, more, whole: all parts are there}
const SHOWN = { __proto__: null };
const shows = (how) => (...samples) => {
	for (const sample of samples)
		SHOWN[host.kind(sample)] = how;
};
// Objects that are a word, at any depth.
const LEAF = { __proto__: null };
const leaves = (...samples) => {
	for (const sample of samples)
		LEAF[host.kind(sample)] = true;
};
leaves(new globalThis.Date(0), /x/, new Error(), Object(1), Object(""), Object(true), Object(1n), Object(Symbol.iterator));
const one_word = (word, name) => (v) => {
	const prefix = name === undefined ? "" : prefix_of(v, name);
	return { __proto__: null, base: (prefix === name + " " ? "" : prefix) + word(v), open: "{", parts: list() };
};

const sized = (parts, v, name, size) => ({ __proto__: null, parts, open: prefix_of(v, name, "(" + size + ")") + "{" });

shows((v, c) => {
	const prefix = prefix_of(v, "Array", "(" + v.length + ")");
	return { __proto__: null, open: call(startsWith, prefix, "Array(") && call(indexOf, prefix, " [") < 0 ? "[" : prefix + "[", close: "]",
		parts: elements(v, v.length, c), array: true, length: v.length, more: v.length > ELEMENTS };
})([]);
const strict_arguments = { of() { return arguments; } }.of();
// Of sloppy code; an engine may make none from text.
const sloppy_arguments = () => {
	try {
		return globalThis.Function("return arguments")();
	} catch {
		return strict_arguments;
	}
};
shows(() => ({ __proto__: null, open: "[Arguments] {", parts: list() }))(strict_arguments, sloppy_arguments());
shows((v, c) => {
	const length = call(typedLength, v);
	return { __proto__: null, open: prefix_of(v, "TypedArray", "(" + length + ")") + "[", close: "]", parts: elements(v, length, c),
		array: true, length, more: length > ELEMENTS };
})(new Uint8Array(), new globalThis.Uint8ClampedArray(), new globalThis.Int8Array(), new globalThis.Int16Array(), new globalThis.Uint16Array(),
	new globalThis.Int32Array(), new globalThis.Uint32Array(), new globalThis.BigInt64Array(), new globalThis.BigUint64Array(),
	new globalThis.Float16Array(), new globalThis.Float32Array(), new globalThis.Float64Array());
shows((v, c) => {
	const parts = list();
	const size = call(mapSize, v);
	call(mapForEach, v, (value, key) => {
		if (parts.length < ELEMENTS)
			call(push, parts, inside(c, key, 2) + " => " + inside(c, value, 2));
	});
	add_more(parts, size - ELEMENTS, "item");
	return sized(parts, v, "Map", size);
})(new Map());
shows((v, c) => {
	const parts = list();
	const size = call(setSize, v);
	call(setForEach, v, (value) => {
		if (parts.length < ELEMENTS)
			call(push, parts, inside(c, value, 2));
	});
	add_more(parts, size - ELEMENTS, "item");
	return sized(parts, v, "Set", size);
})(new Set());
shows((v) => {
	const bytes = new Uint8Array(v);
	const parts = list(), hex = list();
	for (let i = 0; i < bytes.length && i < ELEMENTS; i++)
		call(push, hex, call(padStart, call(numberText, bytes[i], 16), 2, "0"));
	const rest = bytes.length - ELEMENTS;
	call(push, parts, "[Uint8Contents]: <" + call(join, hex, " ") + (rest > 0 ? " ... " + rest + " more byte" + (rest > 1 ? "s" : "") : "") + ">",
		"[byteLength]: " + bytes.length);
	return { __proto__: null, open: prefix_of(v, "ArrayBuffer") + "{", parts };
})(new ArrayBuffer(0), made("SharedArrayBuffer", 0) ?? new ArrayBuffer(0));
shows(one_word((v) => {
	const time = call(timeOf, v);
	return time === time ? call(toISOString, v) : "Invalid Date";
}, "Date"))(new globalThis.Date(0));
shows(one_word((v) => "/" + text_of(read(v, "source")) + "/" + text_of(read(v, "flags")), "RegExp"))(/x/);
const boxed = (name, valueOf) => one_word((v) => "[" + name + ": " + shown_primitive(call(valueOf, v), { __proto__: null }) + "]");
shows(boxed("Number", numberOf.prototype.valueOf))(Object(1));
shows(boxed("Boolean", globalThis.Boolean.prototype.valueOf))(Object(true));
shows(boxed("BigInt", bigIntOf.prototype.valueOf))(Object(1n));
shows(boxed("Symbol", Symbol.prototype.valueOf))(Object(Symbol.iterator));
shows((v) => {
	const s = call(String.prototype.valueOf, v);
	return { __proto__: null, base: "[String: " + quoted_string(s) + "]", open: "{", parts: list(), length: s.length };
})(Object(""));
const hides = (what) => (v) => {
	const parts = list();
	call(push, parts, what);
	return { __proto__: null, open: prefix_of(v, "Object") + "{", parts };
};
shows(hides("<await is missing>"))(Promise.resolve());
shows(hides("<items unknown>"))(new WeakMap(), new globalThis.WeakSet());
shows((e, c) => {
	const stack = with_frames(e);
	const base = call(indexOf, stack, "\n    at ") < 0 ? "[" + stack + "]" : indented(stack, c.indent);
	const parts = add_members(list(), e, c, 0, "stack");
	for (const name in { __proto__: null, cause: 0, errors: 0 }) {
		const d = getOwnPropertyDescriptor(e, name);
		if (d !== undefined && !d.enumerable)
			call(push, parts, "[" + name + "]: " + shown_member(e, name, c));
	}
	return { __proto__: null, base, open: "{", parts, whole: true };
})(new Error());

const indented = (s, columns) => call(join, split(s, "\n"), "\n" + call(repeat, " ", columns));

const plain_object = (v) => {
	const prefix = prefix_of(v, "Object");
	return { __proto__: null, open: prefix === "Object " ? "{" : prefix + "{", parts: list() };
};

const how_shown = (v, c) => {
	if (typeof v === "function")
		return { __proto__: null, base: function_base(v), open: "{", parts: list() };
	if (isArray(v))
		return SHOWN[ARRAY](v, c);
	return (SHOWN[host.kind(v)] ?? plain_object)(v, c);
};

// ------------------------------------------------------------------ values

const reference = (c, v) => {
	for (let i = 0; i < c.circular.length; i++)
		if (c.circular[i] === v)
			return i + 1;
	return 0;
};

const is_empty = (v) => {
	const number = host.kind(v);
	return keysOf(v).length === 0 && (isArray(v) ? v.length === 0 : number === MAP ? call(mapSize, v) === 0 : number !== SET || call(setSize, v) === 0);
};
const MAP = host.kind(new Map()), SET = host.kind(new Set());

const too_deep = (v) => {
	const name = isArray(v) ? "Array" : call(slice, prefix_of(v, "Object"), 0, -1);
	return name[0] === "[" ? name : "[" + name + "]";
};

const inspected = (v, c) => {
	if ((typeof v !== "object" && typeof v !== "function") || v === null)
		return shown_primitive(v, c);
	let level = 0;
	for (let a = c.around; a !== undefined; a = a.up) {
		if (a.object === v) {
			if (reference(c, v) === 0)
				call(push, c.circular, v);
			return "[Circular *" + reference(c, v) + "]";
		}
		level++;
	}
	if (level > c.depth && typeof v === "object" && LEAF[host.kind(v)] === undefined && !is_empty(v))
		return too_deep(v);
	c.around = { __proto__: null, up: c.around, object: v };
	c.level = level + 1;
	const how = how_shown(v, c);
	if (how.whole !== true)
		add_members(how.parts, v, c, how.length ?? 0);
	c.around = c.around.up;
	const base = how.base ?? "", close = how.close ?? "}";
	const ref = reference(c, v) > 0 ? "<ref *" + reference(c, v) + "> " : "";
	if (how.parts.length === 0)
		return ref + (base === "" ? how.open + close : base);
	return laid_out(c, how.parts, base, ref + how.open, close, how.array === true, level + 1, v, how.more === true);
};

// `depth`: levels of objects inside of v that are shown.
const inspect = (v, depth) => {
	try {
		return inspected(v, { __proto__: null, depth, indent: 0, around: undefined, level: 0, circular: list() });
	} catch {
		return "[a value that cannot be described]";
	}
};
