// SPDX-License-Identifier: MIT
//
// intl_segment.js -- Intl.Segmenter: graphemes, what a reader takes for one
// character. Words and sentences are not there.

import { describe_class, option, options_of, resolve_locale } from "codemode:intl_locale";
import { graphemeSegments } from "unicode-segmenter/grapheme";

const plain = ({ segment, index, input }) => ({ segment, index, input });

class Segments {
	#input;
	constructor(input) { this.#input = input; }
	containing(position = 0) {
		const at = Math.trunc(Number(position)) || 0;
		if (at >= 0 && at < this.#input.length)
			for (const found of graphemeSegments(this.#input))
				if (at < found.index + found.segment.length)
					return plain(found);
		return undefined;
	}
	*[Symbol.iterator]() {
		for (const found of graphemeSegments(this.#input))
			yield plain(found);
	}
}

export class Segmenter {
	#o;
	constructor(locales, options) {
		const given = options_of(options), { locale } = resolve_locale(locales);
		const granularity = option(given, "granularity", ["grapheme", "word", "sentence"], "grapheme");
		if (granularity !== "grapheme")
			throw new RangeError("Intl.Segmenter has graphemes only: for words, split the text at what is no letter, e.g. text.match(/[\\p{L}\\p{N}']+/gu)");
		this.#o = { locale, granularity };
	}
	segment(input) { return new Segments(String(input)); }
	resolvedOptions() { return { ...this.#o }; }
}
describe_class(Segmenter, "Intl.Segmenter");
