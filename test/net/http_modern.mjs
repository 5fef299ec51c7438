// SPDX-License-Identifier: MIT
//
// http_modern.mjs CODEMODE [CASE...]: servers at URLs that speak the revision of
// 2026, and how it is found out what a server speaks.

import assert from "node:assert/strict";
import { setTimeout as sleep } from "node:timers/promises";
import { Modern, calls, event, json, plain, sse, using } from "./fake_http.mjs";
import { play, rest, run, wellEnded } from "./rig.mjs";

const modern = { kind: Modern };
const version = "io.modelcontextprotocol/protocolVersion";
const subscription = "io.modelcontextprotocol/subscriptionId";

const cases = {
	"no greeting, no session, no stream": () =>
		using(undefined, async (fake) => {
			const r = await run(fake.url, `await tools.s.echo({ a: 1 })`);
			wellEnded(r);
			assert.equal(r.value, 'echo {"a":1}');
			assert.deepEqual(fake.seen.map((s) => s.message?.method ?? s.method),
				["server/discover", "tools/list", "tools/call"]);
			for (const { headers, message } of fake.seen) {
				assert.equal(headers["mcp-protocol-version"], "2026-07-28");
				assert.equal(headers["mcp-method"], message.method);
				assert.equal(message.params._meta[version], "2026-07-28");
				assert.equal(headers["mcp-session-id"], undefined);
			}
			assert.equal(fake.seen.at(-1).headers["mcp-name"], "echo");
		}, modern),

	"a call that is given up closes its stream": () => {
		let closed = false;
		return using((req, res, m) => {
			if (!calls(m, "echo")) return false;
			sse(res);
			res.write(": working\n\n");
			res.on("close", () => (closed = true));
			return true;
		}, async (fake) => {
			const r = await run({ s: { url: fake.url, timeout: 1000 } }, `
				const why = await tools.s.echo({}).catch((e) => e.message);
				await new Promise((r) => setTimeout(r, 300));
				return [why, await tools.s.other({})]`);
			wellEnded(r);
			assert.match(r.value[0], /1000 ms/);
			assert.equal(r.value[1], "other {}");
			assert.ok(closed);
			assert.equal(fake.count("notifications/cancelled"), 0);
		}, modern);
	},

	"a stream that ends before its reply is not asked for again": () =>
		using((req, res, m) => {
			if (!calls(m, "echo")) return false;
			sse(res);
			res.end("id: e-1\nretry: 10\ndata: \n\n");
			return true;
		}, async (fake) => {
			const r = await run(fake.url, `await tools.s.echo({}).catch((e) => e.message)`);
			wellEnded(r);
			assert.match(r.value, /ended before the reply/);
			assert.equal(fake.count("GET"), 0);
		}, modern),

	"a subscription that breaks off is made again": () =>
		using(async (req, res, m, fake) => {
			if (m?.method === "subscriptions/listen") {
				sse(res);
				const first = fake.count("subscriptions/listen") === 1;
				const meta = { _meta: { [subscription]: m.id } };
				res.write(event({ jsonrpc: "2.0", method: "notifications/subscriptions/acknowledged", params: { ...meta, notifications: m.params.notifications } }));
				if (first) setTimeout(() => res.destroy(), 20);
				return true;
			}
			while (calls(m, "echo") && fake.count("subscriptions/listen") < 2) await sleep(10);
			return false;
		}, async (fake) => {
			fake.listens = true;
			const r = await run(fake.url, `await tools.s.echo({})`);
			wellEnded(r);
		}, modern),

	"a server that fails is not taken for an old one": async () => {
		for (const status of [500, 502, 503])
			await using((req, res) => !plain(res, status), async (fake) => {
				const r = await run(fake.url, `await tools.s.echo({})`);
				assert.notEqual(r.code, 0);
				assert.match(r.err, new RegExp(`HTTP ${status}`));
				assert.equal(fake.count("initialize"), 0);
			});
	},

	"an old server that refuses what it does not know is greeted": async () => {
		for (const refuse of [
			(res) => plain(res, 400, "no session"),
			(res) => plain(res, 404),
			(res) => json(res, { jsonrpc: "2.0", id: null, error: { code: -32000, message: "Bad Request: Server not initialized" } }, {}, 400),
			(res) => plain(res, 405),
		])
			await using((req, res, m) => m?.method === "server/discover" && !refuse(res), async (fake) => {
				const r = await run(fake.url, `await tools.s.echo({})`);
				wellEnded(r);
				assert.equal(fake.count("initialize"), 1);
			});
	},

	"a server that has no sessions": () =>
		using((req, res, m, fake) => {
			if (req.method !== "POST") return !plain(res, 405);
			if (m.method === "initialize") return false;
			fake.sessions.add("x");
			req.headers["mcp-session-id"] = "x";
			return false;
		}, async (fake) => {
			const r = await run(fake.url, `[await tools.s.echo({}), await tools.s.other({})]`);
			wellEnded(r);
		}),
};

await play(cases, rest);
