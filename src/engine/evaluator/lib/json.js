// SPDX-License-Identifier: MIT
// JSON: plain data is read and written by natives; what stands here does the
// same for every value, and calls what a script gave.

const JSONObject = $create(ObjectPrototype, CLASS_OBJECT);

// ----------------------------------------------------------------------- parse

// With sources $json_parse gives, for each value, [what it is, its source]: the
// members of a container are such pairs, too, and its source is undefined.
const value_of_source = (pair) => {
	const v = pair[0];

	if (!$is_object(v))
		return v;
	if (is_array(v)) {
		const list = $array_make(ArrayPrototype, 0);
		for (let i = 0; i < v.length; i++)
			$define(list, i, value_of_source(v[i]), 7);
		return list;
	}
	const o = {}, keys = own_keys(v);
	for (let i = 0; i < keys.length; i++)
		$define(o, keys[i], value_of_source(own_property(v, keys[i]).value), 7);
	return o;
};

// The pair of a member, when the container is still of the kind that was read.
const member_source = (pair, v, key) => {
	if (pair === undefined || !$is_object(pair[0]) ||
	    is_array(pair[0]) !== is_array(v))
		return undefined;
	const d = own_property(pair[0], key);

	return d === undefined ? undefined : d.value;
};

const revive_member = (v, key, reviver, pair) => {
	const now = revive(v, key, reviver, member_source(pair, v, key));

	if (now === undefined)
		delete_property(v, key);
	else
		create_property(v, key, now);
};

const revive = (holder, key, reviver, pair) => {
	const v = holder[key], context = {};

	if (!$is_object(v)) {
		if (pair !== undefined && pair[1] !== undefined && same_value(pair[0], v))
			$define(context, "source", pair[1], 7);
	} else if (is_array(v)) {
		const n = to_length(v.length);
		for (let i = 0; i < n; i++)
			revive_member(v, `${i}`, reviver, pair);
	} else {
		const keys = own_keys_enumerable(v);
		for (let i = 0; i < keys.length; i++)
			revive_member(v, keys[i], reviver, pair);
	}
	return $call(reviver, holder, key, v, context);
};

const same_value = (a, b) => a === b ? a !== 0 || 1 / a === 1 / b : a !== a && b !== b;

const own_keys_enumerable = (o) => {
	const all = own_keys(o), keys = $new_list(0);
	let n = 0;

	for (let i = 0; i < all.length; i++) {
		if (typeof all[i] !== "string")
			continue;
		const d = own_property(o, all[i]);
		if (d !== undefined && d.enumerable)
			$define(keys, n++, all[i], 7);
	}
	return keys;
};

// ------------------------------------------------------------------- stringify

const is_raw_json = (o) => $is_object(o) && $class_of(o) === CLASS_ITERATOR &&
    $inner(o, 3) === BRAND_RAW_JSON;

// What a boxed primitive stands for.
const unboxed = (v) => {
	switch ($class_of(v)) {
	case CLASS_NUMBER:
		return +to_primitive(v, 1);
	case CLASS_STRING:
		return $string_new(to_primitive(v, 2));
	case CLASS_BOOLEAN:
	case CLASS_BIGINT:
		return $inner(v, 0);
	}
	return v;
};

// The text of holder[key]; undefined: it has none.
const json_member = (w, holder, key) => {
	let v = holder[key];

	if ($is_object(v) || typeof v === "bigint") {
		const convert = v.toJSON;
		if ($is_callable(convert))
			v = $call(convert, v, key);
	}
	if (w.replacer !== undefined)
		v = $call(w.replacer, holder, key, v);
	if ($is_object(v)) {
		if (is_raw_json(v))
			return v.rawJSON;
		v = unboxed(v);
	}
	switch (typeof v) {
	case "string":
		return $json_quote(v);
	case "number":
		return v - v === 0 ? `${v}` : "null";
	case "boolean":
		return v ? "true" : "false";
	case "bigint":
		$throw_type("BigInt are forbidden in JSON.stringify");
	case "object":
		if (v === null)
			return "null";
		return is_array(v) ? json_array(w, v) : json_object(w, v);
	}
	return undefined;
};

// The items of a container between its brackets, each on a line of its own when
// there is a gap.
const json_open = (w, o) => {
	for (let i = 0; i < w.depth; i++)
		if (w.open[i] === o)
			$throw_type("circular reference");
	$define(w.open, w.depth++, o, 7);
	const outer = w.indent;
	w.indent += w.gap;
	return outer;
};

const json_close = (w, outer, items, first, last) => {
	const inner = w.indent;

	w.depth--;
	w.indent = outer;
	if (items === "" || w.gap === "")
		return first + items + last;
	return `${first}\n${inner}${items}\n${outer}${last}`;
};

const json_object = (w, o) => {
	const outer = json_open(w, o);
	const keys = w.keys === undefined ? own_keys_enumerable(o) : w.keys;
	const comma = w.gap === "" ? "," : `,\n${w.indent}`;
	const colon = w.gap === "" ? ":" : ": ";
	let items = "";

	for (let i = 0; i < keys.length; i++) {
		const text = json_member(w, o, keys[i]);
		if (text === undefined)
			continue;
		if (items !== "")
			items += comma;
		items += $json_quote(keys[i]) + colon + text;
	}
	return json_close(w, outer, items, "{", "}");
};

const json_array = (w, o) => {
	const outer = json_open(w, o);
	const n = to_length(o.length);
	const comma = w.gap === "" ? "," : `,\n${w.indent}`;
	let items = "";

	for (let i = 0; i < n; i++) {
		const text = json_member(w, o, `${i}`);
		if (i > 0)
			items += comma;
		items += text === undefined ? "null" : text;
	}
	return json_close(w, outer, items, "[", "]");
};

// The keys that a list as replacer names.
const replacer_keys = (list) => {
	const keys = $new_list(0), seen = { __proto__: null };
	const n = to_length(list.length);
	let count = 0;

	for (let i = 0; i < n; i++) {
		let v = list[i];
		const boxed = $is_object(v) &&
		    ($class_of(v) === CLASS_NUMBER || $class_of(v) === CLASS_STRING);
		if (typeof v !== "string" && typeof v !== "number" && !boxed)
			continue;
		v = $string_new(v);
		if (seen[v])
			continue;
		seen[v] = true;
		$define(keys, count++, v, 7);
	}
	return keys;
};

const slow_stringify = (value, replacer, space) => {
	const w = {
		__proto__: null, replacer: undefined, keys: undefined, gap: "",
		indent: "", open: $new_list(0), depth: 0,
	};
	const holder = {};

	if ($is_callable(replacer))
		w.replacer = replacer;
	else if ($is_object(replacer) && is_array(replacer))
		w.keys = replacer_keys(replacer);
	if ($is_object(space))
		space = unboxed(space);
	if (typeof space === "number") {
		const n = to_integer(space);
		for (let i = 0; i < n && i < 10; i++)
			w.gap += " ";
	} else if (typeof space === "string") {
		w.gap = $call(slice, space, 0, 10);
	}
	$define(holder, "", value, 7);
	return json_member(w, holder, "");
};

const raw_json = (text) => {
	const s = $string_new(text), v = s === "" ? undefined : s[0], last = s[s.length - 1];
	const is_space = (c) => c === "\t" || c === "\n" || c === "\r" || c === " ";

	if (s === "" || is_space(v) || is_space(last) || v === "{" || v === "[")
		$throw_syntax("invalid rawJSON string");
	$json_parse(s);
	const o = $create(null, CLASS_ITERATOR);
	$set_inner(o, 3, BRAND_RAW_JSON);
	$define(o, "rawJSON", s, 7);
	return o;
};

$methods(JSONObject, {
	isRawJSON(v) {
		return is_raw_json(v);
	},
	parse(text, reviver) {
		if (!$is_callable(reviver))
			return $json_parse(text);
		const pair = $json_parse(text, true), holder = {};

		$define(holder, "", value_of_source(pair), 7);
		return revive(holder, "", reviver, pair);
	},
	rawJSON(text) {
		const o = raw_json(text);

		$close(o, 2);
		return o;
	},
});
$define(JSONObject, "stringify",
    $native($json_stringify, "stringify", 3, slow_stringify), 5);
$define(JSONObject, SymbolToStringTag, "JSON", 4);
$define(global, "JSON", JSONObject, 5);
