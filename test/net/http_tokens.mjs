// SPDX-License-Identifier: MIT
//
// http_tokens.mjs CODEMODE [CASE...]: how a server at a URL learns who asks, when
// it is not by OAuth: headers, a token, a command that prints one.

import assert from "node:assert/strict";
import { chmodSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { calls, plain, using } from "./fake_http.mjs";
import { folder, play, rest, run, wellEnded } from "./rig.mjs";

/* Refuses all but this token, which a case may change. */
const wants = (good) => (req, res) =>
	req.headers.authorization !== `Bearer ${good()}` &&
	!plain(res, 401, "", { "www-authenticate": 'Bearer realm="x"' });

let number = 0;

/* A command that counts its runs in a file, and prints what `script` prints. */
const command = (script) => {
	const path = join(folder, `command${number++}`);
	writeFileSync(`${path}.count`, "");
	writeFileSync(path, `#!/bin/sh\nprintf x >>${path}.count\n${script}\n`);
	chmodSync(path, 0o755);
	return { path, runs: () => readFileSync(`${path}.count`).length };
};

const cases = {
	"a token of the configuration": () =>
		using(wants(() => "good"), async (fake) => {
			const r = await run({ s: { url: fake.url, bearerToken: "good" } }, `await tools.s.echo({})`);
			wellEnded(r);
			assert.ok(fake.seen.every((s) => s.headers.authorization === "Bearer good"));
		}),

	"a header of the configuration, from the environment": () =>
		using(wants(() => "good"), async (fake) => {
			const r = await run({ s: { url: fake.url, headers: { Authorization: "Bearer ${MY_TOKEN}", "X-More": "1" } } },
				`await tools.s.echo({})`, { env: { MY_TOKEN: "good" } });
			wellEnded(r);
			assert.ok(fake.seen.every((s) => s.headers["x-more"] === "1"));
		}),

	"a token that is refused is told, and not printed": () =>
		using(wants(() => "good"), async (fake) => {
			const r = await run({ s: { url: fake.url, bearerToken: "se-cret" } }, `await tools.s.echo({})`);
			assert.notEqual(r.code, 0);
			assert.match(r.err, /it refuses the token of the configuration/);
			assert.doesNotMatch(r.err, /se-cret/);
		}),

	"a command prints the token: once for all requests": () =>
		using(wants(() => "good"), async (fake) => {
			const c = command("echo '  good '");
			const r = await run({ s: { url: fake.url, tokenCommand: [c.path] } },
				`await Promise.all([1, 2, 3, 4].map((n) => tools.s.echo({ n })))`);
			wellEnded(r);
			assert.equal(c.runs(), 1);
		}),

	"a token that expires in the middle of a script is asked for again, once": () => {
		let good = "t1";
		return using((req, res, m) => {
			if (calls(m, "other")) good = "t2";
			return wants(() => good)(req, res);
		}, async (fake) => {
			const c = command(`echo t$(wc -c <$0.count)`);
			const r = await run({ s: { url: fake.url, tokenCommand: [c.path] } }, `
				const before = await tools.s.echo({});
				return [before, ...await Promise.all([1, 2, 3].map((n) => tools.s.other({ n })))]`);
			wellEnded(r);
			assert.deepEqual(r.value, ["echo {}", 'other {"n":1}', 'other {"n":2}', 'other {"n":3}']);
			assert.equal(c.runs(), 2);
		});
	},

	"a command whose token is refused": () =>
		using(wants(() => "good"), async (fake) => {
			const c = command("echo bad");
			const r = await run({ s: { url: fake.url, tokenCommand: [c.path] } }, `await tools.s.echo({})`);
			assert.notEqual(r.code, 0);
			assert.match(r.err, /it refuses the token that the token command prints/);
			assert.equal(c.runs(), 2);
		}),

	"commands that fail, print nothing, print two lines, are not there": () =>
		using(undefined, async (fake) => {
			for (const [script, words] of [
				["exit 3", /its token command failed/],
				["true", /its token command printed no token/],
				["echo a; echo b", /its token command printed no token/],
			]) {
				const r = await run({ s: { url: fake.url, tokenCommand: [command(script).path] } },
					`await tools.s.echo({})`);
				assert.notEqual(r.code, 0);
				assert.match(r.err, words);
			}
			const r = await run({ s: { url: fake.url, tokenCommand: ["/no/such/program"] } },
				`await tools.s.echo({})`);
			assert.notEqual(r.code, 0);
			assert.match(r.err, /its token command cannot be started/);
			assert.equal(fake.seen.length, 0);
		}),

	"a command that takes its time holds up no other server": () => {
		const asked = join(folder, "asked");
		return using((req, res, m) => {
			if (m?.method === "tools/list") writeFileSync(asked, "");
			return false;
		}, (quick) => using(undefined, async (fake) => {
			const c = command(`while [ ! -e ${asked} ]; do sleep 0.02; done; echo good`);
			const r = await run({ q: { url: quick.url }, s: { url: fake.url, tokenCommand: [c.path] } },
				`[await tools.q.echo({}), await tools.s.echo({})]`);
			wellEnded(r);
		}));
	},
};

await play(cases, rest);
