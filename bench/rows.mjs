// SPDX-License-Identifier: MIT
//
// rows.mjs -- what is measured, and what must come out of it.
//
// A row is one script for all contestants. A sample is the mean of `batch` runs. `per` divides the time: what one of
// that many calls costs, in microseconds. `late` subtracts the deadline.
// `only` gives a contestant fewer samples where one takes it seconds, or none
// where it refuses (`run` starts no more than twenty workers or so at once).

export const contestants = ["ours", "ours-process", "pi-inline", "pi-worker", "emscripten", "run"];

const compute = { samples: 5, computes: true };

export const rows = [
	{ title: "`return 1` in process", script: "one", samples: 15, batch: 20 },
	{ title: "one tool call, awaited (µs)", script: "sequential", samples: 7, per: 10000 },
	{ title: "one tool call of 10,000 in Promise.all (µs)", script: "together", samples: 7, per: 10000 },
	{ title: "fib(27)", script: "fib", ...compute },
	{ title: "1,000,000 numbers pushed", script: "push", ...compute },
	{ title: "100,000 objects built and sorted", script: "sort", ...compute },
	{ title: "both, with map and filter", script: "arrays", ...compute },
	{ title: "5 MB of orders built", script: "json-build", ...compute },
	{ title: "the same written, read and written as JSON", script: "json", ...compute, samples: 3 },
	{ title: "1 MB tool result, 3 fields kept", script: "filter", samples: 7, megabytes: 1 },
	{ title: "10 MB tool result, 3 fields kept", script: "filter", samples: 5, megabytes: 10 },
	{ title: "50 runs at once, each waits 200 ms", script: "sleep", samples: 3, atOnce: 50, memory: true, only: { run: 0 } },
	{
		title: "the first number and the first date of `Intl`",
		script: "intl",
		samples: 15,
		only: { "pi-inline": 0, "pi-worker": 0, emscripten: 0, run: 0 },
	},
	{
		title: "`while (true) {}` stopped: ms behind a deadline of 600",
		script: "forever",
		samples: 5,
		wallMs: 600,
		late: 600,
		fails: true,
		only: { "pi-inline": 1 },
	},
	{
		title: "1,000 runs suspended at once",
		script: "sleep",
		samples: 3,
		atOnce: 1000,
		memory: true,
		only: { "ours-process": 0, "pi-inline": 0, "pi-worker": 0, emscripten: 0, run: 0 },
	},
];

export const cold = {
	title: "cold process, `return 1`",
	samples: 15,
	memory: true,
};

export const memory = {
	title: "killed at 512 MB: ms after crossing it",
	samples: 7,
	memory: true,
};

// The arguments of schema.json against its schema, which is compiled once.
export const schema = {
	title: "arguments of five plain fields checked (µs)",
};

// A result with a secret at its end; the processor's time.
export const redaction = {
	title: "a result of 10 MB read for secrets (MB/s)",
};

// The sources of sources.mjs, in these sizes.
export const reading = {
	title: "a source read (ms of CPU)",
	sizes: [10e3, 100e3, 1e6],
};

// What reach.mjs measures; its rows have names of their own.
export const reach = {
	title: "between a client and the servers",
};

// [what, value of the measured medians, does it hold?]
const atLeast = (n) => [`≥ ${n} ×`, (x) => x >= n];
const atMost = (n, unit) => [`≤ ${n} ${unit}`, (x) => x <= n];

/** median(title, contestant), peakMb(title, contestant), slowest(source size), reached(row of reach.mjs) → list of goals. */
export function goals({ median, peakMb, slowest, reached }) {
	const times = (title, peer = "pi-inline") => median(title, peer) / median(title, "ours");
	const title = (script, mb) => rows.find((r) => r.script === script && (!mb || r.megabytes === mb)).title;
	const computed = rows.filter((r) => r.computes).map((r) => times(r.title));
	const mean = Math.exp(computed.reduce((sum, x) => sum + Math.log(x), 0) / computed.length);
	return [
		["`return 1` against pi inline", times(title("one")), ...atLeast(100)],
		["a sequential call against pi inline", times(title("sequential")), ...atLeast(4)],
		["computing against pi inline, geometric mean", mean, ...atLeast(1.3)],
		["computing against pi inline, worst row", Math.min(...computed), ...atLeast(1.1)],
		["10 MB result against pi inline", times(title("filter", 10)), ...atLeast(4)],
		["cold process against pi's", times(cold.title), ...atLeast(40)],
		["memory of the cold process", peakMb(cold.title, "ours"), ...atMost(12, "MB")],
		["the first use of `Intl`", median(title("intl"), "ours"), ...atMost(15, "ms")],
		["50 runs at once", median(title("sleep"), "ours"), ...atMost(300, "ms")],
		["`return 1` in a fenced process of its own", median(title("one"), "ours-process"), ...atMost(1, "ms")],
		["a sequential call across the process boundary", median(title("sequential"), "ours-process"), ...atMost(20, "µs")],
		["50 processes at once", median(title("sleep"), "ours-process"), ...atMost(300, "ms")],
		["their memory (PSS)", peakMb(title("sleep"), "ours-process"), ...atMost(100, "MB")],
		["`while (true) {}` behind its deadline, inline", median(title("forever"), "ours"), ...atMost(2, "ms")],
		["the same, in a process", median(title("forever"), "ours-process"), ...atMost(2, "ms")],
		["killed after crossing 512 MB", median(memory.title, "ours-process"), ...atMost(100, "ms")],
		["the check of a call with five plain fields", median(schema.title, "ours"), ...atMost(1, "µs")],
		["1,000 suspended runs", peakMb("1,000 runs suspended at once", "ours"), ...atMost(600, "MB")],
		["the slowest source of 1 MB, read", slowest(1e6), ...atMost(300, "ms")],
		["`return 1` through stdio", reached("`return 1` through `serve` on stdio (ms)"), ...atMost(1, "ms")],
		["`return 1` through HTTP", reached("`return 1` through `serve --http` (ms)"), ...atMost(2, "ms")],
		["tools listed, 20 slow servers known from the last time", reached("tools/list of `serve`, 20 slow servers of which it knows from the last time (ms)"), ...atMost(50, "ms")],
		["rules, redaction and a log against a plain call", reached("the same with rules, secrets and a log (ms)") / reached("a call to a server on stdio (ms)"), ...atMost(1.05, "×")],
		["a result of 10 MB read for secrets", median(redaction.title, "ours"), "≥ 500 MB/s", (x) => x >= 500],
		["a call over HTTP against curl", reached("a call to a server over HTTP (ms)") / reached("the same by curl (ms)"), ...atMost(1.5, "×")],
		["20 answers of 10 MB at once", reached("20 answers of 10 MB at once: memory (MB)"), ...atMost(400, "MB")],
		["calls lost, of 2,000 over HTTP", reached("calls lost, of 100 scripts with 20 calls each over HTTP"), ...atMost(0, "calls")],
		["memory of 100 scripts at once over HTTP", reached("their memory (MB)"), ...atMost(250, "MB")],
		["20 servers, one named, against one server", reached("run with 20 servers, one of them named (ms)") / reached("run with 1 server, one of them named (ms)"), ...atMost(1.2, "×")],
	];
}
