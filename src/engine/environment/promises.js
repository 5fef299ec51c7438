// SPDX-License-Identifier: MIT
//
// promises.js -- the JSON of a promise, which a script meant to await.

// JSON knows no promises and would make {} of them, which reads like "no
// data". So a promise says in JSON what it is, and the first one is told.
const NO_VALUE = "[a promise: await is missing]";
let promise_told = false;

hidden(Promise.prototype, "toJSON", () => {
	if (!promise_told) {
		promise_told = true;
		host.warn(stringify({
			code: "MissingAwait",
			message: "a promise stands where what it gives was meant: write await in front of the call, or await Promise.all(...) around many; it is shown as \"" + NO_VALUE + "\"",
			stack: described_stack(new Error(), "Error", ""),
		}));
	}
	return NO_VALUE;
});
