// SPDX-License-Identifier: MIT
//
// sources.mjs OUT -- the large and the hostile scripts of bench/sources.mjs:
// each with its name before it, and a NUL behind both.

import { writeFileSync } from "node:fs";

import { constructs, hostile } from "../../bench/sources.mjs";

const parts = [];
for (const [name, script] of Object.entries({ ...constructs, ...hostile })) {
	for (const size of [10_000, 100_000, 1_000_000]) {
		parts.push(name, "\0", script(size), "\0");
	}
}
writeFileSync(process.argv[2], parts.join(""));
