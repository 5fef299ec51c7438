// SPDX-License-Identifier: MIT
//
// ajv.mjs -- the package ajv as a contestant of the row of schema.c.
//
//	node22 ajv.mjs FILE
//
// It gets the value as an object, which it needs, already parsed.

import { readFileSync } from "node:fs";
import { createRequire } from "node:module";

const { default: Ajv } = createRequire(new URL("../test/npm/package.json", import.meta.url))("ajv/dist/2020.js");
const { schema, value } = JSON.parse(readFileSync(process.argv[2], "utf8"));
const validate = new Ajv().compile(schema);
const CHECKS = 100000;
for (let sample = 0; sample < 15; sample++) {
	const began = performance.now();
	for (let i = 0; i < CHECKS; i++) if (!validate(value)) process.exit(1);
	console.log((((performance.now() - began) * 1000) / CHECKS).toFixed(4));
}
