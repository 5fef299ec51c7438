// SPDX-License-Identifier: MIT
//
// suite.mjs -- the types of the JSON Schema suite's schemas.
//
//	node22 suite.mjs DECLARE SUITE
//
// DECLARE is the program made from declare.c. Every declaration compiles under
// --strict. Each value that the suite calls valid type-checks, and one that it
// calls invalid does not. suite.json has the differences with their reasons:
// under "unsaid" the files whose keyword no type can express, under "differ"
// the groups ("file: group") with tests that come out differently. What is not
// listed fails, and so does what is listed and is no difference any more.
//
// SUITE is a checkout of JSON-Schema-Test-Suite, as test/schema has it.

import { existsSync, readFileSync, readdirSync } from "node:fs";
import { compile, declare } from "./typescript.mjs";

const [program, suite] = process.argv.slice(2);
const SUITE = `${suite}/tests`;
const DRAFTS = { "draft2020-12": "https://json-schema.org/draft/2020-12/schema",
	draft7: "http://json-schema.org/draft-07/schema#" };

// A literal with a member that a type does not name. Objects are taken as
// complete when their schema says nothing about other members.
const KNOWN_MEMBERS_ONLY = 2353;

function kindOf(v) {
	if (v === null) return "null";
	return Array.isArray(v) ? "array" : typeof v;
}

/** A schema for values of one kind: keywords like properties say nothing about
 * values of other kinds, which types take as meant. */
function ofKind(schema, kind) {
	const open = kindOf(schema) === "object" && !("type" in schema || "enum" in schema || "const" in schema);
	return open ? { ...schema, type: kind } : schema;
}

function readGroups(draft) {
	return readdirSync(`${SUITE}/${draft}`)
		.filter((f) => f.endsWith(".json"))
		.flatMap((f) => JSON.parse(readFileSync(`${SUITE}/${draft}/${f}`, "utf8"))
			.map((group) => ({ ...group, draft, file: f.slice(0, -5) })));
}

function withDialect(schema, draft) {
	return kindOf(schema) === "object" ? { $schema: DRAFTS[draft], ...schema } : schema;
}

/** Tools and the calls that are to be checked, for one group of the suite. */
function groupCases(group, at) {
	const schema = withDialect(group.schema, group.draft);
	const kinds = new Set(group.tests.map((t) => kindOf(t.data)));
	const name = (kind) => `g${at}_${kind}`;
	const tools = [{ space: "", name: `g${at}`, input: schema, output: schema }];
	for (const kind of kinds)
		tools.push({ space: "", name: name(kind), input: ofKind(schema, kind) });
	const calls = group.tests.map((t) => ({
		file: group.file,
		group: `${group.file}: ${group.description}`,
		title: `${group.draft}: ${group.file}: ${group.description}: ${t.description}`,
		valid: t.valid,
		line: `tools.${name(kindOf(t.data))}(${JSON.stringify(t.data)});`,
	}));
	return { tools, calls };
}

/** Calls that come out differently than the suite says. */
function differences(calls, errors) {
	const at = Map.groupBy(errors.filter((e) => e.file === "calls.ts"), (e) => e.line);
	return calls.flatMap((call, i) => {
		const found = (at.get(i + 1) ?? []).filter((e) => !call.valid || e.code !== KNOWN_MEMBERS_ONLY);
		return found.length > 0 === call.valid ? [{ ...call, why: found[0]?.message ?? "" }] : [];
	});
}

/** What is not listed, and what is listed in vain. */
function judge(differ, { unsaid, differ: groups }) {
	const seen = new Set();
	const isListed = (d) => {
		const key = !d.valid && d.file in unsaid ? d.file : d.group;
		seen.add(key);
		return key in unsaid || key in groups;
	};
	const faults = differ.filter((d) => !isListed(d)).map((d) =>
		`${d.valid ? "refused" : "taken"}: ${d.title}\n\t${d.line}\n\t${d.why}`);
	const vain = Object.keys({ ...unsaid, ...groups }).filter((key) => !seen.has(key));
	return faults.concat(vain.map((key) => `listed, but no difference: ${key}`));
}

if (!existsSync(SUITE)) {
	console.log(`there is no suite at ${suite}: run ./setup`);
	process.exit(1);
}
const listed = JSON.parse(readFileSync(new URL("suite.json", import.meta.url), "utf8"));
const cases = Object.keys(DRAFTS).flatMap(readGroups).map(groupCases);
const tools = cases.flatMap((c) => c.tools), calls = cases.flatMap((c) => c.calls);
const declared = declare(program, tools);
const errors = compile({ "tools.d.ts": declared, "calls.ts": calls.map((c) => `${c.line}\n`).join("") });
const faults = errors
	.filter((e) => e.file !== "calls.ts")
	.map((e) => `does not compile: ${e.message}\n\t${declared.split("\n")[e.line - 1]}`);
const differ = differences(calls, errors);
faults.push(...judge(differ, listed));
for (const fault of faults) console.log(fault);
console.log(`${tools.length} declarations, ${calls.length} values, ${differ.length} listed differences,`,
	`${faults.length} faults`);
process.exit(faults.length > 0 ? 1 : 0);
