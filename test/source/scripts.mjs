// SPDX-License-Identifier: MIT
//
// scripts.mjs OUT [COUNT] [SEED] -- scripts from a grammar, half of them
// damaged, with the verdict of this Node's own engine: texts that begin with +
// or -, with a NUL behind each. Always the same ones for a seed.

import fs from "node:fs";

const [out, count = "20000", seed = "1"] = process.argv.slice(2);
const AsyncFunction = (async () => {}).constructor;

let state = Number(seed) >>> 0;
function random(n) {
	state = (Math.imul(state, 1664525) + 1013904223) >>> 0;
	return Math.floor((state / 4294967296) * n);
}
const pick = (list) => list[random(list.length)];
const maybe = (f, n = 2) => (random(n) ? [] : f());
const several = (f, between = [","], most = depth < 3 ? 5 : 3) => {
	const parts = [];
	for (let n = random(most + 1), i = 0; i < n; i++)
		parts.push(...(i ? between : []), ...f());
	return parts;
};

let depth = 0;
function nested(rules) {
	if (depth > 7)
		return rules[0]();
	depth++;
	const tokens = pick(rules)();
	depth--;
	return tokens;
}

const NAMES = ["a", "b", "c", "d", "x", "y", "async", "of", "let", "get", "set",
	"static", "await", "yield", "eval", "arguments", "as", "type", "\\u0061",
	"package", "target", "constructor", "prototype", "__proto__"];
const name = () => [random(3) ? pick(["a", "b", "c", "d", "x"]) : pick(NAMES)];
const LITERALS = ["0", "1", "1.5", "0x1f", "1n", "07", "08", "1_0", "'s'", '"s"',
	"'\\1'", "`t`", "/r/g", "/(/", "/[/]/", "null", "true", "this", ".5", "1e3",
	"'use strict'"];
const BINARY = ["+", "-", "*", "/", "%", "**", "==", "===", "<", ">", "<=", "<<",
	">>", "&", "|", "^", "&&", "||", "??", "in", "instanceof"];
const key = () => pick([name, name, () => [pick(["if", "class", "'k'", "1", "1n"])],
	() => ["[", ...expr(), "]"]])();
const privateName = () => [pick(["#p", "#q"])];

const member = () => pick([
	() => [...key(), ":", ...expr()],
	name,
	() => ["...", ...expr()],
	() => [...name(), "=", ...expr()],
	method,
])();
const method = () => [...maybe(() => [pick(["async", "get", "set", "*", "async *"])]),
	...key(), ...params(), ...body()];
const pattern = () => nested([
	name, name,
	() => ["[", ...several(element), "]"],
	() => ["{", ...several(patternMember), "}"],
]);
const element = () => [...maybe(() => ["..."], 8), ...pattern(),
	...maybe(() => ["=", ...expr()], 4)];
const patternMember = () => pick([
	() => [...key(), ":", ...element()],
	() => [...name(), ...maybe(() => ["=", ...expr()])],
	() => ["...", ...name()],
])();
const params = () => ["(", ...several(element), ")"];
const body = () => ["{", ...maybe(() => ["'use strict'", ";"], 8),
	...several(statement, [";"]), "}"];
const args = () => ["(", ...several(() => [...maybe(() => ["..."], 6), ...expr()]), ")"];

const expr = () => nested([
	name,
	() => [pick(LITERALS)],
	name,
	() => [...expr(), pick(BINARY), ...expr()],
	() => [...expr(), pick(BINARY), ...expr()],
	() => [pick(["!", "-", "+", "~", "typeof", "void", "delete", "await", "++", "--"]),
		...expr()],
	() => [...expr(), pick(["++", "--"])],
	() => [...name(), pick(["=", "+=", "??=", "**="]), ...expr()],
	() => [...pattern(), "=", ...expr()],
	() => [...expr(), "?", ...expr(), ":", ...expr()],
	() => [...expr(), pick([".", "?."]), ...pick([name, name, privateName])()],
	() => [...expr(), ...maybe(() => ["?."], 4), "[", ...expr(), "]"],
	() => [...expr(), ...maybe(() => ["?."], 4), ...args()],
	() => [...name(), ...args()],
	() => ["new", ...expr(), ...maybe(args)],
	() => ["(", ...expr(), ...maybe(() => [",", ...expr()], 4), ")"],
	() => ["[", ...several(() => [...maybe(() => ["..."], 6), ...maybe(expr, 4)]), "]"],
	() => ["{", ...several(member), "}"],
	() => ["({", ...several(member), "})"],
	() => [...maybe(() => ["async"], 3), ...pick([name, params])(), "=>",
		...pick([expr, body])()],
	() => [...maybe(() => ["async"], 3), "function", ...maybe(() => ["*"], 3),
		...maybe(name), ...params(), ...body()],
	() => ["class", ...classTail()],
	() => [pick(["yield", "yield *"]), ...expr()],
	() => ["`t${", ...expr(), "}u`"],
	() => [...expr(), "`t${", ...expr(), "}u`"],
	() => ["super", ".", ...name()],
	() => ["super", ...args()],
	() => ["import", ...args()],
	() => [...privateName(), "in", ...expr()],
]);

const classMember = () => pick([
	method, method,
	() => ["static", ...method()],
	() => [...maybe(() => ["static"], 3), ...pick([key, privateName])(),
		...maybe(() => ["=", ...expr()]), ";"],
	() => [...maybe(() => ["get"]), ...privateName(), ...params(), ...body()],
	() => ["static", "{", ...several(statement, [";"]), "}"],
])();
const classTail = () => [...maybe(name), ...maybe(() => ["extends", ...expr()], 3),
	"{", ...several(classMember, []), "}"];

const variable = (kind) => [kind, ...pattern(), ...maybe(() => ["=", ...expr()], 3),
	...maybe(() => [",", ...pattern(), "=", ...expr()], 4)];
const statement = () => nested([
	() => [...expr(), ";"],
	() => [...expr(), ";"],
	() => [...variable(pick(["var", "let", "const"])), ";"],
	() => ["{", ...several(statement, []), "}"],
	() => ["if", "(", ...expr(), ")", ...statement(),
		...maybe(() => ["else", ...statement()])],
	() => ["for", "(", ...maybe(() => pick([variable.bind(null, "let"), expr])(), 4), ";",
		...maybe(expr), ";", ...maybe(expr), ")", ...statement()],
	() => ["for", ...maybe(() => ["await"], 5), "(",
		...maybe(() => [pick(["var", "let", "const"])]), ...pattern(),
		pick(["of", "in"]), ...expr(), ")", ...statement()],
	() => ["while", "(", ...expr(), ")", ...statement()],
	() => ["do", ...statement(), "while", "(", ...expr(), ")"],
	() => [pick(["break", "continue"]), ...maybe(name, 3), ";"],
	() => ["return", ...maybe(expr), ";"],
	() => ["throw", ...expr(), ";"],
	() => ["try", "{", ...several(statement, []), "}", ...maybe(() => ["catch",
		...maybe(() => ["(", ...pattern(), ")"]), "{", ...several(statement, []), "}"], 4),
		...maybe(() => ["finally", "{", "}"])],
	() => ["switch", "(", ...expr(), ")", "{", ...several(() => [
		...pick([() => ["case", ...expr(), ":"], () => ["default", ":"]])(),
		...several(statement, [])], []), "}"],
	() => [...name(), ":", ...statement()],
	() => [...maybe(() => ["async"], 4), "function", ...maybe(() => ["*"], 4), ...name(),
		...params(), ...body()],
	() => ["class", ...classTail()],
	() => ["with", "(", ...expr(), ")", ...statement()],
	() => ["debugger", ";"],
	() => [";"],
]);

/* Takes a token out, doubles one, swaps two, or puts another one in. */
function damage(tokens) {
	const at = random(tokens.length), other = random(tokens.length);
	const copy = [...tokens];
	switch (random(4)) {
	case 0:
		copy.splice(at, 1);
		break;
	case 1:
		copy.splice(at, 0, tokens[at]);
		break;
	case 2:
		[copy[at], copy[other]] = [copy[other], copy[at]];
		break;
	default:
		copy.splice(at, 0, pick([...NAMES, ...LITERALS, ...BINARY, "(", ")", "[", "]",
			"{", "}", ";", ",", ":", "=>", "=", "...", "?", "?.", "."]));
	}
	return copy;
}

function join(tokens) {
	let text = "";
	for (const token of tokens)
		text += token + (token.startsWith("`t$") ? "" : pick([" ", " ", " ", " ", "\n"]));
	return text;
}

function valid(text) {
	try {
		new AsyncFunction(text);
		return true;
	} catch (error) {
		if (error instanceof SyntaxError)
			return false;
		throw error;
	}
}

/* Where this engine differs from the language: it leaves f() = 1 and its like
 * to run time, and lets a class have octals in its head and keys. What we refuse on
 * purpose: comments of HTML. What QuickJS accepts: a class called arguments. */
function differs(text) {
	const dense = text.replace(/\s+/g, "");
	return /\)(=(?![=>])|([-+*/%&|^]|<<|>>>?|\*\*|&&|\|\||\?\?)=|\+\+|--|of|in)/.test(dense) ||
		/(\+\+|--)[^;]*\)/.test(dense) || /--\s*>|<!--/.test(text) ||
		/class\s+(arguments|eval)\b/.test(text) ||
		(/'\\1'|\b0\d/.test(text) && text.includes("class"));
}

const records = [];
while (records.length < Number(count)) {
	let tokens = several(statement, [], 3);
	if (random(2) && tokens.length)
		tokens = damage(tokens);
	const text = join(tokens);
	if (text.length < 600 && !differs(text))
		records.push((valid(text) ? "+" : "-") + text);
}
fs.writeFileSync(out, records.map((record) => `${record}\0`).join(""));
