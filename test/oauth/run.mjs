// SPDX-License-Identifier: MIT
//
// run.mjs CODEMODE NPM -- scripts that use a server behind a login: tokens that
// expire, are refused, and are renewed by many at once.

import assert from "node:assert/strict";
import fs from "node:fs";

const [program, npm] = process.argv.slice(2);
if (!fs.existsSync(`${npm}/node_modules/oidc-provider`)) process.exit(77);
const { world } = await import("./world.mjs");
const { person, play } = await import("./person.mjs");

const w = await world(npm);
const { folder, codemode, login, files, kept, leave } = person(program);
fs.writeFileSync(
	`${folder}/mcp.json`,
	JSON.stringify({ mcpServers: { wiki: { type: "http", url: w.url } } }),
);

const run = (script) => codemode(["run", "-q", "--mcp", "mcp.json", "-e", script]);
const renewals = () => w.counts.renewed ?? 0;

async function needsALogin() {
	const r = await run("return await tools.wiki.whoami({})");
	assert.notEqual(r.code, 0);
	assert.match(r.err, /wiki.*: it wants a login: run codemode login wiki/);
	assert.equal(w.counts["/auth"] ?? 0, 0);
	const script = "return await tools[Object.keys(tools)[0]].whoami({})";
	const line = await codemode(["run", "-q", "--mcp", w.url, "-e", script]);
	assert.ok(line.err.includes(`run codemode login ${w.url}`), line.err);
}

// A server that says what it was sent: no script, result or log has the token,
// before a renewal and after it.
async function tokensAreNotShown() {
	const first = kept().access;
	const code = "return await tools.wiki.header({})";
	const seen = [await run(code)];
	w.knobs.refused.add(first);
	seen.push(await run(code), await codemode(["run", "-q", "--log", "log", "--mcp", "mcp.json", "-e", code]));
	const second = kept().access;
	assert.notEqual(first, second);
	seen.push({ out: fs.readFileSync(`${folder}/log`, "utf8"), err: "" });
	for (const { out, err } of seen)
		for (const token of [first, second]) assert.ok(!`${out}${err}`.includes(token), out);
	assert.match(seen[0].out, /Bearer \[secret login token\]/);
	assert.match(seen[1].out, /Bearer \[secret login token\]/);
}

async function usesTheLogin() {
	assert.equal((await login(["--mcp", "mcp.json", "wiki"])).code, 0);
	const r = await run("return await tools.wiki.whoami({})");
	assert.equal(r.err, "");
	assert.match(r.out, /mcp:read/);
	assert.equal(renewals(), 0);
}

// The server takes the token no more while the script runs: twenty calls at once
// share one renewal, and all come back.
async function goesOnInTheMiddle() {
	const calls = w.counts.calls;
	w.knobs.calls = 1;
	const r = await run(
		`await tools.wiki.whoami({});
		const all = await Promise.all(Array.from({ length: 20 }, () => tools.wiki.whoami({})));
		return all.length`,
	);
	assert.equal(r.code, 0, r.err);
	assert.match(r.out, /20\n$/);
	assert.equal(w.counts.calls, calls + 21);
	assert.equal(renewals(), 1);
}

// Its time is over: it is renewed before it is sent.
async function renewsWhatExpires() {
	const before = { refused: w.counts.refused, renewed: renewals() };
	const file = `${folder}/state/codemode/tokens/${files()[0]}`;
	fs.writeFileSync(file, JSON.stringify({ ...kept(), expires: 1000 }));
	const r = await run("return await tools.wiki.whoami({})");
	assert.equal(r.code, 0, r.err);
	assert.equal(renewals(), before.renewed + 1);
	assert.equal(w.counts.refused, before.refused);
}

// Each takes the refresh token once: the second must see what the
// first one got, or the authorization server revokes everything.
async function manyProcessesRenewOnce() {
	const before = renewals();
	w.knobs.refused.add(kept().access);
	const all = await Promise.all(
		Array.from({ length: 6 }, () => run("return await tools.wiki.whoami({})")),
	);
	for (const r of all) assert.equal(r.code, 0, r.err);
	assert.equal(renewals(), before + 1);
	assert.equal((await run("return await tools.wiki.whoami({})")).code, 0);
}

// Calls one after the other, and side by side, while each token is good for one.
async function everyTokenOnce() {
	w.knobs.once = true;
	const calls = w.counts.calls;
	const r = await run(`
		for (let i = 0; i < 40; i++) await tools.wiki.whoami({});
		const two = await Promise.all([tools.wiki.whoami({}), tools.wiki.whoami({})]);
		return two.length`);
	w.knobs.once = false;
	assert.equal(r.code, 0, r.err);
	assert.equal(w.counts.calls, calls + 42);
}

async function aScopeThatIsMissing() {
	const r = await run("return await tools.wiki.write({})");
	assert.equal(r.code, 1);
	assert.match(
		r.err,
		/it wants the scope "mcp:write" too: run codemode login wiki/,
	);
	assert.equal((await login(["--mcp", "mcp.json", "wiki"])).code, 0);
	assert.match(kept().scope, /mcp:read.*mcp:write/);
	const again = await run("return await tools.wiki.write({})");
	assert.equal(again.code, 0, again.err);
}

async function aServerThatIsDown() {
	w.knobs.refused.add(kept().access);
	w.knobs.down = true;
	const r = await run("return await tools.wiki.whoami({})");
	assert.notEqual(r.code, 0);
	assert.match(r.err, /answers with status 503|status 503/);
	w.knobs.down = false;
	assert.ok(kept().refresh);
	const again = await run("return await tools.wiki.whoami({})");
	assert.equal(again.code, 0, again.err);
}

async function aLoginThatWasRevoked() {
	w.knobs.refused.add(kept().access);
	await w.revoke();
	const r = await run("return await tools.wiki.whoami({})");
	assert.notEqual(r.code, 0);
	assert.match(r.err, /it wants a login: run codemode login wiki/);
	assert.equal(kept().refresh, undefined);
	assert.equal((await login(["--mcp", "mcp.json", "wiki"])).code, 0);
	assert.equal((await run("return await tools.wiki.whoami({})")).code, 0);
}

// serve runs on: a login in another terminal is seen by the next call.
async function serveSeesALogin() {
	assert.equal((await codemode(["logout", w.url])).code, 0);
	let server;
	let said = "";
	const lines = new Map();
	const ended = codemode(["serve", "-q", "--mcp", "mcp.json"], {
		types: true,
		on(got, child) {
			server = child;
			said = got.out;
			for (const line of said.split("\n").slice(0, -1)) {
				const message = JSON.parse(line);
				lines.get(message.id)?.(message);
			}
		},
		begun(child) {
			server = child;
		},
	});
	const ask = (id, method, params) =>
		new Promise((resolve, reject) => {
			lines.set(id, resolve);
			ended.then((end) => reject(new Error(`serve ended: ${end.code} ${end.err}`)));
			server.stdin.write(`${JSON.stringify({ jsonrpc: "2.0", id, method, params })}\n`);
		});
	const call = async (id) => {
		const code = "return await tools.wiki.whoami({})";
		const r = await ask(id, "tools/call", { name: "codemode", arguments: { code } });
		return JSON.stringify(r.result);
	};
	await ask(1, "initialize", {
		protocolVersion: "2025-06-18",
		capabilities: {},
		clientInfo: { name: "t", version: "1" },
	});
	assert.match(await call(2), /run codemode login wiki/);
	assert.equal((await login(["--mcp", "mcp.json", "wiki"])).code, 0);
	let answer = "";
	for (let id = 3; id < 100 && !/mcp:read/.test(answer); id++) {
		answer = await call(id);
		await new Promise((resolve) => setTimeout(resolve, 200));
	}
	assert.match(answer, /mcp:read/);
	w.knobs.refused.add(kept().access);
	assert.match(await call(100), /mcp:read/);
	server.stdin.end();
	assert.equal((await ended).code, 0);
}

// A client with tokens of its own needs no person.
async function aMachine() {
	assert.equal((await codemode(["logout", w.url])).code, 0);
	fs.writeFileSync(
		`${folder}/mcp.json`,
		JSON.stringify({
			mcpServers: {
				wiki: {
					type: "http",
					url: w.url,
					oauth: { clientId: "machine", clientSecret: "its secret" },
				},
			},
		}),
	);
	w.knobs.machines = true;
	const r = await run("return await tools.wiki.whoami({})");
	assert.equal(r.code, 0, r.err);
	assert.equal((await run("return await tools.wiki.whoami({})")).code, 0);
	assert.equal(w.counts.machine, 1);
}

await play(
	[
		needsALogin,
		usesTheLogin,
		goesOnInTheMiddle,
		renewsWhatExpires,
		manyProcessesRenewOnce,
		tokensAreNotShown,
		everyTokenOnce,
		aScopeThatIsMissing,
		aServerThatIsDown,
		aLoginThatWasRevoked,
		serveSeesALogin,
		aMachine,
	],
	() => {
		w.close();
		leave();
	},
);
