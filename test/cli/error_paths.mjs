// SPDX-License-Identifier: MIT
//
// error_paths.mjs CODEMODE FAULT: one error, four readers. What a script threw
// is told whole by the library (FAULT, made from fault.c), by `run --json`, on
// the terminal and by `serve`.
//
// Each row of the table is a script and what the text for a reader must have, in
// this order; the object for programs must be the library's, member for member.
// With --server this file is the MCP server whose tools fail.

import assert from "node:assert/strict";
import { spawnSync } from "node:child_process";
import { createInterface } from "node:readline";
import { fileURLToPath } from "node:url";

const self = fileURLToPath(import.meta.url);

const table = {
	"an error with a cause, fields and frames": {
		script: `const inner = Object.assign(new TypeError("disk full"), { code: "ENOSPC" });
function save() { throw Object.assign(new Error("not saved", { cause: inner }), { path: "/a", tries: [1, 2] }); }
save();`,
		text: ["line 2, column 43: Error: not saved", "2 | function save()", "^", "called at <anonymous> (codemode.js:3:", 'with {"path":"/a","tries":[1,2]}', "caused by TypeError: disk full", 'with {"code":"ENOSPC"}'],
	},
	"a chain of causes": {
		script: `throw new Error("three", { cause: new RangeError("two", { cause: "one" }) });`,
		text: ["Error: three", "caused by RangeError: two", "caused by one"],
	},
	"an AggregateError, with a cause in one": {
		script: `await Promise.any([
	Promise.reject(Object.assign(new Error("mirror 1"), { status: 402 })),
	Promise.reject(new TypeError("mirror 2", { cause: new Error("no route") })),
]);`,
		text: ["AggregateError: 2 errors", "1. Error: mirror 1", 'with {"status":402}', "2. TypeError: mirror 2", "caused by Error: no route"],
	},
	"the protocol's error of a tool": {
		script: `const a = 1;
await tools.srv.denied({ a });`,
		text: ["line 2, column 17: Error: not yours (tools.srv.denied)", "2 | await tools.srv.denied", "^", 'with {"code":-32050,"data":{"owner":"ann"}}'],
	},
	"a tool's own error, with structured content": {
		script: `await tools.srv.broken({});`,
		text: ["Error: out of paper (tools.srv.broken)", 'with {"structuredContent":{"retryAfter":3}'],
	},
	"a tool's error as the cause of the script's": {
		script: `try { await tools.srv.denied({}); } catch (e) { throw new Error("cannot go on", { cause: e }); }`,
		text: ["Error: cannot go on", "caused by Error: not yours (tools.srv.denied)", 'with {"code":-32050,"data":{"owner":"ann"}}'],
	},
	"a class of the script's own": {
		script: `class Declined extends Error { name = "Declined"; card = "visa"; }
throw new Declined("no");`,
		text: ["line 2, column", "Declined: no", "2 | throw new Declined", 'with {"card":"visa"}'],
	},
	"a thrown object": {
		script: `throw { code: "E7", status: 402 };`,
		text: ["line 1, column 1:", '{"code":"E7","status":402}', "1 | throw"],
	},
	"fields too long for a reader": {
		script: `throw Object.assign(new Error("long"), { rows: Array.from({ length: 900 }, (_, i) => i), last: true });`,
		text: ["Error: long", 'with {"rows":[0,1,2', '"last":true}', "(left out: rows: "],
	},
	"what does not parse": {
		script: "return [1, 2;",
		text: ["line 1, column 13: SyntaxError: ", "1 | return", "^"],
	},
};

function serveTools() {
	const fail = {
		denied: { error: { code: -32050, message: "not yours", data: { owner: "ann" } } },
		broken: { result: { isError: true, content: [{ type: "text", text: "out of paper" }], structuredContent: { retryAfter: 3 } } },
	};
	const answers = {
		initialize: { protocolVersion: "2025-06-18", capabilities: { tools: {} }, serverInfo: { name: "t", version: "1" } },
		"tools/list": { tools: Object.keys(fail).map((name) => ({ name, inputSchema: { type: "object" } })) },
	};
	createInterface({ input: process.stdin }).on("line", (line) => {
		const { id, method, params } = JSON.parse(line);
		if (id === undefined) return;
		const answer = method === "tools/call" ? fail[params.name] : { result: answers[method] ?? {} };
		console.log(JSON.stringify({ jsonrpc: "2.0", id, ...answer }));
	});
}

const [codemode, fault] = process.argv.slice(2);
const servers = ["--mcp-server", `srv=${process.execPath} ${self} --server`];
const call = (program, args, input) => spawnSync(program, args, { encoding: "utf8", input, env: { ...process.env, CODEMODE_DEPTH: "" } });

/** The text of `serve` for a script, from one conversation. */
function serveText(code) {
	const messages = [
		{ id: 1, method: "initialize", params: { protocolVersion: "2025-11-25", capabilities: {}, clientInfo: { name: "test", version: "1" } } },
		{ method: "notifications/initialized" },
		{ id: 2, method: "tools/call", params: { name: "codemode", arguments: { code } } },
	];
	const input = messages.map((m) => `${JSON.stringify({ jsonrpc: "2.0", ...m })}\n`).join("");
	const lines = call(codemode, ["serve", ...servers], input).stdout.trim().split("\n").map((l) => JSON.parse(l));
	const { result } = lines.find((m) => m.id === 2);
	assert.equal(result.isError, true);
	return result.content.map((c) => c.text).join("\n");
}

function assertInOrder(text, parts, at) {
	let from = 0;
	for (const part of parts) {
		const found = text.indexOf(part, from);
		assert.ok(found >= 0, `${at}: ${part} is not there, or not in this place:\n${text}`);
		from = found + part.length;
	}
}

function check(name, { script, text }) {
	const library = JSON.parse(call(fault, [script]).stdout);
	const { error } = JSON.parse(call(codemode, ["run", "--json", ...servers, "-e", script]).stdout);
	const terminal = call(codemode, ["run", "-q", ...servers, "-e", script]).stderr;
	const served = serveText(script);
	assert.deepEqual(error, library, name);
	assertInOrder(terminal, text, `${name}, terminal`);
	assertInOrder(served, text, `${name}, serve`);
	/* Both are the same text, behind the words that introduce it. */
	const told = terminal.replace(/^codemode: /, "").trimEnd();
	assert.ok(served.startsWith(`The script failed at ${told}`), `${name}:\n${told}\n${served}`);
	console.log(name);
}

if (codemode === "--server") serveTools();
else for (const [name, row] of Object.entries(table)) check(name, row);
