// SPDX-License-Identifier: MIT
//
// dpop.mjs CODEMODE NPM -- tokens that are bound to a key of the client, at a
// server and an authorization server that want nonces in their proofs.

import assert from "node:assert/strict";
import fs from "node:fs";
import { person, play } from "./person.mjs";

const [program, npm] = process.argv.slice(2);
if (!fs.existsSync(`${npm}/node_modules/oidc-provider`)) {
	console.log("oidc-provider is missing: run ./setup");
	process.exit(77);
}
const { world } = await import("./world.mjs");

const w = await world(npm);
const { folder, codemode, login, files, kept, leave } = person(program);
fs.writeFileSync(
	`${folder}/mcp.json`,
	JSON.stringify({ mcpServers: { wiki: { type: "http", url: w.url } } }),
);
const run = (script) => codemode(["run", "-q", "--mcp", "mcp.json", "-e", script]);
const who = "return await tools.wiki.whoami({})";

// A server that says nothing of proofs gets a token without a key, whatever the
// authorization server can do.
async function onlyWhereItIsAskedFor() {
	assert.equal((await login(["--mcp", "mcp.json", "wiki"])).code, 0);
	assert.equal(kept().dpop_key, undefined);
	assert.equal((await run(who)).code, 0);
	assert.equal((await codemode(["logout", w.url])).code, 0);
}

async function theTokenIsBound() {
	w.knobs.dpop = true;
	w.knobs.nonce = "first";
	const r = await login(["--mcp", "mcp.json", "wiki"]);
	assert.equal(r.code, 0, r.err);
	assert.match(kept().dpop_key, /^-----BEGIN PRIVATE KEY-----/);
	const file = `${folder}/state/codemode/tokens/${files()[0]}`;
	assert.equal(fs.statSync(file).mode & 0o777, 0o600);
	const calls = await run("return (await Promise.all([1, 2, 3].map(() => tools.wiki.whoami({})))).length");
	assert.equal(calls.code, 0, calls.err);
	assert.match(calls.out, /3/);
}

// In the middle of a script: the token stays, the proof is made again.
async function theNonceChanges() {
	const { access } = kept();
	const renewed = w.counts.renewed ?? 0;
	w.knobs.nonce = "second";
	const r = await run(`await tools.wiki.whoami({}); ${who}`);
	assert.equal(r.code, 0, r.err);
	assert.equal(kept().access, access);
	assert.equal(w.counts.renewed ?? 0, renewed);
}

async function aBoundTokenIsRenewed() {
	const { access, dpop_key } = kept();
	const file = `${folder}/state/codemode/tokens/${files()[0]}`;
	fs.writeFileSync(file, JSON.stringify({ ...kept(), expires: 1000 }));
	const r = await run(who);
	assert.equal(r.code, 0, r.err);
	assert.notEqual(kept().access, access);
	assert.equal(kept().dpop_key, dpop_key);
}

// A stolen token without its key is refused.
async function aTokenWithoutItsKey() {
	const text = { jsonrpc: "2.0", id: 1, method: "tools/list" };
	for (const scheme of ["Bearer", "DPoP"]) {
		const r = await fetch(w.url, {
			method: "POST",
			headers: { "Content-Type": "application/json", Authorization: `${scheme} ${kept().access}` },
			body: JSON.stringify(text),
		});
		assert.equal(r.status, 401);
	}
	const shown = await codemode(["status"]);
	assert.ok(!shown.out.includes("PRIVATE KEY"), shown.out);
}

await play(
	[onlyWhereItIsAskedFor, theTokenIsBound, theNonceChanges, aBoundTokenIsRenewed, aTokenWithoutItsKey],
	() => {
		w.close();
		leave();
	},
);
