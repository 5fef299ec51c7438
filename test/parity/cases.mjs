// SPDX-License-Identifier: MIT
//
// cases.mjs -- reads the golden scripts of test/script and the extra list.
//
// A case is { name, source, options }. The format of the golden files is
// described in test/script/README.md; only their scripts and options are used
// here, what they expect is golden.c's business.

import { readFileSync, readdirSync } from "node:fs";
import { basename, join } from "node:path";

const HEAD = "//// ";

function options(lines) {
	const mark = "// options: ";
	const line = lines.find((l) => l.startsWith(mark));
	return line ? JSON.parse(line.slice(mark.length)) : {};
}

function ownSource(lines) {
	const mark = "// source: ";
	const line = lines.find((l) => l.startsWith(mark));
	return line && JSON.parse(line.slice(mark.length));
}

function goldenCases(path) {
	const all = [];
	let now;
	for (const line of readFileSync(path, "utf8").split("\n")) {
		if (line.startsWith(HEAD)) {
			now = { title: line.slice(HEAD.length), lines: [] };
			all.push(now);
		} else {
			now?.lines.push(line);
		}
	}
	return all.map(({ title, lines }) => ({
		name: `${basename(path, ".js")}: ${title}`,
		source: ownSource(lines) ?? lines.join("\n"),
		options: options(lines),
		lines,
	}));
}

export function goldenFolder(folder) {
	return readdirSync(folder)
		.filter((f) => f.endsWith(".js"))
		.sort()
		.flatMap((f) => goldenCases(join(folder, f)));
}

/** One script a line; it is its own name. # begins a comment line. */
export function listFile(path) {
	return readFileSync(path, "utf8")
		.split("\n")
		.filter((line) => line.trim() && !line.startsWith("#"))
		.map((line) => ({ name: `list: ${line}`, source: line, options: {} }));
}
