// SPDX-License-Identifier: MIT
//
// media.js -- image(), audio(), file() and resource(): hand media on to the
// reader of the result, most often what a tool's result carried.
//
// An image or audio is printed as base64 text and a type, which its first bytes
// decide, and with `annotations` and `_meta` of its block. What has an address of its own is printed as a content block of MCP,
// `resource` or `resource_link`, with all members that it came with.

// What the data begins with, in base64, and the fewest bytes of such a file.
const SIGNATURES = [
	{ mime: "image/png", pattern: /^iVBORw0KGgo/, least: 45 },
	{ mime: "image/jpeg", pattern: /^\/9j\/[^9]/, least: 20 },
	{ mime: "image/gif", pattern: /^R0lGOD[dl]h/, least: 14 },
	{ mime: "image/webp", pattern: /^UklG.{8}RUJQ/, least: 20 },
	{ mime: "audio/wav", pattern: /^UklG.{8}QVZF/, least: 44 },
	{ mime: "audio/mpeg", pattern: /^(SUQz|\/[/+][I-Po-v])/, least: 20 },
	{ mime: "audio/aac", pattern: /^\/\/[A-Hg-n]/, least: 9 },
	{ mime: "audio/ogg", pattern: /^T2dnU/, least: 28 },
	{ mime: "audio/flac", pattern: /^ZkxhQ/, least: 42 },
	{ mime: "audio/mp4", pattern: /^.{5}[GWm2]Z0eX[A-D]/, least: 24 },
	{ mime: "audio/webm", pattern: /^GkXfo/, least: 20 },
	{ mime: "audio/aiff", pattern: /^Rk9S.{8}SUZ[DG]/, least: 30 },
	{ mime: "application/pdf", pattern: /^JVBER/, least: 20 },
];
// Other names of the same types.
const SAME_TYPE = {
	__proto__: null, "image/jpg": "image/jpeg", "audio/mp3": "audio/mpeg", "audio/x-wav": "audio/wav", "audio/wave": "audio/wav",
	"audio/vnd.wave": "audio/wav", "audio/m4a": "audio/mp4", "audio/x-m4a": "audio/mp4", "audio/x-flac": "audio/flac",
	"audio/opus": "audio/ogg", "audio/x-aiff": "audio/aiff", "audio/aacp": "audio/aac",
};
const MIME = /^[a-z0-9!#$&^_.+-]{1,100}\/[a-z0-9!#$&^_.+-]{1,100}$/;

// The type without its parameters, by its usual name; "": it says nothing.
const type_name = (mime) => {
	if (typeof mime !== "string")
		return "";
	const name = call(toLowerCase, replaced(split(mime, ";")[0], /\s+/g, () => ""));
	return match(/(^|\/)(\*|octet-stream)?$/, name) ? "" : SAME_TYPE[name] ?? name;
};
const is_bytes = (v) => isView(v) || KINDS[host.kind(v)] === bytes_json;

// ----------------------------------------------------------------- base64

const checked_base64 = (what, text) => {
	const data = replaced(text, /\s+/g, () => "");
	if (data === "")
		throw new TypeError(what + ": the data is empty");
	const stray = match(/[^A-Za-z0-9+/=]|=(?!=?$)/, data);
	if (stray !== null)
		throw new TypeError(what + ": the data is not base64: " + stringify(stray[0]) + " at character " + stray.index
			+ (match(/[_-]/, stray[0]) ? " is of the URL-safe alphabet; + and / are expected" : ""));
	if (data.length % 4 !== 0)
		throw new TypeError(what + ": the data is not base64: it has " + data.length + " characters, which is no multiple of 4, so it may have been cut");
	return data;
};

// {data, mime} of a base64 data: URL.
const data_url = (what, url) => {
	if (url === "")
		throw new TypeError(what + ": the URL is empty");
	const scheme = call(toLowerCase, call(slice, url, 0, call(indexOf, url, ":")));
	if (scheme === "http" || scheme === "https")
		throw new TypeError(what + " does not fetch " + scheme + ": URLs; pass the data itself, or resource(url) to hand on the address");
	const comma = call(indexOf, url, ",");
	const header = call(toLowerCase, call(slice, url, 0, comma < 0 ? 0 : comma));
	if (scheme !== "data" || !match(/;\s*base64\s*(;|$)/, header))
		throw new TypeError(what + ": " + stringify(call(slice, url, 0, 40)) + " is no base64 data: URL, data:TYPE;base64,DATA");
	return { __proto__: null, data: call(slice, url, comma + 1), mime: call(slice, header, 5) };
};

const file_type = (data) => {
	for (let i = 0; i < SIGNATURES.length; i++) {
		const { mime, pattern, least } = SIGNATURES[i];
		if (match(pattern, data))
			return { __proto__: null, mime, whole: data.length / 4 * 3 >= least };
	}
	return undefined;
};
const known_type = (mime) => {
	for (let i = 0; i < SIGNATURES.length; i++)
		if (SIGNATURES[i].mime === mime)
			return true;
	return false;
};

// ------------------------------------------- what a block has besides its data

const BESIDE = { __proto__: null, annotations: 0, _meta: 0 };
const TIME = /^\d{4}-\d\d-\d\dT\d\d:\d\d(:\d\d(\.\d+)?)?(Z|[+-]\d\d:\d\d)$/;
const { parse } = JSON;

const are_annotations = (v) => {
	const audience = own(v, "audience"), priority = own(v, "priority"), changed = own(v, "lastModified");
	for (let i = 0; isArray(audience) && i < audience.length; i++)
		if (audience[i] !== "user" && audience[i] !== "assistant")
			return false;
	return (audience === undefined || isArray(audience))
		&& (priority === undefined || (typeof priority === "number" && priority >= 0 && priority <= 1))
		&& (changed === undefined || (typeof changed === "string" && match(TIME, changed)));
};

// Is v, which came from JSON, what MCP has under this name? For another value a
// client may refuse the whole answer: it is left out, with a warning.
const fits_beside = (what, name, v) => {
	if (v === undefined || v === null)
		return false;
	const fits = typeof v === "object" && !isArray(v) && (name !== "annotations" || are_annotations(v));
	if (!fits)
		warn(undefined, what + "(): the block's " + name + " is not as MCP has it, and was left out");
	return fits;
};

// `annotations` and `_meta` of a block as a JSON object; "": it has neither.
const beside_json = (what, block) => {
	let out = "";
	for (const name in BESIDE) {
		const json = to_json(read(block, name), "the " + name + " of the " + what);
		if (json !== undefined && fits_beside(what, name, parse(json)))
			out += (out === "" ? "{" : ",") + stringify(name) + ":" + json;
	}
	return out === "" ? "" : out + "}";
};

// ------------------------------------------------------------ image, audio

const MEDIA = {
	__proto__: null,
	image: { print: 2, formats: "PNG, JPEG, GIF or WebP", open: false },
	audio: { print: 3, formats: "WAV, MP3, AAC, Ogg, FLAC, MP4, WebM or AIFF", open: true },
};

const usage = (what) => what + "() takes a base64 data: URL, bytes, " + (what === "image" ? "{ image_url }, " : "") + "a block { type: \""
	+ what + "\", data, mimeType }, or a result of a tool that holds such blocks";

const put_medium = (what, { data: given, mime: declared, block }) => {
	const data = checked_base64(what + "()", given);
	const type = file_type(data), name = type_name(declared);
	const { print: number, formats, open } = MEDIA[what];
	const fits = type !== undefined && call(startsWith, type.mime, what + "/");
	if (fits && !type.whole)
		throw new TypeError(what + "(): " + data.length / 4 * 3 + " bytes are no whole " + type.mime);
	if (!fits && (type !== undefined || !open || known_type(name) || !call(startsWith, name, what + "/") || !match(MIME, name)))
		throw new TypeError(what + "(): the data is " + (type === undefined ? "" : type.mime + " and ") + "no " + formats + " file"
			+ (name === "" ? "" : ", though its type is " + name)
			+ (name === "" && open ? "; another format needs its mimeType" : "; file(name, mimeType, data) hands on other files"));
	if (fits && name !== "" && name !== type.mime)
		warn(undefined, what + "(): the data is " + type.mime + ", and not " + name + " as its type says: it was handed on as " + type.mime);
	host.print(number, data, fits ? type.mime : match(/^audio\/[ -~]{1,240}$/, declared) ? declared : name,
		block === undefined ? "" : beside_json(what, block));
};

// The blocks of a tool's result, or undefined.
const blocks_of = (v) => {
	if (isArray(v))
		return v;
	const content = read(v, "content") ?? read(v, "contents");
	return isArray(content) ? content : undefined;
};

// {data, mime, block} of one object, or undefined: it has no such medium.
const medium_of = (what, v) => {
	const type = read(v, "type");
	let url = what === "image" ? read(v, "image_url") : undefined;
	if (typeof url === "object" && url !== null)
		url = read(url, "url");
	if (typeof url === "string")
		return data_url(what + "()", url);
	const source = read(v, "source"), inner = type === "resource" ? read(v, "resource") : v;
	const holds = (name) => typeof name === "string" && call(startsWith, name, what + "/");
	let data, mime;
	if (type === what && typeof source === "object" && source !== null) {
		data = read(source, "data");
		mime = read(source, "media_type");
	} else if (type === what || holds(read(inner, "mimeType"))) {
		data = type === "resource" || type === undefined ? read(inner, "blob") ?? read(inner, "data") : read(v, "data");
		mime = read(inner, "mimeType");
	} else
		return undefined;
	if (typeof data === "object" && data !== null && is_bytes(data))
		data = call(toBase64, bytes_of(data));
	if (typeof data !== "string" || data === "")
		throw new TypeError(usage(what) + "; its data must be base64 text");
	const medium = call(startsWith, data, "data:") ? data_url(what + "()", data) : { __proto__: null, data, mime };
	medium.block = v;
	return medium;
};

const types_in = (blocks) => {
	const names = list();
	for (let i = 0; i < blocks.length && i < 10; i++)
		call(push, names, text_of(read(blocks[i] ?? {}, "type")));
	return blocks.length === 0 ? "it is empty" : "its blocks are " + call(join, names, ", ");
};

const show_medium = (what, v) => {
	if (typeof v === "string")
		return put_medium(what, data_url(what + "()", v));
	if (typeof v !== "object" || v === null)
		throw new TypeError(usage(what));
	if (is_bytes(v))
		return put_medium(what, { __proto__: null, data: call(toBase64, bytes_of(v)) });
	const blocks = blocks_of(v);
	if (blocks === undefined) {
		const medium = medium_of(what, v);
		if (medium === undefined)
			throw new TypeError(usage(what) + "; its type is " + text_of(stringify(read(v, "type"))));
		return put_medium(what, medium);
	}
	let found = false;
	for (let i = 0; i < blocks.length; i++) {
		const medium = typeof blocks[i] === "object" && blocks[i] !== null ? medium_of(what, blocks[i]) : undefined;
		if (medium !== undefined)
			put_medium(what, medium);
		found ||= medium !== undefined;
	}
	if (!found)
		throw new TypeError(what + "(): this result has no " + what + ": " + types_in(blocks));
};

const image = (value) => show_medium("image", value);
const audio = (value) => show_medium("audio", value);

// ---------------------------------------------------------- file, resource

const drop_unfit = (v) => {
	for (const name in BESIDE)
		if (own(v, name) !== undefined && !fits_beside("resource", name, v[name]))
			delete v[name];
};
const put_block = (block) => {
	drop_unfit(block);
	drop_unfit(own(block, "resource"));
	host.print(4, to_json(block, "the resource"), "", "");
};

const TEXT_TYPE = /^text\/|[/+](json|xml|yaml|x-yaml|javascript|sql|toml|csv|x-ndjson|jsonl|graphql|x-sh|x-httpd-php)$/;
const { encodeURIComponent } = globalThis;

// file:///a/b.csv of a name or path.
const file_uri = (name) => {
	const parts = split(replaced(call(toWellFormed, name), /^\/+/g, () => ""), "/");
	for (let i = 0; i < parts.length; i++)
		parts[i] = encodeURIComponent(parts[i]);
	return "file:///" + call(join, parts, "/");
};

// {text} or {blob} of what a file holds.
const file_body = (what, data, mime) => {
	if (typeof data === "object" && data !== null && is_bytes(data))
		return { __proto__: null, mimeType: mime, blob: checked_base64(what, call(toBase64, bytes_of(data))) };
	if (typeof data === "string" && (mime === undefined || match(TEXT_TYPE, type_name(mime))))
		return { __proto__: null, mimeType: mime, text: data };
	if (typeof data === "string") {
		const { data: base64 } = call(startsWith, data, "data:") ? data_url(what, data) : { __proto__: null, data };
		return { __proto__: null, mimeType: mime, blob: checked_base64(what, base64) };
	}
	const json = data === undefined ? undefined : to_json(data, "the file");
	if (json === undefined)
		throw new TypeError("file(name, mimeType, data) takes as data text, bytes, base64 text of bytes, or a value for a JSON file");
	return { __proto__: null, mimeType: mime ?? "application/json", text: json };
};

const file = (name, mime, data) => {
	if (typeof name !== "string" || name === "")
		throw new TypeError("file(name, mimeType, data) takes a name, such as \"report.csv\", first");
	const type = type_name(mime);
	if (mime !== undefined && (typeof mime !== "string" || !match(MIME, call(toLowerCase, split(mime, ";")[0]))))
		throw new TypeError("file(name, mimeType, data): " + text_of(stringify(mime)) + " is no type such as \"text/csv\"");
	const body = file_body("file()", data, mime);
	const found = body.blob === undefined ? undefined : file_type(body.blob);
	if (body.blob !== undefined && known_type(type) && found?.mime !== type)
		throw new TypeError("file(): the data is " + (found === undefined ? "no " + type : found.mime + " and no " + type));
	body.mimeType ??= body.blob === undefined ? "text/plain" : found?.mime ?? "application/octet-stream";
	put_block({ __proto__: null, type: "resource", resource: with_members(body, { __proto__: null, uri: file_uri(name) }) });
};

const URI = /^[a-zA-Z][a-zA-Z0-9+.-]*:./;
const RESOURCE_USAGE = "resource() takes an address, a block resource_link or resource, or a result of a tool that holds such blocks";

const is_text = (v, name) => typeof own(v, name) === "string";

const check_uri = (v) => {
	if (!is_text(v, "uri") || !match(URI, v.uri))
		throw new TypeError(RESOURCE_USAGE + "; " + text_of(stringify(own(v, "uri"))) + " is no address (its uri)");
};

// With the members that it came with; `more` are those that it lacks.
const with_members = (v, more) => {
	const block = { __proto__: null }, names = keysOf(v);
	for (let i = 0; i < names.length; i++)
		block[names[i]] = v[names[i]];
	for (const name in more)
		if (typeof block[name] !== "string")
			block[name] = more[name];
	return block;
};

const put_contents = (block, contents) => {
	check_uri(contents);
	if (!is_text(contents, "text") && !is_text(contents, "blob"))
		throw new TypeError("resource(): its resource has neither text nor blob");
	if (!is_text(contents, "text"))
		checked_base64("resource()", contents.blob);
	put_block(block);
};

const put_link = (v) => {
	check_uri(v);
	const parts = split(split(split(v.uri, "?")[0], "#")[0], "/");
	put_block(with_members(v, { __proto__: null, type: "resource_link", name: parts[parts.length - 1] || v.uri }));
};

// v came from JSON. False: it is no resource.
const show_resource = (v) => {
	const type = own(v, "type"), inner = own(v, "resource");
	if (type === "resource" && own(inner, "uri") !== undefined)
		put_contents(v, inner);
	else if (type === undefined && (is_text(v, "text") || is_text(v, "blob")) && is_text(v, "uri"))
		put_contents({ __proto__: null, type: "resource", resource: v }, v);
	else if (type === "resource_link" || (type === undefined && own(v, "uri") !== undefined))
		put_link(v);
	else
		return false;
	return true;
};

const resource = (value) => {
	if (typeof value === "string")
		return put_link({ __proto__: null, uri: value });
	if (typeof value !== "object" || value === null)
		throw new TypeError(RESOURCE_USAGE);
	const v = parse(to_json(value, "the resource") ?? "null"), blocks = blocks_of(v ?? {});
	let found = blocks === undefined && show_resource(v);
	for (let i = 0; blocks !== undefined && i < blocks.length; i++)
		if (show_resource(blocks[i]))
			found = true;
	if (!found && blocks !== undefined)
		throw new TypeError("resource(): this result has no resource: " + types_in(blocks));
	if (!found)
		throw new TypeError(RESOURCE_USAGE + "; its type is " + text_of(stringify(own(v, "type"))));
};
