// SPDX-License-Identifier: MIT
//
// every_kind.mjs CODEMODE FAKE: every kind of server is killed, drops the connection,
// hangs, is slow and is cut off in the middle of a call, with `codemode run` in front of it. What happens to
// one call ends that call, with its cause, and the next one works. FAKE is the server
// of test/mcp. And TLS and proxies that fail.

import assert from "node:assert/strict";
import { createServer as createPlain, connect } from "node:net";
import { createServer } from "node:http";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { Modern, body, calls, event, firstRevision, json, plain, selfSigned, text, using } from "./fake_http.mjs";
import { codemode, folder, play, rest, run, start, wellEnded } from "./rig.mjs";

const [fakeServer, ...names] = rest;
const { file, tls } = selfSigned(folder);

/* A call that has a fault, then one of the same server that has none: as soon as it is
 * there again, if it was killed. */
const twoCalls = (first, second) => `
	const told = await tools.s.${first}({}).catch((e) => e.message);
	for (let n = 0; ; n++) {
		try {
			return [told, await tools.s.${second}({})];
		} catch (e) {
			if (n > 100 || !/connection/.test(e.message)) throw e;
			await new Promise((done) => setTimeout(done, 100));
		}
	}`;

const inPieces = async (stream, bytes) => {
	for (const byte of Buffer.from(bytes)) {
		stream.write(Buffer.from([byte]));
		await sleep(2);
	}
};

/* What the server does with the call, by its kind of reply. */
const overBody = {
	kill: (res, reply, fake) => fake.restart(),
	drop: (res, reply, fake) => fake.drop(),
	hang: () => {},
	slow: async (res, reply) => {
		res.writeHead(200, { "content-type": "application/json" });
		await inPieces(res, JSON.stringify(reply));
		res.end();
	},
	cut: async (res, reply) => {
		res.writeHead(200, { "content-type": "application/json" });
		res.write(JSON.stringify(reply).slice(0, 30));
		await sleep(50);
		res.destroy();
	},
};
const accepted = (res) => {
	res.writeHead(202);
	res.end();
};
/* The reply comes by the stream that the client keeps open. */
const overStream = {
	kill: (res, reply, fake) => fake.restart(),
	drop: (res, reply, fake) => fake.drop(),
	hang: (res) => accepted(res),
	slow: (res, reply, fake) => {
		accepted(res);
		return inPieces(fake.stream, event(reply));
	},
	cut: async (res, reply, fake) => {
		accepted(res);
		fake.stream.write(event(reply).slice(0, 30));
		await sleep(50);
		fake.stream.destroy();
	},
};

const broken = {
	kill: /broke off|ended/,
	drop: /broke off|ended/,
	hang: /did not answer within 700 ms/,
	slow: /^slow$/,
	cut: /broke off|ended|closed|the text ends/,
};

const limits = (fault) => (fault === "hang" ? { tool_timeout_ms: 700 } : {});

const kinds = {
	"a server at a URL": {},
	"a server at a URL with TLS": { listen: { tls } },
	"a server with HTTP/2": { listen: { tls: { ...tls, allowHTTP1: true }, http2: true } },
	"a server at a socket": { listen: { path: join(folder, "kind.sock") } },
	"a server without sessions": { listen: { kind: Modern } },
	"a server of the first revision": { type: "sse", on: firstRevision, faults: overStream },
};

const cases = {};

for (const [kind, { listen, type, on = () => false, faults = overBody }] of Object.entries(kinds))
	for (const fault of Object.keys(broken))
		cases[`${kind}, and the fault: ${fault}`] = () =>
			using(async (req, res, m, fake) => {
				if (!calls(m, "echo")) return on(req, res, m, fake);
				await faults[fault](res, text(m.id, "slow"), fake);
				return true;
			}, async (fake) => {
				const r = await run({ s: { url: fake.url, type, ...limits(fault) } }, twoCalls("echo", "other"),
					{ env: { SSL_CERT_FILE: file }, args: ["-q", "--timeout", "20000"] });
				assert.equal(r.code, 0, r.err);
				assert.match(r.value[0], broken[fault]);
				assert.equal(r.value[1], "other {}");
				assert.equal(fake.seen.filter((seen) => calls(seen.message, "echo")).length, 1, "it was asked once");
			}, listen && { ...listen, path: listen.path && `${listen.path}.${fault}` });

/* The server has closed the connection while nothing was asked, as all do after a
 * while: the next call is made by another one. */
for (const [kind, { listen }] of Object.entries(kinds).filter(([, { type }]) => !type))
	cases[`${kind}, and a connection that it has closed meanwhile`] = () =>
		using(undefined, async (fake) => {
			let dropped = 0;
			fake.on = (req, res, m) => {
				if (calls(m, "echo")) setTimeout(() => ++dropped && fake.drop(), 100);
				return false;
			};
			const r = await run({ s: { url: fake.url } }, `
				await tools.s.echo({});
				await new Promise((done) => setTimeout(done, 1000));
				return tools.s.other({})`, { env: { SSL_CERT_FILE: file } });
			assert.equal(r.code, 0, r.err);
			assert.equal(r.value, "other {}");
			assert.equal(dropped, 1);
		}, listen && { ...listen, path: listen.path && `${listen.path}.idle` });

/* Many servers close a connection that is idle for 5 s: one that is nearly as old is
 * not used. */
cases["a connection that was idle for 4 s is not used again"] = () => {
	let connections = 0;
	const seen = [];
	return using((req, res, m) => calls(m, "echo") && !seen.push(connections), async (fake) => {
		fake.server.on("connection", () => connections++);
		wellEnded(await run(fake.url, `
			await tools.s.echo({});
			await new Promise((done) => setTimeout(done, 4100));
			await tools.s.echo({})`));
		assert.equal(seen.length, 2);
		assert.ok(seen[1] > seen[0]);
	});
};

for (const [fault, tool, told] of [
	["kill", "die", /The server is gone: it exited with code 3/],
	["hang", "silent", broken.hang],
	["slow", "slow", broken.slow],
	["cut", "cut", /reply is broken: it is not JSON: the text ends inside an array/],
])
	cases[`a server that is a process, and the fault: ${fault}`] = async () => {
		const r = await run({ s: { command: fakeServer, ...limits(fault) } }, twoCalls(tool, "echo"));
		assert.equal(r.code, 0, r.err);
		assert.match(r.value[0], told);
		assert.deepEqual(r.value[1], {});
	};

/* --------------------------------------------------------------- TLS that fails */

const refusedTls = (options, words) => () => {
	const one = selfSigned(folder, options);
	return using(undefined, async (fake) => {
		const r = await run(fake.url, `await tools.s.echo({})`, { env: { SSL_CERT_FILE: one.file } });
		assert.notEqual(r.code, 0);
		assert.match(r.err, words);
		assert.equal(fake.seen.length, 0);
	}, { tls: one.tls });
};

Object.assign(cases, {
	"a certificate of another name": refusedTls({ name: "DNS:elsewhere.example" }, /no safe connection to 127\.0\.0\.1.*(subject|name|match)/i),

	"a certificate that has expired": refusedTls({ expired: true }, /no safe connection to 127\.0\.0\.1.*expired/i),

	"a server that ends the handshake": async () => {
		const fake = createPlain((socket) => socket.once("data", () => socket.destroy())).listen(0, "127.0.0.1");
		await sleep(10);
		const r = await run(`https://127.0.0.1:${fake.address().port}/mcp`, `await tools.s.echo({})`);
		fake.close();
		assert.notEqual(r.code, 0);
		assert.match(r.err, /127\.0\.0\.1:\d+/);
	},

	"a server that speaks no TLS": () =>
		using(undefined, async (fake) => {
			const r = await run(fake.url.replace("http:", "https:"), `await tools.s.echo({})`);
			assert.notEqual(r.code, 0);
			assert.match(r.err, /no safe connection to 127\.0\.0\.1/);
			assert.equal(fake.seen.length, 0);
		}),

	/* ------------------------------------------------------- proxies that drop */

	"a proxy that drops a connection in a call, and the next call works": () =>
		using(undefined, async (fake) => {
			let dropped = 0;
			const proxy = createServer(async (req, res) => {
				const data = await body(req);
				if (data.includes('"echo"')) return ++dropped && res.destroy();
				const to = connect(fake.port, "127.0.0.1");
				to.write(`${req.method} ${new URL(req.url).pathname} HTTP/1.0\r\n` + Object.entries(req.headers)
					.map(([k, v]) => `${k}: ${v}\r\n`).join("") + `\r\n${data}`);
				to.pipe(res.socket);
			}).listen(0, "127.0.0.1");
			await sleep(10);
			const r = await run("http://mcp.test/mcp", twoCalls("echo", "other"),
				{ env: { http_proxy: `http://127.0.0.1:${proxy.address().port}` } });
			proxy.closeAllConnections();
			proxy.close();
			assert.equal(r.code, 0, r.err);
			assert.match(r.value[0], /broke off/);
			assert.equal(r.value[1], "other {}");
			assert.equal(dropped, 1);
		}),

	"a proxy that drops the tunnel": async () => {
		const proxy = createServer().on("connect", (req, socket) => socket.destroy()).listen(0, "127.0.0.1");
		await sleep(10);
		const r = await run("https://mcp.test/mcp", `await tools.s.echo({})`,
			{ env: { https_proxy: `http://127.0.0.1:${proxy.address().port}` } });
		proxy.close();
		assert.notEqual(r.code, 0);
		assert.match(r.err, /mcp\.test|proxy/i);
	},

	"a proxy that refuses the tunnel": async () => {
		const proxy = createServer().on("connect", (req, socket) => socket.end("HTTP/1.1 403 Forbidden\r\n\r\n")).listen(0, "127.0.0.1");
		await sleep(10);
		const r = await run("https://mcp.test/mcp", `await tools.s.echo({})`,
			{ env: { https_proxy: `http://127.0.0.1:${proxy.address().port}` } });
		proxy.close();
		assert.notEqual(r.code, 0);
		assert.match(r.err, /403/);
	},

	"a proxy that is not there": async () => {
		const r = await run("http://mcp.test/mcp", `await tools.s.echo({})`, { env: { http_proxy: "http://127.0.0.1:1" } });
		assert.notEqual(r.code, 0);
		assert.match(r.err, /Connection refused/);
	},

	/* ------------------------------------------ discovery documents that lie */

	...Object.fromEntries(Object.entries({
		"leads to the metadata of a cloud": ["http://169.254.169.254/latest/meta-data", undefined],
		"leads into an internal network": ["https://10.0.0.1/metadata", undefined],
		"leads to a file": ["file:///etc/passwd", undefined],
		"names an authorization server in an internal network": [undefined, "https://192.168.0.1"],
		"names an authorization server of a cloud": [undefined, "http://169.254.169.254"],
		"is moved to a cloud": [undefined, undefined, "http://169.254.169.254/latest"],
	}).map(([lie, [metadata, issuer, moved]]) => [`a discovery document that ${lie}`, () =>
		using((req, res, m, fake) => {
			const here = `http://127.0.0.1:${fake.port}`;
			if (req.url.startsWith("/.well-known/oauth-protected-resource"))
				moved ? plain(res, 302, "", { location: moved }) : json(res, { resource: fake.url, authorization_servers: [issuer ?? here] });
			else
				plain(res, 401, "", { "www-authenticate": `Bearer resource_metadata="${metadata ?? `${here}/.well-known/oauth-protected-resource/mcp`}"` });
			return true;
		}, async (fake) => {
			const r = await start(codemode, ["login", fake.url, "--no-browser"], { XDG_STATE_HOME: folder, XDG_DATA_HOME: folder });
			assert.notEqual(r.code, 0);
			if (moved) return; // as if it were not there
			assert.match(r.err, /is not (used|followed|public)|is refused|not public/, r.err);
			assert.match(r.err, new RegExp((metadata ?? issuer).replaceAll(".", "\\.")));
		})])),
});

await play(cases, names);
