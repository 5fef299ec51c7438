// SPDX-License-Identifier: MIT
//
// oracle.mjs NODE_MODULES FOLDER OUT -- what typescript and amaro make of each
// snippet of FOLDER.
//
// A file *.lines.ts has a snippet on each line, a file *.blocks.ts has them
// between lines of ////. Snippets are the bodies of async functions, but for
// those of modules.*, and are given to both inside of one. OUT gets four
// texts for each, with a NUL behind every one: its name, itself, what
// typescript emits, what amaro leaves (or "!" and why it refuses).

import { createRequire } from "node:module";
import fs from "node:fs";
import path from "node:path";

const [modules, folder, out] = process.argv.slice(2);
const require = createRequire(path.resolve(modules, "x.js"));
const ts = require("typescript");
const amaro = require("amaro");

const BEFORE = "async function f() {", AFTER = "\n}";

function split(name, text) {
	if (name.endsWith(".lines.ts"))
		return text.split("\n").filter((line) => line.trim());
	return text.split(/^\/\/\/\/\n/m);
}

function transpile(text) {
	const result = ts.transpileModule(text, {
		reportDiagnostics: true,
		compilerOptions: {
			target: ts.ScriptTarget.ESNext,
			module: ts.ModuleKind.ESNext,
			verbatimModuleSyntax: true,
			alwaysStrict: false,
			ignoreDeprecations: "6.0",
		},
	});
	return result.outputText.replace(/^export \{\};\n$/m, "");
}

function strip(text) {
	try {
		return amaro.transformSync(text, { mode: "strip-only" }).code;
	} catch (error) {
		return `!${error.message ?? error}`;
	}
}

const records = [];
for (const name of fs.readdirSync(folder).sort()) {
	if (!/\.(lines|blocks)\.ts$/.test(name))
		continue;
	const text = fs.readFileSync(path.join(folder, name), "utf8");
	const whole = name.startsWith("modules.");
	split(name, text).forEach((snippet, i) => {
		const given = whole ? snippet : BEFORE + snippet + AFTER;
		const title = `${name.replace(/\.ts$/, "")}:${i + 1}`;
		records.push(title, snippet, transpile(given), strip(given));
	});
}
fs.writeFileSync(out, records.map((record) => `${record}\0`).join(""));
