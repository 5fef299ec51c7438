// SPDX-License-Identifier: MIT
//
// servers.mjs -- the tools that the MCP servers in test/npm list.

import { spawn } from "node:child_process";
import { tmpdir } from "node:os";
import { createInterface } from "node:readline";
import { fileURLToPath } from "node:url";

const SERVERS = {
	everything: ["mcp-server-everything"],
	files: ["mcp-server-filesystem", tmpdir()],
	git: ["git-mcp-server"],
	memory: ["mcp-server-memory"],
};
const bin = (name) => fileURLToPath(new URL(`../npm/node_modules/.bin/${name}`, import.meta.url));

async function list([program, ...args]) {
	const child = spawn(process.execPath, [bin(program), ...args],
		{ stdio: ["pipe", "pipe", "ignore"], env: { ...process.env, MCP_LOG_LEVEL: "error" } });
	const send = (message) => child.stdin.write(`${JSON.stringify({ jsonrpc: "2.0", ...message })}\n`);
	const ask = (id, method, params) => send({ id, method, params });
	const tools = [];

	ask(1, "initialize", { protocolVersion: "2025-06-18", capabilities: {}, clientInfo: { name: "test", version: "1" } });
	for await (const line of createInterface({ input: child.stdout })) {
		const { id, result } = JSON.parse(line);
		if (id === undefined) continue;
		if (id === 1) send({ method: "notifications/initialized" });
		else tools.push(...result.tools);
		if (id > 1 && !result.nextCursor) break;
		ask(id + 1, "tools/list", { cursor: result.nextCursor });
	}
	child.kill();
	return tools;
}

/** [{ name, tools }] of all servers. */
export function listTools() {
	return Promise.all(Object.entries(SERVERS).map(async ([name, command]) => ({ name, tools: await list(command) })));
}
