// SPDX-License-Identifier: MIT
//
// real_results.mjs CODEMODE NPM: results of real servers (files, a knowledge
// graph, a git repository, every kind of content) that are cut to many sizes,
// by `codemode serve` and by `codemode run`. What is shown is JSON of the same
// shape, is no longer than was asked for, says what is missing, and the whole is
// there for a later script.
//
// sdk_client.mjs says what CODEMODE and NPM are.

import assert from "node:assert/strict";
import { execFileSync, spawnSync } from "node:child_process";
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { Client, StdioClientTransport, codemode, npm } from "./sdk_client.mjs";

const folder = mkdtempSync(join(tmpdir(), "codemode-results-"));
const work = join(folder, "work");
const config = join(folder, "mcp.json");
const quote = JSON.stringify;

/** A repository with thirty commits, and files of many sizes. */
function makeWork() {
	const git = (...args) => execFileSync("git", ["-C", work, "-c", "user.name=t", "-c", "user.email=t@example.org", ...args]);
	mkdirSync(work);
	git("init", "-q");
	for (let i = 0; i < 30; i++) {
		mkdirSync(join(work, `part ${i % 5}`), { recursive: true });
		writeFileSync(join(work, `part ${i % 5}`, `größe-${i}.txt`), `Zeile ${i} "€" 😀\\\n`.repeat(1 + i * i));
		git("add", "-A");
		git("commit", "-q", "-m", `Change ${i}: ${"why ".repeat(i)}`);
	}
}

const server = (name, ...args) => ({ command: join(npm, "node22"), args: [join(npm, "node_modules/.bin", name), ...args] });
makeWork();
writeFileSync(
	config,
	quote({
		mcpServers: {
			files: server("mcp-server-filesystem", work),
			all: server("mcp-server-everything"),
			git: server("git-mcp-server"),
			memory: { ...server("mcp-server-memory"), env: { MEMORY_FILE_PATH: join(folder, "memory.jsonl") } },
		},
	}),
);

/** What a script reads of each server: an expression. */
const results = {
	"a tree of files": `JSON.parse((await tools.files.directory_tree({ path: ${quote(work)} })).content)`,
	"a list of files with sizes": `await tools.files.list_directory_with_sizes({ path: ${quote(join(work, "part 3"))} })`,
	"a long file": `await tools.files.read_text_file({ path: ${quote(join(work, "part 4", "größe-29.txt"))} })`,
	"several files": `await tools.files.read_multiple_files({ paths: ${quote([7, 8, 13].map((i) => join(work, `part ${i % 5}`, `größe-${i}.txt`)))} })`,
	"a log": `await tools.git.git_log({ path: ${quote(work)}, maxCount: 30 })`,
	"a diff": `await tools.git.git_show({ path: ${quote(work)}, object: "HEAD" })`,
	"a graph": "await tools.memory.read_graph({})",
	"a search in it": 'await tools.memory.search_nodes({ query: "7" })',
	"structured content": 'await tools.all["get-structured-content"]({ location: "New York" })',
	"links and texts": 'await tools.all["get-resource-links"]({ count: 10 })',
	"tools of all servers": "ALL_TOOLS",
};

const entities = Array.from({ length: 60 }, (_, i) => ({
	name: `node ${i}`,
	entityType: i % 2 ? "person" : "place",
	observations: Array.from({ length: i % 7 }, (_, k) => `saw "${i}" ${"again ".repeat(k)}`),
}));
const relations = Array.from({ length: 40 }, (_, i) => ({ from: `node ${i}`, to: `node ${i + 1}`, relationType: "knows" }));

/** Is cut what is left of whole: JSON of the same shape, and a part of it? */
function assertSameShape(cut, whole, place = "$") {
	assert.equal(Array.isArray(cut), Array.isArray(whole), place);
	assert.equal(typeof cut, typeof whole, place);
	if (typeof whole === "string") return assert.ok(whole.startsWith(cut) && !/[\ud800-\udbff]$/.test(cut), place);
	if (whole === null || typeof whole !== "object") return assert.equal(cut, whole, place);
	const keys = Object.keys(cut);
	assert.deepEqual(keys, Object.keys(whole).slice(0, keys.length), place);
	for (const key of keys) assertSameShape(cut[key], whole[key], `${place}.${key}`);
}

const client = new Client({ name: "test", version: "1" });
const script = async (code) => (await client.callTool({ name: "codemode", arguments: { code } })).content.filter((c) => c.type === "text").map((c) => c.text).join("\n");
const limited = (tokens, code) => script(`// @options: {"max_output_tokens": ${tokens}}\n${code}`);

/** One answer of `serve` that was cut, beside the whole. Is it cut at all? */
async function checkAnswer(name, tokens, answer, whole) {
	const at = `${name}, ${tokens} tokens: ${answer.slice(-300)}`;
	const [first, told, kept, ...more] = answer.split("\n");
	const is = JSON.stringify(whole);
	assert.ok(Buffer.byteLength(first) <= tokens * 4, at);
	if (first === is) return assert.equal(told, undefined, at);
	assertSameShape(JSON.parse(first), whole, name);
	const bytes = Number(/^\[(\d+) bytes of (?:the value|printed text) left out \(.*\): an answer holds/.exec(told)?.[1]);
	assert.equal(bytes, Buffer.byteLength(is) - Buffer.byteLength(first), at);
	assert.deepEqual(more, [], at);
	return /codemode\.result\((\d+)\)/.exec(kept)[1];
}

async function checkServe(name, expression) {
	const whole = JSON.parse(await script(`return ${expression}`));
	for (const tokens of [3, 25, 80, 300, 1000, 4000]) {
		const value = await checkAnswer(name, tokens, await limited(tokens, `return ${expression}`), whole);
		const same = (id, is) => script(`const whole = ${expression}; return JSON.stringify(${is(id)}) === JSON.stringify(whole)`);
		if (value) assert.equal(await same(value, (id) => `codemode.result(${id})`), "true", name);
		const text = await checkAnswer(name, tokens, await limited(tokens, `text(${expression})`), whole);
		if (text) assert.equal(await same(text, (id) => `JSON.parse(codemode.result(${id})[0])`), "true", name);
	}
	return whole;
}

const run = (...args) => spawnSync(codemode, ["run", "-q", ...args], { encoding: "utf8", maxBuffer: 1 << 28 });

/** The same result, returned by `codemode run`: in a pipe, and as JSON. */
function checkRun(name, whole) {
	const store = join(folder, "store.json");
	const data = join(folder, "data.json");
	const is = JSON.stringify(whole);
	writeFileSync(data, is);
	const give = (...args) => run("--data", data, "--max-output-tokens", "60", "-e", "return data", ...args);
	const cut = give("--store", store);
	assertSameShape(JSON.parse(cut.stdout), whole, name);
	assert.ok(Buffer.byteLength(cut.stdout) <= 241, name);
	const id = /codemode\.result\((\d+)\)/.exec(cut.stderr)?.[1];
	assert.equal(id === undefined, cut.stdout.trim() === is, name);
	if (id) assert.equal(run("--store", store, "-e", `return codemode.result(${id})`).stdout.trim(), is, name);
	const object = JSON.parse(give("--json").stdout);
	assertSameShape(object.value, whole, name);
	assert.equal(object.cut === undefined, JSON.stringify(object.value) === is, name);
}

/** How many results are kept, how large they are together, and how long. */
async function checkLimits() {
	const idOf = (answer) => /codemode\.result\((\d+)\)/.exec(answer)?.[1];
	const has = async (id) => !/there is no such result/.test(await script(`return codemode.result(${id}).length`));
	const ids = [];
	for (let i = 0; i < 17; i++) ids.push(idOf(await limited(5, `return "${i}".repeat(50)`)));
	assert.deepEqual(await Promise.all([ids[0], ids[1], ids[16]].map(has)), [false, true, true]);
	const large = idOf(await limited(5, 'return "x".repeat(5 << 20)'));
	assert.equal(await has(ids[16]), true);
	const second = idOf(await limited(5, 'return "y".repeat(5 << 20)'));
	assert.deepEqual(await Promise.all([large, second].map(has)), [false, true]);
	assert.equal(idOf(await limited(5, 'return "z".repeat(9 << 20)')), undefined);
	assert.equal(await has(second), true);

	const store = join(folder, "aged.json");
	run("--store", store, "--max-output-tokens", "5", "-e", 'return "a".repeat(100)');
	const [when] = JSON.parse(readFileSync(`${store}.results`))["1"];
	const age = (seconds) => {
		writeFileSync(`${store}.results`, quote({ 1: [when - seconds, "a".repeat(100)] }));
		return run("--store", store, "-e", "return codemode.result(1).length").stdout.trim();
	};
	assert.deepEqual([age(0), age(3300), age(3700)], ["100", "100", ""]);
}

try {
	await client.connect(new StdioClientTransport({ command: codemode, args: ["serve", "--mcp", config, "--max-output-tokens", "100000"] }));
	await script(`await tools.memory.create_entities({ entities: ${quote(entities)} }); await tools.memory.create_relations({ relations: ${quote(relations)} })`);
	/* What servers say about their use comes with the first answer. */
	await script(`return [${Object.values(results).join(", ")}].length`);
	for (const [name, expression] of Object.entries(results)) {
		const whole = await checkServe(name, expression);
		checkRun(name, whole);
		console.log(`${name}: ${JSON.stringify(whole).length} bytes`);
	}
	await checkLimits();
} finally {
	await client.close();
	rmSync(folder, { recursive: true, force: true });
}
