// SPDX-License-Identifier: MIT
//
// clients.mjs CODEMODE SERVER: clients that people use drive `codemode serve`: the
// official SDK of both eras on stdio and by HTTP, the Inspector's command line
// and mcporter. SERVER is an MCP server that has a tool "echo".

import assert from "node:assert/strict";
import { execFile, spawn } from "node:child_process";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { promisify } from "node:util";
import { Client, StreamableHTTPClientTransport } from "@modelcontextprotocol/client";
import { StdioClientTransport } from "@modelcontextprotocol/client/stdio";

const [codemode, server] = process.argv.slice(2);
const folder = mkdtempSync(join(tmpdir(), "codemode-clients-"));
process.env.HOME = folder;
const serve = ["serve", "--mcp-server", `t=${server}`];
const run = promisify(execFile);
const node = (...args) => run(process.execPath, args, { env: { ...process.env, HOME: folder }, timeout: 60000 });
const packages = new URL("node_modules/", import.meta.url).pathname;

const http = spawn(codemode, [...serve, "--http", "127.0.0.1:0"]);
const url = await new Promise((done) => {
	let text = "";
	http.stderr.setEncoding("utf8").on("data", (part) => {
		text += part;
		const found = /serving MCP at (\S+)/.exec(text);
		if (found) done(new URL(found[1]));
	});
});

/** What each client of the SDK must see. */
const drive = async (transport, mode) => {
	const client = new Client({ name: "test", version: "1" }, { versionNegotiation: { mode } });
	await client.connect(transport);
	assert.equal(client.getProtocolEra(), mode === "legacy" ? "legacy" : "modern");
	const { tools } = await client.listTools();
	assert.match(tools[0].description, /^tools\.t: /m);
	const call = (code, options) => client.callTool({ name: "codemode", arguments: { code } }, options);
	assert.equal((await call("return await tools.t.echo({ n: 1 })")).content[0].text, '{"n":1}');
	const told = [];
	await call("await tools.t.echo({}); await tools.t.sleep({ ms: 300 })", { onprogress: (p) => told.push(p.progress) });
	assert.ok(told.length > 0, "progress");
	const failed = await call("throw new Error('no')");
	assert.ok(failed.isError);
	const stop = new AbortController();
	const hangs = call("await tools.t.hang({})", { signal: stop.signal });
	setTimeout(() => stop.abort(), 100);
	await assert.rejects(hangs);
	assert.equal((await call("return 1")).content[0].text, "1");
	await client.close();
};

const cases = {
	"the SDK on stdio, legacy": () => drive(new StdioClientTransport({ command: codemode, args: serve }), "legacy"),
	"the SDK on stdio, modern": () => drive(new StdioClientTransport({ command: codemode, args: serve }), "auto"),
	"the SDK by HTTP, legacy": () => drive(new StreamableHTTPClientTransport(url), "legacy"),
	"the SDK by HTTP, modern": () => drive(new StreamableHTTPClientTransport(url), "auto"),

	async "the Inspector"() {
		const inspector = join(packages, "@modelcontextprotocol/inspector/clients/launcher/build/index.js");
		const inspect = async (...args) => JSON.parse((await node(inspector, "--cli", ...args)).stdout);
		for (const target of [[codemode, ...serve], [url.href, "--transport", "http"]]) {
			assert.equal((await inspect(...target, "--method", "tools/list")).tools[0].name, "codemode");
			const result = await inspect(...target, "--method", "tools/call", "--tool-name", "codemode", "--tool-arg", "code=return 6 * 7");
			assert.equal(result.content[0].text, "42");
		}
	},

	async mcporter() {
		const config = join(folder, "mcporter.json");
		writeFileSync(config, JSON.stringify({ mcpServers: { a: { command: codemode, args: serve }, b: { url: url.href } } }));
		for (const name of ["a", "b"]) {
			const { stdout } = await node(join(packages, "mcporter/dist/cli.js"), "--config", config, "call", `${name}.codemode`, "code=return 6 * 7");
			assert.equal(stdout.trim(), "42");
		}
	},
};

let held = 0;
for (const [name, one] of Object.entries(cases)) {
	try {
		await one();
		held++;
		console.log(`  ${name}`);
	} catch (error) {
		console.log(`  ${name}: FAILED\n${error.stack}`);
	}
}
http.kill();
rmSync(folder, { recursive: true, force: true });
console.log(`${held} of ${Object.keys(cases).length} clients work`);
process.exit(held === Object.keys(cases).length ? 0 : 1);
