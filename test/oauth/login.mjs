// SPDX-License-Identifier: MIT
//
// login.mjs CODEMODE NPM -- codemode login, logout and status against a real
// authorization server.

import assert from "node:assert/strict";
import fs from "node:fs";

const [program, npm] = process.argv.slice(2);
if (!fs.existsSync(`${npm}/node_modules/oidc-provider`)) process.exit(77);
const { world, browser } = await import("./world.mjs");
const { person, play, isCallback } = await import("./person.mjs");

const w = await world(npm);
const { folder, tokens, codemode, login, files, kept, leave } = person(program);

async function statusIs(want) {
	const { out, code } = await codemode(["status", w.url]);
	assert.equal(code, 0);
	assert.match(out, want);
	assert.doesNotMatch(out, /secret/i);
	for (const secret of ["access", "refresh"])
		if (files().length && kept()[secret])
			assert.ok(!out.includes(kept()[secret]));
}

// ------------------------------------------------------------------ the tests

async function logsIn() {
	await statusIs(/^http:\S+\/mcp: no login\n$/);
	const r = await login([w.url]);
	assert.equal(r.code, 0, r.err);
	assert.match(r.err, /mcp: logged in\n$/);
	assert.equal(files().length, 1);
	assert.equal(fs.statSync(`${tokens}/${files()[0]}`).mode & 0o777, 0o600);
	assert.equal(fs.statSync(tokens).mode & 0o777, 0o700);
	assert.equal(kept().server, w.url);
	assert.equal(kept().issuer, w.issuer);
	assert.ok(kept().refresh);
	await statusIs(
		/: logged in at http:\S+, a token for 60 min that is renewed by itself, scope "mcp:read/,
	);
}

// The client that was registered is used again, on the same port.
async function logsInAgain() {
	const before = kept();
	const registered = w.counts["/reg"];
	const r = await login([w.url]);
	assert.equal(r.code, 0, r.err);
	assert.equal(w.counts["/reg"], registered);
	assert.notEqual(kept().access, before.access);
	assert.deepEqual(kept().clients, before.clients);
}

async function asksForAScope() {
	const r = await login([w.url, "--scope", "mcp:read mcp:write"]);
	assert.equal(r.code, 0, r.err);
	await statusIs(/scope "mcp:read mcp:write/);
}

// The address, or the code alone, is pasted; what is not the answer is told.
async function pastes() {
	for (const what of [(back) => back, (back) => new URL(back).search]) {
		let went = false;
		const r = await codemode(["login", "--no-browser", w.url], {
			types: true,
			on({ err }, child) {
				const page = /open this page to log in:\n(\S+)\n/.exec(err.replaceAll("codemode: ", ""))?.[1];
				if (!page || !/paste/.test(err) || went) return;
				went = true;
				browser(page, isCallback).then((back) =>
					child.stdin.end(`https://x/?code=1&state=2\nxyz\n${what(back)}\n`),
				);
			},
		});
		assert.equal(r.code, 0, r.err);
		assert.match(r.err, /that is not the answer to this login/);
	}
}

async function namesAServer() {
	fs.writeFileSync(
		`${folder}/mcp.json`,
		JSON.stringify({
			mcpServers: {
				wiki: {
					type: "http",
					url: w.url,
					oauth: { clientId: "registered", clientSecret: "a secret: 100 % + more" },
				},
				local: { command: "true" },
			},
		}),
	);
	const r = await login(["--mcp", "mcp.json", "wiki"]);
	assert.equal(r.code, 0, r.err);
	assert.match(r.err, /wiki: logged in\n$/);
	assert.equal(kept().client_id, "registered");
	assert.ok(!JSON.stringify(kept()).includes("100 %"));
	const status = await codemode(["status", "--mcp", "mcp.json"]);
	assert.match(status.out, /^wiki \(http:\S+\): logged in at/);
	const json = await codemode(["status", "--mcp", "mcp.json", "--json"]);
	assert.equal(JSON.parse(json.out)[0].name, "wiki");
	assert.equal(JSON.parse(json.out)[0].renewed, true);
	for (const [word, why] of [
		["local", /local is a program on this machine/],
		["wicki", /no server is called "wicki"/],
	]) {
		const bad = await codemode(["login", "--mcp", "mcp.json", word]);
		assert.equal(bad.code, 2);
		assert.match(bad.err, why);
	}
}

async function othersMustNotRead() {
	const file = `${tokens}/${files()[0]}`;
	fs.chmodSync(file, 0o644);
	await statusIs(/others can read or write it: chmod 600/);
	fs.chmodSync(file, 0o600);
	await statusIs(/logged in at/);
}

async function logsOut() {
	for (const [said, end] of [
		[/logged out/, /no login/],
		[/there was no login/, /no login/],
	]) {
		const r = await codemode(["logout", w.url]);
		assert.equal(r.code, 0);
		assert.match(r.err, said);
		await statusIs(end);
	}
}

async function tellsWhatFailed() {
	w.knobs.down = true;
	const down = await codemode(["login", w.url]);
	w.knobs.down = false;
	assert.equal(down.code, 6);
	assert.match(down.err, /answers with status 503/);
	const gone = await codemode(["login", "http://127.0.0.1:1/mcp"]);
	assert.equal(gone.code, 6);
	assert.match(gone.err, /http:\/\/127.0.0.1:1\/mcp does not answer: /);
	const open = await codemode(["login", "http://mcp.invalid/mcp"]);
	assert.equal(open.code, 6);
	assert.match(open.err, /a token is sent over https only/);
}

// What the server says of itself and of its login is not all believed.
async function believesNoLies() {
	const evil = "https://evil.example/mcp";
	for (const [lie, why] of [
		[{ resource: evil }, `its metadata is for the resource "${evil}", not for ${w.url}`],
		[
			{ authorization_servers: ["http://169.254.169.254/latest/meta-data"] },
			"is not used: it is at an address that is not public, and the server is not",
		],
		[{ authorization_servers: ["https://10.0.0.1"] }, "is not used: it is at an address"],
		[{ authorization_servers: ["file:///etc/passwd"] }, "is not used: its scheme is not https"],
		[
			{ authorization_servers: [`${w.issuer}/other`] },
			`its authorization server ${w.issuer}/other has no metadata`,
		],
	]) {
		w.knobs.lie = lie;
		const r = await codemode(["login", w.url]);
		assert.equal(r.code, 6);
		assert.ok(r.err.includes(why), r.err);
	}
	w.knobs.lie = {};
	assert.deepEqual(files(), []);
}

await play(
	[
		logsIn,
		logsInAgain,
		asksForAScope,
		pastes,
		namesAServer,
		othersMustNotRead,
		logsOut,
		tellsWhatFailed,
		believesNoLies,
	],
	() => {
		w.close();
		leave();
	},
);
