// SPDX-License-Identifier: MIT
//
// tools.mjs -- the tools of test/script/tools.c once more, for the other side.
//
// Both lists must answer alike, or the comparison compares tools.

const rows = (n) =>
	Array.from({ length: n }, (_, id) => ({
		id,
		name: `item ${id}`,
		even: id % 2 === 0,
	}));

function nested(n) {
	let all = [];
	for (let i = 1; i < n; i++) all = [all];
	return all;
}

function failure({ message = "boom", name, members } = {}) {
	const e = new Error(message);
	if (name) e.name = name;
	return Object.assign(e, members);
}

const hang = (_args, { signal }) =>
	new Promise((_resolve, reject) =>
		signal.addEventListener("abort", () => reject(new Error("aborted"))),
	);

/** The tools for one run; with names further ones, as in a case's options. */
export function toolsFor(withNames = []) {
	let running = 0;
	const slow = async ({ ms = 10, value, fail } = {}) => {
		const now = ++running;
		await new Promise((done) => setTimeout(done, ms));
		running--;
		if (typeof fail === "string") throw new Error(fail);
		return value === undefined ? now : value;
	};
	const tool = (name, description, execute) => ({ name, description, execute });
	const named = (which) => {
		const name = Array.isArray(which) ? which.join(".") : which;
		const own = Array.isArray(which) ? which[1] : which;
		return { name, execute: (args) => ({ tool: own, args }) };
	};
	return [
		tool("echo", "Gives back its arguments", (args) => args),
		tool("add", "Adds a and b", ({ a, b } = {}) => a + b),
		tool("fail", "Fails", (args) => {
			throw failure(args);
		}),
		tool("slow", "Answers late", slow),
		tool("hang", "Never answers", hang),
		tool("nothing", "Gives undefined", () => undefined),
		tool("nil", "Gives null", () => null),
		tool("big", "Gives rows", ({ n = 1 } = {}) => rows(n)),
		tool("deep", "Gives nested arrays", ({ n = 1 } = {}) => nested(n)),
		tool("odd", "Gives bytes that are no answer", () => undefined),
		...withNames.map(named),
	];
}
