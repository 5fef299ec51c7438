// SPDX-License-Identifier: MIT
//
// run.mjs -- runs the rows, prints one table and writes it down.
//
//	node22 run.mjs BUILD [--rows PART] [--out FILE]
//
// BUILD is the directory with bench_ours, bench_spawn and codemode. For each
// row every contestant gets a process of its own and one run to warm up; then
// they take turns, sample by sample, so that whatever else the machine does
// falls on all of them alike. All must return the same value.

import { execFileSync, spawn } from "node:child_process";
import { existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { cpus, loadavg, release, tmpdir, totalmem } from "node:os";
import { createInterface } from "node:readline";
import { fileURLToPath } from "node:url";
import { cold, contestants, goals, memory, reach, reading, redaction, rows, schema } from "./rows.mjs";
import { constructs, hostile } from "./sources.mjs";

const here = (name) => fileURLToPath(new URL(name, import.meta.url));

// ------------------------------------------------------------ contestants

function readLine({ value, done }, name) {
	if (done) throw new Error(`${name} ended in the middle of a row`);
	const [ms, kilobytes, ...said] = value.split(" ");
	return { ms: +ms, mb: kilobytes / 1024, said: said.join(" ") };
}

function start(name, build) {
	const [program, args] = name.startsWith("ours")
		? [`${build}/bench/bench_ours`, []]
		: [process.execPath, ["--no-warnings", here("peer.mjs"), name]];
	const env = name === "ours-process" ? { ...process.env, CODEMODE_WORKER: `${build}/codemode-worker` } : process.env;
	const child = spawn(program, args, { stdio: ["pipe", "pipe", "inherit"], env });
	const lines = createInterface({ input: child.stdout })[Symbol.asyncIterator]();
	return {
		name,
		/** The mean of `batch` runs, one directly after the other. */
		async measure({ script, atOnce = 1, wallMs = 60000, megabytes = 0, batch = 1 }) {
			const line = `${atOnce} ${wallMs} ${megabytes} ${here(`script/${script}.js`)}\n`;
			child.stdin.write(line.repeat(batch));
			const all = [];
			while (all.length < batch) all.push(readLine(await lines.next(), name));
			return { ...all.at(-1), ms: all.reduce((sum, one) => sum + one.ms, 0) / batch };
		},
		end: () => child.stdin.end(),
	};
}

const sampleOf = (row, { ms, mb }) => ({ value: row.per ? (ms * 1000) / row.per : ms - (row.late ?? 0), mb });

function agree(row, name, said, first) {
	const failed = said.startsWith("!");
	if (failed !== Boolean(row.fails) || (!failed && said !== first))
		throw new Error(`${row.title}: ${name} said ${said.slice(0, 200)}`);
}

async function measureRow(row, build) {
	const all = contestants.map((name) => start(name, build));
	const samples = new Map(contestants.map((name) => [name, []]));
	const first = (await all[0].measure(row)).said;
	for (const one of all.slice(1)) if (row.only?.[one.name] === undefined) agree(row, one.name, (await one.measure(row)).said, first);
	for (let i = 0; i < row.samples; i++)
		for (const one of all) {
			if (i >= (row.only?.[one.name] ?? row.samples)) continue;
			const got = await one.measure(row);
			agree(row, one.name, got.said, first);
			samples.get(one.name).push(sampleOf(row, got));
		}
	for (const one of all) one.end();
	for (const [name, list] of samples) if (list.length === 0) samples.delete(name);
	return samples;
}

// ---------------------------------------------------------- whole processes

function coldPrograms(build) {
	const all = { "pi-inline": [process.execPath, here("cold-pi.mjs")], "node, empty": [process.execPath, "-e", ""] };
	const ours = `${build}/codemode`;
	return existsSync(ours) ? { ours: [ours, "run", "-e", "return 1"], ...all } : all;
}

function measureCold(build) {
	const programs = coldPrograms(build);
	const samples = new Map(Object.keys(programs).map((name) => [name, []]));
	for (let i = -1; i < cold.samples; i++)
		for (const [name, command] of Object.entries(programs)) {
			const said = execFileSync(`${build}/bench/bench_spawn`, command, { encoding: "utf8" });
			const [ms, kilobytes, code] = said.split(" ").map(Number);
			if (code !== 0) throw new Error(`${command.join(" ")} ended with ${code}`);
			if (i >= 0) samples.get(name).push({ value: ms, mb: kilobytes / 1024 });
		}
	return samples;
}

// The others have no limit of this kind: theirs is the engine's own.
function measureMemory(build) {
	const list = [];
	for (let i = 0; i < memory.samples; i++) {
		const said = execFileSync(`${build}/bench/bench_memory`, [`${build}/codemode-worker`], { encoding: "utf8" });
		const [ms, kilobytes] = said.split(" ").map(Number);
		list.push({ value: ms, mb: kilobytes / 1024 });
	}
	return new Map([["ours-process", list]]);
}

function measureSchema(build) {
	const run = (command) => execFileSync(command[0], [...command.slice(1), here("schema.json")], { encoding: "utf8" });
	const samples = (command) => run(command).trim().split("\n").map((us) => ({ value: +us, mb: 0 }));
	return new Map([
		["ours", samples([`${build}/bench/bench_schema`])],
		["ajv", samples([process.execPath, here("ajv.mjs")])],
	]);
}

function measureRedaction(build) {
	const said = execFileSync(`${build}/bench/bench_redact`, { encoding: "utf8" }).trim().split("\n");
	return new Map([["ours", said.map((speed) => ({ value: +speed, mb: 0 }))]]);
}

// The processor time of `codemode check` and of `codemode run` with its worker,
// for one source in one size: how a script is read, whatever becomes of it.
function measureReading(build, text, file) {
	writeFileSync(file, text);
	const cpu = (command) =>
		Number(execFileSync(`${build}/bench/bench_spawn`, command, { encoding: "utf8" }).split(" ")[3]);
	const ours = `${build}/codemode`;
	return { check: cpu([ours, "check", file]), run: cpu([ours, "run", "-q", "--timeout", "10000", file]) };
}

/** [construct, size, check ms, run ms] of every source in every size. */
function measureSources(build, part) {
	const folder = mkdtempSync(`${tmpdir()}/codemode-bench-`);
	const lines = [];
	for (const [name, make] of Object.entries({ ...constructs, ...hostile }))
		for (const size of reading.sizes) {
			if (!`${reading.title} ${name}`.includes(part)) continue;
			const { check, run } = measureReading(build, make(size), `${folder}/source.js`);
			lines.push({ name, size, check, run });
		}
	rmSync(folder, { recursive: true });
	return lines;
}

/** { row: [number, ...] } of reach.mjs. */
function measureReach(build) {
	const npm = fileURLToPath(new URL("../test/npm", import.meta.url));
	const said = execFileSync(process.execPath, [here("reach.mjs"), build, npm], {
		encoding: "utf8",
		stdio: ["ignore", "pipe", "inherit"],
	});
	return JSON.parse(said.trim().split("\n").at(-1));
}

// ------------------------------------------------------------------- table

function spread(numbers) {
	const sorted = [...numbers].sort((a, b) => a - b);
	const middle = sorted.length >> 1;
	const median = sorted.length % 2 ? sorted[middle] : (sorted[middle - 1] + sorted[middle]) / 2;
	return { min: sorted[0], median, max: sorted.at(-1) };
}

const digits = (x) => (Math.abs(x) >= 100 ? x.toFixed(0) : Math.abs(x) >= 10 ? x.toFixed(1) : x.toPrecision(3));

function lineOf(row, name, samples, ours) {
	const { min, median, max } = spread(samples.map((s) => s.value));
	const mb = Math.max(...samples.map((s) => s.mb));
	// Ratios of lateness say nothing: both are noise around zero.
	const ratio = name === "ours" || !ours || row.late ? "" : digits(median / ours);
	return { name, n: samples.length, min, median, max, mb, ratio };
}

function linesOf(row, samples) {
	const ours = samples.has("ours") ? spread(samples.get("ours").map((s) => s.value)).median : undefined;
	return [...samples].map(([name, list]) => lineOf(row, name, list, ours));
}

const HEAD = "| what (ms) | who | n | min | median | max | × ours | peak MB |\n|---|---|--:|--:|--:|--:|--:|--:|";

function tableOf(row, lines) {
	return lines
		.map(({ name, n, min, median, max, ratio, mb }, i) => {
			const cells = [i ? "" : row.title, name, n, digits(min), digits(median), digits(max), ratio, row.memory ? digits(mb) : ""];
			return `| ${cells.join(" | ")} |`;
		})
		.join("\n");
}

const verdict = (value, holds) => (Number.isNaN(value) ? "" : holds(value) ? "holds" : "misses");

const kilobytes = (size) => (size >= 1e6 ? `${size / 1e6} MB` : `${size / 1e3} kB`);

function sourceTable(lines) {
	if (lines.length === 0) return "";
	const head = `| ${reading.title} | size | check | run |\n|---|--:|--:|--:|`;
	const say = ({ name, size, check, run }) => `| ${name} | ${kilobytes(size)} | ${digits(check)} | ${digits(run)} |`;
	return `${head}\n${lines.map(say).join("\n")}\n`;
}

function reachTable(reached) {
	const rows = Object.entries(reached).map(([title, list]) => {
		const { min, median, max } = spread(list);
		return `| ${title} | ${list.length} | ${digits(min)} | ${digits(median)} | ${digits(max)} |`;
	});
	return rows.length > 0 ? `| ${reach.title} | n | min | median | max |\n|---|--:|--:|--:|--:|\n${rows.join("\n")}\n` : "";
}

function goalTable(results, sources, reached) {
	const line = (title, name) => results.get(title)?.find((l) => l.name === name);
	const measured = goals({
		median: (title, name) => line(title, name)?.median ?? NaN,
		peakMb: (title, name) => line(title, name)?.mb ?? NaN,
		slowest: (size) => {
			const all = sources.filter((l) => l.size === size).map((l) => l.check);
			return all.length > 0 ? Math.max(...all) : NaN;
		},
		reached: (title) => (reached[title] ? spread(reached[title]).median : NaN),
	});
	const say = ([what, value, bound, holds]) =>
		`| ${what} | ${bound} | ${Number.isNaN(value) ? "not measured" : digits(value)} | ${verdict(value, holds)} |`;
	return `| goal | bound | measured | |\n|---|--:|--:|---|\n${measured.map(say).join("\n")}`;
}

// ------------------------------------------------------------------ record

function versionOf(name) {
	const file = new URL(`../test/npm/node_modules/${name}/package.json`, import.meta.url);
	return `${name} ${JSON.parse(readFileSync(file, "utf8")).version}`;
}

function machine() {
	const all = cpus();
	return [
		`${all.length} × ${all[0].model.trim()}, ${Math.round(totalmem() / 2 ** 30)} GB, Linux ${release()}`,
		`Node ${process.version}, ${["@earendil-works/pi-codemode", "quickjs-emscripten", "run", "ajv"].map(versionOf).join(", ")}`,
	].join("  \n");
}

function record(tables, sourceLines, reachLines, goalLines, before) {
	const load = (l) => l.map((x) => x.toFixed(2)).join(" ");
	return `# Results of \`make bench\`

${new Date().toISOString().slice(0, 16).replace("T", " ")} UTC  
${machine()}  
load average before ${load(before)}, after ${load(loadavg())}

Written by \`bench/run\`; README.md beside this file says how to read it.

${HEAD}
${tables.join("\n")}

${sourceLines}
${reachLines}
${goalLines}
`;
}

function options(args) {
	const all = { build: args[0], rows: "", out: here("RESULTS.md") };
	for (let i = 1; i + 1 < args.length; i += 2) all[args[i].slice(2)] = args[i + 1];
	return all;
}

async function main(args) {
	const { build, rows: part, out } = options(args);
	const before = loadavg();
	const results = new Map();
	const tables = [];
	const add = (row, samples) => {
		const lines = linesOf(row, samples);
		results.set(row.title, lines);
		tables.push(tableOf(row, lines));
		console.log(tables.at(-1));
	};
	console.log(HEAD);
	for (const row of rows.filter((r) => r.title.includes(part))) add(row, await measureRow(row, build));
	if (cold.title.includes(part)) add(cold, measureCold(build));
	if (memory.title.includes(part)) add(memory, measureMemory(build));
	if (schema.title.includes(part)) add(schema, measureSchema(build));
	if (redaction.title.includes(part)) add(redaction, measureRedaction(build));
	const sources = measureSources(build, part);
	const sourceLines = sourceTable(sources);
	const reached = reach.title.includes(part) ? measureReach(build) : {};
	const reachLines = reachTable(reached);
	const goalLines = goalTable(results, sources, reached);
	console.log(`\n${sourceLines}\n${reachLines}\n${goalLines}`);
	if (!part) writeFileSync(out, record(tables, sourceLines, reachLines, goalLines, before));
}

await main(process.argv.slice(2));
