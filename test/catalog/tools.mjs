// SPDX-License-Identifier: MIT
//
// tools.mjs -- what real servers declare, and what hostile ones could.
//
//	node22 tools.mjs DECLARE
//
// All compiles under --strict, whatever the schema is, and stays within its
// limit of size. Real tools: those of ../shared/data/mcp-tools beside the
// repository, where that is there, and those of the servers in test/npm.

import { existsSync, readFileSync, readdirSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { hostile } from "./hostile.mjs";
import { listTools } from "./servers.mjs";
import { compile, declare } from "./typescript.mjs";

const COLLECTED = fileURLToPath(new URL("../../../shared/data/mcp-tools", import.meta.url));
const TYPE_MAX = 16_000, LINE_MAX = 2_000;

const asTool = (space) => (t) => ({ space, name: t.name, description: t.description ?? "",
	input: t.inputSchema, output: t.outputSchema });

function collected() {
	if (!existsSync(COLLECTED)) {
		console.log("no collection of tools beside the repository: left out");
		return [];
	}
	return readdirSync(COLLECTED)
		.filter((f) => f.endsWith(".json") && f !== "INDEX.json")
		.flatMap((f) => {
			const read = JSON.parse(readFileSync(`${COLLECTED}/${f}`, "utf8"));
			return (read.tools ?? read).map(asTool(f.slice(0, -5)));
		});
}

/** The longest declaration of one tool, with the types that it names. */
function longest(tools) {
	return Math.max(...tools.map((t) => declare(program, [{ ...t, description: "" }]).length));
}

/** Each signature as the type of a function. */
function signatures() {
	const lines = declare(program, tools, "-1").trimEnd().split("\n");
	return lines.map((l) => l.slice(l.indexOf(" ") + 1).replace("): ", ") => "));
}

const program = process.argv[2];
const made = hostile();
const tools = collected().concat(
	(await listTools()).flatMap(({ name, tools }) => tools.map(asTool(name))), made);
const declared = declare(program, tools), short = signatures();
const files = { "tools.d.ts": declared, "short.ts": short.map((l, i) => `type S${i} = ${l};\n`).join("") };
const faults = compile(files).map((e) =>
	`${e.file}:${e.line}: ${e.message}\n\t${files[e.file]?.split("\n")[e.line - 1]?.slice(0, 500)}`);
if (Math.max(...short.map((l) => l.length)) > 2 * LINE_MAX + 100) faults.push("a line is too long");
if (longest(made) > 2 * TYPE_MAX + 1000) faults.push("a type is too long");
for (const fault of faults) console.log(fault);
console.log(`${tools.length} tools, ${declared.length} bytes, ${faults.length} faults`);
process.exit(faults.length > 0 ? 1 : 0);
