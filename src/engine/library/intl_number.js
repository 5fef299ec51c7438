// SPDX-License-Identifier: MIT
//
// intl_number.js -- Intl.NumberFormat for en-US.
//
// A number is its decimal digits from here on, as ICU takes it:
//
//	{ negative, digits: "125", point: 1 }   is 1.25; zero has no digits
//	{ negative, special: "NaN" or "∞" }

import { cached, callable, line_of, number_option, option, options_of, resolve_locale,
	text_of } from "codemode:intl_locale";
import { currencies, units } from "intl/numbers.js";

// ----------------------------------------------------------------- decimals

const NUMBER = /^([+-]?)(\d*)\.?(\d*)(?:e([+-]?\d+))?$/i;

const decimal = (x) => {
	let text = typeof x === "number" ? (x === 0 && 1 / x < 0 ? "-0" : String(x)) : String(x).trim();
	if (typeof x === "string")
		text = NUMBER.test(text) && /\d/.test(text) ? text : /^0[xob]/i.test(text) ? String(Number(text)) : text.replace(/^$/, "0");
	const m = NUMBER.exec(text);
	if (m === null)
		return { negative: text[0] === "-", special: /^[+-]?Infinity$/.test(text) ? "∞" : "NaN" };
	const all = m[2] + m[3], digits = all.replace(/^0+/, "");
	return {
		negative: m[1] === "-",
		point: m[2].length - (all.length - digits.length) + Number(m[4] ?? 0),
		digits: digits.replace(/0+$/, ""),
	};
};

const numeric = (value) => {
	if (typeof value === "object" && value !== null || typeof value === "function")
		value = typeof value[Symbol.toPrimitive] === "function" ? value[Symbol.toPrimitive]("number") : to_primitive(value);
	return decimal(typeof value === "bigint" || typeof value === "string" ? value : Number(value));
};

const to_primitive = (value) => {
	const number = value.valueOf();
	return typeof number === "object" && number !== null ? value.toString() : number;
};

// Is the part that is cut off rounded away from zero? `half` compares it with
// one half: -1, 0 or 1.
const rounds_up = (mode, negative, odd, half) => {
	switch (mode) {
	case "ceil": return !negative;
	case "floor": return negative;
	case "expand": return true;
	case "trunc": return false;
	}
	if (half !== 0)
		return half > 0;
	return { halfCeil: !negative, halfFloor: negative, halfExpand: true, halfTrunc: false, halfEven: odd }[mode];
};

// d as a multiple of increment * 10^place.
const round = (d, place, mode, increment) => {
	const keep = d.point - place;
	if (d.digits === "" || (keep >= d.digits.length && increment === 1))
		return d;
	const shown = keep > 0 ? d.digits.slice(0, keep).padEnd(keep, "0") : "0";
	const rest = keep < 0 ? "0" + d.digits : d.digits.slice(keep);
	const step = BigInt(increment), whole = BigInt(shown), over = whole % step;
	// The remainder, doubled, against the step, at the precision of rest.
	const scale = 10n ** BigInt(rest.length), remainder = (over * scale + BigInt(rest || "0")) * 2n, one = step * scale;
	if (remainder === 0n)
		return d;
	const half = remainder < one ? -1 : remainder > one ? 1 : 0;
	const rounded_units = whole - over + (rounds_up(mode, d.negative, whole / step % 2n === 1n, half) ? step : 0n);
	const text = String(rounded_units);
	return rounded_units === 0n ? { negative: d.negative, digits: "", point: 0 }
		: { negative: d.negative, digits: text.replace(/0+$/, ""), point: text.length + place };
};

// The same for the usual case, without large integers.
const round_place = (d, place, o) => {
	const keep = d.point - place;
	if (d.digits === "" || keep >= d.digits.length || keep < 1 || o.roundingMode !== "halfExpand" || o.roundingIncrement !== 1 || keep > 15)
		return round(d, place, o.roundingMode, o.roundingIncrement);
	const text = String(Number(d.digits.slice(0, keep)) + (d.digits[keep] >= "5" ? 1 : 0));
	return { negative: d.negative, digits: text.replace(/0+$/, ""), point: text.length + place };
};

// The rounded number, with how many digits behind the point it must show.
const round_fraction = (d, o) => {
	const r = round_place(d, -o.maximumFractionDigits, o);
	return { r, magnitude: -o.maximumFractionDigits, least: o.minimumFractionDigits };
};
const round_significant = (d, o) => {
	const place = (d.digits === "" ? 1 : d.point) - o.maximumSignificantDigits;
	const r = round_place(d, place, o);
	return { r, magnitude: place, least: Math.max(0, o.minimumSignificantDigits - (r.digits === "" ? 1 : r.point)) };
};

const rounded = (d, o) => {
	if (o.rounding === "fraction")
		return round_fraction(d, o);
	const significant = round_significant(d, o);
	if (o.rounding === "significant")
		return significant;
	const fraction = round_fraction(d, o);
	return (o.rounding === "more") === (significant.magnitude <= fraction.magnitude) ? significant : fraction;
};

// { r, integer, fraction }: what is shown of d.
const shown_digits = (d, o) => {
	const { r, least } = rounded(d, o);
	const integer = r.point > 0 ? r.digits.slice(0, r.point).padEnd(r.point, "0") : "0";
	let fraction = r.digits === "" ? "" : r.point > 0 ? r.digits.slice(r.point) : "0".repeat(-r.point) + r.digits;
	if (fraction !== "" || o.trailingZeroDisplay !== "stripIfInteger")
		fraction = fraction.padEnd(least, "0");
	return { r, integer: integer.padStart(o.minimumIntegerDigits, "0"), fraction };
};

// ------------------------------------------------------------------ options

const ROUNDING_MODES = ["ceil", "floor", "expand", "trunc", "halfCeil", "halfFloor", "halfExpand", "halfTrunc", "halfEven"];
const INCREMENTS = [1, 2, 5, 10, 20, 25, 50, 100, 200, 250, 500, 1000, 2000, 2500, 5000];

const fraction_digits = (options, o, least, most) => {
	let min = number_option({ v: options.minimumFractionDigits }, "v", 0, 100);
	let max = number_option({ v: options.maximumFractionDigits }, "v", 0, 100);
	if (min === undefined)
		min = Math.min(least, max ?? least);
	else if (max === undefined)
		max = Math.max(most, min);
	else if (min > max)
		throw new RangeError("maximumFractionDigits value is out of range.");
	o.minimumFractionDigits = min;
	o.maximumFractionDigits = max ?? Math.max(most, min);
};

// The options of digits, which PluralRules has, too.
export const digit_options = (o, options, least, most, compact) => {
	o.minimumIntegerDigits = number_option(options, "minimumIntegerDigits", 1, 21, 1);
	o.roundingIncrement = number_option(options, "roundingIncrement", 1, 5000, 1);
	if (!INCREMENTS.includes(o.roundingIncrement))
		throw new RangeError("roundingIncrement value is out of range.");
	o.roundingMode = option(options, "roundingMode", ROUNDING_MODES, "halfExpand");
	o.roundingPriority = option(options, "roundingPriority", ["auto", "morePrecision", "lessPrecision"], "auto");
	o.trailingZeroDisplay = option(options, "trailingZeroDisplay", ["auto", "stripIfInteger"], "auto");
	const priority = o.roundingPriority;
	const has_significant = options.minimumSignificantDigits !== undefined || options.maximumSignificantDigits !== undefined;
	const has_fraction = options.minimumFractionDigits !== undefined || options.maximumFractionDigits !== undefined;
	if (has_significant || priority !== "auto") {
		o.minimumSignificantDigits = number_option(options, "minimumSignificantDigits", 1, 21, 1);
		o.maximumSignificantDigits = number_option(options, "maximumSignificantDigits", o.minimumSignificantDigits, 21, 21);
	}
	if ((has_fraction || !compact) && (!has_significant || priority !== "auto"))
		fraction_digits(options, o, o.roundingIncrement === 1 ? least : most, most);
	if (o.roundingIncrement !== 1 && (has_significant || priority !== "auto"))
		throw new TypeError("roundingIncrement value is invalid.");
	if (o.roundingIncrement !== 1 && o.maximumFractionDigits !== o.minimumFractionDigits)
		throw new RangeError("roundingIncrement value is out of range.");
	o.rounding = priority === "morePrecision" ? "more" : priority === "lessPrecision" ? "less"
		: has_significant ? "significant" : "fraction";
	if (o.rounding === "fraction" && o.maximumFractionDigits === undefined)
		Object.assign(o, { rounding: "more", roundingPriority: "morePrecision", minimumFractionDigits: 0, maximumFractionDigits: 0,
			minimumSignificantDigits: 1, maximumSignificantDigits: 2 });
	else if (o.rounding !== "fraction" && o.rounding !== "significant" && o.maximumFractionDigits === undefined)
		Object.assign(o, { minimumFractionDigits: 0, maximumFractionDigits: 0 });
};

const unit_line = (unit) => line_of(units, unit + "|");

// The six texts of a unit (intl_data.mjs); undefined: there is no such unit.
const unit_texts = (unit) => {
	const own = unit_line(unit)?.split("|");
	if (own !== undefined || !unit.includes("-per-"))
		return own;
	const [a, b] = unit.split("-per-").map((part) => unit_line(part)?.split("|"));
	return a && b && a.slice(0, 6).map((text, i) => text + b[6 + (i >> 1)]);
};

const check_unit_options = (o, options) => {
	const code = option(options, "currency"), unit = option(options, "unit");
	const currencyDisplay = option(options, "currencyDisplay", ["code", "symbol", "narrowSymbol", "name"], "symbol");
	const currencySign = option(options, "currencySign", ["standard", "accounting"], "standard");
	const unitDisplay = option(options, "unitDisplay", ["short", "narrow", "long"], "short");
	if (code !== undefined && !/^[a-z]{3}$/i.test(code))
		throw new RangeError("Invalid currency code : " + code);
	if (unit !== undefined && unit_texts(unit) === undefined)
		throw new RangeError("Invalid unit argument for Intl.NumberFormat() '" + unit + "'");
	if (o.style === "currency") {
		if (code === undefined)
			throw new TypeError("Currency code is required with currency style.");
		Object.assign(o, { currency: code.toUpperCase(), currencyDisplay, currencySign });
	}
	if (o.style === "unit") {
		if (unit === undefined)
			throw new TypeError("Required option \"unit\" must not be undefined");
		Object.assign(o, { unit, unitDisplay });
	}
};

const grouping = (options, compact) => {
	const value = options.useGrouping, fallback = compact ? "min2" : "auto";
	if (value === undefined || value === "true" || value === "false")
		return fallback;
	if (value === true)
		return "always";
	return Boolean(value) && option(options, "useGrouping", ["min2", "auto", "always"]);
};

const number_options = (o, options) => {
	o.style = option(options, "style", ["decimal", "percent", "currency", "unit"], "decimal");
	check_unit_options(o, options);
	o.notation = option(options, "notation", ["standard", "scientific", "engineering", "compact"], "standard");
	const compact = o.notation === "compact";
	const line = o.style === "currency" ? (line_of(currencies, o.currency + "|") ?? "||" + o.currency + "|" + o.currency + "|2").split("|") : undefined;
	const digits = line && o.notation === "standard" ? Number(line[4]) : 0;
	digit_options(o, options, digits, line && o.notation === "standard" ? digits : o.style === "percent" ? 0 : 3, compact);
	const compactDisplay = option(options, "compactDisplay", ["short", "long"], "short");
	if (compact)
		o.compactDisplay = compactDisplay;
	o.useGrouping = grouping(options, compact);
	o.signDisplay = option(options, "signDisplay", ["auto", "never", "always", "exceptZero", "negative"], "auto");
	return line;
};

// ------------------------------------------------------------------ formats

const COMPACT = { short: ["", "K", "M", "B", "T"], long: ["", "thousand", "million", "billion", "trillion"] };

const exponent_at = (magnitude, notation) => {
	switch (notation) {
	case "scientific": return magnitude;
	case "engineering": return Math.floor(magnitude / 3) * 3;
	case "compact": return Math.min(12, Math.max(0, Math.floor(magnitude / 3) * 3));
	}
	return 0;
};

// The digits of d and the power of ten that its notation takes out of them.
const with_exponent = (d, o) => {
	if (o.notation === "standard" || d.digits === "")
		return { shown: shown_digits(d, o), exponent: 0 };
	let exponent = exponent_at(d.point - 1, o.notation);
	const at = (e) => shown_digits({ ...d, point: d.point - e }, o);
	let shown = at(exponent);
	const after = exponent_at(shown.r.digits === "" ? d.point - 1 : shown.r.point + exponent - 1, o.notation);
	if (after !== exponent)
		shown = at(exponent = after);
	return { shown, exponent };
};

const group_parts = (integer, o, parts) => {
	const least = o.useGrouping === "min2" || (o.notation === "compact" && o.useGrouping === "auto") ? 5 : 4;
	if (o.useGrouping === false || integer.length < least) {
		parts.push({ type: "integer", value: integer });
		return;
	}
	let at = integer.length % 3 || 3;
	parts.push({ type: "integer", value: integer.slice(0, at) });
	for (; at < integer.length; at += 3)
		parts.push({ type: "group", value: "," }, { type: "integer", value: integer.slice(at, at + 3) });
};

const exponent_parts = (exponent, o, parts) => {
	if (o.notation !== "scientific" && o.notation !== "engineering")
		return;
	parts.push({ type: "exponentSeparator", value: "E" });
	if (exponent < 0)
		parts.push({ type: "exponentMinusSign", value: "-" });
	parts.push({ type: "exponentInteger", value: String(Math.abs(exponent)) });
};

const sign_of = (negative, zero, nan, o) => {
	switch (o.signDisplay) {
	case "never": return "";
	case "always": return negative ? "-" : "+";
	case "exceptZero": return zero || nan ? "" : negative ? "-" : "+";
	case "negative": return negative && !zero ? "-" : "";
	}
	return negative ? "-" : "";
};

// Parts of a unit's text before and behind its #.
const unit_parts = (text, before, outer) => {
	const [first, last] = text.split("#"), name = last.trim();
	if (first !== "")
		before.push({ type: "unit", value: first });
	if (last !== name)
		outer.push({ type: "literal", value: " " });
	if (name !== "")
		outer.push({ type: "unit", value: name });
};

const currency_symbol = (o, line) => {
	if (o.currencyDisplay === "code")
		return o.currency;
	const [symbol, narrow] = line;
	return (o.currencyDisplay === "narrowSymbol" && (narrow || o.currency)) || symbol || o.currency;
};

const all_parts = (p) => [...p.before, ...p.number, ...p.behind, ...p.outer];
const with_source = (source, parts) => parts.map((p) => ({ ...p, source }));

// Both ends are shown alike.
const near_parts = (p) => {
	const before = [...p.before];
	before.splice(before.findIndex(({ type }) => type === "minusSign") + 1, 0, { type: "approximatelySign", value: "~" });
	return with_source("shared", all_parts({ ...p, before }));
};

// What is the same around both numbers is said once: a unit always, a sign and
// symbols if they are more than one character.
const range_parts = (a, b) => {
	const around = (p) => text_of(p.before) + "#" + text_of(p.behind);
	const outer_once = a.outer.length === b.outer.length;
	const once = outer_once && around(a) === around(b) && [...around(a)].length > 2;
	const repeats = a.exponent || (!once && (around(a) !== "#" || around(b) !== "#"));
	const dash = with_source("shared", [{ type: "literal", value: repeats ? " – " : "–" }]);
	const closing = once ? undefined : a.behind.findLast(({ type }) => type === "literal")?.value;
	if (closing === ")") {
		a.behind.pop();
		dash[0].value = closing + dash[0].value;
	}
	if (once)
		return [...with_source("shared", b.before), ...with_source("startRange", a.number), ...dash,
			...with_source("endRange", b.number), ...with_source("shared", [...b.behind, ...b.outer])];
	return [...with_source("startRange", [...a.before, ...a.number, ...a.behind]), ...dash,
		...with_source("endRange", [...b.before, ...b.number, ...b.behind]), ...with_source("shared", b.outer)];
};

class NumberFormatter {
	#o;
	#line; // of the currency
	#texts; // of the unit
	#bound;

	constructor(locales, options) {
		const { locale } = resolve_locale(locales);
		const o = this.#o = { locale, numberingSystem: "latn" };
		this.#line = number_options(o, options_of(options));
		if (o.style === "unit")
			this.#texts = unit_texts(o.unit).slice({ long: 0, short: 2, narrow: 4 }[o.unitDisplay]);
	}

	// Lists of parts: `outer` is a unit or name behind everything else.
	#pieces(d) {
		const o = this.#o, number = [], before = [], behind = [], outer = [];
		let zero = false, one = false;
		if (d.special !== undefined) {
			number.push({ type: d.special === "NaN" ? "nan" : "infinity", value: d.special });
		} else {
			if (o.style === "percent" && d.digits !== "")
				d = { ...d, point: d.point + 2 };
			const { shown, exponent } = with_exponent(d, o);
			zero = shown.r.digits === "";
			one = shown.integer === "1" && shown.fraction === "" && exponent === 0;
			group_parts(shown.integer, o, number);
			if (shown.fraction !== "")
				number.push({ type: "decimal", value: "." }, { type: "fraction", value: shown.fraction });
			exponent_parts(exponent, o, number);
			if (o.notation === "compact" && exponent > 0)
				this.#compact_parts(exponent, behind);
		}
		this.#unit_parts(one, d.special === undefined, before, behind, outer);
		this.#sign_parts(sign_of(d.negative && d.special !== "NaN", zero, d.special === "NaN", o), before, behind);
		return { before, number, behind, outer, exponent: o.notation === "scientific" || o.notation === "engineering" };
	}

	#compact_parts(exponent, behind) {
		const long = this.#o.compactDisplay === "long" && (this.#o.style !== "currency" || this.#o.currencyDisplay === "name");
		if (long)
			behind.push({ type: "literal", value: " " });
		behind.push({ type: "compact", value: COMPACT[long ? "long" : "short"][exponent / 3] });
	}

	#unit_parts(one, finite, before, behind, outer) {
		const o = this.#o;
		if (o.style === "percent") {
			if (o.notation === "compact")
				outer.push({ type: "unit", value: "%" });
			else
				behind.push({ type: "percentSign", value: "%" });
		} else if (o.style === "unit") {
			unit_parts(this.#texts[one ? 0 : 1], before, o.unit === "percent" && o.unitDisplay !== "long" ? behind : outer);
		} else if (o.style === "currency" && o.currencyDisplay === "name") {
			outer.push({ type: "literal", value: " " }, { type: "currency", value: this.#line[one ? 2 : 3] });
		} else if (o.style === "currency") {
			const symbol = currency_symbol(o, this.#line);
			before.push({ type: "currency", value: symbol });
			if (/[^\p{S}\p{Z}]$/u.test(symbol) && finite)
				before.push({ type: "literal", value: "\u00a0" });
		}
	}

	#sign_parts(sign, before, behind) {
		if (sign === "")
			return;
		if (sign === "-" && this.#o.currencySign === "accounting" && this.#o.currencyDisplay !== "name") {
			before.unshift({ type: "literal", value: "(" });
			behind.push({ type: "literal", value: ")" });
		} else {
			before.unshift(sign === "-" ? { type: "minusSign", value: "-" } : { type: "plusSign", value: "+" });
		}
	}

	// For plain integers, without any of the above.
	#quick(value) {
		const o = this.#o;
		if (typeof value !== "number" || !Number.isSafeInteger(value) || value < 0 || (value === 0 && 1 / value < 0) || o.style !== "decimal" ||
			o.notation !== "standard" || o.rounding !== "fraction" || o.minimumFractionDigits > 0 || o.minimumIntegerDigits > 1 ||
			o.roundingIncrement > 1 || o.useGrouping !== "auto" || o.signDisplay !== "auto")
			return undefined;
		let text = String(value), out = "";
		while (text.length > 3) {
			out = "," + text.slice(-3) + out;
			text = text.slice(0, -3);
		}
		return text + out;
	}

	get format() {
		return this.#bound ??= (value) => this.#quick(value) ?? text_of(this.formatToParts(value));
	}
	formatToParts(value) { return all_parts(this.#pieces(numeric(value))); }
	formatRange(start, end) { return text_of(this.formatRangeToParts(start, end)); }
	formatRangeToParts(start, end) {
		if (start === undefined || end === undefined)
			throw new TypeError("start or end value is undefined");
		const d = numeric(start), e = numeric(end);
		if (d.special === "NaN" || e.special === "NaN")
			throw new RangeError("Invalid range");
		const a = this.#pieces(d), b = this.#pieces(e);
		return text_of(all_parts(a)) === text_of(all_parts(b)) ? near_parts(a) : range_parts(a, b);
	}

	resolvedOptions() {
		const { rounding: _, ...o } = this.#o;
		const order = ["locale", "numberingSystem", "style", "currency", "currencyDisplay", "currencySign", "unit", "unitDisplay", "minimumIntegerDigits",
			"minimumFractionDigits", "maximumFractionDigits", "minimumSignificantDigits", "maximumSignificantDigits", "useGrouping", "notation",
			"compactDisplay", "signDisplay", "roundingIncrement", "roundingMode", "roundingPriority", "trailingZeroDisplay"];
		return Object.fromEntries(order.filter((name) => o[name] !== undefined).map((name) => [name, o[name]]));
	}
}
export const NumberFormat = callable(NumberFormatter, "Intl.NumberFormat");

// The digits that PluralRules looks at.
export const plural_digits = (o, value) => {
	const d = numeric(value);
	return d.special === undefined ? shown_digits(d, o) : undefined;
};

const formatter = cached((locales, options) => new NumberFormatter(locales, options));
export const number_to_locale = (value, locales, options) => formatter(locales, options).format(value);
export const all_currencies = () => currencies.slice(1, -1).split("\n").map((line) => line.slice(0, 3));
export const all_units = () => units.slice(1, -1).split("\n").map((line) => line.split("|")[0]).filter((unit) => !unit.includes("-per-"));
