// SPDX-License-Identifier: MIT
//
// options.js -- the options of a tool call and of codemode.*.

// Refuses an option that nothing reads: misspelt, it would be ignored.
const check_options = (what, options, known) => {
	if (typeof options !== "object" || options === null)
		return;
	const keys = ownKeys(options);
	for (let i = 0; i < keys.length; i++) {
		let is_known = typeof keys[i] === "symbol";
		for (let j = 0; j < known.length; j++)
			is_known ||= keys[i] === known[j];
		if (!is_known)
			throw fault("InvalidArguments", TypeError,
				what + " has no option " + stringify(keys[i]) + ", only " + call(join, known, " and "));
	}
};

const check_call_options = (options) => {
	check_options("a tool call", options, ["signal", "timeoutMs", "integers"]);
};
