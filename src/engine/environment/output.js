// SPDX-License-Identifier: MIT
//
// output.js -- text() and console: values as text for people.

const print = (kind, s) => {
	if (!call(isWellFormed, s))
		warn(undefined, "the printed text has half of a character that was cut in two: it became U+FFFD");
	host.print(kind, s);
};

const with_frames = (e) => {
	const name = text_of(read(e, "name"));
	const message = text_of(read(e, "message"));
	return described_stack(e, name, message) ?? name + ": " + message;
};

// ------------------------------------------------------------------ console

const DEPTH = 4;
let groups = "";
const counts = { __proto__: null }, watches = { __proto__: null };

const logged = (v) => typeof v === "string" ? v : inspect(v, DEPTH);

// What a directive makes of its value; undefined: it is no directive.
const FORMATS = {
	__proto__: null,
	s: (v) => typeof v === "function" || (typeof v === "object" && v !== null && has_own_text(v)) ? text_of(v)
		: typeof v === "string" ? v : inspect(v, 0),
	d: (v) => typeof v === "bigint" ? v + "n" : typeof v === "symbol" || typeof v === "object" ? "NaN" : shown_number(numberOf(v)),
	i: (v) => typeof v === "bigint" ? v + "n" : typeof v === "symbol" || typeof v === "object" ? "NaN" : shown_number(parseWhole(v)),
	f: (v) => typeof v === "symbol" ? "NaN" : shown_number(parseFraction(v)),
	j: (v) => to_json(v) ?? "undefined",
	o: (v) => inspect(v, DEPTH),
	O: (v) => inspect(v, DEPTH),
	c: () => "",
};
const { parseInt: parseWhole, parseFloat: parseFraction } = globalThis;
const has_own_text = (v) => {
	for (let o = v; o !== null && call(weakGet, BUILT_IN, o) === undefined; o = getPrototypeOf(o))
		if (getOwnPropertyDescriptor(o, "toString") !== undefined)
			return true;
	return isError(v);
};

// Node's util.format.
const format = (args) => {
	let out = "", next = 0;
	if (args.length > 1 && typeof args[0] === "string") {
		const parts = split(args[0], "%");
		out = parts[0];
		next = 1;
		for (let i = 1; i < parts.length; i++) {
			const how = FORMATS[parts[i][0]];
			if (parts[i] === "" && i + 1 < parts.length)
				out += "%" + parts[++i];
			else if (how !== undefined && next < args.length)
				out += how(args[next++]) + call(slice, parts[i], 1);
			else
				out += "%" + parts[i];
		}
	}
	for (let i = next; i < args.length; i++)
		out += (i > 0 ? " " : "") + logged(args[i]);
	return out;
};

const say = (s) => print(1, groups + indented(s, groups.length));
const log = (args) => say(format(args));
const labelled = (label) => label === undefined ? "default" : text_of(label);

const elapsed = (label) => {
	const ms = host.now(0) - watches[label];
	const seconds = ms >= 1000;
	return label + ": " + round(seconds ? ms : ms * 1000) / 1000 + (seconds ? "s" : "ms");
};

const time_log = (label, args) => {
	if (watches[labelled(label)] !== undefined)
		say(elapsed(labelled(label)) + (args.length > 0 ? " " + format(args) : ""));
};

// ------------------------------------------------------------ console.table

const table_cell = (v) => inspect(v, typeof v === "object" && v !== null ? -1 : 0);

// columns: their titles; rows: arrays of texts.
const drawn_table = (columns, rows) => {
	const widths = list();
	for (let i = 0; i < columns.length; i++) {
		let width = columns[i].length;
		for (let j = 0; j < rows.length; j++)
			width = max(width, (rows[j][i] ?? "").length);
		call(push, widths, width + 2);
	}
	const rule = (left, middle, right) => {
		const cells = list();
		for (let i = 0; i < widths.length; i++)
			call(push, cells, call(repeat, "─", widths[i]));
		return left + call(join, cells, middle) + right;
	};
	const row = (texts) => {
		const cells = list();
		for (let i = 0; i < widths.length; i++)
			call(push, cells, " " + call(padEnd, texts[i] ?? "", widths[i] - 1));
		return "│" + call(join, cells, "│") + "│";
	};
	const lines = list();
	call(push, lines, rule("┌", "┬", "┐"), row(columns), rule("├", "┼", "┤"));
	for (let i = 0; i < rows.length; i++)
		call(push, lines, row(rows[i]));
	call(push, lines, rule("└", "┴", "┘"));
	return call(join, lines, "\n");
};

const table = (data) => {
	const columns = list(), rows = list();
	const places = { __proto__: null }; // title -> column
	let values = false;
	call(push, columns, "(index)");
	const add = (index, v) => {
		const cells = list();
		cells[0] = text_of(index);
		const names = typeof v === "object" && v !== null ? keysOf(v) : list();
		for (let i = 0; i < names.length; i++) {
			places[names[i]] ??= call(push, columns, names[i]) - 1;
			cells[places[names[i]]] = table_cell(v[names[i]]);
		}
		if (typeof v !== "object" || v === null) {
			values = true;
			cells.value = table_cell(v);
		}
		call(push, rows, cells);
	};
	const kind_of = host.kind(data);
	let i = 0;
	if (SHOWN[kind_of] === SHOWN[host.kind(new Map())])
		call(mapForEach, data, (v, k) => add(table_cell(k), v));
	else if (SHOWN[kind_of] === SHOWN[host.kind(new Set())])
		call(setForEach, data, (v) => add(i++, v));
	else
		for (const names = keysOf(data); i < names.length; i++)
			add(names[i], data[names[i]]);
	if (values) {
		call(push, columns, "Values");
		for (i = 0; i < rows.length; i++)
			rows[i][columns.length - 1] = rows[i].value;
	}
	return drawn_table(columns, rows);
};

const console = {
	log(...args) { log(args); },
	info(...args) { log(args); },
	warn(...args) { log(args); },
	error(...args) { log(args); },
	debug(...args) { log(args); },
	dir(v, options) { say(inspect(v, options?.depth === null ? Infinity : options?.depth ?? DEPTH)); },
	table(data) { say(typeof data === "object" && data !== null ? table(data) : logged(data)); },
	trace(...args) {
		say("Trace" + (args.length > 0 ? ": " + format(args) : "") + "\n" + frames_of(new Error()));
	},
	assert(condition, ...args) {
		if (!condition)
			say("Assertion failed" + (args.length > 0 ? ": " + format(args) : ""));
	},
	group(...args) {
		if (args.length > 0)
			log(args);
		groups += "  ";
	},
	groupEnd() { groups = call(slice, groups, 2); },
	count(label) {
		const name = labelled(label);
		counts[name] = (counts[name] ?? 0) + 1;
		say(name + ": " + counts[name]);
	},
	countReset(label) { delete counts[labelled(label)]; },
	time(label) { watches[labelled(label)] = host.now(0); },
	timeLog(label, ...args) { time_log(label, args); },
	timeEnd(label) {
		time_log(label, list());
		delete watches[labelled(label)];
	},
};
console.groupCollapsed = console.group;

// An error as one line: its name and message, and the fields that it has.
const error_text = (e, where) => {
	const fields = { __proto__: null };
	const own_names = keysOf(e);
	for (let i = 0; i < own_names.length; i++)
		fields[own_names[i]] = e[own_names[i]];
	for (const name in { __proto__: null, cause: 0, errors: 0 })
		if (getOwnPropertyDescriptor(e, name) !== undefined)
			fields[name] = e[name];
	const json = to_json(fields, where);
	return text_of(read(e, "name")) + ": " + text_of(read(e, "message")) + (json === "{}" ? "" : " " + json);
};

const shown_text = (value) => {
	if ((typeof value !== "object" && typeof value !== "function") || value === null || typeof value === "function")
		return String(value);
	return isError(value) ? error_text(value, "the text") : to_json(value, "the text") ?? String(value);
};

const text = (value) => {
	print(0, shown_text(value));
};
