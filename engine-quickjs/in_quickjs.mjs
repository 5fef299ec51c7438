// SPDX-License-Identifier: MIT
//
// in_quickjs.mjs SCRIPT -- runs a script in the QuickJS that the product has
// inside, and prints what it returns. For tables of Unicode, which have to be
// the same in both engines.

import { readFileSync } from "node:fs";
import { QuickJS } from "quickjs-wasi";

const here = (path) => new URL(path, import.meta.url);
const wasm = readFileSync(here("node_modules/quickjs-wasi/quickjs.wasm"));
const vm = await QuickJS.create({ wasm });
const result = vm.evalCode(readFileSync(process.argv[2], "utf8"));
process.stdout.write(result.toString());
