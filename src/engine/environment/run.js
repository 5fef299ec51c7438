// SPDX-License-Identifier: MIT
//
// run.js -- starts the script and reports its end.

const EXIT = freeze({ __proto__: null, exit: true });

// A number is taken for an exit status, which a script has not.
const exit = (value) => {
	if (value !== undefined && typeof value !== "number")
		host.warn(stringify({ message: "exit() takes no value, so it was dropped: give it with return or text()" }));
	host.exit();
	throw EXIT;
};

// What JSON would lose of a returned value without a word.
const vanished = (v) => {
	if (typeof v === "function" || typeof v === "symbol")
		return "the script returned a " + typeof v + ", which is not JSON: the value is undefined";
	if (typeof v === "number" && (v !== v || v === Infinity || v === -Infinity))
		return "the script returned " + v + ", which is not JSON: the value is null";
	return undefined;
};

const finish = (value) => {
	let json;
	try {
		const converted = exotic(value);
		json = converted === value ? stringify(value) : stringify(converted, readable);
	} catch (e) {
		host.fail(describe(e));
		return;
	}
	const warning = vanished(value);
	if (warning !== undefined)
		host.warn(stringify({ message: warning }));
	host.done(json);
};

const fail = (e) => {
	if (e !== EXIT)
		host.fail(describe(e));
};

const run = (main) => {
	call(then, main(tools, console), finish, fail);
};

// For errors that native code makes: fault_of("CallLimit", 1, message).
const CLASSES = [Error, TypeError, RangeError];
const fault_of = (code, which, message) => fault(code, CLASSES[which], message);

// A rejection without a handler, as a warning. Failed calls are not among
// them: the host reports those itself.
const warn_rejection = (reason) => {
	if (reason === EXIT)
		return;
	const d = describe_value(reason, 0);
	const said = d.name === undefined ? d.message : d.name + ": " + d.message;
	host.warn(stringify({ message: "a promise was rejected and nothing awaited it: " + said, stack: d.stack, tool: d.tool }));
};

// Where a call was made, as the text of its stack.
const stack_of = (site) => described_stack(site, "Error", "");

// Calls that the end of the script stopped.
const warn_unawaited = (site, id) => {
	const stack = stack_of(site);
	host.warn(stringify({ message: "the script ended before its call of " + (tool_at(site) ?? "a tool") + "() did, so the call was stopped: forgot `await`?", stack, call: id }));
};

lock_down();

return [run, describe, fault_of, called_at, check_call_options, check_signal, watch_signal, fire, warn_unawaited, stack_of, warn_rejection];
