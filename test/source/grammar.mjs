// SPDX-License-Identifier: MIT
//
// grammar.mjs -- the grammar that the command prints, and what it reads.
//
// Texts are made from the grammar, damaged, and made of pieces. For each, the
// command takes it as a script exactly if the grammar does. The grammar has no
// recursion, so that one regular expression stands for all of it.
//
//	grammar.mjs CODEMODE TEXTS [SEED]
import assert from "node:assert/strict";
import { spawn, spawnSync } from "node:child_process";

const [codemode, wanted, seed = "1"] = process.argv.slice(2);
const printed = spawnSync(codemode, ["check", "--grammar"], { encoding: "utf8" });
assert.equal(printed.status, 0);

let state = Number(seed) >>> 0;
const random = (n) => {
	state = (Math.imul(state, 1664525) + 1013904223) >>> 0;
	return Math.floor((state / 2 ** 32) * n);
};
const pick = (list) => list[random(list.length)];

// ------------------------------------------------------------- the grammar

// name -> a tree: {any: [{all: [{item, least, most}]}]}, where an item is a
// tree, {chars: text}, {not, set: [[from, to]]} or {name}.
const rules = {};

// Reads a tree. `next` gives an item, or undefined at | and ).
const tree = (s, next) => {
	const any = [{ all: [] }];
	for (;;) {
		if (s.text[s.at] === "|") {
			s.at++;
			any.push({ all: [] });
			continue;
		}
		const item = next(s);
		if (!item) return { any };
		const sign = /^(?:[*+?]|\{(\d+),(\d+)\}|\{(\d+)\})/.exec(s.text.slice(s.at));
		s.at += sign?.[0].length ?? 0;
		const [least, most] = { undefined: [1, 1], "*": [0, 4], "+": [1, 4], "?": [0, 1] }[sign?.[0]] ??
			[Number(sign[1] ?? sign[3]), Number(sign[2] ?? sign[3])];
		any.at(-1).all.push({ item, least, most });
	}
};

const character = (s) => {
	const c = s.text[s.at++];
	if (c !== "\\") return c;
	const e = s.text[s.at++];
	const digits = { x: 2, u: 4 }[e];
	if (!digits) return { t: "\t", n: "\n", r: "\r" }[e] ?? e;
	s.at += digits;
	return String.fromCharCode(parseInt(s.text.slice(s.at - digits, s.at), 16));
};

const set = (s) => {
	const not = s.text[s.at] === "^", ranges = [];
	s.at += not ? 1 : 0;
	while (s.text[s.at] !== "]") {
		const from = character(s);
		if (s.text[s.at] === "-") s.at++;
		else {
			ranges.push([from, from]);
			continue;
		}
		ranges.push([from, character(s)]);
	}
	s.at++;
	return { not, set: ranges };
};

const regex = (text) => {
	const s = { text, at: 0 };
	const item = (s) => {
		if (s.at === s.text.length || s.text[s.at] === ")") return undefined;
		if (s.text.startsWith("(?:", s.at)) {
			s.at += 3;
			const inner = tree(s, item);
			s.at++;
			return inner;
		}
		if (s.text[s.at] === "[") {
			s.at++;
			return set(s);
		}
		return { chars: character(s) };
	};
	return tree(s, item);
};

const part = (s) => {
	while (s.text[s.at] === " ") s.at++;
	const rest = s.text.slice(s.at);
	if (rest === "" || rest[0] === "|" || rest[0] === ")") return undefined;
	if (rest[0] === "(") {
		s.at++;
		const inner = tree(s, part);
		s.at++;
		return inner;
	}
	const [all, string, pattern, name] = /^(?:("(?:[^"\\]|\\.)*")|\/((?:[^/\\[]|\\.|\[(?:[^\]\\]|\\.)*\])*)\/|([A-Za-z_]+))/.exec(rest);
	s.at += all.length;
	// White space may stand between an item and what follows it, not before its sign.
	const item = string ? { chars: JSON.parse(string) } : pattern !== undefined ? regex(pattern) : { name };
	if (!/[*+?]/.test(s.text[s.at] ?? "")) while (s.text[s.at] === " ") s.at++;
	return item;
};

for (const line of printed.stdout.split("\n")) {
	const [, name, text] = /^([A-Za-z_]+): (.*)$/.exec(line) ?? [];
	if (name) rules[name] = tree({ text, at: 0 }, part);
	else assert.match(line, /^(\/\/.*)?$/);
}

// ---------------------------------------------- what it takes, what it makes

const escaped = (c) => `\\u{${c.codePointAt(0).toString(16)}}`;
const source = (t) => {
	if (t.name) return source(rules[t.name]);
	if (t.chars !== undefined) return [...t.chars].map(escaped).join("");
	if (t.set) return `[${t.not ? "^" : ""}${t.set.map(([a, b]) => `${escaped(a)}-${escaped(b)}`).join("")}]`;
	return `(?:${t.any.map(({ all }) => all.map(({ item, least, most }) =>
		`(?:${source(item)}){${least},${most === 4 ? "" : most}}`).join("")).join("|")})`;
};
const whole = new RegExp(`^${source(rules.start)}$`, "u");

const ALPHABET = [..."/ @options:{}\"19.e\n\r\t\\#x", "\u00a0", "\ufeff", "\u2028", "é", "😀", "\v"];
const make = (t) => {
	if (t.name) return make(rules[t.name]);
	if (t.chars !== undefined) return t.chars;
	if (t.set && t.not) return pick(ALPHABET.filter((c) => !t.set.some(([a, b]) => c >= a && c <= b)));
	if (t.set) {
		const [a, b] = pick(t.set);
		return String.fromCharCode(a.charCodeAt(0) + random(b.charCodeAt(0) - a.charCodeAt(0) + 1));
	}
	return pick(t.any).all.map(({ item, least, most }) =>
		Array.from({ length: least + random(most - least + 1) }, () => make(item)).join("")).join("");
};

const damage = (text) => {
	const chars = [...text], at = random(chars.length + 1);
	chars.splice(at, random(3), ...(random(3) ? [pick([...ALPHABET, "\0"])] : []));
	return random(3) ? chars.join("") : damage(chars.join(""));
};
const PIECES = ["// @options:", "//@options:", "{", "}", "\"timeout_ms\"", "\"max_output_tokens\"", ":", ",", " ", "\n", "0", "1", "2147483647",
	"2147483648", "9007199254740991", "9007199254740992", "1e9", "9e15", "1e16", "3e9", "1.0", "1.5", "-1", "null", "\"", "return 1", "\r\n", "\t", "\ufeff", "\u00a0",
	"\"timeout_ms\":", "// @options: {\"timeout_ms\":", "}\nreturn 1"];
const pieces = () => Array.from({ length: random(9) }, () => pick(PIECES)).join("");

// ------------------------------------------------------------- the command

const REFUSED = ["BadOptions", "EmptySource", "NotText"];
const takes = (text) => new Promise((resolve, reject) => {
	const child = spawn(codemode, ["check", "--raw", "--json", "-"], { stdio: ["pipe", "pipe", "inherit"] });
	let out = "";
	child.stdout.on("data", (data) => { out += data; });
	child.on("error", reject);
	child.on("close", () => resolve(!JSON.parse(out).problems.some(({ code }) => REFUSED.includes(code))));
	child.stdin.end(text);
});

let taken = 0, refused = 0;
const texts = Array.from({ length: Number(wanted) }, (_, i) => {
	const text = i % 4 === 0 ? pieces() : make(rules.start);
	return i % 4 === 1 || i % 4 === 2 ? damage(text) : text;
});
const work = async () => {
	for (let i = texts.length; i > 0; i = texts.length) {
		const text = texts.pop(), fits = whole.test(text);
		if (i % 4 === 0) assert.ok(fits, `made and not taken: ${JSON.stringify(text)}`);
		assert.equal(await takes(text), fits, `the grammar ${fits ? "takes" : "refuses"} ${JSON.stringify(text)}`);
		fits ? taken++ : refused++;
	}
};
await Promise.all(Array.from({ length: 4 }, work));
console.log(`${taken} texts taken, ${refused} refused, by both`);
assert.ok(taken > Number(wanted) / 4 && refused > Number(wanted) / 10);
