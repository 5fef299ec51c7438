// SPDX-License-Identifier: MIT
//
// catalogs.mjs -- hundreds of tools: what a model reads of them when each is offered directly and when codemode stands
// before them, and how many of those that a question needs it is shown, or finds with one search.

import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { connect, costOf, definition, offer, request, shownIn, sum, textOf } from "./client.mjs";

const SEARCHES = 500, SAMPLE = 40;

/** For each question the places of the tools that it needs among the ten hits of one search, -1: not there. */
async function ranks(serve, asked) {
	const code = `return data.map(([question, right]) => {
		const hits = codemode.search(question).map((h) => h.path);
		return right.map((path) => hits.indexOf(path));
	});`;
	const all = [];
	for (let i = 0; i < asked.length; i += SEARCHES) {
		const data = asked.slice(i, i + SEARCHES);
		all.push(...JSON.parse(textOf(await serve.call("codemode", { code, data })).split("\n", 1)[0]));
	}
	return all;
}

/** The mean of what a search puts into the context, with the script that asks. */
async function searchCost(serve, asked) {
	const costs = [];
	for (const [question] of asked.filter((_, i) => i % Math.ceil(asked.length / SAMPLE) === 0)) {
		const args = { code: `return codemode.search(${JSON.stringify(question)}, { limit: 5 })` };
		costs.push(costOf(request("codemode", args)), costOf(textOf(await serve.call("codemode", args))));
	}
	return Math.round(2 * sum(costs).tokens / costs.length);
}

const part = (list) => list.filter(Boolean).length / list.length;

/**
 * lists: { server: tools with names that are identifiers }; asked: [question, ["server.tool", ...]][].
 * @returns figures of one row
 */
export async function measureCatalog(codemode, name, lists, asked) {
	const folder = mkdtempSync(join(tmpdir(), "codemode-value-"));
	const servers = await offer(lists);
	const file = join(folder, "mcp.json");
	writeFileSync(file, JSON.stringify({ mcpServers: servers.mcpServers }));
	const serve = await connect(codemode, ["serve", "--quiet", "--mcp", file], { env: { HOME: folder } });
	try {
		const [tool] = await serve.list();
		const direct = Object.entries(lists).flatMap(([space, tools]) =>
			tools.map((t) => costOf(definition({ ...t, name: `${space}__${t.name}` }))));
		const shown = shownIn(tool.description);
		const catalog = tool.description.slice(tool.description.search(/^(PARTIAL|COMPLETE)/m));
		const found = (await ranks(serve, asked)).map((r, i) => r.map((at, k) => shown.has(asked[i][1][k]) ? 0 : at < 0 ? Infinity : at));
		return { name, tools: direct.length, servers: Object.keys(lists).length, direct: sum(direct),
			ours: costOf(definition(tool)), catalog: costOf(catalog), shown: shown.size, questions: asked.length,
			one: [5, 10].map((n) => part(found.map((f) => Math.min(...f) < n))), all: [5, 10].map((n) => part(found.flat().map((at) => at < n))),
			search: await searchCost(serve, asked) };
	} finally {
		await serve.end();
		servers.end();
		rmSync(folder, { recursive: true });
	}
}
