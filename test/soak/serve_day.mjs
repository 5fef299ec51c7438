// SPDX-License-Identifier: MIT
//
// serve_day.mjs CODEMODE FAKE [HOURS]: hours of `codemode serve`, by stdio and by
// HTTP, and nothing grows. CODEMODE is linked with moved_clock.c, so that this
// program says what time it is; FAKE is the server of test/mcp.
//
// In each ten minutes or so servers die as often as they may with calls in flight, hang,
// come up late or never, say a thousand times that their list has changed, idle and
// are ended; a server at a URL forgets its sessions and is started again; clients
// come, leave in order, break off in the middle of a call and are never heard of
// again; a serve is started and ended. The first tenth warms up. After that resident
// memory, descriptors and child processes must be at the end what they were.

import assert from "node:assert/strict";
import { spawn } from "node:child_process";
import { mkdtempSync, openSync, readFileSync, readdirSync, rmSync, writeFileSync, writeSync } from "node:fs";
import { request } from "node:http";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { Fake } from "../net/fake_http.mjs";

const [codemode, fakeServer, hours = "1"] = process.argv.slice(2);
const folder = mkdtempSync(join(tmpdir(), "codemode-day-"));
/* A connection to a server at a URL is kept, or is not. */
const MINUTE = 60_000, GROWTH_KB = 1024, GROWTH_FILES = 2;
const mark = `codemode-day-${process.pid}`;

/* ------------------------------------------------------------------ the clock */

const clockFile = join(folder, "clock");
writeFileSync(clockFile, Buffer.alloc(16));
const clock = { fd: openSync(clockFile, "r+"), words: new BigUint64Array(2) };
const writeClock = () => writeSync(clock.fd, Buffer.from(clock.words.buffer), 0, 16, 0);

const pass = async (ms) => {
	clock.words[0] += BigInt(ms);
	writeClock();
	await sleep(20);
};

/* Time goes on until it has happened: for what ends by a limit of time. */
const passUntil = async (promise, step) => {
	let over = false;
	promise.then(() => (over = true), () => (over = true));
	for (let n = 0; !over; n++) {
		assert.ok(n < 2000, "it does not end");
		await pass(step);
	}
	return promise;
};

const until = async (holds, what) => {
	for (const end = Date.now() + 30000; !holds(); await sleep(20)) assert.ok(Date.now() < end, what());
};

/* ---------------------------------------------------------------- the servers */

const url = await new Fake().listen();
url.server.keepAliveTimeout = 0; // by the machine's clock
const local = (option, more) => ({ command: fakeServer, args: option ? [option] : [], env: { CODEMODE_DAY: mark }, ...more });
const config = join(folder, "mcp.json");
writeFileSync(config, JSON.stringify({
	mcpServers: {
		a: local("", { idleTimeout: 3 * MINUTE, timeout: 20000 }),
		b: local("", { idleTimeout: 3 * MINUTE }),
		family: local("parent", { idleTimeout: 3 * MINUTE }),
		mute: local("mute", { startup_timeout_ms: 2000, idleTimeout: 3 * MINUTE }),
		fails: local("fail"),
		url: { url: url.url },
	},
}));

/* --------------------------------------------------------------- processes */

const env = { ...process.env, CODEMODE_TEST_CLOCK: clockFile, CODEMODE_DEPTH: "" };

const lines = (pid, file) => {
	try {
		return readFileSync(`/proc/${pid}/${file}`, "utf8");
	} catch {
		return "";
	}
};
const pids = () => readdirSync("/proc").filter((name) => /^\d+$/.test(name));
/* Processes of servers, wherever they are now. */
const marked = () => pids().filter((pid) => lines(pid, "environ").includes(`CODEMODE_DAY=${mark}`)).length;
const children = (pid) => {
	const parents = pids().map((p) => [p, /\) \S (\d+)/.exec(lines(p, "stat"))?.[1]]);
	const below = (of) => parents.filter(([, parent]) => parent === of).flatMap(([p]) => [p, ...below(p)]);
	return below(String(pid)).length;
};

class Serve {
	constructor(...args) {
		this.child = spawn(codemode, ["serve", "--mcp", config, "--timeout", "600000", ...args], { env });
		this.exit = new Promise((done) => this.child.on("exit", (code, signal) => done(code ?? signal)));
		this.child.on("exit", (code, signal) => (this.ended = code ?? signal));
		this.errors = "";
		this.child.stderr.setEncoding("utf8").on("data", (text) => (this.errors = (this.errors + text).slice(-5000)));
		this.child.stdin.on("error", () => {});
	}

	figures() {
		const { pid } = this.child;
		return {
			kb: Number(/VmRSS:\s+(\d+)/.exec(lines(pid, "status"))?.[1]),
			files: readdirSync(`/proc/${pid}/fd`).length,
			children: children(pid),
		};
	}
}

/* -------------------------------------------------------------------- clients */

const greeting = { protocolVersion: "2025-11-25", capabilities: {}, clientInfo: { name: "day", version: "1" } };
let lastId = 0;
const ask = (method, params) => ({ jsonrpc: "2.0", id: ++lastId, method, params });
const script = (code) => ask("tools/call", { name: "codemode", arguments: { code } });
const words = (reply) => reply.result.content.map((block) => block.text).join("");

/* One conversation on stdin and stdout. */
class Stdio {
	constructor() {
		this.serve = new Serve();
		this.waiting = new Map();
		let rest = "";
		this.serve.child.stdout.setEncoding("utf8").on("data", (text) => {
			const parts = (rest + text).split("\n");
			rest = parts.pop();
			for (const message of parts.map((line) => JSON.parse(line))) this.waiting.get(message.id)?.(message);
		});
	}

	write(message) {
		this.serve.child.stdin.write(JSON.stringify(message) + "\n");
	}

	post(message) {
		this.write(message);
		return new Promise((done) => this.waiting.set(message.id, done)).finally(() => this.waiting.delete(message.id));
	}

	greet() {
		return this.post(ask("initialize", greeting));
	}
}

/* One session by HTTP. */
class Remote {
	constructor(at, headers = {}) {
		this.at = at;
		this.headers = { accept: "application/json, text/event-stream", ...headers };
	}

	/* Resolves with the response when its headers are there. */
	send(method, message) {
		return new Promise((done, failed) => {
			const bytes = message && JSON.stringify(message);
			this.request = request(this.at, { method, agent: false, headers: { ...this.headers, ...(bytes && { "content-type": "application/json" }) } }, done);
			this.request.on("error", failed);
			this.request.end(bytes);
		});
	}

	async post(message) {
		const response = await this.send("POST", message);
		let text = "";
		for await (const part of response) text += part;
		assert.equal(response.statusCode, 200, text);
		if (response.headers["mcp-session-id"]) this.headers["mcp-session-id"] = response.headers["mcp-session-id"];
		return JSON.parse(text.startsWith("{") ? text : /^data: (\{.*"id":.*)$/m.exec(text)[1]);
	}

	async greet() {
		await this.post(ask("initialize", greeting));
		this.headers["mcp-protocol-version"] = greeting.protocolVersion;
		return this;
	}

	/* Goes away in the middle of a request. */
	async breakOff(method, message) {
		const sent = this.send(method, message).catch(() => {});
		await sleep(50);
		this.request.destroy();
		await sent;
	}
}

/* ------------------------------------------------------------- ten minutes of it */

const works = async (client, n) =>
	assert.equal(words(await client.post(script(`
		const all = await Promise.all([tools.a.echo({ n: ${n} }), tools.b.echo({ n: ${n} }), tools.url.echo({ n: ${n} })]);
		return [all[0].n, all[1].n, all[2]].join(" ")`))), `${n} ${n} echo {"n":${n}}`);

const dies = async (client, name) => {
	const told = words(await client.post(script(`
		const all = await Promise.allSettled([tools.${name}.silent({}), tools.${name}.die({})]);
		return all.map((one) => one.reason.message)`)));
	assert.equal(told.match(/The server is gone: it exited with code 3/g)?.length, 2, told);
};

const failsInTime = async (client, code, fits) =>
	assert.match(words(await passUntil(client.post(script(code)), 2000)), fits);

const liveWith = async (client) => {
	for (let n = 0; n < 4; n++) {
		await works(client, n);
		for (const name of ["a", "b"]) await dies(client, name);
		await pass(8000);
	}
	await works(client, 5);
	await client.post(script(`await tools.a.storm({})`));
	await dies(client, "family");
	await failsInTime(client, `await tools.a.silent({})`, /did not answer within 20000 ms/);
	await failsInTime(client, `await tools.mute.echo({})`, /mute/);
	await failsInTime(client, `await tools.fails.echo({})`, /fails/);
};

const visit = async (at) => {
	const [polite, lost, hasty] = await Promise.all([1, 2, 3].map(() => new Remote(at).greet()));
	for (const client of [polite, lost, hasty]) assert.equal(words(await client.post(script("return 1"))), "1");
	await hasty.breakOff("POST", script(`await tools.a.silent({})`));
	await lost.breakOff("GET");
	const end = await polite.send("DELETE");
	assert.equal(end.statusCode, 200);
	end.resume();
	const modern = new Remote(at, { "mcp-protocol-version": "2026-07-28", "mcp-method": "tools/call", "mcp-name": "codemode" });
	const message = script("return 2");
	message.params._meta = { "io.modelcontextprotocol/protocolVersion": "2026-07-28", "io.modelcontextprotocol/clientCapabilities": {} };
	assert.equal(words(await modern.post(message)), "2");
};

/* A serve of its own, from its start to its end. */
const comeAndGo = async () => {
	const client = new Stdio();
	await client.greet();
	await works(client, 9);
	client.post(script(`await tools.a.silent({})`));
	await sleep(20);
	client.serve.child.stdin.end();
	assert.equal(await passUntil(client.serve.exit, 1000), 0, client.serve.errors);
};

const cancels = async (client) => {
	const message = script(`await tools.a.silent({})`);
	client.write(message);
	await sleep(20);
	client.write({ jsonrpc: "2.0", method: "notifications/cancelled", params: { requestId: message.id } });
};

/* Servers idle, sessions end, and everything is still. */
const rest = async (serves) => {
	for (let n = 0; n < 4; n++) await pass(2.5 * MINUTE);
	await until(() => marked() === 0, () => `${marked()} processes of servers are left`);
	clock.words[1]++;
	writeClock();
	await sleep(100);
	return serves.map((serve) => serve.figures());
};

/* ------------------------------------------------------------------- the day */

const near = new Stdio();
const web = new Serve("--http", "127.0.0.1:0", "--http-idle", `${8 * MINUTE}`);
const serves = [near.serve, web];
try {
	const [, address] = await new Promise((done, failed) => {
		web.child.stderr.on("data", () => {
			const found = /serving MCP at (http:\S+)/.exec(web.errors);
			if (found) done(found);
		});
		web.exit.then(() => failed(new Error(web.errors)));
	});
	await near.greet();
	const end = Number(hours) * 60 * MINUTE, begun = Date.now();
	let before, after;
	for (let n = 0; clock.words[0] < end; n++) {
		const far = await new Remote(address).greet();
		await liveWith(near);
		await liveWith(far);
		await visit(address);
		await comeAndGo();
		await cancels(near);
		url.sessions.clear();
		await works(near, n);
		await url.restart();
		await works(far, n);
		after = await rest(serves);
		if (!before && clock.words[0] > end / 10) before = after;
	}
	for (const [i, one] of ["by stdio", "by HTTP"].entries()) {
		console.log(`${one}: ${JSON.stringify(before[i])}, ${hours} hours later ${JSON.stringify(after[i])}`);
		assert.ok(after[i].files <= before[i].files + GROWTH_FILES);
		assert.equal(after[i].children, before[i].children);
		assert.ok(after[i].kb <= before[i].kb + GROWTH_KB);
	}
	console.log(`${Math.round((Date.now() - begun) / 1000)} s`);
	near.serve.child.stdin.end();
	web.child.kill("SIGTERM");
	for (const [i, code] of [0, 4].entries()) assert.equal(await passUntil(serves[i].exit, 1000), code, serves[i].errors);
	assert.equal(marked(), 0);
} catch (e) {
	console.error(e, ...serves.map((serve) => [serve.ended, serve.errors.slice(-1500)]));
	process.exitCode = 1;
} finally {
	for (const serve of serves) serve.child.kill("SIGKILL");
	url.close();
	rmSync(folder, { recursive: true, force: true });
}
process.exit();
