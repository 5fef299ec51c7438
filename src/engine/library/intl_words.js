// SPDX-License-Identifier: MIT
//
// intl_words.js -- Intl.PluralRules, RelativeTimeFormat and ListFormat for en-US.

import { describe_class, line_of, option, options_of, resolve_locale, text_of } from "codemode:intl_locale";
import { NumberFormat, digit_options, plural_digits } from "codemode:intl_number";
import { relative } from "intl/relative.js";

const ORDINALS = { 1: "one", 2: "two", 3: "few" };

export class PluralRules {
	#o;
	constructor(locales, options) {
		const given = options_of(options), { locale } = resolve_locale(locales);
		this.#o = { locale, type: option(given, "type", ["cardinal", "ordinal"], "cardinal"), notation: option(given, "notation", ["standard", "scientific", "engineering", "compact"], "standard") };
		digit_options(this.#o, given, 0, 3, false);
	}
	select(value) {
		const shown = plural_digits(this.#o, value);
		if (shown === undefined || (this.#o.type === "ordinal" && /[1-9]/.test(shown.fraction)))
			return "other";
		const { integer } = shown;
		if (this.#o.type === "cardinal")
			return shown.fraction === "" && /^0*1$/.test(integer) ? "one" : "other";
		return (/1.$/.test(integer) ? undefined : ORDINALS[integer.slice(-1)]) ?? "other";
	}
	selectRange(start, end) {
		if (start === undefined || end === undefined)
			throw new TypeError("Invalid argument");
		if (Number.isNaN(Number(start)) || Number.isNaN(Number(end)))
			throw new RangeError("Invalid range");
		return "other";
	}
	resolvedOptions() {
		// Node says "en" for what has no region of its own.
		const { rounding: _, roundingIncrement, roundingMode, roundingPriority, trailingZeroDisplay, notation: __, ...o } = this.#o;
		return { ...o, locale: "en", pluralCategories: o.type === "ordinal" ? ["few", "one", "two", "other"] : ["one", "other"],
			roundingIncrement, roundingMode, roundingPriority, trailingZeroDisplay };
	}
}
describe_class(PluralRules, "Intl.PluralRules");

export class RelativeTimeFormat {
	#o;
	#number;
	constructor(locales, options) {
		const given = options_of(options), { locale } = resolve_locale(locales);
		this.#o = { locale, style: option(given, "style", ["long", "short", "narrow"], "long"),
			numeric: option(given, "numeric", ["always", "auto"], "always"), numberingSystem: "latn" };
		this.#number = new NumberFormat("en-US");
	}
	format(value, unit) { return text_of(this.formatToParts(value, unit)); }
	formatToParts(given, named) {
		const value = Number(given), unit = String(named).replace(/s$/, "");
		const texts = line_of(relative, this.#o.style + " " + unit + "|")?.split("|");
		if (texts === undefined)
			throw new RangeError("Invalid unit argument for format() '" + named + "'");
		if (!Number.isFinite(value))
			throw new RangeError("The value is out of range: " + value);
		const word = this.#o.numeric === "auto" && Math.abs(value) <= 1 ? texts[5 + value] : undefined;
		if (word)
			return [{ type: "literal", value: word }];
		const past = value < 0 || Object.is(value, -0), number = this.#number.formatToParts(Math.abs(value));
		const [before, behind] = texts[(past ? 2 : 0) + (text_of(number) === "1" ? 0 : 1)].split("#");
		const literal = (text) => text === "" ? [] : [{ type: "literal", value: text }];
		return [...literal(before), ...number.map((p) => ({ ...p, unit })), ...literal(behind)];
	}
	resolvedOptions() { return { ...this.#o }; }
}
describe_class(RelativeTimeFormat, "Intl.RelativeTimeFormat");

// [between two, before the last of more, between the others]
const JOINTS = {
	conjunction: { long: [" and ", ", and ", ", "], short: [" & ", ", & ", ", "], narrow: [", ", ", ", ", "] },
	disjunction: { long: [" or ", ", or ", ", "], short: [" or ", ", or ", ", "], narrow: [" or ", ", or ", ", "] },
	unit: { long: [", ", ", ", ", "], short: [", ", ", ", ", "], narrow: [" ", " ", " "] },
};

export class ListFormat {
	#o;
	constructor(locales, options) {
		const given = options_of(options), { locale } = resolve_locale(locales);
		this.#o = { locale, type: option(given, "type", Object.keys(JOINTS), "conjunction"), style: option(given, "style", ["long", "short", "narrow"], "long") };
	}
	format(list) { return text_of(this.formatToParts(list)); }
	formatToParts(list) {
		const texts = list === undefined ? [] : [...list], [two, last, other] = JOINTS[this.#o.type][this.#o.style], parts = [];
		texts.forEach((value, i) => {
			if (typeof value !== "string")
				throw new TypeError("Iterable yielded " + String(value) + " which is not a string");
			if (i > 0)
				parts.push({ type: "literal", value: i < texts.length - 1 ? other : texts.length === 2 ? two : last });
			parts.push({ type: "element", value });
		});
		return parts;
	}
	resolvedOptions() { return { ...this.#o }; }
}
describe_class(ListFormat, "Intl.ListFormat");
