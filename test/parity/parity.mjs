// SPDX-License-Identifier: MIT
//
// parity.mjs -- the same scripts through npm pi-codemode and through this
// library; what comes out is compared field by field.
//
//	node22 parity.mjs OURS [--show] [CASE-PREFIX]
//
// OURS is the program made from ours.c. Differences that are wanted stand in
// differences.json: case -> field -> reason. One that is not listed fails, and
// so does a listed one that is no difference any more. --show prints all
// differences as JSON, for whoever has to look at new ones.

import { spawn } from "node:child_process";
import { readFileSync } from "node:fs";
import { createInterface } from "node:readline";
import { fileURLToPath } from "node:url";
import { goldenFolder, listFile } from "./cases.mjs";
import { comparable, runPi } from "./pi.mjs";

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

// What both sides say, in one shape. Times are nobody's to compare.
const fields = {
	ok: (r) => r.ok,
	value: (r) => r.value,
	output: (r) => r.output,
	"error.kind": (r) => r.error?.kind,
	"error.name": (r) => r.error?.name,
	"error.message": (r) => r.error?.message,
	calls: (r) => r.calls.map((c) => `${c.server ? `${c.server}.${c.name}` : c.name} ${c.status}`),
	storeWrites: (r) => (r.ok ? writes(r.storeWrites) : undefined),
};

function writes({ set, delete: gone }) {
	return { set: Object.entries(set), delete: gone };
}

const show = (v) => (v === undefined ? "undefined" : JSON.stringify(v));

/** field -> [theirs, ours] for each field that differs. */
function differences(theirs, ours) {
	if (ours.refused) return { refused: ["", ours.refused] };
	const found = {};
	for (const [field, of] of Object.entries(fields)) {
		const pair = [show(of(theirs)), show(of(ours))];
		if (pair[0] !== pair[1]) found[field] = pair;
	}
	return found;
}

function judge(name, found, wanted) {
	const faults = [];
	for (const [field, [theirs, ours]] of Object.entries(found))
		if (!(field in wanted))
			faults.push(`${field}\n\t  theirs: ${theirs.slice(0, 400)}\n\t  ours:   ${ours.slice(0, 400)}`);
	for (const field of Object.keys(wanted))
		if (!(field in found)) faults.push(`${field} is listed in differences.json but does not differ`);
	if (faults.length) console.log(`${name}\n\t${faults.join("\n\t")}`);
	return faults.length === 0;
}

async function main([program, ...rest]) {
	const showAll = rest[0] === "--show" && Boolean(rest.shift());
	const all = cases(rest[0] ?? "");
	const wanted = JSON.parse(readFileSync(here("differences.json"), "utf8"));
	const ours = startOurs(program);
	const found = {};
	let failed = 0;
	for (const c of all) {
		found[c.name] = differences(await runPi(c), await ours.run(c));
		failed += showAll || judge(c.name, found[c.name], wanted[c.name] ?? {}) ? 0 : 1;
	}
	ours.end();
	for (const name of Object.keys(wanted))
		if (!rest[0] && !found[name]) {
			console.log(`${name}\n\tis listed in differences.json but is no case`);
			failed++;
		}
	if (showAll) console.log(JSON.stringify(found, null, "\t"));
	else console.log(`parity: ${all.length} scripts compared, ${failed} differ unexpectedly`);
	process.exit(failed ? 1 : 0);
}

await main(process.argv.slice(2));
