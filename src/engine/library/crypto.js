// SPDX-License-Identifier: MIT
//
// crypto.js -- crypto: random values, and digests, which are a library of
// their own.

import { random } from "codemode:host";

const MOST = 65536;
const INTEGERS = [Int8Array, Uint8Array, Uint8ClampedArray, Int16Array, Uint16Array, Int32Array, Uint32Array,
	BigInt64Array, BigUint64Array].map((Class) => Class.name);

// The bytes that an ArrayBuffer or a view of one holds: undefined for other values.
const bytes_of = (data) => {
	if (ArrayBuffer.isView(data))
		return new Uint8Array(data.buffer, data.byteOffset, data.byteLength);
	return data instanceof ArrayBuffer || data instanceof SharedArrayBuffer ? new Uint8Array(data) : undefined;
};

const DIGESTS = ["SHA-1", "SHA-256", "SHA-384", "SHA-512"];

class SubtleCrypto {
	async digest(algorithm, data) {
		const name = String(typeof algorithm === "object" && algorithm !== null ? algorithm.name : algorithm);
		if (!DIGESTS.includes(name.toUpperCase()))
			throw new DOMException("Unrecognized algorithm name: " + name + "; there are " + DIGESTS.join(", "), "NotSupportedError");
		const bytes = bytes_of(data);
		if (bytes === undefined)
			throw new TypeError("crypto.subtle.digest() takes bytes: write new TextEncoder().encode(text)");
		return require("codemode:hashes")[name.toUpperCase()](bytes).buffer;
	}
	get [Symbol.toStringTag]() { return "SubtleCrypto"; }
}

class Crypto {
	#subtle = new SubtleCrypto();
	get subtle() { return this.#subtle; }
	getRandomValues(array) {
		if (!ArrayBuffer.isView(array) || !INTEGERS.includes(array[Symbol.toStringTag]))
			throw new DOMException("The data argument must be an integer-type TypedArray", "TypeMismatchError");
		if (array.byteLength > MOST)
			throw new DOMException("The requested length exceeds 65,536 bytes", "QuotaExceededError");
		bytes_of(array).set(random(array.byteLength));
		return array;
	}
	randomUUID() {
		const bytes = random(16);
		bytes[6] = bytes[6] & 0x0f | 0x40;
		bytes[8] = bytes[8] & 0x3f | 0x80;
		return bytes.toHex().replace(/^(.{8})(.{4})(.{4})(.{4})/, "$1-$2-$3-$4-");
	}
	get [Symbol.toStringTag]() { return "Crypto"; }
}

export const crypto = new Crypto();
