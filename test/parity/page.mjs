// SPDX-License-Identifier: MIT
//
// page.mjs PAGE TEST-FOLDER: each test that doc/parity.md names is there, each
// row of its tables names one, and all 47 weak points have a row.
//
// A test is `file` or `file: case`, below TEST-FOLDER or the folder above it; the
// file may lack its suffix.

import { existsSync, readdirSync, readFileSync } from "node:fs";
import { basename, dirname, join } from "node:path";

const [page, folder] = process.argv.slice(2);
const WEAK_POINTS = 47;

/** The files of that name, which may lack its suffix. */
function find(name) {
	const paths = [folder, dirname(folder)].map((root) => join(root, name));
	const exact = paths.filter(existsSync);
	if (exact.length) return exact;
	const among = paths.filter((p) => existsSync(dirname(p))).flatMap((p) => readdirSync(dirname(p)).map((f) => join(dirname(p), f)));
	return among.filter((p) => basename(p).replace(/\.[a-z]+$/, "") === basename(name));
}

/** Has the file a script, transcript, row or unit test of that title? */
function hasCase(file, title) {
	const text = readFileSync(file, "utf8");
	const lines = ["//// ", "== ", "=== "].map((mark) => mark + title);
	if (text.split("\n").some((line) => lines.includes(line))) return true;
	return text.includes(`"${title}"`) || text.includes(`cmocka_unit_test(${title})`);
}

/** Why the test is none; undefined: it is there. */
function fault(test) {
	const [, name, title] = /^([^:]+)(?:: (.*))?$/.exec(test);
	const files = find(name);
	if (files.length === 0) return "no such file";
	if (title !== undefined && !files.some((file) => hasCase(file, title))) return "no such case";
}

const rows = readFileSync(page, "utf8")
	.split("\n")
	.filter((line) => line.startsWith("| ") && !/^\| (#|feature) \|/.test(line))
	.map((line) => line.slice(2, -2).split(" | "));
const faults = [];
let named = 0;
for (const [head, ...cells] of rows) {
	const tests = [...cells.at(-1).matchAll(/`([^`]+)`/g)].map((m) => m[1]);
	named += tests.length;
	if (cells.length !== 3) faults.push(`${head}: ${cells.length + 1} cells, not 4`);
	if (tests.length === 0) faults.push(`${head}: no test`);
	for (const test of tests) if (fault(test)) faults.push(`${head}: ${test}: ${fault(test)}`);
}
const numbers = rows.map(([head]) => Number(head)).filter((n) => !Number.isNaN(n));
for (let n = 1; n <= WEAK_POINTS; n++) if (numbers[n - 1] !== n) faults.push(`weak point ${n} is not the row of that number`);
for (const f of faults) console.log(f);
console.log(`${rows.length} rows, ${named} tests named, ${faults.length} faults`);
process.exitCode = faults.length ? 1 : 0;
