// SPDX-License-Identifier: MIT
//
// tools.js -- `tools`, ALL_TOOLS, codemode.search and codemode.describe.

const THROUGH = ["then", "toJSON", "constructor", "hasOwnProperty", "isPrototypeOf", "propertyIsEnumerable",
	"toLocaleString", "toString", "valueOf", "__proto__", "__defineGetter__", "__defineSetter__",
	"__lookupGetter__", "__lookupSetter__"];
const passes = { __proto__: null };
for (let i = 0; i < THROUGH.length; i++)
	passes[THROUGH[i]] = true;

// A namespace: its members are made when they are first looked at. Behind the
// proxy the target is an ordinary object that is frozen as soon as a script
// could tell the difference.
const namespace = (space) => {
	const target = create(null);

	const member = (name) => {
		const found = host.member(space, name);
		if (found === undefined)
			return undefined;
		const value = typeof found === "number" ? namespace(found) : found;
		shown(target, name, value);
		return value;
	};
	const complete = () => {
		if (!isExtensible(target))
			return target;
		const names = host.names(space);
		for (let i = 0; i < names.length; i++)
			if (getOwnPropertyDescriptor(target, names[i]) === undefined)
				member(names[i]);
		freeze(target);
		return target;
	};
	return new Proxy(target, {
		__proto__: null,
		get(_, name) {
			const known = target[name];
			if (known !== undefined)
				return known;
			if (typeof name !== "string")
				return undefined;
			const value = name === "then" ? undefined : member(name);
			if (value !== undefined || passes[name] === true)
				return value;
			throw fault("UnknownTool", TypeError, host.unknown(space, name));
		},
		has(_, name) { return has(complete(), name); },
		ownKeys() { return ownKeys(complete()); },
		getOwnPropertyDescriptor(_, name) { return getOwnPropertyDescriptor(complete(), name); },
		isExtensible() { complete(); return false; },
		preventExtensions() { complete(); return true; },
		defineProperty() { return false; },
		deleteProperty(_, name) { return getOwnPropertyDescriptor(complete(), name) === undefined; },
		set() { return false; },
		setPrototypeOf(_, proto) { return proto === null; },
	});
};
// Signatures take their time: each is made when it is looked at.
const add_signature = (tool) => {
	const { get } = { get() { return host.about(tool.name).signature; } };
	defineProperty(tool, "signature", { __proto__: null, get, enumerable: true, configurable: false });
	freeze(tool);
};
let all_tools;
const list_tools = () => {
	if (all_tools === undefined) {
		all_tools = host.tools();
		for (let i = 0; i < all_tools.length; i++)
			add_signature(all_tools[i]);
		freeze(all_tools);
	}
	return all_tools;
};

// The tools that fit a question, best first. None: a warning says which words
// there are instead.
const search = (question, options) => {
	if (typeof question !== "string")
		throw new TypeError("codemode.search(question, { namespace, limit }) takes a text");
	check_options("codemode.search", options, ["namespace", "limit"]);
	const space = options?.namespace ?? "";
	const limit = options?.limit ?? 10;
	if (typeof space !== "string")
		throw new TypeError("codemode.search: namespace must be a text");
	if (typeof limit !== "number" || !(limit >= 1 && limit <= 100))
		throw new RangeError("codemode.search: limit must be a number from 1 to 100");
	const answer = host.search(question, space, limit);
	const where = "codemode.search(" + stringify(question) + "): ";
	if (answer === undefined)
		throw new RangeError(where + "it was asked too often");
	const { hits, note, error } = answer;
	if (error !== "")
		throw new RangeError(where + error);
	if (note !== "")
		host.warn(to_json({ __proto__: null, message: where + note }));
	return hits;
};

// What there is to know of a tool, by its name, as a script writes it or as
// codemode.search gives it. The schemas are not enumerable: a script that
// returns a description gives the declaration, which says the same.
const describe_tool = (tool) => {
	const written = typeof tool === "object" && tool !== null ? tool.path : tool;
	if (typeof written !== "string")
		throw new TypeError("codemode.describe(tool) takes the name of a tool, or what codemode.search gives");
	const name = call(startsWith, written, "tools.") ? call(slice, written, 6) : written;
	const about = host.about(name);
	if (about === undefined)
		throw fault("UnknownTool", TypeError, host.unknown(-1, name));
	const { inputSchema, outputSchema, ...said } = about;
	hidden(said, "inputSchema", inputSchema ?? undefined);
	hidden(said, "outputSchema", outputSchema ?? undefined);
	return said;
};
