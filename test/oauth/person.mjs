// SPDX-License-Identifier: MIT
//
// person.mjs -- a person with a folder of their own, who runs codemode and has
// a browser.

import assert from "node:assert/strict";
import { spawn } from "node:child_process";
import fs from "node:fs";
import os from "node:os";
import path from "node:path";
import { browser } from "./world.mjs";

export const isCallback = (url) => url.startsWith("http://127.0.0.1:");

export function person(program) {
	const folder = fs.mkdtempSync(path.join(os.tmpdir(), "oauth-"));
	const tokens = `${folder}/state/codemode/tokens`;

	// Runs codemode; `on` sees what it has written to stdout and stderr so far;
	// `types`: it writes to stdin, too, of the child that `begun` gets.
	function codemode(args, { on, begun, types = false } = {}) {
		const child = spawn(program, args, {
			cwd: folder,
			env: {
				PATH: process.env.PATH,
				HOME: folder,
				XDG_STATE_HOME: `${folder}/state`,
				BROWSER: "true",
			},
			stdio: [types ? "pipe" : "ignore", "pipe", "pipe"],
		});
		begun?.(child);
		const got = { out: "", err: "" };
		child.stdout.on("data", (part) => {
			got.out += part;
			on?.(got, child);
		});
		child.stderr.on("data", (part) => {
			got.err += part;
			on?.(got, child);
		});
		return new Promise((resolve) =>
			child.on("close", (code, signal) =>
				resolve({ ...got, code: code ?? signal }),
			),
		);
	}

	// Logs in with a browser that comes back by itself.
	function login(args) {
		let went = false;
		return codemode(["login", ...args], {
			async on({ err }) {
				const page = /^http:\/\/localhost:\S+/m.exec(err)?.[0];
				if (!page || went) return;
				went = true;
				const back = await browser(page, isCallback);
				const stranger = new URL(back);
				stranger.searchParams.set("state", "another");
				assert.equal((await fetch(stranger)).status, 400);
				assert.equal((await fetch(new URL("/", back))).status, 400);
				assert.equal((await fetch(back)).status, 200);
			},
		});
	}

	const files = () =>
		fs.existsSync(tokens)
			? fs.readdirSync(tokens).filter((name) => name.endsWith(".json"))
			: [];
	const kept = () => JSON.parse(fs.readFileSync(`${tokens}/${files()[0]}`, "utf8"));
	const leave = () => fs.rmSync(folder, { recursive: true });

	return { folder, tokens, codemode, login, files, kept, leave };
}

// Plays the cases in turn; ends the process.
export async function play(cases, end) {
	let failed = 0;
	for (const each of cases) {
		try {
			await each();
		} catch (e) {
			failed++;
			console.error(`${each.name}: ${e.stack}`);
		}
	}
	end();
	console.log(`${cases.length - failed} of ${cases.length} hold`);
	process.exit(failed ? 1 : 0);
}
