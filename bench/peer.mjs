// SPDX-License-Identifier: MIT
//
// peer.mjs -- the others as contestants of the bench; ours.c says what the
// lines that come in and go out mean.
//
//	node22 peer.mjs NAME
//
// Each peer gets what its own manual would do, and every limit that would be
// in the way is lifted: all are measured at their best.

import { readFileSync } from "node:fs";
import { createRequire } from "node:module";
import { createInterface } from "node:readline";

const packages = new URL("../test/npm/node_modules/", import.meta.url);
const load = (path) => import(new URL(path, packages).href);
const SLEEP_MS = 200;

function peopleOf(mb) {
	const max = mb * 1e6;
	const people = [];
	for (let id = 0, size = 1; size < max; id++) {
		const one = {
			id,
			name: `person ${id}`,
			mail: `p${id}@example.org`,
			town: `Town ${id % 97}`,
			score: id * 1.5,
			active: id % 2 === 0,
			tags: ["red", "green"],
			note: "met at the harbour on a rainy day, likes long letters and short meetings",
		};
		people.push(one);
		size += JSON.stringify(one).length + 1;
	}
	return people;
}

let people = [];
const answers = {
	add: async ({ a, b }) => a + b,
	people: async () => people,
	sleep: () => new Promise((wake) => setTimeout(wake, SLEEP_MS, 1)),
};
const names = Object.keys(answers);

// ------------------------------------------------------------- pi-codemode

const PI = "@earendil-works/pi-codemode/dist/";
const piTools = names.map((name) => ({ name, execute: answers[name] }));

const valueOf = (r) => {
	if (!r.ok) throw new Error(r.error.message);
	return r.value;
};

async function piWorker() {
	const { CodemodeSandbox } = await load(`${PI}index.js`);
	const sandbox = new CodemodeSandbox({ tools: piTools });
	return async (code, timeoutMs) => valueOf(await sandbox.execute(code, { timeoutMs }));
}

// With its own budget of polls when the script is to be stopped: the budget is
// all that stops a script there. Otherwise with a budget that is never spent.
async function piInline() {
	const { loadQuickJSWasm } = await load(`${PI}index.js`);
	const { InlineCodemodeSandbox } = await load(`${PI}portable.js`);
	const wasm = await loadQuickJSWasm();
	const working = new InlineCodemodeSandbox({ tools: piTools, wasm, interruptBudget: 1e9 });
	const stopping = new InlineCodemodeSandbox({ tools: piTools, wasm });
	return async (code, timeoutMs) =>
		valueOf(await (timeoutMs < 1000 ? stopping : working).execute(code, { timeoutMs }));
}

// ------------------------------------------------------- quickjs-emscripten

/** A host function that takes and gives JSON text and answers later. */
function jsonFunction(vm, name) {
	return vm.newFunction(name, (args) => {
		const answer = vm.newPromise();
		answers[name](JSON.parse(vm.getString(args))).then((value) => {
			vm.newString(JSON.stringify(value)).consume((text) => answer.resolve(text));
			answer.dispose();
			vm.runtime.executePendingJobs();
		});
		return answer.handle;
	});
}

const bridge = names
	.map((name) => `${name}: async (x) => JSON.parse(await __${name}(JSON.stringify(x)))`)
	.join(", ");

// Its memory must not grow while pending jobs run: it then loses a reference
// and cannot dispose of the context. So it grows once, in the run that warms up.
function growOnce(engine) {
	if (people.length === 0) return;
	const vm = engine.newContext();
	vm.unwrapResult(vm.evalCode("new ArrayBuffer(4e8).byteLength")).dispose();
	vm.dispose();
}

async function emscripten() {
	const { newQuickJSWASMModule, shouldInterruptAfterDeadline } = createRequire(packages)("quickjs-emscripten");
	const engine = await newQuickJSWASMModule();
	let grown = false;
	return async (code, timeoutMs) => {
		if (!grown) growOnce(engine);
		grown = true;
		const vm = engine.newContext();
		try {
			vm.runtime.setInterruptHandler(shouldInterruptAfterDeadline(Date.now() + timeoutMs));
			for (const name of names) jsonFunction(vm, name).consume((f) => vm.setProp(vm.global, `__${name}`, f));
			const promise = vm.unwrapResult(vm.evalCode(`const tools = { ${bridge} }; (async () => {${code}\n})()`));
			const settled = vm.resolvePromise(promise);
			promise.dispose();
			vm.runtime.executePendingJobs();
			return vm.unwrapResult(await settled).consume((value) => vm.dump(value));
		} finally {
			vm.dispose();
		}
	};
}

// -------------------------------------------------------------------- run

async function vercelRun() {
	const { run } = await load("run/dist/index.js");
	const much = 1 << 30;
	return async (source, timeoutMs) => {
		const limits = {
			timeoutMs,
			memoryLimitBytes: much,
			maxResultBytes: much,
			maxHostFunctionArgumentsBytes: much,
			maxHostFunctionOutputBytes: much,
			maxBridgeRequests: 1e6,
			maxInFlightBridgeRequests: 1e6,
		};
		const result = await run({ source, hostFunctions: { tools: answers }, limits });
		return result.value;
	};
}

// ------------------------------------------------------------------- lines

const peers = { "pi-worker": piWorker, "pi-inline": piInline, emscripten, run: vercelRun };

function peak() {
	return /VmHWM:\s+(\d+)/.exec(readFileSync("/proc/self/status", "utf8"))[1];
}

async function measure(execute, code, atOnce, wallMs) {
	const began = performance.now();
	let said;
	try {
		const values = await Promise.all(Array.from({ length: atOnce }, () => execute(code, wallMs)));
		said = JSON.stringify(values[0]);
	} catch (e) {
		said = `!${e.message}`;
	}
	return [performance.now() - began, said];
}

const execute = await peers[process.argv[2]]();
let made = 0;
for await (const line of createInterface({ input: process.stdin })) {
	const [atOnce, wallMs, megabytes, ...path] = line.split(" ");
	if (made !== +megabytes) people = peopleOf((made = +megabytes));
	const [ms, said] = await measure(execute, readFileSync(path.join(" "), "utf8"), +atOnce, +wallMs);
	console.log(`${ms.toFixed(4)} ${peak()} ${said.replaceAll("\n", " ")}`);
}
process.exit(0);
