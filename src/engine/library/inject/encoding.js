// SPDX-License-Identifier: MIT
//
// inject/encoding.js -- what packages get for a TextEncoder and a TextDecoder
// of the engine: by the adapter, without labels, streams and byte order marks.
// "latin1" is asked for bytes that are ASCII.

import { decode, encode } from "codemode:host";

export class TextEncoder {
	encode(text) { return encode(text); }
}

const UTF8 = 0, UTF8_FATAL = 1, UTF16 = 2;

const swapped = (bytes) => {
	const copy = bytes.slice();
	const view = new DataView(copy.buffer);
	for (let i = 0; i < copy.length; i += 2)
		view.setUint16(i, view.getUint16(i), true);
	return copy;
};

export class TextDecoder {
	#label;
	#fatal;
	constructor(label, options) {
		this.#label = label;
		this.#fatal = options?.fatal === true;
	}
	decode(bytes) {
		const text = !this.#label.startsWith("utf-16") ? decode(this.#fatal ? UTF8_FATAL : UTF8, bytes)
			: decode(UTF16, this.#label === "utf-16be" ? swapped(bytes) : bytes);
		const is_bad = text === undefined || (this.#fatal && !text.isWellFormed());
		if (is_bad)
			throw new TypeError("The encoded data was not valid for encoding " + this.#label);
		return text.toWellFormed();
	}
}
