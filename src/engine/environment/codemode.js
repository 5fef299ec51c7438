// SPDX-License-Identifier: MIT
//
// codemode.js -- codemode.sleep, race, all, map, result, search, describe.

// A promise of our own for `await`, which looks for its constructor, too.
const awaitable = (promise) => {
	hidden(promise, "constructor", Promise);
	return promise;
};

// Calls f or g when a value of the script settles, as its own `await` would.
const watch = async (value, f, g) => {
	let settled;
	try {
		settled = await value;
	} catch (e) {
		g(e);
		return;
	}
	f(settled);
};

const sleep = (ms, options) => new Promise((resolve, reject) => {
	check_options("codemode.sleep", options, ["signal"]);
	const signal = options?.signal;
	if (signal !== undefined)
		check_signal(signal);
	const id = later(+ms, () => resolve());
	if (signal !== undefined)
		call(push, state_of(signal).listeners, () => {
			clear(id);
			reject(state_of(signal).reason);
		});
});

const each_of = (what, items) => {
	if (!isArray(items))
		throw new TypeError("codemode." + what + "() takes an array");
	const copy = list();
	for (let i = 0; i < items.length; i++)
		call(push, copy, items[i]);
	return copy;
};

// The results of all, in their order, or the first failure.
const results_of = (values) => awaitable(new Promise((resolve, reject) => {
	const results = list();
	let left = values.length;
	for (let i = 0; i < values.length; i++) {
		call(push, results, undefined);
		watch(values[i], (result) => {
			results[i] = result;
			if (--left === 0)
				resolve(array(results));
		}, reject);
	}
	if (left === 0)
		resolve(array(results));
}));

// The host knows the calls that belong together, and stops those that lose when
// the deciding answer arrives. It does not know members that are no calls: if
// there is one, stop_calls does it here, one turn later.
const RACE = 0;
const ALL = 1;

const stop_calls = (members, reason) => {
	for (let i = 0; i < members.length; i++) {
		const id = host.call(members[i]);
		if (id > 0)
			host.cancel(id, reason);
	}
};

// The first call to settle wins; the others are stopped. Members may be calls
// already made, or functions (signal) => promise.
const race = async (members) => {
	const made = each_of("race", members);
	const signal = new AbortSignal(secret);
	const started = list();
	for (let i = 0; i < made.length; i++) {
		const member = made[i];
		call(push, started, typeof member === "function" ? member(signal) : member);
	}
	host.group(RACE, started, started.length);
	try {
		return await awaitable(new Promise((resolve, reject) => {
			for (let i = 0; i < started.length; i++)
				watch(started[i], resolve, reject);
		}));
	} finally {
		const lost = abort_error("AbortError", "another call won the race");
		abort(signal, lost);
		stop_calls(started, lost);
	}
};

const concurrency_of = (options) => {
	if (typeof options === "number")
		return options;
	if (options === undefined || options === null)
		return 8;
	if (typeof options !== "object")
		throw new TypeError("codemode.map(items, fn, { concurrency }) takes options or a number");
	check_options("codemode.map", options, ["concurrency"]);
	return options.concurrency ?? 8;
};

// fn for each item, at most `concurrency` at once; results in the items' order.
// After the first failure fn is called no more.
const map = async (items, fn, options) => {
	const todo = each_of("map", items);
	const most = concurrency_of(options);
	if (typeof fn !== "function")
		throw new TypeError("codemode.map(items, fn, { concurrency }) takes a function");
	if (!(most >= 1))
		throw new RangeError("concurrency must be a number of at least 1");
	const results = list();
	for (let i = 0; i < todo.length; i++)
		call(push, results, undefined);
	let next = 0;
	const work = async () => {
		try {
			while (next < todo.length) {
				const i = next++;
				results[i] = await fn(todo[i], i);
			}
		} catch (e) {
			next = todo.length;
			throw e;
		}
	};
	const workers = list();
	for (let i = 0; i < most && i < todo.length; i++)
		call(push, workers, awaitable(work()));
	await results_of(workers);
	return array(results);
};

// Promise.all, which stops the other calls when one has failed.
const all = async (members) => {
	const calls = each_of("all", members);
	for (let i = 0; i < calls.length; i++)
		if (typeof calls[i] === "function")
			throw new TypeError("codemode.all() takes calls, not functions: write [tools.x(…), …] or use codemode.map(items, fn)");
	host.group(ALL, calls, calls.length);
	try {
		return await results_of(calls);
	} catch (e) {
		stop_calls(calls, abort_error("AbortError", "another call of codemode.all failed"));
		throw e;
	}
};

const codemode = freeze({ __proto__: null, sleep, race, all, map, result, search, describe: describe_tool });
