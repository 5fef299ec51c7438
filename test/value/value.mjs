// SPDX-License-Identifier: MIT
//
// value.mjs -- what codemode saves a model's context, and what it does not.
//
//	node22 value.mjs CODEMODE [--bench DIR] [--tau DIR] [--only tasks|catalogs|tau]      writes doc/value.md
//	node22 value.mjs CODEMODE --check                        the eight tasks again: are the page's figures right?
//
// --bench  StableToolBench's solvable_queries/test_instruction
// --tau    a checkout of sierra-research/tau-bench
//
// A section whose data are not there stays on the page as it is.

import { existsSync, readFileSync, writeFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { parseArgs } from "node:util";
import { measureCatalog } from "./catalogs.mjs";
import * as page from "./page.mjs";
import { measureTasks } from "./tasks.mjs";
import { measureTau } from "./tau.mjs";
import { COLLECTED, collectedTools, readBench, readQuestions } from "../search/sets.mjs";

const { values: given, positionals: [codemode] } = parseArgs({ allowPositionals: true,
	options: { bench: { type: "string" }, tau: { type: "string" }, only: { type: "string" }, check: { type: "boolean" } } });
const here = (name) => fileURLToPath(new URL(name, import.meta.url));
const PAGE = here("../../doc/value.md");
const say = (words) => console.error(`value: ${words}`);

/** Names that are identifiers, unique within a server: { server: tools }, and the path of each tool. */
function listsOf(tools, nameOf) {
	const lists = {}, paths = [], taken = new Set();
	for (const t of tools) {
		const [space, wanted] = nameOf(t).map((s) => s.replace(/[^A-Za-z0-9_]+/g, "_").replace(/^(?=\d)/, "_"));
		let name = wanted;
		for (let n = 2; taken.has(`${space}.${name}`); n++)
			name = `${wanted}_${n}`;
		taken.add(`${space}.${name}`);
		paths.push(`${space}.${name}`);
		(lists[space] ??= []).push({ name, description: t.description, inputSchema: { type: "object", ...t.input },
			annotations: t.reads ? { readOnlyHint: true } : undefined });
	}
	return { lists, paths };
}

function measureSet(title, tools, questions, nameOf) {
	const { lists, paths } = listsOf(tools, nameOf);
	const asked = questions.filter((q) => q.right.size > 0).map((q) => [q.question, [...q.right].map((i) => paths[i])]);
	return measureCatalog(codemode, title, lists, asked);
}

function collected() {
	if (!existsSync(COLLECTED))
		return say("no collection of tools beside the repository");
	const tools = collectedTools();
	const questions = readQuestions("questions.txt", tools).filter((q) => q.half === 1);
	return measureSet("tools of real servers", tools, questions, (t) => [t.space, t.name]);
}

function bench() {
	if (!given.bench)
		return say("StableToolBench is not given (DIR)");
	const { tools, questions } = readBench(given.bench);
	return measureSet("APIs of StableToolBench", tools, questions, (t) => [t.category, `${t.name}_for_${t.space}`.toLowerCase()]);
}

async function catalogs() {
	const sets = [await collected(), await bench()];
	return sets.every(Boolean) ? page.catalogSection(sets) : undefined;
}

async function tau() {
	if (!given.tau)
		return say("tau-bench is not given (TAU)");
	return page.tauSection([await measureTau(codemode, given.tau, "retail"), await measureTau(codemode, given.tau, "airline")]);
}

function fail(words) {
	console.log(words);
	process.exitCode = 1;
}

/** Every "N tokens" of the README is a figure of the page. */
function checkReadme(text) {
	const figures = new Set(text.match(/[\d,.]*\d/g));
	for (const [claim, figure] of readFileSync(here("../../README.md"), "utf8").matchAll(/([\d,.]*\d) tokens/g))
		if (!figures.has(figure))
			fail(`README.md: "${claim}" is not a figure of doc/value.md`);
}

async function check() {
	const text = readFileSync(PAGE, "utf8"), measured = await measureTasks(codemode);
	for (const { task, said } of measured.ours.rows)
		if (said !== readFileSync(here(`../../example/value/${task.replace(".js", ".out")}`), "utf8").trimEnd())
			fail(`${task} said ${said}`);
	const old = page.taskFigures(text), now = page.taskFigures(page.taskSection(measured));
	for (const [row, figures] of Object.entries(now))
		figures.forEach((n, i) => {
			if (!(Math.abs(n - old[row]?.[i]) <= 0.05 * n))
				fail(`${row}: doc/value.md says ${old[row]?.[i]}, it is ${n} (make value)`);
		});
	checkReadme(text);
	console.log(`${Object.keys(now).length} rows compared`);
}

/** Each section is written as soon as it is measured. */
async function write() {
	const sections = existsSync(PAGE) ? page.sectionsOf(readFileSync(PAGE, "utf8")) : {};
	for (const [name, measure] of Object.entries({ tasks: async () => page.taskSection(await measureTasks(codemode)), catalogs, tau })) {
		if (given.only === undefined || given.only === name)
			sections[name] = (await measure()) ?? sections[name];
		writeFileSync(PAGE, page.page(sections));
	}
	console.log(readFileSync(PAGE, "utf8"));
}

await (given.check ? check() : write());
