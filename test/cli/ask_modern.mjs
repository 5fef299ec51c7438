// SPDX-License-Identifier: MIT
//
// ask_modern.mjs CODEMODE SERVER: a client of 2026-07-28, which has no requests from its server, is asked by the answer to its
// call (input_required) and makes the call again. SERVER is the test's own server.

import assert from "node:assert/strict";
import { spawn } from "node:child_process";
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { createInterface } from "node:readline";

const [codemode, server] = process.argv.slice(2);
const folder = mkdtempSync(join(tmpdir(), "codemode-modern-"));
const config = join(folder, "mcp.json");
const log = join(folder, "log");
writeFileSync(log, "");
writeFileSync(config, JSON.stringify({ mcpServers: { s: { command: server, args: ["--log", log] } } }));
const child = spawn(codemode, ["serve", "-q", "--mcp", config, "--ask", "s.echo"], {
	stdio: ["pipe", "pipe", "inherit"],
	env: { ...process.env, XDG_STATE_HOME: join(folder, "state"), XDG_CONFIG_HOME: folder },
});
const waiting = new Map();
createInterface({ input: child.stdout }).on("line", (line) => {
	const message = JSON.parse(line);
	waiting.get(message.id)?.(message);
	waiting.delete(message.id);
});
let last = 0;
const request = (params, can) =>
	new Promise((resolve) => {
		const id = ++last;
		waiting.set(id, resolve);
		const meta = {
			"io.modelcontextprotocol/protocolVersion": "2026-07-28",
			"io.modelcontextprotocol/clientCapabilities": can,
		};
		child.stdin.write(JSON.stringify({ jsonrpc: "2.0", id, method: "tools/call", params: { ...params, _meta: meta } }) + "\n");
	});
const able = { elicitation: { form: {} } };
const call = (code, more = {}, can = able) => request({ name: "codemode", arguments: { code }, ...more }, can);
const calls = () => readFileSync(log, "utf8").split("tools/call").length - 1;
const said = ({ result }) => result.content[0].text;
/* The call again, with what the person says to the one question of the result. */
const again = (code, { result }, answer) => {
	const [key] = Object.keys(result.inputRequests);
	const inputResponses = { [key]: { action: "accept", content: { answer } } };
	return call(code, { inputResponses, requestState: result.requestState });
};
const script = "return [await tools.s.echo({ a: 1 }), await tools.s.echo({ a: 2 })]";

try {
	const first = await call(script);
	assert.equal(first.result.resultType, "input_required");
	const [question] = Object.values(first.result.inputRequests);
	assert.equal(question.method, "elicitation/create");
	assert.match(question.params.message, /- s\.echo\(\{"a":1\}\) in line 1: --ask s\.echo\n- s\.echo\(\{"a":2\}\)/);
	assert.match(first.result.requestState, /^[0-9a-f]{32}$/);
	assert.equal(calls(), 0, "nothing is called before the answer");
	const done = await again(script, first, "script");
	assert.equal(done.result.resultType, "complete");
	assert.equal(said(done), '[{"a":1},{"a":2}]');
	assert.equal(calls(), 2);

	/* Each state is good for one answer; another script asks by itself. */
	assert.match((await again(script, first, "script")).error.message, /nothing waits with this requestState/);
	assert.match((await again(script, { result: { ...first.result, requestState: "0".repeat(32) } }, "script")).error.message, /nothing waits/);
	const second = await call(script);
	assert.notEqual(second.result.requestState, first.result.requestState);
	const changed = await again(script.replace("a: 2", "a: 3"), second, "script");
	assert.equal(changed.result.resultType, "input_required");
	assert.notEqual(changed.result.requestState, second.result.requestState);
	assert.equal(calls(), 2);

	/* What is not a clear yes is a no. */
	for (const no of ["no", "maybe"]) assert.match(said(await again(script, await call(script), no)), /the person said no/);
	const third = await call(script);
	assert.match(said(await call(script, { requestState: third.result.requestState })), /the person said no/);
	assert.equal(calls(), 2);

	/* One question after the other, in one script. */
	const each = "const n = ['ec', 'ho'].join(''); return [await tools.s[n]({ a: 1 }), await tools.s[n]({ a: 2 })]";
	const one = await call(each);
	assert.match(Object.values(one.result.inputRequests)[0].params.message, /s\.echo\(\{"a":1\}\)/);
	const two = await again(each, one, "once");
	assert.match(Object.values(two.result.inputRequests)[0].params.message, /s\.echo\(\{"a":2\}\)/);
	assert.equal(said(await again(each, two, "once")), '[{"a":1},{"a":2}]');

	/* The script ends before the client comes back: its end waits for that. On a busy machine a script may end before it asks,
	 * and the client may be back before it ends. */
	let timeoutMs = 100;
	let late;
	do {
		timeoutMs *= 2;
		late = await request({ name: "codemode", arguments: { code: script, timeoutMs } }, able);
	} while (late.result.resultType !== "input_required");
	await new Promise((resolve) => setTimeout(resolve, 2 * timeoutMs));
	const over = await request(
		{ name: "codemode", arguments: { code: script, timeoutMs }, inputResponses: {}, requestState: late.result.requestState },
		able,
	);
	assert.ok(over.result.isError);
	assert.match(said(over), /timed out|said no/);

	/* A client that cannot ask its person. */
	assert.match(said(await call(script, {}, {})), /no person can be asked; to allow it: --allow 's\.echo'/);
	assert.equal(calls(), 4);
	console.log("ok");
} finally {
	child.stdin.end();
	rmSync(folder, { recursive: true, force: true });
}
