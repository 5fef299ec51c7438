// SPDX-License-Identifier: MIT
//
// intl_zone.js -- time zones: their names, and their offsets from UTC.
//
// The host gives a zone as the bytes of its file in the system's tzdata
// (RFC 9636, "TZif"), one character a byte. The file is read here, in the
// script's own memory.

import { warn, zone as zone_file } from "codemode:host";
import { line_of } from "codemode:intl_locale";
import { zones } from "intl/zones.js";

const lower_zones = zones.toLowerCase();

// [the name as tzdata writes it, the name that Intl uses], or undefined.
const known_names = (name) => {
	const at = Math.max(lower_zones.indexOf("\n" + name.toLowerCase() + "\n"), lower_zones.indexOf("\n" + name.toLowerCase() + "|"));
	if (at < 0 || /[^\w\/+-]/.test(name))
		return undefined;
	const [own, used = own] = zones.slice(at + 1, zones.indexOf("\n", at + 1)).split("|");
	return [own, used];
};

// ---------------------------------------------------------------- the files

const integer = (bytes, at, size) => {
	let value = bytes.charCodeAt(at) << 24 >> 24;
	for (let i = 1; i < size; i++)
		value = value * 256 + bytes.charCodeAt(at + i);
	return value;
};

// The offset behind the last change, as POSIX writes it: EST5EDT,M3.2.0,M11.1.0
const RULE = /^(<[^>]+>|[A-Za-z]+)([-+\d:]+)(?:(<[^>]+>|[A-Za-z]+)([-+\d:]+)?,([^,]+),(.+))?$/;

const seconds_of = (text) => {
	const [h, m = 0, s = 0] = text.replace(/^[+-]/, "").split(":").map(Number);
	return (text[0] === "-" ? -1 : 1) * (h * 3600 + m * 60 + s);
};

// The second of that year, in local time, at which a rule's change is.
const change_at = (rule, year) => {
	const [day, time = "2"] = rule.split("/");
	const first = Date.UTC(year, 0, 1) / 1000, leap = new Date(Date.UTC(year, 1, 29)).getUTCMonth() === 1;
	const [month, week, weekday] = day.slice(1).split(".").map(Number);
	let date;
	if (day[0] === "J")
		date = first + (month - (leap && month > 59 ? 0 : 1)) * 86400;
	else if (day[0] !== "M")
		date = first + Number(day) * 86400;
	else {
		const start = Date.UTC(year, month - 1, 1) / 86400000, length = Date.UTC(year, month, 1) / 86400000 - start;
		let d = (weekday - (start + 4) % 7 + 7) % 7 + (week - 1) * 7;
		while (d >= length)
			d -= 7;
		date = (start + d) * 86400;
	}
	return date + seconds_of(time);
};

const rule_at = (m, moment) => {
	// The calendar repeats after 400 years; Date ends sooner than a rule.
	const second = moment - Math.floor(moment / 12622780800) * 12622780800 + 12622780800;
	const standard = -seconds_of(m[2]);
	if (m[3] === undefined)
		return { offset: standard, summer: false };
	const daylight = m[4] === undefined ? standard + 3600 : -seconds_of(m[4]);
	const year = new Date((second + standard) * 1000).getUTCFullYear();
	const start = change_at(m[5], year) - standard, end = change_at(m[6], year) - daylight;
	const summer = start < end ? second >= start && second < end : second >= start || second < end;
	return { offset: summer ? daylight : standard, summer };
};

// { times, kinds, kind: [{ offset, summer }], rule }
const read_file = (bytes) => {
	const counts = (at) => [20, 24, 28, 32, 36, 40].map((i) => integer(bytes, at + i, 4));
	const length = ([utc, std, leap, time, type, char], size) => time * (size + 1) + type * 6 + char + leap * (size + 4) + std + utc;
	if (bytes.slice(0, 4) !== "TZif")
		return undefined;
	const two = bytes.charCodeAt(4) >= 0x32, size = two ? 8 : 4;
	const head = two ? 44 + length(counts(0), 4) : 0, count = counts(head), [, , , time, type] = count;
	const from = head + 44, types = from + time * (size + 1);
	const kind = Array.from({ length: type }, (_, i) => ({ offset: integer(bytes, types + i * 6, 4), summer: bytes.charCodeAt(types + i * 6 + 4) === 1 }));
	return {
		times: Array.from({ length: time }, (_, i) => integer(bytes, from + i * size, size)),
		kinds: Array.from({ length: time }, (_, i) => kind[bytes.charCodeAt(from + time * size + i)]),
		first: kind[0],
		rule: two ? RULE.exec(bytes.slice(from + length(count, size)).trim()) : null,
	};
};

const file_at = (file, second) => {
	const { times, kinds, rule } = file;
	if (times.length === 0 || second >= times[times.length - 1])
		return rule !== null ? rule_at(rule, second) : kinds[kinds.length - 1] ?? file.first;
	let low = 0, high = times.length;
	while (low < high) {
		const middle = (low + high) >> 1;
		if (times[middle] <= second)
			low = middle + 1;
		else
			high = middle;
	}
	return low === 0 ? file.first : kinds[low - 1];
};

// ---------------------------------------------------------------- the zones
//
// A zone is { name, at(ms) }, which gives { offset, summer }: seconds east of
// UTC, and whether that is its daylight saving time.

const fixed = (name, offset) => ({ name, at: () => ({ offset, summer: false }) });
const UTC = fixed("UTC", 0);

const offset_text = (seconds, mark) => {
	const two = (n) => String(Math.floor(n)).padStart(2, "0"), s = Math.abs(seconds);
	return (seconds < 0 ? "-" : "+") + two(s / 3600) + mark + two(s / 60 % 60);
};

const opened = new Map();

const file_zone = (own, used) => {
	const bytes = zone_file(own), file = bytes === undefined ? undefined : read_file(bytes);
	if (file === undefined)
		return undefined;
	return { name: used, at: (ms) => file_at(file, Math.floor(ms / 1000)) };
};

// Date's own offsets; their zone has a name where the host knows it.
const system_zone = () => {
	const date_zone = (name) => ({ name, at: (ms) => ({ offset: -60 * new Date(ms).getTimezoneOffset(), summer: false }) });
	const name = zone_file(""), known = name === undefined ? undefined : known_names(name);
	const named = name === undefined ? undefined : known?.[1] === "UTC" ? UTC : file_zone(known?.[0] ?? name, known?.[1] ?? name);
	if (named !== undefined)
		return named;
	const offset = date_zone().at(Date.now()).offset;
	return offset === 0 && date_zone().at(0).offset === 0 ? UTC : date_zone(offset_text(offset, ":"));
};

const find_zone = (name) => {
	const m = /^([+-])([01]\d|2[0-3])(?::?([0-5]\d))?$/.exec(name);
	if (m !== null) {
		const offset = (m[1] === "-" ? -1 : 1) * (m[2] * 3600 + (m[3] ?? 0) * 60);
		return fixed(offset_text(offset, ":"), offset);
	}
	const known = known_names(name);
	if (known?.[1] === "UTC")
		return UTC;
	const zone = known === undefined ? file_zone(name, name) : file_zone(...known);
	if (zone === undefined && known === undefined)
		throw new RangeError("Invalid time zone specified: " + name);
	if (zone === undefined)
		warn("this machine has no tzdata for the time zone " + known[0] + ": its times are in UTC");
	return zone ?? fixed(known[1], 0);
};

export const open_zone = (name) => {
	const key = name === undefined ? name : String(name);
	let zone = opened.get(key);
	if (zone === undefined) {
		zone = key === undefined ? system_zone() : find_zone(key);
		opened.set(key, zone);
	}
	return zone;
};

// ---------------------------------------------------------------- their names

const gmt = (offset, long) => {
	const s = Math.abs(offset), sign = offset < 0 ? "-" : "+";
	const h = Math.floor(s / 3600), m = Math.floor(s / 60 % 60), rest = s % 60;
	const two = (n) => String(n).padStart(2, "0"), tail = rest > 0 ? ":" + two(rest) : "";
	if (long)
		return "GMT" + sign + two(h) + ":" + two(m) + tail;
	return "GMT" + sign + h + (m > 0 || rest > 0 ? ":" + two(m) + tail : "");
};

// CLDR's names are of our days: the columns of a zone's names, if it had the
// offset then that such a year has.
const WINTER = Date.UTC(2024, 0, 15), SUMMER = Date.UTC(2024, 6, 15);
const name_columns = (zone, ms, offset, summer) => {
	const usual = [WINTER, SUMMER].map((at) => zone.at(at).offset);
	const named = zone === UTC || (ms >= 0 && ms < 253402300800000 && offset === (summer ? Math.max : Math.min)(...usual));
	return named ? line_of(require("codemode:intl_zone_names").zone_names, zone.name + "|")?.split("|") : undefined;
};

// Does the zone keep this offset half a year before and after?
const HALF_YEAR = 184 * 86400000;
const is_steady = (zone, ms, offset) => zone.at(ms - HALF_YEAR).offset === offset && zone.at(ms + HALF_YEAR).offset === offset;

// style is a value of the option timeZoneName.
export const zone_text = (zone, style, ms) => {
	const { offset, summer } = zone.at(ms), long = style.startsWith("long");
	if (style.endsWith("Offset"))
		return gmt(offset, long);
	// Ireland's file calls its winter the daylight saving time.
	const warm = zone.name === "Europe/Dublin" ? !summer && offset > 0 : summer;
	const columns = name_columns(zone, ms, offset, warm), own = columns?.[(long ? 0 : 2) + (warm ? 1 : 0)];
	const generic = style.endsWith("Generic") && columns?.[long ? 4 : 5];
	const name = !style.endsWith("Generic") || (generic && !warm && is_steady(zone, ms, offset) && own) ? own : generic;
	return name || gmt(offset, long);
};

export const all_zones = () => zones.slice(1, -1).split("\n").filter((line) => !line.includes("|"));
