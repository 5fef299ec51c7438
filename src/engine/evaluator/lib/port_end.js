};

// The host of the environment, and what C begins: native_port.c has the other
// side. A call's record is kept until its promise settles.

const calls = { __proto__: null };
let last_call = 0;

const throw_refused = (r, kind) => {
	throw env_fault(r[0], kind, r[1]);
};

const reject_call = (id, c, error) => {
	$host_failing(id);
	$promise_settle(c.promise, true, error);
	return $host_failing(0);
};

// The first call behind call number `behind` whose promise this is; 0: none.
const call_of = (promise, behind) => {
	for (let id = behind + 1; id <= last_call; id++)
		if (calls[id] !== undefined && calls[id].promise === promise)
			return id;
	return 0;
};

// ---------------------------------------------------------------- tool calls

const timeout_of = (v) => {
	let ms;

	if (v === undefined)
		return -1;
	try {
		ms = +v;
	} catch { /* no number */ }
	if (ms > 0 && ms <= 9007199254740991)
		return ms < 1 ? 1 : ms;
	throw env_fault("InvalidArguments", 1,
	    "timeoutMs must be a number of milliseconds above 0");
};

const exact_of = (v) => {
	if (v !== undefined && v !== "exact")
		throw env_fault("InvalidArguments", 1,
		    "integers must be \"exact\": then integers that a number cannot hold are BigInts");
	return v === "exact";
};

const site_here = () => ({ __proto__: null, stack: $host_site() });

// Its JSON, which is not plain.
const argument_of = (tool, value, signal) => {
	let json;

	try {
		json = env_argument(value, tool);
	} catch (e) {
		env_called_at(e, site_here());
		throw e;
	}
	// A getter may have aborted the signal, which is not watched yet.
	if (signal !== undefined && !$host_over())
		env_check_signal(signal);
	return json;
};

const make_call = (tool, value, options, promise) => {
	let timeout = -1, exact = false, signal;

	if (options !== undefined && options !== null) {
		env_check_options(options);
		timeout = timeout_of(options.timeoutMs);
		exact = exact_of(options.integers);
		signal = options.signal;
		if (signal !== undefined)
			env_check_signal(signal);
	}
	const site = site_here();
	const stack = $host_lines() ? env_stack_of(site) : undefined;
	let id = $host_call(tool, value, undefined, timeout, exact, stack);
	if (id === undefined) {
		const json = argument_of(tool, value, signal);

		if ($host_over()) // a getter has called exit()
			return;
		id = $host_call(tool, undefined, json, timeout, exact, stack);
	}
	if (typeof id !== "number")
		throw_refused(id, 0);
	calls[id] = { __proto__: null, promise, site };
	last_call = id;
	if (signal !== undefined)
		env_watch_signal(signal, id);
};

const call_tool = (tool, value, options) => {
	const promise = $promise_make();

	if (!$host_over()) // otherwise no answer will come
		try {
			make_call(tool, value, options, promise);
		} catch (e) {
			$promise_settle(promise, true, e);
		}
	return promise;
};

const tool_function = (tool, name, spread) => {
	const { f } = spread ? {
		f(...list) {
			return call_tool(tool, list, undefined);
		},
	} : {
		f(value, options = undefined) {
			return call_tool(tool, value, options);
		},
	};

	$define(f, "length", 1, 0);
	$define(f, "name", name, 0);
	$close(f, 2);
	return f;
};

// ---------------------------------------------------------------------- host

const host = {
	__proto__: null,
	print(kind, text, type, members) {
		const refused = $host_print(kind, text, type, members);

		if (refused === undefined)
			return;
		// Too much output ends the run, also if the script catches this.
		const e = env_fault(refused[0], 2, refused[1]);
		$host_fail(env_describe(e));
		throw e;
	},
	exit() {
		$host_done(undefined);
	},
	done: $host_done,
	fail: $host_fail,
	warn: $host_warn,
	cancel(id, reason) {
		const c = calls[id];

		if (c === undefined || !$host_cancel(id))
			return;
		calls[id] = undefined;
		env_called_at(reason, c.site);
		reject_call(id, c, reason);
	},
	call(promise) {
		return call_of(promise, 0);
	},
	group(all, promises, n) {
		const ids = [];
		let id = 0;

		for (let i = 0; i < n; i++) {
			id = call_of(promises[i], id);
			if (id === 0)
				return;
			$define(ids, i, id, 7);
		}
		$host_group(all === 1, ids);
	},
	error() {
		return $create(ErrorPrototype, CLASS_ERROR);
	},
	timer(ms) {
		const id = $host_timer(+ms);

		return typeof id === "number" ? id : throw_refused(id, 2);
	},
	clear: $host_clear,
	store(key, json) {
		const refused = $host_store(key, json);

		if (refused !== undefined)
			throw_refused(refused, 2);
	},
	load: $host_load,
	member(space, name) {
		const found = $host_member(space, name);

		return typeof found === "object" ?
		    tool_function(found[0], found[1], found[2]) : found;
	},
	names: $host_names,
	unknown: $host_unknown,
	tools: $host_tools,
	search: $host_search,
	about: $host_about,
	now: $host_now,
	plain: $host_plain,
	kind: $host_kind,
	schema: $host_schema,
	zone: $host_zone,
	random: $host_random,
	encode: $host_encode,
	decode: $host_decode,
	load_library: $host_library,
};

const env = environment(host);
const env_run = env[0], env_describe = env[1], env_fault = env[2];
const env_called_at = env[3], env_check_options = env[4];
const env_check_signal = env[5], env_watch_signal = env[6], env_fire = env[7];
const env_warn_left = env[8], env_stack_of = env[9];
const env_warn_rejection = env[10], env_argument = env[11];
const env_warn_rounded = env[13];

// --------------------------------------------------------------------- begin

$realm("port_start", (main, flags) => {
	try {
		env_run(main, $host_data(), (flags & 1) !== 0, (flags & 2) !== 0);
	} catch (e) {
		$host_fail(env_describe(e));
	}
});

// The Error that the script's await throws. It has no stack yet: it gets that of
// the await.
const failure_error = (c) => {
	const f = $host_failure();
	const e = $create(ErrorPrototype, CLASS_ERROR);

	$define(e, "message", f[0], 5);
	if (f[1] !== "" && f[1] !== "Error")
		$define(e, "name", f[1], 5);
	for (let i = 3; i < f.length; i += 2)
		$define(e, f[i], f[i + 1], 7);
	env_called_at(e, c.site, f[2]);
	return e;
};

$realm("port_deliver", (id, failed) => {
	const c = calls[id];
	let v;

	calls[id] = undefined;
	if (!failed) {
		try {
			v = $host_result(id);
			const r = $host_rounded(id);
			if (r !== undefined)
				env_warn_rounded(c.site, r[0], r[1], r[2]);
		} catch (e) {
			$promise_settle(c.promise, true, e);
			return;
		}
		slow_resolve(c.promise, v);
	} else if (reject_call(id, c, failure_error(c)))
		$host_unseen(id, env_stack_of(c.site));
});

$realm("port_fire", (timer) => {
	// The script may have cleared it after the run fired it.
	if (env_fire(timer))
		$host_fired();
});

$realm("port_finish", (returned, busy) => {
	if (returned) {
		if (busy || $host_busy())
			env_warn_left(undefined, 0, false);
		const open = $host_open();
		for (let i = 0; i < open.length; i++) {
			const c = calls[open[i]];

			env_warn_left(c.site, open[i], $host_awaited(c.promise));
		}
	}
	const reasons = $host_rejections();
	for (let i = 0; i < reasons.length; i++)
		env_warn_rejection(reasons[i]);
});
