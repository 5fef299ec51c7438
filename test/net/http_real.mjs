// SPDX-License-Identifier: MIT
//
// http_real.mjs CODEMODE NPM: real servers from npm at URLs, by both transports.
// NPM is the folder with the packages; without them the program exits 77.

import assert from "node:assert/strict";
import { spawn } from "node:child_process";
import { existsSync } from "node:fs";
import { createServer } from "node:net";
import { join } from "node:path";
import { play, rest, run, wellEnded } from "./rig.mjs";

const npm = rest.shift();
const everything = join(npm, "node_modules/@modelcontextprotocol/server-everything/dist/index.js");
if (!existsSync(everything)) {
	console.log("skipped: the packages are not there (npm ci in test/npm)");
	process.exit(77);
}

const freePort = () =>
	new Promise((found) => {
		const s = createServer().listen(0, "127.0.0.1", () => {
			const { port } = s.address();
			s.close(() => found(port));
		});
	});

/* Started, and ended when the case is over. */
const withServer = async (transport, play) => {
	const port = await freePort();
	const server = spawn(join(npm, "node22"), [everything, transport],
		{ env: { ...process.env, PORT: port }, stdio: ["ignore", "ignore", "pipe"] });
	const up = new Promise((ready, failed) => {
		server.on("exit", () => failed(new Error("the server ended")));
		server.stderr.on("data", (d) => /listening|running/i.test(d) && ready());
	});
	try {
		await up;
		await play(`http://127.0.0.1:${port}/${transport === "sse" ? "sse" : "mcp"}`);
	} finally {
		server.removeAllListeners("exit");
		server.kill("SIGKILL");
	}
};

const script = `
	const sums = await Promise.all([1, 2, 3, 4, 5, 6, 7, 8].map((n) => tools.all["get-sum"]({ a: n, b: 1 })));
	const slow = await tools.all["trigger-long-running-operation"]({ duration: 0.5, steps: 5 });
	return [sums.length, sums[7], slow, await tools.all.echo({ message: "\\u2028 ü" })]`;

const bothKinds = async (url, kinds) => {
	for (const type of kinds) {
		const r = await run({ all: { url, type } }, script);
		wellEnded(r);
		assert.equal(r.value[0], 8);
		assert.match(r.value[1], /9/);
		assert.match(r.value[2], /completed/);
		assert.equal(r.value[3], "Echo: \u2028 ü");
	}
};

await play({
	"server-everything by streamable HTTP": () =>
		withServer("streamableHttp", (url) => bothKinds(url, [undefined, "http"])),
	"server-everything by the old HTTP with SSE": () =>
		withServer("sse", (url) => bothKinds(url, [undefined, "sse"])),
}, rest);
