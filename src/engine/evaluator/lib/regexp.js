// SPDX-License-Identifier: MIT
// Regular expressions, and the methods of strings that take one. A native does
// the whole of it where the regexp is plain ($regexp_plain); what stands here
// does the same by the spec, for all others.

const RegExpPrototype = $create(ObjectPrototype, CLASS_OBJECT);
$realm("regexp", RegExpPrototype);

const BRAND_REGEXP = 5; // as in object.h
const FLAG_GLOBAL = 2;
const FLAG_STICKY = 128;

const is_regexp = (v) => {
	if (!$is_object(v))
		return false;
	const match = v[SymbolMatch];

	return match !== undefined ? !!match : $class_of(v) === CLASS_REGEXP;
};

const regexp_this = (v) => {
	if (!$is_object(v))
		$throw_type("not an object");
	return v;
};

function RegExp(pattern, flags) {
	const known = is_regexp(pattern);
	let target = new.target, source = pattern;

	if (target === undefined) {
		target = RegExp;
		if (known && flags === undefined &&
		    pattern.constructor === RegExp)
			return pattern;
	}
	if ($is_object(pattern) && $class_of(pattern) === CLASS_REGEXP) {
		source = $inner(pattern, 0);
		if (flags === undefined)
			flags = flags_text(pattern);
	} else if (known) {
		source = pattern.source;
		if (flags === undefined)
			flags = pattern.flags;
	}
	const proto = prototype_for(target, RegExpPrototype);

	source = source === undefined ? "" : $string_new(source);
	return $regexp_new(source, flags === undefined ? "" : $string_new(flags),
	    proto);
}

const flag_letters = "dgimsuvy";

const flags_text = (rx) => {
	const bits = $inner(rx, 1);
	let text = "";

	for (let i = 0; i < 8; i++)
		if (bits & (1 << i))
			text += flag_letters[i];
	return text;
};

// ------------------------------------------------------------------------ exec

const regexp_builtin_exec = (rx, s) => {
	const moves = $inner(rx, 1) & (FLAG_GLOBAL | FLAG_STICKY);
	let at = to_length(rx.lastIndex);

	if (!moves)
		at = 0;
	const found = at > s.length ? null : $regexp_match(rx, s, at);
	if (moves)
		rx.lastIndex =
		    found === null ? 0 : found.index + found[0].length;
	return found;
};

const need_regexp = (rx) => {
	if (!$is_object(rx) || $class_of(rx) !== CLASS_REGEXP)
		$throw_type("RegExp object expected");
	return rx;
};

const regexp_exec = $native($regexp_exec, "exec", 1, function (string) {
	const rx = need_regexp(this);

	return regexp_builtin_exec(rx, $string_new(string));
});

// RegExpExec
const exec_with = (rx, s) => {
	const exec = rx.exec;

	if (exec === regexp_exec || !$is_callable(exec))
		return $call(regexp_exec, rx, s);
	const found = $call(exec, rx, s);
	if (found !== null && !$is_object(found))
		$throw_type("object or null expected");
	return found;
};

const advance = (s, at, unicode) => {
	if (!unicode || at + 1 >= s.length)
		return at + 1;
	const high = $call(unit_at, s, at), low = $call(unit_at, s, at + 1);

	return (high & 0xfc00) === 0xd800 && (low & 0xfc00) === 0xdc00
	    ? at + 2 : at + 1;
};

const includes_text = (s, text) => $call(index_of, s, text) >= 0;
const is_unicode = (flags) =>
    includes_text(flags, "u") || includes_text(flags, "v");

// An empty match must not be found again.
const step_over = (rx, s, unicode) => {
	rx.lastIndex = advance(s, to_length(rx.lastIndex), unicode);
};

// --------------------------------------------------------------------- replace

// GetSubstitution. captures: strings and undefined, in a plain list.
const substitute = (matched, s, position, captures, named, template) => {
	let text = "", from = 0;
	const n = captures.length;

	for (let i = $call(index_of, template, "$"); i >= 0;
	     i = $call(index_of, template, "$", from)) {
		const c = template[i + 1];
		let put = "$", used = 1;

		text += $call(slice, template, from, i);
		if (c === "$") {
			used = 2;
		} else if (c === "&") {
			used = 2;
			put = matched;
		} else if (c === "`") {
			used = 2;
			put = $call(slice, s, 0, position);
		} else if (c === "'") {
			const end = position + matched.length;

			used = 2;
			put = end >= s.length ? "" : $call(slice, s, end);
		} else if (c >= "0" && c <= "9") {
			const d = template[i + 2];
			let number = +c * 10 + (d >= "0" && d <= "9" ? +d : NaN);

			used = 3;
			if (!(number >= 1 && number <= n)) {
				number = +c;
				used = 2;
			}
			if (number >= 1 && number <= n) {
				const v = captures[number - 1];

				put = v === undefined ? "" : v;
			} else {
				used = 1;
			}
		} else if (c === "<" && named !== undefined) {
			const end = $call(index_of, template, ">", i);

			if (end >= 0) {
				const v = named[$call(slice, template, i + 2, end)];

				put = v === undefined ? "" : $string_new(v);
				used = end + 1 - i;
			}
		}
		text += put;
		from = i + used;
	}
	return text + $call(slice, template, from);
};

// What replaces one match that exec told.
const replacement_of = (found, s, replacement, call) => {
	const n = to_length(found.length);
	const matched = $string_new(found[0]);
	let at = to_integer(found.index);
	const captures = [];

	at = at < 0 ? 0 : at > s.length ? s.length : at;
	for (let i = 1; i < n; i++) {
		const v = found[i];

		$define(captures, i - 1, v === undefined ? v : $string_new(v), 7);
	}
	let named = found.groups, text;
	if (call) {
		const list = [matched];
		let k = 1;

		for (let i = 0; i < captures.length; i++)
			$define(list, k++, captures[i], 7);
		$define(list, k++, at, 7);
		$define(list, k++, s, 7);
		if (named !== undefined)
			$define(list, k, named, 7);
		text = $string_new($apply(replacement, undefined, list));
	} else {
		if (named !== undefined)
			named = to_object(named);
		text = substitute(matched, s, at, captures, named, replacement);
	}
	return { __proto__: null, at, end: at + matched.length, text };
};

const replace_results = (results, s, replacement, call) => {
	let text = "", from = 0;

	for (let i = 0; i < results.length; i++) {
		const r = replacement_of(results[i], s, replacement, call);

		if (r.at >= from) {
			text += $call(slice, s, from, r.at) + r.text;
			from = r.end;
		}
	}
	return from >= s.length ? text : text + $call(slice, s, from);
};

// The same of a plain regexp, by a function. lists: its arguments for each match.
const replace_by = (lists, s, f) => {
	let text = "", from = 0;
	const n = lists.length;

	for (let i = 0; i < n; i++) {
		const list = lists[i], last = list.length - 1;
		const at = list[typeof list[last] === "string" ? last - 1 : last - 2];
		const end = at + list[0].length;

		if (at > from)
			text += $call(slice, s, from, at);
		text += $string_new($apply(f, undefined, list));
		from = end;
	}
	return from >= s.length ? text : text + $call(slice, s, from);
};

const global_results = (rx, s, unicode) => {
	const results = [];
	let k = 0;

	rx.lastIndex = 0;
	for (;;) {
		const found = exec_with(rx, s);

		if (found === null)
			return results;
		$define(results, k++, found, 7);
		if ($string_new(found[0]) === "")
			step_over(rx, s, unicode);
	}
};

// ----------------------------------------------------------------- the methods

const RegExpStringIteratorPrototype = $create(IteratorPrototype, CLASS_OBJECT);

const flag_getters = [
	"hasIndices", "d", "global", "g", "ignoreCase", "i", "multiline", "m",
	"dotAll", "s", "unicode", "u", "unicodeSets", "v", "sticky", "y",
];

$define(RegExpPrototype, "exec", regexp_exec, 5);
$define(RegExpPrototype, "test", $native($regexp_test, "test", 1,
    function (string) {
	const rx = this;

	if (!$is_object(rx))
		$throw_type("RegExp object expected");
	return exec_with(rx, $string_new(string)) !== null;
}), 5);

for (let i = 0; i < 8; i++) {
	const bit = 1 << i, name = flag_getters[2 * i];

	$methods(RegExpPrototype, {
		get [name]() {
			regexp_this(this);
			if ($class_of(this) === CLASS_REGEXP)
				return ($inner(this, 1) & bit) !== 0;
			if (this !== RegExpPrototype)
				$throw_type("RegExp object expected");
			return undefined;
		},
	});
}

$methods(RegExpPrototype, {
	get flags() {
		regexp_this(this);
		let text = "";

		for (let i = 0; i < 8; i++)
			if (this[flag_getters[2 * i]])
				text += flag_getters[2 * i + 1];
		return text;
	},
	get source() {
		regexp_this(this);
		if ($class_of(this) === CLASS_REGEXP)
			return $regexp_source($inner(this, 0));
		if (this !== RegExpPrototype)
			$throw_type("RegExp object expected");
		return "(?:)";
	},
	toString() {
		regexp_this(this);
		return `/${$string_new(this.source)}/${$string_new(this.flags)}`;
	},
	compile(pattern, flags) {
		const rx = need_regexp(this);

		if ($is_object(pattern) && $class_of(pattern) === CLASS_REGEXP) {
			if (flags !== undefined)
				$throw_type("flags must be undefined");
			flags = flags_text(pattern);
			pattern = $inner(pattern, 0);
		}
		const other = $regexp_new(
		    pattern === undefined ? "" : $string_new(pattern),
		    flags === undefined ? "" : $string_new(flags),
		    RegExpPrototype);
		$set_inner(rx, 0, $inner(other, 0));
		$set_inner(rx, 1, $inner(other, 1));
		rx.lastIndex = 0;
		return rx;
	},
	[SymbolMatch](string) {
		const rx = regexp_this(this), s = $string_new(string);

		if ($regexp_plain(rx))
			return $call(quick_match, s, rx);
		const flags = $string_new(rx.flags);
		if (!includes_text(flags, "g"))
			return exec_with(rx, s);
		const unicode = is_unicode(flags), list = [];
		let k = 0;

		rx.lastIndex = 0;
		for (;;) {
			const found = exec_with(rx, s);

			if (found === null)
				return k === 0 ? null : list;
			const text = $string_new(found[0]);
			$define(list, k++, text, 7);
			if (text === "")
				step_over(rx, s, unicode);
		}
	},
	[SymbolMatchAll](string) {
		const rx = regexp_this(this), s = $string_new(string);
		const c = species_constructor(rx, RegExp);
		const flags = $string_new(rx.flags);
		const matcher = $construct(c, [rx, flags], c);

		matcher.lastIndex = to_length(rx.lastIndex);
		return iterator_new(RegExpStringIteratorPrototype, matcher, s,
		    (includes_text(flags, "g") ? 1 : 0) |
			(is_unicode(flags) ? 2 : 0), BRAND_REGEXP);
	},
	[SymbolReplace](string, replacement) {
		const rx = regexp_this(this), s = $string_new(string);
		const call = $is_callable(replacement);

		if (!call)
			replacement = $string_new(replacement);
		if ($regexp_plain(rx))
			return call
			    ? replace_by($regexp_all(rx, s), s, replacement)
			    : $regexp_replace(rx, s, replacement);
		const flags = $string_new(rx.flags);
		let results;

		if (includes_text(flags, "g")) {
			results = global_results(rx, s, is_unicode(flags));
		} else {
			const found = exec_with(rx, s);

			results = found === null ? [] : [found];
		}
		return replace_results(results, s, replacement, call);
	},
	[SymbolSearch](string) {
		const rx = regexp_this(this), s = $string_new(string);

		if ($regexp_plain(rx))
			return $regexp_search(rx, s);
		const before = rx.lastIndex;
		if (!$same(before, 0))
			rx.lastIndex = 0;
		const found = exec_with(rx, s);
		if (!$same(rx.lastIndex, before))
			rx.lastIndex = before;
		return found === null ? -1 : found.index;
	},
	[SymbolSplit](string, limit) {
		const rx = regexp_this(this), s = $string_new(string);

		if ($regexp_plain(rx) &&
		    (limit === undefined || typeof limit === "number"))
			return $call(quick_split, s, rx,
			    limit === undefined ? limit : small_limit(limit));
		const c = species_constructor(rx, RegExp);
		const flags = $string_new(rx.flags);
		const unicode = is_unicode(flags);
		const splitter = $construct(c,
		    [rx, includes_text(flags, "y") ? flags : flags + "y"], c);
		const list = [], most = limit === undefined ? 4294967295
							      : limit >>> 0;
		let k = 0, from = 0, at = 0;

		if (most === 0)
			return list;
		if (s.length === 0)
			return exec_with(splitter, s) === null ? [s] : list;
		while (at < s.length) {
			splitter.lastIndex = at;
			const found = exec_with(splitter, s);
			if (found === null) {
				at = advance(s, at, unicode);
				continue;
			}
			let end = to_length(splitter.lastIndex);
			if (end > s.length)
				end = s.length;
			if (end === from) {
				at = advance(s, at, unicode);
				continue;
			}
			$define(list, k++, $call(slice, s, from, at), 7);
			if (k === most)
				return list;
			from = end;
			const n = to_length(found.length);
			for (let i = 1; i < n; i++) {
				$define(list, k++, found[i], 7);
				if (k === most)
					return list;
			}
			at = from;
		}
		$define(list, k, $call(slice, s, from), 7);
		return list;
	},
});

const small_limit = (n) => {
	n = n >>> 0;
	return n > 2147483647 ? undefined : n;
};

$methods(RegExpStringIteratorPrototype, {
	next() {
		if (!has_brand(this, BRAND_REGEXP))
			$throw_type("not a RegExp String Iterator");
		const rx = $inner(this, 0);

		if (rx === undefined)
			return { value: undefined, done: true };
		const s = $inner(this, 1), how = $inner(this, 2);
		const found = exec_with(rx, s);
		if (found === null || !(how & 1))
			$set_inner(this, 0, undefined);
		if (found === null)
			return { value: undefined, done: true };
		if (how & 1 && $string_new(found[0]) === "")
			step_over(rx, s, how & 2);
		return { value: found, done: false };
	},
});
$define(RegExpStringIteratorPrototype, SymbolToStringTag,
    "RegExp String Iterator", 4);

$constructor(RegExp, RegExpPrototype);
$methods(RegExp, {
	get [SymbolSpecies]() { return this; },
	escape(string) { return $regexp_escape(string); },
});
$define(global, "RegExp", RegExp, 5);
$regexp_pristine(RegExpPrototype, RegExp);

// --------------------------------------------------------------------- strings

const unit_at = StringPrototype.charCodeAt;
const index_of = StringPrototype.indexOf;
const quick_match = $native($string_match, "match", 1);
const quick_split = $native($string_split, "split", 2);
const quick_replace = $native($string_replace, "replace", 2);
const quick_replace_all = $native($string_replace_all, "replaceAll", 2);

const need_this = (v) => {
	if (v === undefined || v === null)
		$throw_type("cannot convert to object");
};

// The method that an object has for a symbol; undefined: none.
const method_by = (v, symbol) => $is_object(v) ? get_method(v, symbol) : undefined;

const string_method = (name, length, native, f) => {
	$define(StringPrototype, name,
	    native === undefined ? f : $native(native, name, length, f), 5);
};

string_method("match", 1, $string_match, function (regexp) {
	need_this(this);
	const f = method_by(regexp, SymbolMatch);

	if (f !== undefined)
		return $call(f, regexp, this);
	const s = $string_new(this);
	const rx = $regexp_new(
	    regexp === undefined ? "" : $string_new(regexp), "", RegExpPrototype);
	return $call(rx[SymbolMatch], rx, s);
});

string_method("split", 2, $string_split, function (separator, limit) {
	need_this(this);
	const f = method_by(separator, SymbolSplit);

	if (f !== undefined)
		return $call(f, separator, this, limit);
	const s = $string_new(this);
	const most = limit === undefined ? undefined : small_limit(limit);
	const text = $string_new(separator);
	if (most === 0)
		return [];
	if (separator === undefined)
		return [s];
	return $call(quick_split, s, text, most);
});

string_method("replace", 2, $string_replace, function (search, replacement) {
	need_this(this);
	const f = method_by(search, SymbolReplace);

	if (f !== undefined)
		return $call(f, search, this, replacement);
	return replace_text(this, search, replacement, false);
});

string_method("replaceAll", 2, $string_replace_all,
    function (search, replacement) {
	need_this(this);
	need_global(search);
	const f = method_by(search, SymbolReplace);

	if (f !== undefined)
		return $call(f, search, this, replacement);
	return replace_text(this, search, replacement, true);
});

const need_global = (v) => {
	if (!is_regexp(v))
		return;
	const flags = v.flags;

	need_this(flags);
	if (!includes_text($string_new(flags), "g"))
		$throw_type("regexp must have the 'g' flag");
};

const replace_text = (on, search, replacement, every) => {
	const s = $string_new(on), what = $string_new(search);
	const call = $is_callable(replacement);

	if (!call)
		return $call(every ? quick_replace_all : quick_replace, s, what,
		    $string_new(replacement));
	const step = what.length > 0 ? what.length : 1;
	let text = "", from = 0, at = $call(index_of, s, what, 0);
	const places = [];

	while (at >= 0) {
		$define(places, places.length, at, 7);
		if (!every || at + step > s.length)
			break;
		at = $call(index_of, s, what, at + step);
	}
	for (let i = 0; i < places.length; i++) {
		at = places[i];
		text += $call(slice, s, from, at) +
		    $string_new($call(replacement, undefined, what, at, s));
		from = at + what.length;
	}
	return from >= s.length ? text : text + $call(slice, s, from);
};

$methods(StringPrototype, {
	matchAll(regexp) {
		need_this(this);
		need_global(regexp);
		const f = method_by(regexp, SymbolMatchAll);

		if (f !== undefined)
			return $call(f, regexp, this);
		const s = $string_new(this);
		const rx = $regexp_new(
		    regexp === undefined ? "" : $string_new(regexp), "g",
		    RegExpPrototype);
		return $call(rx[SymbolMatchAll], rx, s);
	},
	search(regexp) {
		need_this(this);
		const f = method_by(regexp, SymbolSearch);

		if (f !== undefined)
			return $call(f, regexp, this);
		const s = $string_new(this);
		const rx = $regexp_new(
		    regexp === undefined ? "" : $string_new(regexp), "",
		    RegExpPrototype);
		return $call(rx[SymbolSearch], rx, s);
	},
});
