// SPDX-License-Identifier: MIT
//
// page.mjs -- doc/value.md: the words around the figures, which are all from value.mjs.

const n = (x) => Math.round(x).toLocaleString("en-US");
const percent = (x) => `${(100 * x).toFixed(x < 0.1 ? 1 : 0)} %`;
const of = (ours, direct) => percent(ours / direct);
const total = (rows, f) => rows.reduce((sum, row) => sum + f(row), 0);

const TITLES = { tasks: "## Eight tasks", catalogs: "## Hundreds of tools", tau: "## Conversations: τ-bench" };

export function taskSection({ ours, direct }) {
	const definitions = direct.definitions.tokens, definition = ours.definition.tokens;
	const line = ({ title, calls, scripts, bytes, tokens }, i) => `| ${title} | ${calls.length} | ${scripts} | ${
		n(direct.rows[i].bytes)} | ${n(bytes)} | ${n(direct.rows[i].tokens)} | ${n(tokens)} | ${of(tokens, direct.rows[i].tokens)} |`;
	const sums = { direct: total(direct.rows, (r) => r.tokens), ours: total(ours.rows, (r) => r.tokens) };
	const whole = { direct: sums.direct + definitions, ours: sums.ours + definition };
	return `${TITLES.tasks}

\`example/value\` has them: a small web shop behind four real servers from npm (git, filesystem, memory, SQLite; ${direct.tools} tools), and a
script for each task, which \`example/value/run build/release/codemode\` runs. *Directly* is each call that the script makes as
the model would write it, and the texts of its result (not its \`structuredContent\`, which some servers send as well). *By script*
is the arguments of codemode's tool and the texts that it gives back; where the description does not show a tool that the script
needs, scripts that search for it come first and are counted. To look around first (which tables, which folders) costs the same
either way and is left out.

| task | calls | scripts | bytes directly | by script | tokens directly | by script | |
|---|--:|--:|--:|--:|--:|--:|--:|
${ours.rows.map(line).join("\n")}
| all eight | ${total(ours.rows, (r) => r.calls.length)} | ${total(ours.rows, (r) => r.scripts)} | ${
	n(total(direct.rows, (r) => r.bytes))} | ${n(total(ours.rows, (r) => r.bytes))} | ${n(sums.direct)} | ${n(sums.ours)} | ${
	of(sums.ours, sums.direct)} |
| definitions of the tools | | | ${n(direct.definitions.bytes)} | ${n(ours.definition.bytes)} | ${n(definitions)} | ${
	n(definition)} | ${of(definition, definitions)} |
| both | | | | | ${n(whole.direct)} | ${n(whole.ours)} | ${of(whole.ours, whole.direct)} |
`;
}

export function catalogSection(sets) {
	const line = (s) => `| ${n(s.tools)} ${s.name}, ${s.servers} servers | ${n(s.direct.tokens)} | ${n(s.ours.tokens)} | ${
		n(s.catalog.tokens)} | ${of(s.ours.tokens, s.direct.tokens)} | ${s.shown} |`;
	const found = (s) => `| ${n(s.tools)} ${s.name} | ${n(s.questions)} | ${[...s.one, ...s.all].map(percent).join(" | ")} | ${n(s.search)} |`;
	return `${TITLES.catalogs}

What the definitions cost before anything was asked, as a client hands them to the model: name, description and input schema of each
tool, and of codemode's one tool. The catalog is the part of its description that names servers and tools (\`--catalog-tokens\`:
2,000, estimated by bytes).

| offered | tokens directly | by codemode | of that the catalog | | signatures shown |
|---|--:|--:|--:|--:|--:|
${sets.map(line).join("\n")}

What that saves has a price: a tool that the description does not show must be found. So many of the right tools are shown, or are
among the first five or ten hits of one \`codemode.search\` with the question as it stands:

| of | questions | one of them: five | ten | all of them: five | ten | tokens of a search for five |
|---|--:|--:|--:|--:|--:|--:|
${sets.map(found).join("\n")}

The questions of the former are the half of \`test/search/questions.txt\` by which nothing was chosen; one of the right tools is enough
there. Those of StableToolBench are several sentences that need all of them; a model asks shorter questions, one for each tool.
Its APIs are offered as one server for each category, with the names that ToolBench gives them. An agent that is offered them
directly sees the right tool always, if it still sees it among so many.
`;
}

export function tauSection(rows) {
	const line = (r) => `| ${r.domain} | ${r.tasks} | ${r.calls} | ${r.scripts} | ${n(r.definitions.tokens)} | ${n(r.ours.tokens)} | ${
		n(r.direct / r.tasks)} | ${n(r.scriptTokens / r.tasks)} | ${of(r.scriptTokens, r.direct)} | ${
		of(r.scriptTokens - r.changed, r.direct)} | ${of(r.readOurs, r.readDirect)} |`;
	return `${TITLES.tau}

Here the gain is small. The gold calls of τ-bench's test tasks are made again: a customer talks with an agent, which looks up a user
and some orders, says what it found, and changes something when the customer agrees. The calls before a change are one script,
which returns every result whole, since the agent talks about them; each change is a script of its own. The arguments stand in the
scripts as they are; an agent that learns them from one call for the next writes longer scripts, or more of them. Per task, in tokens:

| | tasks | calls | scripts | definitions directly | by codemode | a task directly | by script | | without what changes return | read in all turns |
|---|--:|--:|--:|--:|--:|--:|--:|--:|--:|--:|
${rows.map(line).join("\n")}

"Read in all turns" is what the model reads over the whole task, when each turn reads the definitions and all that came before, without
a cache: fewer turns read less. What is left of the gain is that the definitions are shorter and that calls go together. Small
results which the model must see, and changes that a person approves one by one, are a case for calling tools directly.
`;
}

/** { tasks, catalogs, tau } of a page. */
export function sectionsOf(text) {
	const parts = text.split(/^(?=## )/m);
	return Object.fromEntries(Object.entries(TITLES).map(([name, title]) => [name, parts.find((p) => p.startsWith(title))?.trimEnd()]));
}

/** { title: [number, ...] } of the table of tasks. */
export const taskFigures = (text) => Object.fromEntries(sectionsOf(text).tasks.split("\n").filter((l) => /\d \|/.test(l))
	.map((l) => l.split("|").map((c) => c.trim())).map(([, title, ...cells]) =>
		[title, cells.filter((c) => /^[\d,]+$/.test(c)).map((c) => Number(c.replaceAll(",", "")))]));

export const page = ({ tasks, catalogs, tau }) => `# What it is worth, in tokens

Written by \`make value\`, which measures all of it again; tokens are those of o200k (\`gpt-tokenizer\`). No model takes part: what is
counted is the text that enters a context, not whether a model does its task well with it. Nothing is counted twice for a client
that caches what it sent before.

${[tasks, catalogs, tau].filter(Boolean).map((s) => s.trimEnd()).join("\n\n")}

## Where it does not pay

- One call whose result is the answer: the query that a database answers by itself costs more by script.
- Two or three tools in all: what codemode's description says about scripts costs as much as their definitions.
- Results that the model must read: code to understand, a text to judge, an order to talk about. A script does not make them smaller.
- A tool that does not say what it returns, the first time: a script that prints one result comes before the one that does the task.
- Tools that the description does not show: each costs a search.
`;
