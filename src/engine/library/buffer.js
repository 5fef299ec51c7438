// SPDX-License-Identifier: MIT
//
// buffer.js -- Buffer: the npm package, with base64url, and with texts made by
// the engine where it can: they are fast, and UTF-8 is read as Node reads it.

import { Buffer } from "buffer/";
import { decode, encode } from "codemode:host";

const UTF8 = 0;
const { toBase64, toHex } = Uint8Array.prototype;
const { from, byteLength, isEncoding } = Buffer;
const { toString } = Buffer.prototype;

const name_of = (encoding) => encoding === undefined ? "utf8" : String(encoding).toLowerCase();
const package_name = (encoding) => name_of(encoding) === "base64url" ? "base64" : encoding;

const as_text = {
	__proto__: null,
	"utf8": (bytes) => decode(UTF8, bytes),
	"utf-8": (bytes) => decode(UTF8, bytes),
	"base64": (bytes) => toBase64.call(bytes),
	"base64url": (bytes) => toBase64.call(bytes, { alphabet: "base64url", omitPadding: true }),
	"hex": (bytes) => toHex.call(bytes),
};
const as_bytes = {
	__proto__: null,
	"utf8": encode,
	"utf-8": encode,
	"base64": (text) => {
		try {
			return Uint8Array.fromBase64(text);
		} catch {
			return undefined; // Node skips what is not base64, and so does the package
		}
	},
	"hex": (text) => Uint8Array.fromHex(/^(?:[0-9a-f]{2})*/i.exec(text)[0]),
};

const replace = (object, methods) => {
	for (const name of Object.keys(methods))
		Object.defineProperty(object, name, { value: methods[name], writable: true, enumerable: false, configurable: true });
};

replace(Buffer, {
	from(value, encoding, length) {
		if (typeof value !== "string")
			return from(value, encoding, length);
		const bytes = as_bytes[name_of(encoding)]?.(value);
		return bytes === undefined ? from(value, package_name(encoding))
			: Object.setPrototypeOf(bytes, Buffer.prototype);
	},
	byteLength(value, encoding) {
		if (typeof value !== "string")
			return byteLength(value, encoding);
		const name = name_of(encoding);
		if (name.startsWith("base64")) // as Node does: what is not base64 counts, too
			return value.replace(/={1,2}$/, "").length * 3 >>> 2;
		return as_bytes[name] === encode ? encode(value).length : byteLength(value, encoding);
	},
	isEncoding(encoding) { return name_of(encoding) === "base64url" || isEncoding(encoding); },
});
replace(Buffer.prototype, {
	equals(other) { return Buffer.compare(this, other) === 0; },
	toString(encoding, start, end) {
		const write = as_text[name_of(encoding)];
		if (write === undefined)
			return toString.call(this, encoding, start, end);
		const at = (n) => Math.max(0, Math.trunc(n) || 0);
		return write(this.subarray(at(start), end === undefined ? this.length : at(end)));
	},
});

export { Buffer };
