// SPDX-License-Identifier: MIT
//
// typescript.mjs -- declares tools with our program, and compiles what comes
// out under --strict.

import { spawnSync } from "node:child_process";
import { createRequire } from "node:module";

const require = createRequire(new URL("../npm/package.json", import.meta.url));
const ts = require("typescript");

/** tools: { space, name, description, input, output }. */
export function declare(program, tools, ...flags) {
	const input = tools.map((t) => `${JSON.stringify(t)}\n`).join("");
	const done = spawnSync(program, flags, { input, encoding: "utf8", maxBuffer: 1 << 28 });
	if (done.status !== 0) throw new Error(`declare: ${done.stderr || done.signal}`);
	return done.stdout;
}

/** Compiles files, { name: text }; gives the errors: { file, line, code, message }. */
export function compile(files) {
	const options = {
		strict: true,
		noEmit: true,
		types: [],
		target: ts.ScriptTarget.ES2022,
		module: ts.ModuleKind.ESNext,
		moduleDetection: ts.ModuleDetectionKind.Legacy,
	};
	const host = ts.createCompilerHost(options);
	const fromDisk = host.getSourceFile.bind(host);
	host.getSourceFile = (name, ...rest) =>
		Object.hasOwn(files, name)
			? ts.createSourceFile(name, files[name], options.target)
			: fromDisk(name, ...rest);
	const program = ts.createProgram(Object.keys(files), options, host);
	return ts.getPreEmitDiagnostics(program).map((d) => ({
		file: d.file?.fileName,
		line: d.file && d.file.getLineAndCharacterOfPosition(d.start).line + 1,
		code: d.code,
		message: ts.flattenDiagnosticMessageText(d.messageText, " "),
	}));
}
