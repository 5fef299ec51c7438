// SPDX-License-Identifier: MIT
//
// serve.mjs CODEMODE SERVER [CASE]: `codemode serve` as a client sees it, line
// by line. SERVER is the test's own MCP server (server.c).
//
// Each case starts a serve of its own, speaks JSON-RPC to it and looks at the
// bytes that come back: ids must return exactly as they were sent, which no
// JSON parser would keep.

import assert from "node:assert/strict";
import { spawn } from "node:child_process";
import { chmodSync, mkdtempSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";

const [codemode, server, only] = process.argv.slice(2);
const folder = mkdtempSync(join(tmpdir(), "codemode-serve-"));
const tag = `cm-serve-${process.pid}-`;

const upstream = (name, ...args) => ["--mcp-server", `${name}=${server} --tag ${tag} ${args.join(" ")}`];

/** One `codemode serve` and what it said. */
class Serve {
	static all = [];

	constructor(...args) {
		Serve.all.push(this);
		/* Each has a cache of its own, unless the first argument names one. */
		const cache = typeof args[0] === "object" ? args.shift().cache : mkdtempSync(join(folder, "cache-"));
		this.child = spawn(codemode, ["serve", ...args], { env: { ...process.env, CODEMODE_DEPTH: "", XDG_CACHE_HOME: cache } });
		this.lines = [];
		this.errors = "";
		this.waiting = [];
		this.id = 0;
		let rest = "";
		this.child.stdout.setEncoding("utf8").on("data", (text) => {
			const lines = (rest + text).split("\n");
			rest = lines.pop();
			for (const line of lines) this.heard(line);
		});
		this.child.stderr.setEncoding("utf8").on("data", (text) => (this.errors += text));
		this.child.stdin.on("error", () => {});
		this.exit = new Promise((done) => {
			this.child.on("exit", (code, signal) => done(code ?? signal));
			/* One that does not end by itself fails its case. Nothing here takes a
			   second on a quiet machine: the bounds are for a busy one. */
			setTimeout(() => this.child.kill("SIGKILL"), 60000).unref();
		});
	}

	heard(line) {
		this.lines.push(line);
		this.waiting = this.waiting.filter((w) => !w(line));
	}

	/** The first line that starts a reply to this id, written as it is, or a
	 * list of replies of which it is the first. */
	line(id) {
		const start = `{"jsonrpc":"2.0","id":${id},`;
		const fits = (line) => line.startsWith(start) || line.startsWith("[" + start);
		const found = this.lines.find(fits);
		if (found) return Promise.resolve(found);
		return new Promise((done, failed) => {
			const timer = setTimeout(() => failed(new Error(`no reply to ${id}; so far ${this.lines.join("\n")} ${this.errors}`)), 50000);
			/* A call that its case never awaits is not missed when serve has ended. */
			this.exit.then(() => clearTimeout(timer));
			this.waiting.push((line) => {
				if (!fits(line)) return false;
				clearTimeout(timer);
				done(line);
				return true;
			});
		});
	}

	send(message) {
		this.child.stdin.write(`${typeof message === "string" ? message : JSON.stringify(message)}\n`);
	}

	async ask(method, params) {
		const id = ++this.id;
		this.send({ jsonrpc: "2.0", id, method, params });
		return JSON.parse(await this.line(id));
	}

	initialize(version = "2025-11-25") {
		return this.ask("initialize", { protocolVersion: version, capabilities: {}, clientInfo: { name: "test", version: "1" } });
	}

	async call(code, more) {
		const reply = await this.ask("tools/call", { name: "codemode", arguments: { code, ...more } });
		return reply.result ?? reply;
	}

	async text(code, more) {
		const content = (await this.call(code, more)).content.filter((block) => block.type !== "resource_link");
		assert.equal(content.length, 1);
		return content[0].text;
	}

	/** Closes stdin; the exit code. */
	end() {
		this.child.stdin.end();
		return this.exit;
	}
}

/** Processes that carry our tag, serve itself (which names them) aside. */
const left = (self) =>
	readdirSync("/proc").filter((pid) => {
		if (!/^\d+$/.test(pid) || Number(pid) === self || Number(pid) === process.pid) return false;
		try {
			return readFileSync(`/proc/${pid}/cmdline`, "latin1").includes(tag);
		} catch {
			return false;
		}
	});

const until = async (ms, holds, what) => {
	for (const end = Date.now() + ms; !holds(); await sleep(10)) assert.ok(Date.now() < end, what);
};

const read = (file) => {
	try {
		return readFileSync(file, "utf8");
	} catch {
		return "";
	}
};

const modern = (more) => ({
	...more,
	_meta: { "io.modelcontextprotocol/protocolVersion": "2026-07-28", "io.modelcontextprotocol/clientCapabilities": {} },
});

const code = (reply) => reply.error?.code;

const cases = {
	async "greets in each revision, and in its newest for others"(s) {
		for (const v of ["2024-11-05", "2025-03-26", "2025-06-18", "2025-11-25"])
			assert.equal((await s.initialize(v)).result.protocolVersion, v);
		assert.equal((await s.initialize("2031-01-01")).result.protocolVersion, "2025-11-25");
		assert.equal((await s.initialize("2026-07-28")).result.protocolVersion, "2025-11-25");
		assert.deepEqual((await s.initialize()).result.capabilities, {
			tools: { listChanged: true },
			resources: { listChanged: true },
			logging: {},
		});
		assert.equal(code(await s.ask("initialize", {})), -32602);
	},

	async "ids come back as they were sent"(s) {
		for (const id of ["1.0", "1e3", "-7", "0", "12345678901234567890", '""', '"1"', '"a\\u0062\\/\\ud83d"', '"ü"']) {
			s.send(`{"jsonrpc":"2.0","id":${id},"method":"ping"}`);
			assert.equal(await s.line(id), `{"jsonrpc":"2.0","id":${id},"result":{}}`);
		}
		s.send('{"method":"tools/call","params":{"name":"codemode","arguments":{"code":"return 1"}},"id": 2.50 ,"jsonrpc":"2.0"}');
		assert.equal(await s.line("2.50"), '{"jsonrpc":"2.0","id":2.50,"result":{"content":[{"type":"text","text":"1"}]}}');
	},

	async "what is no request"(s) {
		const wrong = [
			["{", "null", -32700],
			["nonsense", "null", -32700],
			['{"jsonrpc":"2.0","id":1,"method":"ping"}}', "null", -32700],
			[Buffer.from('{"jsonrpc":"2.0","id":"\xff","method":"ping"}', "latin1"), "null", -32700],
			["[]", "null", -32600],
			["7", "null", -32600],
			['[{"jsonrpc":"2.0","id":1,"method":"ping"}]', "null", -32600],
			['{"jsonrpc":"2.0","id":null,"method":"ping"}', "null", -32600],
			['{"jsonrpc":"2.0","id":{},"method":"ping"}', "null", -32600],
			['{"jsonrpc":"1.0","id":2,"method":"ping"}', "2", -32600],
			['{"id":3,"method":"ping"}', "3", -32600],
			['{"jsonrpc":"2.0","id":4}', "4", -32600],
			['{"jsonrpc":"2.0","id":5,"method":5}', "5", -32600],
			['{"jsonrpc":"2.0","id":6,"method":"ping","params":[]}', "6", -32602],
			['{"jsonrpc":"2.0","id":7,"method":"prompts/list"}', "7", -32601],
			['{"jsonrpc":"2.0","id":8,"method":"server/discover"}', "8", -32601],
			['{"jsonrpc":"2.0","id":9,"method":"tools/list","params":{"cursor":"x"}}', "9", -32602],
			['{"jsonrpc":"2.0","id":10,"method":"tools/call","params":{"name":"other"}}', "10", -32602],
			['{"jsonrpc":"2.0","id":11,"method":"tools/call"}', "11", -32602],
			['{"jsonrpc":"2.0","id":12,"method":"tools/call","params":{"name":"codemode","arguments":[]}}', "12", -32602],
		];
		for (const [message, id, wanted] of wrong) {
			s.lines.length = 0;
			s.child.stdin.write(Buffer.concat([Buffer.from(message), Buffer.from("\n")]));
			assert.equal(code(JSON.parse(await s.line(id))), wanted, String(message));
		}
		s.lines.length = 0;
		/* No answer to any of these. */
		for (const quiet of [
			"",
			'{"jsonrpc":"2.0","method":"ping"}',
			'{"jsonrpc":"2.0","method":"notifications/initialized"}',
			'{"jsonrpc":"2.0","method":"notifications/cancelled"}',
			'{"jsonrpc":"2.0","method":"notifications/cancelled","params":{"requestId":99}}',
			'{"jsonrpc":"2.0","id":1,"result":{}}',
			'{"jsonrpc":"2.0","id":1,"error":{"code":1,"message":"x"}}',
		])
			s.send(quiet);
		for (const params of [undefined, null, {}]) s.send({ jsonrpc: "2.0", id: 50, method: "ping", params });
		s.send({ jsonrpc: "2.0", id: 51, method: "ping" });
		await s.line(51);
		assert.equal(s.lines.length, 4);
	},

	async "lists of messages in the one revision that has them"(s) {
		await s.initialize("2025-03-26");
		s.send('[{"jsonrpc":"2.0","id":"a","method":"ping"},{"jsonrpc":"2.0","method":"x"},7,{"jsonrpc":"2.0","id":"b","method":"ping"}]');
		const all = JSON.parse(await s.line('"a"'));
		assert.deepEqual(all.map((m) => m.id), ["a", null, "b"]);
		assert.equal(code(all[1]), -32600);
	},

	async "the era without greetings"(s) {
		const found = (await s.ask("server/discover", modern())).result;
		assert.equal(found.resultType, "complete");
		assert.deepEqual(found.supportedVersions, ["2026-07-28"]);
		assert.equal(found._meta["io.modelcontextprotocol/serverInfo"].name, "codemode");
		const list = (await s.ask("tools/list", modern())).result;
		assert.equal(list.resultType, "complete");
		assert.ok(list.ttlMs >= 0 && list.cacheScope === "private" && list.tools.length === 1);
		const { result } = await s.ask("tools/call", modern({ name: "codemode", arguments: { code: "return [1]" } }));
		assert.equal(result.resultType, "complete");
		assert.equal(result.content[0].text, "[1]");
		for (const gone of ["ping", "initialize", "logging/setLevel"])
			assert.equal(code(await s.ask(gone, modern())), -32601);
		const { error } = await s.ask("tools/list", { _meta: { "io.modelcontextprotocol/protocolVersion": "2027-01-01" } });
		assert.equal(error.code, -32022);
		assert.deepEqual(error.data, { supported: ["2026-07-28"], requested: "2027-01-01" });
		assert.equal(code(await s.ask("tools/list", { _meta: { "io.modelcontextprotocol/protocolVersion": "2026-07-28" } })), -32602);
		/* The other era is still there, and looks as it always did. */
		assert.equal((await s.ask("tools/list")).result.resultType, undefined);
	},

	async "one tool, the same bytes each time and from each process"() {
		const a = new Serve(...upstream("one"), ...upstream("two-2"));
		const b = new Serve(...upstream("two-2"), ...upstream("one", "--slow 200"));
		const [{ result }, again, other] = [await a.ask("tools/list"), await a.ask("tools/list"), await b.ask("tools/list")];
		const [tool] = result.tools;
		assert.equal(result.tools.length, 1);
		assert.equal(tool.name, "codemode");
		assert.deepEqual(tool.inputSchema.required, ["code"]);
		assert.equal(tool.inputSchema.properties.timeoutMs.type, "integer");
		assert.equal(tool.annotations.destructiveHint, true);
		assert.equal(tool.annotations.readOnlyHint, false);
		assert.match(tool.description, /^tools\.one: 9 tools$/m);
		assert.match(tool.description, /^ {2}\.echo\(args\?: \{ text\?: string; \}\) \/\/ Gives its arguments back\.$/m);
		assert.match(tool.description, /^tools\.two_2: 9 tools\n(?: {2}.*\n)* {2}\.sleep\(/m);
		assert.doesNotMatch(tool.description, /ALL_TOOLS/);
		assert.deepEqual(again.result, result);
		assert.deepEqual(other.result, result);
		await a.end();
		await b.end();
	},

	async "a large catalog is told in part, every server named"() {
		const names = Array.from({ length: 30 }, (_, i) => `s${i}`);
		const s = new Serve(...names.flatMap((name) => upstream(name)));
		const { description } = (await s.ask("tools/list")).result.tools[0];
		const menu = description.slice(description.indexOf("tools.s0:"));
		assert.ok(menu.length <= 8000 && menu.length > 7000, `${menu.length} bytes`);
		for (const name of names) assert.match(menu, new RegExp(`^tools\\.${name}: 9 tools, [1-9] shown$`, "m"));
		assert.match(description, /^PARTIAL: \d+ of 270 tools are shown\.$/m);
		/* They all only read: the first names. */
		assert.match(menu, /\n {2}\.bad\(\)/);
		assert.doesNotMatch(menu, /\n {2}\.hang\(/);
		assert.match(menu, /codemode\.search\("close an issue"\)/);
		assert.equal(await s.text("return ALL_TOOLS.length"), "270");
		await s.end();
	},

	async "what a script says, then its value"(s) {
		const png = "iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNkYPhfDwAChwGA60e6kgAAAABJRU5ErkJggg==";
		assert.equal(await s.text('text("a"); console.log("b"); return { c: ["x"] }'), 'a\nb\n{"c":["x"]}');
		assert.equal(await s.text("text('')"), "(The script returned and printed nothing.)");
		const { content, isError } = await s.call(`text("a"); image({ type: "image", data: "${png}", mimeType: "image/png" }); return 1`);
		assert.equal(isError, undefined);
		assert.deepEqual(content, [
			{ type: "text", text: "a" },
			{ type: "image", data: png, mimeType: "image/png" },
			{ type: "text", text: "1" },
		]);
	},

	async "an image that a script returns is a block, and no text"(s) {
		const image = { type: "image", data: "A".repeat(90000), mimeType: "image/png", annotations: { priority: 1 } };
		const audio = { type: "audio", data: "AAAA", mimeType: "audio/wav" };
		const { content } = await s.call(`return { r: [{ content: [${JSON.stringify(image)}] }, ${JSON.stringify(audio)}], n: 1 }`);
		const shown = (block) => ({ ...block, data: "(a block of this answer)" });
		assert.deepEqual(JSON.parse(content[0].text), { r: [{ content: [shown(image)] }, shown(audio)], n: 1 });
		assert.deepEqual(content.slice(1), [image, audio]);
		/* What only looks like one stays what it is. */
		for (const other of [{ ...image, data: "no base64" }, { ...audio, mimeType: "image/png" }, { ...audio, data: 7 }, { ...audio, type: "x" }])
			assert.deepEqual(await s.text(`return ${JSON.stringify(other)}`), JSON.stringify(other));
		await s.initialize("2024-11-05");
		assert.equal((await s.call(`return ${JSON.stringify(audio)}`)).content[1].type, "resource");
	},

	async "a script asks for less output, not for more"(s) {
		const long = (n) => s.text(`// @options: {"max_output_tokens": ${n}}\nreturn Array.from({ length: 10000 }, (_, i) => i)`);
		const all = await s.text("return Array.from({ length: 10000 }, (_, i) => i)");
		assert.match(all, /about 6000 tokens/);
		assert.equal((await long(1000000)).length, all.length);
		assert.ok((await long(100)).length < 1000);
	},

	async "media are blocks of their kind"(s) {
		const wav = `UklGRiQAAABXQVZF${"A".repeat(64)}`;
		const audio = { type: "audio", data: wav, mimeType: "audio/wav", annotations: { audience: ["user"], priority: 1 }, _meta: { a: 1 } };
		const link = { type: "resource_link", uri: "x://y", name: "n", annotations: { audience: ["user"] } };
		const { content } = await s.call(
			`audio(${JSON.stringify(audio)}); resource(${JSON.stringify(link)}); file("a.csv", "text/csv", "x,y"); return 1`,
		);
		assert.deepEqual(content, [
			audio,
			link,
			{ type: "resource", resource: { mimeType: "text/csv", text: "x,y", uri: "file:///a.csv" } },
			{ type: "text", text: "1" },
		]);
		const long = await s.call('text("a"); file("a.csv", "text/csv", "x".repeat(100000)); return 1');
		assert.deepEqual(long.content.map((block) => block.type), ["text", "resource_link"]);
		assert.match(long.content[0].text, /^a\n\[100002 bytes of printed text left out: .*\n1$/s);
	},

	async "media that an older revision lacks become files and text"(s) {
		const script = 'text("a"); audio({ type: "audio", data: "AAAA", mimeType: "audio/pcm", annotations: { priority: 1 } }); resource({ uri: "x://y", name: "n" }); return 1';
		const audio = { type: "audio", data: "AAAA", mimeType: "audio/pcm", annotations: { priority: 1 } };
		const link = { type: "text", text: "[n: x://y]\n1" };
		const content = async (revision) => {
			await s.initialize(revision);
			return (await s.call(script)).content;
		};
		assert.deepEqual((await content("2024-11-05")).slice(1), [
			{ type: "resource", resource: { uri: "file:///audio", mimeType: "audio/pcm", blob: "AAAA" }, annotations: { priority: 1 } },
			link,
		]);
		assert.deepEqual((await content("2025-03-26")).slice(1), [audio, link]);
		assert.equal((await content("2025-06-18"))[2].type, "resource_link");
	},

	async "a failed script tells what was done"(s) {
		const { content, isError } = await s.call(
			'text("begun");\nawait tools.t.echo({}); await tools.t.echo({});\nconst h = tools.t.hang({}); await tools.t.fail({ text: "no such thing" });',
		);
		assert.equal(isError, true);
		const { text } = content[0];
		assert.match(text, /^begun\nThe script failed at line 3, column \d+: Error: no such thing \(tools\.t\.fail\)\n/);
		assert.match(text, /\^/);
		assert.match(text, /\nCalls done: t\.echo \(2 times\)\n/);
		assert.match(text, /\nCalls that failed: t\.fail\n/);
		assert.match(text, /\nCalls stopped halfway, .*: t\.hang$/);
		assert.match(
			await s.text('await Promise.any([Promise.reject(Object.assign(new Error("one"), { status: 402 }))])'),
			/AggregateError: .*\n.*\n.*\n {2}1\. Error: one\n {7}with \{"status":402\}$/,
		);
		assert.match(await s.text("return (;"), /^The script failed at line 1, column \d+: SyntaxError/);
	},

	async "data comes beside the code"(s) {
		assert.equal(await s.text("return data.a[1]", { data: { a: [1, 'a "quoted" `text`'] } }), 'a "quoted" `text`');
		assert.equal(await s.text("return typeof data"), "undefined");
	},

	async "calls that nothing waits for are told first, with their line"(s) {
		assert.equal(
			await s.text('const run = async () => tools.t.echo({ n: 1 });\nrun();\nreturn { n: NaN, s: "started" }'),
			'{"n":null,"s":"started"}\nWarning: line 2: 1 call of tools.t.echo never began: nothing waits for run(): ' +
				"write await in front of it\n2 | run();\nWarning: $.n of the returned value is NaN: JSON has no such number, so it became null");
	},

	async "arguments that make no sense"(s) {
		for (const args of [undefined, null, {}, { code: 1 }, { code: null }, { script: "return 1" }]) {
			const { result } = await s.ask("tools/call", { name: "codemode", arguments: args });
			assert.equal(result.isError, true);
			assert.match(result.content[0].text, /"code" must be a string/);
		}
		for (const timeoutMs of [0, -1, 1.5, "5", 300001])
			assert.match(await s.text("return 1", { timeoutMs }), /"timeoutMs" must be a whole number .* from 1 to 300000/);
		assert.equal(await s.text("return 1", { timeoutMs: null }), "1");
		assert.match(await s.text("while (true) {}", { timeoutMs: 300 }), /^The script failed.*300 ?ms/);
	},

	async "too much text is cut, and the cut is told"(s) {
		const long = await s.text('return "é".repeat(30000)');
		assert.match(long, /\n\[36\d\d\d bytes of the value left out \(36\d\d\d of 60000 bytes\): .* Return less/);
		assert.ok(Buffer.byteLength(long) < 24300 && Buffer.byteLength(long) > 23900);
		assert.doesNotMatch(long, /\ufffd/);
		const both = await s.text('for (let i = 0; i < 50000; i++) text("x"); return "the answer"');
		assert.match(both, /bytes of printed text left out[^]*\nthe answer$/);
		assert.ok(both.length < 24300);
		const failed = await s.text('text("x".repeat(50000)); throw new Error("the reason")');
		assert.match(failed, /left out[^]*\nThe script failed at line 1.*the reason/);
		assert.ok(failed.length < 24300);
	},

	async "what was cut is whole for a later script, and a script may ask for less"(s) {
		const cut = await s.text("return { rows: Array.from({ length: 9000 }, (_, i) => ({ i })), last: true }");
		assert.match(cut, /"last":true\}\n\[\d+ bytes of the value left out \(rows: \d+ of 9000 items\)/);
		const id = /codemode\.result\((\d+)\) in a later script/.exec(cut)[1];
		assert.equal(await s.text(`const r = codemode.result(${id}); return [r.rows.length, r.rows[8999].i]`), "[9000,8999]");
		assert.match(await s.text("return codemode.result(99)"), /there is no such result/);
		/* What is printed as JSON stays JSON, and is kept as a list of texts. */
		const printed = (await s.text('text({ rows: Array.from({ length: 9000 }, (_, i) => ({ i })), last: true }); text("end"); return 7')).split("\n");
		assert.equal(JSON.parse(printed[0]).last, true);
		assert.match(printed[1], /^\[\d+ bytes of printed text left out \(rows: \d+ of 9000 items\)/);
		const texts = /codemode\.result\((\d+)\)/.exec(printed[2])[1];
		assert.equal(printed[3], "7");
		assert.equal(await s.text(`const [a, b] = codemode.result(${texts}); return [JSON.parse(a).rows.length, b]`), '[9000,"end"]');
		const small = await s.text('// @options: {"max_output_tokens": 10}\nreturn { a: "y".repeat(500), n: 1 }');
		assert.match(small, /^\{"a":"y+","n":1\}\n\[\d+ bytes of the value left out \(a: \d+ of 500 bytes\): an answer holds about 10 tokens/);
	},

	async "what was cut is a resource that the client can read, in both eras"(s) {
		await s.initialize();
		s.send({ jsonrpc: "2.0", id: "listen", method: "subscriptions/listen", params: modern({ notifications: { resourcesListChanged: true } }) });
		assert.deepEqual((await s.ask("resources/list")).result, { resources: [] });
		assert.deepEqual((await s.ask("resources/templates/list")).result, { resourceTemplates: [] });
		const value = { rows: Array.from({ length: 9000 }, (_, i) => ({ i })) };
		const { content, structuredContent } = await s.call("return { rows: Array.from({ length: 9000 }, (_, i) => ({ i })) }");
		const size = JSON.stringify(value).length;
		const resource = { uri: "codemode://result/1", name: "result 1", mimeType: "application/json", size };
		assert.deepEqual(content.slice(1), [{ type: "resource_link", ...resource }]);
		assert.equal(structuredContent, undefined);
		assert.equal(s.lines.filter((line) => line.includes("notifications/resources/list_changed")).length, 2);
		assert.deepEqual((await s.ask("resources/list")).result, { resources: [resource] });
		const { contents } = (await s.ask("resources/read", { uri: resource.uri })).result;
		assert.deepEqual(contents.map(({ text, ...rest }) => [rest, JSON.parse(text)]), [[{ uri: resource.uri, mimeType: "application/json" }, value]]);
		const { result } = await s.ask("resources/read", modern({ uri: resource.uri }));
		assert.equal(result.resultType, "complete");
		assert.ok(result.ttlMs >= 0 && result.cacheScope === "private");
		assert.deepEqual(result.contents, contents);
		assert.deepEqual((await s.ask("resources/list", modern())).result.resources, [resource]);
		for (const uri of ["codemode://result/2", "codemode://result/01", "codemode://result/1x", "file:///etc/passwd", "", 7])
			assert.equal(code(await s.ask("resources/read", { uri })), -32002, uri);
		assert.equal(code(await s.ask("resources/read", modern({ uri: "codemode://result/2" }))), -32602);
		/* Not more than sixteen, and the oldest go first. */
		for (let i = 0; i < 17; i++) await s.text(`// @options: {"max_output_tokens": 10}\nreturn "x".repeat(500 + ${i})`);
		const uris = (await s.ask("resources/list")).result.resources.map((r) => r.uri);
		assert.deepEqual(uris, Array.from({ length: 16 }, (_, i) => `codemode://result/${18 - i}`));
		/* A client of a revision without links is only told of codemode.result. */
		await s.initialize("2025-03-26");
		assert.deepEqual((await s.call("return 'x'.repeat(50000)")).content.map((block) => block.type), ["text"]);
	},

	async "an object is structured content, too, when it is the whole answer"(s) {
		assert.deepEqual((await s.call("return { a: ['x'] }")).structuredContent, { a: ["x"] });
		assert.equal((await s.call("return { a: ['x'] }")).content[0].text, '{"a":["x"]}');
		/* Some clients show nothing but structured content: it must not hide anything. */
		for (const other of ["return ['x']", "return 'x'", "return 1", "text(1); return {}", "return { n: NaN }", "return { a: 'x'.repeat(50000) }",
			'return { type: "image", data: "AAAA", mimeType: "image/png" }', "throw { a: 1 }", "tools.t.echo({}); return {}"])
			assert.equal((await s.call(other)).structuredContent, undefined, other);
		await s.initialize("2025-03-26");
		assert.equal((await s.call("return {}")).structuredContent, undefined);
	},

	async "a string is its text; an empty one is seen"(s) {
		assert.equal(await s.text("return 'two\\nlines, \"quoted\"'"), 'two\nlines, "quoted"');
		assert.equal(await s.text("return ''"), '""');
		assert.equal(await s.text("return [' ']"), '[" "]');
	},

	async "what servers say about their use is told once, to scripts that called them"() {
		const long = "Ask first.\n".repeat(500);
		writeFileSync(join(folder, "says.json"), JSON.stringify({ mcpServers: {
			long: { command: server, args: ["--tag", tag, "--says", long] },
			short: { command: server, args: ["--tag", tag, "--says", "One line is in the description."] },
			odd: { command: server, args: ["--tag", tag, "--says", "a\u001b[31mred\nb my-secret-value"], env: { MY_TOKEN: "my-secret-value" } },
			other: { command: server, args: ["--tag", tag, "--says", "Never\ncalled."] },
		} }));
		const s = new Serve("--mcp", join(folder, "says.json"));
		await s.initialize();
		const first = await s.call("await tools.long.echo({}); await tools.short.echo({}); return { a: 1 }");
		assert.equal(first.content.length, 2);
		assert.match(first.content[1].text, /^What the server long says about its use:\nAsk first\.\nAsk first\./);
		assert.ok(first.content[1].text.length < 4200 && first.content[1].text.endsWith("..."));
		assert.equal(first.structuredContent, undefined);
		const second = await s.call("await tools.long.echo({}); await tools.odd.echo({}); return { a: 1 }");
		assert.equal(second.content[1].text, "What the server odd says about its use:\na [31mred\nb [secret MY_TOKEN]");
		const third = await s.call("await tools.long.echo({}); await tools.odd.echo({}); return { a: 1 }");
		assert.deepEqual([third.content.length, third.structuredContent], [1, { a: 1 }]);
		await s.end();
	},

	async "a secret that a script puts together, or prints part by part, is not in an answer"() {
		writeFileSync(join(folder, "parts.json"), JSON.stringify({ mcpServers: { s: { command: server, args: ["--tag", tag], env: { MY_TOKEN: "hunter2-hunter2" } } } }));
		const s = new Serve("--mcp", join(folder, "parts.json"));
		assert.equal(await s.text('text("x hunter2"); text("-hunter2 y"); return "hunt" + "er2-hunter2"'), "x [secret MY_TOKEN]\n y\n[secret MY_TOKEN]");
		assert.equal(await s.text('console.log("hunter2-", "hunter2"); return ["hunter2-", "hunter2"]'), '[secret MY_TOKEN] \n["[secret MY_TOKEN]",""]');
		assert.deepEqual((await s.call('return { a: "hunter2-" + "hunter2" }')).structuredContent, { a: "[secret MY_TOKEN]" });
		assert.match((await s.call('throw new Error("hunter2-" + btoa("hunter2-hunter2"))')).content[0].text, /Error: hunter2-\[secret MY_TOKEN\]/);
		await s.text('return "hunter2-" + "hunter2" + "x".repeat(50000)');
		const read = (await s.ask("resources/read", { uri: "codemode://result/1" })).result.contents[0].text;
		assert.match(read, /^"\[secret MY_TOKEN\]xxx/);
		assert.ok(!s.lines.some((line) => line.includes("hunter2-hunter2")));
		await s.end();
	},

	async "a store in a file outlives serve, with the results that were cut"() {
		const file = join(folder, "store.json");
		let s = new Serve("--store", file);
		assert.equal(await s.text("store('n', { a: 1 }); store('m', 2); return load('n') ?? null"), '{"a":1}');
		assert.equal(await s.text("return load('n')"), '{"a":1}');
		await s.text("return Array.from({ length: 9000 }, (_, i) => i)");
		await s.end();
		assert.deepEqual(JSON.parse(readFileSync(file, "utf8")), { n: { a: 1 }, m: 2 });
		s = new Serve("--store", file);
		assert.equal(await s.text("const all = [load('n'), load('m'), codemode.result(1).length]; store('m', undefined); return all"), '[{"a":1},2,9000]');
		assert.equal((await s.ask("resources/list")).result.resources[0].uri, "codemode://result/1");
		await s.text("return Array.from({ length: 9000 }, (_, i) => i)");
		assert.equal(await s.text("return [load('m') ?? null, codemode.result(2).length]"), "[null,9000]");
		/* One that was broken meanwhile is empty for scripts and stays as it is. */
		writeFileSync(file, "{");
		assert.deepEqual(
			(await s.call("store('x', 1); return load('n') ?? 'none'")).content.map((block) => block.text.slice(0, 43)),
			["none", "Warning: what the script stored is lost: it"],
		);
		assert.equal(readFileSync(file, "utf8"), "{");
		await s.end();
		s = new Serve("--store", join(folder, "no-such-folder", "x"));
		assert.equal(await s.exit, 2);
	},

	async "scripts run beside each other and are answered as they end"() {
		const gate = join(folder, "gate-beside");
		const s = new Serve(...upstream("slow", `--gate ${gate}`), ...upstream("fast"));
		const ended = [];
		const note = (what) => (answer) => (ended.push(what), answer);
		const slow = s.text("await tools.slow.hold({}); return 1").then(note("slow"));
		const busy = s.id + 1;
		s.call("while (true) {}").then(note("busy"));
		const fast = s.text('return await tools.fast.echo({ text: "f" })').then(note("fast"));
		assert.equal(await fast, '{"text":"f"}');
		writeFileSync(gate, "");
		assert.equal(await slow, "1");
		assert.deepEqual(ended, ["fast", "slow"]);
		s.send({ jsonrpc: "2.0", method: "notifications/cancelled", params: { requestId: busy } });
		/* More than run at once: the others wait, and none is lost. */
		const many = await Promise.all(
			Array.from({ length: 100 }, (_, i) => s.text(`await tools.fast.echo({}); return ${i}`)),
		);
		assert.deepEqual(many, many.map((_, i) => String(i)));
		await s.end();
	},

	async "a cancelled call stops, with the calls it made"() {
		const log = join(folder, "log");
		const s = new Serve(...upstream("t", "--log", log));
		await s.ask("tools/list");
		for (const [id, body] of [['"\\u0061"', "await tools.t.hang({})"], ["1.50", "while (true) {}"]])
			s.send(`{"jsonrpc":"2.0","id":${id},"method":"tools/call","params":{"name":"codemode","arguments":{"code":"${body}"}}}`);
		await until(20000, () => read(log).includes('"hang"'), "the call was not made");
		s.send('{"jsonrpc":"2.0","method":"notifications/cancelled","params":{"requestId":"a","reason":"enough"}}');
		s.send('{"jsonrpc":"2.0","method":"notifications/cancelled","params":{"requestId":1.50}}');
		await until(20000, () => read(log).includes("notifications/cancelled"), "the server was not told");
		assert.equal(await s.text("return await tools.t.echo({ n: 1 })"), '{"n":1}');
		assert.ok(!s.lines.some((line) => line.includes('"id":"\\u0061"') || line.includes('"id":1.50')));
		assert.equal(await s.end(), 0);
	},

	async "a script tells how far it is, if the client wants to know"() {
		const gate = join(folder, "gate-progress");
		const s = new Serve(...upstream("t", `--gate ${gate}`));
		await s.initialize();
		const ask = (id, meta) => s.send({ jsonrpc: "2.0", id, method: "tools/call", params: { name: "codemode", arguments: { code: "text('a'); await tools.t.echo({}); await tools.t.hold({}); return 1" }, _meta: meta } });
		const told = () => s.lines.map((line) => JSON.parse(line)).filter((m) => m.method === "notifications/progress").map((m) => m.params);
		ask("quiet", {});
		ask("told", { progressToken: "p" });
		await until(20000, () => told().some((p) => p.message === "1 of 2 calls done"), "one call of two");
		/* Nothing happens, and it is told all the same. */
		const before = told().length;
		await until(20000, () => told().length > before, "a beat");
		writeFileSync(gate, "");
		for (const id of ['"quiet"', '"told"']) assert.match(await s.line(id), /a\\n1/);
		for (const p of told()) assert.equal(p.progressToken, "p");
		const numbers = told().map((p) => p.progress);
		assert.deepEqual(numbers, [...new Set(numbers)].sort((a, b) => a - b));
		assert.ok(!s.lines.some((line) => line.includes("notifications/message")));
		/* What it prints is in the log, from the level on that the client sets. */
		assert.deepEqual((await s.ask("logging/setLevel", { level: "info" })).result, {});
		await s.text("text('b'); return 1");
		const log = s.lines.map((line) => JSON.parse(line)).filter((m) => m.method === "notifications/message").map((m) => m.params);
		assert.deepEqual(log, [{ level: "info", logger: "script", data: "b" }]);
		await s.end();
	},

	async "the greeting does not wait for servers; the list does"() {
		const never = new Serve(...upstream("t", "--slow 600000"), ...upstream("fast"));
		assert.equal((await never.initialize()).result.serverInfo.name, "codemode");
		assert.equal(await never.text("return await tools.fast.echo({})"), "{}");
		await never.end();
		const s = new Serve(...upstream("t", "--slow 700"));
		const answer = s.text("return await tools.t.echo({})");
		assert.match((await s.ask("tools/list")).result.tools[0].description, /^tools\.t: 9 tools$/m);
		assert.equal(await answer, "{}");
		await s.end();
	},

	async "tools are told as they were the last time, before twenty slow servers are up"() {
		const [cache, gate, log] = [join(folder, "cache"), join(folder, "gate-warm"), join(folder, "log-warm")];
		const names = Array.from({ length: 20 }, (_, i) => `s${i}`);
		const start = () =>
			new Serve({ cache }, ...names.flatMap((name) => upstream(name, `--wait ${gate}`, name === "s0" ? `--log ${log} --says 'Ask first.'` : "")));
		const list = async (s) => (await s.ask("tools/list")).result.tools[0].description;
		writeFileSync(gate, "Old words.");
		const cold = start();
		const first = await list(cold);
		assert.match(first, /^tools\.s0: 9 tools.*\/\/ Ask first\.\n {2}\.\w+/m);
		assert.equal((await cold.call("return (await codemode.describe('s0.echo')).description")).content[0].text, "Old words.");
		await cold.end();
		/* No server answers its greeting until the gate is there. */
		rmSync(gate);
		writeFileSync(log, "");
		const warm = start();
		await warm.initialize();
		assert.equal(await list(warm), first);
		const answer = warm.text("return [codemode.describe('s0.echo').description, await tools.s0.echo({})]");
		const changed = () => warm.lines.filter((line) => line.includes("notifications/tools/list_changed")).length;
		await warm.ask("ping");
		assert.doesNotMatch(read(log), /tools\/call/);
		assert.equal(changed(), 0);
		writeFileSync(gate, "New words.");
		/* The script sees what is true now, and so does the next list. */
		assert.equal(await answer, '["New words.",{}]');
		await until(20000, () => changed() > 0, "the client is told");
		/* Servers come up one after the other. */
		while ((await list(warm)).includes("// Old words.")) await until(20000, () => changed() > 1, "the client is told again");
		assert.ok((await list(warm)).includes("// New words."));
		await warm.end();
	},

	async "what is cached is a claim: others' files, broken ones and those of servers that fail are not used"() {
		const [cache, gate] = [join(folder, "cache-claim"), join(folder, "gate-claim")];
		const start = () => new Serve({ cache }, ...upstream("t", `--wait ${gate}`), "--startup-timeout", "1500");
		const list = async (s) => (await s.ask("tools/list")).result.tools[0].description;
		writeFileSync(gate, "Words.");
		let s = start();
		assert.match(await list(s), /^tools\.t: 9 tools/m);
		await s.end();
		const files = join(cache, "codemode", "tools");
		const [file] = readdirSync(files).map((name) => join(files, name));
		const kept = readFileSync(file, "utf8");
		assert.equal(statSync(file).mode & 0o777, 0o600);
		assert.equal(statSync(files).mode & 0o777, 0o700);
		assert.match(kept, /Words\./);
		rmSync(gate);
		for (const [content, mode] of [["{", 0o600], ["[]", 0o600], ['{"tools":{}}', 0o600], [kept, 0o644]]) {
			writeFileSync(file, content);
			chmodSync(file, mode);
			s = start();
			/* It does not come up in time, and nothing is known of it. */
			assert.doesNotMatch(await list(s), /^tools\.t/m);
			await s.end();
		}
		/* Entries that are none are left out; the others stand. */
		writeFileSync(file, '{"tools":[7,{},{"name":""},{"name":"good","inputSchema":7},{"name":"good"}]}');
		chmodSync(file, 0o600);
		s = start();
		assert.match(await list(s), /^tools\.t: 1 tool\n {2}\.good\(/m);
		await s.end();
		/* A server that ends takes its claim with it. */
		const dying = () => new Serve({ cache }, ...upstream("d", `--die-if ${gate}`));
		s = dying();
		assert.match(await list(s), /^tools\.d: 9 tools/m);
		await s.end();
		writeFileSync(gate, "");
		s = dying();
		await s.initialize();
		await until(20000, () => s.lines.some((line) => line.includes("list_changed")) || s.errors.includes("server d "), "it is told");
		assert.match(s.errors, /server d /);
		for (let found = "tools.d:"; found.includes("tools.d:"); ) found = await list(s);
		await s.end();
	},

	async "a server that fails is named to the scripts that can name it"() {
		const s = new Serve(...upstream("t"), ...upstream("bad", "--die broken-on-purpose"), "--startup-timeout", "3000", ...upstream("late", "--slow 20000"));
		const { tools } = (await s.ask("tools/list")).result;
		assert.doesNotMatch(tools[0].description, /^tools\.(bad|late)/m);
		assert.match(await s.text("return await tools.bad.x({})"), /\nWarning: server bad [^]*broken-on-purpose/);
		assert.match(await s.text("return await tools.late.x({})"), /\nWarning: server late /);
		// Each script that names it is told; those that may name any, once.
		assert.match(await s.text("return await tools.bad.x({})"), /\nWarning: server bad [^]*broken-on-purpose/);
		assert.doesNotMatch(await s.text("return Object.keys(tools)"), /Warning: server /);
		assert.equal(await s.text("return await tools.t.echo({})"), "{}");
		assert.match(s.errors, /server bad [^]*broken-on-purpose/);
		await s.end();
	},

	async "a server that died is told in one line, and started again by the next call"() {
		const s = new Serve(...upstream("t"), ...upstream("d", "--last-words"));
		await s.ask("tools/list");
		const first = await s.text("return await tools.d.die({}).catch((e) => e.message)");
		assert.match(first, /secret two/);
		assert.doesNotMatch(first, /secret one/);
		await until(20000, () => s.errors.includes("server d "), "its end is told on stderr");
		assert.match(s.errors, /secret one\nsecret two/);
		assert.equal(await s.text("return typeof tools.d.die"), "function");
		assert.equal(await s.text("return await tools.d.echo({ a: 1 })"), '{"a":1}');
		await s.end();
	},

	async "a server that is late joins, and clients in both eras are told"() {
		const s = new Serve(...upstream("t"), ...upstream("late", "--slow 3000"), "--startup-timeout", "2000");
		await s.initialize();
		s.send({ jsonrpc: "2.0", id: "listen", method: "subscriptions/listen", params: modern({ notifications: { toolsListChanged: true, promptsListChanged: true } }) });
		const first = (await s.ask("tools/list")).result.tools[0].description;
		assert.doesNotMatch(first, /^tools\.late/m);
		const notes = () => s.lines.map((line) => JSON.parse(line)).filter((m) => /list_changed|acknowledged/.test(m.method));
		await until(20000, () => notes().length === 3, "two are told");
		const _meta = { "io.modelcontextprotocol/subscriptionId": "listen" };
		const method = "notifications/tools/list_changed";
		assert.deepEqual(notes(), [
			{ jsonrpc: "2.0", method: "notifications/subscriptions/acknowledged", params: { _meta, notifications: { toolsListChanged: true } } },
			{ jsonrpc: "2.0", method, params: {} },
			{ jsonrpc: "2.0", method, params: { _meta } },
		]);
		assert.match((await s.ask("tools/list")).result.tools[0].description, /^tools\.late: 9 tools$/m);
		assert.equal(await s.text("return await tools.late.echo({})"), "{}");
		/* One that listens is not waited for at the end. */
		assert.equal(await s.end(), 0);
	},

	async "limits of a server and of a tool hold for all scripts together"() {
		for (const [option, tools] of [["--server-concurrency", ["hold", "hold"]], ["--tool-concurrency", ["hold", "hold"]], ["--tool-concurrency", ["hold", "echo"]]]) {
			const [log, gate] = [join(folder, `limit-${option}-${tools[1]}`), join(folder, `gate-${option}-${tools[1]}`)];
			const s = new Serve(...upstream("t", `--log ${log} --gate ${gate}`), ...upstream("free"), option, "2");
			await s.ask("tools/list");
			const calls = Array.from({ length: 8 }, () => s.text("return await tools.t.hold({})"));
			await until(20000, () => read(log).includes("most 2"), "two calls");
			/* What may pass does: another server, and another tool. */
			assert.equal(await s.text("return await tools.free.echo({})"), "{}");
			if (tools[1] === "echo") assert.equal(await s.text("return await tools.t.echo({})"), "{}");
			writeFileSync(gate, "");
			for (const answer of await Promise.all(calls)) assert.equal(answer, "held");
			assert.doesNotMatch(read(log), /most 3/);
			await s.end();
		}
	},

	async "a call that waits for its place can be cancelled, and gives its place on"() {
		const [log, gate] = [join(folder, "log-cancel"), join(folder, "gate-cancel")];
		const s = new Serve(...upstream("t", `--log ${log} --gate ${gate}`), "--server-concurrency", "1");
		await s.ask("tools/list");
		const ask = (name) => {
			const id = ++s.id;
			s.send({ jsonrpc: "2.0", id, method: "tools/call", params: { name: "codemode", arguments: { code: `return await tools.t.${name}({})` } } });
			return id;
		};
		const cancel = (requestId) => s.send({ jsonrpc: "2.0", method: "notifications/cancelled", params: { requestId } });
		const sent = () => read(log).split("tools/call").length - 1;
		const first = ask("hang");
		await until(20000, () => sent() === 1, "the first call");
		const [second, third] = [ask("hang"), ask("echo")];
		cancel(second);
		await s.ask("ping");
		cancel(first);
		assert.match(await s.line(third), /"text":"{}"/);
		assert.equal(sent(), 2);
		await s.end();
	},

	async "what a script stores, later ones load"(s) {
		assert.equal(await s.text("return load('n') ?? null"), "null");
		await s.text("store('n', { a: 1 }); store('m', 2)");
		assert.equal(await s.text("return [load('n'), load('m')]"), '[{"a":1},2]');
		/* Every further store is merged with what the one before it left. */
		for (let i = 0; i < 3; i++) {
			await s.text(`store('k', ${i}); store('n', undefined); store(' {"}', [${i}])`);
			assert.deepEqual((await s.ask("ping")).result, {});
			assert.equal(await s.text("return [load('k'), load('n') ?? null, load('m'), load(' {\"}')]"), `[${i},null,2,[${i}]]`);
		}
		await s.text("store('k', undefined); store('m', undefined); store(' {\"}', undefined)");
		await s.text("store('last', 1)");
		assert.equal(await s.text("return [load('k') ?? null, load('last')]"), "[null,1]");
	},

	async "two scripts that fill the store together: one is told, and the store stays of use"() {
		const [log, gate] = [join(folder, "log-fill"), join(folder, "gate-fill")];
		const s = new Serve(...upstream("t", `--log ${log} --gate ${gate}`));
		const fill = (key) => s.call(`await tools.t.hold({}); for (let i = 0; i < 3; i++) store("${key}" + i, "x".repeat(262000)); return "done"`);
		const both = [fill("a"), fill("b")];
		await until(20000, () => read(log).includes("most 2"), "both run");
		writeFileSync(gate, "");
		const lost = (await Promise.all(both)).filter(({ content }) => /stored is lost.*1048576/.test(content.at(-1).text));
		assert.equal(lost.length, 1);
		assert.equal(lost[0].content[0].text, "done");
		assert.equal(await s.text("const k = ['a', 'b'].find(k => load(k + 0)); store(k + 0, undefined); return typeof k"), "string");
		assert.equal(await s.text("store('c', 'x'.repeat(262000)); return ['a0', 'b0'].filter(load).length"), "0");
		await s.end();
	},

	async "the end of stdin ends it, and everything it started"() {
		const s = new Serve(...upstream("t", "--stubborn", "--child"));
		const waiting = s.call("await tools.t.hang({})").catch(() => {});
		await s.text("return await tools.t.echo({})");
		assert.ok(left(s.child.pid).length > 0);
		assert.equal(await s.end(), 0);
		await until(20000, () => left().length === 0, `left behind: ${left()}`);
		await Promise.race([waiting, sleep(1)]);
	},

	async "what was asked before the end is answered"() {
		const s = new Serve(...upstream("t", "--slow 100"));
		const replies = [s.ask("tools/list"), s.text("return await tools.t.echo({})")];
		s.child.stdin.end('{"jsonrpc":"2.0","id":"last","method":"ping"}');
		assert.equal(await replies[1], "{}");
		assert.equal((await replies[0]).result.tools.length, 1);
		await s.line('"last"');
		assert.equal(await s.exit, 0);
	},

	async "a signal ends it"() {
		const s = new Serve(...upstream("t", "--child"));
		s.call("await tools.t.hang({})").catch(() => {});
		await s.text("return await tools.t.echo({})");
		s.child.kill("SIGTERM");
		assert.equal(await s.exit, 4);
		await until(20000, () => left().length === 0, `left behind: ${left()}`);
	},

	async "a reader that is gone ends it, at rest and at work"() {
		const log = join(folder, "log-reader");
		const idle = new Serve();
		await idle.initialize();
		idle.child.stdout.destroy();
		assert.equal(await idle.exit, 0);
		const busy = new Serve(...upstream("t", `--log ${log}`));
		await busy.initialize();
		busy.call("for (;;) await tools.t.hang({})").catch(() => {});
		await until(20000, () => read(log).includes('"hang"'), "a call");
		busy.child.stdout.destroy();
		assert.equal(await busy.exit, 0);
	},

	async "a ping is answered whatever the source: the host does not read it"(s) {
		const hostile = ["tools.t".repeat(140000), "function f(){}".repeat(60000), "u();".repeat(250000), "[".repeat(900000)];
		/* Processor time, in ticks of 10 ms: a busy machine does not change it. */
		const ticks = () => {
			const fields = readFileSync(`/proc/${s.child.pid}/stat`, "latin1").split(") ")[1].split(" ");
			return Number(fields[11]) + Number(fields[12]);
		};
		await s.initialize();
		const before = ticks();
		const answers = hostile.map((code) => s.call(code));
		assert.deepEqual((await s.ask("ping")).result, {});
		await Promise.all(answers);
		const each = ((ticks() - before) * 10) / hostile.length;
		/* 10 ms; with a sanitizer, 30. Reading them takes a second. */
		assert.ok(each < 50, `${each} ms of the host for each source`);
	},
};

let held = 0;
const chosen = Object.entries(cases).filter(([name]) => name.startsWith(only ?? ""));
for (const [name, run] of chosen) {
	const from = Date.now();
	const s = run.length > 0 ? new Serve(...upstream("t")) : undefined;
	try {
		await run(s);
		if (s) assert.equal(await s.end(), 0);
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
