// SPDX-License-Identifier: MIT
//
// sqlite.mjs -- gives the SQLite server a SQLite of WebAssembly in place of its native module, which would have to be
// compiled: nothing that npm installs here runs a program.

import { registerHooks } from "node:module";

registerHooks({
	resolve: (name, context, next) => next(name === "better-sqlite3" ? "@ansvar/mcp-sqlite" : name, context),
});
