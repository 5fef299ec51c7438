// SPDX-License-Identifier: MIT
//
// parity.mjs -- the same scripts through npm pi-codemode and through this
// library; what comes out is compared field by field.
//
//	node22 parity.mjs OURS [--answers FILE] [--show] [CASE-PREFIX]
//
// OURS is the program made from ours.c; FILE keeps what pi-codemode answered.
// --show prints all differences as JSON.
//
// A difference is explained by the rules of differences.json. A rule is for the
// cases that it names (* at the end: all that begin so; none: all), and of
// these for those where "theirs" and "ours" (patterns, for the lines "field:
// value" of what differs) are found. It explains the fields that it names, or
// all. A difference that no rule explains fails, and so does a rule, or a case
// of a rule, that explains none, unless it says "sometimes".

import { spawn } from "node:child_process";
import { readFileSync } from "node:fs";
import { createInterface } from "node:readline";
import { fileURLToPath } from "node:url";
import { parseArgs } from "node:util";
import { goldenFolder, listFile } from "./cases.mjs";
import { answersOfPi, comparable } from "./pi.mjs";
import { shown } from "./shown.mjs";

const here = (name) => fileURLToPath(new URL(name, import.meta.url));

// Files whose scripts run into deadlines and depths: the other side blocks
// there for seconds, or ends with kind sandbox. And what it does not have:
// timers, a front end, a word about promises in values.
const NOT_COMPARED = /^(stopping|depth|time|meant|promises): /;

function cases(prefix) {
	return [...goldenFolder(here("../script")), ...listFile(here("scripts.list"))]
		.filter((c) => !NOT_COMPARED.test(c.name) && c.name.startsWith(prefix))
		.filter((c) => comparable(c) && !c.lines?.some((l) => l.startsWith("// source-")));
}

/** Starts OURS; gives a function that runs one case in it. */
function startOurs(program) {
	const child = spawn(program, { stdio: ["pipe", "pipe", "inherit"] });
	const lines = createInterface({ input: child.stdout })[Symbol.asyncIterator]();
	const run = async ({ source, options }) => {
		// As it stands: the other side puts nothing right.
		child.stdin.write(`${JSON.stringify({ source, options: { ...options, raw: true } })}\n`);
		const { value, done } = await lines.next();
		if (done) throw new Error("the program ended in the middle of a case");
		return JSON.parse(value);
	};
	return { run, end: () => child.stdin.end() };
}

/** field -> [theirs, ours] for each field that differs. */
function differences(theirs, ours) {
	if (ours.refused) return { refused: ["", ours.refused] };
	const pairs = Object.entries(shown(ours)).map(([field, text]) => [field, [theirs[field], text]]);
	return Object.fromEntries(pairs.filter(([, pair]) => pair[0] !== pair[1]));
}

/** The rule's name of the case, if it is for it; null: every case. */
function nameIn(rule, name) {
	if (!rule.cases) return null;
	return rule.cases.find((c) => (c.endsWith("*") ? name.startsWith(c.slice(0, -1)) : c === name));
}

const lines = (found, side) => Object.entries(found).map(([field, pair]) => `${field}: ${pair[side]}`).join("\n");
const fits = (pattern, found, side) => !pattern || new RegExp(pattern, "m").test(lines(found, side));

/** Marks what the rules explain of a case, and returns the fields that none does. */
function unexplained(name, found, rules) {
	const left = new Set(Object.keys(found));
	for (const rule of rules) {
		const named = nameIn(rule, name);
		if (named === undefined || !fits(rule.theirs, found, 0) || !fits(rule.ours, found, 1)) continue;
		for (const field of rule.fields ?? Object.keys(found))
			if (field in found) {
				left.delete(field);
				rule.used.add(named).add(field);
			}
	}
	return [...left];
}

/** What a rule names and nothing needs. */
function idle(rule) {
	const names = [...(rule.cases ?? [null]), ...(rule.fields ?? [])];
	return names.filter((n) => !rule.used.has(n)).map((n) => n ?? "every case");
}

async function main() {
	const { values, positionals } = parseArgs({
		allowPositionals: true,
		options: { answers: { type: "string" }, show: { type: "boolean" } },
	});
	const [program, prefix = ""] = positionals;
	const all = cases(prefix);
	const rules = JSON.parse(readFileSync(here("differences.json"), "utf8")).map((r) => ({ ...r, used: new Set() }));
	const theirs = await answersOfPi(all, values.answers);
	const ours = startOurs(program);
	const everything = {};
	let failed = 0;
	for (const [i, { name, ...c }] of all.entries()) {
		const found = (everything[name] = differences(theirs[i], await ours.run(c)));
		const left = values.show ? [] : unexplained(name, found, rules);
		const said = left.map((f) => `\n\t${f}\n\t  theirs: ${found[f][0].slice(0, 400)}\n\t  ours:   ${found[f][1].slice(0, 400)}`);
		if (left.length) console.log(name + said.join(""));
		failed += left.length > 0;
	}
	ours.end();
	for (const rule of prefix || values.show ? [] : rules.filter((r) => !r.sometimes))
		for (const name of idle(rule)) {
			console.log(`${name}\n\tis in differences.json but does not differ: ${rule.reason}`);
			failed++;
		}
	if (values.show) console.log(JSON.stringify(everything, null, "\t"));
	else console.log(`parity: ${all.length} scripts compared, ${failed} differ unexpectedly`);
	process.exit(failed ? 1 : 0);
}

await main();
