// SPDX-License-Identifier: MIT
//
// lock_down.js -- freezes everything that a script can reach.

// Frozen built-ins make `o.toString = …` fail on every object that inherits
// toString. For these names, and for all of Object.prototype, an accessor
// stands in, so that an assignment defines the property on the object itself.
const OVERRIDABLE = ["constructor", "name", "message", "toString", "toLocaleString", "valueOf", "toJSON"];

const overridable = (owner, key, was) => {
	const { value } = was;
	const get = () => value;
	const { set } = {
		set(to) {
			if (this === owner)
				throw new TypeError("Cannot assign to read only property '" + text_of(key) + "' of a built-in");
			if ((typeof this !== "object" && typeof this !== "function") || this === null)
				return;
			defineProperty(this, key, { __proto__: null, value: to, writable: true, enumerable: true, configurable: true });
		},
	};
	freeze(get);
	freeze(set);
	defineProperty(owner, key, { __proto__: null, get, set, enumerable: was.enumerable, configurable: false });
};

const lock = (object) => {
	const keys = ownKeys(object);
	for (let i = 0; i < keys.length; i++) {
		const key = keys[i];
		const was = getOwnPropertyDescriptor(object, key);
		if (was === undefined || !was.configurable || !("value" in was) || !was.writable)
			continue;
		let listed = object === Object.prototype;
		for (let j = 0; j < OVERRIDABLE.length; j++)
			listed ||= OVERRIDABLE[j] === key;
		if (listed)
			overridable(object, key, was);
	}
	freeze(object);
};

const reachable = (roots) => {
	const seen = new Set(roots);
	for (const object of seen) {
		const add = (v) => {
			if (((typeof v === "object" && v !== null) || typeof v === "function") && v !== tools && v !== globalThis)
				seen.add(v);
		};
		add(getPrototypeOf(object));
		for (const key of ownKeys(object)) {
			const d = getOwnPropertyDescriptor(object, key);
			add(d.value);
			add(d.get);
			add(d.set);
		}
	}
	return seen;
};

const unnamed = () => [
	function* () {}, async function () {}, async function* () {}, (function* () {})(), (async function* () {})(),
	[][Symbol.iterator](), new Map()[Symbol.iterator](), new Set()[Symbol.iterator](), ""[Symbol.iterator](),
	"".matchAll(/./g), [].values().map((x) => x), Iterator.from({ next() {} }), getPrototypeOf(Int8Array),
].map((v) => getPrototypeOf(v));

const tools = namespace(-1);

// The engine's stack hook would be handed call sites, and so functions of this
// file. Its accessor works even on a frozen Error, so another one stands there.
const no_stack_hook = () => {
	const { get, set } = getOwnPropertyDescriptor({ get prepareStackTrace() { return undefined; }, set prepareStackTrace(_) {} }, "prepareStackTrace");
	defineProperty(Error, "prepareStackTrace", { __proto__: null, get, set, enumerable: false, configurable: false });
};

const lock_down = () => {
	no_stack_hook();
	for (const [name, value] of [["tools", tools], ["console", console], ["text", text], ["image", image],
		["exit", exit], ["store", store], ["load", load], ["performance", performance], ["codemode", codemode],
		["setTimeout", setTimeout], ["clearTimeout", clearTimeout]])
		shown(globalThis, name, value);
	for (const Class of [AbortController, AbortSignal])
		defineProperty(globalThis, Class.name, { __proto__: null, value: Class, writable: true, enumerable: false, configurable: true });
	defineProperty(globalThis, "ALL_TOOLS", { __proto__: null, get: list_tools, enumerable: true, configurable: false });
	reachable([globalThis, ...unnamed()]).forEach((object) => {
		if (object !== globalThis)
			lock(object);
	});
	for (const key of ownKeys(globalThis)) {
		const d = getOwnPropertyDescriptor(globalThis, key);
		if (d.configurable && "value" in d)
			defineProperty(globalThis, key, { __proto__: null, writable: false, configurable: false });
	}
};
