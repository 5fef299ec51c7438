// SPDX-License-Identifier: MIT
//
// regexp.js -- patterns with named groups in more than 255 alternatives.
//
// The engine numbers such alternatives in eight bits and refuses the next one:
// "too many named groups". new RegExp then compiles the pattern without the
// names, and each match gets them back. \k<name> stays refused.

const OldRegExp = RegExp;
const whole = new WeakMap(); // RegExp compiled without names -> its pattern

// An escape, a class, or the start of a group that captures.
const TOKEN = /\\.|\[(?:\\.|[^\]\\])*\]|\((?:\?<([^=!>][^>]*)>|(?!\?))/gs;

const without_names = (pattern, flags, target) => {
	const named = list(); // of { name, group: its number }
	let group = 0;
	const plain = replaced(pattern, TOKEN, (token) => {
		if (token[0][0] !== "(")
			return token[0];
		group++;
		if (token[1] !== undefined)
			call(push, named, { name: token[1], group });
		return "(";
	});
	const re = construct(OldRegExp, [plain, flags], target);
	call(weakSet, whole, re, pattern);
	hidden(re, "source", pattern);
	hidden(re, "exec", function (text) {
		const found = call(exec, this, text);
		if (found === null)
			return null;
		found.groups = { __proto__: null };
		for (let i = 0; i < named.length; i++)
			found.groups[named[i].name] ??= found[named[i].group];
		return found;
	});
	return re;
};

const make_regexp = (args, target) => {
	const first = args.length > 0 ? args[0] : undefined;
	const flags = args.length > 1 ? args[1] : undefined;
	const pattern = call(weakGet, whole, first);
	if (pattern !== undefined)
		return without_names(pattern, flags ?? first.flags, target);
	try {
		return construct(OldRegExp, args, target);
	} catch (e) {
		if (!isError(e) || e.message !== "too many named groups" || typeof first !== "string" ||
			call(indexOf, first, "\\k<") >= 0)
			throw e;
	}
	return without_names(first, flags, target);
};

const NewRegExp = new Proxy(OldRegExp, {
	__proto__: null,
	construct(_, args, target) { return make_regexp(args, target === NewRegExp ? OldRegExp : target); },
	apply(_, self, args) {
		const first = args.length > 0 ? args[0] : undefined;
		const is = typeof first === "object" && first !== null && first[Symbol.match];
		return is && (args.length < 2 || args[1] === undefined) && first.constructor === NewRegExp
			? first : make_regexp(args, OldRegExp);
	},
});

hidden(globalThis, "RegExp", NewRegExp);
hidden(RegExp.prototype, "constructor", NewRegExp);
