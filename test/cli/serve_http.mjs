// SPDX-License-Identifier: MIT
//
// serve_http.mjs CODEMODE SERVER [CASE]: `codemode serve --http` as its clients
// see it, request by request. SERVER is the test's own MCP server (server.c).

import assert from "node:assert/strict";
import { spawn } from "node:child_process";
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { Agent, request } from "node:http";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";

const [codemode, server, only] = process.argv.slice(2);
const folder = mkdtempSync(join(tmpdir(), "codemode-serve-http-"));

const upstream = (name, ...args) => ["--mcp-server", `${name}=${server} ${args.join(" ")}`];

const until = async (holds, what) => {
	for (const end = Date.now() + 30000; !holds(); await sleep(10)) assert.ok(Date.now() < end, what);
};

const read = (file) => {
	try {
		return readFileSync(file, "utf8");
	} catch {
		return "";
	}
};

const MODERN = "2026-07-28";

/** One `codemode serve --http` at a free port. */
class Serve {
	static all = [];

	constructor(args = [], { address = "127.0.0.1:0", env = {} } = {}) {
		Serve.all.push(this);
		this.child = spawn(codemode, ["serve", "--http", address, ...args], { env: { ...process.env, CODEMODE_DEPTH: "", XDG_CACHE_HOME: folder, ...env } });
		this.errors = "";
		this.agent = new Agent({ keepAlive: true, maxSockets: Infinity });
		this.exit = new Promise((done) => this.child.on("exit", (code, signal) => done(code ?? signal)));
		setTimeout(() => this.child.kill("SIGKILL"), 120000).unref();
		this.url = new Promise((done) => {
			this.child.stderr.setEncoding("utf8").on("data", (text) => {
				this.errors += text;
				const found = /serving MCP at (http:\S+)/.exec(this.errors);
				if (found) done(new URL(found[1]));
			});
		});
		this.id = 0;
	}

	/** One request. Resolves when the headers are there; `.text` when all is. */
	async http(method, body, headers = {}, path) {
		const url = await this.url;
		return new Promise((done, failed) => {
			const bytes = body === undefined ? undefined : typeof body === "string" ? body : JSON.stringify(body);
			const r = request(
				{ host: url.hostname.replace(/[[\]]/g, ""), port: url.port, path: path ?? url.pathname, method, agent: this.agent, headers: { ...(bytes === undefined ? {} : { "content-type": "application/json" }), ...headers } },
				(response) => {
					const seen = { status: response.statusCode, headers: response.headers, sofar: "", close: () => r.destroy() };
					response.setEncoding("utf8").on("data", (text) => (seen.sofar += text));
					response.on("error", () => {});
					seen.text = new Promise((end) => response.on("close", () => end(seen.sofar)));
					done(seen);
				},
			);
			r.on("error", failed);
			r.end(bytes);
		});
	}

	async json(method, body, headers, path) {
		const r = await this.http(method, body, headers, path);
		const text = await r.text;
		return { ...r, body: text.startsWith("{") || text.startsWith("[") ? JSON.parse(text) : text };
	}

	/** A session of an older revision. */
	async session(version = "2025-11-25") {
		const r = await this.json("POST", { jsonrpc: "2.0", id: 0, method: "initialize", params: { protocolVersion: version, capabilities: {}, clientInfo: { name: "t", version: "1" } } });
		assert.equal(r.status, 200, JSON.stringify(r));
		const headers = { "mcp-session-id": r.headers["mcp-session-id"], "mcp-protocol-version": version, accept: "application/json, text/event-stream" };
		return {
			headers,
			post: (message) => this.http("POST", message, headers),
			ask: async (method, params) => {
				const id = ++this.id;
				const answer = await this.json("POST", { jsonrpc: "2.0", id, method, params }, headers);
				const message = typeof answer.body === "string" ? events(answer.body).at(-1) : answer.body;
				assert.equal(message.id ?? null, message.error && answer.status !== 200 ? null : id);
				return { status: answer.status, ...message };
			},
			text: async function (code) {
				return (await this.ask("tools/call", { name: "codemode", arguments: { code } })).result.content[0].text;
			},
		};
	}

	/** A request of the revision without sessions. */
	modern(method, params = {}, more = {}) {
		const { _meta, ...rest } = params;
		const message = {
			jsonrpc: "2.0",
			id: ++this.id,
			method,
			params: { ...rest, _meta: { "io.modelcontextprotocol/protocolVersion": MODERN, "io.modelcontextprotocol/clientCapabilities": {}, ..._meta } },
		};
		const headers = { "mcp-protocol-version": MODERN, "mcp-method": method, accept: "application/json, text/event-stream", ...(params.name ? { "mcp-name": params.name } : {}), ...more };
		for (const name of Object.keys(headers)) if (headers[name] === undefined) delete headers[name];
		return this.http("POST", message, headers);
	}

	async askModern(method, params, more) {
		const r = await this.modern(method, params, more);
		const text = await r.text;
		return { status: r.status, ...(text.startsWith("{") ? JSON.parse(text) : events(text).at(-1)) };
	}

	end() {
		this.child.kill("SIGTERM");
		this.agent.destroy();
		return this.exit;
	}
}

/** The messages of a stream of events. */
const events = (text) => [...text.matchAll(/^data: (.+)$/gm)].map(([, data]) => JSON.parse(data));

const call = (code, more) => ({ name: "codemode", arguments: { code }, ...more });

const cases = {
	async "a session from its greeting to its end"(s) {
		const a = await s.session();
		assert.match(a.headers["mcp-session-id"], /^[0-9a-f]{32}$/);
		const note = await a.post({ jsonrpc: "2.0", method: "notifications/initialized" });
		assert.equal(note.status, 202);
		assert.equal(await note.text, "");
		assert.equal((await a.ask("tools/list")).result.tools[0].name, "codemode");
		assert.equal(await a.text("return await tools.t.echo({ n: 1 })"), '{"n":1}');
		assert.equal((await s.http("DELETE", undefined, a.headers)).status, 200);
		assert.equal((await a.post({ jsonrpc: "2.0", id: 1, method: "ping" })).status, 404);
		assert.equal((await s.http("DELETE", undefined, a.headers)).status, 404);
		assert.equal((await s.http("GET", undefined, { ...a.headers, accept: "text/event-stream" })).status, 404);
		for (const method of ["POST", "GET", "DELETE"])
			assert.equal((await s.http(method, method === "POST" ? { jsonrpc: "2.0", id: 1, method: "ping" } : undefined)).status, 400, method);
	},

	async "what is not MCP is refused with a status"(s) {
		const url = await s.url;
		const hello = { jsonrpc: "2.0", id: 0, method: "initialize", params: { protocolVersion: "2025-11-25" } };
		const status = async (method, headers, path, body = hello) => (await s.json(method, method === "POST" ? body : undefined, headers, path)).status;
		assert.equal(await status("POST", { host: "evil.example" }), 403);
		assert.equal(await status("POST", { host: "localhost.evil.example:80" }), 403);
		assert.equal(await status("POST", { host: `LOCALHOST:${url.port}` }), 200);
		assert.equal(await status("POST", { host: "[::1]:1" }), 200);
		assert.equal(await status("POST", { origin: "http://evil.example" }), 403);
		assert.equal(await status("POST", { origin: "null" }), 403);
		assert.equal(await status("POST", { origin: "http://localhost:5173" }), 200);
		assert.equal(await status("POST", {}, "/"), 404);
		assert.equal(await status("PUT", {}), 405);
		assert.equal(await status("POST", { "content-type": "text/plain" }), 415);
		assert.equal(await status("POST", { "mcp-protocol-version": "1999-01-01" }), 400);
		assert.equal(await status("POST", {}, undefined, "{"), 400);
		assert.equal(await status("POST", { accept: "text/event-stream" }), 200);
		const page = await s.json("OPTIONS", undefined, { origin: "http://localhost:5173", "access-control-request-method": "POST" });
		assert.equal(page.status, 204);
		assert.equal(page.headers["access-control-allow-origin"], "http://localhost:5173");
		const a = await s.session();
		assert.equal((await s.http("GET", undefined, { ...a.headers, accept: "application/json" })).status, 406);
	},

	async "a request that is too large is refused, told beforehand or not"(s) {
		const large = `"${"x".repeat((16 << 20) + 10)}"`;
		const told = await s.http("POST", large).catch((error) => ({ status: 413, error }));
		assert.equal(told.status, 413);
		const untold = await s.http("POST", large, { "transfer-encoding": "chunked" });
		assert.equal(untold.status, 413);
		assert.equal((await (await s.session()).ask("ping")).status, 200);
	},

	async "a token keeps others out"() {
		const file = join(folder, "token");
		writeFileSync(file, "sesame open\n");
		const hello = { jsonrpc: "2.0", id: 0, method: "initialize", params: { protocolVersion: "2025-11-25" } };
		for (const s of [new Serve(["--http-token-file", file]), new Serve([], { env: { CODEMODE_HTTP_TOKEN: "sesame open" } })]) {
			for (const authorization of [undefined, "Bearer", "Bearer sesame", "Bearer sesame opens", "Basic sesame open"]) {
				const r = await s.http("POST", hello, authorization ? { authorization } : {});
				assert.equal(r.status, 401, authorization);
				assert.equal(r.headers["www-authenticate"], "Bearer");
			}
			assert.equal((await s.http("POST", hello, { authorization: "bearer sesame open" })).status, 200);
			await s.end();
		}
	},

	async "an address that others reach needs a token, or a word"() {
		const s = new Serve([], { address: "0.0.0.0:0" });
		assert.equal(await s.exit, 2);
		assert.match(s.errors, /other machines can reach this address, so a token is needed/);
		const open = new Serve(["--http-open", "--http-name", "me.example"], { address: "0.0.0.0:0" });
		await open.url;
		assert.equal((await open.http("POST", "{", { host: "me.example:1" })).status, 400);
		assert.equal((await open.http("POST", "{", { host: "you.example:1" })).status, 403);
		await open.end();
		for (const address of ["nonsense", "127.0.0.1", "::1:80", "127.0.0.1:x", "256.0.0.1:80"]) {
			const wrong = new Serve([], { address });
			assert.equal(await wrong.exit, 2, address);
		}
		const empty = new Serve(["--http-token-file", "/dev/null"]);
		assert.equal(await empty.exit, 2);
		assert.match(empty.errors, /it is empty/);
	},

	async "the revision without sessions: headers are held against the message"(s) {
		assert.equal((await s.askModern("server/discover")).result.supportedVersions[0], MODERN);
		assert.equal((await s.askModern("tools/call", call("return [1]"))).result.content[0].text, "[1]");
		const named = { "mcp-name": "=?base64?Y29kZW1vZGU=?=" };
		assert.equal((await s.askModern("tools/call", call("return 2"), named)).result.content[0].text, "2");
		for (const [headers, code] of [
			[{ "mcp-method": undefined }, -32020],
			[{ "mcp-method": "tools/list" }, -32020],
			[{ "mcp-name": undefined }, -32020],
			[{ "mcp-name": "Codemode" }, -32020],
			[{ "mcp-name": "=?base64?Y29kZW1vZ?=" }, -32020],
			[{ "mcp-protocol-version": undefined }, -32020],
			[{ "mcp-protocol-version": "2025-11-25" }, -32020],
		]) {
			const wrong = await s.askModern("tools/call", call("return 1"), headers);
			assert.deepEqual([wrong.status, wrong.error.code, wrong.id], [400, code, s.id], JSON.stringify(headers));
		}
		const meta = { _meta: { "io.modelcontextprotocol/clientCapabilities": undefined } };
		assert.deepEqual(await s.askModern("tools/list", meta).then((r) => [r.status, r.error.code]), [400, -32602]);
		const future = { _meta: { "io.modelcontextprotocol/protocolVersion": "2027-01-01" } };
		assert.deepEqual(await s.askModern("tools/list", future, { "mcp-protocol-version": "2027-01-01" }).then((r) => [r.status, r.error.code]), [400, -32022]);
		for (const gone of ["ping", "initialize", "prompts/list"])
			assert.deepEqual(await s.askModern(gone).then((r) => [r.status, r.error.code]), [404, -32601]);
		assert.equal((await s.askModern("tools/call", { name: "other" })).status, 200);
		for (const method of ["GET", "DELETE"])
			assert.equal((await s.http(method, undefined, { "mcp-protocol-version": MODERN, accept: "text/event-stream" })).status, 405);
	},

	async "each session has a store of its own"(s) {
		const [a, b] = [await s.session(), await s.session()];
		await a.text("store('k', 'a')");
		await b.text("store('k', 'b')");
		await s.askModern("tools/call", call("store('k', 'shared')"));
		assert.equal(await a.text("return load('k')"), "a");
		assert.equal(await b.text("return load('k')"), "b");
		assert.equal((await s.askModern("tools/call", call("return load('k')"))).result.content[0].text, "shared");
	},

	async "sessions are counted"() {
		const s = new Serve(["--http-sessions", "2"]);
		const [a] = [await s.session(), await s.session()];
		const hello = { jsonrpc: "2.0", id: 0, method: "initialize", params: { protocolVersion: "2025-11-25" } };
		const third = await s.json("POST", hello);
		assert.equal(third.status, 503);
		assert.match(third.body.error.message, /--http-sessions/);
		assert.equal((await s.askModern("tools/list")).status, 200);
		assert.equal((await s.http("DELETE", undefined, a.headers)).status, 200);
		await s.session();
		await s.end();
	},

	async "idle sessions end, but none that listens"() {
		const s = new Serve(["--http-idle", "500"]);
		const idle = await s.session();
		/* On a busy machine, more than one may end before it listens. */
		let c, stream;
		do {
			c = await s.session();
			stream = await s.http("GET", undefined, { ...c.headers, accept: "text/event-stream" });
		} while (stream.status !== 200);
		for (let i = 0; (await idle.ask("ping")).status === 200; i++) {
			assert.ok(i < 20);
			await sleep(600 + 300 * i);
		}
		assert.equal((await c.ask("ping")).status, 200);
		stream.close();
		await s.end();
	},

	async "a list of messages is answered as one"(s) {
		const a = await s.session("2025-03-26");
		const batch = [
			{ jsonrpc: "2.0", id: "x", method: "tools/call", params: call("return await tools.t.echo({})") },
			{ jsonrpc: "2.0", method: "notifications/initialized" },
			{ jsonrpc: "2.0", id: "y", method: "ping" },
		];
		const r = await s.json("POST", batch, a.headers);
		const answers = typeof r.body === "string" ? events(r.body)[0] : r.body;
		assert.deepEqual(answers.map((m) => m.id).sort(), ["x", "y"]);
		assert.equal((await a.post([{ jsonrpc: "2.0", method: "notifications/initialized" }])).status, 202);
	},

	async "a stream that is closed cancels in the era without sessions, with the calls of the script"() {
		const log = join(folder, "log-cancel");
		const s = new Serve(upstream("t", "--log", log));
		const gone = s.modern("tools/call", call("await tools.t.hang({})"));
		gone.catch(() => {});
		await until(() => read(log).includes('"hang"'), "the call was not made");
		s.agent.destroy();
		await until(() => read(log).includes("notifications/cancelled"), "the server was not told");
		assert.equal((await s.askModern("tools/call", call("return 1"))).result.content[0].text, "1");
		await s.end();
	},

	async "a session cancels by a notification, whatever happens to its streams"() {
		const log = join(folder, "log-note");
		const s = new Serve(upstream("t", "--log", log));
		const a = await s.session();
		const id = 77;
		const waiting = a.post({ jsonrpc: "2.0", id, method: "tools/call", params: call("await tools.t.hang({})") });
		waiting.catch(() => {});
		await until(() => read(log).includes('"hang"'), "the call was not made");
		s.agent.destroy();
		s.agent = new Agent({ keepAlive: true });
		assert.equal((await a.ask("ping")).status, 200);
		assert.doesNotMatch(read(log), /notifications\/cancelled/);
		assert.equal((await a.post({ jsonrpc: "2.0", method: "notifications/cancelled", params: { requestId: id } })).status, 202);
		await until(() => read(log).includes("notifications/cancelled"), "the server was not told");
		await s.end();
	},

	async "a client of a session whose connection broke comes back for the rest"() {
		const gate = join(folder, "gate-resume");
		const s = new Serve(upstream("t", `--gate ${gate}`));
		const a = await s.session();
		const ask = (id) => a.post({ jsonrpc: "2.0", id, method: "tools/call", params: { ...call("await tools.t.echo({}); return await tools.t.hold({})"), _meta: { progressToken: 1 } } });
		const [early, late] = [await ask(5), await ask(6)];
		for (const r of [early, late]) {
			await until(() => r.sofar.includes('"1 of 2 calls done"'), "progress");
			assert.match(r.sofar, /^id: (\d+)-1\ndata:\n\nid: \1-2\nevent: message\ndata: /);
			r.close();
		}
		const ids = (r) => [...r.sofar.matchAll(/^id: (.*)$/gm)].map(([, id]) => id);
		const again = (id) => s.http("GET", undefined, { ...a.headers, accept: "text/event-stream", "last-event-id": id });
		/* One comes back before the answer, from the middle; one behind it. */
		const resumed = await again(ids(early)[1]);
		await until(() => events(resumed.sofar).length === events(early.sofar).length - 1, "what came before");
		writeFileSync(gate, "");
		assert.equal(events(await resumed.text).at(-1).result.content[0].text, "held");
		assert.equal(events(await (await again(ids(late)[0])).text).at(-1).id, 6);
		/* It had all of it: nothing is left, and this is a stream like any other. */
		const general = await again(ids(late)[0]);
		await until(() => general.sofar.startsWith(":"), "a comment");
		general.close();
		await s.end();
	},

	async "an answer that takes long keeps its stream alive"() {
		const gate = join(folder, "gate-long");
		const s = new Serve(upstream("t", `--gate ${gate}`));
		const a = await s.session();
		const r = await a.post({ jsonrpc: "2.0", id: 5, method: "tools/call", params: call("return await tools.t.hold({})") });
		assert.equal(r.headers["content-type"], "text/event-stream");
		await until(() => r.sofar.includes(":\n\n"), "a comment");
		writeFileSync(gate, "");
		assert.equal(events(await r.text)[0].result.content[0].text, "held");
		await s.end();
	},

	async "progress and log come on the stream of their request"(s) {
		const a = await s.session();
		await a.ask("logging/setLevel", { level: "debug" });
		const both = [
			a.post({ jsonrpc: "2.0", id: 8, method: "tools/call", params: { ...call("text('x'); return await tools.t.echo({})"), _meta: { progressToken: 3 } } }),
			s.modern("tools/call", { ...call("text('x'); return await tools.t.echo({})"), _meta: { progressToken: 3, "io.modelcontextprotocol/logLevel": "info" } }),
		];
		for (const r of both) {
			const messages = events(await (await r).text);
			assert.deepEqual(messages[0], { jsonrpc: "2.0", method: "notifications/message", params: { level: "info", logger: "script", data: "x" } });
			assert.equal(messages[1].method, "notifications/progress");
			assert.equal(messages[1].params.progressToken, 3);
			assert.equal(messages.at(-1).result.content[0].text, "x\n{}");
		}
	},

	async "changes of the list come on the stream of a session, and to those who listen"() {
		const s = new Serve([...upstream("t"), ...upstream("late", "--slow 3000"), "--startup-timeout", "2000"]);
		const a = await s.session();
		const stream = await s.http("GET", undefined, { ...a.headers, accept: "text/event-stream" });
		const listens = await s.modern("subscriptions/listen", { notifications: { toolsListChanged: true } });
		await a.ask("tools/list");
		await until(() => stream.sofar.includes("list_changed") && listens.sofar.includes("list_changed"), "both are told");
		assert.deepEqual(events(stream.sofar), [{ jsonrpc: "2.0", method: "notifications/tools/list_changed", params: {} }]);
		assert.equal(events(listens.sofar)[0].method, "notifications/subscriptions/acknowledged");
		assert.ok(events(listens.sofar).every((m) => m.params._meta["io.modelcontextprotocol/subscriptionId"] === s.id - 1));
		/* A second stream takes the place of the first. */
		const second = await s.http("GET", undefined, { ...a.headers, accept: "text/event-stream" });
		await stream.text;
		second.close();
		listens.close();
		await s.end();
	},

	async "a hundred scripts of one client at once, none lost"() {
		const logs = ["a", "b", "c"].map((name) => join(folder, `many-${name}`));
		const s = new Serve(["a", "b", "c"].flatMap((name, i) => upstream(name, "--log", logs[i])));
		const a = await s.session();
		await a.ask("tools/list");
		const answers = await Promise.all(
			Array.from({ length: 100 }, (_, k) =>
				a.text(`const all = []; for (let i = 0; i < 20; i++) all.push(await tools[["a", "b", "c"][i % 3]].echo({ n: ${k} * 100 + i })); return all.map((x) => x.n)`),
			),
		);
		answers.forEach((answer, k) => assert.deepEqual(JSON.parse(answer), Array.from({ length: 20 }, (_, i) => k * 100 + i)));
		const made = logs.map((log) => read(log).split("tools/call").length - 1);
		assert.deepEqual(made, [700, 700, 600]);
		await s.end();
	},

	async "a signal ends it, streams and all"(s) {
		const a = await s.session();
		const stream = await s.http("GET", undefined, { ...a.headers, accept: "text/event-stream" });
		assert.equal(stream.status, 200);
		a.post({ jsonrpc: "2.0", id: 5, method: "tools/call", params: call("await tools.t.hang({})") }).catch(() => {});
		await a.ask("ping");
		s.child.kill("SIGTERM");
		assert.equal(await s.exit, 4);
		await stream.text;
	},
};

let held = 0;
const chosen = Object.entries(cases).filter(([name]) => name.startsWith(only ?? ""));
for (const [name, run] of chosen) {
	const from = Date.now();
	const s = run.length > 0 ? new Serve(upstream("t")) : undefined;
	try {
		await run(s);
		if (s) assert.equal(await s.end(), 4);
		held++;
		console.log(`${name}: ${Date.now() - from} ms`);
	} catch (error) {
		console.log(`${name}: FAILED\n${error.stack}\n${s?.errors ?? ""}`);
		for (const each of Serve.all) each.child.kill("SIGKILL");
	}
}
rmSync(folder, { recursive: true, force: true });
console.log(`${held} of ${chosen.length} cases hold`);
process.exit(held === chosen.length ? 0 : 1);
