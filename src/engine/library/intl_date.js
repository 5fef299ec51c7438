// SPDX-License-Identifier: MIT
//
// intl_date.js -- Intl.DateTimeFormat for en-US.
//
// The options become a pattern, which intl_data.mjs describes; a letter of it
// is a field, and its count how the field is written. Hours are `h` in each
// cycle. Times come from rules, dates and ranges from tables.

import { warn } from "codemode:host";
import { boolean_option, cached, callable, line_of, number_option, option, options_of, resolve_locale,
	text_of } from "codemode:intl_locale";
import { open_zone, zone_text } from "codemode:intl_zone";
import { date_ranges, dates, time_ranges } from "intl/dates.js";

const MONTHS = ["January", "February", "March", "April", "May", "June", "July", "August", "September", "October", "November", "December"];
const DAYS = ["Sunday", "Monday", "Tuesday", "Wednesday", "Thursday", "Friday", "Saturday"];
const TEXTS = ["narrow", "short", "long"], NUMBERS = ["numeric", "2-digit"];
const FIELDS = {
	weekday: TEXTS, era: TEXTS, year: NUMBERS, month: [...NUMBERS, ...TEXTS], day: NUMBERS,
	dayPeriod: TEXTS, hour: NUMBERS, minute: NUMBERS, second: NUMBERS, fractionalSecondDigits: [1, 2, 3],
	timeZoneName: ["short", "long", "shortOffset", "longOffset", "shortGeneric", "longGeneric"],
};
const DATE_FIELDS = ["weekday", "era", "year", "month", "day"];
const ZONE_LETTERS = { short: "z", long: "zzzz", shortOffset: "O", longOffset: "OOOO", shortGeneric: "v", longGeneric: "vvvv" };
const STYLES = ["full", "long", "medium", "short"];

// ------------------------------------------------------------------ patterns

const date_pattern = (f) => {
	const key = DATE_FIELDS.map((name) => FIELDS[name].indexOf(f[name]) + 1).join("");
	if (/^0.000$/.test(key))
		return { key, pattern: f.era === undefined ? "" : "G".repeat({ short: 1, long: 4, narrow: 5 }[f.era]) };
	return { key, pattern: line_of(dates, key) };
};

const seconds_pattern = (f) => {
	const fraction = f.fractionalSecondDigits === undefined ? "" : "S".repeat(f.fractionalSecondDigits);
	return (second) => second + (fraction && second ? "." : "") + fraction;
};

// CLDR has no pattern for some of these, and ICU shows that.
const time_pattern = (f, twelve) => {
	const with_fraction = seconds_pattern(f), fraction = f.fractionalSecondDigits !== undefined;
	const half = twelve && f.dayPeriod !== undefined ? "B" : "a";
	if (f.hour === undefined) {
		const none = f.minute ?? f.second ?? f.fractionalSecondDigits;
		const odd = f.dayPeriod === undefined ? "" : none === undefined ? "B" : "' ├AM/PM: 'B┤";
		if (f.minute !== undefined && (f.second !== undefined || fraction))
			return "mm:" + with_fraction("ss") + odd;
		return (f.minute !== undefined ? "m" : f.second !== undefined || fraction ? with_fraction(f.second === undefined ? "" : "s") : "") + odd;
	}
	const hour = f.hour === "2-digit" || !twelve ? "hh" : "h";
	const tail = !twelve ? "" : half === "a" ? "\u202fa" : " B";
	if (f.minute !== undefined)
		return hour + ":mm" + (f.second !== undefined || fraction ? ":" + with_fraction("ss") : "") + tail;
	if (fraction)
		return hour + tail + "' ├F14: '" + with_fraction("") + "┤";
	return hour + tail + (f.second !== undefined ? "' (second: 's')'" : "");
};

const whole_time = (f, twelve) => {
	const time = time_pattern(f, twelve), zone = ZONE_LETTERS[f.timeZoneName] ?? "";
	return time + (time && zone ? " " : "") + zone;
};

// What stands between a date and a time.
const joint = (f, key, pattern, twelve) => {
	if (/^.0000$/.test(key) && f.hour !== undefined && f.timeZoneName === undefined && (twelve || f.minute !== undefined))
		return " ";
	return /(^|[^M])M{4}([^M]|$)/.test(pattern) ? "' at '" : ", ";
};

const style_pattern = (dateStyle, timeStyle, twelve) => {
	const date = dateStyle === undefined ? "" : line_of(dates, dateStyle + " ");
	const time = timeStyle === undefined ? "" : (twelve ? "h:mm" : "hh:mm") + (timeStyle === "short" ? "" : ":ss") +
		(twelve ? "\u202fa" : "") + ({ full: " zzzz", long: " z" }[timeStyle] ?? "");
	return { key: dateStyle + " ", date, time, joint: date && time ? (/long|full/.test(dateStyle) ? "' at '" : ", ") : "" };
};

const TOKEN = /'([^']*)'|([A-Za-z])\2*|[^A-Za-z']+/g;
const parsed = new Map();
const tokens_of = (pattern) => {
	let tokens = parsed.get(pattern);
	if (tokens === undefined) {
		tokens = [];
		for (const [whole, quoted, letter] of pattern.matchAll(TOKEN)) {
			const last = tokens[tokens.length - 1];
			if (letter !== undefined)
				tokens.push({ letter, width: whole.length });
			else if (last?.text !== undefined)
				last.text += quoted ?? whole;
			else
				tokens.push({ text: quoted ?? whole });
		}
		parsed.set(pattern, tokens);
	}
	return tokens;
};

// ------------------------------------------------------------------- fields

const moment = (zone, ms) => {
	// Near the ends of time the local time may be outside of what Date holds.
	const local = ms + zone.at(ms).offset * 1000, beyond = Math.abs(local) > 8.64e15 ? 400 * Math.sign(local) : 0;
	const d = new Date(local - beyond * 31556952000), year = d.getUTCFullYear() + beyond;
	return {
		ms, G: year > 0 ? 1 : 0, y: year > 0 ? year : 1 - year, M: d.getUTCMonth(), d: d.getUTCDate(), E: d.getUTCDay(),
		h: d.getUTCHours(), m: d.getUTCMinutes(), s: d.getUTCSeconds(), S: d.getUTCMilliseconds(),
	};
};

const part_of_day = (h, width) => h < 12 ? "in the morning" : h === 12 ? (width === "narrow" ? "n" : "noon")
	: h < 18 ? "in the afternoon" : h < 21 ? "in the evening" : "at night";
const two = (n, width) => width === 2 ? String(n).padStart(2, "0") : String(n);
const named = (names, i, width) => width === 4 ? names[i] : names[i].slice(0, width === 5 ? 1 : 3);
const hour_in = (h, cycle) => ({ h11: h % 12, h12: h % 12 || 12, h23: h, h24: h || 24 }[cycle]);

const TYPES = { E: "weekday", G: "era", y: "year", M: "month", d: "day", h: "hour", m: "minute", s: "second", S: "fractionalSecond",
	a: "dayPeriod", B: "dayPeriod", z: "timeZoneName", O: "timeZoneName", v: "timeZoneName" };

const field_text = (letter, width, t, format) => {
	switch (letter) {
	case "E": return named(DAYS, t.E, width);
	case "G": return width === 4 ? ["Before Christ", "Anno Domini"][t.G] : width === 5 ? "BA"[t.G] : ["BC", "AD"][t.G];
	case "y": return width === 2 ? two(t.y % 100, 2) : String(t.y);
	case "M": return width > 2 ? named(MONTHS, t.M, width) : two(t.M + 1, width);
	case "h": return two(hour_in(t.h, format.cycle), width);
	case "S": return String(t.S).padStart(3, "0").slice(0, width);
	case "a": return t.h < 12 ? "AM" : "PM";
	case "B": return part_of_day(t.h, format.dayPeriod);
	case "z": case "O": case "v": return zone_text(format.zone, format.zone_style, t.ms);
	}
	return two(t[letter], width);
};

const pattern_parts = (pattern, t, format) => tokens_of(pattern).map(({ text, letter, width }) => text !== undefined
	? { type: "literal", value: text } : { type: TYPES[letter], value: field_text(letter, width, t, format) });

// ------------------------------------------------------------------ options

const pick_fields = (options) => {
	const f = {};
	for (const name in FIELDS)
		f[name] = name === "fractionalSecondDigits" ? number_option(options, name, 1, 3) : option(options, name, FIELDS[name]);
	return f;
};

const add_defaults = (f, required, defaults) => {
	const has = (names) => names.some((name) => f[name] !== undefined);
	const date = has(["weekday", "year", "month", "day"]), time = has(["dayPeriod", "hour", "minute", "second", "fractionalSecondDigits"]);
	if ((date && required !== "time") || (time && required !== "date"))
		return;
	if (defaults !== "time")
		f.year = f.month = f.day = "numeric";
	if (defaults !== "date")
		f.hour = f.minute = f.second = "numeric";
};

const pick_styles = (options, f, required) => {
	const dateStyle = option(options, "dateStyle", STYLES), timeStyle = option(options, "timeStyle", STYLES);
	if (dateStyle === undefined && timeStyle === undefined)
		return undefined;
	const field = Object.keys(f).find((name) => f[name] !== undefined);
	if (field !== undefined)
		throw new TypeError("Can't set option " + field + " when " + (dateStyle ? "dateStyle" : "timeStyle") + " is used");
	if ((required === "date" && timeStyle) || (required === "time" && dateStyle))
		throw new TypeError("Invalid option : " + (required === "date" ? "timeStyle" : "dateStyle"));
	return { dateStyle, timeStyle };
};

const pick_cycle = (options, keys) => {
	const hour12 = boolean_option(options, "hour12"), given = option(options, "hourCycle", ["h11", "h12", "h23", "h24"]);
	if (hour12 !== undefined)
		return hour12 ? "h12" : "h23";
	return given ?? (/^h(11|12|23|24)$/.test(keys.hc) ? keys.hc : "h12");
};

const check_calendar = (options, keys) => {
	for (const [name, ours] of [["calendar", "gregory"], ["numberingSystem", "latn"]]) {
		const value = option(options, name) ?? keys[name === "calendar" ? "ca" : "nu"];
		if (value !== undefined && !/^[a-z\d]{3,8}(-[a-z\d]{3,8})*$/i.test(value))
			throw new RangeError("Invalid " + name + " : " + value);
		if (value !== undefined && value !== ours && value !== "iso8601")
			warn("Intl has the " + name + " " + ours + " only: \"" + value + "\" is ignored");
	}
};

// The format of locales and options: everything that is known before a date.
const make_format = (locales, given, required, defaults) => {
	const options = options_of(given), { locale, keys } = resolve_locale(locales);
	check_calendar(options, keys);
	const cycle = pick_cycle(options, keys), twelve = cycle === "h12" || cycle === "h11";
	const zone = open_zone(options.timeZone), f = pick_fields(options), styles = pick_styles(options, f, required);
	const format = { locale, cycle, zone, twelve, f, ...styles };
	if (styles !== undefined) {
		Object.assign(format, style_pattern(styles.dateStyle, styles.timeStyle, twelve));
		format.zone_style = { full: "long", long: "short" }[styles.timeStyle];
	} else {
		add_defaults(f, required, defaults);
		const { key, pattern } = date_pattern(f), time = whole_time(f, twelve);
		Object.assign(format, { key, date: pattern, time, zone_style: f.timeZoneName, dayPeriod: f.dayPeriod });
		format.joint = pattern && time ? joint(f, key, pattern, twelve) : "";
	}
	format.pattern = format.date + format.joint + format.time;
	return format;
};

// ------------------------------------------------------------------- ranges

const DASH = "\u2009–\u2009";
const LETTERS = ["G", "y", "M", "d", "a", "h", "m", "s", "S"];

const sourced = (source, parts) => parts.map((p) => ({ ...p, source }));

// A pattern of a range: what stands behind <, > or = is of the start, the end, or both.
const range_parts = (pattern, a, b, format) => pattern.split(/(?=[<>=])/).flatMap((piece) =>
	sourced({ "<": "startRange", ">": "endRange", "=": "shared" }[piece[0]], pattern_parts(piece.slice(1), piece[0] === ">" ? b : a, format)));

// The whole pattern twice. What stands behind the last field is of both.
const both_parts = (pattern, a, b, format) => {
	const short = format.twelve ? pattern.replace("hh", "h") : pattern;
	const start = sourced("startRange", pattern_parts(short, a, format)), end = sourced("endRange", pattern_parts(short, b, format));
	const dash = { type: "literal", value: DASH, source: "shared" };
	if (end[end.length - 1].type === "literal") {
		dash.value = start.pop().value + DASH;
		end[end.length - 1].source = "shared";
	}
	return [...start, dash, ...end];
};

// The date, with the fields that tell both days apart if it does not have them.
const FIELD_OF = { d: "day", M: "month", y: "year", G: "era" };
const full_date = (format, letter) => {
	const f = { ...format.f };
	if (format.dateStyle !== undefined)
		return (letter === "G" ? format.date + " G" : format.date) + format.joint;
	if (f[FIELD_OF[letter]] !== undefined || /[sS]|^[^h]*$/.test(format.time))
		return format.date + format.joint;
	for (const name of ["day", "month", "year"].slice(0, LETTERS.length - 5 - LETTERS.indexOf(letter)))
		f[name] ??= "numeric";
	if (letter === "G")
		f.era = "short";
	const { key, pattern } = date_pattern(f);
	return pattern + joint(f, key, pattern, format.twelve);
};

// The largest field in which two moments differ; undefined: none.
const first_difference = (a, b) => LETTERS.find((letter) => letter === "a" ? (a.h < 12) !== (b.h < 12) : a[letter] !== b[letter]);

const date_range = (format, letter) => {
	const key = /^\d/.test(format.key) ? (format.key[0] === "0" ? "0" : "2") + format.key.slice(1) : format.key;
	const pattern = line_of(date_ranges, key + letter);
	return pattern?.replace(/E+/g, /E+/.exec(format.date)?.[0]);
};

const time_range = (format, letter) => {
	const m = /^h+(:mm)?(?:\u202fa| B)?(?: ([zv]+))?$/.exec(format.time);
	if (m === null || (letter === "a" && format.time.includes("B")))
		return undefined;
	const pattern = line_of(time_ranges, (format.twelve ? "h12" : "h23") + (m[1] ? "1" : "0") + (m[2] ? "1" : "0") + letter);
	return (format.time.includes("B") ? pattern?.replace("\u202fa", " B") : pattern)?.replace("z", m[2]);
};

// CLDR has no ranges with offsets of zones: they are left out.
const without_offset = (format) => {
	if (!/Offset$/.test(format.zone_style))
		return format;
	const time = format.time.replace(/ ?O+$/, ""), joint = time && format.joint;
	return { ...format, time, joint, pattern: format.date + joint + time };
};

// Ranges of hours have the short names of zones.
const SHORT_ZONES = { long: "short", longGeneric: "shortGeneric" };
const range_in_day = (format, letter, a, b) => {
	const short = { ...format, zone_style: SHORT_ZONES[format.zone_style] ?? format.zone_style };
	const pattern = time_range(format, letter), date = format.date ? format.date + ", " : "";
	return [...sourced("shared", pattern_parts(date, a, format)),
		...(pattern === undefined ? both_parts(format.time, a, b, date ? short : format) : range_parts(pattern, a, b, short))];
};

const range = (given, a, b) => {
	const format = without_offset(given);
	const letter = first_difference(a, b), at = LETTERS.indexOf(letter);
	const shown = tokens_of(format.pattern).reduce((most, t) => Math.max(most, LETTERS.indexOf({ E: "d", B: "a", z: "", O: "", v: "" }[t.letter] ?? t.letter)), -1);
	if (letter === undefined || at > shown)
		return sourced("shared", pattern_parts(given.pattern, a, given));
	const in_date = at < 4;
	if (format.date && format.time && in_date)
		return both_parts(full_date(format, letter) + format.time, a, b, format);
	if (format.time && in_date)
		return both_parts("M/d/y" + (letter === "G" ? " G" : "") + ", " + format.time, a, b, format);
	if (!in_date)
		return range_in_day(format, letter, a, b);
	const pattern = date_range(format, letter);
	return pattern === undefined ? both_parts(format.pattern, a, b, format) : range_parts(pattern, a, b, format);
};

// -------------------------------------------------------------------- class

const time_value = (date) => {
	const ms = date === undefined ? Date.now() : Number(date);
	if (!(Math.abs(ms) <= 8.64e15))
		throw new RangeError("Invalid time value");
	return Math.trunc(ms);
};

const WRITTEN = { E: { 3: "short", 4: "long", 5: "narrow" }, G: { 1: "short", 4: "long", 5: "narrow" }, M: { 1: "numeric", 2: "2-digit", 3: "short", 4: "long", 5: "narrow" } };

class DateFormatter {
	#format;
	#bound;
	constructor(locales, options, required = "any", defaults = "date") {
		this.#format = make_format(locales, options, required, defaults);
	}
	// The space before AM is a narrow one everywhere but here.
	get format() { return this.#bound ??= (date) => text_of(this.formatToParts(date)).replaceAll("\u202f", " "); }
	formatToParts(date) {
		const format = this.#format;
		return pattern_parts(format.pattern, moment(format.zone, time_value(date)), format);
	}
	formatRange(start, end) { return text_of(this.formatRangeToParts(start, end)); }
	formatRangeToParts(start, end) {
		if (start === undefined || end === undefined)
			throw new TypeError("startDate or endDate cannot be undefined");
		const { zone } = this.#format;
		return range(this.#format, moment(zone, time_value(start)), moment(zone, time_value(end)));
	}
	resolvedOptions() {
		const { locale, cycle, twelve, zone, pattern, f, dateStyle, timeStyle } = this.#format;
		const o = { locale, calendar: "gregory", numberingSystem: "latn", timeZone: zone.name };
		const width = {};
		for (const { letter, width: n } of tokens_of(pattern))
			if (letter !== undefined)
				width[letter] = n;
		if (width.h !== undefined)
			Object.assign(o, { hourCycle: cycle, hour12: twelve });
		if (dateStyle === undefined && timeStyle === undefined) {
			for (const [letter, name] of [["E", "weekday"], ["G", "era"], ["y", "year"], ["M", "month"], ["d", "day"], ["B", "dayPeriod"], ["h", "hour"], ["m", "minute"], ["s", "second"]])
				if (width[letter] !== undefined)
					o[name] = letter === "B" ? f.dayPeriod : (WRITTEN[letter] ?? { 1: "numeric", 2: "2-digit" })[width[letter]];
			for (const name of ["fractionalSecondDigits", "timeZoneName"])
				if (f[name] !== undefined)
					o[name] = f[name];
		}
		return Object.assign(o, dateStyle && { dateStyle }, timeStyle && { timeStyle });
	}
}
export const DateTimeFormat = callable(DateFormatter, "Intl.DateTimeFormat");

// Date.prototype.toLocaleString and its two sisters.
const formatter = (required, defaults) => cached((locales, options) => new DateFormatter(locales, options, required, defaults));
const FORMATTERS = { any: formatter("any", "all"), date: formatter("date", "date"), time: formatter("time", "time") };
export const date_to_locale = (ms, which, locales, options) =>
	ms !== ms ? "Invalid Date" : FORMATTERS[which](locales, options).format(ms);
