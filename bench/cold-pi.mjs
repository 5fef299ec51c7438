// SPDX-License-Identifier: MIT
//
// cold-pi.mjs -- a whole process that runs `return 1` with pi-codemode inline.

import { loadQuickJSWasm } from "../test/npm/node_modules/@earendil-works/pi-codemode/dist/index.js";
import { InlineCodemodeSandbox } from "../test/npm/node_modules/@earendil-works/pi-codemode/dist/portable.js";

const sandbox = new InlineCodemodeSandbox({ wasm: loadQuickJSWasm() });
const result = await sandbox.execute("return 1");
if (result.value !== 1) throw new Error(JSON.stringify(result));
await sandbox.close();
