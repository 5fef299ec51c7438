// SPDX-License-Identifier: MIT
// The global object's own values and functions. Last of all files.

$define(global, "globalThis", global, HIDDEN);

// Kept as they are by encodeURI, and by both.
const uri_reserved = ";/?:@&=+$,#";
const uri_marks = "-_.!~*'()";

$methods(global, {
	decodeURI(text) {
		return $uri_decode(`${text}`, uri_reserved);
	},
	decodeURIComponent(text) {
		return $uri_decode(`${text}`, "");
	},
	encodeURI(text) {
		return $uri_encode(`${text}`, uri_reserved + uri_marks, 0);
	},
	encodeURIComponent(text) {
		return $uri_encode(`${text}`, uri_marks, 0);
	},
	escape(text) {
		return $uri_encode(`${text}`, "@*_+-./", 1);
	},
	unescape(text) {
		return $uri_unescape(`${text}`);
	},
});
