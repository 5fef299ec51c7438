// SPDX-License-Identifier: MIT
//
// intl_locale.js -- what all of Intl shares: locales, options, lines of a table.
//
// There is one locale, en-US, whose order of texts is the root's. Any other is
// answered in en-US, and a warning says so once.

import { warn } from "codemode:host";

const LANGUAGE = /^([a-z]{2,3}|[a-z]{5,8})(-[a-z]{4})?(-([a-z]{2}|\d{3}))?((-([a-z\d]{5,8}|\d[a-z\d]{3}))*)((-[a-wyz\d](-[a-z\d]{2,8})+)*)(-x(-[a-z\d]{1,8})+)?$/i;

const canonical = (tag) => {
	if (typeof tag !== "string" && (typeof tag !== "object" || tag === null))
		throw new TypeError("Incorrect locale information provided");
	const text = String(tag);
	const m = LANGUAGE.exec(text);
	if (m === null)
		throw new RangeError("Incorrect locale information provided");
	const script = m[2] === undefined ? "" : "-" + m[2][1].toUpperCase() + m[2].slice(2).toLowerCase();
	return m[1].toLowerCase() + script + (m[3] ?? "").toUpperCase() + text.slice(m[1].length + (m[2] ?? "").length + (m[3] ?? "").length).toLowerCase();
};

export const getCanonicalLocales = (locales) => {
	if (locales === undefined)
		return [];
	if (typeof locales === "string" || locales instanceof Locale)
		return [canonical(locales)];
	return [...new Set(Array.from(Object(locales), canonical))];
};

// "fullwide" is no language: scripts write it for digits without groups.
const is_ours = (tag) => /^(en|und|root|fullwide)$/.test(tag.split("-u-")[0]) || /^en(-Latn)?-US/.test(tag);

export const supportedLocalesOf = (locales) => getCanonicalLocales(locales).filter((tag) => is_ours(tag) && !tag.startsWith("und"));

let warned = false;

// { locale, keys }: the locale's name in resolvedOptions, and what a -u-
// extension of it asks for, as { hc: "h23" }.
export const resolve_locale = (locales) => {
	const asked = getCanonicalLocales(locales);
	const found = asked.find(is_ours);
	if (found === undefined && asked.length > 0 && !warned) {
		warned = true;
		warn("Intl has the locale en-US only: \"" + asked[0] + "\" is answered in en-US");
	}
	const [name = "en-US", ...words] = (found ?? "en-US").split(/-u-|-(?!US$|Latn)/);
	const keys = {};
	let key;
	for (const word of words)
		if (word.length === 2)
			keys[key = word] = "";
		else if (key !== undefined)
			keys[key] += (keys[key] && "-") + word;
	return { locale: /^(und|root|fullwide)/.test(name) ? "en-US" : name, keys };
};

export const options_of = (options) => {
	if (options === undefined)
		return { __proto__: null };
	if (options === null)
		throw new TypeError("Cannot convert undefined or null to object");
	return Object(options);
};

export const option = (options, name, allowed, fallback) => {
	let value = options[name];
	if (value === undefined)
		return fallback;
	value = String(value);
	if (allowed !== undefined && !allowed.includes(value))
		throw new RangeError("Value " + value + " out of range for Intl options property " + name);
	return value;
};

export const number_option = (options, name, least, most, fallback) => {
	let value = options[name];
	if (value === undefined)
		return fallback;
	value = Number(value);
	if (!(value >= least && value <= most))
		throw new RangeError(name + " value is out of range.");
	return Math.floor(value);
};

export const boolean_option = (options, name) => options[name] === undefined ? undefined : Boolean(options[name]);

// The line of a table that begins with key, without it; undefined: none.
export const line_of = (table, key) => {
	const at = table.indexOf("\n" + key);
	return at < 0 ? undefined : table.slice(at + 1 + key.length, table.indexOf("\n", at + 1));
};

export const text_of = (parts) => {
	let text = "";
	for (const p of parts)
		text += p.value;
	return text;
};

// What every class of Intl has besides its methods.
export const describe_class = (Class, name) => {
	Object.defineProperty(Class, "name", { value: name.slice(5) });
	Object.defineProperty(Class.prototype, Symbol.toStringTag, { value: name, configurable: true });
	Object.defineProperty(Class, "supportedLocalesOf", { value: supportedLocalesOf, writable: true, configurable: true });
	return Class;
};

// The same class, which can be called without `new`, as the three oldest can.
export const callable = (Class, name) => {
	const made = function (locales = undefined, options = undefined) { return Reflect.construct(Class, [locales, options], new.target ?? made); };
	Object.defineProperty(made, "prototype", { value: Class.prototype, writable: false });
	Object.defineProperty(Class.prototype, "constructor", { value: made, writable: true, configurable: true });
	return describe_class(made, name);
};

// A formatter for each pair of locales and options that are plain data, so that
// toLocaleString in a loop makes one.
export const cached = (make) => {
	const kept = new Map();
	return (locales, options) => {
		const plain = (typeof locales === "string" || locales === undefined) && (options === undefined ||
			(typeof options === "object" && options !== null && Object.getPrototypeOf(options) === Object.prototype));
		if (!plain)
			return make(locales, options);
		let key = locales ?? "";
		for (const name in options)
			key += "|" + name + ":" + options[name];
		let formatter = kept.get(key);
		if (formatter === undefined) {
			formatter = make(locales, options);
			if (kept.size < 50)
				kept.set(key, formatter);
		}
		return formatter;
	};
};

export class Locale {
	#tag;
	constructor(tag, options) {
		const given = options_of(options);
		this.#tag = canonical(tag);
		for (const [name, at] of [["language", 0], ["script", 1], ["region", 2]])
			if (given[name] !== undefined)
				this.#tag = replace_subtag(this.#tag, at, String(given[name]));
	}
	get baseName() { return this.#tag.split(/-[a-z\d]-/)[0]; }
	get language() { return LANGUAGE.exec(this.#tag)[1]; }
	get script() { return LANGUAGE.exec(this.#tag)[2]?.slice(1); }
	get region() { return LANGUAGE.exec(this.#tag)[4]; }
	toString() { return this.#tag; }
}

const replace_subtag = (tag, at, value) => {
	const m = LANGUAGE.exec(tag), subtags = [m[1], m[2]?.slice(1), m[4]];
	const rest = tag.slice(m[1].length + (m[2] ?? "").length + (m[3] ?? "").length);
	subtags[at] = value;
	return canonical(subtags.filter((s) => s !== undefined).join("-") + rest);
};
Object.defineProperty(Locale.prototype, Symbol.toStringTag, { value: "Intl.Locale", configurable: true });
