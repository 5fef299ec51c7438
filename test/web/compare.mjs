// SPDX-License-Identifier: MIT
//
// compare.mjs -- calls of URL, TextDecoder, structuredClone, crypto, Buffer and
// the like, in a script and in the Node that runs this file: the answers, or
// the names of the errors, are the same.
//
//	node22 compare.mjs CODEMODE [--show]
//
// calls.mjs makes the list. Where Node is not what the standard says, `right`
// in that list has the answer. --show prints each call with its answer.

import { spawnSync } from "node:child_process";
import { readFileSync } from "node:fs";
import { calls } from "./calls.mjs";

const showBody = readFileSync(new URL("show.js", import.meta.url), "utf8");

// Runs in both: the answers to the calls, one text each.
const answerAll = `
	const show = (value) => { ${showBody} };
	const answers = [];
	for (const code of list) {
		try {
			answers.push(show(await (0, eval)("(async () => { return (" + code + "\\n) })()")));
		} catch (e) {
			answers.push("throws " + e.name);
		}
	}
	return answers;`;

function answersOfScript(program, list) {
	const source = `const list = ${JSON.stringify(list)};${answerAll}`;
	const run = spawnSync(program, ["run", "--json", "-"], { input: source, encoding: "utf8", maxBuffer: 1 << 26 });
	const result = JSON.parse(run.stdout);
	if (!result.ok) throw new Error(`the script failed: ${JSON.stringify(result.error)}`);
	return result.value;
}

async function answersOfNode(list) {
	const AsyncFunction = (async () => {}).constructor;
	return await new AsyncFunction("list", answerAll)(list);
}

const [program, option] = process.argv.slice(2);
const list = calls();
const codes = list.map((c) => c.code);
const ours = answersOfScript(program, codes);
const theirs = await answersOfNode(codes);
let differ = 0;
list.forEach(({ code, right }, i) => {
	const want = right ?? theirs[i];
	if (option === "--show") console.log(`${code}\n\t${ours[i]}`);
	if (ours[i] === want) return;
	differ++;
	console.log(`${code}\n\tours: ${ours[i]}\n\t${right === undefined ? "Node" : "the standard"}: ${want}`);
});
const stale = list.filter(({ right }, i) => right !== undefined && right === theirs[i]);
for (const { code } of stale) console.log(`${code}\n\tNode is right about this one: no need to say so`);
console.log(`${list.length} calls, ${differ} with another answer`);
if (list.length <= 1300) throw new Error("calls.mjs makes fewer calls than it must");
process.exit(differ + stale.length === 0 ? 0 : 1);
