// SPDX-License-Identifier: MIT
//
// fake_http.mjs -- an MCP server over HTTP that behaves, and that a test makes
// misbehave: what a test's `on` function answers is not answered here.

import { execFileSync } from "node:child_process";
import { readFileSync } from "node:fs";
import { createServer } from "node:http";
import { createSecureServer } from "node:http2";
import { createServer as createSecure } from "node:https";
import { join } from "node:path";

export const body = async (req) => {
	const parts = [];
	for await (const part of req) parts.push(part);
	return Buffer.concat(parts).toString();
};

export const reply = (id, result) => ({ jsonrpc: "2.0", id, result });
export const text = (id, t) => reply(id, { content: [{ type: "text", text: t }] });

export const json = (res, value, headers = {}, status = 200) => {
	res.writeHead(status, { "content-type": "application/json", ...headers });
	res.end(typeof value === "string" ? value : JSON.stringify(value));
};
export const plain = (res, status, words = "", headers = {}) => {
	res.writeHead(status, { "content-type": "text/plain", ...headers });
	res.end(words);
};
export const sse = (res, headers = {}) =>
	res.writeHead(200, { "content-type": "text/event-stream", ...headers });
export const event = (value, id) =>
	(id === undefined ? "" : `id: ${id}\n`) + `data: ${JSON.stringify(value)}\n\n`;

const toolNames = ["echo", "other"];

export class Fake {
	/* on(req, res, message, fake): true when it has answered, or will. */
	constructor(on = () => false) {
		this.on = on;
		this.seen = []; // of every request: method, url, headers, message
		this.sessions = new Set();
		this.sockets = new Set();
	}

	async listen({ tls, http2, host = "127.0.0.1", path } = {}) {
		this.path = path;
		const handle = (req, res) =>
			this.handle(req, res).catch((e) => res.destroy(e));
		const secure = http2 ? createSecureServer : createSecure;
		this.server = tls ? secure(tls, handle) : createServer(handle);
		this.server.on("connection", (s) => {
			this.sockets.add(s);
			s.on("close", () => this.sockets.delete(s));
		});
		await new Promise((up) =>
			path ? this.server.listen(path, up) : this.server.listen(0, host, up));
		this.port = this.server.address().port;
		this.url = path
			? `unix://${path}#/mcp`
			: `http${tls ? "s" : ""}://${host}:${this.port}/mcp`;
		return this;
	}

	/* All connections. */
	drop() {
		for (const s of this.sockets) s.destroy();
	}

	close() {
		this.drop();
		this.server.close();
	}

	/* As if its process had ended and another one had begun. */
	async restart() {
		const { port } = this;
		this.close();
		this.sessions.clear();
		await new Promise((closed) => this.server.once("close", closed));
		await new Promise((up) =>
			this.path ? this.server.listen(this.path, up) : this.server.listen(port, "127.0.0.1", up));
	}

	/* How many requests had this HTTP method, or this MCP method. */
	count(what) {
		return this.seen.filter((s) => s.method === what || s.message?.method === what).length;
	}

	async handle(req, res) {
		const raw = req.method === "POST" ? await body(req) : "";
		const message = raw ? JSON.parse(raw) : undefined;
		this.seen.push({ at: performance.now(), method: req.method, url: req.url, headers: req.headers, message });
		if (!(await this.on(req, res, message, this))) this.answer(req, res, message);
	}

	answer(req, res, message) {
		const session = req.headers["mcp-session-id"];
		if (req.method === "GET") return plain(res, 405);
		if (req.method === "DELETE") {
			this.sessions.delete(session);
			return plain(res, 200);
		}
		if (message.method === "initialize") {
			const id = `s${this.sessions.size}-${Math.random()}`;
			this.sessions.add(id);
			return json(res, reply(message.id, {
				protocolVersion: "2025-06-18",
				capabilities: { tools: { listChanged: this.listens ?? true } },
				serverInfo: { name: "fake", version: "1" },
			}), { "mcp-session-id": id });
		}
		if (session === undefined) return plain(res, 400, "no session");
		if (!this.sessions.has(session)) return plain(res, 404);
		if (message.id === undefined || !message.method) return plain(res, 202);
		if (message.method === "tools/list")
			return json(res, reply(message.id, {
				tools: toolNames.map((name) => ({ name, inputSchema: { type: "object" } })),
			}));
		if (message.method === "tools/call")
			return json(res, text(message.id, `${message.params.name} ${JSON.stringify(message.params.arguments ?? {})}`));
		return json(res, { jsonrpc: "2.0", id: message.id, error: { code: -32601, message: "Method not found" } });
	}
}

/* The same for a server of the revision of 2026: no greeting, no session. */
export class Modern extends Fake {
	answer(req, res, message) {
		if (req.method !== "POST") return plain(res, 405);
		const whole = (result) => json(res, reply(message.id, { resultType: "complete", ...result }));
		switch (message.method) {
		case "server/discover":
			return whole({
				supportedVersions: ["2026-07-28"],
				capabilities: { tools: { listChanged: this.listens ?? false } },
				ttlMs: 0, cacheScope: "private",
			});
		case "tools/list":
			return whole({
				tools: toolNames.map((name) => ({ name, inputSchema: { type: "object" } })),
				ttlMs: 0, cacheScope: "private",
			});
		case "tools/call":
			return whole(text(0, `${message.params.name} ${JSON.stringify(message.params.arguments ?? {})}`).result);
		}
		return json(res, { jsonrpc: "2.0", id: message.id, error: { code: -32601, message: "Method not found" } }, {}, 404);
	}
}

/* Is it a call of a tool of that name? */
export const calls = (message, name) =>
	message?.method === "tools/call" && message.params.name === name;

/* A server for one case. */
export const using = async (on, play, { kind = Fake, ...options } = {}) => {
	const fake = await new kind(on).listen(options);
	try {
		await play(fake);
	} finally {
		fake.close();
	}
};

/* Replies come by the stream that GET opened, which names where to POST. */
export const firstRevision = (req, res, m, fake) => {
	if (req.method === "GET") {
		sse(res);
		res.write("event: endpoint\ndata: /messages?session=7\n\n");
		fake.stream = res;
		return true;
	}
	if (req.url !== "/messages?session=7") return !plain(res, 404);
	plain(res, 202, "Accepted");
	const answer = {
		writeHead() {},
		end: (t) => t && fake.stream.write(`event: message\ndata: ${t}\n\n`),
	};
	fake.sessions.add("7");
	if (m.id !== undefined)
		fake.answer({ method: "POST", headers: { "mcp-session-id": "7" } }, answer, m);
	return true;
};

let certificates = 0;

/* A certificate that no authority signed; name: whose it is. One that has expired was
 * made by `openssl x509`, which takes days of the past. */
export const selfSigned = (folder, { expired, name = "IP:127.0.0.1" } = {}) => {
	const key = join(folder, `${certificates}.key`), cert = join(folder, `${certificates++}.pem`);
	const openssl = (...args) => execFileSync("openssl", args, { stdio: "ignore" });
	openssl("req", "-x509", "-newkey", "ec", "-pkeyopt", "ec_paramgen_curve:prime256v1", "-nodes", "-keyout", key,
		"-out", cert, "-days", "2", "-subj", "/CN=localhost", "-addext", `subjectAltName=${name}`);
	if (expired) openssl("x509", "-in", cert, "-signkey", key, "-days", "-1", "-out", cert);
	return { file: cert, tls: { key: readFileSync(key), cert: readFileSync(cert) } };
};
