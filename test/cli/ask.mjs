// SPDX-License-Identifier: MIT
//
// ask.mjs CODEMODE NPM SERVER: `codemode serve` with rules, behind a client that asks its person. sdk_client.mjs says what
// CODEMODE and NPM are; SERVER is the test's own server.

import assert from "node:assert/strict";
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { Client, StdioClientTransport, codemode, npm } from "./sdk_client.mjs";

const server = process.argv[4];
const types = await import(join(npm, "node_modules/@modelcontextprotocol/sdk/dist/esm/types.js"));
const folder = mkdtempSync(join(tmpdir(), "codemode-ask-"));
const config = join(folder, "mcp.json");
const log = join(folder, "log");
writeFileSync(config, JSON.stringify({ mcpServers: { s: { command: server, args: ["--log", log] } } }));

const asked = [];
let reply; // what the person says: (params) => result

async function connect(capabilities, ...more) {
	const client = new Client({ name: "test", version: "1" }, { capabilities });
	const transport = new StdioClientTransport({
		command: codemode,
		args: ["serve", "--mcp", config, "--ask", "s.echo", "--deny", "s.env", ...more],
		env: { ...process.env, XDG_STATE_HOME: join(folder, "state"), XDG_CONFIG_HOME: folder, XDG_CACHE_HOME: join(folder, "cache") },
	});
	if (capabilities.elicitation)
		client.setRequestHandler(types.ElicitRequestSchema, ({ params }) => {
			asked.push(params);
			return reply(params);
		});
	await client.connect(transport);
	const run = async (code) => (await client.callTool({ name: "codemode", arguments: { code } })).content[0].text;
	return { client, run };
}

const calls = () => readFileSync(log, "utf8").split("tools/call").length - 1;
const say = (answer) => ({ action: "accept", content: { answer } });
const two = `const said = [];
	for (const a of [1, 2]) said.push(await tools.s.echo({ a }).then((x) => x.a, (e) => e.code));
	return said`;

const open = [];
try {
	const { client, run } = await connect({ elicitation: {} }, "--ask-each");
	open.push(client);
	const { tools } = await client.listTools();
	assert.ok(!/\.env\(/.test(tools[0].description), "a denied tool is not in the list");

	reply = () => say("once");
	assert.equal(await run(two), "[1,2]");
	assert.equal(asked.length, 2);
	assert.match(asked[0].message, /s\.echo\(\{"a":1\}\).*--ask s\.echo/);
	assert.deepEqual(asked[0].requestedSchema.properties.answer.enum, ["once", "script", "always", "no"]);

	reply = () => say("script");
	assert.equal(await run(two), "[1,2]");
	assert.equal(asked.length, 3, "one answer for all of the script");

	/* Whatever is no clear yes is a no, and nothing reaches the server. */
	const before = calls();
	for (const no of [say("no"), say("maybe"), { action: "accept", content: {} }, { action: "decline" }, { action: "cancel" }]) {
		reply = () => no;
		assert.equal(await run(two), '["NotAllowed","NotAllowed"]', JSON.stringify(no));
	}
	reply = () => {
		throw new Error("the person has left");
	};
	assert.equal(await run(two), '["NotAllowed","NotAllowed"]');
	assert.equal(calls(), before);

	/* A script that was stopped while the question stood. */
	let late;
	reply = () => new Promise((resolve) => (late = resolve));
	const stop = new AbortController();
	const script = client.callTool({ name: "codemode", arguments: { code: two } }, undefined, { signal: stop.signal });
	while (!late) await new Promise((resolve) => setTimeout(resolve, 10));
	stop.abort();
	await assert.rejects(script);
	late(say("once"));
	reply = () => say("no");
	assert.equal(await run(two), '["NotAllowed","NotAllowed"]');
	assert.equal(calls(), before, "a late yes has no effect");

	reply = () => say("always");
	assert.equal(await run(two), "[1,2]");
	const so_far = asked.length;
	assert.equal(await run(two), "[1,2]");
	assert.equal(asked.length, so_far);

	/* Another client, which cannot ask: what was answered "always" holds for it, too. */
	const mute = await connect({});
	open.push(mute.client);
	assert.equal(await mute.run(two), "[1,2]");
	rmSync(join(folder, "state"), { recursive: true });
	const alone = await connect({});
	open.push(alone.client);
	assert.equal(await alone.run(two), '["NotAllowed","NotAllowed"]');

	/* Once for a whole script: what stands in it, before its first call. */
	const whole = await connect({ elicitation: {} });
	open.push(whole.client);
	const listed = 'await tools.s.cwd({}); return [await tools.s.echo({ a: 1 }), await tools.s.echo({ a: 2 })]';
	let from = asked.length, sent = calls();
	reply = ({ message }) => {
		assert.equal(calls(), sent, "nothing is called before the answer");
		return say("script");
	};
	assert.equal(await whole.run(listed), '[{"a":1},{"a":2}]');
	assert.equal(asked.length, from + 1);
	assert.equal(asked[from].message, [
		"A script wants to call:",
		'- s.echo({"a":1}) in line 1: --ask s.echo',
		'- s.echo({"a":2}) in line 1: --ask s.echo',
		"Without asking it calls s.cwd.",
		"Allow them for this script?",
	].join("\n"));
	assert.deepEqual(asked[from].requestedSchema.properties.answer.enum, ["script", "each", "always", "no"]);

	/* The same script and one that differs in one character ask again, and a no holds for all of it. */
	sent = calls();
	reply = () => say("no");
	for (const code of [listed, listed.replace("a: 2", "a: 3")])
		assert.match(await whole.run(code), /s\.echo is not allowed: --ask s\.echo, and the person said no/);
	assert.equal(asked.length, from + 3);
	assert.equal(calls(), sent + 2, "only what is allowed was called");
	assert.equal(await whole.run(two), '["NotAllowed","NotAllowed"]');

	/* A yes covers what was shown: other arguments, and tools whose name is computed, are asked about when they happen. */
	from = asked.length;
	reply = ({ message }) => say(/wants to call:/.test(message) ? "script" : "no");
	assert.equal(await whole.run(`
		const name = ["ec", "ho"].join("");
		return [await tools.s[name]({ a: 9 }).catch((e) => e.code), await tools.s.echo({ a: 1 })]`),
		'["NotAllowed",{"a":1}]');
	assert.match(asked[from].message, /- s\.echo\(\{"a":1\}\) in line 3.*\nSome of its calls are not known before they happen/s);
	assert.match(asked[from + 1].message, /s\.echo\(\{"a":9\}\)/);
	assert.equal(asked.length, from + 2);

	/* "each" is per call. */
	from = asked.length;
	reply = ({ message }) => say(/wants to call:/.test(message) ? "each" : /1/.test(message) ? "once" : "no");
	assert.equal(await whole.run(two), '[1,"NotAllowed"]');
	assert.equal(asked.length, from + 3);

	/* A server that redefines its tool takes the approval with it. */
	const turned = await connect({ elicitation: {} }, "--mcp-server", `t=${server} --turns`, "--ask", "destroys");
	open.push(turned.client);
	from = asked.length;
	reply = ({ message }) => say(/wants to call:/.test(message) ? "script" : "no");
	assert.match(await turned.run(`
		await tools.s.echo({ a: 1 });
		await tools.t.echo({});
		for (let i = 0; i < 200; i++) {
			try { await tools.t.echo({}) } catch (e) { return [e.code, await tools.s.echo({ a: 1 }).catch((e) => e.code)] }
			await codemode.sleep(20);
		}`), /^\["NotAllowed","NotAllowed"\]$/);
	assert.equal(asked.length, from + 3);
	assert.match(asked[from + 1].message,
		/t\.echo\(\{\}\): --ask destroys, and since then its server has changed its word on what it does\. Allow it\?/);

	/* So does one that takes its tool away for a while. */
	const left = await connect({ elicitation: {} }, "--mcp-server", `t=${server} --leaves`, "--ask", "t");
	open.push(left.client);
	from = asked.length;
	reply = ({ message }) => say(/wants to call:/.test(message) ? "script" : "no");
	assert.equal(await left.run(`
		await tools.t.echo({});
		for (let i = 0; i < 200; i++) {
			try { await tools.t.echo({}) } catch (e) { return e.code }
			await codemode.sleep(20);
		}`), "NotAllowed");
	assert.equal(asked.length, from + 2);

	/* A yes to a tool that was redefined while the question stood is a yes to another tool. */
	const swift = await connect({ elicitation: {} }, "--ask-each", "--mcp-server", `t=${server} --turns --log ${log}`, "--ask", "t");
	open.push(swift.client);
	const about_sleep = [];
	let changed = false;
	reply = async ({ message }) => {
		if (/t\.cwd/.test(message)) changed ||= /has changed/.test(message);
		if (!/t\.sleep/.test(message)) return say(/t\.echo/.test(message) ? "once" : "no");
		about_sleep.push(message);
		if (about_sleep.length > 1) return say("no");
		await swift.run("await tools.t.echo({})");
		for (let i = 0; i < 500 && !changed; i++) await swift.run("await tools.t.cwd({}).catch(() => codemode.sleep(10))");
		return say("always");
	};
	assert.equal(await swift.run("return await tools.t.sleep({ ms: 1 }).catch((e) => e.code)"), "NotAllowed");
	assert.equal(changed, true);
	assert.equal(about_sleep.length, 2);
	assert.doesNotMatch(about_sleep[0], /has changed/);
	assert.match(about_sleep[1], /since then its server has changed its word/);

	/* Of arguments that are computed every call is shown, and that a yes is to any. */
	from = asked.length;
	reply = ({ message }) => say(/wants to call:/.test(message) ? "script" : "no");
	await whole.run("const a = Math.random();\nawait tools.s.echo({ a });\nawait tools.s.echo({ b: a + 1 })");
	assert.equal(asked.length, from + 1);
	assert.match(asked[from].message, /\n- s\.echo\(\{ a \}\) in line 2, with any arguments: .*\n- s\.echo\(\{ b: a \+ 1 \}\) in line 3, with any arguments: /);

	/* What is too long to be shown is not covered by a yes to the list. */
	from = asked.length;
	const x = "x".repeat(1500);
	assert.equal(await whole.run(`
		await tools.s.echo({ a: 1 });
		return await tools.s.echo({ t: "${x}", u: "${x}" }).catch((e) => e.code)`), "NotAllowed");
	assert.equal(asked.length, from + 2);
	assert.match(asked[from].message, /Some of its calls are not known/);
	assert.match(asked[from + 1].message, /x \.\.\. and \d+ more bytes\)/);
	console.log("ok");
} finally {
	for (const client of open) await client.close();
	rmSync(folder, { recursive: true, force: true });
}
