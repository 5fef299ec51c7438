// SPDX-License-Identifier: MIT
//
// serve.mjs -- `codemode serve --http` behind an authorization server, and what
// the tests send it.

import { spawn } from "node:child_process";
import { once } from "node:events";
import http from "node:http";

/** Starts it at a free port. The result's `stop` ends it. */
export async function serve(program, args, { env = {}, port = 0 } = {}) {
	const child = spawn(
		program,
		["serve", "--mcp", "none", "--http", `127.0.0.1:${port}`, ...args],
		{ env: { PATH: process.env.PATH, HOME: "/nonexistent", ...env } },
	);
	let said = "";
	const exit = new Promise((resolve) => child.on("exit", (code) => resolve(code)));
	const url = await new Promise((resolve, reject) => {
		child.stderr.setEncoding("utf8").on("data", (part) => {
			said += part;
			const found = /serving MCP at (\S+)/.exec(said);
			if (found) resolve(found[1]);
		});
		exit.then((code) => reject(new Error(`serve ended: ${code} ${said}`)));
	});

	async function post(token, message, headers = {}) {
		const reply = await fetch(url, {
			method: "POST",
			headers: {
				"Content-Type": "application/json",
				Accept: "application/json, text/event-stream",
				...(token === undefined ? {} : { Authorization: `Bearer ${token}` }),
				...headers,
			},
			body: JSON.stringify({ jsonrpc: "2.0", id: 1, ...message }),
		});
		const text = await reply.text();
		const data = /^data: (\{.*)$/m.exec(text)?.[1] ?? text;
		return {
			status: reply.status,
			challenge: reply.headers.get("www-authenticate"),
			session: reply.headers.get("mcp-session-id"),
			body: data.startsWith("{") ? JSON.parse(data) : text,
		};
	}

	return {
		url,
		/** Has it written that to stderr, or does it still? */
		async says(pattern) {
			while (!pattern.test(said)) await once(child.stderr, "data");
		},
		post,
		initialize: (token) =>
			post(token, {
				method: "initialize",
				params: {
					protocolVersion: "2025-11-25",
					capabilities: {},
					clientInfo: { name: "t", version: "1" },
				},
			}),
		/** One script in a session, or without one in the era that has none. */
		script: (token, code, session, can = {}, more = {}) =>
			post(
				token,
				{
					method: "tools/call",
					params: {
						name: "codemode",
						arguments: { code },
						...more,
						...(session
							? {}
							: {
									_meta: {
										"io.modelcontextprotocol/protocolVersion": "2026-07-28",
										"io.modelcontextprotocol/clientCapabilities": can,
									},
								}),
					},
				},
				session
					? { "Mcp-Session-Id": session }
					: {
							"MCP-Protocol-Version": "2026-07-28",
							"Mcp-Method": "tools/call",
							"Mcp-Name": "codemode",
						},
			),
		stop() {
			child.kill("SIGTERM");
			return exit;
		},
	};
}

/** A server whose answers are functions by path: `answer[path](body, req)`
 * returns what is sent as JSON, or a number as the status; `asked` counts. */
export async function answers(answer) {
	const asked = {};
	const server = http.createServer(async (req, res) => {
		const path = new URL(req.url, "http://x").pathname;
		let body = "";
		for await (const part of req) body += part;
		asked[path] = (asked[path] ?? 0) + 1;
		const value = (await answer[path]?.(body, req)) ?? 404;
		if (typeof value === "number") return void res.writeHead(value).end();
		res.writeHead(200, { "Content-Type": "application/json" });
		res.end(JSON.stringify(value));
	});
	await new Promise((resolve) => server.listen(0, "127.0.0.1", resolve));
	return {
		origin: `http://127.0.0.1:${server.address().port}`,
		asked,
		close() {
			server.closeAllConnections();
			server.close();
		},
	};
}
