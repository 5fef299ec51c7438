// SPDX-License-Identifier: MIT
//
// sdk_client.mjs -- for a program that is called with CODEMODE and NPM: the client
// of the official SDK. NPM is the folder with the packages; without them the
// program says so and exits 77.

import { existsSync, mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";

export const [codemode, npm] = process.argv.slice(2);

const sdk = join(npm, "node_modules/@modelcontextprotocol/sdk/dist/esm/client");
if (!existsSync(sdk)) {
	console.log("skipped: the packages are not there (npm ci in test/npm)");
	process.exit(77);
}
export const { Client } = await import(join(sdk, "index.js"));
export const { StdioClientTransport } = await import(join(sdk, "stdio.js"));
export const { StreamableHTTPClientTransport } = await import(join(sdk, "streamableHttp.js"));

/* A home of their own for the commands that the client starts. */
const home = mkdtempSync(join(tmpdir(), "codemode-home-"));
process.env.HOME = home;
process.on("exit", () => rmSync(home, { recursive: true, force: true }));
