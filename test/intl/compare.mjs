// SPDX-License-Identifier: MIT
//
// compare.mjs CODEMODE NODE -- makes the calls of calls.js here and in
// codemode, and reports where the answers differ.
//
// known.txt lists the differences that are there for a reason, and how many. It
// may only shrink: a line with more or fewer differences than it says fails.
//
// The tables of codemode were made by the Node of the build. When that has
// another CLDR than this one, it is the one to compare with.

import { execFileSync, spawnSync } from "node:child_process";
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";

const [program, node] = process.argv.slice(2);
const here = new URL(".", import.meta.url);

const builder = execFileSync(node, ["-p", "process.versions.cldr"], { encoding: "utf8" }).trim();
if (builder !== process.versions.cldr && process.env.COMPARE_AGAIN === undefined) {
	const again = spawnSync(node, process.argv.slice(1), { stdio: "inherit", env: { ...process.env, COMPARE_AGAIN: "1" } });
	process.exit(again.status ?? 1);
}

const source = readFileSync(new URL("calls.js", here), "utf8");
const folder = mkdtempSync(tmpdir() + "/intl-");
writeFileSync(folder + "/calls.js", source);
const run = spawnSync(program, ["run", "--json", "--place", "inline", folder + "/calls.js"], { encoding: "utf8", maxBuffer: 1 << 28 });
rmSync(folder, { recursive: true });
const result = JSON.parse(run.stdout);
if (!result.ok) {
	console.error(result.error);
	process.exit(1);
}
const answers = new Map(result.value), wanted = new Function(source)();

const known = readFileSync(new URL("known.txt", here), "utf8").split("\n").filter((line) => /^\d/.test(line)).map((line) => {
	const [, most, pattern] = /^(\d+) (\S.*?)  /.exec(line);
	return { most: Number(most), pattern: new RegExp(pattern), line, found: 0 };
});
let wrong = 0;
for (const [asked, want] of wanted) {
	const got = answers.get(asked);
	if (got === want || (got === undefined && asked.startsWith("zone ")))
		continue;
	const reason = known.find(({ pattern }) => pattern.test(asked));
	if (reason !== undefined)
		reason.found++;
	else if (++wrong <= Number(process.env.SHOW ?? 40))
		console.log(asked + "\n  wanted: " + want + "\n  got:    " + got);
}
for (const { most, found, line } of known)
	if (most !== found) {
		wrong++;
		console.log("known.txt: " + found + " differences, not " + most + ": " + line);
	}
console.log(wanted.length + " calls, " + known.reduce((n, k) => n + k.found, 0) + " known differences, " + wrong + " wrong");
process.exit(wrong > 0 || wanted.length < 2000 ? 1 : 0);
