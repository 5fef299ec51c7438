// SPDX-License-Identifier: MIT
//
// table.mjs -- our ranking beside three others, on the same tools and questions:
//
//   BM25      k1 1.2, b 0.75, over name and description
//   FTS5      SQLite's, with the porter stemmer, over the same and the schema
//   by parts  a word in the path or the name's end 20, in the path 8, in the
//             description 4, in anything else 2: how a client of another
//             project ranks its catalog

import { existsSync } from "node:fs";
import { DatabaseSync } from "node:sqlite";
import { COLLECTED, collectedTools, coreTools, readBench, readQuestions } from "./sets.mjs";

const lower = (s) => s.replace(/([a-z0-9])([A-Z])/g, "$1 $2").toLowerCase();
const wordsOf = (s) => lower(s).match(/[a-z0-9]+/g) ?? [];

/** The numbers of the documents with a score, best first. */
const best = (scores) => scores.map((s, i) => [s, i]).filter(([s]) => s > 0)
	.sort((a, b) => b[0] - a[0] || a[1] - b[1]).slice(0, 10).map(([, i]) => i);

function bm25(tools) {
	const k1 = 1.2, b = 0.75;
	const docs = tools.map((t) => wordsOf(`${t.name} ${t.description}`));
	const mean = docs.reduce((n, d) => n + d.length, 0) / docs.length;
	const having = new Map(); // word -> Map of document -> times
	docs.forEach((d, i) => d.forEach((w) => {
		const times = having.get(w) ?? having.set(w, new Map()).get(w);
		times.set(i, (times.get(i) ?? 0) + 1);
	}));
	const rarity = (n) => Math.log(1 + (docs.length - n + 0.5) / (n + 0.5));
	return (question) => {
		const scores = docs.map(() => 0);
		for (const w of wordsOf(question))
			having.get(w)?.forEach((tf, i, { size }) => {
				scores[i] += rarity(size) * tf * (k1 + 1) / (tf + k1 * (1 - b + b * docs[i].length / mean));
			});
		return best(scores);
	};
}

function fts5(tools) {
	const db = new DatabaseSync(":memory:");
	db.exec("CREATE VIRTUAL TABLE t USING fts5(space, name, about, schema, tokenize = 'porter')");
	const insert = db.prepare("INSERT INTO t (rowid, space, name, about, schema) VALUES (?, ?, ?, ?, ?)");
	tools.forEach((t, i) => insert.run(i, t.space, lower(t.name).replaceAll(/[_-]/g, " "), t.description, JSON.stringify(t.input)));
	const select = db.prepare("SELECT rowid FROM t WHERE t MATCH ? ORDER BY bm25(t, 4, 8, 4, 1), rowid LIMIT 10");
	return (question) => {
		const words = wordsOf(question).map((w) => `"${w}"`);
		return words.length === 0 ? [] : select.all(words.join(" OR ")).map((r) => r.rowid);
	};
}

function byParts(tools) {
	const parts = tools.map((t) => ({ path: `${t.space}.${t.name}`.toLowerCase(), end: t.name.toLowerCase(),
		about: t.description.toLowerCase(), rest: lower(`${t.space} ${t.name} ${t.description} ${JSON.stringify(t.input)}`) }));
	const forms = (w) => [...new Set([w, w.replace(/es$/, ""), w.replace(/s$/, "")])];
	const score = (p, [w, ...shorter]) => {
		const has = (s) => s.includes(w) || shorter.some((f) => s.includes(f));
		return (p.path === w || p.end === w ? 20 : 0) + (has(p.path) ? 8 : 0) + (has(p.about) ? 4 : 0) + (has(p.rest) ? 2 : 0);
	};
	return (question) => {
		const words = wordsOf(question).map(forms);
		return best(parts.map((p) => words.reduce((n, w) => n + score(p, w), 0)));
	};
}

const OTHERS = { "BM25": bm25, "SQLite FTS5": fts5, "by parts": byParts };

const row = (name, f) => console.log(`| ${name} | ${(100 * f.first).toFixed(1)} % | ${(100 * f.five).toFixed(1)} % | ${
	(100 * f.recall).toFixed(1)} % | ${f.mrr.toFixed(3)} | ${f.honest} of ${f.nothing} |`);

function compare(title, tools, questions, figuresOf, ours, others = Object.entries(OTHERS)) {
	console.log(`\n${title}\n\n| ranking | first | first five | right ones of five | MRR | nothing for nonsense |\n|---|---|---|---|---|---|`);
	const rankings = [["ours", ours(tools, questions).hits]];
	for (const [name, make] of others) {
		const rank = make(tools);
		rankings.push([name, questions.map((q) => rank(q.question))]);
	}
	for (const [name, hits] of rankings)
		row(name, figuresOf(questions, hits));
}

/** So many tools, with names and words of their own. */
const many = (tools, n) => Array.from({ length: n }, (_, i) => {
	const t = tools[i % tools.length], k = Math.floor(i / tools.length);
	return k === 0 ? t : { ...t, space: `${t.space}-${k}`, name: `${t.name}_${k}`, description: `${t.description} variant${k}` };
});

function times(tools, questions, ours) {
	console.log("\n| tools | index | a question |\n|---|---|---|");
	for (const [set, repeat] of [[tools, 20], [many(tools, 20_000), 3]]) {
		const [index, question] = ours(set, questions, repeat).ms;
		console.log(`| ${set.length} | ${index.toFixed(1)} ms | ${question.toFixed(4)} ms |`);
	}
}

export async function table({ ours, figures, only }, bench) {
	const core = coreTools();
	const asked = readQuestions("core.txt", core);
	compare(`${core.length} tools of our own, ${asked.length} questions`, core, asked, figures, ours);
	if (!existsSync(COLLECTED))
		return;
	const tools = collectedTools();
	const questions = readQuestions("questions.txt", tools);
	const count = (half) => questions.filter((q) => q.half === half).length;
	for (const [half, name] of [[1, "the half for testing"], [0, "the half that weights and words were chosen by"]])
		compare(`${tools.length} tools of servers, ${count(half)} questions: ${name}`, tools, questions,
			(qs, hits) => only(half, qs, hits), ours);
	times(tools, questions, ours);
	if (bench === undefined)
		return;
	const b = readBench(bench);
	compare(`${b.tools.length} APIs of StableToolBench, ${b.questions.length} queries`, b.tools, b.questions, figures, ours,
		[["BM25", bm25], ["SQLite FTS5", fts5]]);
}
