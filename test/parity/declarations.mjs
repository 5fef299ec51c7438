// SPDX-License-Identifier: MIT
//
// declarations.mjs -- the declarations of real tools, ours and pi-codemode's.
//
//	node22 declarations.mjs DECLARE
//
// DECLARE is the program of test/catalog. The tools are those of the servers in
// test/npm. Both texts are the same when what pi-codemode does otherwise on
// purpose or by mistake is undone, one line of this file each.

import { renderDeclarations } from "../npm/node_modules/@earendil-works/pi-codemode/dist/declarations.js";
import { declare } from "../catalog/typescript.mjs";
import { listTools } from "../catalog/servers.mjs";

const unindented = (s) => s.trim().split("\n").map((l) => l.trim()).join("\n");

/** Ours without what theirs never has. */
function likeTheirs(ours) {
	return unindented(ours)
		// arguments may be left out where {} is one
		.replace(/\(args\?: /g, "(args: ")
		// the descriptions of arguments, results and elements are shown
		.replace(/^\* @(param args|returns).*\n/gm, "")
		.replace(/^\/\/ each: .*\n/gm, "")
		// T[] for plain words
		.replace(/\b([a-z]+)\[\]/g, "Array<$1>")
		.replace(/^\/\*\*\n\* (.*)\n\*\/$/gm, "/** $1 */");
}

/** Theirs, where no member is named and so none is expected. */
function likeOurs(theirs, { inputSchema }) {
	const text = unindented(theirs).replace(/\b([a-z]+)\[\]/g, "Array<$1>");
	const none = inputSchema.properties && Object.keys(inputSchema.properties).length === 0;
	return none ? text.replace("(args: { [key: string]: unknown; })", "(args: {})") : text;
}

const tools = (await listTools()).flatMap((s) => s.tools).map((t) => ({ description: "", ...t }));
let differ = 0;
for (const t of tools) {
	const ours = likeTheirs(declare(process.argv[2], [{ space: "", name: t.name,
		description: t.description, input: t.inputSchema, output: t.outputSchema }])).split("\n");
	const want = likeOurs(renderDeclarations({ tools: [t] }), t).split("\n");
	const at = ours.findIndex((line, i) => line !== want[i]);
	if (at < 0 && ours.length === want.length) continue;
	differ++;
	console.log(`${t.name}:\n\tours   ${ours[at]}\n\ttheirs ${want[at]}`);
}
console.log(`${tools.length} declarations, ${differ} differ`);
process.exit(differ > 0 || tools.length === 0 ? 1 : 0);
