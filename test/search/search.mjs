// SPDX-License-Identifier: MIT
//
// search.mjs -- questions in words: are the right tools among the first?
//
//	node22 search.mjs ASK core|collected
//	node22 search.mjs ASK table [DIR]
//
// core       tools of our own making (core.json, core.txt)
// collected  723 tools of real servers, in ../shared/data/mcp-tools beside the
//            repository (exit status 77: they are not there), and questions.txt
// table      prints our figures for both beside those of other rankings, also for
//            StableToolBench if DIR is its solvable_queries/test_instruction
//
// Of questions.txt one half is for choosing weights and words, the other for
// testing.

import { execFileSync } from "node:child_process";
import { existsSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { COLLECTED, collectedTools, coreTools, readQuestions } from "./sets.mjs";

const [ask, what] = process.argv.slice(2);

/** The hits of each question; with times, the milliseconds of [index, query], too. */
function ours(tools, questions, times = 0) {
	const dir = mkdtempSync(join(tmpdir(), "search-"));
	try {
		const file = join(dir, "asked.json");
		writeFileSync(file, JSON.stringify({ tools, questions: questions.map((q) => q.question) }));
		const out = execFileSync(ask, times ? [file, String(times)] : [file], { encoding: "utf8", maxBuffer: 1 << 26 });
		const lines = out.split("\n");
		const hits = questions.map((_, i) => (lines[i] === "" ? [] : lines[i].split(" ").map(Number)));
		return { hits, ms: lines[questions.length]?.split(" ").map(Number) };
	} finally {
		rmSync(dir, { recursive: true });
	}
}

function figures(questions, hits) {
	const f = { questions: 0, first: 0, five: 0, recall: 0, mrr: 0, nothing: 0, honest: 0 };
	questions.forEach(({ right }, i) => {
		if (right.size === 0) {
			f.nothing++;
			f.honest += hits[i].length === 0;
			return;
		}
		const rank = hits[i].findIndex((h) => right.has(h)) + 1;
		f.questions++;
		f.first += rank === 1;
		f.five += rank > 0 && rank <= 5;
		f.recall += hits[i].slice(0, 5).filter((h) => right.has(h)).length / Math.min(5, right.size);
		f.mrr += rank > 0 ? 1 / rank : 0;
	});
	return { ...f, first: f.first / f.questions, five: f.five / f.questions, recall: f.recall / f.questions,
		mrr: f.mrr / f.questions };
}

const only = (wanted, questions, hits) => {
	const at = questions.map((_, i) => i).filter((i) => questions[i].half === wanted);
	return figures(at.map((i) => questions[i]), at.map((i) => hits[i]));
};

function expect(name, got, least) {
	console.log(`${name}: ${got.toFixed(3)}, at least ${least}`);
	if (!(got >= least))
		process.exitCode = 1;
}

function testCollected() {
	if (!existsSync(COLLECTED)) {
		console.log("no collection of tools beside the repository");
		process.exit(77);
	}
	const tools = collectedTools();
	const questions = readQuestions("questions.txt", tools);
	const f = only(1, questions, ours(tools, questions).hits);
	expect("first five", f.five, 0.93);
	expect("MRR", f.mrr, 0.85);
	expect("nothing for what no server has", f.honest / f.nothing, 0.7);
}

function testCore() {
	const tools = coreTools();
	const questions = readQuestions("core.txt", tools);
	const { hits } = ours(tools, questions);
	questions.forEach(({ question, right }, i) => {
		const rank = hits[i].findIndex((h) => right.has(h));
		if (right.size > 0 ? rank < 0 || rank > 4 : hits[i].length > 0)
			console.log(`${question}: ${hits[i].slice(0, 3).map((h) => tools[h].name).join(", ") || "nothing"}`);
	});
	const f = figures(questions, hits);
	expect("first five", f.five, 0.95);
	expect("MRR", f.mrr, 0.85);
	expect("nothing for what no server has", f.honest / f.nothing, 0.75);
}

if (what === "core")
	testCore();
else if (what === "collected")
	testCollected();
else {
	const { table } = await import("./table.mjs");
	await table({ ours, figures, only }, process.argv[4]);
}
