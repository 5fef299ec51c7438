// SPDX-License-Identifier: MIT
//
// serve_tokens.mjs CODEMODE -- which tokens `serve --http --oauth-issuer` takes,
// and whose session is whose. The issuer is a fake, so that it can lie.

import assert from "node:assert/strict";
import crypto from "node:crypto";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { play } from "./person.mjs";
import { answers, serve } from "./serve.mjs";

const [program] = process.argv.slice(2);

const base64 = (v) => Buffer.from(v).toString("base64url");
const json = (v) => base64(JSON.stringify(v));
const pairs = {
	RS256: crypto.generateKeyPairSync("rsa", { modulusLength: 2048 }),
	ES256: crypto.generateKeyPairSync("ec", { namedCurve: "P-256" }),
	EdDSA: crypto.generateKeyPairSync("ed25519"),
};
const jwk = (pair, more) => ({ ...pair.publicKey.export({ format: "jwk" }), ...more });
const keys = [
	jwk(pairs.RS256, { kid: "r", use: "sig", alg: "RS256" }),
	jwk(pairs.ES256, { kid: "e" }),
	jwk(pairs.EdDSA, { kid: "../../e" }),
];
const kids = { RS256: "r", ES256: "e", EdDSA: "../../e" };

function signature(alg, pair, bytes) {
	if (alg === "HS256") return crypto.createHmac("sha256", pair).update(bytes).digest();
	const options = { key: pair.privateKey, dsaEncoding: "ieee-p1363" };
	return crypto.sign(alg === "EdDSA" ? null : "sha256", Buffer.from(bytes), options);
}

const now = () => Math.floor(Date.now() / 1000);
let issuer;
let s;

const claims = (more) => ({
	iss: issuer.origin,
	aud: s.url,
	sub: "ann",
	scope: "mcp:run other",
	iat: now(),
	exp: now() + 600,
	...more,
});

function token(more = {}, { alg = "ES256", header = {}, pair = pairs[alg] } = {}) {
	const bytes = `${json({ alg, typ: "at+jwt", kid: kids[alg], ...header })}.${json(claims(more))}`;
	return `${bytes}.${base64(alg === "none" ? "" : signature(alg, pair, bytes))}`;
}

const opaque = {};
issuer = await answers({
	"/.well-known/oauth-authorization-server": () => ({
		issuer: issuer.origin,
		jwks_uri: `${issuer.origin}/keys`,
		introspection_endpoint: `${issuer.origin}/introspect`,
	}),
	"/keys": () => ({ keys }),
	"/introspect"(body, req) {
		const given = `Basic ${Buffer.from("rs%201:s%3A%25").toString("base64")}`;
		if (req.headers.authorization !== given) return 401;
		const form = new URLSearchParams(body);
		assert.equal(form.get("token_type_hint"), "access_token");
		return opaque[form.get("token")] ?? { active: false };
	},
	"/evil": () => ({ keys: [jwk(pairs.ES256, { kid: "evil" })] }),
});
s = await serve(
	program,
	["--oauth-issuer", issuer.origin, "--oauth-scope", "mcp:run", "--oauth-client", "rs 1"],
	{ env: { CODEMODE_OAUTH_SECRET: "s:%\n" } },
);
const metadata = new URL("/.well-known/oauth-protected-resource/mcp", s.url).href;

const good = async (t) => assert.equal((await s.initialize(t)).status, 200);
async function refused(t, why, status = 401) {
	const r = await s.initialize(t);
	assert.equal(r.status, status, `${why}: ${JSON.stringify(r)}`);
	const error = status === 403 ? "insufficient_scope" : "invalid_token";
	assert.ok(r.challenge.startsWith(`Bearer error="${error}", error_description="`), r.challenge);
	assert.ok(r.challenge.includes(why), `${why}: ${r.challenge}`);
	assert.ok(r.challenge.endsWith(`scope="mcp:run", resource_metadata="${metadata}"`), r.challenge);
}

async function theMetadata() {
	const expected = {
		resource: s.url,
		authorization_servers: [issuer.origin],
		scopes_supported: ["mcp:run"],
		bearer_methods_supported: ["header"],
		resource_name: "codemode",
	};
	for (const place of [metadata, metadata.replace("/mcp", "")])
		assert.deepEqual(await (await fetch(place)).json(), expected);
	assert.equal((await fetch(`${metadata}/x`)).status, 404);
	const page = await fetch(metadata, { headers: { Origin: "http://localhost:1" } });
	assert.equal(page.headers.get("access-control-allow-origin"), "http://localhost:1");
	const evil = await fetch(metadata, { headers: { Origin: "http://evil.example" } });
	assert.equal(evil.status, 403);
}

async function noToken() {
	const r = await s.initialize();
	assert.equal(r.status, 401);
	assert.equal(r.challenge, `Bearer scope="mcp:run", resource_metadata="${metadata}"`);
	const basic = await s.post(undefined, { method: "ping" }, { Authorization: "Basic YTpi" });
	assert.equal(basic.status, 401);
	for (const method of ["GET", "DELETE"])
		assert.equal((await fetch(s.url, { method })).status, 401);
}

async function allAlgorithms() {
	for (const alg of ["RS256", "ES256", "EdDSA"]) {
		await good(token({ sub: alg }, { alg }));
		await good(token({ sub: alg }, { alg, header: { kid: undefined, typ: undefined } }));
	}
	await good(token({ aud: ["x", s.url], exp: now() + 0.5 }));
	await good(token({ scope: undefined, scp: ["mcp:run"] }));
	await good(token({ sub: undefined, client_id: "machine" }));
	// Two clocks that differ.
	await good(token({ exp: now() - 30, nbf: now() + 30 }));
}

async function claimsThatDoNotFit() {
	await refused(token({ exp: now() - 61 }), "expired");
	await refused(token({ exp: "never" }), "expired");
	await refused(token({ exp: undefined }), "never expires");
	await refused(token({ nbf: now() + 90 }), "not good yet");
	await refused(token({ nbf: "later" }), "not good yet");
	await refused(token({ aud: new URL("/", s.url).href }), "audience");
	await refused(token({ aud: `${s.url}/` }), "audience");
	await refused(token({ aud: undefined }), "audience");
	await refused(token({ aud: [[s.url]] }), "audience");
	await refused(token({ iss: "https://other.example" }), "another issuer");
	await refused(token({ iss: `${issuer.origin}.evil.example` }), "another issuer");
	await refused(token({ iss: undefined }), "another issuer");
	await refused(token({ sub: undefined }), "subject");
	await refused(token({ scope: "other" }), "scope", 403);
	await refused(token({ scope: "mcp:run:all MCP:RUN" }), "scope", 403);
	await refused(token({ scope: undefined }), "scope", 403);
}

async function signaturesThatAreNone() {
	const pem = pairs.RS256.publicKey.export({ type: "spki", format: "pem" });
	const stranger = crypto.generateKeyPairSync("ec", { namedCurve: "P-256" });
	const [head, body, sig] = token().split(".");
	await refused(token({}, { alg: "none" }), "not signed by RS256");
	await refused(token({}, { alg: "none", header: { alg: "NoNe" } }), "not signed by RS256");
	await refused(token({}, { alg: "HS256", pair: pem, header: { kid: "r" } }), "not signed by RS256");
	// The public key as a shared secret, under a name that is allowed.
	await refused(token({}, { alg: "HS256", pair: pem, header: { alg: "RS256", kid: "r" } }), "not signed by its issuer");
	await refused(token({}, { pair: stranger }), "not signed by its issuer");
	await refused(token({}, { pair: stranger, header: { kid: undefined } }), "not signed by its issuer");
	await refused(`${head}.${json(claims({ sub: "root" }))}.${sig}`, "not signed by its issuer");
	await refused(`${head}.${body}.${base64(Buffer.alloc(64))}`, "not signed by its issuer");
	await refused(`${head}.${body}.${sig}AAAA`, "not signed by its issuer");
	await refused(`${head}.${body}.`, "not signed by RS256");
	await refused(token({}, { alg: "RS256", header: { kid: "e" } }), "not signed by its issuer");
}

async function keysInTheToken() {
	const stranger = crypto.generateKeyPairSync("ec", { namedCurve: "P-256" });
	const before = { ...issuer.asked };
	for (const header of [
		{ kid: "evil", jku: `${issuer.origin}/evil` },
		{ kid: "evil", x5u: `${issuer.origin}/evil` },
		{ kid: "evil", jwk: jwk(stranger) },
		{ kid: "../evil" },
		{ kid: `${issuer.origin}/evil` },
		{ kid: "/dev/null" },
		{ kid: "e\u0000" },
		{ kid: "' OR 1=1 --" },
	])
		await refused(token({}, { pair: stranger, header }), "not signed by its issuer");
	assert.equal(issuer.asked["/evil"], undefined);
	// At most one more fetch, however many names there are.
	assert.ok((issuer.asked["/keys"] ?? 0) <= before["/keys"] + 1);
}

async function formsThatAreNone() {
	const t = token();
	const [head, body, sig] = t.split(".");
	await refused(token({}, { header: { crit: ["b64"], b64: false } }), "extensions");
	await refused(token({}, { header: { typ: "logout+jwt" } }), "another purpose");
	await refused(`${base64("[]")}.${body}.${sig}`, "no JWT");
	await refused(`${head}.${base64("{")}.${sig}`, "no JWT");
	await refused(`${head}.${base64('{"a":'.repeat(40) + "1" + "}".repeat(40))}.${sig}`, "no JWT");
	await refused(`${head}=.${body}.${sig}`, "no JWT");
	await refused(`${t}.x`, "issuer takes it no more");
	await refused("x".repeat(16400), "too long");
	const huge = await s.initialize("x".repeat(100000)).catch(() => ({ status: 431 }));
	assert.ok(huge.status === 431 || huge.status === 413, `${huge.status}`);
	await good(t);
}

// A key that comes later is found, and one that is withdrawn is not asked for
// each time.
async function keysChange() {
	const fresh = crypto.generateKeyPairSync("ec", { namedCurve: "P-256" });
	const another = await answers({
		"/.well-known/openid-configuration": () => ({
			issuer: `${another.origin}/`,
			jwks_uri: `${another.origin}/keys`,
		}),
		"/keys": () => ({ keys: set }),
	});
	let set = [jwk(pairs.ES256, { kid: "old" })];
	const t = await serve(program, ["--oauth-issuer", another.origin, "--oauth-audience", "here"]);
	const of = (kid, pair, sub) =>
		token({ iss: another.origin, aud: "here", sub }, { pair, header: { kid } });
	assert.equal((await t.initialize(of("old", pairs.ES256, "a"))).status, 200);
	assert.equal(another.asked["/keys"], 1);
	set = [jwk(fresh, { kid: "new" })];
	const all = await Promise.all(
		Array.from({ length: 10 }, (_, n) => t.initialize(of("new", fresh, `b${n}`))),
	);
	assert.deepEqual(all.map((r) => r.status), Array(10).fill(200));
	assert.equal(another.asked["/keys"], 2);
	for (let n = 0; n < 10; n++)
		assert.equal((await t.initialize(of(`x${n}`, fresh, "c"))).status, 401);
	assert.equal((await t.initialize(of("old", pairs.ES256, "d"))).status, 401);
	assert.equal(another.asked["/keys"], 2);
	await t.stop();
	another.close();
}

async function keysThatAreWeak() {
	const weak = crypto.generateKeyPairSync("rsa", { modulusLength: 1024 });
	const another = await answers({
		"/.well-known/oauth-authorization-server": () => ({
			issuer: another.origin,
			jwks_uri: `${another.origin}/keys`,
		}),
		"/keys": () => ({
			keys: [
				"no key",
				{ kty: "EC" },
				{ kty: "EC", crv: "P-256", kid: "off", x: base64(Buffer.alloc(32, 1)), y: base64(Buffer.alloc(32, 2)) },
				jwk(weak, { kid: "weak" }),
				jwk(pairs.ES256, { kid: "sealed", use: "enc" }),
				jwk(pairs.EdDSA, { kid: "fine" }),
			],
		}),
	});
	const t = await serve(program, ["--oauth-issuer", another.origin, "--oauth-audience", "here"]);
	const of = (alg, kid, pair) =>
		token({ iss: another.origin, aud: "here" }, { alg, pair, header: { kid } });
	assert.equal((await t.initialize(of("RS256", "weak", weak))).status, 401);
	assert.equal((await t.initialize(of("ES256", "off", pairs.ES256))).status, 401);
	assert.equal((await t.initialize(of("ES256", "sealed", pairs.ES256))).status, 401);
	assert.equal((await t.initialize(of("EdDSA", "fine", pairs.EdDSA))).status, 200);
	await t.stop();
	another.close();
}

// Tokens that only the issuer can read.
async function tokensWithoutAForm() {
	Object.assign(opaque, {
		ann: { active: true, aud: s.url, sub: "ann", scope: "mcp:run", exp: now() + 60 },
		machine: { active: true, aud: [s.url], client_id: "machine", scope: "mcp:run" },
		gone: { active: false, aud: s.url, sub: "ann", scope: "mcp:run" },
		odd: { active: "true", aud: s.url, sub: "ann", scope: "mcp:run" },
		other: { active: true, aud: "https://other.example", sub: "ann", scope: "mcp:run" },
		bare: { active: true, sub: "ann", scope: "mcp:run" },
		foreign: { active: true, iss: "https://o.example", aud: s.url, sub: "ann", scope: "mcp:run" },
		late: { active: true, aud: s.url, sub: "ann", scope: "mcp:run", exp: now() - 100 },
		few: { active: true, aud: s.url, sub: "ann", scope: "other" },
	});
	await good("ann");
	await good("machine");
	await refused("gone", "takes it no more");
	await refused("odd", "takes it no more");
	await refused("other", "audience");
	await refused("bare", "audience");
	await refused("foreign", "another issuer");
	await refused("late", "expired");
	await refused("few", "scope", 403);
	// One question, however many requests bear the token.
	const before = issuer.asked["/introspect"];
	opaque.many = { ...opaque.ann, sub: "many" };
	const all = await Promise.all(Array.from({ length: 20 }, () => s.initialize("many")));
	assert.deepEqual(all.map((r) => r.status), Array(20).fill(200));
	assert.equal(issuer.asked["/introspect"], before + 1);
	// More tokens at once than are asked about.
	const crowd = await Promise.all(Array.from({ length: 60 }, (_, n) => s.initialize(`no${n}`)));
	assert.deepEqual(crowd.map((r) => r.status), Array(60).fill(401));
}

async function whoseSession() {
	const ann = (await s.initialize(token({ sub: "ann" }))).session;
	const as = (who, session, code) => s.script(token({ sub: who }), code, session);
	const text = (r) => r.body.result?.content[0].text;
	assert.equal((await as("ann", ann, "store('a', 'hers'); return 1")).status, 200);
	for (const other of ["bob", "Ann", "ann "]) {
		assert.equal((await as(other, ann, "return load('a')")).status, 404, other);
		const r = await fetch(s.url, {
			method: "DELETE",
			headers: { Authorization: `Bearer ${token({ sub: other })}`, "Mcp-Session-Id": ann },
		});
		assert.equal(r.status, 404);
	}
	// A client by the name of a person is not that person.
	const client = token({ sub: undefined, client_id: "ann" });
	assert.equal((await s.script(client, "return 1", ann)).status, 404);
	// Another token of the same person is.
	const renewed = await s.script(token({ sub: "ann", jti: "2" }), "return load('a')", ann);
	assert.match(text(renewed), /hers/);
	// The era without sessions: a store for each person.
	await s.script(token({ sub: "ann" }), "store('m', 'hers'); return 1");
	assert.match(text(await s.script(token({ sub: "ann" }), "return load('m') ?? null")), /hers/);
	assert.match(text(await s.script(token({ sub: "bob" }), "return load('m') ?? null")), /null/);
}

// It is served as soon as the issuer is there.
/* "always" would hold for the scripts of the others, too. */
async function anAnswerHoldsForItsPerson() {
	const folder = mkdtempSync(join(tmpdir(), "codemode-answers-"));
	writeFileSync(join(folder, "one.js"), "return 1");
	const t = await serve(
		program,
		["--oauth-issuer", issuer.origin, "--scripts", folder, "--ask", "scripts"],
		{ env: { XDG_STATE_HOME: folder } },
	);
	const ann = token({ aud: t.url });
	const code = "return await tools.scripts.one({})";
	const can = { elicitation: { form: {} } };
	for (const [answer, comes] of [["always", /the person said no/], ["script", /^1$/]]) {
		const { result } = (await t.script(ann, code, undefined, can)).body;
		const [[key, question]] = Object.entries(result.inputRequests);
		assert.deepEqual(question.params.requestedSchema.properties.answer.enum, ["script", "each", "no"]);
		const more = {
			inputResponses: { [key]: { action: "accept", content: { answer } } },
			requestState: result.requestState,
		};
		const bob = await t.script(token({ aud: t.url, sub: "bob" }), code, undefined, can, more);
		assert.ok(!/^1$/.test(bob.body.result?.content?.[0].text), JSON.stringify(bob.body));
		const done = await t.script(ann, code, undefined, can, more);
		assert.match(done.body.result.content[0].text, comes);
	}
	await t.stop();
	rmSync(folder, { recursive: true });
}

async function anIssuerThatIsLate() {
	let up = false;
	const another = await answers({
		"/.well-known/oauth-authorization-server": () =>
			up ? { issuer: another.origin, jwks_uri: "http://169.254.169.254/keys" } : 503,
	});
	const t = await serve(program, ["--oauth-issuer", another.origin, "--oauth-audience", "here"]);
	const r = await t.initialize(token({ iss: another.origin, aud: "here" }));
	assert.equal(r.status, 503);
	await t.says(/--oauth-issuer http:\S+: its metadata cannot be fetched/);
	await t.stop();
	up = true;
	const u = await serve(program, ["--oauth-issuer", another.origin, "--oauth-audience", "here"]);
	// Its keys are at an address that it has no business with: there are none.
	assert.equal((await u.initialize(token({ iss: another.origin, aud: "here" }))).status, 401);
	await u.stop();
	another.close();
}

async function issuersThatAreNone() {
	const another = await answers({
		"/.well-known/oauth-authorization-server": () => ({
			issuer: "https://other.example",
			jwks_uri: `${another.origin}/keys`,
		}),
	});
	const t = await serve(program, ["--oauth-issuer", another.origin, "--oauth-audience", "here"]);
	const r = await t.initialize(token({ iss: another.origin, aud: "here" }));
	assert.equal(r.status, 503);
	await t.says(/its metadata is for another issuer: https:\/\/other\.example/);
	await t.stop();
	another.close();
	for (const [args, why, env] of [
		[["--oauth-issuer", "http://as.example"], /it is not https/],
		[["--oauth-issuer", "as.example"], /it has no scheme/],
		[["--oauth-issuer", "https://as.example", "--oauth-resource", "mcp"], /--oauth-resource mcp: it has no scheme/],
		[["--oauth-issuer", "https://as.example", "--oauth-scope", "a b"], /--oauth-scope a b: it is no scope/],
		[["--oauth-issuer", "https://as.example"], /exclude each other/, { CODEMODE_HTTP_TOKEN: "x" }],
	])
		await assert.rejects(serve(program, args, { env }), why);
}

await play(
	[
		theMetadata,
		noToken,
		allAlgorithms,
		claimsThatDoNotFit,
		signaturesThatAreNone,
		keysInTheToken,
		formsThatAreNone,
		keysChange,
		keysThatAreWeak,
		tokensWithoutAForm,
		whoseSession,
		anAnswerHoldsForItsPerson,
		anIssuerThatIsLate,
		issuersThatAreNone,
	],
	() => {
		s.stop();
		issuer.close();
	},
);
