// SPDX-License-Identifier: MIT
//
// reach.mjs -- what the command does between its client and the servers: `serve` on stdio and over HTTP, a server over
// HTTP beside curl, many scripts and large answers at once, many servers of which one is named.
//
//	node22 reach.mjs BUILD NPM        prints a line of JSON: { title: [number, ...] }
//
// Memory is the PSS of the command and its workers, not of the servers.

import { execFileSync, spawn } from "node:child_process";
import { mkdirSync, mkdtempSync, readFileSync, readdirSync, rmSync, writeFileSync } from "node:fs";
import http from "node:http";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";
import { createInterface } from "node:readline";
import { fileURLToPath } from "node:url";

const [build, npm] = process.argv.slice(2).map((path) => resolve(path));
const codemode = join(build, "codemode");
const folder = mkdtempSync(join(tmpdir(), "codemode-reach-"));
const here = (name) => fileURLToPath(new URL(name, import.meta.url));
const found = {};
const children = [];

function fail(words) {
	console.error(words);
	for (const child of children) child.kill();
	process.exit(1);
}

// ---------------------------------------------------------------- processes

function begin(command, args, env = {}, stderr = "inherit") {
	const child = spawn(command, args, {
		stdio: ["pipe", "pipe", stderr],
		env: { ...process.env, HOME: folder, ...env },
	});
	children.push(child);
	child.on("exit", (code) => code && !child.killed && fail(`${command} ${args.join(" ")} ended with ${code}`));
	return child;
}

const firstLine = (input) => new Promise((resolve) => createInterface({ input }).once("line", resolve));

const parentOf = (stat) => Number(stat.slice(stat.lastIndexOf(")") + 2).split(" ")[1]);

/** Megabytes of pid and all programs of codemode below it. */
function megabytes(pid) {
	const parents = new Map();
	for (const name of readdirSync("/proc").filter((n) => /^\d+$/.test(n)))
		try {
			const stat = readFileSync(`/proc/${name}/stat`, "utf8");
			if (/\(codemode/.test(stat)) parents.set(Number(name), parentOf(stat));
		} catch {} // it has ended
	const below = (p) => p === pid || (parents.has(p) && below(parents.get(p)));
	let kb = 0;
	for (const p of [...parents.keys()].filter(below))
		try {
			kb += Number(/^Pss:\s+(\d+)/m.exec(readFileSync(`/proc/${p}/smaps_rollup`, "utf8"))[1]);
		} catch {} // it has ended
	return kb / 1024;
}

async function peakDuring(pid, work) {
	let peak = 0;
	const timer = setInterval(() => (peak = Math.max(peak, megabytes(pid))), 50);
	const value = await work();
	clearInterval(timer);
	return [value, peak];
}

// ------------------------------------------------------------------ clients

const greeting = { protocolVersion: "2025-11-25", capabilities: {}, clientInfo: { name: "bench", version: "1" } };

/** A client on stdio: ask(method, params) → result. */
async function stdioClient(args) {
	const child = begin(codemode, ["serve", "--quiet", ...args]);
	const waiting = new Map();
	let last = 0;
	createInterface({ input: child.stdout }).on("line", (line) => {
		const { id, result } = JSON.parse(line);
		waiting.get(id)?.(result);
		waiting.delete(id);
	});
	const ask = (method, params) =>
		new Promise((resolve) => {
			waiting.set(++last, resolve);
			child.stdin.write(`${JSON.stringify({ jsonrpc: "2.0", id: last, method, params })}\n`);
		});
	await ask("initialize", greeting);
	child.stdin.write('{"jsonrpc":"2.0","method":"notifications/initialized"}\n');
	await ask("tools/list", {});
	return { pid: child.pid, ask, end: () => child.stdin.end() };
}

const messageIn = (type, body) =>
	JSON.parse(/event-stream/.test(type) ? body.split("\n").findLast((l) => l.startsWith("data: {")).slice(6) : body);

/** The same over HTTP, on kept connections. */
async function httpClient(args) {
	const child = begin(codemode, ["serve", "--http", "127.0.0.1:0", ...args], {}, "pipe");
	const url = new URL(/http:\S+/.exec(await firstLine(child.stderr))[0]);
	const agent = new http.Agent({ keepAlive: true, maxSockets: 200 });
	let last = 0, session;
	const post = (message) =>
		new Promise((resolve, reject) => {
			const text = JSON.stringify({ jsonrpc: "2.0", ...message });
			const headers = {
				"content-type": "application/json",
				"content-length": Buffer.byteLength(text),
				accept: "application/json, text/event-stream",
				...(session && { "mcp-session-id": session, "mcp-protocol-version": "2025-11-25" }),
			};
			const request = http.request(url, { method: "POST", agent, headers }, (response) => {
				const parts = [];
				session ??= response.headers["mcp-session-id"];
				response.on("data", (part) => parts.push(part));
				response.on("end", () => resolve([response.headers["content-type"], String(Buffer.concat(parts))]));
			});
			request.on("error", reject).end(text);
		});
	const ask = async (method, params) => messageIn(...(await post({ id: ++last, method, params }))).result;
	await ask("initialize", greeting);
	await post({ method: "notifications/initialized" });
	await ask("tools/list", {});
	return { pid: child.pid, ask, end: () => child.kill() };
}

const run = async (client, code) => {
	const { content, isError } = await client.ask("tools/call", { name: "codemode", arguments: { code } });
	if (isError) throw new Error(content[0].text);
	return content[0].text;
};

// --------------------------------------------------------------------- rows

async function oneScript(title, client) {
	const list = [];
	for (let i = 0; i < 120; i++) {
		const from = performance.now();
		if ((await run(client, "return 1")) !== "1") throw new Error(title);
		if (i >= 20) list.push(performance.now() - from);
	}
	found[title] = list;
	client.end();
}

const configOf = (name, mcpServers) => {
	const file = join(folder, name);
	writeFileSync(file, JSON.stringify({ mcpServers }));
	return file;
};

const node = (...args) => ({ command: process.execPath, args });
const packaged = (name, ...args) => node(join(npm, "node_modules/@modelcontextprotocol", name, "dist/index.js"), ...args);

/** 100 scripts of 20 calls over three real servers; how many calls did not reach theirs. */
async function manyScripts() {
	const files = join(folder, "files"), log = join(folder, "log");
	mkdirSync(files);
	const config = configOf("three.json", {
		files: packaged("server-filesystem", files),
		all: packaged("server-everything"),
		plain: { command: join(build, "test/cli/cli_server"), args: ["--log", log] },
	});
	const client = await httpClient(["--mcp", config, "--allow", "files.write_file"]);
	const script = (n) => `
		const calls = [];
		for (let i = 0; i < 7; i++) calls.push(tools.files.write_file({ path: "${files}/${n}-" + i, content: "x" }));
		for (let i = 0; i < 6; i++) calls.push(tools.all.echo({ message: "${n}-" + i }));
		for (let i = 0; i < 7; i++) calls.push(tools.plain.echo({ text: "mark ${n}-" + i }));
		const said = (await Promise.all(calls)).slice(7, 13);
		return said.filter((x, i) => x === "Echo: ${n}-" + i).length;`;
	const [answers, peak] = await peakDuring(client.pid, () =>
		Promise.all(Array.from({ length: 100 }, (_, n) => run(client, script(n)))));
	const marks = new Set(readFileSync(log, "utf8").match(/mark \d+-\d+/g));
	client.end();
	const echoed = answers.reduce((sum, n) => sum + Number(n), 0);
	found["calls lost, of 100 scripts with 20 calls each over HTTP"] = [2000 - readdirSync(files).length - echoed - marks.size];
	found["their memory (MB)"] = [peak];
}

/** A call to a server on stdio, by a script, plain and with all that stands between: rules, secrets and a log. */
function watchedCalls() {
	const calls = 3000;
	const code = `for (let i = 0; i < 200; i++) await tools.s.echo({ i });
		const from = performance.now();
		for (let i = 0; i < ${calls}; i++) await tools.s.echo({ i, text: "the text of an ordinary call" });
		return (performance.now() - from) / ${calls};`;
	const server = { command: join(build, "test/cli/cli_server"), args: [] };
	const secrets = Object.fromEntries(Array.from({ length: 10 }, (_, i) => [`TOKEN_${i}`, `tok_${i}_${"x7Qz".repeat(8)}`]));
	const plain = configOf("plain.json", { s: server });
	const watched = configOf("watched.json", { s: { ...server, env: secrets } });
	const rules = join(folder, "policy.json");
	writeFileSync(rules, JSON.stringify({ allow: ["s.echo"], ask: ["s.env"], deny: ["*.delete_*", "*.drop_*", "other.*"] }));
	const once = (...args) =>
		Number(execFileSync(codemode, ["run", "-q", "-e", code, ...args], { encoding: "utf8", env: { ...process.env, HOME: folder } }));
	const titles = ["a call to a server on stdio (ms)", "the same with rules, secrets and a log (ms)"];
	for (const title of titles) found[title] = [];
	for (let i = 0; i < 9; i++) {
		found[titles[0]].push(once("--mcp", plain));
		found[titles[1]].push(once("--mcp", watched, "--policy", rules, "--log", join(folder, "calls")));
	}
}

async function largeAnswers(url) {
	const client = await stdioClient(["--mcp", configOf("big.json", { s: { url } })]);
	const code = "return (await Promise.all(Array.from({ length: 20 }, () => tools.s.big({ bytes: 1e7 })))).length";
	const [said, peak] = await peakDuring(client.pid, () => run(client, code));
	if (said !== "20") throw new Error(`20 answers of 10 MB: ${said}`);
	found["20 answers of 10 MB at once: memory (MB)"] = [peak];
	client.end();
}

/** The same request on a kept connection: ours, by a script, and curl's. */
function besideCurl(url) {
	const calls = 500;
	const code = `const from = performance.now();
		for (let i = 0; i < ${calls}; i++) await tools.s.echo({ i });
		return (performance.now() - from) / ${calls};`;
	const config = configOf("http.json", { s: { url } });
	const body = JSON.stringify({ jsonrpc: "2.0", id: 1, method: "tools/call", params: { name: "echo", arguments: { i: 1 } } });
	const request = `url = "${url}"\nsilent\noutput = "/dev/null"\nheader = "content-type: application/json"\ndata-raw = ${JSON.stringify(body)}\nwrite-out = "%{stderr}%{time_total}\\n"\n`;
	const requests = join(folder, "requests");
	writeFileSync(requests, Array(calls).fill(request).join("next\n"));
	const ours = [], curl = [];
	for (let i = 0; i < 5; i++) {
		const said = execFileSync(codemode, ["run", "-q", "--place", "inline", "--mcp", config, "-e", code], { encoding: "utf8" });
		ours.push(Number(said));
		const times = execFileSync("sh", ["-c", 'exec curl -K "$1" 2>&1 >/dev/null', "sh", requests], { encoding: "utf8" });
		const list = times.trim().split("\n").slice(1).map((s) => s * 1000);
		curl.push(list.reduce((sum, t) => sum + t, 0) / list.length);
	}
	found["a call to a server over HTTP (ms)"] = ours;
	found["the same by curl (ms)"] = curl;
}

/** `run` with one server, and with twenty of which it names one. */
function manyServers() {
	const server = { command: join(build, "test/cli/cli_server"), args: [] };
	const config = (n) =>
		configOf(`${n}.json`, Object.fromEntries(Array.from({ length: n }, (_, i) => [`s${i}`, server])));
	for (const n of [1, 20]) {
		const file = config(n), list = [];
		for (let i = 0; i < 15; i++) {
			const from = performance.now();
			execFileSync(codemode, ["run", "-q", "--mcp", file, "-e", "return await tools.s0.echo({})"]);
			list.push(performance.now() - from);
		}
		found[`run with ${n} server${n > 1 ? "s" : ""}, one of them named (ms)`] = list;
	}
}

/** Twenty servers that take a second to come up, by a command that has seen them before: until the tools are listed. */
async function warmStart() {
	const server = { command: join(build, "test/cli/cli_server"), args: ["--slow", "1000"] };
	const file = configOf("slow.json", Object.fromEntries(Array.from({ length: 20 }, (_, i) => [`s${i}`, server])));
	const list = [];
	for (let i = 0; i < 11; i++) {
		const from = performance.now();
		const { pid, end } = await stdioClient(["--mcp", file]);
		if (i > 0) list.push(performance.now() - from);
		const gone = new Promise((resolve) => children.find((c) => c.pid === pid).once("exit", resolve));
		end();
		await gone;
	}
	found["tools/list of `serve`, 20 slow servers of which it knows from the last time (ms)"] = list;
}

try {
	const url = await firstLine(begin(process.execPath, [here("http_server.mjs")]).stdout);
	await oneScript("`return 1` through `serve` on stdio (ms)", await stdioClient(["--mcp", "none"]));
	await oneScript("`return 1` through `serve --http` (ms)", await httpClient(["--mcp", "none"]));
	watchedCalls();
	manyServers();
	await warmStart();
	besideCurl(url);
	await largeAnswers(url);
	await manyScripts();
	console.log(JSON.stringify(found));
} finally {
	for (const child of children) child.kill();
	rmSync(folder, { recursive: true, force: true });
}
