// SPDX-License-Identifier: MIT
//
// The calls that compare.mjs makes in Node and in codemode: the body of a
// function, which returns [what was asked, the answer] of each.

const calls = [];
const say = (asked, f) => {
	let answer;
	try {
		answer = f();
	} catch (e) {
		answer = e.name;
	}
	calls.push([asked, JSON.stringify(answer) ?? "undefined"]);
};
const parts = (list) => list.map((p) => (p.source ?? "") + p.type + "=" + p.value + (p.unit ?? "")).join("|");
const ask = (kind, options, value, f) => say(kind + " " + JSON.stringify(options) + " " + (Object.is(value, -0) ? "-0" : String(value)), f);

// ------------------------------------------------------------------ numbers

const NUMBERS = [0, -0, 1, -7.5, 42, 999.995, 1234.5, -98765.4321, 1e6 + 0.5, 999999, 123456789012, 1.005, 6.02e23, 3e-8, NaN, -Infinity, 90071992547409931234n, "1234567890123456789.75"];
const number_options = [undefined, {}, { minimumIntegerDigits: 4 }, { trailingZeroDisplay: "stripIfInteger", minimumFractionDigits: 2 }];
for (const style of ["decimal", "percent"])
	for (const more of [{ maximumFractionDigits: 0 }, { minimumFractionDigits: 3 }, { maximumSignificantDigits: 3 }, { minimumSignificantDigits: 5 },
		{ notation: "compact" }, { notation: "compact", compactDisplay: "long" }, { notation: "compact", maximumFractionDigits: 1 }, { notation: "scientific" }, { notation: "engineering" },
		{ useGrouping: false }, { useGrouping: "min2" }, { signDisplay: "always" }, { signDisplay: "exceptZero" }, { signDisplay: "negative" }, { signDisplay: "never" }])
		number_options.push({ style, ...more });
for (const currency of ["USD", "EUR", "JPY", "CHF", "KWD", "BTC"])
	for (const more of [{}, { currencyDisplay: "code" }, { currencyDisplay: "name" }, { currencyDisplay: "narrowSymbol" }, { currencySign: "accounting" }, { notation: "compact" }, { maximumFractionDigits: 0 }])
		number_options.push({ style: "currency", currency, ...more });
for (const unit of ["liter", "mile", "celsius", "percent", "gigabyte", "minute", "month", "kilometer-per-hour", "mile-per-gallon", "byte-per-second"])
	for (const unitDisplay of ["short", "long", "narrow"])
		number_options.push({ style: "unit", unit, unitDisplay });
for (const roundingMode of ["ceil", "floor", "expand", "trunc", "halfCeil", "halfFloor", "halfExpand", "halfTrunc", "halfEven"])
	number_options.push({ roundingMode, maximumFractionDigits: 1 }, { roundingMode, maximumFractionDigits: 2, minimumFractionDigits: 2, roundingIncrement: 25 });
for (const roundingPriority of ["morePrecision", "lessPrecision"])
	number_options.push({ roundingPriority, maximumFractionDigits: 2, maximumSignificantDigits: 4 });
number_options.push({ style: "currency" }, { style: "unit" }, { style: "unit", unit: "parsec" }, { style: "currency", currency: "dollar" }, { maximumFractionDigits: 2, minimumFractionDigits: 5 }, { notation: "loud" });

for (const options of number_options) {
	ask("number options", options, "", () => new Intl.NumberFormat("en-US", options).resolvedOptions());
	for (const value of NUMBERS)
		ask("number", options, value, () => parts(new Intl.NumberFormat("en-US", options).formatToParts(value)));
	for (const value of [1234567.891, 12n])
		ask("number text", options, value, () => value.toLocaleString("en-US", options));
	for (const [from, to] of [[3, 5], [4, 4], [-2, 7], [1500, 2e6]])
		ask("number range", options, from + ".." + to, () => new Intl.NumberFormat("en-US", options).formatRangeToParts(from, to).map((p) => p.type + p.value));
}

// -------------------------------------------------------------------- dates

const ZONES = ["UTC", "America/New_York", "Europe/London", "Asia/Kolkata", "Australia/Sydney"];
const MOMENTS = [0, 1720117805007, 1704067199999, 1709208000000, 1730613600000, 4102444800000];
const date_options = [undefined, {}];
for (const weekday of [undefined, "short", "long", "narrow"])
	for (const year of [undefined, "numeric", "2-digit"])
		for (const month of [undefined, "numeric", "2-digit", "short", "long", "narrow"])
			for (const day of [undefined, "numeric", "2-digit"])
				date_options.push({ timeZone: ZONES[date_options.length % 5], weekday, year, month, day });
for (const hour of [undefined, "numeric", "2-digit"])
	for (const minute of [undefined, "numeric", "2-digit"])
		for (const second of minute === undefined && hour !== undefined ? [undefined] : [undefined, "numeric"])
			for (const more of [{}, { hour12: false }, { hourCycle: "h11" }, { hourCycle: "h24" }, { dayPeriod: "long" }, { weekday: "long" }, { month: "long", day: "numeric" }, { fractionalSecondDigits: 2 }])
				date_options.push({ timeZone: ZONES[date_options.length % 5], hour, minute, second, ...more });
for (const dateStyle of [undefined, "full", "long", "medium", "short"])
	for (const timeStyle of [undefined, "full", "long", "medium", "short"])
		for (const timeZone of ZONES)
			date_options.push({ timeZone, dateStyle, timeStyle, hour12: date_options.length % 3 > 0 });
for (const timeZone of [...ZONES, "America/Los_Angeles", "Europe/Berlin", "Europe/Dublin", "Asia/Tokyo", "America/St_Johns", "Pacific/Auckland", "Africa/Nairobi", "US/Pacific", "Asia/Calcutta", "Etc/GMT+5", "+05:30", "-0930"])
	for (const timeZoneName of ["short", "long", "shortOffset", "longOffset", "shortGeneric", "longGeneric"])
		date_options.push({ timeZone, timeZoneName }, { timeZone, timeZoneName, hour: "numeric", minute: "2-digit" });
for (const era of ["short", "long", "narrow"])
	date_options.push({ era, timeZone: "UTC" }, { era, year: "numeric", month: "long", timeZone: "UTC" }, { era, year: "numeric", hour: "numeric", timeZone: "UTC" });
date_options.push({ timeZone: "Mars/Olympus" }, { timeZone: "" }, { dateStyle: "tiny" }, { dateStyle: "short", day: "numeric" }, { month: "roman" });

for (const options of date_options) {
	ask("date options", options, "", () => new Intl.DateTimeFormat("en-US", options).resolvedOptions());
	for (const ms of MOMENTS)
		ask("date", options, ms, () => parts(new Intl.DateTimeFormat("en-US", options).formatToParts(ms)));
	ask("date range", options, "hours", () => parts(new Intl.DateTimeFormat("en-US", options).formatRangeToParts(1704877200000, 1704883500000)));
	ask("date range", options, "days", () => parts(new Intl.DateTimeFormat("en-US", options).formatRangeToParts(1704877200000, 1705053600000)));
	ask("date range", options, "months", () => parts(new Intl.DateTimeFormat("en-US", options).formatRangeToParts(1704877200000, 1710201600000)));
	ask("date range", options, "years", () => parts(new Intl.DateTimeFormat("en-US", options).formatRangeToParts(1704877200000, 1741737600000)));
	for (const name of ["toLocaleString", "toLocaleDateString", "toLocaleTimeString"])
		ask("date " + name, options, "", () => new Date(MOMENTS[1])[name]("en-US", options));
}
// Every zone, in winter and summer of a year that all tzdata know alike.
for (const timeZone of Intl.supportedValuesOf("timeZone").filter((name) => !ZONES.includes(name)))
	for (const ms of [1704067200000, 1720000000000])
		ask("zone", timeZone, ms, () => new Date(ms).toLocaleString("en-US", { timeZone }));

// ------------------------------------------------------------- order of texts

const WORDS = ["", "a", "A", "á", "ä", "ab", "a b", "a-b", "Ab", "b", "co-op", "coop", "file2", "file10", "File 3", "naïve", "naive", "ñ", "n", "o", "ø", "ö", "œ", "oe", "resume", "Résumé", "straße", "strasse", "z", "ž", "1", "02", "10", "½", "_", "$", "€", "%", "😀", "и", "й", "α", "Ω", "あ", "ア", "漢", "字", "한", "ｆ", "ﬁ", "x́"];
for (const options of [undefined, { sensitivity: "base" }, { sensitivity: "accent" }, { sensitivity: "case" }, { numeric: true }, { caseFirst: "upper" }, { ignorePunctuation: true }]) {
	ask("order options", options, "", () => new Intl.Collator("en-US", options).resolvedOptions());
	for (const word of WORDS)
		ask("order", options, word, () => WORDS.map((other) => Math.sign(word.localeCompare(other, "en-US", options))).join(" "));
}

// -------------------------------------------------------------------- words

for (const options of [undefined, { type: "ordinal" }, { minimumFractionDigits: 1 }])
	for (const n of [0, 1, 2, 3, 4, 11, 12, 13, 21, 22, 103, 111, 1.5, -1, NaN])
		ask("plural", options, n, () => new Intl.PluralRules("en-US", options).select(n));
for (const style of ["long", "short", "narrow"]) {
	for (const numeric of ["always", "auto"])
		for (const unit of ["second", "minutes", "hour", "day", "weeks", "month", "quarter", "years", "eon"])
			for (const n of [-12345, -2, -1, -0, 0, 1, 1.5, 3])
				ask("relative " + unit, { style, numeric }, n, () => parts(new Intl.RelativeTimeFormat("en-US", { style, numeric }).formatToParts(n, unit)));
	for (const type of ["conjunction", "disjunction", "unit"])
		for (const list of [[], ["a"], ["a", "b"], ["a", "b", "c"], ["a", "b", "c", "d"]])
			ask("list", { style, type }, list, () => parts(new Intl.ListFormat("en-US", { style, type }).formatToParts(list)));
}
for (const word of ["héllo", "e\u0301\u0302x", "👩‍👧‍👦👍🏽", "🇫🇷🇩🇪🇫", "한국어", "นี้", "\r\n\n", "क्षि", ""]) {
	ask("segments", {}, word, () => [...new Intl.Segmenter("en-US").segment(word)]);
	ask("segment at", {}, word, () => new Intl.Segmenter("en-US").segment(word).containing(1));
}

return calls;
