// SPDX-License-Identifier: MIT
//
// regexp.js -- patterns with named groups in more than 255 alternatives.
//
// The engine numbers such alternatives in eight bits and refuses the next one:
// "too many named groups". new RegExp then compiles the pattern without the
// names, and each match gets them back. \k<name> stays refused.

const OldRegExp = RegExp;
const exec = RegExp.prototype.exec;
const { construct } = Reflect;
const whole = new WeakMap(); // RegExp compiled without names -> its pattern

// An escape, a class, or the start of a group that captures.
const TOKEN = /\\.|\[(?:\\.|[^\]\\])*\]|\((?:\?<([^=!>][^>]*)>|(?!\?))/gs;

const without_names = (pattern, flags, target) => {
	const named = []; // [name, number of its group]
	let groups = 0;
	const plain = call(replace, pattern, TOKEN, (token, name) => {
		if (token[0] !== "(")
			return token;
		groups++;
		if (name !== undefined)
			call(push, named, [name, groups]);
		return "(";
	});
	const re = construct(OldRegExp, [plain, flags], target);
	call(weakSet, whole, re, pattern);
	hidden(re, "source", pattern);
	hidden(re, "exec", function (text) {
		const match = call(exec, this, text);
		if (match === null)
			return null;
		match.groups = { __proto__: null };
		for (let i = 0; i < named.length; i++)
			match.groups[named[i][0]] ??= match[named[i][1]];
		return match;
	});
	return re;
};

const make_regexp = (args, target) => {
	const pattern = call(weakGet, whole, args[0]);
	if (pattern !== undefined)
		return without_names(pattern, args[1] ?? args[0].flags, target);
	try {
		return construct(OldRegExp, args, target);
	} catch (e) {
		if (!isError(e) || e.message !== "too many named groups" || typeof args[0] !== "string" ||
			call(indexOf, args[0], "\\k<") >= 0)
			throw e;
	}
	return without_names(args[0], args[1], target);
};

const NewRegExp = new Proxy(OldRegExp, {
	__proto__: null,
	construct(_, args, target) { return make_regexp(args, target === NewRegExp ? OldRegExp : target); },
	apply(_, self, args) {
		const is = typeof args[0] === "object" && args[0] !== null && args[0][Symbol.match];
		return is && args[1] === undefined && args[0].constructor === NewRegExp ? args[0] : make_regexp(args, OldRegExp);
	},
});

for (const object of [globalThis, RegExp.prototype])
	defineProperty(object, object === globalThis ? "RegExp" : "constructor",
		{ __proto__: null, value: NewRegExp, writable: true, enumerable: false, configurable: true });
