// SPDX-License-Identifier: MIT
//
// tools.js -- `tools` and ALL_TOOLS.

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
let all_tools;
const list_tools = () => {
	if (all_tools === undefined) {
		all_tools = host.tools();
		for (let i = 0; i < all_tools.length; i++)
			freeze(all_tools[i]);
		freeze(all_tools);
	}
	return all_tools;
};
