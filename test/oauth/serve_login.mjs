// SPDX-License-Identifier: MIT
//
// serve_login.mjs CODEMODE NPM -- clients log in to `serve --http` at an
// authorization server from npm: the official TypeScript SDK, and our own.

import assert from "node:assert/strict";
import fs from "node:fs";
import { createRequire } from "node:module";
import { person, play } from "./person.mjs";
import { serve } from "./serve.mjs";
import { browser, issuer } from "./world.mjs";

const [program, npm] = process.argv.slice(2);
if (!fs.existsSync(`${npm}/node_modules/oidc-provider`)) {
	console.log("oidc-provider is missing: run ./setup");
	process.exit(77);
}
const sdk = (path) =>
	import(createRequire(`${npm}/package.json`).resolve(`@modelcontextprotocol/sdk/client/${path}`));
const { Client } = await sdk("index.js");
const { StreamableHTTPClientTransport } = await sdk("streamableHttp.js");

const as = await issuer(npm, { format: "jwt" });
const s = await serve(
	program,
	["--oauth-issuer", as.origin, "--oauth-scope", "mcp:read", "--oauth-client", "asker"],
	{ env: { CODEMODE_OAUTH_SECRET: "its secret: 100 %" } },
);

/** What the SDK wants of its user, whose browser says yes to everything. */
class User {
	redirectUrl = "http://127.0.0.1:1/callback";
	clientMetadata = {
		client_name: "a client",
		redirect_uris: [this.redirectUrl],
		grant_types: ["authorization_code", "refresh_token"],
		token_endpoint_auth_method: "none",
		application_type: "native",
	};
	clientInformation = () => this.client;
	saveClientInformation = (client) => void (this.client = client);
	tokens = () => this.kept;
	saveTokens = (tokens) => void (this.kept = tokens);
	saveCodeVerifier = (verifier) => void (this.verifier = verifier);
	codeVerifier = () => this.verifier;
	async redirectToAuthorization(url) {
		this.asked = url;
		const back = await browser(url.href, (u) => u.startsWith(this.redirectUrl));
		this.code = new URL(back).searchParams.get("code");
	}
}

async function connected(user) {
	const transport = () => new StreamableHTTPClientTransport(new URL(s.url), { authProvider: user });
	const first = transport();
	const client = new Client({ name: "sdk", version: "1" });
	await assert.rejects(client.connect(first), /Unauthorized/i);
	await first.finishAuth(user.code);
	const again = new Client({ name: "sdk", version: "1" });
	await again.connect(transport());
	return again;
}

const run = async (client, code) =>
	(await client.callTool({ name: "codemode", arguments: { code } })).content[0].text;

async function theSdkLogsIn() {
	const user = new User();
	const client = await connected(user);
	assert.equal(user.asked.searchParams.get("resource"), s.url);
	assert.equal(user.asked.searchParams.get("scope"), "mcp:read");
	assert.equal(user.kept.access_token.split(".").length, 3);
	assert.equal(await run(client, "return 6 * 7"), "42");
	await client.close();
}

async function tokensThatOnlyTheIssuerReads() {
	as.knobs.format = "opaque";
	const user = new User();
	const client = await connected(user);
	assert.equal(user.kept.access_token.split(".").length, 1);
	assert.equal(await run(client, "return 6 * 7"), "42");
	await client.close();
	as.knobs.format = "jwt";
}

// One that has expired is renewed by the client when it is refused.
async function theSdkRenews() {
	const user = new User();
	const client = await connected(user);
	const old = user.kept;
	user.kept = { ...old, access_token: `${old.access_token.slice(0, -8)}AAAAAAAA` };
	assert.equal(await run(client, "return 1"), "1");
	assert.notEqual(user.kept.access_token, old.access_token);
	await client.close();
}

async function weLogIn() {
	const us = person(program);
	fs.writeFileSync(
		`${us.folder}/mcp.json`,
		JSON.stringify({ mcpServers: { outer: { type: "http", url: s.url } } }),
	);
	const script = `const r = await tools.outer.codemode({ code: "return 6 * 7" }); return r`;
	const go = () => us.codemode(["run", "-q", "--yes", "--mcp", "mcp.json", "-e", script]);
	assert.match((await go()).err, /it wants a login: run codemode login outer/);
	const login = await us.login(["--mcp", "mcp.json", "outer"]);
	assert.equal(login.code, 0, login.err);
	const r = await go();
	assert.equal(r.code, 0, r.err);
	assert.match(r.out, /42/);
	us.leave();
}

await play([theSdkLogsIn, tokensThatOnlyTheIssuerReads, theSdkRenews, weLogIn], () => {
	s.stop();
	as.close();
});
