// SPDX-License-Identifier: MIT
//
// regexes.mjs OUT [COUNT] -- regular expressions, right and wrong, with the
// verdict of this Node's own engine: lines "+/a/u" and "-/(/". They are put
// together at random from pieces that have a meaning, always the same ones.

import fs from "node:fs";
import v8 from "node:v8";

// Of ES2025, and not on by themselves in Node 22.
v8.setFlagsFromString("--js-regexp-modifiers");
v8.setFlagsFromString("--js-regexp-duplicate-named-groups");

const [out, count = "40000"] = process.argv.slice(2);

let state = 20251129;
function random(n) {
	state = (Math.imul(state, 1664525) + 1013904223) >>> 0;
	return Math.floor((state / 4294967296) * n);
}
const pick = (list) => list[random(list.length)];

const PIECES = [
	"a", "b", "-", "0", "1", "9", " ", ".", "^", "$", "|", "|", "*", "+", "?",
	"{", "}", "{2}", "{2,}", "{2,3}", "{3,2}", "{,2}", "{2,3", "{a}", "]", ",",
	"(", "(", "(", ")", ")", ")", "(?:", "(?=", "(?!", "(?<=", "(?<!", "(?<a>",
	"(?<b>", "(?<a>x)", "|(?<a>y)", "(?<a", "(?<1>", "(?<\\u0061>", "(?<\\u{62}>", "(?i:", "(?-i:",
	"(?ims-:", "(?i-i:", "(?ii:", "(?-:", "(?x:", "(?", "(?a)", "[", "[", "[^",
	"[", "]", "]", "]", "[a-z]", "[z-a]", "[]", "[^]", "[a-\\d]", "[\\d-a]",
	"[\\b]", "[\\B]", "[\\-]", "[-a]", "[a-]", "[\\c0]", "[\\c]", "[\\1]", "\\0",
	"\\00", "\\01", "\\1", "\\2", "\\9", "\\10", "\\b", "\\B", "\\d", "\\D",
	"\\s", "\\w", "\\f", "\\n", "\\cA", "\\c", "\\c1", "\\x41", "\\x4", "\\xg",
	"\\u0041", "\\u004", "\\u{41}", "\\u{110000}", "\\u{}", "\\u", "\\ud83d",
	"\\ude00", "\\ud83d\\ude00", "😀", "é", "[😀-😁]", "[😁-😀]", "[\\ud83d\\ude00-😁]",
	"\\k<a>", "\\k<b>", "\\k<c>", "\\k", "\\k<", "\\k<a", "\\p{L}", "\\P{L}",
	"\\p{Lu}", "\\p{Script=Greek}", "\\p{sc=Grek}", "\\p{scx=Latn}",
	"\\p{gc=Nd}", "\\p{Foo}", "\\p{Script=Foo}", "\\p{Script}", "\\p", "\\p{",
	"\\p{Alphabetic}", "\\p{RGI_Emoji}", "\\P{RGI_Emoji}", "\\-", "\\a", "\\_",
	"\\/", "\\^", "\\$", "\\.", "\\*", "\\{", "\\}", "\\[", "\\]", "\\|", "\\\\",
	"&&", "--", "&", "[a&&b]", "[a--b]", "[a&&b--c]", "[[a][b]]", "[a&&&b]",
	"[\\q{a|bc}]", "[^\\q{ab}]", "[^\\q{a|b}]", "\\q{a}", "[a!!b]", "[a-[b]]",
	"[(]", "[|]", "[{]", "[/]", "[\\&]", "[\\!]", "[^\\p{RGI_Emoji}]",
	"[\\p{RGI_Emoji}&&a]", "[^\\p{RGI_Emoji}&&a]", "[^\\p{RGI_Emoji}--a]",
	"[a-z&&b]", "[a-zb]", "[a&&b-c]",
];
const FLAGS = ["", "", "", "u", "u", "v", "v", "g", "i", "gimsy", "d", "uv", "gg",
	"x", "dgimsuy"];

function valid(pattern, flags) {
	try {
		new RegExp(pattern, flags);
		return true;
	} catch {
		return false;
	}
}

/* A literal must also end where it is meant to. */
function literal(pattern) {
	if (pattern === "" || /^[*/]/.test(pattern))
		return false;
	let inClass = false;
	for (let i = 0; i < pattern.length; i++) {
		if (pattern[i] === "\\") {
			if (++i === pattern.length)
				return false;
		} else if (pattern[i] === "[") {
			inClass = true;
		} else if (pattern[i] === "]") {
			inClass = false;
		} else if (pattern[i] === "/" && !inClass) {
			return false;
		}
	}
	return !inClass;
}

const lines = new Set();
while (lines.size < Number(count)) {
	let pattern = "";
	for (let n = 1 + random(6); n > 0; n--)
		pattern += pick(PIECES);
	const flags = pick(FLAGS);
	if (literal(pattern))
		lines.add(`${valid(pattern, flags) ? "+" : "-"}/${pattern}/${flags}`);
}
fs.writeFileSync(out, [...lines].map((line) => `${line}\n`).join(""));
