// SPDX-License-Identifier: MIT
//
// run.js -- starts the script and reports its end.

const EXIT = freeze({ __proto__: null, exit: true });

let exited = false;

// A number is taken for an exit status, which a script has not.
const exit = (value) => {
	if (value !== undefined && typeof value !== "number")
		host.warn(to_json({ __proto__: null, message: "exit() takes no value, so it was dropped: give it with return or text()" }));
	exited = true;
	host.exit();
	throw EXIT;
};

const finish = (value) => {
	let json;
	try {
		json = to_json(value, "the returned value");
	} catch (e) {
		host.fail(describe(e));
		return;
	}
	host.done(json);
};

const fail = (e) => {
	if (e !== EXIT)
		host.fail(describe(e));
};

const run = (main, data, globals, fixed) => {
	if (fixed) {
		delete globalThis.WeakRef;
		delete globalThis.FinalizationRegistry;
	}
	if (data !== undefined)
		define(globalThis, "data", data);
	if (globals)
		define_tool_globals();
	when(main(), finish, fail);
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
	host.warn(to_json({ __proto__: null, message: "a promise was rejected and nothing awaited it: " + said, stack: d.stack, tool: d.tool }));
};

// Where a call was made, as the text of its stack.
const stack_of = (site) => described_stack(site, "Error", "");

// What the end of the script leaves undone, for src/script to put in words.
const warn_left = (site, id, awaited) => {
	host.warn(to_json(id === 0 ? { __proto__: null, left: 0, exited } : { __proto__: null, left: id, awaited, exited, stack: stack_of(site) }));
};

define_globals();

return [run, describe, fault_of, called_at, check_call_options, check_signal, watch_signal, fire, warn_left, stack_of, warn_rejection, argument_json, bigIntOf, warn_rounded];
