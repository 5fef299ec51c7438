// SPDX-License-Identifier: MIT
//
// globals.js -- the globals that are not the language's.

const tools = namespace(-1);

// The engine hands its stack hook call sites, and so functions of this file. A
// plain property in the place of its accessor has no effect on stacks.
hidden(Error, "prepareStackTrace", undefined);

// The engine asks for this limit's number whenever it makes an Error, also one
// of ours: only a number comes through.
const limit = getOwnPropertyDescriptor(Error, "stackTraceLimit");
if (limit?.get !== undefined)
	defineProperty(Error, "stackTraceLimit", {
		__proto__: null,
		get() { return call(limit.get, Error); },
		set(frames) { call(limit.set, Error, typeof frames === "number" ? frames : 0); },
	});

// The members of `tools` that are globals, too.
const define_tool_globals = () => {
	const names = host.names(-2);
	for (let i = 0; i < names.length; i++) {
		const name = names[i];
		const { get } = { get() { return tools[name]; } };
		defineProperty(globalThis, name, { __proto__: null, get, enumerable: true, configurable: false });
	}
};

const define_globals = () => {
	shown(globalThis, "tools", tools);
	shown(globalThis, "codemode", codemode);
	defineProperty(globalThis, "ALL_TOOLS", { __proto__: null, get: list_tools, enumerable: true, configurable: false });
	const open = { __proto__: null, console, text, image, audio, file, resource, exit, store, load, performance, setTimeout, clearTimeout };
	const names = ownKeys(open);
	for (let i = 0; i < names.length; i++)
		define(globalThis, names[i], open[names[i]]);
	hidden(globalThis, "AbortController", AbortController);
	hidden(globalThis, "AbortSignal", AbortSignal);
};
