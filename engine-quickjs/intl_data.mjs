// SPDX-License-Identifier: MIT
//
// intl_data.mjs -- the tables of Intl for en-US, from what the build's own Node
// answers: node intl_data.mjs OUT/intl
//
// CLDR says what a unit, a date pattern or a time zone is called in English, and
// ICU which pattern fits which options. Node has both, so this file asks Node
// once for every combination, and Intl (../src/engine/library/intl_*.js) looks
// the answers up. The tables are texts of lines, which a script's memory holds
// as they are: nothing is parsed when a library is loaded.

import { mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { createRequire } from "node:module";

const out = process.argv[2];
const LOCALE = "en-US";
const bcp47 = (name) => createRequire(import.meta.url)("cldr-bcp47/bcp47/" + name + ".json").keyword.u;

const write = (name, tables) => {
	const text = Object.entries(tables)
		.map(([key, value]) => "export const " + key + " = " + JSON.stringify(value) + ";\n").join("");
	writeFileSync(out + "/" + name + ".js", text);
};

const lines = (list) => "\n" + list.join("\n") + "\n";

// ------------------------------------------------------------------ numbers

const part = (parts, type) => parts.find((p) => p.type === type)?.value ?? "";

// CODE|symbol|narrow symbol|one|other|digits; what is the code itself is empty.
const currency = (code) => {
	const as = (currencyDisplay, value) => part(new Intl.NumberFormat(LOCALE,
		{ style: "currency", currency: code, currencyDisplay, maximumFractionDigits: 0 }).formatToParts(value), "currency");
	const digits = new Intl.NumberFormat(LOCALE, { style: "currency", currency: code }).resolvedOptions().maximumFractionDigits;
	const own = (text) => text === code ? "" : text;
	return [code, own(as("symbol", 2)), own(as("narrowSymbol", 2)), as("name", 1), as("name", 2), digits].join("|");
};

const unit_text = (unit, unitDisplay, value) =>
	new Intl.NumberFormat(LOCALE, { style: "unit", unit, unitDisplay }).format(value);
const WIDTHS = ["long", "short", "narrow"];

// A unit|one and other, long, short and narrow, with # for the number|the same
// of "per unit", as it is put behind another unit.
const unit_texts = (unit) => WIDTHS.flatMap((width) =>
	[unit_text(unit, width, 1).replace("1", "#"), unit_text(unit, width, 2).replace("2", "#")]);
const per_texts = (unit) => WIDTHS.map((width) =>
	unit_text("liter-per-" + unit, width, 2).slice(unit_text("liter", width, 2).length));

// Pairs that have a text of their own have a line of their own.
const units = () => {
	const all = Intl.supportedValuesOf("unit").map((unit) => [unit, unit_texts(unit), per_texts(unit)]);
	const list = all.map(([unit, texts, per]) => [unit, ...texts, ...per].join("|"));
	const pairs = all.filter(([unit]) => unit !== "percent");
	for (const [a, texts] of pairs)
		for (const [b, , per] of pairs) {
			const own = unit_texts(a + "-per-" + b).join("|");
			if (own !== texts.map((text, i) => text + per[i >> 1]).join("|"))
				list.push(a + "-per-" + b + "|" + own);
		}
	return lines(list);
};

// -------------------------------------------------------------------- dates

// The width of every field of this moment can be told from its text.
const MOMENT = Date.UTC(2003, 1, 4, 3, 6, 7, 89);

// A pattern: letters are fields, and what stands between quotes is text.
const quoted = (value) => /[A-Za-z]/.test(value) ? "'" + value + "'" : value;
const pattern = (parts) => parts.map(({ type, value }) => type === "literal" ? quoted(value) : letters_of({ type, value })).join("");

const choices = (n) => [...Array(n).keys()];
const NAMES = {
	weekday: [undefined, "narrow", "short", "long"], era: [undefined, "narrow", "short", "long"],
	year: [undefined, "numeric", "2-digit"], month: [undefined, "numeric", "2-digit", "narrow", "short", "long"],
	day: [undefined, "numeric", "2-digit"],
};
const FIELDS = Object.keys(NAMES);

const date_formats = () => {
	let keys = [""];
	for (const field of FIELDS)
		keys = keys.flatMap((key) => choices(NAMES[field].length).map((i) => key + i));
	return keys.filter((key) => /[1-9]/.test(key.replace(/^(.)./, "$1"))).map((key) =>
		[key, Object.fromEntries(FIELDS.map((field, i) => [field, NAMES[field][key[i]]]))]);
};
const STYLES = ["full", "long", "medium", "short"];

// Ranges that differ first in their era, year, month, day, half day, hour, minute.
const RANGES = { G: [-2000, 1, 4, 3, 6], y: [2004, 1, 4, 3, 6], M: [2003, 2, 4, 3, 6], d: [2003, 1, 5, 3, 6],
	a: [2003, 1, 4, 15, 6], h: [2003, 1, 4, 4, 6], m: [2003, 1, 4, 3, 8] };

// A field of a pattern, from what it shows.
const letters_of = ({ type, value }) => {
	const letter = { weekday: "E", era: "G", year: "y", month: "M", day: "d", hour: "h", minute: "m", second: "s",
		dayPeriod: "a", timeZoneName: "z" }[type];
	if (type === "dayPeriod" || type === "timeZoneName")
		return letter;
	if (/^\d/.test(value))
		return letter.repeat(value.length === 2 ? 2 : 1);
	if (type === "era")
		return letter.repeat({ 1: 5, 2: 1 }[value.length] ?? 4);
	return letter.repeat({ 1: 5, 3: 3 }[value.length] ?? 4);
};

// The pattern of a range, with < before what is of its start, > of its end, and
// = of both; undefined where it is the two whole patterns with a dash between.
const range_pattern = (format, letter) => {
	const [year, month, day, hour, minute] = RANGES[letter];
	const a = new Date(MOMENT), b = new Date(MOMENT);
	b.setUTCFullYear(year, month, day);
	b.setUTCHours(hour, minute);
	const [from, to] = b < a ? [b, a] : [a, b];
	const parts = format.formatRangeToParts(from, to);
	if (parts.every((p) => p.source === "shared"))
		return undefined;
	let source = "", text = "";
	for (const p of parts) {
		const mark = { startRange: "<", endRange: ">", shared: "=" }[p.source];
		text += (mark === source ? "" : mark) + (p.type === "literal" ? quoted(p.value) : letters_of(p));
		source = mark;
	}
	const whole = pattern(format.formatToParts(MOMENT));
	return text === "<" + whole + "=\u2009–\u2009>" + whole ? undefined : text;
};

const ranges = (format, key, letters) => [...letters].map((letter) => [key + letter, range_pattern(format, letter)])
	.filter(([, p]) => p !== undefined).map(([k, p]) => k + p);

const dates = () => {
	const single = [], interval = [];
	for (const [key, options] of date_formats()) {
		const format = new Intl.DateTimeFormat(LOCALE, { ...options, timeZone: "UTC" });
		single.push(key + pattern(format.formatToParts(MOMENT)));
		if (/^[02]0/.test(key))
			interval.push(...ranges(format, key, "GyMd"));
	}
	for (const dateStyle of STYLES) {
		const format = new Intl.DateTimeFormat(LOCALE, { dateStyle, timeZone: "UTC" });
		single.push(dateStyle + " " + pattern(format.formatToParts(MOMENT)));
		interval.push(...ranges(format, dateStyle + " ", "GyMd"));
	}
	return { dates: lines(single), date_ranges: lines(interval), time_ranges: lines(times()) };
};

// Ranges of a time: the cycle, then whether minutes and a time zone are shown.
const times = () => ["h12", "h23"].flatMap((hourCycle) => ["00", "10", "01", "11"].flatMap((key) =>
	ranges(new Intl.DateTimeFormat(LOCALE, {
		hourCycle, hour: "numeric", minute: [, "numeric"][key[0]], timeZoneName: [, "short"][key[1]], timeZone: "UTC",
	}), hourCycle + key, "ahm")));

// -------------------------------------------------------------------- zones

const zone_name = (timeZone, timeZoneName, at) =>
	part(new Intl.DateTimeFormat(LOCALE, { timeZone, timeZoneName }).formatToParts(at), "timeZoneName");

// Zone|long in winter|long in summer|short in winter|short in summer|long and
// short of the whole year; a name that only says the offset is empty.
const zone_line = (zone) => {
	const days = [Date.UTC(2024, 0, 15), Date.UTC(2024, 6, 15)];
	const minutes = (at) => {
		const [, sign, h, m] = /([+-])(\d+):(\d+)/.exec(zone_name(zone, "longOffset", at)) ?? [, "+", 0, 0];
		return (sign === "-" ? -1 : 1) * (h * 60 + Number(m));
	};
	if (minutes(days[0]) > minutes(days[1]))
		days.reverse();
	const own = (text) => /^GMT[+-]/.test(text) ? "" : text;
	return [zone, ...["long", "short"].flatMap((style) => days.map((at) => own(zone_name(zone, style, at)))),
		own(zone_name(zone, "longGeneric", days[0])), own(zone_name(zone, "shortGeneric", days[0]))].join("|");
};

// All names that there are: Name, or Name|the name that Intl uses for it.
const zones = () => {
	const primary = new Set(Intl.supportedValuesOf("timeZone"));
	const names = new Map([...primary, "UTC"].map((zone) => [zone, zone]));
	for (const { _alias } of Object.values(bcp47("timezone").tz))
		for (const name of (_alias ?? "").split(" "))
			try {
				names.set(name, new Intl.DateTimeFormat(LOCALE, { timeZone: name }).resolvedOptions().timeZone);
			} catch {
				// CLDR lists a few names that are none of a zone.
			}
	return {
		zones: lines([...names].sort().map(([name, zone]) => name === zone ? name : name + "|" + zone)),
		zone_names: lines([...new Set(names.values())].sort().map(zone_line)),
	};
};

// ------------------------------------------------------------ relative times

// style unit|in one|in others|one ago|others ago|-1|0|1; the last three where a
// word stands for the number, otherwise empty.
const relative = () => WIDTHS.flatMap((style) => ["second", "minute", "hour", "day", "week", "month", "quarter", "year"].map((unit) => {
	const say = (numeric, value) => new Intl.RelativeTimeFormat(LOCALE, { style, numeric }).format(value, unit);
	const word = (value) => say("auto", value) === say("always", value) ? "" : say("auto", value);
	return [style + " " + unit, ...[1, 2, -1, -2].map((value) => say("always", value).replace(/\d/, "#")), word(-1), word(0), word(1)].join("|");
}));

// ----------------------------------------------------------- order of texts

// The root's order of all characters of the first plane, but those that have
// none of their own: Han and Hangul, which are in code point order, and what is
// ordered as the characters that it is made of.
//
//	order   all with a primary weight, in their order; 1 before one that
//	        differs from the one before in case and the like, 2 in accents
//	marks   those that are accents, in their order
//	pairs   characters that are ordered as two letters: "æae"
//	punctuation  how many UTF-16 units of order are white space and punctuation
const collation = () => {
	const by = (sensitivity, more) => new Intl.Collator(LOCALE, { sensitivity, ...more }).compare;
	const full = by("variant"), accent = by("accent"), base = by("base"), shifted = by("variant", { ignorePunctuation: true });
	const order = [], marks = [], pairs = [];
	for (let code = 0; code < 0xfffe; code++) {
		const c = String.fromCharCode(code);
		const parts = c.normalize("NFD"), compatible = c.normalize("NFKD");
		if (/[\p{Cn}\p{Cs}\p{Co}\p{Ideographic}\u1100-\u11ff\uac00-\ud7ff\u0001\u0002]/u.test(c) || full("", c) === 0)
			continue;
		if (base("", c) === 0)
			marks.push(c);
		else if (compatible === c || base(c, compatible) !== 0 || (parts !== c && c.normalize("NFC") === c && base(c, parts[0]) !== 0))
			order.push(c);
	}
	order.sort((a, b) => full(a, b) || (a < b ? -1 : 1));
	marks.sort((a, b) => full("a" + a, "a" + b) || (a < b ? -1 : 1));
	const letters = "abcdefghijklmnopqrstuvwxyz";
	const as_pair = (c) => {
		if (!/[\u00c0-\u024f\u1e9e]/.test(c))
			return undefined;
		for (const a of letters)
			for (const b of letters)
				if (base(c, a + b) === 0)
					return a + b;
		return undefined;
	};
	let text = "", last;
	for (const c of order) {
		const pair = as_pair(c);
		if (pair !== undefined) {
			pairs.push(c + pair);
			continue;
		}
		text += (last === undefined || base(last, c) !== 0 ? "" : accent(last, c) !== 0 ? "\u0002" : "\u0001") + c;
		last = c;
	}
	const first = order.find((c) => shifted("", c) !== 0);
	return { order: text, marks: marks.join(""), pairs: lines(pairs), punctuation: text.indexOf(first) };
};

// --------------------------------------------------------------------- main

mkdirSync(out, { recursive: true });
const codes = Object.keys(bcp47("currency").cu).filter((code) => code.length === 3).map((code) => code.toUpperCase());
write("numbers", { currencies: lines(codes.sort().map(currency)), units: units() });
write("dates", dates());
const { zones: names, zone_names } = zones();
write("zones", { zones: names });
write("zone_names", { zone_names });
write("collation", collation());
write("relative", { relative: lines(relative()) });
