// SPDX-License-Identifier: MIT
//
// rig.mjs -- for a test program that is called with CODEMODE first: cases one
// after the other, and `codemode run` against servers at URLs.

import assert from "node:assert/strict";
import { spawn } from "node:child_process";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";

export const [codemode, ...rest] = process.argv.slice(2);
export const folder = mkdtempSync(join(tmpdir(), "codemode-net-"));

/* Neither proxies nor certificates of the machine that the test runs on. */
const plainEnv = Object.fromEntries(
	["http_proxy", "https_proxy", "HTTPS_PROXY", "all_proxy", "ALL_PROXY", "no_proxy", "NO_PROXY",
		"CURL_CA_BUNDLE", "SSL_CERT_FILE", "SSL_CERT_DIR", "NODE_EXTRA_CA_CERTS"].map((name) => [name, ""]));

let number = 0;

export const configure = (servers) => {
	const path = join(folder, `mcp${number++}.json`);
	writeFileSync(path, JSON.stringify({ mcpServers: servers }));
	return path;
};

/* {code, out, err, value}; servers: a URL, or what the configuration says of
 * each. */
export const run = (servers, script, { env = {}, args = ["-q"], watch } = {}) => {
	const config = configure(typeof servers === "string" ? { s: { url: servers } } : servers);
	return start(codemode, ["run", ...args, "--mcp", config, "-e", script], env, watch);
};

/* watch(pid) is called again and again while it runs. */
export const start = (program, args, env = {}, watch = () => {}) => {
	const child = spawn(program, args, {
		env: { ...process.env, ...plainEnv, ...env },
		stdio: ["ignore", "pipe", "pipe"],
	});
	const watching = setInterval(() => watch(child.pid), 10);
	let out = "", err = "";
	child.stdout.on("data", (d) => (out += d));
	child.stderr.on("data", (d) => (err += d));
	return new Promise((done) =>
		child.on("close", (code, signal) => clearInterval(watching) ?? done({ code: code ?? signal, out, err, value: parsed(out) })));
};

export const wellEnded = (r) =>
	assert.deepEqual([r.code, r.err], [0, ""], JSON.stringify(r));

const parsed = (out) => {
	try {
		return JSON.parse(out);
	} catch {
		return undefined;
	}
};

const playOne = async (name, play) => {
	try {
		await play();
		console.log(`ok      ${name}`);
		return 0;
	} catch (e) {
		console.log(`FAILED  ${name}\n${String(e.stack ?? e).slice(0, 2000)}`);
		return 1;
	}
};

/* Cases: name to function. Those that are named on the command line, or all; a
 * few at a time, since most of them wait. */
export const play = async (cases, names = []) => {
	const due = Object.entries(cases).filter(
		([name]) => names.length === 0 || names.some((n) => name.includes(n)));
	let failed = 0;
	const work = async () => {
		while (due.length > 0) failed += await playOne(...due.shift());
	};
	try {
		await Promise.all([1, 2, 3, 4].map(work));
	} finally {
		rmSync(folder, { recursive: true, force: true });
	}
	process.exit(failed ? 1 : 0);
};
