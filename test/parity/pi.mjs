// SPDX-License-Identifier: MIT
//
// pi.mjs -- runs cases through npm @earendil-works/pi-codemode.
//
// What it answers to a case depends on the case, on the package's version and
// on these modules alone. A file keeps the answers, so that only the first run
// of a build takes its minute.

import { createHash } from "node:crypto";
import { existsSync, readFileSync, writeFileSync } from "node:fs";
import { availableParallelism } from "node:os";
import { isMainThread, parentPort, Worker } from "node:worker_threads";
import { CodemodeSandbox, loadQuickJSWasm } from "../npm/node_modules/@earendil-works/pi-codemode/dist/index.js";
import { InlineCodemodeSandbox } from "../npm/node_modules/@earendil-works/pi-codemode/dist/portable.js";
import { CodemodeSourceError, parseCodemodeSource } from "../npm/node_modules/@earendil-works/pi-codemode/dist/source.js";
import { shown } from "./shown.mjs";
import { toolsFor } from "./tools.mjs";

// What the other side has no limit for cannot be compared; nor can a deadline
// so short that its start-up takes most of it.
const SHARED_LIMITS = new Set(["wall_ms", "heap", "polls"]);

export function comparable({ options: { limits = {} } = {} }) {
	return Object.keys(limits).every((k) => SHARED_LIMITS.has(k)) && (limits.wall_ms ?? 500) >= 500;
}

/** Its reader of the options line stands beside its sandbox; ours is in the run. */
async function runSource({ source, options }, wasm) {
	try {
		const { code, options: asked } = parseCodemodeSource(source);
		return await runPi({ source: code, options, timeoutMs: asked.timeoutMs }, wasm);
	} catch (e) {
		if (!(e instanceof CodemodeSourceError)) throw e;
		return { ok: false, output: [], calls: [], error: { kind: "script", name: "SyntaxError", message: e.message } };
	}
}

async function runPi({ source, options = {}, timeoutMs = 20000 }, wasm) {
	const limits = options.limits ?? {};
	const stop = new AbortController();
	const tools = toolsFor(options.with).map((tool) => ({
		...tool,
		execute(args, context) {
			const answer = tool.execute(args, context);
			if (options.cancel !== undefined)
				queueMicrotask(() => stop.abort(new Error(options.cancel || "Execution aborted")));
			return answer;
		},
	}));
	const common = { tools, memoryLimitBytes: limits.heap };
	// Its inline place has no deadline while a script computes.
	const sandbox = limits.wall_ms
		? new CodemodeSandbox(common)
		: new InlineCodemodeSandbox({ ...common, wasm, interruptBudget: limits.polls ?? 20000 });
	try {
		return await sandbox.execute(source, {
			timeoutMs: limits.wall_ms ?? timeoutMs,
			signal: stop.signal,
			store: options.store,
		});
	} finally {
		await sandbox.close();
	}
}

const text = (name) => readFileSync(new URL(name, import.meta.url), "utf8");
const everything = ["pi.mjs", "shown.mjs", "tools.mjs", "../npm/package.json"].map(text).join("");
const keyOf = ({ source, options }) => createHash("sha256").update(JSON.stringify([everything, source, options])).digest("hex");

/** The answers of some cases, by their keys, from threads. */
async function runMissing(cases) {
	const answers = {};
	const threads = Array.from({ length: Math.min(availableParallelism(), 4) }, () => new Worker(new URL(import.meta.url)));
	let next = 0;
	await Promise.all(
		threads.map(async (thread) => {
			while (next < cases.length) {
				const c = cases[next++];
				const answer = new Promise((done, failed) => thread.once("message", done).once("error", failed));
				thread.postMessage({ source: c.source, options: c.options });
				answers[keyOf(c)] = await answer;
				thread.removeAllListeners("error");
			}
			await thread.terminate();
		}),
	);
	return answers;
}

/** The answer to each case, in their order; the file keeps them. */
export async function answersOfPi(cases, file) {
	const kept = file && existsSync(file) ? JSON.parse(readFileSync(file, "utf8")) : {};
	const missing = cases.filter((c) => !(keyOf(c) in kept));
	const all = { ...kept, ...(await runMissing(missing)) };
	if (file && missing.length) writeFileSync(file, JSON.stringify(all));
	return cases.map((c) => all[keyOf(c)]);
}

if (!isMainThread) {
	const wasm = await loadQuickJSWasm();
	parentPort.on("message", async (c) => parentPort.postMessage(shown(await runSource(c, wasm))));
}
