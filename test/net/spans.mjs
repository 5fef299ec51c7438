// SPDX-License-Identifier: MIT
//
// spans.mjs CODEMODE SERVER: --otlp, against a collector of our own that knows the shape of OTLP's JSON.

import assert from "node:assert/strict";
import { spawn } from "node:child_process";
import { chmodSync, copyFileSync, mkdtempSync, readFileSync, writeFileSync } from "node:fs";
import { createServer } from "node:http";
import { join } from "node:path";
import { codemode, folder, play, rest, start } from "./rig.mjs";

const server = rest.shift();
const PARENT = "00-0af7651916cd43dd8448eb211c80319c-b7ad6b7169203331-01";

/* Each member as the protobuf's JSON mapping has it. */
const checkSpan = (s) => {
	assert.match(s.traceId, /^[0-9a-f]{32}$/);
	assert.match(s.spanId, /^[0-9a-f]{16}$/);
	assert.match(s.parentSpanId ?? "0".repeat(16), /^[0-9a-f]{16}$/);
	assert.ok([1, 2, 3].includes(s.kind) && s.name.length > 0);
	assert.match(s.startTimeUnixNano, /^\d{19}$/);
	assert.ok(BigInt(s.endTimeUnixNano) >= BigInt(s.startTimeUnixNano));
	assert.ok(Math.abs(Date.now() - Number(BigInt(s.endTimeUnixNano) / 1000000n)) < 600000);
	for (const a of s.attributes)
		assert.ok(typeof a.key === "string" && (typeof a.value.stringValue === "string" || /^\d+$/.test(a.value.intValue)));
	s.about = Object.fromEntries(s.attributes.map((a) => [a.key, a.value.stringValue ?? Number(a.value.intValue)]));
};

/* reply(number of the request) gives the status, or nothing: it hangs. */
const collector = async (reply = () => 200) => {
	const c = { requests: [], spans: [], services: new Set() };
	c.http = createServer((q, a) => {
		let body = "";
		q.on("data", (d) => (body += d));
		q.on("end", () => {
			const status = reply(c.requests.push({ path: q.url, headers: q.headers, method: q.method }));
			if (status === 200)
				for (const r of JSON.parse(body).resourceSpans) {
					c.services.add(r.resource.attributes.find((at) => at.key === "service.name").value.stringValue);
					for (const scope of r.scopeSpans) {
						assert.equal(scope.scope.name, "codemode");
						scope.spans.forEach(checkSpan);
						c.spans.push(...scope.spans);
					}
				}
			if (status) a.writeHead(status, { "content-type": "application/json" }).end("{}");
		});
	}).listen(0, "127.0.0.1");
	await new Promise((done) => c.http.once("listening", done));
	c.url = `http://127.0.0.1:${c.http.address().port}`;
	c.close = () => (c.http.closeAllConnections(), c.http.close());
	return c;
};

const run = (script, env, ...args) =>
	start(codemode, ["run", "-q", "--mcp-server", `s=${server} --log ${join(folder, "log")}`, ...args, "-e", script], { CODEMODE_MCP: "none", ...env });

const cases = {
	"a span for the script and one for each call, below it": async () => {
		const c = await collector();
		const r = await run('await tools.s.echo({ secret: "in the arguments" });\ntry { await tools.s.fail({ text: "no" }) } catch {}\ntools.s.hang({}); await new Promise(r => setTimeout(r, 20)); return 1', {}, "--otlp", c.url);
		c.close();
		assert.deepEqual([r.code, r.out], [0, "1\n"]);
		assert.ok(!r.err.includes("--otlp"), r.err);
		assert.deepEqual(c.requests.map((q) => [q.method, q.path, q.headers["content-type"]]), [["POST", "/v1/traces", "application/json"]]);
		assert.deepEqual([...c.services], ["codemode"]);
		const script = c.spans.find((s) => !s.parentSpanId), calls = c.spans.filter((s) => s.parentSpanId);
		assert.deepEqual([script.name, script.kind, script.about["gen_ai.operation.name"], script.about["gen_ai.tool.name"], script.about["codemode.calls"]],
			["execute_tool codemode", 1, "execute_tool", "codemode", 3]);
		assert.equal(script.status, undefined);
		assert.deepEqual(calls.map((s) => s.name).sort(), ["tools/call echo", "tools/call fail", "tools/call hang"]);
		for (const s of calls) {
			assert.deepEqual([s.parentSpanId, s.traceId, s.kind], [script.spanId, script.traceId, 3]);
			assert.deepEqual([s.about["mcp.method.name"], s.about["gen_ai.operation.name"], s.about["codemode.server"]], ["tools/call", "execute_tool", "s"]);
		}
		const [echo, fail, hang] = ["echo", "fail", "hang"].map((n) => calls.find((s) => s.about["gen_ai.tool.name"] === n));
		assert.deepEqual([echo.about["code.line.number"], echo.about["codemode.call"], echo.about["error.type"]], [1, 1, undefined]);
		assert.deepEqual([fail.about["code.line.number"], fail.about["error.type"], fail.status], [2, "failed", { code: 2, message: "no" }]);
		assert.ok(["dropped", "stopped"].includes(hang.about["error.type"]));
		assert.ok(!JSON.stringify(c.spans).includes("in the arguments"));
	},
	"a saved script is below the call that it runs for": async () => {
		const c = await collector(), scripts = mkdtempSync(join(folder, "scripts"));
		writeFileSync(join(scripts, "outer.js"), "return await tools.scripts.inner({})");
		writeFileSync(join(scripts, "inner.js"), "return await tools.s.echo({ a: 1 })");
		await run("return await tools.scripts.outer({})", {}, "--scripts", scripts, "--otlp", c.url);
		c.close();
		const way = [];
		for (let s = c.spans.find((s) => !s.parentSpanId); s; s = c.spans.find((next) => next.parentSpanId === s.spanId)) {
			assert.equal(s.traceId, c.spans[0].traceId);
			way.push([s.name, s.kind]);
		}
		assert.deepEqual(way, [["execute_tool codemode", 1], ["tools/call outer", 3], ["execute_tool outer", 1], ["tools/call inner", 3],
			["execute_tool inner", 1], ["tools/call echo", 3]]);
	},
	"the variables of OpenTelemetry": async () => {
		const c = await collector(), on = { OTEL_EXPORTER_OTLP_ENDPOINT: c.url + "/base/", OTEL_EXPORTER_OTLP_HEADERS: "authorization=Bearer%20abc, x-team = a%2Cb ", OTEL_SERVICE_NAME: "ours" };
		await run("return 1", on);
		assert.deepEqual([c.requests[0].path, c.requests[0].headers.authorization, c.requests[0].headers["x-team"]], ["/base/v1/traces", "Bearer abc", "a,b"]);
		assert.deepEqual([...c.services], ["ours"]);
		await run("return 1", { ...on, OTEL_EXPORTER_OTLP_TRACES_ENDPOINT: c.url + "/here" });
		assert.equal(c.requests[1].path, "/here");
		await run("return 1", { ...on, OTEL_SDK_DISABLED: "true" });
		await run("return 1", on, "--otlp", "none");
		assert.equal(c.requests.length, 2);
		const bad = await run("return 1", { ...on, OTEL_EXPORTER_OTLP_HEADERS: "a=b%0d%0ac: d" });
		assert.deepEqual([bad.code, /OTEL_EXPORTER_OTLP_HEADERS is no list/.test(bad.err)], [2, true]);
		c.close();
	},
	"what the collector does not take now is sent again, what it refuses is counted": async () => {
		let c = await collector((n) => (n < 3 ? 503 : 200));
		let r = await run("return 1", {}, "--otlp", c.url);
		assert.deepEqual([c.requests.length, c.spans.length, r.err], [3, 1, ""]);
		c.close();
		c = await collector(() => 400);
		r = await run("await tools.s.echo({}); return 1", {}, "--otlp", c.url);
		assert.deepEqual([c.requests.length, r.code, r.out], [1, 0, "1\n"]);
		assert.match(r.err, /--otlp http:.*: 2 spans were not sent: the collector answered 400/);
		c.close();
	},
	"no script waits for a collector that hangs, or is not there": async () => {
		const c = await collector(() => 0);
		const began = Date.now();
		const r = await run("return Date.now()", {}, "--otlp", c.url);
		assert.ok(Number(r.out) - began < 15000 && r.code === 0);
		assert.match(r.err, /1 span was not sent/);
		c.close();
		const gone = await run("return 1", {}, "--otlp", "http://127.0.0.1:9");
		assert.deepEqual([gone.code, gone.out], [0, "1\n"]);
		assert.match(gone.err, /1 span was not sent: ./);
	},
	"the trace of a client goes on, through serve and to the servers": async () => {
		for (const otlp of [true, false]) {
			const c = await collector(), log = join(folder, `serve-${otlp}`);
			writeFileSync(log, "");
			const child = spawn(codemode, ["serve", "-q", "--mcp-server", `s=${server} --log ${log}`, ...(otlp ? ["--otlp", c.url] : [])],
				{ stdio: ["pipe", "pipe", "inherit"], env: { ...process.env, CODEMODE_MCP: "none" } });
			const say = (m) => child.stdin.write(JSON.stringify({ jsonrpc: "2.0", ...m }) + "\n");
			say({ id: 1, method: "initialize", params: { protocolVersion: "2025-11-25", capabilities: {}, clientInfo: { name: "t", version: "1" } } });
			say({ method: "notifications/initialized" });
			say({ id: 2, method: "tools/call", params: { name: "codemode", arguments: { code: "return await tools.s.echo({})" }, _meta: { traceparent: PARENT } } });
			let out = "";
			for await (const d of child.stdout)
				if ((out += d).includes('"id":2')) break;
			child.stdin.end();
			await new Promise((done) => child.once("close", done));
			c.close();
			const [, trace, span] = PARENT.split("-");
			const sent = readFileSync(log, "utf8").match(/"traceparent":"([^"]*)"/)[1].split("-");
			assert.equal(sent[1], trace);
			if (!otlp) {
				assert.equal(sent.join("-"), PARENT);
				continue;
			}
			const script = c.spans.find((s) => s.name === "tools/call codemode"), call = c.spans.find((s) => s.name === "tools/call echo");
			assert.deepEqual([script.traceId, script.parentSpanId, script.kind, script.about["mcp.method.name"]], [trace, span, 2, "tools/call"]);
			assert.deepEqual([call.traceId, call.parentSpanId, sent[2]], [trace, script.spanId, call.spanId]);
		}
	},
	"without codemode-net the variables stop no script, the option does": async () => {
		const alone = join(folder, "codemode");
		copyFileSync(codemode, alone);
		chmodSync(alone, 0o700);
		for (const [args, env, want] of [[[], { OTEL_EXPORTER_OTLP_ENDPOINT: "http://127.0.0.1:9" }, [0, "1\n"]], [["--otlp", "http://127.0.0.1:9"], {}, [2, ""]]]) {
			const r = await start(alone, ["run", "-q", "--place", "inline", ...args, "-e", "return 1"], { CODEMODE_MCP: "none", ...env });
			assert.deepEqual([r.code, r.out], want);
			assert.match(r.err, /a collector of OpenTelemetry needs the program codemode-net/);
		}
	},
	"a queue that is full drops spans and says so": async () => {
		const c = await collector();
		const r = await run("for (let i = 0; i < 30; i++) await Promise.all(Array.from({ length: 100 }, () => tools.s.echo({})))", {}, "--otlp", c.url);
		c.close();
		const dropped = Number(r.err.match(/(\d+) spans? (?:was|were) not sent/)?.[1] ?? 0);
		assert.equal(c.spans.length + dropped, 3001);
		assert.equal(r.code, 0);
	},
};

await play(cases, rest);
