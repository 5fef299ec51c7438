// SPDX-License-Identifier: MIT
//
// direct.mjs CODEMODE NPM SERVER: tools that `codemode serve` offers under their
// own names (expose), to the client of the official SDK, which checks results
// against output schemas, and to a client of the era without greeting.

import assert from "node:assert/strict";
import { spawn } from "node:child_process";
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { createInterface } from "node:readline";
import { setTimeout as sleep } from "node:timers/promises";
import { Client, StdioClientTransport, codemode, npm } from "./sdk_client.mjs";

const server = process.argv[4];
const types = await import(join(npm, "node_modules/@modelcontextprotocol/sdk/dist/esm/types.js"));
const folder = mkdtempSync(join(tmpdir(), "codemode-direct-"));
const log = join(folder, "log");
const started = [];

function configuration(servers) {
	const file = join(folder, "mcp.json");
	writeFileSync(file, JSON.stringify({ mcpServers: servers }));
	return file;
}

async function withClient(servers, options, use) {
	const client = new Client({ name: "test", version: "1" }, { capabilities: options.capabilities ?? {} });
	options.prepare?.(client);
	await client.connect(
		new StdioClientTransport({ command: codemode, args: ["serve", "-q", "--mcp", configuration(servers), ...(options.args ?? [])] }),
	);
	try {
		await use(client, (await client.listTools()).tools);
	} finally {
		await client.close();
	}
}

/* A server of ours, whose tools have the names and results that a test wants; "@1@" in a result is the number. */
const own = join(folder, "own.mjs");
writeFileSync(
	own,
	`import { createInterface } from "node:readline";
const tools = JSON.parse(process.argv[2]);
for await (const line of createInterface({ input: process.stdin })) {
	const { id, method, params } = JSON.parse(line);
	if (id === undefined) continue;
	const result = { initialize: { protocolVersion: "2025-06-18", capabilities: { tools: {} }, serverInfo: { name: "own", version: "1" } },
		"tools/list": { tools: tools.map(({ result, ...tool }) => ({ inputSchema: { type: "object" }, ...tool })) },
		"tools/call": tools.find((tool) => tool.name === params?.name)?.result }[method] ?? {};
	console.log(JSON.stringify({ jsonrpc: "2.0", id, result }).replace(/"@(\\d+)@"/g, "$1"));
}`,
);
const ownServer = (tools, more = {}) => ({ command: process.execPath, args: [own, JSON.stringify(tools)], ...more });

/* A client of revision 2026-07-28, line by line. */
function modernClient(servers, args = []) {
	const child = spawn(codemode, ["serve", "-q", "--mcp", configuration(servers), ...args], { stdio: ["pipe", "pipe", "inherit"] });
	const waiting = new Map();
	started.push(child);
	createInterface({ input: child.stdout }).on("line", (line) => {
		const message = JSON.parse(line);
		waiting.get(message.id)?.({ ...message, line });
	});
	let last = 0;
	return {
		ask(method, params = {}) {
			const id = ++last;
			const _meta = { "io.modelcontextprotocol/protocolVersion": "2026-07-28", "io.modelcontextprotocol/clientCapabilities": {} };
			child.stdin.write(`${JSON.stringify({ jsonrpc: "2.0", id, method, params: { ...params, _meta } })}\n`);
			return new Promise((done) => waiting.set(id, done));
		},
		end: () => child.stdin.end(),
	};
}

const call = (name, given = {}) => ({ name, arguments: given });
const text = (result) => result.content.map((block) => block.text).join();

try {
	/* Blocks, structured content, errors and progress as a real server sends them. */
	const all = { command: join(npm, "node22"), args: [join(npm, "node_modules/.bin/mcp-server-everything")] };
	await withClient({ all: { ...all, expose: "direct" }, t: { command: server, expose: "both" }, u: { command: server } }, {}, async (client, tools) => {
		const names = tools.map((tool) => tool.name);
		assert.equal(names[0], "codemode");
		assert.ok(names.includes("all_echo") && names.includes("t_echo") && !names.includes("u_echo"));
		assert.match(tools[0].description, /call the tool itself if it is offered beside this one/);
		assert.doesNotMatch(tools[0].description, /^tools\.all:/m);
		assert.match(tools[0].description, /^tools\.t: 9 tools/m);
		const echo = tools.find((tool) => tool.name === "t_echo");
		assert.deepEqual(echo.annotations, { readOnlyHint: true });
		assert.deepEqual(echo.inputSchema, { type: "object", properties: { text: { type: "string" } } });
		assert.deepEqual(await client.callTool(call("all_echo", { message: "m" })), { content: [{ type: "text", text: "Echo: m" }] });
		const image = await client.callTool(call("all_get-tiny-image"));
		assert.deepEqual(image.content.map((block) => block.type), ["text", "image", "text"]);
		const weather = await client.callTool(call("all_get-structured-content", { location: "Chicago" }));
		assert.equal(typeof weather.structuredContent.temperature, "number");
		const failed = await client.callTool(call("t_fail", { text: "disk full" }));
		assert.deepEqual([failed.isError, text(failed)], [true, "disk full"]);
		await assert.rejects(client.callTool(call("u_echo")), /Unknown tool: u_echo/);
		const names2 = await client.callTool(call("codemode", { code: "return Object.keys(tools)" }));
		assert.equal(text(names2), '["t","u"]');
		const seen = [];
		await client.callTool(call("all_trigger-long-running-operation", { duration: 1, steps: 2 }), undefined, { onprogress: (p) => seen.push(p) });
		/* The last step and the result may come at once: the result is enough then. */
		assert.ok(seen.length > 0 && seen.every((p) => p.total === 2 && (p.progress === 1 || p.progress === 2)), JSON.stringify(seen));
	});

	/* Cancelled, and over its time. */
	await withClient({ t: { command: server, args: ["--log", log], expose: "direct" } }, { args: ["--timeout", "1000"] }, async (client) => {
		const stop = new AbortController();
		const hangs = client.callTool(call("t_hang"), undefined, { signal: stop.signal });
		setTimeout(() => stop.abort("enough"), 100);
		await assert.rejects(hangs, /enough/);
		const late = await client.callTool(call("t_hang"));
		assert.equal(late.isError, true);
		assert.match(text(late), /1000 ms/);
		while (readFileSync(log, "utf8").split("notifications/cancelled").length < 3) await sleep(20);
	});

	/* Rules, the log and secrets are those of a script's calls. */
	const calls = join(folder, "calls");
	const secret = { t: { command: server, env: { API_TOKEN: "hunter2-hunter2" }, expose: "direct" } };
	await withClient(secret, { args: ["--deny", "t.cwd", "--ask", "t.echo", "--log", calls] }, async (client, tools) => {
		assert.ok(!tools.some((tool) => tool.name === "t_cwd"));
		await assert.rejects(client.callTool(call("t_cwd")), /Unknown tool: t_cwd/);
		const refused = await client.callTool(call("t_echo", { text: "a" }));
		assert.deepEqual(refused.isError, true);
		assert.match(text(refused), /^t.echo is not allowed: --ask t.echo, and no person can be asked/);
		assert.equal(text(await client.callTool(call("t_env", { name: "API_TOKEN" }))), "[secret API_TOKEN]");
		const wrong = await client.callTool(call("t_env", { name: 5 }));
		assert.match(text(wrong), /was not called: name must be a string, not 5/);
	});
	const lines = readFileSync(calls, "utf8").trim().split("\n").map((line) => JSON.parse(line));
	assert.deepEqual(
		lines.filter((line) => line.event === "call").map((line) => [line.tool, line.decision]),
		[["echo", "asked"], ["env", "allowed"]],
	);

	/* Names: what clients refuse is replaced, what is too long is cut, and no two
	   are the same, in whatever order the servers stand. */
	const result = { content: [{ type: "text", text: "x" }], structuredContent: { n: 1 }, _meta: { "a.example/b": 1 } };
	const long = "n".repeat(100);
	const outputSchema = { type: "object", properties: { n: { type: "number" } }, required: ["n"] };
	const clash = {
		a: ownServer([{ name: "b_c", result }, { name: long, result }, { name: "read/all é", result, outputSchema }], { expose: "both" }),
		a_b: ownServer([{ name: "c", result }, { name: `${long}2`, result }], { expose: "both" }),
	};
	let first;
	for (const servers of [clash, { a_b: clash.a_b, a: clash.a }])
		await withClient(servers, {}, async (client, tools) => {
			const names = tools.slice(1).map((tool) => tool.name);
			assert.equal(new Set(names).size, 5);
			for (const name of names) assert.match(name, /^[A-Za-z0-9_-]{1,64}$/);
			assert.ok(names.includes("a_read_all___"));
			assert.deepEqual(names, (first ??= names));
			for (const name of names) assert.deepEqual(await client.callTool(call(name)), result);
		});

	/* The person is asked through the client. */
	await withClient(
		{ t: { command: server, expose: "direct" } },
		{
			args: ["--ask", "t.*"],
			capabilities: { elicitation: {} },
			prepare: (client) => client.setRequestHandler(types.ElicitRequestSchema, () => ({ action: "accept", content: { answer: "once" } })),
		},
		async (client) => {
			const { content } = await client.callTool(call("t_echo", { text: "a" }));
			assert.deepEqual(JSON.parse(content[0].text), { text: "a" });
		},
	);

	/* Beside a server that is offered directly, the person is asked once for a whole script. */
	let questions = 0;
	await withClient(
		{ t: { command: server, expose: "direct" }, u: { command: server } },
		{
			args: ["--ask", "u.*"],
			capabilities: { elicitation: {} },
			prepare: (client) => client.setRequestHandler(types.ElicitRequestSchema, () => (questions++, { action: "accept", content: { answer: "script" } })),
		},
		async (client) => {
			const { content } = await client.callTool(call("codemode", { code: 'await tools.u.echo({ text: "a" }); return await tools.u.cwd({})' }));
			assert.equal(content[0].text, folder);
		},
	);
	assert.equal(questions, 1);

	/* The era without greeting; a call that comes before the list is known waits. */
	const modern = modernClient({ t: { command: server, args: ["--slow", "300"], expose: "both" } });
	const early = modern.ask("tools/call", call("t_echo", { text: "a" }));
	const unknown = modern.ask("tools/call", call("t_none"));
	const list = (await modern.ask("tools/list")).result;
	assert.equal(list.tools.length, 10);
	assert.equal(JSON.parse(text((await early).result)).text, "a");
	assert.equal((await early).result.resultType, "complete");
	assert.deepEqual((await unknown).error, { code: -32602, message: "Unknown tool: t_none" });
	assert.equal((await modern.ask("tools/call", call("t_fail", { text: "no" }))).result.isError, true);
	modern.end();

	/* Numbers that JavaScript would round, in arguments and results, also in what the person is asked. */
	const large = "9007199254740993", given = { n: JSON.rawJSON(large), a: [JSON.rawJSON(`${large}.50`)] };
	const exact = modernClient({
		t: { command: server, expose: "direct" },
		o: ownServer([{ name: "get", result: { content: [], structuredContent: { n: `@${large}@` } } }], { expose: "direct" }),
	}, ["--ask", "t.cwd"]);
	const echoed = await exact.ask("tools/call", call("t_echo", given));
	assert.equal(text(echoed.result), `{"n":${large},"a":[${large}.50]}`);
	assert.match((await exact.ask("tools/call", call("o_get"))).line, RegExp(`"structuredContent":{"n":${large}}`));
	assert.equal((await exact.ask("tools/call", call("t_cwd", given))).result.isError, true);
	exact.end();
	const asked = [];
	await withClient(
		{ t: { command: server, expose: "direct" } },
		{
			args: ["--ask", "t.*"],
			capabilities: { elicitation: {} },
			prepare: (client) => client.setRequestHandler(types.ElicitRequestSchema, ({ params }) => {
				asked.push(params.message);
				return { action: "accept", content: { answer: "once" } };
			}),
		},
		async (client) => assert.match(text(await client.callTool(call("t_echo", given))), RegExp(large)),
	);
	assert.match(asked.join(), RegExp(large));

	/* Saved scripts, by the tag in their comment: a value, an object, an error, rules inside, secrets. */
	const saved = join(folder, "saved");
	mkdirSync(saved);
	const keep = (name, code) => writeFileSync(join(saved, name), code);
	keep("add.js", "/** Adds.\n * @param {number} a\n * @param {number} [b=2]\n * @returns {{ sum: number }}\n * @expose both */\nreturn { sum: data.a + data.b }");
	keep("words.js", '/** @expose direct */ return `${(await tools.t.env({ name: "API_TOKEN" })).length} words`');
	keep("leaks.js", '/** @expose direct */ if (data.fails) throw Error("hunter2-" + "hunter2"); return { a: ["hunter2-", "hunter2"] }');
	keep("large.js", "/** @expose direct */ return await tools.t.echo(data)");
	keep("hidden.js", "return 1");
	await withClient({ t: { command: server, env: { API_TOKEN: "hunter2-hunter2" } } }, { args: ["--scripts", saved, "--deny", "t.cwd"] }, async (client, tools) => {
		assert.deepEqual(tools.map((tool) => tool.name), ["codemode", "scripts_add", "scripts_large", "scripts_leaks", "scripts_words"]);
		assert.match(tools[0].description, /scripts\b[^]*\.add\(/);
		assert.doesNotMatch(tools[0].description, /\.words\(/);
		const add = tools.find((tool) => tool.name === "scripts_add");
		assert.deepEqual(add.inputSchema.required, ["a"]);
		assert.deepEqual(add.annotations, { readOnlyHint: true });
		const sum = await client.callTool(call("scripts_add", { a: 1 }));
		assert.deepEqual([text(sum), sum.structuredContent, sum.isError], ['{"sum":3}', { sum: 3 }, undefined]);
		assert.match(text(await client.callTool(call("scripts_add", { a: "1" }))), /a must be a number/);
		assert.equal(text(await client.callTool(call("scripts_words"))), "18 words");
		const leaks = await client.callTool(call("scripts_leaks")), fails = await client.callTool(call("scripts_leaks", { fails: true }));
		assert.doesNotMatch(JSON.stringify([leaks, fails]), /hunter2/);
		assert.deepEqual([leaks.structuredContent.a, fails.isError, text(fails)], [["[secret API_TOKEN]", ""], true, "[secret API_TOKEN]"]);
		const joined = await client.callTool(call("codemode", { code: 'return { a: ["hunter2-", "hunter2"] }' }));
		assert.doesNotMatch(JSON.stringify(joined), /hunter2/);
		assert.equal(text(await client.callTool(call("codemode", { code: "return [await tools.scripts.hidden({}), Object.keys(tools.scripts).sort()]" }))), '[1,["add","hidden"]]');
	});

	/* A secret that a server divides over blocks, in a result that is kept whole, in a question to the person. */
	const asks = [], halves = [{ type: "text", text: "hunter2-" }, { type: "text", text: "hunter2" }];
	await withClient(
		{
			o: ownServer([{ name: "halves", result: { content: halves } }], { env: { API_TOKEN: "hunter2-hunter2" }, expose: "direct" }),
			t: { command: server, expose: "direct" },
		},
		{
			args: ["--ask", "t.*", "--max-output-tokens", "100"],
			capabilities: { elicitation: {} },
			prepare: (client) => client.setRequestHandler(types.ElicitRequestSchema, ({ params }) => (asks.push(params.message), { action: "decline" })),
		},
		async (client) => {
			assert.equal(text(await client.callTool(call("o_halves"))), "[secret API_TOKEN],");
			const cut = await client.callTool(call("codemode", { code: 'return { a: ["hunter2-", "hunter2"], b: "x".repeat(9000) }' }));
			const { uri } = cut.content.find((block) => block.type === "resource_link");
			const kept = JSON.parse((await client.readResource({ uri })).contents[0].text);
			assert.deepEqual([kept.a, kept.b.length], [["[secret API_TOKEN]", ""], 9000]);
			assert.equal((await client.callTool(call("t_echo", { text: "hunter2-hunter2" }))).isError, true);
		},
	);
	assert.equal(asks.length, 1);
	assert.match(asks[0], /\[secret API_TOKEN\]/);

	/* A word that is none. */
	const wrong = spawn(codemode, ["tools", "-q", "--mcp", configuration({ t: { command: server, expose: "all" } })], { stdio: ["ignore", "ignore", "pipe"] });
	let said = "";
	for await (const piece of wrong.stderr) said += piece;
	assert.match(said, /t\.expose: must be "script", "direct" or "both"/);
} finally {
	for (const child of started) child.kill();
	rmSync(folder, { recursive: true, force: true });
}
console.log("tools are offered directly");
