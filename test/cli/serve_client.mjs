// SPDX-License-Identifier: MIT
//
// serve_client.mjs CODEMODE NPM: `codemode serve` behind the client that most
// programs use, the one of the official SDK, and in front of real servers.
// sdk_client.mjs says what CODEMODE and NPM are.

import assert from "node:assert/strict";
import { spawn } from "node:child_process";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { Client, StdioClientTransport, StreamableHTTPClientTransport, codemode, npm } from "./sdk_client.mjs";

const folder = mkdtempSync(join(tmpdir(), "codemode-client-"));
const bin = (name) => join(npm, "node_modules/.bin", name);
const config = join(folder, "mcp.json");
for (const [name, size] of [["a.txt", 10], ["b.txt", 3000], ["c.txt", 200]])
	writeFileSync(join(folder, name), "x".repeat(size));
writeFileSync(
	config,
	JSON.stringify({
		mcpServers: {
			files: { command: join(npm, "node22"), args: [bin("mcp-server-filesystem"), folder] },
			all: { command: join(npm, "node22"), args: [bin("mcp-server-everything")] },
		},
	}),
);

const client = new Client({ name: "test", version: "1" });
const transport = new StdioClientTransport({ command: codemode, args: ["serve", "--mcp", config] });
const http = spawn(codemode, ["serve", "--mcp", config, "--http", "127.0.0.1:0"], { stdio: ["ignore", "ignore", "pipe"] });
const run = (code, options) => client.callTool({ name: "codemode", arguments: { code } }, undefined, options);

try {
	await client.connect(transport);
	assert.equal(client.getServerVersion().name, "codemode");
	const { tools } = await client.listTools();
	assert.equal(tools.length, 1);
	assert.match(tools[0].description, /^tools\.files: \d+ tools/m);
	assert.match(tools[0].description, /^ {2}\.read_text_file\(args: \{ head\?: number; path: string;/m);
	assert.ok(tools[0].description.length < 10000);

	/* Three calls side by side, and out of 3,210 bytes come two numbers. */
	const { content } = await run(`
		const read = (name) => tools.files.read_text_file({ path: ${JSON.stringify(folder)} + "/" + name });
		const texts = await Promise.all(["a.txt", "b.txt", "c.txt"].map(read));
		const sizes = texts.map((t) => t.content.length);
		const { content } = await tools.all.echo({ message: "m" }).then((content) => ({ content }));
		return [Math.max(...sizes), sizes.length, content];`);
	assert.deepEqual(JSON.parse(content[0].text), [3000, 3, "Echo: m"]);

	const failed = await run(`await tools.files.read_text_file({ path: "/etc/passwd" })`);
	assert.equal(failed.isError, true);
	assert.match(failed.content[0].text, /^The script failed at line 1, column \d+: Error: .*denied/);

	/* An object is structured content; what was cut is read as a resource. */
	assert.deepEqual((await run("return { a: [1] }")).structuredContent, { a: [1] });
	const long = await run("return Array.from({ length: 9000 }, (_, i) => i)");
	const { uri } = long.content.find((block) => block.type === "resource_link");
	assert.deepEqual((await client.listResources()).resources.map((r) => r.uri), [uri]);
	assert.equal(JSON.parse((await client.readResource({ uri })).contents[0].text).length, 9000);
	await assert.rejects(client.readResource({ uri: "codemode://result/7" }), /Resource not found/);

	/* What a server says about its use came with the first answer, and not again. */
	assert.match(content.at(-1).text, /^What the server all says about its use:\n/);
	assert.equal((await run(`return await tools.all.echo({ message: "m" })`)).content.length, 1);

	/* The SDK sends notifications/cancelled when its signal is aborted. */
	const stop = new AbortController();
	const endless = run("while (true) {}", { signal: stop.signal });
	setTimeout(() => stop.abort("enough"), 200);
	await assert.rejects(endless, /enough/);
	assert.equal((await run("return 6 * 7")).content[0].text, "42");

	const { pid } = transport;
	await client.close();
	assert.throws(() => process.kill(pid, 0), "it is still there");

	/* The same client by HTTP: a stream for what belongs to no request, progress,
	   and the end of its session. */
	const address = await new Promise((done) => {
		let text = "";
		http.stderr.setEncoding("utf8").on("data", (part) => {
			text += part;
			const found = /serving MCP at (\S+)/.exec(text);
			if (found) done(found[1]);
		});
	});
	const remote = new StreamableHTTPClientTransport(new URL(address));
	const other = new Client({ name: "test", version: "1" });
	await other.connect(remote);
	assert.match((await other.listTools()).tools[0].description, /^tools\.all: \d+ tools/m);
	const told = [];
	const answer = await other.callTool(
		{ name: "codemode", arguments: { code: `return await tools.all.echo({ message: "m" })` } },
		undefined,
		{ onprogress: (p) => told.push(p.progress) },
	);
	assert.equal(answer.content[0].text, "Echo: m");
	assert.ok(told.includes(1), told.join());
	const words = [];
	await other.callTool(
		{ name: "codemode", arguments: { code: "await tools.all['trigger-long-running-operation']({ duration: 1, steps: 4 })" } },
		undefined,
		{ onprogress: (p) => words.push(p.message) },
	);
	assert.ok(words.includes("0 of 1 calls done; 2 of 4"), words.join("\n"));
	await remote.terminateSession();
	await assert.rejects(other.callTool({ name: "codemode", arguments: { code: "return 1" } }));
	await other.close();
	console.log("ok");
} finally {
	http.kill();
	await client.close();
	rmSync(folder, { recursive: true, force: true });
}
