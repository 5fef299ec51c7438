// SPDX-License-Identifier: MIT
//
// trace_format.mjs: what the Trace Event format asks of a file, as strictly as a reader may take it.

import assert from "node:assert/strict";

const isObject = (x) => x !== null && typeof x === "object" && !Array.isArray(x);
const isCount = (x) => Number.isSafeInteger(x) && x >= 0;

/* What each kind of event has beside name, ph, ts, pid and tid. */
const KINDS = {
	B: () => {},
	E: () => {},
	X: (e) => assert.ok(isCount(e.dur)),
	b: (e) => assert.ok(typeof e.cat === "string" && isCount(e.id)),
	e: (e) => assert.ok(typeof e.cat === "string" && isCount(e.id)),
	s: (e) => assert.ok(typeof e.cat === "string" && isCount(e.id)),
	f: (e) => assert.ok(typeof e.cat === "string" && isCount(e.id) && e.bp === "e"),
	i: (e) => assert.ok(["g", "p", "t"].includes(e.s)),
	M: (e) => {
		const members = { process_name: "name", thread_name: "name", thread_sort_index: "sort_index" };
		assert.ok(Object.hasOwn(members, e.name));
		assert.equal(typeof e.args[members[e.name]], members[e.name] === "name" ? "string" : "number");
	},
};

function checkEvent(e) {
	assert.ok(isObject(e) && Object.hasOwn(KINDS, e.ph), "an event of a known kind");
	assert.ok(typeof e.name === "string" && e.name.length > 0, "a name");
	for (const member of ["ts", "pid", "tid"]) assert.ok(isCount(e[member]), member);
	assert.ok(e.args === undefined || isObject(e.args), "args is an object");
	KINDS[e.ph](e);
}

/* The events of each thread that end are the last ones that began there; pairs have the same key. */
function checkPairs(events, begins, ends, keyOf) {
	const open = new Map();
	for (const e of events) {
		const key = keyOf(e), stack = open.get(key) ?? [];
		if (e.ph === begins) open.set(key, [...stack, e]);
		if (e.ph !== ends) continue;
		assert.ok(stack.length > 0, `${key} ends and never began`);
		const first = stack.pop();
		assert.equal(e.name, first.name);
		assert.ok(e.ts >= first.ts, `${key} ends before it begins`);
	}
	for (const [key, stack] of open) assert.equal(stack.length, 0, `${key} never ends`);
}

/* Whole events of one thread stand beside each other. */
function checkWhole(events) {
	const ended = new Map();
	for (const e of events.filter((one) => one.ph === "X").sort((a, b) => a.ts - b.ts)) {
		assert.ok(e.ts >= (ended.get(e.tid) ?? 0), `${e.name} at ${e.ts} overlaps`);
		ended.set(e.tid, e.ts + e.dur);
	}
}

export function checkTrace(trace) {
	assert.ok(isObject(trace) && Array.isArray(trace.traceEvents));
	assert.ok(["ms", "ns"].includes(trace.displayTimeUnit) && isObject(trace.otherData));
	for (const e of trace.traceEvents)
		try {
			checkEvent(e);
		} catch (error) {
			error.message += ` in ${JSON.stringify(e).slice(0, 300)}`;
			throw error;
		}
	checkPairs(trace.traceEvents, "B", "E", (e) => `thread ${e.pid}.${e.tid}`);
	checkPairs(trace.traceEvents, "b", "e", (e) => `${e.cat} ${e.id}`);
	checkPairs(trace.traceEvents, "s", "f", (e) => `flow ${e.cat} ${e.id}`);
	checkWhole(trace.traceEvents);
	for (const e of trace.traceEvents)
		assert.ok(trace.traceEvents.some((m) => m.name === "thread_name" && m.tid === e.tid), `thread ${e.tid} has a name`);
}

/* Does the check refuse what is wrong? */
export function checkOfCheck(trace) {
	const wrong = [
		(t) => delete t.traceEvents[0].ts,
		(t) => delete t.traceEvents.find((e) => e.ph === "X").dur,
		(t) => t.traceEvents.splice(t.traceEvents.findIndex((e) => e.ph === "E"), 1),
		(t) => t.traceEvents.splice(t.traceEvents.findIndex((e) => e.ph === "B"), 1),
		(t) => (t.traceEvents.find((e) => e.ph === "i").args = "text"),
		(t) => (t.traceEvents.find((e) => e.ph === "B").tid = 99),
		(t) => t.traceEvents.push({ name: "x", ph: "Q", ts: 1, pid: 1, tid: 1 }),
	];
	for (const change of wrong) {
		const copy = structuredClone(trace);
		change(copy);
		assert.throws(() => checkTrace(copy), change.toString());
	}
}
