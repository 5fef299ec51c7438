// SPDX-License-Identifier: MIT
//
// intl_collate.js -- Intl.Collator: the root order of the Unicode Collation
// Algorithm, from the tables that intl_data.mjs describes.
//
// A text becomes a key of three texts (letters, accents, case), which the
// engine's own comparison orders.

import { boolean_option, cached, callable, option, options_of, resolve_locale } from "codemode:intl_locale";
import { marks, order, pairs, punctuation } from "intl/collation.js";

// The primary weights: a place in `order` is its own weight, counted from here.
const FIRST = 0x100, place_of = (c) => FIRST + order.indexOf(c);
const DIGITS = place_of("0"), SYMBOLS = place_of("¤") - 1, HANGUL = place_of("ぁ") - 1, HAN = 0xf000, OTHER = 0xf100;
const COMMON = 1;
const IGNORED = /^[\p{Cc}\p{Cf}\p{Cs}]$/u;

// { primary, secondary, tertiary, upper }, each a text with a character for each
// letter (secondary: and for each accent); undefined: c is none of the table's.
const listed_weights = (c) => {
	let at = c.length === 1 ? order.indexOf(c) : -1;
	if (at < 0 || c <= "\u0002")
		return undefined;
	let accents = 0, cases = 0;
	for (; at > 0 && order[at - 1] <= "\u0002"; at -= 2)
		if (order[at - 1] === "\u0002")
			accents++;
		else if (accents === 0)
			cases++;
	return {
		primary: String.fromCharCode(FIRST + at), secondary: String.fromCharCode(COMMON) + (accents > 0 ? String.fromCharCode(0x4000 + accents) : ""),
		tertiary: String.fromCharCode(COMMON + cases * 2), upper: c.toLowerCase() === c ? "1" : "2",
	};
};

const joined_weights = (text, compatible) => {
	const all = { primary: "", secondary: "", tertiary: "", upper: "" };
	for (const c of text) {
		const w = weights_of(c);
		all.primary += w.primary;
		all.secondary += w.secondary;
		all.upper += w.upper;
		for (let i = 0; i < w.tertiary.length; i++)
			all.tertiary += String.fromCharCode(w.tertiary.charCodeAt(i) + (compatible ? 1 : 0));
	}
	return all;
};

// Two letters, told from them as by an accent on the first.
const pair_weights = (letters, upper) => {
	const w = joined_weights(upper ? letters.toUpperCase() : letters, true);
	return { ...w, secondary: w.secondary[0] + "\u4000" + w.secondary[1] };
};

const in_code_order = (script, c) => {
	const code = c.codePointAt(0);
	return {
		primary: String.fromCharCode(script, 0x20 + (code >> 11), 0x20 + (code & 0x7ff)),
		secondary: String.fromCharCode(COMMON), tertiary: String.fromCharCode(COMMON), upper: "1",
	};
};

const new_weights = (c) => {
	const listed = listed_weights(c), mark = marks.indexOf(c);
	if (listed !== undefined)
		return listed;
	if (mark >= 0)
		return { primary: "", secondary: String.fromCharCode(0x10 + mark), tertiary: "", upper: "" };
	const canonical = c.normalize("NFD"), compatible = c.normalize("NFKD");
	if (/^[\uac00-\ud7a3]$/.test(c))
		return in_code_order(HANGUL, c);
	if (canonical !== c)
		return joined_weights(canonical, false);
	if (compatible !== c)
		return joined_weights(compatible, true);
	const pair = pairs.indexOf("\n" + c);
	if (pair >= 0)
		return pair_weights(pairs.slice(pair + 2, pair + 4), /\p{Lu}/u.test(c));
	if (IGNORED.test(c))
		return { primary: "", secondary: "", tertiary: "", upper: "" };
	return in_code_order(/\p{Ideographic}/u.test(c) ? HAN : /\p{S}/u.test(c) ? SYMBOLS : OTHER, c);
};

const known = new Map();
const weights_of = (c) => {
	let w = known.get(c);
	if (w === undefined)
		known.set(c, w = new_weights(c));
	return w;
};

// A number is its length and its digits, behind what stands for digits.
const number_weight = (digits) => {
	const value = digits.replace(/^0+(?=\d)/, "");
	let text = String.fromCharCode(DIGITS, 0x100 + value.length);
	for (let i = 0; i < value.length; i++)
		text += String.fromCharCode(0x20 + value.charCodeAt(i));
	return text;
};

// [letters, accents, case], as far as the options ask for them.
const key_of = (text, o) => {
	let primary = "", secondary = "", tertiary = "", upper = "";
	const composed = /^[\0-\x7f]*$/.test(text) ? text : text.normalize("NFC");
	for (const c of o.numeric ? composed.match(/\d+|[^]/gu) ?? [] : composed) {
		const w = o.numeric && c >= "0" && c < ":" ? { primary: number_weight(c), secondary: "\u0001", tertiary: "\u0001", upper: "1" } : weights_of(c);
		if (o.ignorePunctuation && w.primary !== "" && w.primary.charCodeAt(0) < FIRST + punctuation)
			continue;
		primary += w.primary;
		secondary += w.secondary;
		tertiary += w.tertiary;
		upper += w.upper;
	}
	const first = o.caseFirst === "upper" ? upper.replaceAll("2", "0") : o.caseFirst === "lower" ? upper : "";
	switch (o.sensitivity) {
	case "base": return [primary, "", ""];
	case "accent": return [primary, secondary, ""];
	case "case": return [primary, "", first || upper];
	}
	return [primary, secondary, first + tertiary];
};

// Sorting compares each text many times: keys of short ones are kept.
const KEPT = 20000, SHORT = 200;

const comparison = (o) => {
	const kept = new Map();
	const find = (text) => {
		const found = kept.get(text);
		if (found !== undefined)
			return found;
		const key = key_of(text, o);
		if (kept.size >= KEPT)
			kept.clear();
		if (text.length <= SHORT)
			kept.set(text, key);
		return key;
	};
	return (x, y) => {
		const a = String(x), b = String(y);
		if (a === b)
			return 0;
		const k = find(a), l = find(b);
		for (let i = 0; i < 3; i++)
			if (k[i] !== l[i])
				return k[i] < l[i] ? -1 : 1;
		return 0;
	};
};

class TextCollator {
	#o;
	#compare;
	constructor(locales, options) {
		const given = options_of(options), { locale, keys } = resolve_locale(locales);
		const usage = option(given, "usage", ["sort", "search"], "sort");
		const sensitivity = option(given, "sensitivity", ["base", "accent", "case", "variant"], "variant");
		const ignorePunctuation = boolean_option(given, "ignorePunctuation") ?? false;
		const numeric = boolean_option(given, "numeric") ?? (keys.kn === "" || keys.kn === "true");
		const caseFirst = option(given, "caseFirst", ["upper", "lower", "false"], /^(upper|lower)$/.test(keys.kf) ? keys.kf : "false");
		this.#o = { locale, usage, sensitivity, ignorePunctuation, collation: "default", numeric, caseFirst };
		this.#compare = comparison(this.#o);
	}
	get compare() { return this.#compare; }
	resolvedOptions() { return { ...this.#o }; }
}
export const Collator = callable(TextCollator, "Intl.Collator");

const collator = cached((locales, options) => new TextCollator(locales, options).compare);
const standard = new TextCollator().compare;
export const compare_in_locale = (a, b, locales, options) =>
	locales === undefined && options === undefined ? standard(a, b) : collator(locales, options)(a, b);
