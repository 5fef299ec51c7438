// SPDX-License-Identifier: MIT
//
// http_faults.mjs CODEMODE [CASE...]: `codemode run` and servers over HTTP that
// break off, refuse, forget, redirect and send too much. What happens to one call
// ends that call; the next one works.

import assert from "node:assert/strict";
import { body, calls, event, firstRevision, json, plain, selfSigned, sse, text, using } from "./fake_http.mjs";
import { codemode, configure, folder, play, rest, run, start, wellEnded } from "./rig.mjs";
import { readFileSync, readdirSync, writeFileSync } from "node:fs";
import { createServer } from "node:http";
import { join } from "node:path";
import { connect } from "node:net";
import { gzipSync } from "node:zlib";
import { setTimeout as sleep } from "node:timers/promises";

/* What `s.echo` ends with, and that `s.other` works after it. */
const oneCallFails = (on, words, told = /^$/) =>
	using(on, async (fake) => {
		const r = await run(fake.url, `
			let why = "none";
			try { await tools.s.echo({}) } catch (e) { why = e.message }
			return [why, await tools.s.other({})]`);
		assert.equal(r.code, 0);
		assert.match(r.err, told);
		assert.match(r.value[0], words);
		assert.equal(r.value[1], "other {}");
	});

const descriptors = (pid) => {
	try {
		return readdirSync(`/proc/${pid}/fd`).length;
	} catch {
		return 0; // it has ended
	}
};

const cases = {
	/* The next would be due 3 s after the first. Named first: it waits. */
	"row 19: a stream that always ends is asked for less and less": () =>
		using((req, res) => req.method === "GET" && (sse(res), res.end(": x\n\nretry: 1\n\n"), true),
			async (fake) => {
				wellEnded(await run(fake.url, `
					await tools.s.echo({});
					await new Promise((r) => setTimeout(r, 2300));
					await tools.s.other({})`));
				assert.equal(fake.count("GET"), 2);
			}),

	"a reply is one message": () =>
		using(undefined, async (fake) => {
			const r = await run(fake.url, `await tools.s.echo({ a: 1 })`);
			wellEnded(r);
			assert.equal(r.value, 'echo {"a":1}');
			const first = fake.seen.find((s) => s.message?.method === "tools/call");
			assert.match(first.headers.accept, /application\/json, text\/event-stream/);
			assert.equal(first.headers["mcp-protocol-version"], "2025-06-18");
		}),

	"a reply is a message of many lines": () =>
		using((req, res, m) => calls(m, "echo") &&
			!json(res, JSON.stringify(text(m.id, "x"), null, 2)),
		async (fake) => {
			const r = await run(fake.url, `await tools.s.echo({})`);
			wellEnded(r);
			assert.equal(r.value, "x");
		}),

	"a reply is a stream that is cut anywhere": () =>
		using(async (req, res, m) => {
			if (!calls(m, "echo")) return false;
			sse(res);
			const stream = ": hello\r\n\r\nid: 1\ndata:\n\n" +
				event({ jsonrpc: "2.0", method: "notifications/message", params: { level: "info", data: "log" } }) +
				`event: message\r\ndata: ${JSON.stringify(text(m.id, "\u2028 streamed"))}\r\n\r\n`;
			for (const byte of Buffer.from(stream)) {
				res.write(Buffer.from([byte]));
				await new Promise(setImmediate);
			}
			res.end();
			return true;
		}, async (fake) => {
			const r = await run(fake.url, `await tools.s.echo({})`);
			wellEnded(r);
			assert.equal(r.value, "\u2028 streamed");
		}),

	"a stream that stays open behind its reply holds up nothing": () =>
		using((req, res, m) => {
			if (!calls(m, "echo")) return false;
			sse(res);
			res.write(event(text(m.id, "done")));
			return true;
		}, async (fake) => {
			const r = await run(fake.url, `[await tools.s.echo({}), await tools.s.other({})]`);
			wellEnded(r);
			assert.deepEqual(r.value, ["done", "other {}"]);
		}),

	"a request of the server in a stream is answered": () =>
		using((req, res, m, fake) => {
			if (m?.id === "ping-1") {
				plain(res, 202);
				fake.held.end(event(text(fake.heldId, JSON.stringify(m.result))));
				return true;
			}
			if (!calls(m, "echo")) return false;
			sse(res);
			res.write(event({ jsonrpc: "2.0", id: "ping-1", method: "ping" }));
			fake.held = res;
			fake.heldId = m.id;
			return true;
		}, async (fake) => {
			const r = await run(fake.url, `await tools.s.echo({})`);
			wellEnded(r);
			assert.deepEqual(r.value, {});
		}),

	/* codemode executes codemode-net when it has read all this. */
	"script, data and configuration may come by pipes": () =>
		using(undefined, async (fake) => {
			const config = configure({ s: { url: fake.url } });
			const script = join(folder, "script.js");
			writeFileSync(script, `await tools.s.echo({ data: typeof data === "undefined" ? 0 : data })`);
			for (const [shell, data] of [
				["cat $2 | $0 run -q --mcp $1", 0],
				["cat $2 | $0 run -q --mcp $1 -", 0],
				["$0 run -q --mcp $1 < $2", 0],
				["$0 run -q --mcp <(cat $1) <(cat $2)", 0],
				["echo 7 | $0 run -q --mcp <(cat $1) --data - $2", 7],
			]) {
				const r = await start("bash", ["-c", shell, codemode, config, script]);
				wellEnded(r);
				assert.equal(r.value, `echo {"data":${data}}`, shell);
			}
		}),

	"the session is ended when the run is over": () =>
		using(undefined, async (fake) => {
			wellEnded(await run(fake.url, `await tools.s.echo({})`));
			const bye = fake.seen.at(-1);
			assert.equal(bye.method, "DELETE");
			assert.ok(bye.headers["mcp-session-id"]);
			assert.equal(fake.sessions.size, 0);
		}),

	/* ------------------------------------------------ one call fails */

	"HTTP 500 ends that call": () =>
		oneCallFails((req, res, m) => calls(m, "echo") && !plain(res, 500), /HTTP 500 from http:\/\/127/),

	"a reply that is cut off ends that call": () =>
		oneCallFails((req, res, m) => {
			if (!calls(m, "echo")) return false;
			res.writeHead(200, { "content-type": "application/json", "content-length": "1000" });
			res.write('{"jsonrpc":');
			setTimeout(() => res.destroy(), 20);
			return true;
		}, /broke off/),

	"a connection that is closed without a reply ends that call": () =>
		oneCallFails((req, res, m) => calls(m, "echo") && !res.destroy().x, /broke off/),

	"nothing is left of 600 connections that broke off": () =>
		using((req, res, m, fake) => {
			fake.seen.length = 0;
			return calls(m, "echo") && (m.params.arguments.n % 2 ? res.destroy() : (sse(res), res.end("data: {")), true);
		}, async (fake) => {
			let most = 0;
			const watch = (pid) => (most = Math.max(most, descriptors(pid)));
			const r = await run(fake.url, `
				let failed = 0;
				for (let n = 0; n < 600; n += 4)
					await Promise.all([n, n + 1, n + 2, n + 3].map((n) =>
						tools.s.echo({ n }).catch(() => failed++)));
				return failed`, { watch });
			wellEnded(r);
			assert.equal(r.value, 600);
			assert.ok(most > 5 && most < 40, `${most} descriptors`);
		}),

	"a stream that is cut in an event ends that call": () =>
		oneCallFails((req, res, m) => {
			if (!calls(m, "echo")) return false;
			sse(res);
			res.write(`data: {"jsonrpc":"2.0","id":${m.id},`);
			setTimeout(() => res.destroy(), 20);
			return true;
		}, /broke off/),

	"a stream that ends before its reply ends that call": () =>
		oneCallFails((req, res, m) => {
			if (!calls(m, "echo")) return false;
			sse(res);
			res.end(": nothing\n\n");
			return true;
		}, /ended before the reply/),

	"a page in place of a message ends that call": () =>
		oneCallFails((req, res, m) => calls(m, "echo") &&
			!plain(res, 200, "<html>", { "content-type": "text/html; charset=utf-8" }),
		/of type text\/html/),

	"202 to a request ends that call": () =>
		oneCallFails((req, res, m) => calls(m, "echo") && !plain(res, 202), /sent no reply/),

	"the reply to another request ends that call": () =>
		oneCallFails((req, res, m) => calls(m, "echo") && !json(res, text(m.id + 1000, "x")),
			/answers another request/, /answered id \d+, which was never asked/),

	"a message of 90 MiB ends that call": () =>
		oneCallFails((req, res, m) => {
			if (!calls(m, "echo")) return false;
			res.writeHead(200, { "content-type": "application/json" });
			res.write(`{"jsonrpc":"2.0","id":${m.id},"result":{"content":[{"type":"text","text":"`);
			for (let i = 0; i < 90; i++) res.write("x".repeat(1 << 20));
			res.end('"}]}}');
			return true;
		}, /larger than 80 MiB/),

	"an event of 90 MiB ends that call": () =>
		oneCallFails((req, res, m) => {
			if (!calls(m, "echo")) return false;
			sse(res);
			res.write("data: ");
			for (let i = 0; i < 90; i++) res.write("x".repeat(1 << 20));
			res.end("\n\n");
			return true;
		}, /larger than 80 MiB/),

	"a server that never replies holds up no other call": () =>
		using((req, res, m) => calls(m, "echo"), async (fake) => {
			const r = await run({ s: { url: fake.url, timeout: 1500 } }, `
				const slow = tools.s.echo({}).catch((e) => e.message);
				const quick = await tools.s.other({});
				return [quick, await slow]`);
			wellEnded(r);
			assert.equal(r.value[0], "other {}");
			assert.match(r.value[1], /1500 ms/);
			assert.equal(fake.count("notifications/cancelled"), 1);
		}),

	"a message of 20 MiB comes through": () =>
		using((req, res, m) => calls(m, "echo") && !json(res, text(m.id, "x".repeat(20 << 20))),
			async (fake) => {
				const r = await run(fake.url, `(await tools.s.echo({})).length`);
				wellEnded(r);
				assert.equal(r.value, 20 << 20);
			}),

	"more calls at once than are sent at a time": () => {
		const held = [];
		return using((req, res, m) => {
			if (!calls(m, "echo")) return false;
			held.push(() => json(res, text(m.id, "x")));
			if (held.length === 256) for (const go of held) go();
			return held.length < 256 || held.length === 256 || !json(res, text(m.id, "x"));
		}, async (fake) => {
			const r = await run(fake.url, `
				const all = await Promise.all(Array.from({ length: 400 }, () => tools.s.echo({})));
				return all.length`, { args: ["-q", "--concurrency", "400"] });
			wellEnded(r);
			assert.equal(r.value, 400);
			assert.equal(held.length, 400);
		});
	},

	"replies may be compressed": () =>
		using((req, res, m) => {
			if (calls(m, "echo")) {
				res.writeHead(200, { "content-type": "application/json", "content-encoding": "gzip" });
				res.end(gzipSync(JSON.stringify(text(m.id, "small"))));
				return true;
			}
			if (!calls(m, "other")) return false;
			sse(res, { "content-encoding": "gzip" });
			res.end(gzipSync(event(text(m.id, "stream"))));
			return true;
		}, async (fake) => {
			const r = await run(fake.url, `[await tools.s.echo({}), await tools.s.other({})]`);
			wellEnded(r);
			assert.deepEqual(r.value, ["small", "stream"]);
		}),

	/* -------------------------------------------------- asked to wait */

	"429 with Retry-After is waited for": () => {
		let refused = 0;
		return using((req, res, m) => calls(m, "echo") && refused++ === 0 &&
			!plain(res, 429, "", { "retry-after": "1" }),
		async (fake) => {
			const r = await run(fake.url, `await tools.s.echo({})`);
			wellEnded(r);
			assert.equal(refused, 2);
		});
	},

	"503 with Retry-After is waited for, and without is the end of the call": async () => {
		let refused = 0;
		await using((req, res, m) => calls(m, "echo") && refused++ === 0 &&
			!plain(res, 503, "", { "retry-after": "0" }),
		async (fake) => wellEnded(await run(fake.url, `await tools.s.echo({})`)));
		await oneCallFails((req, res, m) => calls(m, "echo") && !plain(res, 503), /HTTP 503/);
	},

	"a server that is always busy is not asked for ever": () => {
		let asked = 0;
		return oneCallFails((req, res, m) => calls(m, "echo") && ++asked &&
			!plain(res, 429, "", { "retry-after": "0" }), /HTTP 429/)
			.then(() => assert.equal(asked, 6));
	},

	/* ------------------------------------------- streams that go on */

	"a stream that closes early goes on behind its last event": () => {
		let closed = 0;
		return using((req, res, m, fake) => {
			if (calls(m, "echo")) {
				fake.heldId = m.id;
				sse(res);
				res.write("id: e-1\nretry: 300\ndata: \n\n");
				setTimeout(() => {
					closed = Date.now();
					res.end();
				}, 50);
				return true;
			}
			if (req.method !== "GET" || !req.headers["last-event-id"]) return false;
			fake.waited = Date.now() - closed;
			assert.equal(req.headers["last-event-id"], "e-1");
			sse(res);
			res.end(event(text(fake.heldId, "resumed"), "e-2"));
			return true;
		}, async (fake) => {
			const r = await run(fake.url, `await tools.s.echo({})`);
			wellEnded(r);
			assert.equal(r.value, "resumed");
			assert.ok(fake.waited >= 250, `${fake.waited} ms`);
			assert.equal(fake.count("tools/call"), 1);
		});
	},

	"a stream that is not resumed ends that call": () =>
		oneCallFails((req, res, m) => {
			if (!calls(m, "echo")) return false;
			sse(res);
			res.end("id: e-1\nretry: 10\ndata: \n\n");
			return true;
		}, /is not resumed \(HTTP 405\)/),

	/* ------------------------------------------------- 18: sessions */

	"row 18: a session that the server forgot is greeted again, once": () => {
		let lost = false;
		return using((req, res, m, fake) => {
			if (calls(m, "other") && !lost) {
				lost = true;
				fake.sessions.clear();
			}
			return false;
		}, async (fake) => {
			const r = await run(fake.url, `
				const before = await tools.s.echo({});
				const all = await Promise.all([1, 2, 3].map((n) => tools.s.other({ n })));
				return [before, ...all]`);
			wellEnded(r);
			assert.deepEqual(r.value, ["echo {}", 'other {"n":1}', 'other {"n":2}', 'other {"n":3}']);
			assert.equal(fake.count("initialize"), 2);
			const greeting = fake.seen.filter((s) => s.message?.method === "initialize");
			assert.equal(greeting[1].headers["mcp-session-id"], undefined);
		});
	},

	"row 18: a server that is started again while the script runs": () =>
		using(undefined, async (fake) => {
			const helper = (req, res, m) => calls(m, "echo") &&
				(fake.restart().then(() => json(res, text(m.id, "restarted"))), true);
			await using(helper, async (other) => {
				const r = await run({ s: { url: fake.url }, other: { url: other.url } }, `
					[await tools.s.other({}), await tools.other.echo({}), await tools.s.other({})]`);
				wellEnded(r);
				assert.deepEqual(r.value, ["other {}", "restarted", "other {}"]);
				assert.equal(fake.count("initialize"), 2);
			});
		}),

	"row 18: a server that says 400 for a session that it forgot": () => {
		let lost = false;
		return using((req, res, m, fake) => {
			if (calls(m, "other") && !lost) {
				lost = true;
				fake.sessions.clear();
			}
			const id = req.headers["mcp-session-id"];
			return id && !fake.sessions.has(id) && req.method === "POST" &&
				!json(res, { jsonrpc: "2.0", id: null, error: { code: -32000, message: "Bad Request: No valid session ID provided" } }, {}, 400);
		}, async (fake) => {
			const r = await run(fake.url, `[await tools.s.echo({}), await tools.s.other({})]`);
			wellEnded(r);
			assert.deepEqual(r.value, ["echo {}", "other {}"]);
		});
	},

	"row 18: a server that forgets every session is not greeted for ever": () =>
		oneCallFails((req, res, m) => calls(m, "echo") && !plain(res, 404), /HTTP 404/),

	/* ------------------------------------------ 19: the optional stream */

	...Object.fromEntries(Object.entries({
		"405": (res) => plain(res, 405),
		"404": (res) => plain(res, 404),
		"400": (res) => plain(res, 400, "no"),
		"406": (res) => plain(res, 406),
		"200 with a page": (res) => plain(res, 200, "<html>", { "content-type": "text/html" }),
		"200 with a page without end": (res) => {
			res.writeHead(200, { "content-type": "text/html" });
			res.write("<html>");
		},
		"204": (res) => plain(res, 204),
		"a redirect to another origin": (res) => plain(res, 302, "", { location: "http://127.0.0.2:9/" }),
	}).map(([name, refuse]) => [`row 19: GET gives ${name}`, () =>
		using(async (req, res, m, fake) => {
			while (calls(m, "echo") && fake.count("GET") === 0) await sleep(5);
			return req.method === "GET" && (refuse(res), true);
		}, async (fake) => {
			const r = await run(fake.url, `
				const before = await tools.s.echo({});
				await new Promise((r) => setTimeout(r, 300));
				return [before, await tools.s.other({})]`);
			wellEnded(r);
			assert.deepEqual(r.value, ["echo {}", "other {}"]);
			assert.equal(fake.count("GET"), 1);
		})])),

	"no stream is asked for when the server says that nothing comes by it": () =>
		using((req, res, m, fake) => (fake.listens = false), async (fake) => {
			wellEnded(await run(fake.url, `await tools.s.echo({})`));
			assert.equal(fake.count("GET"), 0);
		}),

	"a stream of the server's own goes on behind its last event": () =>
		using(async (req, res, m, fake) => {
			while (calls(m, "echo") && fake.count("GET") < 2) await sleep(5);
			if (req.method !== "GET") return false;
			sse(res);
			if (fake.count("GET") === 1)
				res.end(event({ jsonrpc: "2.0", method: "notifications/tools/list_changed" }, "g-1"));
			return true;
		}, async (fake) => {
			wellEnded(await run(fake.url, `await tools.s.echo({})`));
			const [first, second] = fake.seen.filter((s) => s.method === "GET");
			assert.equal(first.headers["last-event-id"], undefined);
			assert.equal(second.headers["last-event-id"], "g-1");
			assert.ok(second.headers["mcp-session-id"]);
		}),

	/* ------------------------------------------- 20: the old transport */

	"a server of the first revision": () =>
		using(firstRevision, (s) => using(firstRevision, async (t) => {
			const r = await run({ s: { url: s.url }, t: { url: t.url, type: "sse" } },
				`[await tools.s.echo({ a: 1 }), await tools.t.other({})]`);
			wellEnded(r);
			assert.deepEqual(r.value, ['echo {"a":1}', "other {}"]);
		})),

	"a server of the first revision whose stream ends": () =>
		using((req, res, m, fake) => calls(m, "echo") && req.url.startsWith("/messages")
			? (fake.stream.end(), plain(res, 202), true)
			: firstRevision(req, res, m, fake),
		async (fake) => {
			const r = await run({ s: { url: fake.url, type: "sse" } }, `await tools.s.echo({})`);
			assert.notEqual(r.code, 0);
			assert.match(r.err, /its event stream ended/);
		}),

	"an endpoint at another origin is refused": () => {
		let stolen = 0;
		return using((req, res) => {
			if (req.method === "GET") {
				sse(res);
				res.write(`event: endpoint\ndata: http://127.0.0.2:${req.socket.localPort}/\n\n`);
			} else {
				stolen += req.headers.host.startsWith("127.0.0.2") ? 1 : 0;
				plain(res, 404);
			}
			return true;
		}, async (fake) => {
			const r = await run({ s: { url: fake.url, type: "sse" } }, `await tools.s.echo({})`);
			assert.notEqual(r.code, 0);
			assert.match(r.err, /endpoint of another origin/);
			assert.equal(stolen, 0);
		}, { host: "0.0.0.0" });
	},

	"row 20: only 400, 404 and 405 lead to the old transport": async () => {
		for (const status of [401, 403, 410, 500, 502])
			await using((req, res) => !plain(res, status), async (fake) => {
				const r = await run(fake.url, `await tools.s.echo({})`);
				assert.notEqual(r.code, 0);
				assert.equal(fake.count("GET"), 0, `${status}`);
			});
	},

	"row 20: the first error is the one that is told": async () => {
		for (const status of [400, 404, 405])
			await using((req, res) => !plain(res, req.method === "GET" ? 500 : status, "no MCP here"),
				async (fake) => {
					const r = await run(fake.url, `await tools.s.echo({})`);
					assert.notEqual(r.code, 0);
					assert.match(r.err, new RegExp(`HTTP ${status}`));
					assert.equal(fake.count("GET"), 1);
				});
	},

	/* -------------------------------------- redirects, names, sockets */

	"a redirect to the same origin keeps the request": () =>
		using((req, res) => req.url === "/mcp" && !plain(res, 307, "", { location: "/mcp/" }),
			async (fake) => {
				const r = await run({ s: { url: fake.url, headers: { Authorization: "Bearer x" } } },
					`await tools.s.echo({ a: 1 })`);
				wellEnded(r);
				assert.equal(r.value, 'echo {"a":1}');
				assert.equal(fake.seen.at(-2).headers.authorization, "Bearer x");
			}),

	"a redirect to another origin is told, and gets nothing": () =>
		using(undefined, (other) =>
			using((req, res) => !plain(res, 302, "", { location: other.url }), async (fake) => {
				const r = await run({ s: { url: fake.url, headers: { Authorization: "Bearer x" } } },
					`await tools.s.echo({})`);
				assert.notEqual(r.code, 0);
				assert.match(r.err, new RegExp(`redirects to ${other.url}`));
				assert.equal(other.seen.length, 0);
			})),

	"a redirect without end is told": () =>
		using((req, res) => !plain(res, 307, "", { location: "/mcp" }), async (fake) => {
			const r = await run(fake.url, `await tools.s.echo({})`);
			assert.notEqual(r.code, 0);
			assert.match(r.err, /redirects to/);
		}),

	"a certificate that is not known, and one that SSL_CERT_FILE names": async () => {
		const { file, tls } = selfSigned(folder);
		await using(undefined, async (fake) => {
			const refused = await run(fake.url, `await tools.s.echo({})`);
			assert.notEqual(refused.code, 0);
			assert.match(refused.err, /no safe connection to 127\.0\.0\.1:\d+: .*self.signed certificate/);
			assert.equal(fake.seen.length, 0);
			const known = await run(fake.url, `await tools.s.echo({})`, { env: { SSL_CERT_FILE: file } });
			wellEnded(known);
		}, { tls });
	},

	/* Both files count: each server shows a certificate of its own. */
	"NODE_EXTRA_CA_CERTS adds to the certificates that are trusted": async () => {
		const [first, second] = [selfSigned(folder), selfSigned(folder)];
		await using(undefined, (a) => using(undefined, async (b) => {
			const servers = { a: { url: a.url }, b: { url: b.url } };
			const script = `[await tools.a.echo({}), await tools.b.echo({})]`;
			wellEnded(await run(servers, script,
				{ env: { SSL_CERT_FILE: first.file, NODE_EXTRA_CA_CERTS: second.file } }));
			const seen = b.seen.length;
			const refused = await run(servers, script,
				{ env: { SSL_CERT_FILE: first.file, NODE_EXTRA_CA_CERTS: join(folder, "absent.pem") } });
			assert.match(refused.err, /"?b"?.*self.signed certificate/);
			assert.equal(b.seen.length, seen);
		}, { tls: second.tls }), { tls: first.tls });
	},

	"HTTP/2, where the server offers it over TLS": async () => {
		const { file, tls } = selfSigned(folder);
		await using((req) => {
			assert.equal(req.httpVersion, "2.0");
			return false;
		}, async (fake) => {
			const r = await run(fake.url, `await Promise.all([1, 2, 3].map((n) => tools.s.echo({ n })))`,
				{ env: { SSL_CERT_FILE: file } });
			wellEnded(r);
			assert.equal(r.value[2], 'echo {"n":3}');
		}, { tls: { ...tls, allowHTTP1: true }, http2: true });
	},

	"a server at a socket of this machine": () =>
		using(undefined, async (fake) => {
			const r = await run(fake.url, `await tools.s.echo({})`);
			wellEnded(r);
			assert.equal(r.value, "echo {}");
		}, { path: join(folder, "s.sock") }),

	"no program listens": async () => {
		const r = await run("http://127.0.0.1:1/mcp?key=secret", `await tools.s.echo({})`);
		assert.notEqual(r.code, 0);
		assert.match(r.err, /no connection to 127\.0\.0\.1:1: Connection refused/);
		assert.doesNotMatch(r.err, /secret/);
	},

	"there is no such host": async () => {
		const r = await run("http://no-such-host.invalid/mcp", `await tools.s.echo({})`);
		assert.notEqual(r.code, 0);
		assert.match(r.err, /no-such-host\.invalid/);
	},

	"a proxy of the environment is used, but not for loopback": async () => {
		await using(undefined, async (fake) => {
			let asked = 0;
			const proxy = createServer(async (req, res) => {
				asked++;
				const to = connect(fake.port, "127.0.0.1");
				const { pathname } = new URL(req.url);
				const data = await body(req);
				to.write(`${req.method} ${pathname} HTTP/1.0\r\n` + Object.entries(req.headers)
					.map(([k, v]) => `${k}: ${v}\r\n`).join("") + `\r\n${data}`);
				to.pipe(res.socket);
			}).listen(0, "127.0.0.1");
			await sleep(10);
			const env = { http_proxy: `http://127.0.0.1:${proxy.address().port}` };
			const near = await run(fake.url, `await tools.s.echo({})`, { env });
			wellEnded(near);
			assert.equal(asked, 0);
			const far = await run("http://mcp.test/mcp", `await tools.s.echo({})`, { env });
			wellEnded(far);
			assert.equal(far.value, "echo {}");
			assert.ok(asked > 3);
			proxy.closeAllConnections();
			proxy.close();
		});
	},

	"a proxy that drops connections": async () => {
		const proxy = createServer((req, res) => res.destroy()).listen(0, "127.0.0.1");
		await sleep(10);
		const r = await run("http://mcp.test/mcp", `await tools.s.echo({})`,
			{ env: { http_proxy: `http://127.0.0.1:${proxy.address().port}` } });
		proxy.close();
		assert.notEqual(r.code, 0);
		assert.match(r.err, /broke off/);
	},
};

await play(cases, rest);
