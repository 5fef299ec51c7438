// SPDX-License-Identifier: MIT
//
// known_faults.mjs CODEMODE FAKE SERVER: what goes wrong again and again between
// clients and servers, as public bug reports have it, and that it does not here: as
// the person meets it, with `codemode run` and `serve`. The numbers are those of our
// list of such faults; test/mcp/rows finds the tests of all rows. FAKE is the server
// of test/mcp, SERVER that of test/cli.

import assert from "node:assert/strict";
import { spawn } from "node:child_process";
import { existsSync, readFileSync, readdirSync, writeFileSync } from "node:fs";
import { request } from "node:http";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { calls, json, reply, sse, event, text, using } from "./fake_http.mjs";
import { codemode, configure, folder, play, rest, run, start, wellEnded } from "./rig.mjs";

const [fakeServer, server, ...names] = rest;
const mark = `codemode-rows-${process.pid}`;
const fake = (...args) => ({ command: fakeServer, args, env: { ROWS: mark } });

/* Processes of servers that carry this mark, wherever they are now. */
const marked = (of = mark) => readdirSync("/proc").filter((pid) => {
	try {
		return /^\d+$/.test(pid) && readFileSync(`/proc/${pid}/environ`, "utf8").includes(`ROWS=${of}\0`);
	} catch {
		return false;
	}
}).length;

const until = async (holds, what) => {
	for (const end = Date.now() + 30000; !holds(); await sleep(20)) assert.ok(Date.now() < end, what);
};

/* A server at a URL with these tools; results: of each by its name. */
const offering = (tools, results = {}) => (req, res, m) => {
	if (m?.method === "tools/list") return !json(res, reply(m.id, { tools }));
	const result = m?.method === "tools/call" && results[m.params.name];
	return result ? !json(res, reply(m.id, result)) : false;
};

const tool = (name, more) => ({ name, inputSchema: { type: "object" }, ...more });
const words = (t) => ({ content: [{ type: "text", text: t }] });

/* `codemode serve` on stdin and stdout. */
class Serve {
	constructor(servers, ...args) {
		this.child = spawn(codemode, ["serve", "--mcp", configure(servers), ...args], { env: { ...process.env, CODEMODE_DEPTH: "" } });
		this.heard = [];
		let part = "";
		this.child.stdout.setEncoding("utf8").on("data", (t) => {
			const lines = (part + t).split("\n");
			part = lines.pop();
			this.heard.push(...lines.map((line) => JSON.parse(line)));
		});
		this.exit = new Promise((done) => this.child.on("exit", done));
		this.id = 0;
	}

	async ask(method, params = {}) {
		const id = ++this.id;
		this.child.stdin.write(JSON.stringify({ jsonrpc: "2.0", id, method, params }) + "\n");
		const answer = () => this.heard.find((m) => m.id === id && m.method === undefined);
		await until(answer, `${method} is answered`);
		return answer();
	}

	async greet() {
		await this.ask("initialize", greeting.params);
		return this;
	}

	call(code, more) {
		return this.ask("tools/call", { name: "codemode", arguments: { code }, ...more });
	}

	end() {
		this.child.stdin.end();
		return this.exit;
	}
}

const greeting = { jsonrpc: "2.0", id: 1, method: "initialize", params: { protocolVersion: "2025-11-25", capabilities: {}, clientInfo: { name: "t", version: "1" } } };
const ping = { jsonrpc: "2.0", id: 2, method: "ping" };

/* `codemode serve --http`, each request on a connection of its own. */
class Web {
	async up() {
		this.child = spawn(codemode, ["serve", "--http", "127.0.0.1:0"], { env: { ...process.env, CODEMODE_DEPTH: "" } });
		this.exit = new Promise((done) => this.child.on("exit", done));
		let err = "";
		this.child.stderr.setEncoding("utf8").on("data", (t) => (err += t));
		await until(() => (this.url = /serving MCP at (http:\S+)/.exec(err)?.[1]), "it serves");
		return this;
	}

	post(message, headers) {
		const more = { "content-type": "application/json", accept: "application/json, text/event-stream", ...headers };
		return new Promise((done) =>
			request(this.url, { method: "POST", agent: false, headers: more }, (response) =>
				done({ status: response.resume().statusCode, session: response.headers["mcp-session-id"] }),
			).end(JSON.stringify(message)));
	}

	end() {
		this.child.kill("SIGTERM");
		return this.exit;
	}
}

const cases = {
	"row 1: no process is left, however a run ends": async () => {
		for (const signal of ["SIGINT", "SIGTERM", "SIGKILL"]) {
			const own = `${mark}-${signal}`;
			const one = { ...fake("ignore-eof", "ignore-term", "parent"), env: { ROWS: own } };
			let sent = false;
			await run({ s: one }, `await tools.s.silent({})`, {
				watch: (pid) => {
					if (sent || marked(own) < 4) return;
					sent = true;
					process.kill(pid, signal);
				},
			});
			await until(() => marked(own) === 0, `${signal}: ${marked(own)} processes are left`);
			assert.ok(sent);
		}
	},

	"row 1: none is left of a server that was started again": async () => {
		const own = `${mark}-again`;
		const serve = await new Serve({ s: { ...fake("parent"), env: { ROWS: own } } }).greet();
		for (let n = 0; n < 2; n++) await serve.call(`await tools.s.die({})`);
		await serve.call(`await tools.s.echo({})`);
		assert.equal(await serve.end(), 0);
		await until(() => marked(own) === 0, `${marked(own)} processes are left`);
	},

	/* As npx does: the child that we start is not the server, and ends first. */
	"row 2: a server whose wrapper has ended is ended, too": async () => {
		const own = `${mark}-wrapper`, gone = join(folder, "gone");
		const wrapper = `exec 3<&0; ${fakeServer} ignore-eof ignore-term <&3 & until [ -e ${gone} ]; do sleep 0.05; done`;
		const r = await run({ s: { command: "/bin/sh", args: ["-c", wrapper], env: { ROWS: own } } }, `
			const first = await tools.s.echo({ a: 1 });
			return [first, await tools.s.silent({}).catch((e) => e.message)]`,
		{ watch: () => marked(own) >= 3 && !existsSync(gone) && setTimeout(() => writeFileSync(gone, ""), 300) });
		assert.equal(r.code, 0, r.err);
		assert.deepEqual(r.value[0], { a: 1 });
		assert.match(r.value[1], /The server is gone: it exited with code 0/);
		await until(() => marked(own) === 0, `${marked(own)} processes are left`);
	},

	"row 3: a banner on stdout is told once, and the server is used": async () => {
		const r = await run({ s: fake("talkative") }, `await tools.s.noise({ a: 1 })`);
		assert.deepEqual([r.code, r.value], [0, { a: 1 }]);
		assert.equal(r.err.match(/writes to stdout what is no message: fake is ready/g)?.length, 1);
	},

	"row 4: a server that floods its stderr, at its start and in a call, does not stop": async () => {
		const r = await run({ s: fake("loud") }, `[await tools.s.stderr({ a: 1 }), await tools.s.echo({ a: 2 })]`);
		assert.deepEqual([r.code, r.value], [0, [{ a: 1 }, { a: 2 }]]);
	},

	"row 5: U+2028 in a result ends no line": async () => {
		const r = await run({ s: fake() }, `[await tools.s.separators({}), await tools.s.echo({ t: "\\u2028" })]`);
		assert.deepEqual([r.code, r.value], [0, ["a\u2028b\u2029c\u0085", { t: "\u2028" }]]);
	},

	"row 6: a script sees the tools of all pages": () => {
		const page = (m) => Number(m.params?.cursor ?? 0);
		return using((req, res, m) => m?.method === "tools/list" &&
			!json(res, reply(m.id, { tools: [tool(`t${page(m)}`)], ...(page(m) < 30 && { nextCursor: `${page(m) + 1}` }) })),
		async (url) => {
			const r = await run(url.url, `[Object.keys(tools.s).length, await tools.s.t30({})]`);
			wellEnded(r);
			assert.equal(r.value[0], 31);
		});
	},

	"row 7: a cursor that leads nowhere ends the list": async () => {
		const r = await run({ s: fake("looping") }, `await tools.s.echo({ a: 1 })`);
		assert.deepEqual([r.code, r.value], [0, { a: 1 }]);
		assert.match(r.err, /list of tools does not end/);
	},

	/* The stream of the server says so as fast as it can, while a script runs; a
	   tool that is new is there for the next script, without a restart. */
	"row 8: ten thousand changes of the list in a second are few readings": () => {
		let grown = false;
		return using((req, res, m, server) => {
			if (req.method === "GET") {
				sse(res);
				server.stream = res;
				return true;
			}
			if (m?.method === "tools/list" && grown)
				return !json(res, reply(m.id, { tools: [tool("echo"), tool("fresh")] }));
			if (!calls(m, "echo")) return false;
			grown = true;
			const change = event({ jsonrpc: "2.0", method: "notifications/tools/list_changed" });
			for (let n = 0; n < 100; n++) server.stream.write(change.repeat(100));
			json(res, text(m.id, "said"));
			return true;
		}, async (url) => {
			const serve = await new Serve({ s: { url: url.url } }).greet();
			assert.equal((await serve.call(`await tools.s.echo({})`)).result.content[0].text, "said");
			await until(() => serve.heard.some((m) => m.method === "notifications/tools/list_changed"), "the client is told");
			assert.equal((await serve.call(`typeof tools.s.fresh`)).result.content[0].text, "function");
			assert.ok(url.count("tools/list") <= 6, `${url.count("tools/list")}`);
			assert.equal(await serve.end(), 0);
		});
	},

	"row 9: names that clash, are long or are no names cost no tool": () => {
		const long = "x".repeat(100);
		const all = ["a-b", "a_b", "a.b", `${long}1`, `${long}2`, "with blank", "ünïcode", "class", "then", "7"];
		return using(offering(all.map((name) => tool(name)), Object.fromEntries(all.map((name) => [name, words(`I am ${name}`)]))),
			async (url) => {
				const r = await run({ "my-server": { url: url.url } }, `
					const all = ${JSON.stringify(all)}, mine = tools["my-server"];
					/* A namespace with a member "then" could not be awaited. */
					const named = (name) => name === "then" ? Object.keys(mine).find((key) => key.startsWith("then_")) : name;
					return Promise.all(all.map((name) => mine[named(name)]({})))`);
				assert.equal(r.code, 0, r.err);
				assert.deepEqual(r.value, all.map((name) => `I am ${name}`));
			});
	},

	"row 10: references of a schema are followed, in circles and into nothing": () => {
		const node = { type: "object", properties: { next: { $ref: "#/$defs/node" }, n: { type: "integer" } } };
		const schemas = [
			{ type: "object", properties: { root: { $ref: "#/$defs/node" } }, $defs: { node } },
			{ type: "object", properties: { x: { $ref: "#/$defs/self" } }, $defs: { self: { $ref: "#/$defs/self" } } },
			{ type: "object", properties: { x: { $ref: "#/$defs/nowhere" } } },
			{ type: "object", properties: { x: { $ref: "http://127.0.0.1:1/schema.json" } } },
		];
		return using(offering(schemas.map((inputSchema, n) => ({ name: `t${n}`, inputSchema }))), async (url) => {
			const types = await start(codemode, ["types", "--mcp", configure({ s: { url: url.url } })]);
			assert.equal(types.code, 0, types.err);
			assert.match(types.out, /n\?: number/);
			for (const n of schemas.keys()) assert.match(types.out, new RegExp(`\\bt${n}\\b`));
			const r = await run(url.url, `[await tools.s.t0({ root: { next: { next: {} } } }), await tools.s.t1({ x: 1 }), await tools.s.t2({ x: 1 }), await tools.s.t3({ x: 1 })].length`);
			assert.deepEqual([r.code, r.value], [0, 4], r.err);
		});
	},

	"row 11: one bad schema costs no other tool": () => {
		const bad = [7, null, [], "object", { type: 7 }, { type: "object", properties: 7 }, { type: "string" }];
		return using(offering([{ name: 7 }, null, ...bad.map((inputSchema, n) => ({ name: `bad${n}`, inputSchema })), tool("good")], { good: words("fine") }),
			async (url) => {
				const r = await run(url.url, `await tools.s.good({})`);
				assert.deepEqual([r.code, r.value], [0, "fine"], r.err);
			});
	},

	"row 12: an output schema hides no error, and a result beside it is used": () => {
		const outputSchema = { type: "object", properties: { n: { type: "integer" } }, required: ["n"] };
		return using(offering(["fails", "odd", "right"].map((name) => tool(name, { outputSchema })), {
			fails: { ...words("the disk is full"), isError: true },
			odd: { ...words("odd"), structuredContent: { n: "seven" } },
			right: { ...words("right"), structuredContent: { n: 7 } },
		}), async (url) => {
			const r = await run(url.url, `
				const why = await tools.s.fails({}).catch((e) => e.message);
				return [why, (await tools.s.odd({})).n, (await tools.s.right({})).n]`);
			assert.deepEqual([r.code, r.value], [0, ["the disk is full", "seven", 7]], r.err);
			assert.match(r.err, /odd/);
			assert.doesNotMatch(r.err, /fails|right/);
		});
	},

	/* A script that waited for the dead one would not be answered in time. */
	"row 13: a server that never answers delays no other": () =>
		using(() => true, async (dead) => {
			const servers = { dead: { url: dead.url, startup_timeout_ms: 200000 }, mute: { ...fake("mute"), startup_timeout_ms: 300 }, good: fake() };
			const serve = await new Serve(servers).greet();
			assert.equal((await serve.call(`await tools.good.echo({ a: 1 })`)).result.content[0].text, '{"a":1}');
			const told = (await serve.call(`await tools.mute.echo({})`)).result;
			assert.match(told.content[0].text, /mute/);
			assert.equal(await serve.end(), 0);
		}),

	/* Its first start takes longer than a client waits: it joins all the same. */
	"row 14: a server that is late is used without a restart": () => {
		let answer;
		return using((req, res, m) => m?.method === "initialize" && !answer && new Promise((go) => (answer = go)).then(() => false),
			async (url) => {
				const serve = await new Serve({ s: { url: url.url, startup_timeout_ms: 300, era: "legacy" } }).greet();
				assert.match((await serve.call(`await tools.s.echo({})`)).result.content[0].text, /did not come up within 300 ms/);
				answer();
				await until(() => serve.heard.some((m) => m.method === "notifications/tools/list_changed"), "the client is told");
				assert.equal((await serve.call(`await tools.s.echo({})`)).result.content[0].text, "echo {}");
				assert.equal(url.count("initialize"), 1);
				assert.equal(await serve.end(), 0);
			});
	},

	"row 15: a result of 20 MiB is the script's, and floods no context": async () => {
		const serve = await new Serve({ s: fake() }).greet();
		assert.equal((await serve.call(`(await tools.s.long({})).length`)).result.content[0].text, `${20 << 20}`);
		assert.match((await serve.call(`await tools.s.long({})`)).result.content[0].text, /too large .*return only what is needed/);
		const { content } = (await serve.call(`(await tools.s.long({})).slice(0, 5e6)`)).result;
		const size = JSON.stringify(content).length;
		assert.ok(size > 1000 && size < 40000, `${size}`);
		assert.equal(await serve.end(), 0);
	},

	"row 16: an image is an image, and no text": () => {
		const data = Buffer.alloc(300000, 7).toString("base64");
		return using(offering([tool("shot")], { shot: { content: [{ type: "image", data, mimeType: "image/png" }] } }), async (url) => {
			const serve = await new Serve({ s: { url: url.url } }).greet();
			const { content } = (await serve.call(`await tools.s.shot({})`)).result;
			assert.deepEqual(content.filter((block) => block.type === "image").map((block) => block.data), [data]);
			assert.ok(content.every((block) => block.type === "image" || block.text.length < 1000));
			assert.equal(await serve.end(), 0);
		});
	},

	"row 17: a script gets the value, not what it is wrapped in": () =>
		using(offering([tool("list"), tool("words")], { list: words('[{"a":1}]'), words: words("just words") }), async (url) => {
			const r = await run(url.url, `[(await tools.s.list({}))[0].a, await tools.s.words({})]`);
			wellEnded(r);
			assert.deepEqual(r.value, [1, "just words"]);
		}),

	"row 21: a client that cancels stops the calls at their servers": async () => {
		const log = join(folder, "cancelled.log");
		const serve = await new Serve({ s: { command: server, args: ["--log", log] } }).greet();
		const id = serve.id + 1;
		const answer = serve.call(`await Promise.all([tools.s.hang({ text: "x" }), tools.s.hang({ text: "y" })])`).catch(() => {});
		const log_lines = () => (existsSync(log) ? readFileSync(log, "utf8").trim().split("\n").map((line) => JSON.parse(line)) : []);
		const asked = () => log_lines().filter((m) => m.method === "tools/call").map((m) => m.id);
		await until(() => asked().length === 2, "both calls are made");
		serve.child.stdin.write(JSON.stringify({ jsonrpc: "2.0", method: "notifications/cancelled", params: { requestId: id, reason: "enough" } }) + "\n");
		const cancelled = () => log_lines().filter((m) => m.method === "notifications/cancelled").map((m) => m.params.requestId);
		await until(() => cancelled().length === 2, "both calls are cancelled");
		assert.deepEqual(cancelled().sort(), asked().sort());
		serve.heard.push({ id }); // it is never answered
		await answer;
		assert.equal(await serve.end(), 0);
	},

	"row 22: what a tool says of its progress reaches the client": async () => {
		const serve = await new Serve({ s: { command: server, args: ["--progress"] } }).greet();
		await serve.call(`await tools.s.sleep({ ms: 300 })`, { _meta: { progressToken: "mine" } });
		const told = serve.heard.filter((m) => m.method === "notifications/progress").map((m) => m.params);
		assert.ok(told.every((p) => p.progressToken === "mine"));
		assert.ok(told.some((p) => /half/.test(p.message)), JSON.stringify(told));
		for (let n = 1; n < told.length; n++) assert.ok(told[n].progress > told[n - 1].progress);
		assert.equal(await serve.end(), 0);
	},

	/* It takes longer than its limit, and tells of its progress all the time. */
	"row 23: progress is asked for with each call, and gives it time": () =>
		using((req, res, m) => {
			if (!calls(m, "echo")) return false;
			const progressToken = m.params._meta.progressToken;
			sse(res);
			for (let n = 1; n <= 15; n++)
				setTimeout(() => res.write(event({ jsonrpc: "2.0", method: "notifications/progress", params: { progressToken, progress: n } })), 200 * n);
			setTimeout(() => res.end(event(text(m.id, "at last"))), 3200);
			return true;
		}, async (url) => {
			const r = await run({ s: { url: url.url, tool_timeout_ms: 2500 } }, `await tools.s.echo({})`);
			wellEnded(r);
			assert.equal(r.value, "at last");
		}),

	"row 24: a server gets no variable that is not named": async () => {
		const r = await run({ s: { command: server, env: { NAMED: "yes" } } },
			`Promise.all(["AWS_SECRET_ACCESS_KEY", "GITHUB_TOKEN", "LD_PRELOAD", "NODE_OPTIONS", "NAMED"].map((name) => tools.s.env({ name })))`,
			{ env: { AWS_SECRET_ACCESS_KEY: "1", GITHUB_TOKEN: "2", NODE_OPTIONS: "3" } });
		assert.deepEqual([r.code, r.value], [0, [...Array(4).fill("(unset)"), "yes"]], r.err);
	},

	"row 25: a variable in a header is replaced, or the server is not asked": () =>
		using(undefined, async (url) => {
			const servers = { s: { url: url.url, headers: { "X-Key": "${ROW_25_KEY}" } } };
			wellEnded(await run(servers, `await tools.s.echo({})`, { env: { ROW_25_KEY: "key" } }));
			assert.ok(url.seen.every((seen) => seen.headers["x-key"] === "key"));
			url.seen.length = 0;
			const r = await run(servers, `await tools.s.echo({})`);
			assert.notEqual(r.code, 0);
			assert.match(r.err, /ROW_25_KEY/);
			assert.equal(url.seen.length, 0);
		}),

	"row 26: the file of any client is understood, whatever it is called": async () => {
		const one = JSON.stringify({ command: server });
		for (const [name, words] of Object.entries({
			"a.json": `{ "mcpServers": { "s": ${one} } }`,
			"b.json": `{ "servers": { "s": { "type": "stdio", "command": ${JSON.stringify(server)} } } }`,
			"c.json": `{ "mcp": { "s": { "type": "local", "command": [${JSON.stringify(server)}] } } }`,
			"d.json": `// mine\n{ "context_servers": { "s": ${one}, }, }`,
			"e.toml": `[mcp_servers.s]\ncommand = ${JSON.stringify(server)}\n`,
			"f.yaml": `extensions:\n  s:\n    type: stdio\n    cmd: ${server}\n`,
		})) {
			const path = join(folder, name);
			writeFileSync(path, words);
			const r = await start(codemode, ["run", "-q", "--mcp", path, "-e", `await tools.s.echo({ a: 1 })`]);
			assert.deepEqual([r.code, r.value], [0, { a: 1 }], `${name}: ${r.err}`);
		}
	},

	"row 27: the shell of Windows in front of a command is left out": async () => {
		for (const entry of [
			{ command: "cmd", args: ["/c", server] },
			{ command: "CMD.EXE", args: ["/C", server] },
			{ command: ["cmd", "/c", server] },
			{ command: `cmd /c ${server}` },
		]) {
			const r = await run({ s: entry }, `await tools.s.echo({ a: 1 })`);
			assert.deepEqual([r.code, r.value], [0, { a: 1 }], r.err);
		}
		const r = await run({ s: { command: "cmd", args: ["/c", "no-such-program-here"] } }, `1`);
		assert.match(r.err, /no program "no-such-program-here"/);
	},

	"row 18: a session that serve does not know is answered with 404": async () => {
		const serve = await new Web().up();
		const { status, session } = await serve.post(greeting);
		assert.equal(status, 200);
		assert.equal((await serve.post(ping, { "mcp-session-id": session })).status, 200);
		assert.equal((await serve.post(ping, { "mcp-session-id": "0".repeat(32) })).status, 404);
		await serve.end();
	},

	/* A page whose name leads to this machine sends its own Host and Origin. */
	"row 31: a page of another site reaches no server of this machine": async () => {
		const serve = await new Web().up();
		const status = async (headers) => (await serve.post(greeting, headers)).status;
		assert.equal(await status({}), 200);
		assert.equal(await status({ host: "rebound.example" }), 403);
		assert.equal(await status({ origin: "http://rebound.example" }), 403);
		assert.equal(await status({ host: "rebound.example", origin: "http://rebound.example" }), 403);
		await serve.end();
	},
};

await play(cases, names);
