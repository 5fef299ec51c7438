// SPDX-License-Identifier: MIT
//
// image.js -- image(): checks an image and prints it.

const IMAGE_USAGE = "image() takes a base64 data: URL, { image_url }, or an image block { type: \"image\", data, mimeType }";

// The first characters in base64, and the fewest bytes that such a file can have.
const SIGNATURES = [
	{ mime: "image/png", pattern: /^iVBORw0KGgo/, least: 45 },
	{ mime: "image/jpeg", pattern: /^\/9j\/[^9]/, least: 20 },
	{ mime: "image/gif", pattern: /^R0lGOD[dl]h/, least: 14 },
	{ mime: "image/webp", pattern: /^UklG.{8}RUJQ/, least: 20 },
];

const image_block_data = (v) => {
	const type = read(v, "type");
	const source = read(v, "source");
	if (type !== "image")
		throw new TypeError(IMAGE_USAGE + "; its type is " + text_of(stringify(type)));
	if (typeof source === "object" && source !== null)
		return read(source, "data");
	return read(v, "data");
};

// The data: URL or base64 text that the argument stands for.
const image_text = (v) => {
	if (typeof v === "string")
		return v;
	if (typeof v !== "object" || v === null || isArray(v))
		throw new TypeError(IMAGE_USAGE);
	let url = read(v, "image_url");
	if (typeof url === "object" && url !== null)
		url = read(url, "url");
	if (typeof url === "string")
		return url;
	const data = image_block_data(v);
	if (typeof data !== "string" || data === "")
		throw new TypeError(IMAGE_USAGE + "; its data must be base64 text");
	return call(startsWith, data, "data:") ? data : "data:image/*;base64," + data;
};

const image_data = (url) => {
	if (url === "")
		throw new TypeError(IMAGE_USAGE + "; the URL is empty");
	const scheme = call(toLowerCase, call(slice, url, 0, call(indexOf, url, ":")));
	if (scheme === "http" || scheme === "https")
		throw new TypeError("image() does not fetch " + scheme + ": URLs; pass the image itself as a base64 data: URL");
	const comma = call(indexOf, url, ",");
	const header = call(toLowerCase, call(slice, url, 0, comma < 0 ? 0 : comma));
	if (scheme !== "data" || !match(/;\s*base64\s*(;|$)/, header))
		throw new TypeError("invalid image output: not a base64 data: URL");
	const data = replaced(call(slice, url, comma + 1), /\s+/g, () => "");
	if (data.length % 4 !== 0 || !match(/^[A-Za-z0-9+/]+={0,2}$/, data))
		throw new TypeError("invalid image output: the data is not base64");
	return data;
};

const image = (value) => {
	const data = image_data(image_text(value));
	for (let i = 0; i < SIGNATURES.length; i++) {
		const { mime, pattern, least } = SIGNATURES[i];
		if (match(pattern, data) && data.length / 4 * 3 >= least) {
			host.print(2, data, mime);
			return;
		}
	}
	throw new TypeError("invalid image output: neither a PNG, JPEG, GIF nor WebP image");
};
