// SPDX-License-Identifier: MIT
//
// world.mjs -- an MCP server behind a login, and the authorization server that
// it trusts: oidc-provider from npm, whose person says yes to everything.

import crypto from "node:crypto";
import http from "node:http";
import { createRequire } from "node:module";

const PERSON = "somebody";
export const SCOPES = ["mcp:read", "mcp:write"];

// Listens on a free port of this machine; the handler may be set later.
function listen() {
	const server = http.createServer((req, res) => server.handler(req, res));
	return new Promise((resolve) =>
		server.listen(0, "localhost", () => {
			server.origin = `http://localhost:${server.address().port}`;
			resolve(server);
		}),
	);
}

function body(req) {
	return new Promise((resolve) => {
		let text = "";
		req.on("data", (part) => (text += part));
		req.on("end", () => resolve(text));
	});
}

// The authorization server. `knobs.life`: seconds that a token lives; `down`: it
// answers nothing; `format`: of its tokens, "opaque" or "jwt"; `machines`: it gives tokens to clients only. `lie`: members of
// the MCP server's own metadata; `once`: it takes each token once; `calls`: after so many calls
// it takes the token no more; `dpop`: tokens are bound to keys, and proofs must have the `nonce`.
async function authority(server, npm, knobs, counts, grants) {
	const { default: Provider } = await import(
		createRequire(`${npm}/package.json`).resolve("oidc-provider")
	);
	const provider = new Provider(server.origin, {
		clients: [
			{
				client_id: "registered",
				client_secret: "a secret: 100 % + more",
				redirect_uris: ["http://127.0.0.1/callback"],
				application_type: "native",
				grant_types: ["authorization_code", "refresh_token"],
			},
			{
				client_id: "machine",
				client_secret: "its secret",
				redirect_uris: [],
				response_types: [],
				grant_types: ["client_credentials"],
			},
			{
				client_id: "asker",
				client_secret: "its secret: 100 %",
				redirect_uris: [],
				response_types: [],
				grant_types: ["client_credentials"],
			},
		],
		scopes: ["openid", "offline_access", ...SCOPES],
		cookies: { keys: ["not secret"] },
		findAccount: (ctx, id) => ({ accountId: id, claims: () => ({ sub: id }) }),
		issueRefreshToken: () => true,
		rotateRefreshToken: true,
		ttl: { AccessToken: () => knobs.life, ClientCredentials: () => knobs.life },
		pkce: { required: () => true },
		clientBasedCORS: () => false,
		features: {
			devInteractions: { enabled: false },
			registration: { enabled: true },
			revocation: { enabled: true },
			introspection: { enabled: true },
			dPoP: {
				enabled: true,
				nonceSecret: crypto.randomBytes(32),
				requireNonce: () => knobs.dpop,
			},
			clientCredentials: { enabled: true },
			resourceIndicators: {
				enabled: true,
				defaultResource: () => [],
				useGrantedResource: () => true,
				getResourceServerInfo: (ctx, resource) => ({
					scope: SCOPES.join(" "),
					audience: resource,
					accessTokenTTL: knobs.life,
					accessTokenFormat: knobs.format,
				}),
			},
		},
	});
	provider.on("grant.success", (ctx) => {
		const grant = ctx.oidc.params.grant_type;
		const name = { refresh_token: "renewed", client_credentials: "machine" }[grant];
		if (name) counts[name] = (counts[name] ?? 0) + 1;
	});
	const answer = provider.callback();
	server.handler = async (req, res) => {
		if (knobs.down) return void res.writeHead(503).end();
		const path = new URL(req.url, server.origin).pathname;
		if (path.startsWith("/.well-known/") && knobs.machines)
			return void res.writeHead(200).end(
				JSON.stringify({
					issuer: server.origin,
					token_endpoint: `${server.origin}/token`,
					grant_types_supported: ["client_credentials"],
				}),
			);
		counts[path] = (counts[path] ?? 0) + 1;
		if (!path.startsWith("/interaction/")) return answer(req, res);
		const { params, grantId } = await provider.interactionDetails(req, res);
		const grant = grantId
			? await provider.Grant.find(grantId)
			: new provider.Grant({ accountId: PERSON, clientId: params.client_id });
		grants.add(grant);
		grant.addOIDCScope(params.scope ?? "");
		if (params.resource) grant.addResourceScope(params.resource, params.scope ?? "");
		await provider.interactionFinished(req, res, {
			login: { accountId: PERSON },
			consent: { grantId: await grant.save() },
		});
	};
	return provider;
}

// Has the client the key that its token is bound to (RFC 9449)? Each proof is
// good once.
const proofs = new Set();
function isProof(req, url, value, token, nonce) {
	const [head, body, sig] = (req.headers.dpop ?? "").split(".");
	if (!sig) return false;
	const read = (part) => JSON.parse(Buffer.from(part, "base64url"));
	const hash = (text) => crypto.createHash("sha256").update(text).digest("base64url");
	const [{ typ, alg, jwk }, claims] = [read(head), read(body)];
	const { crv, kty, x, y } = jwk;
	const good =
		typ === "dpop+jwt" &&
		alg === "ES256" &&
		Object.keys(jwk).length === 4 &&
		crypto.verify(
			"sha256",
			Buffer.from(`${head}.${body}`),
			{ key: crypto.createPublicKey({ key: jwk, format: "jwk" }), dsaEncoding: "ieee-p1363" },
			Buffer.from(sig, "base64url"),
		) &&
		token.jkt === hash(JSON.stringify({ crv, kty, x, y })) &&
		claims.htm === req.method &&
		claims.htu === url &&
		claims.ath === hash(value) &&
		claims.nonce === nonce &&
		!proofs.has(claims.jti);
	proofs.add(claims.jti);
	return good;
}

// The MCP server: one tool, which says what scope its caller has.
function resource(server, provider, issuer, knobs, counts) {
	const url = `${server.origin}/mcp`;
	const metadata = `${server.origin}/.well-known/oauth-protected-resource/mcp`;
	const refuse = (res, status, more) =>
		res
			.writeHead(status, {
				"WWW-Authenticate": `${schemes()} resource_metadata="${metadata}"${more}`,
				...(knobs.dpop ? { "DPoP-Nonce": knobs.nonce } : {}),
			})
			.end();
	const schemes = () => (knobs.dpop ? "DPoP" : "Bearer");
	async function holder(req) {
		const [scheme, value] = (req.headers.authorization ?? "").split(" ");
		if (scheme !== schemes()) return null;
		if (!value || knobs.refused.has(value)) return null;
		const token =
			(await provider.AccessToken.find(value)) ??
			(await provider.ClientCredentials.find(value));
		if (!token?.isValid || token.aud !== url) return null;
		return !knobs.dpop || isProof(req, url, value, token, knobs.nonce) ? token : null;
	}
	const methods = {
		initialize: (params) => ({
			protocolVersion: params.protocolVersion,
			capabilities: { tools: {} },
			serverInfo: { name: "behind-a-login", version: "1" },
		}),
		"tools/list": () => ({
			tools: ["whoami", "write", "header"].map((name) => ({
				name,
				inputSchema: { type: "object" },
			})),
		}),
		"tools/call": (params, token, header) => ({
			content: [{ type: "text", text: params.name === "header" ? header : (token.scope ?? "") }],
		}),
	};
	server.handler = async (req, res) => {
		if (req.url === new URL(metadata).pathname)
			return void res
				.writeHead(200, { "Content-Type": "application/json" })
				.end(
					JSON.stringify({
						resource: url,
						authorization_servers: [issuer],
						scopes_supported: SCOPES,
						...knobs.lie,
					}),
				);
		if (req.url !== "/mcp") return void res.writeHead(404).end();
		if (req.method !== "POST") return void res.writeHead(405).end();
		const message = JSON.parse(await body(req));
		const token = await holder(req);
		if (!token) {
			counts.refused = (counts.refused ?? 0) + 1;
			if (knobs.dpop && req.headers.dpop)
				return refuse(res, 401, `, error="use_dpop_nonce"`);
			return refuse(res, 401, `, scope="mcp:read"`);
		}
		if (message.params?.name === "write" && !/mcp:write/.test(token.scope ?? ""))
			return refuse(res, 403, `, error="insufficient_scope", scope="mcp:write"`);
		if (message.id === undefined) return void res.writeHead(202).end();
		const method = methods[message.method];
		const value = req.headers.authorization.split(" ")[1];
		if (knobs.once || (message.method === "tools/call" && --knobs.calls === 0))
			knobs.refused.add(value);
		if (message.method === "tools/call") counts.calls = (counts.calls ?? 0) + 1;
		res.writeHead(200, { "Content-Type": "application/json" }).end(
			JSON.stringify({
				jsonrpc: "2.0",
				id: message.id,
				...(method
					? { result: method(message.params, token, req.headers.authorization) }
					: { error: { code: -32601, message: "Method not found" } }),
			}),
		);
	};
	return url;
}

const usual = {
	life: 3600,
	format: "opaque",
	refused: new Set(),
	down: false,
	machines: false,
	dpop: false,
	nonce: "",
	once: false,
	calls: Infinity,
	lie: {},
};

// The authorization server alone, for a server of ours.
export async function issuer(npm, more) {
	const as = await listen();
	const knobs = { ...usual, ...more };
	const provider = await authority(as, npm, knobs, {}, new Set());
	return {
		origin: as.origin,
		provider,
		knobs,
		close() {
			as.closeAllConnections();
			as.close();
		},
	};
}

// Both servers. `counts` has the requests by path, and `calls` and `refused` of
// the MCP server; `knobs` changes what they do.
export async function world(npm) {
	const [as, rs] = [await listen(), await listen()];
	const knobs = { ...usual, refused: new Set() };
	const counts = {};
	const grants = new Set();
	const provider = await authority(as, npm, knobs, counts, grants);
	const url = resource(rs, provider, as.origin, knobs, counts);
	return {
		url,
		issuer: as.origin,
		knobs,
		counts,
		// All that anybody was given is worth nothing any more.
		async revoke() {
			for (const grant of grants) {
				await provider.RefreshToken.revokeByGrantId(grant.jti);
				await grant.destroy();
			}
		},
		close() {
			for (const server of [as, rs]) {
				server.closeAllConnections();
				server.close();
			}
		},
	};
}

// A browser without a window: goes where it is sent, until it is sent to an
// address that `stop` knows, which it returns.
export async function browser(url, stop) {
	const jar = new Map();
	for (let hops = 0; hops < 20; hops++) {
		if (stop(url)) return url;
		const reply = await fetch(url, {
			redirect: "manual",
			headers: { Cookie: [...jar].map(([k, v]) => `${k}=${v}`).join("; ") },
		});
		for (const cookie of reply.headers.getSetCookie()) {
			const [pair] = cookie.split(";");
			const at = pair.indexOf("=");
			jar.set(pair.slice(0, at), pair.slice(at + 1));
		}
		const to = reply.headers.get("location");
		if (!to) throw new Error(`${url}: ${reply.status} ${await reply.text()}`);
		url = new URL(to, url).href;
	}
	throw new Error("too many redirects");
}
