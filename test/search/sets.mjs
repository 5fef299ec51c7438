// SPDX-License-Identifier: MIT
//
// sets.mjs -- sets of tools, and questions to them with the tools that are right.

import { readFileSync, readdirSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";

const here = (name) => fileURLToPath(new URL(name, import.meta.url));
export const COLLECTED = here("../../../shared/data/mcp-tools");

// The names that people give these servers in their configuration.
const NAMES = { "github-toolsnaps": "github", "gitlab-zereight": "gitlab", "server-github-legacy": "github-legacy",
	"server-gitlab-legacy": "gitlab-legacy", "atlassian-jira-aashari": "jira", "azure-devops": "azure",
	"chrome-devtools": "chrome", "git-cyanheads": "git", "playwright-allcaps": "playwright-all",
	"server-everything": "everything", "server-filesystem": "filesystem", "server-memory": "memory",
	"server-sequential-thinking": "thinking", "server-slack": "slack" };

const asTool = (space) => (t) => ({ space, name: t.name, description: t.description ?? "", input: t.inputSchema ?? {},
	reads: t.annotations?.readOnlyHint === true });

export function collectedTools() {
	return readdirSync(COLLECTED).filter((f) => f.endsWith(".json") && f !== "INDEX.json").sort().flatMap((f) => {
		const name = f.slice(0, -5);
		return JSON.parse(readFileSync(join(COLLECTED, f), "utf8")).tools.map(asTool(NAMES[name] ?? name));
	});
}

export function coreTools() {
	const servers = JSON.parse(readFileSync(here("core.json"), "utf8"));
	return Object.entries(servers).flatMap(([space, tools]) => Object.entries(tools).map(([name, [description, parameters]]) => ({
		space, name, description, reads: false, input: { type: "object", properties: Object.fromEntries(
			Object.entries(parameters ?? {}).map(([p, about]) => [p, { description: about }])) } })));
}

const pattern = (p) => new RegExp(`^${p.replace(/[.*+?^${}()|[\]\\]/g, (c) => (c === "*" ? ".*" : `\\${c}`))}$`);

/** @returns {{ question: string, right: Set<number>, half: number }[]} */
export function readQuestions(file, tools) {
	const lines = readFileSync(here(file), "utf8").split("\n").filter((l) => l !== "" && !l.startsWith("#"));
	return lines.map((line) => {
		const [question, answer] = line.split(" => ");
		const patterns = answer === "none" ? [] : answer.split(" ").map(pattern);
		const right = new Set();
		tools.forEach((t, i) => patterns.some((p) => p.test(`${t.space}/${t.name}`)) && right.add(i));
		if (answer !== "none" && right.size === 0)
			throw new Error(`no tool is the answer of: ${line}`);
		return { question, right, half: half(question) };
	});
}

/** FNV-1a, bit 32. */
function half(s) {
	let h = 0xcbf29ce484222325n;
	for (const b of new TextEncoder().encode(s))
		h = BigInt.asUintN(64, (h ^ BigInt(b)) * 0x100000001b3n);
	return Number((h >> 32n) & 1n);
}

/** The tools and queries of StableToolBench: DIR has its solvable_queries/test_instruction. */
export function readBench(dir) {
	const tools = [], at = new Map(), questions = [];
	const add = (a) => {
		const key = JSON.stringify([a.tool_name, a.api_name]);
		if (!at.has(key)) {
			at.set(key, tools.length);
			const parameters = [...a.required_parameters, ...a.optional_parameters];
			tools.push({ space: a.tool_name, category: a.category_name, name: a.api_name, description: a.api_description ?? "", reads: false,
				input: { type: "object", properties: Object.fromEntries(parameters.map((p) => [p.name, { description: p.description }])) } });
		}
	};
	for (const file of readdirSync(dir).filter((f) => f.endsWith(".json")).sort()) {
		const asked = JSON.parse(readFileSync(join(dir, file), "utf8"));
		asked.forEach((q) => q.api_list.forEach(add));
		asked.forEach((q) => questions.push({ question: q.query,
			right: new Set(q["relevant APIs"].map((r) => at.get(JSON.stringify(r)))) }));
	}
	return { tools, questions };
}
