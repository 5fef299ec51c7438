// SPDX-License-Identifier: MIT
//
// tasks.mjs -- the eight tasks of example/value on real servers: what enters a model's context when it makes the calls
// one by one, and when a script makes the same calls.

import { execFileSync } from "node:child_process";
import { mkdirSync, readFileSync, readdirSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";
import { fileURLToPath } from "node:url";
import { connect, costOf, definition, request, shownIn, sum, textOf } from "./client.mjs";

const folder = fileURLToPath(new URL("../../example/value/", import.meta.url));
const shop = join(tmpdir(), `codemode-shop-${String(process.pid).padStart(7, "0")}`);

const tasks = readdirSync(folder).filter((f) => /^\d.*\.js$/.test(f)).sort();

function makeShop() {
	rmSync(shop, { recursive: true, force: true });
	mkdirSync(shop);
	execFileSync(process.execPath, ["--no-warnings", join(folder, "shop.mjs"), shop]);
}

async function connectAll() {
	const text = readFileSync(join(folder, "mcp.json"), "utf8").replaceAll("${SHOP}", shop)
		.replace(/^\s*\/\/.*$/gm, "").replace(/,(\s*[}\]])/g, "$1");
	const servers = {};
	for (const [name, { command, args, cwd, env }] of Object.entries(JSON.parse(text).mcpServers))
		servers[name] = await connect(resolve(folder, cwd, command), args, { cwd: resolve(folder, cwd), env });
	return servers;
}

/** The calls that the last script of a log made, in order. */
function callsIn(log) {
	const lines = readFileSync(log, "utf8").trim().split("\n").map((line) => JSON.parse(line));
	const last = lines.findLast((line) => line.event === "script").script;
	return lines.filter((line) => line.event === "call" && line.script === last).map(({ server, tool, args }) => ({ server, tool, args }));
}

/** The script, and before it searches for what the description does not show. */
async function throughCodemode(serve, task, shown) {
	const costs = [], code = readFileSync(join(folder, task), "utf8"), title = code.split("\n", 1)[0].slice(3);
	const run = async (args) => {
		const said = textOf(await serve.call("codemode", args));
		costs.push(costOf(request("codemode", args)), costOf(said));
		return said;
	};
	const search = (words) => run({ code: `return codemode.search(${JSON.stringify(words)}, { limit: 5 })` });
	let hidden = [...new Set(code.match(/(?<=tools\.)\w+\.\w+/g))].filter((path) => !shown.has(path));
	if (hidden.length > 0) {
		const said = await search(title);
		hidden = hidden.filter((path) => !said.includes(`"${path}"`));
	}
	for (const path of hidden)
		await search(path.replace(/\W|_/g, " "));
	const said = await run({ code, data: { shop } });
	return { task, title, said, scripts: costs.length / 2, ...sum(costs), calls: callsIn(join(shop, "log")) };
}

async function allThroughCodemode(codemode) {
	makeShop();
	const serve = await connect(codemode, ["serve", "--quiet", "--mcp", join(folder, "mcp.json"), "--log", join(shop, "log")],
		{ env: { SHOP: shop, HOME: shop } });
	const [tool] = await serve.list(), shown = shownIn(tool.description), rows = [];
	for (const task of tasks)
		rows.push(await throughCodemode(serve, task, shown));
	await serve.end();
	return { definition: costOf(definition(tool)), rows };
}

async function callsDirectly(servers, calls) {
	const costs = [];
	for (const { server, tool, args } of calls)
		costs.push(costOf(request(`${server}__${tool}`, args)), costOf(textOf(await servers[server].call(tool, args))));
	return sum(costs);
}

async function allDirectly(scripts) {
	makeShop();
	const servers = await connectAll(), rows = [], definitions = [];
	for (const { calls } of scripts)
		rows.push(await callsDirectly(servers, calls));
	for (const [space, s] of Object.entries(servers)) {
		definitions.push(...(await s.list()).map((t) => costOf(definition({ ...t, name: `${space}__${t.name}` }))));
		await s.end();
	}
	return { tools: definitions.length, definitions: sum(definitions), rows };
}

/** Figures of all tasks: { ours: { definition, rows }, direct: { tools, definitions, rows } }. */
export async function measureTasks(codemode) {
	try {
		const ours = await allThroughCodemode(codemode);
		return { ours, direct: await allDirectly(ours.rows) };
	} finally {
		rmSync(shop, { recursive: true, force: true });
	}
}
