// SPDX-License-Identifier: MIT
//
// intl.js -- Intl, and the methods of built-ins that belong to it. What they do
// is in the libraries intl_*.js.

const Intl = {};
for (const [library, ...names] of [
	["intl_locale", "getCanonicalLocales", "Locale"],
	["intl_number", "NumberFormat"],
	["intl_date", "DateTimeFormat"],
	["intl_collate", "Collator"],
	["intl_words", "PluralRules", "RelativeTimeFormat", "ListFormat"],
	["intl_segment", "Segmenter"],
	["intl_values", "supportedValuesOf"],
])
	for (const name of names)
		lazy(Intl, name, library);
defineProperty(Intl, Symbol.toStringTag, { __proto__: null, value: "Intl", writable: false, enumerable: false, configurable: true });

const intl_method = (prototype, methods) => {
	for (const name of ownKeys(methods))
		defineProperty(prototype, name, { __proto__: null, value: methods[name], writable: true, enumerable: false, configurable: true });
};
const number_value = Number.prototype.valueOf;
const bigint_value = BigInt.prototype.valueOf;
const date_value = Date.prototype.getTime;

intl_method(globalThis, { Intl });
intl_method(Number.prototype, {
	toLocaleString(locales = undefined, options = undefined) {
		return require("codemode:intl_number").number_to_locale(call(number_value, this), locales, options);
	},
});
intl_method(BigInt.prototype, {
	toLocaleString(locales = undefined, options = undefined) {
		return require("codemode:intl_number").number_to_locale(call(bigint_value, this), locales, options);
	},
});
intl_method(Date.prototype, {
	toLocaleString(locales = undefined, options = undefined) {
		return require("codemode:intl_date").date_to_locale(call(date_value, this), "any", locales, options);
	},
	toLocaleDateString(locales = undefined, options = undefined) {
		return require("codemode:intl_date").date_to_locale(call(date_value, this), "date", locales, options);
	},
	toLocaleTimeString(locales = undefined, options = undefined) {
		return require("codemode:intl_date").date_to_locale(call(date_value, this), "time", locales, options);
	},
	toTemporalInstant() { return call(require("codemode:temporal").toTemporalInstant, this); },
});

intl_method(String.prototype, {
	localeCompare(that, locales = undefined, options = undefined) {
		if (this === undefined || this === null)
			throw new TypeError("String.prototype.localeCompare called on null or undefined");
		return require("codemode:intl_collate").compare_in_locale(String(this), String(that), locales, options);
	},
});

// Arrays pass both arguments on to what is in them.
const elements_to_locale = {
	toLocaleString(locales = undefined, options = undefined) {
		let out = "";
		for (let i = 0; i < this.length; i++) {
			const value = this[i];
			out += (i > 0 ? "," : "") + (value === undefined || value === null ? "" : value.toLocaleString(locales, options));
		}
		return out;
	},
};
intl_method(Array.prototype, elements_to_locale);
intl_method(getPrototypeOf(Int8Array.prototype), elements_to_locale);
