// SPDX-License-Identifier: MIT
//
// pi.mjs -- runs one case through npm @earendil-works/pi-codemode.

import { CodemodeSandbox, loadQuickJSWasm } from "../npm/node_modules/@earendil-works/pi-codemode/dist/index.js";
import { InlineCodemodeSandbox } from "../npm/node_modules/@earendil-works/pi-codemode/dist/portable.js";
import { toolsFor } from "./tools.mjs";

const wasm = await loadQuickJSWasm();

// What the other side has no limit for cannot be compared; nor can a deadline
// so short that its start-up takes most of it.
const SHARED_LIMITS = new Set(["wall_ms", "heap", "polls"]);

export function comparable({ options: { limits = {} } = {} }) {
	return Object.keys(limits).every((k) => SHARED_LIMITS.has(k)) && (limits.wall_ms ?? 500) >= 500;
}

export async function runPi({ source, options = {} }) {
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
			timeoutMs: limits.wall_ms ?? 20000,
			signal: stop.signal,
			store: options.store,
		});
	} finally {
		await sandbox.close();
	}
}
