// SPDX-License-Identifier: MIT
// String, but for what takes a regular expression (regexp.js).

const StringPrototype = $create(ObjectPrototype, CLASS_STRING);
$set_inner(StringPrototype, 0, "");
$realm("string", StringPrototype);

function String(value) {
	if (new.target === undefined)
		return $argument_count() === 0 ? "" : $string_of(value);
	const text = $argument_count() === 0 ? "" : $string_new(value);

	return boxed(new.target, StringPrototype, CLASS_STRING, text);
}

native_methods(StringPrototype, [
	"at", $string_at, 1,
	"charAt", $string_char_at, 1,
	"charCodeAt", $string_char_code_at, 1,
	"codePointAt", $string_code_point_at, 1,
	"concat", $string_concat, 1,
	"indexOf", $string_index_of, 1,
	"isWellFormed", $string_is_well_formed, 0,
	"lastIndexOf", $string_last_index_of, 1,
	"localeCompare", $string_compare, 1,
	"normalize", $string_normalize, 0,
	"padEnd", $string_pad_end, 1,
	"padStart", $string_pad_start, 1,
	"repeat", $string_repeat, 1,
	"slice", $string_slice, 2,
	"substr", $string_substr, 2,
	"substring", $string_substring, 2,
	"toLocaleLowerCase", $string_lower, 0,
	"toLocaleUpperCase", $string_upper, 0,
	"toLowerCase", $string_lower, 0,
	"toString", $string_value, 0,
	"toUpperCase", $string_upper, 0,
	"toWellFormed", $string_to_well_formed, 0,
	"trim", $string_trim, 0,
	"trimEnd", $string_trim_end, 0,
	"trimStart", $string_trim_start, 0,
	"valueOf", $string_value, 0,
]);
$define(StringPrototype, "trimLeft", StringPrototype.trimStart, 5);
$define(StringPrototype, "trimRight", StringPrototype.trimEnd, 5);

// What looks for a text refuses a regular expression.
const refuse_regexp = (v) => {
	if (!$is_object(v))
		return;
	const match = v[SymbolMatch];

	if (match !== undefined ? match : $class_of(v) === CLASS_REGEXP)
		$throw_type("regexp not supported");
};

const text_search = (name, native) => {
	const quick = $native(native, name, 1);

	return $native(native, name, 1, function (search, position) {
		const s = $string_new(this);

		refuse_regexp(search);
		return $call(quick, s, $string_new(search), position);
	});
};

$define(StringPrototype, "endsWith", text_search("endsWith", $string_ends_with), 5);
$define(StringPrototype, "includes", text_search("includes", $string_includes), 5);
$define(StringPrototype, "startsWith", text_search("startsWith", $string_starts_with), 5);

// ------------------------------------------------------------------- iteration

const StringIteratorPrototype = $create(IteratorPrototype, CLASS_OBJECT);

$define(StringIteratorPrototype, "next", $native($string_next, "next", 0), 5);
$define(StringIteratorPrototype, SymbolToStringTag, "String Iterator", 4);
$methods(StringPrototype, {
	[SymbolIterator]() {
		if (this === undefined || this === null)
			$throw_type("null or undefined are forbidden");
		return iterator_new(StringIteratorPrototype, $string_new(this), 0,
		    undefined, BRAND_STRING);
	},
});

// ------------------------------------------------------------------------ HTML

const html = (text, tag, attribute, v) => {
	if (text === undefined || text === null)
		$throw_type("null or undefined are forbidden");
	const s = $string_new(text);

	if (attribute !== "") {
		const value = $string_new(v);
		let quoted = "", from = 0;

		for (let i = 0; i < value.length; i++)
			if (value[i] === '"') {
				quoted += $call(slice, value, from, i) + "&quot;";
				from = i + 1;
			}
		quoted += $call(slice, value, from);
		return `<${tag} ${attribute}="${quoted}">${s}</${tag}>`;
	}
	return `<${tag}>${s}</${tag}>`;
};
const slice = StringPrototype.slice;

$methods(StringPrototype, {
	anchor(name) { return html(this, "a", "name", name); },
	big() { return html(this, "big", ""); },
	blink() { return html(this, "blink", ""); },
	bold() { return html(this, "b", ""); },
	fixed() { return html(this, "tt", ""); },
	fontcolor(color) { return html(this, "font", "color", color); },
	fontsize(size) { return html(this, "font", "size", size); },
	italics() { return html(this, "i", ""); },
	link(url) { return html(this, "a", "href", url); },
	small() { return html(this, "small", ""); },
	strike() { return html(this, "strike", ""); },
	sub() { return html(this, "sub", ""); },
	sup() { return html(this, "sup", ""); },
});
$constructor(String, StringPrototype);

// ---------------------------------------------------------------- constructors

native_methods(String, [
	"fromCharCode", $string_from_units, 1,
	"fromCodePoint", $string_from_points, 1,
]);
$methods(String, {
	raw(template, ...values) {
		const strings = to_object(to_object(template).raw);
		const n = to_length(strings.length);
		let text = "";

		for (let i = 0; i < n; i++) {
			text += $string_new(strings[i]);
			if (i + 1 < n && i < values.length)
				text += $string_new(values[i]);
		}
		return text;
	},
});
$define(global, "String", String, 5);
