// SPDX-License-Identifier: MIT
//
// http_server.mjs -- the smallest MCP server over streamable HTTP, for the rows of reach.mjs. Prints its URL.
//
// Tools: echo gives its arguments back, big gives so many bytes of text.

import { createServer } from "node:http";

const schema = { type: "object" };
const tools = [
	{ name: "echo", inputSchema: schema },
	{ name: "big", inputSchema: schema },
];

const say = (value) => ({ content: [{ type: "text", text: value }] });

const methods = {
	initialize: () => ({
		protocolVersion: "2025-06-18",
		capabilities: { tools: {} },
		serverInfo: { name: "bench", version: "1" },
	}),
	"tools/list": () => ({ tools }),
	"tools/call": ({ name, arguments: args }) =>
		name === "big" ? say("x".repeat(args.bytes)) : say(JSON.stringify(args)),
};

function answer({ id, method, params }, response) {
	const result = methods[method]?.(params);
	const body = result ? { result } : { error: { code: -32601, message: "not here" } };
	if (id === undefined) return response.writeHead(202).end();
	const text = JSON.stringify({ jsonrpc: "2.0", id, ...body });
	response.writeHead(200, { "content-type": "application/json", "content-length": Buffer.byteLength(text) }).end(text);
}

const server = createServer((request, response) => {
	const parts = [];
	if (request.method !== "POST") return response.writeHead(405).end();
	request.on("data", (part) => parts.push(part));
	request.on("end", () => answer(JSON.parse(Buffer.concat(parts)), response));
});
server.keepAliveTimeout = 60000;
server.listen(0, "127.0.0.1", () => console.log(`http://127.0.0.1:${server.address().port}/mcp`));
