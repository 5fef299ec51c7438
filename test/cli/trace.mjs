// SPDX-License-Identifier: MIT
//
// trace.mjs CODEMODE SERVER: the files that --trace writes.
import assert from "node:assert/strict";
import { spawn, spawnSync } from "node:child_process";
import { existsSync, mkdtempSync, readFileSync, readdirSync, rmSync, statSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { checkOfCheck, checkTrace } from "./trace_format.mjs";

const [, , codemode, server] = process.argv;
const folder = mkdtempSync(join(tmpdir(), "trace-"));
const NAME = /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z-\d+-\d+\.trace\.json$/;
let traces = 0;

// The events of the one trace of a run.
function traced(script, ...options) {
	const dir = join(folder, `d${++traces}`);
	const run = spawnSync(codemode, ["run", "-q", "--trace", dir, "--mcp-server", `s=${server}`, "--mcp-server", `t=${server}`, ...options, "-e", script],
		{ encoding: "utf8", stdio: ["ignore", "pipe", "pipe"], env: { ...process.env, CODEMODE_MCP: "none", XDG_STATE_HOME: folder } });
	const files = readdirSync(dir);
	assert.equal(files.length, 1, run.stderr);
	assert.match(files[0], NAME);
	assert.equal(statSync(dir).mode & 0o777, 0o700);
	assert.equal(statSync(join(dir, files[0])).mode & 0o777, 0o600);
	const text = readFileSync(join(dir, files[0]), "utf8");
	checkTrace(JSON.parse(text));
	return { ...JSON.parse(text), text, dir, run };
}

const named = (t, name, ph) => t.traceEvents.filter(e => e.name === name && (!ph || e.ph === ph));
const calls = t => t.traceEvents.filter(e => e.cat === "call").map(b => ({ b, e: t.traceEvents.find(e => e.ph === "E" && e.tid === b.tid && e.ts >= b.ts) }));
const end = t => named(t, "end")[0].args;

const cases = {
	"turns, lanes, calls with line, arguments and result, prints, the end"() {
		const t = traced('text("begin");\nawait Promise.all([1, 2].map(n =>\n\ttools.s.echo({ n })));\ntry {\n\tawait tools.t.fail({ text: "no" });\n} catch {}\nreturn [1]');
		assert.match(t.otherData.script, /^text\("begin"\)/);
		assert.ok(Date.now() - Date.parse(t.otherData.time) < 600000);
		const [one, two, three] = calls(t);
		assert.deepEqual([one.b.name, one.b.args.tool, one.b.args.call, one.b.args.line], ["s.echo", "s.echo", 1, 3]);
		assert.deepEqual([one.b.args.args, one.b.args.argsBytes, one.b.args.decision], [{ n: 1 }, 7, "allowed"]);
		assert.deepEqual([one.e.args.how, one.e.args.result], ["ok", { n: 1 }]);
		assert.ok(one.e.args.bytes > 7 && one.b.args.issued <= one.b.ts && one.e.ts >= one.b.ts);
		assert.notEqual(one.b.tid, two.b.tid);
		assert.deepEqual([three.b.args.line, three.e.args.how, three.e.args.message], [5, "failed", "no"]);
		const lanes = named(t, "thread_name").map(e => [e.tid, e.args.name]);
		assert.deepEqual(lanes, [[1, "script"], [2, "s"], [3, "s 2"], [4, "t"]]);
		assert.deepEqual(named(t, "print").map(e => e.args), [{ kind: "text", bytes: 5, text: "begin" }]);
		assert.deepEqual([end(t).how, end(t).given, end(t).value, end(t).dropped], ["ok", 8, [1], 0]);
		checkOfCheck(structuredClone({ ...t, run: 0 }));
		assert.ok(named(t, "turn").length >= 2 && named(t, "turn").every(e => e.ph === "X" && e.dur >= 0));
	},
	"what waits for a lane is queued, and lanes are used again"() {
		const t = traced("await Promise.all([1, 2, 3].map(() => tools.s.sleep({ ms: 20 })))", "--concurrency", "1");
		assert.deepEqual(new Set(calls(t).map(c => c.b.tid)), new Set([2]));
		const queued = named(t, "queued").filter(e => e.id !== 1); // a busy machine may have let that wait, too
		assert.deepEqual(queued.map(e => [e.ph, e.id]), [["b", 2], ["e", 2], ["b", 3], ["e", 3]]);
		const [b, e] = queued;
		assert.ok(e.ts - b.ts >= 19000);
	},
	"a place on the server is waited for, too"() {
		const t = traced("await Promise.all([1, 2].map(() => tools.s.sleep({ ms: 20 })))", "--server-concurrency", "1");
		assert.deepEqual(named(t, "queued").map(e => e.id).filter(id => id !== 1), [2, 2]);
	},
	"refused, stopped, dropped and never begun"() {
		let t = traced("try { await tools.t.echo({}) } catch {}", "--ask", "t.*");
		assert.deepEqual([calls(t)[0].b.args.decision, calls(t)[0].e.args.how], ["asked", "refused"]);
		assert.match(calls(t)[0].e.args.message, /permitted|allow/);
		assert.deepEqual(named(t, "decision").map(e => e.args), [{ how: "unasked" }]);
		t = traced("for (let i = 0; i < 3; i++) tools.s.hang({});\nawait new Promise(r => setTimeout(r, 50));\nthrow new Error('x')", "--concurrency", "1");
		assert.ok(["dropped", "stopped"].includes(calls(t)[0].e.args.how));
		assert.deepEqual(named(t, "never began").map(e => e.args), [{ call: 2, tool: "s.hang" }, { call: 3, tool: "s.hang" }]);
		assert.deepEqual([end(t).how, end(t).error.message], ["failed", "x"]);
		t = traced("await tools.s.hang({})", "--timeout", "100");
		assert.equal(end(t).how, "timeout");
		t = traced("await codemode.race([tools.s.hang({}), tools.s.sleep({ ms: 1 })])");
		assert.deepEqual(calls(t).map(c => c.e.args.how).sort(), ["ok", "stopped"]);
	},
	"long values are cut, and what was cut is told"() {
		const t = traced("const v = (await tools.s.big({ bytes: 100000 })); text('é'.repeat(10000)); await tools.s.echo({ v }); return v", "--max-output-tokens", "500");
		const [big, echo] = calls(t);
		assert.ok(big.e.args.bytes > 100000 && big.e.args.result === undefined);
		assert.ok(big.e.args.resultHead.length <= 8192 && big.e.args.resultHead.endsWith("…"));
		assert.ok(echo.b.args.argsHead.startsWith('{"v":"') && echo.b.args.argsBytes > 100000);
		assert.equal(named(t, "print")[0].args.bytes, 20000);
		assert.ok(Buffer.byteLength(named(t, "print")[0].args.text) <= 8192);
		assert.deepEqual(new Set(named(t, "cut").map(e => e.args.how)), new Set(["the printed text", "the value"]));
	},
	"secrets are replaced"() {
		const config = join(folder, "c.json");
		writeFileSync(config, JSON.stringify({ mcpServers: { x: { command: server, env: { API_KEY: "hunter2-hunter2" } } } }));
		const t = traced('const s = "hunter2" + "-hunter2"; text(s); await tools.x.fail({ text: s }).catch(() => 0); return { s } // hunter2-hunter2', "--mcp", config);
		assert.ok(!t.text.includes("hunter2-hunter2"));
		assert.deepEqual(calls(t)[0].b.args.args, { text: "[secret API_KEY]" });
		assert.match(t.otherData.script, /\/\/ \[secret API_KEY\]/);
	},
	async "a file has a line an event, also when the command is killed"() {
		const dir = join(folder, "killed");
		const run = spawn(codemode, ["run", "-q", "--trace", dir, "--mcp-server", `s=${server}`, "-e", "text(1); await tools.s.hang({})"], { stdio: "ignore", env: { ...process.env, CODEMODE_MCP: "none" } });
		const called = (text) => /"ph":"B".*"cat":"call".*\n/.test(text);
		let text = "";
		for (const from = Date.now(); !called(text); await new Promise(r => setTimeout(r, 10))) {
			assert.ok(Date.now() - from < 60000, text);
			text = existsSync(dir) ? readdirSync(dir).map(f => readFileSync(join(dir, f), "utf8")).join("") : "";
		}
		run.kill("SIGKILL");
		await new Promise(r => run.on("exit", r));
		text = readFileSync(join(dir, readdirSync(dir)[0]), "utf8");
		const events = JSON.parse(text.slice(0, text.lastIndexOf("}") + 1) + "]}").traceEvents;
		assert.ok(events.some(e => e.cat === "call" && e.ph === "B"));
	},
	"the latest 1,000 files stay, and other files too"() {
		const dir = join(folder, "full");
		spawnSync("mkdir", [dir]);
		for (let i = 0; i < 1001; i++)
			writeFileSync(join(dir, `2020-01-01T00:00:00.${String(i).padStart(4, "0")}Z-1-1.trace.json`), "{}");
		writeFileSync(join(dir, "mine.trace.json"), "");
		spawnSync(codemode, ["run", "-q", "--trace", dir, "-e", "return 1"], { env: { ...process.env, CODEMODE_MCP: "none" } });
		const files = readdirSync(dir).sort();
		assert.equal(files.length, 1001);
		assert.ok(files.includes("mine.trace.json") && files[0].includes(".0002Z"));
	},
	"a file has 32 MiB at most, and says how many events it lacks"() {
		const t = traced("const v = 'x'.repeat(8000); for (let i = 0; i < 2600; i++) await tools.s.echo({ v }); return 1");
		assert.ok(t.text.length < 34 << 20 && t.text.length > 31 << 20);
		assert.ok(calls(t).at(-1).e.args.result !== undefined);
		assert.ok(end(t).dropped > 0 && end(t).how === "ok");
	},
	"serve writes a file for each script, in their order"() {
		const dir = join(folder, "serve");
		const say = (id, method, params) => JSON.stringify({ jsonrpc: "2.0", id, method, params }) + "\n";
		const call = (id, code) => say(id, "tools/call", { name: "codemode", arguments: { code } });
		const serve = spawnSync(codemode, ["serve", "-q", "--trace", dir, "--max-output-tokens", "300", "--mcp-server", `s=${server}`], { encoding: "utf8", env: { ...process.env, CODEMODE_MCP: "none" },
			input: say(1, "initialize", { protocolVersion: "2025-11-25", capabilities: {}, clientInfo: { name: "t", version: "1" } }) + call(2, "// first\nreturn await tools.s.big({ bytes: 9000 })") + call(3, "// second\nreturn 2") });
		assert.equal(serve.stdout.split('"id":').length, 4, serve.stderr);
		const all = readdirSync(dir).sort().map(f => JSON.parse(readFileSync(join(dir, f), "utf8")));
		all.forEach(checkTrace);
		assert.deepEqual(all.map(t => t.otherData.script.split("\n")[0]).sort(), ["// first", "// second"]);
		const first = all.find(t => t.otherData.script.startsWith("// first"));
		assert.deepEqual([calls(first)[0].b.args.line, end(first).how], [2, "ok"]);
		assert.deepEqual(named(first, "cut").map(e => [e.args.how, e.args.bytes > 9000]), [["the answer", true]]);
	},
	"a folder that cannot be written is told, before the script"() {
		const run = spawnSync(codemode, ["run", "--trace", join(folder, "no", "such"), "-e", "return 1"], { encoding: "utf8", env: { ...process.env, CODEMODE_MCP: "none" } });
		assert.equal(run.status, 2);
		assert.match(run.stderr, /--trace .*no\/such: No such file or directory/);
	},
};

try {
	for (const [name, test] of Object.entries(cases)) {
		try {
			await test();
		} catch (e) {
			console.error(`${name}: ${e.stack}`);
			process.exitCode = 1;
		}
	}
} finally {
	rmSync(folder, { recursive: true, force: true });
}
console.log(`${Object.keys(cases).length} cases of traces`);
