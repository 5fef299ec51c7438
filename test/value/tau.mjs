// SPDX-License-Identifier: MIT
//
// tau.mjs -- the gold calls of tau-bench's test tasks, made again directly and by scripts.
//
// The calls before a change are one script, which returns each result whole: an agent reads them to talk with the
// customer. Each change is a script of its own, since the customer must agree to it first.

import { execFileSync } from "node:child_process";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { connect, costOf, definition, request, sum, textOf } from "./client.mjs";

const server = fileURLToPath(new URL("tau.py", import.meta.url));
const reads = (name) => /^(get|find|search|list)_|^(calculate|think)$/.test(name);

const spelled = (args) => JSON.stringify(args).replace(/"(\w+)":/g, "$1: ");
const called = ([name, args]) => `tools.shop.${name}(${spelled(args)})`;

/** [code, does it change something?] of each script of a task. */
function scriptsOf(actions) {
	const scripts = [];
	let together = [];
	const flush = () => {
		if (together.length === 1)
			scripts.push([`return ${called(together[0])}`, false]);
		else if (together.length > 1)
			scripts.push([`return Promise.all([\n${together.map((a) => `\t${called(a)},\n`).join("")}])`, false]);
		together = [];
	};
	for (const action of actions)
		if (reads(action[0]))
			together.push(action);
		else {
			flush();
			scripts.push([`return ${called(action)}`, true]);
		}
	flush();
	return scripts;
}

/** What all turns of a conversation read, the last one too: each reads the definitions and what came before. */
const readInAll = (fixed, turns) => turns.reduce(({ before, total }, { tokens }) =>
	({ before: before + tokens, total: total + before + tokens }), { before: fixed, total: fixed }).total;

async function replayDirectly(python, actions) {
	const s = await connect(...python);
	const turns = [];
	for (const [name, args] of actions)
		turns.push(sum([costOf(request(name, args)), costOf(textOf(await s.call(name, args)))]));
	await s.end();
	return turns;
}

async function replayByScripts(codemode, config, actions) {
	const serve = await connect(codemode, ["serve", "--quiet", "--yes", "--mcp", config]);
	const turns = [];
	for (const [code, changes] of scriptsOf(actions)) {
		const asked = costOf(request("codemode", { code }));
		const said = costOf(textOf(await serve.call("codemode", { code })));
		turns.push({ ...sum([asked, said]), changed: changes ? said.tokens : 0 });
	}
	await serve.end();
	return turns;
}

const total = (list, of) => list.reduce((n, x) => n + of(x), 0);

/** @returns figures of one row */
export async function measureTau(codemode, tau, domain) {
	const folder = mkdtempSync(join(tmpdir(), "codemode-tau-"));
	const python = ["python3", [server, tau, domain], { env: { PYTHONDONTWRITEBYTECODE: "1" } }];
	const config = join(folder, "mcp.json");
	writeFileSync(config, JSON.stringify({ mcpServers: { shop: { command: "python3", args: python[1], env: python[2].env } } }));
	try {
		const tasks = JSON.parse(execFileSync("python3", [...python[1], "--tasks"], { encoding: "utf8", maxBuffer: 1 << 26,
			env: { ...process.env, ...python[2].env } })).filter((actions) => actions.length > 0);
		const s = await connect(...python), serve = await connect(codemode, ["serve", "--quiet", "--mcp", config]);
		const definitions = sum((await s.list()).map((t) => costOf(definition(t)))), ours = costOf(definition((await serve.list())[0]));
		await Promise.all([s.end(), serve.end()]);
		const row = { domain, tasks: tasks.length, calls: total(tasks, (t) => t.length), definitions, ours,
			direct: 0, scripts: 0, scriptTokens: 0, changed: 0, readDirect: 0, readOurs: 0 };
		for (const actions of tasks) {
			const one = await replayDirectly(python, actions), two = await replayByScripts(codemode, config, actions);
			row.direct += sum(one).tokens;
			row.scripts += two.length;
			row.scriptTokens += sum(two).tokens;
			row.changed += total(two, (t) => t.changed);
			row.readDirect += readInAll(definitions.tokens, one);
			row.readOurs += readInAll(ours.tokens, two);
		}
		return row;
	} finally {
		rmSync(folder, { recursive: true });
	}
}
