// SPDX-License-Identifier: MIT
//
// client.mjs -- what a client of MCP does: start a server, call its tools, and say what a model reads of it.

import { spawn } from "node:child_process";
import { createServer } from "node:http";
import { createInterface } from "node:readline";
import { countTokens } from "../npm/node_modules/gpt-tokenizer/esm/encoding/o200k_base.js";

/** What a text costs: [bytes, tokens of o200k]. Nothing in it counts as a special token. */
export const costOf = (text) => ({ bytes: Buffer.byteLength(text), tokens: countTokens(text, { disallowedSpecial: new Set() }) });
export const sum = (costs) => costs.reduce((a, b) => ({ bytes: a.bytes + b.bytes, tokens: a.tokens + b.tokens }), { bytes: 0, tokens: 0 });

/** A tool's definition and a call, in the members that reach a model; of a result the texts alone do. */
export const definition = ({ name, description, inputSchema }) => JSON.stringify({ name, description, input_schema: inputSchema });
export const request = (name, args) => JSON.stringify({ name, arguments: args });
export const textOf = ({ content }) => content.filter((c) => c.type === "text").map((c) => c.text).join("\n");

const greeting = { protocolVersion: "2025-11-25", capabilities: {}, clientInfo: { name: "value", version: "1" } };

/** A server's process: ask(method, params) → result, call(name, args) → result, end(). */
export async function connect(command, args, { env = {}, cwd } = {}) {
	const child = spawn(command, args, { stdio: ["pipe", "pipe", "ignore"], cwd, env: { ...process.env, ...env } });
	const waiting = new Map();
	let last = 0;
	createInterface({ input: child.stdout }).on("line", (line) => {
		const { id, result, error } = JSON.parse(line);
		waiting.get(id)?.(error ? Promise.reject(new Error(`${command} ${args.join(" ")}: ${error.message}`)) : result);
		waiting.delete(id);
	});
	const over = new Promise((resolve) => child.on("exit", resolve));
	over.then((code) => waiting.forEach((done) => done(Promise.reject(new Error(`${command} ${args.join(" ")} ended with ${code}`)))));
	const ask = (method, params) => new Promise((resolve) => {
		waiting.set(++last, resolve);
		child.stdin.write(`${JSON.stringify({ jsonrpc: "2.0", id: last, method, params })}\n`);
	});
	const call = async (name, args) => {
		const result = await ask("tools/call", { name, arguments: args });
		if (result.isError)
			throw new Error(`${name}: ${textOf(result)}`);
		return result;
	};
	await ask("initialize", greeting);
	child.stdin.write('{"jsonrpc":"2.0","method":"notifications/initialized"}\n');
	return { ask, call, list: async () => (await ask("tools/list", {})).tools, end: () => (child.stdin.end(), over) };
}

/** The paths of the tools that a description shows with their signatures. */
export function shownIn(description) {
	const shown = new Set();
	let space;
	for (const line of description.split("\n")) {
		space = /^tools\.([\w$]+):/.exec(line)?.[1] ?? space;
		const name = /^ {2}\.([\w$]+)\(/.exec(line)?.[1];
		if (name)
			shown.add(`${space}.${name}`);
	}
	return shown;
}

/** Lists of tools as MCP servers over HTTP, which are never called: { name: tools } → { mcpServers, end() }. */
export async function offer(lists) {
	const methods = {
		initialize: () => ({ protocolVersion: "2025-06-18", capabilities: { tools: {} }, serverInfo: { name: "captured", version: "1" } }),
		"tools/list": (tools) => ({ tools }),
	};
	const answer = ({ id, method }, tools, response) => {
		const result = methods[method]?.(tools);
		if (id === undefined)
			return response.writeHead(202).end();
		response.writeHead(200, { "content-type": "application/json" })
			.end(JSON.stringify({ jsonrpc: "2.0", id, ...(result ? { result } : { error: { code: -32601, message: "not here" } }) }));
	};
	const server = createServer(async (request, response) => {
		if (request.method !== "POST")
			return response.writeHead(405).end();
		answer(JSON.parse((await request.toArray()).join("")), lists[request.url.slice(1)], response);
	});
	await new Promise((resolve) => server.listen(0, "127.0.0.1", resolve));
	const url = (name) => ({ url: `http://127.0.0.1:${server.address().port}/${name}` });
	return { mcpServers: Object.fromEntries(Object.keys(lists).map((name) => [name, url(name)])),
		end: () => { server.close(); server.closeAllConnections(); } };
}
