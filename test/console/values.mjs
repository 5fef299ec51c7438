// SPDX-License-Identifier: MIT
//
// values.mjs -- each cell of the table in doc/guide/values.md holds.
//
//	node22 values.mjs CODEMODE PAGE [--print]
//
// The column of a place says how a script is made of a value, and where its text
// is found in what comes out. --print prints the rows with the cells as they are.
// With --serve this file is the MCP server whose tool `echo` answers with the
// request as it came.

import { spawnSync } from "node:child_process";
import { readFileSync } from "node:fs";
import { createInterface } from "node:readline";
import { fileURLToPath } from "node:url";

const SCHEMA = {
	type: "object",
	properties: { s: { type: "string" }, n: { $ref: "#/$defs/numbers" }, o: { anyOf: [{ type: "null" }, { type: "object", additionalProperties: { type: ["string", "null"] } }] } },
	$defs: { numbers: { type: "array", items: { type: "integer" } } },
};

if (process.argv[2] === "--serve") {
	const answer = (id, result) => console.log(JSON.stringify({ jsonrpc: "2.0", id, result }));
	for await (const line of createInterface({ input: process.stdin })) {
		const { id, method } = JSON.parse(line);
		if (method === "initialize") answer(id, { protocolVersion: "2025-06-18", capabilities: { tools: {} }, serverInfo: { name: "s", version: "1" } });
		if (method === "tools/list") answer(id, { tools: [{ name: "echo", inputSchema: SCHEMA }] });
		if (method === "tools/call") answer(id, { content: [{ type: "text", text: `request: ${line}` }] });
	}
	process.exit(0);
}

const [program, page, option] = process.argv.slice(2);
const self = fileURLToPath(import.meta.url);
const between = (s, from, to) => s.includes(from) ? s.split(from, 2)[1].split(to, 1)[0] : "nothing";

// place -> [script, where its text begins and ends in the output]
const PLACES = {
	return: [(v) => `return { v: ${v} };`, '"value":{"v":', '},"output"'],
	text: [(v) => `text(${v});`],
	console: [(v) => `console.log(${v});`],
	store: [(v) => `store("v", ${v});`, '"set":{"v":', '},"delete"'],
	argument: [(v) => `return await tools.s.echo({ v: ${v} });`, '\\"arguments\\":{\\"v\\":', "}"],
	error: [(v) => `throw Object.assign(new Error("e"), { v: ${v} });`, '"fields":{"v":', '}},"stats"'],
};

const codemode = (args, input) => spawnSync(program, ["run", "--json", "-q", ...args, "-"], { input, encoding: "utf8" }).stdout;
const SERVER = ["--mcp-server", `s=${process.execPath} ${self} --serve`];

function cellOf(place, value) {
	const [script, from, to] = PLACES[place];
	const stdout = codemode(place === "argument" ? SERVER : [], script(value));
	const result = JSON.parse(stdout);
	if (!result.ok && place !== "error") return "refused";
	let cell = from === undefined ? result.output[0].text : between(stdout, from, to);
	if (place === "argument") cell = between(stdout, from, '}}}"').replaceAll('\\"', '"').replaceAll("\\\\", "\\").replace(/\},"_meta".*/, "");
	return `\`${cell.replaceAll("\n", " ")}\`${result.warnings.some((w) => !/never began|did not wait/.test(w.message)) ? " ⚠" : ""}`;
}

const rows = readFileSync(page, "utf8").split("\n").filter((line) => line.startsWith("| `")).map((line) => line.slice(2, -2).split(" | "));
let differ = 0;
for (const row of rows) {
	const value = row[0].slice(1, -1);
	const cells = Object.keys(PLACES).map((place) => cellOf(place, value));
	if (option === "--print") console.log(`| ${[row[0], ...cells].join(" | ")} |`);
	Object.keys(PLACES).forEach((place, i) => {
		if (cells[i] === row[i + 1] || option === "--print") return;
		differ++;
		console.log(`${value}, ${place}: the page says ${row[i + 1]}, but it is ${cells[i]}`);
	});
}
// Bytes are what the schema wants.
const sent = codemode(SERVER, "const b = new Uint8Array([1, 2]); return await tools.s.echo({ s: b, n: b.buffer, o: { a: b } });").replaceAll("\\", "");
if (!sent.includes('"arguments":{"s":"AQI=","n":[1,2],"o":{"a":"AQI="}}')) {
	differ++;
	console.log(`bytes that a schema wants: ${sent}`);
}
if (rows.length === 0) throw new Error("the page has no table");
console.log(`${rows.length * Object.keys(PLACES).length} cells, ${differ} differ`);
process.exit(differ > 0 ? 1 : 0);
