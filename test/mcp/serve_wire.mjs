// SPDX-License-Identifier: MIT
//
// serve_wire.mjs CODEMODE NPM SERVER: whatever `codemode serve` writes to its client
// fits the schema of the client's revision. SERVER is the server of test/cli.
// MCP_SCHEMAS names a folder with the schema of each revision, REVISION.json; without
// it, or without ajv below NPM, this is skipped.

import assert from "node:assert/strict";
import { spawn } from "node:child_process";
import { existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { createRequire } from "node:module";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";

const [codemode, npm, server] = process.argv.slice(2);
const schemas = process.env.MCP_SCHEMAS, MODERN = "2026-07-28";
if (!existsSync(`${schemas}/${MODERN}.json`) || !existsSync(`${npm}/node_modules/ajv`)) {
	console.log("skipped: MCP_SCHEMAS does not name the folder of MCP's schemas, or ajv is missing");
	process.exit(77);
}
const Ajv = createRequire(resolve(npm, "package.json"))("ajv/dist/2020").default;
const folder = mkdtempSync(join(tmpdir(), "codemode-wire-")), about = join(folder, "about");
/* Of what a method is called in the schemas: requests and notifications to the client,
 * and results of the client's own requests. */
const told = {
	"elicitation/create": "ElicitRequest",
	"notifications/message": "LoggingMessageNotification",
	"notifications/progress": "ProgressNotification",
	"notifications/resources/list_changed": "ResourceListChangedNotification",
	"notifications/tools/list_changed": "ToolListChangedNotification",
	"notifications/subscriptions/acknowledged": "SubscriptionsAcknowledgedNotification",
};
const answers = {
	initialize: "InitializeResult",
	"server/discover": "DiscoverResult",
	ping: "EmptyResult",
	"logging/setLevel": "EmptyResult",
	"tools/list": "ListToolsResult",
	"tools/call": "CallToolResult",
	"resources/list": "ListResourcesResult",
	"resources/templates/list": "ListResourceTemplatesResult",
	"resources/read": "ReadResourceResult",
};
const seen = new Set();

class Checked {
	constructor(revision) {
		const source = JSON.parse(readFileSync(join(schemas, `${revision}.json`), "utf8"));
		const definitions = source.$defs ?? source.definitions;
		const ajv = new Ajv({ strict: false, validateFormats: false });
		const part = source.$defs ? "$defs" : "definitions";
		ajv.addSchema({ [part]: definitions }, "mcp");
		this.has = (name) => name in definitions;
		this.fits = (name, value) => {
			const check = ajv.getSchema(`mcp#/${part}/${name}`);
			assert.ok(check, `${revision} has no ${name}`);
			assert.ok(check(value), `${revision}: no ${name}: ${JSON.stringify(check.errors)}: ${JSON.stringify(value).slice(0, 500)}`);
			seen.add(name);
		};
		this.revision = revision;
		this.asked = new Map();
		this.id = 0;
		/* Another description than the one that was kept from the last time. */
		writeFileSync(about, `Says what it is told, to a client of ${revision}.`);
		this.child = spawn(codemode, ["serve", "--ask", "s.sleep", "--mcp-server", `s=${server} --progress --turns --wait ${about}`], {
			env: { ...process.env, CODEMODE_DEPTH: "", XDG_STATE_HOME: folder, XDG_CONFIG_HOME: folder, XDG_CACHE_HOME: folder },
			stdio: ["pipe", "pipe", "ignore"],
		});
		this.exit = new Promise((done) => this.child.on("exit", done));
		let rest = "";
		this.failed = new Promise((_, failed) => {
			this.child.stdout.setEncoding("utf8").on("data", (text) => {
				const lines = (rest + text).split("\n");
				rest = lines.pop();
				try {
					for (const line of lines) this.hear(JSON.parse(line));
				} catch (e) {
					failed(e);
				}
			});
		});
	}

	hear(message) {
		this.fits("JSONRPCMessage", message);
		if (message.method) {
			this.fits(told[message.method], message);
			if (message.id !== undefined)
				this.write({ jsonrpc: "2.0", id: message.id, result: { action: "accept", content: { answer: "script" } } });
			return;
		}
		const { method, params, done } = this.asked.get(message.id);
		if (message.result?.resultType === "input_required") return this.answer(message.result, method, params, done);
		if (message.error) this.fits(this.has("JSONRPCErrorResponse") ? "JSONRPCErrorResponse" : "JSONRPCError", message);
		else this.fits(answers[method], message.result);
		done(message);
	}

	/* The person allows it: the request is made again with the answers. */
	answer(result, method, params, done) {
		this.fits("InputRequiredResult", result);
		const inputResponses = Object.fromEntries(Object.keys(result.inputRequests).map((key) => [key, { action: "accept", content: { answer: "script" } }]));
		this.post(method, { ...params, inputResponses, requestState: result.requestState }).answer.then(done);
	}

	write(message) {
		this.child.stdin.write(JSON.stringify(message) + "\n");
	}

	post(method, params) {
		const id = ++this.id;
		const meta = this.revision === MODERN && {
			_meta: {
				"io.modelcontextprotocol/protocolVersion": MODERN,
				"io.modelcontextprotocol/clientInfo": { name: "t", version: "1" },
				"io.modelcontextprotocol/clientCapabilities": { elicitation: {} },
				"io.modelcontextprotocol/logLevel": "debug",
				...params._meta,
			},
		};
		const answer = new Promise((done) => this.asked.set(id, { method, params, done }));
		this.write({ jsonrpc: "2.0", id, method, params: { ...params, ...meta } });
		return { id, answer };
	}

	ask(method, params = {}) {
		return Promise.race([this.post(method, params).answer, this.failed]);
	}

	call(code, more = {}) {
		return this.ask("tools/call", { name: "codemode", arguments: { code, ...more }, _meta: { progressToken: "p" } });
	}
}

/* All that a client can ask for, good and bad. */
const talk = async (c) => {
	await c.ask("tools/list");
	await c.call(`text("said"); return await tools.s.sleep({ ms: 200 })`);
	await c.call(`return { a: [1, "x", null] }`);
	await c.call(`return Array.from({ length: 20000 }, (_, i) => ({ i, word: "word " + i }))`);
	await c.call(`return (await tools.s.big({ bytes: 300000 }))`);
	await c.call(`audio({ type: "audio", data: "AAAA", mimeType: "audio/wav" }); image({ type: "image", data: "AAAA", mimeType: "image/png" });
		resource({ uri: "x://y", name: "n" }); file("a.csv", "text/csv", "x,y"); file("b", undefined, new Uint8Array(5))`);
	await c.call(`await tools.s.fail({ text: "no" })`);
	await c.call(`return 1 +`);
	await c.call(`await tools.s.echo({})`); // its tools are others from now on
	await c.ask("tools/call", { name: "other" });
	await c.ask("tools/call", { name: "codemode", arguments: { code: 7 } });
	const { result } = await c.ask("resources/list");
	await c.ask("resources/templates/list");
	for (const { uri } of result.resources) await c.ask("resources/read", { uri });
	await c.ask("resources/read", { uri: "codemode://result/99999" });
	await c.ask("x/y");
	await c.ask("tools/list");
};

const of = {
	legacy: async (c) => {
		await c.ask("initialize", { protocolVersion: c.revision, capabilities: c.has("ElicitRequest") ? { elicitation: {} } : {}, clientInfo: { name: "t", version: "1" } });
		c.write({ jsonrpc: "2.0", method: "notifications/initialized" });
		await c.ask("ping");
		await c.ask("logging/setLevel", { level: "debug" });
		await talk(c);
	},
	modern: async (c) => {
		await c.ask("server/discover");
		c.post("subscriptions/listen", { notifications: { toolsListChanged: true, resourcesListChanged: true } });
		await talk(c);
		await c.ask("tools/list", { _meta: { "io.modelcontextprotocol/protocolVersion": "2099-01-01" } });
	},
};

try {
	for (const revision of ["2024-11-05", "2025-03-26", "2025-06-18", "2025-11-25", MODERN]) {
		const c = new Checked(revision);
		assert.throws(() => c.fits("CallToolResult", { content: 7 })); // not everything fits
		await of[revision === MODERN ? "modern" : "legacy"](c);
		await Promise.race([sleep(50), c.failed]);
		c.child.stdin.end();
		await c.exit;
		console.log(`ok      ${revision}`);
	}
	const missing = [...Object.values(told), ...Object.values(answers), "InputRequiredResult"].filter((name) => !seen.has(name));
	assert.deepEqual(missing, [], "each kind of message was written");
} finally {
	rmSync(folder, { recursive: true, force: true });
}
process.exit();
