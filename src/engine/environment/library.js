// SPDX-License-Identifier: MIT
//
// library.js -- globals that are loaded when the script first looks at them.
//
// A library is a file of ../library with the npm packages that it imports,
// bundled as a CommonJS module and compiled when the image is baked. It stands
// outside of the image. `require` gives what the module exports: of another
// library, or of "codemode:host", which is what the environment lends them.

const libraries = { __proto__: null }; // also those that are loading
let loading = 0;

const require = (name) => {
	if (libraries[name] !== undefined)
		return libraries[name];
	const module = { exports: {} };
	libraries[name] = module.exports;
	loading++;
	try {
		host.load_library(call(slice, name, "codemode:".length))(require, module, module.exports);
		return libraries[name] = module.exports;
	} catch (e) {
		libraries[name] = undefined;
		throw e;
	} finally {
		loading--;
	}
};
libraries["codemode:host"] = freeze({ __proto__: null, kind: host.kind, random: host.random, encode: host.encode, decode: host.decode,
	zone: (name) => host.zone(name), warn: (message) => host.warn(stringify({ message })) });

// An accessor stands for object[name] until it is first read or assigned: then
// it is what the library exports under that name, or what was assigned. To a
// package that looks for a built-in while it loads, it is undefined: what a
// library uses of another it imports.
const lazy = (object, name, library) => {
	const become = (value) =>
		defineProperty(object, name, { __proto__: null, value, writable: true, enumerable: false, configurable: true });
	const { get, set } = {
		get() {
			if (loading > 0)
				return undefined;
			const value = require("codemode:" + library)[name];
			if (typeof value === "function") // the bundler may have given it another one
				defineProperty(value, "name", { __proto__: null, value: name });
			become(value);
			return value;
		},
		set(value) { become(value); },
	};
	defineProperty(object, name, { __proto__: null, get, set, enumerable: false, configurable: true });
};

// [library, the globals that it exports]
const GLOBALS = [
	["buffer", "Buffer"],
	["clone", "structuredClone"],
	["crypto", "crypto"],
	["encoding", "TextEncoder", "TextDecoder"],
	["temporal", "Temporal"],
	["url", "URL", "URLSearchParams"],
];
for (const [library, ...names] of GLOBALS)
	for (const name of names)
		lazy(globalThis, name, library);
