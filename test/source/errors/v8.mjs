// SPDX-License-Identifier: MIT
//
// v8.mjs -- what V8 says of the scripts in FILE.cases.
//
//	node v8.mjs FILE.cases          compares with the part "v8" of each case
//	node v8.mjs --fill FILE.cases   writes the file with those parts as they are
//
// A script is the body of an async function in a context that has nothing but
// the language and what codemode gives it.
import { readFileSync } from "node:fs";
import { createContext, runInContext } from "node:vm";

const answers = {
	github: {
		list_prs: { items: [{ id: 1, title: "a", user: { login: "ann" } }, { id: 2, title: "b" }], total: 2 },
		count: 3,
		nothing: null,
	},
	files: { read_file: "first\nsecond", folder: { content: "a.js\nb.js" } },
};

const scope = () => {
	const quiet = () => {};
	const tools = {};
	for (const [space, names] of Object.entries(answers)) {
		tools[space] = {};
		for (const [name, answer] of Object.entries(names))
			tools[space][name] = `async () => (${JSON.stringify(answer)})`;
	}
	const context = createContext({ text: quiet, load: () => undefined, store: quiet, btoa, structuredClone });
	runInContext(`globalThis.tools = {
		github: { ${Object.entries(tools.github).map(([k, v]) => `${k}: ${v}`)},
			fails: async () => { throw new Error("the tool says no") } },
		files: { ${Object.entries(tools.files).map(([k, v]) => `${k}: ${v}`)} },
	}`, context);
	return context;
};

const v8_says = async (script) => {
	try {
		const context = scope();
		const main = runInContext(`(async (tools, console) => {\n${script}\n})`, context);
		await main(context.tools, { log() {}, error() {} });
	} catch (e) {
		return `${e.name}: ${e.message}`;
	}
	return "(nothing)";
};

const blocks = (all) => {
	const [head, ...rest] = all.split(/^=== /m);
	return [head, rest.map((block) => {
		const [given, ...parts] = block.split(/^--- /m);
		const end = given.indexOf("\n");
		return { title: given.slice(0, end), script: given.slice(end + 1, -1), parts };
	})];
};

const file = process.argv.at(-1);
const fill = process.argv[2] === "--fill";
const [head, list] = blocks(readFileSync(file, "utf8"));
let wrong = 0;
let out = head;

for (const { title, script, parts } of list) {
	const says = await v8_says(script);
	const others = parts.filter((p) => !p.startsWith("v8"));
	const mine = parts.find((p) => p.startsWith("v8"));
	out += `=== ${title}\n${script}\n--- v8\n${says}\n${others.map((p) => "--- " + p).join("")}`;
	if (mine !== undefined && mine.slice(3, -1) === says)
		continue;
	if (!fill)
		console.log(`${title}: V8 says: ${says}`);
	wrong++;
}
if (fill) {
	process.stdout.write(out);
} else {
	console.log(`${list.length} scripts, ${wrong} wrong`);
	process.exitCode = wrong > 0 ? 1 : 0;
}
