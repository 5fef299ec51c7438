// SPDX-License-Identifier: MIT
//
// sources.mjs -- scripts that are large, or that were made to be slow to read.
//
// Each construct is a function from a size in bytes to a script of about that
// size. The first part is what large scripts are full of; the second part is
// what once took seconds or minutes, because some pass over the tree looked at
// everything for each thing.

/** piece(0), piece(1) ... joined until the text has `size` bytes. */
function repeated(size, piece, before = "", after = "") {
	const parts = [before];
	let length = before.length + after.length;
	for (let i = 0; length < size; i++) {
		const part = piece(i);
		parts.push(part);
		length += part.length;
	}
	parts.push(after);
	return parts.join("");
}

/** open(i) as often as fits, a middle, and as many times `close`. */
function nested(size, open, middle, close) {
	const depth = Math.floor((size - middle.length) / (open.length + close.length));
	return open.repeat(depth) + middle + close.repeat(depth);
}

export const constructs = {
	calls: (size) => repeated(size, (i) => `await tools.s.a({ n: ${i} });\n`),
	"calls, not awaited": (size) => repeated(size, (i) => `tools.s.a({ n: ${i} });\n`),
	bindings: (size) => repeated(size, (i) => `const v${i} = ${i};\n`),
	"bindings, used": (size) => repeated(size, (i) => `let w${i} = ${i}; w${i} += ${i ? `w${i - 1}` : 1};\n`),
	functions: (size) => repeated(size, (i) => `function f${i}(a) { return a + ${i}; }\n`),
	"functions that call": (size) => repeated(size, (i) => `function g${i}() { return g${i + 1}(); }\n`),
	"nested brackets": (size) => nested(Math.min(size, 4000), "[", "1", "]") + ";\n" + repeated(size - 4000, (i) => `[[[[${i}]]]];\n`),
	"nested functions": (size) => repeated(size, (i) => `(() => { return () => { return () => ${i}; }; })();\n`),
	templates: (size) => repeated(size, (i) => `\`a \${${i}} b \${\`c \${${i}}\`}\`;\n`),
	regexes: (size) => repeated(size, (i) => `/(?:a|b)+[c-z]{1,${i % 9 + 1}}\\d*/u.test("x${i}");\n`),
	types: (size) => repeated(size, (i) => `interface T${i} { a: number; b?: Array<Map<string, T${i}>> }\nconst t${i}: T${i} = { a: ${i} };\n`),
	"generic calls": (size) => repeated(size, (i) => `new Map<string, Set<number>>([["k${i}", new Set<number>([${i}])]]);\n`),
	strings: (size) => repeated(size, (i) => `"text number ${i} with some \\u00e9 in it";\n`),
	"one long expression": (size) => repeated(size, (i) => ` + ${i}`, "return 0"),
	comments: (size) => repeated(size, (i) => `// comment ${i}\n`),
};

export const hostile = {
	"functions, none used": (size) => repeated(size, (i) => `function f${i}(){}`),
	"names unknown, each once": (size) => repeated(size, (i) => `u${i}();`),
	"names declared and names unknown": (size) =>
		repeated(size / 2, (i) => `let d${i};`) + repeated(size / 2, (i) => `u${i};`),
	"functions that call one another": (size) =>
		repeated(size * 0.9, () => "tools.s.a();\n", "function f0(){\n", "}\n") +
		repeated(size * 0.1, (i) => `function f${i + 1}(){${`f${i + 1}();`.repeat(16)}}\n`),
	"classes that extend classes": (size) => "class A extends ".repeat(size / 16),
	namespaces: (size) => "namespace a{".repeat(size / 12),
	"brackets that stay open": (size) => "([{".repeat(size / 3),
	"angle brackets": (size) => "a<".repeat(size / 2),
	"arrow parameters": (size) => "(a = ".repeat(size / 5),
	"templates that stay open": (size) => "`${".repeat(size / 3),
	"types that stay open": (size) => `let x: ${"Array<".repeat(size / 6)}`,
	"one line of operators": (size) => "!".repeat(size - 1) + "1",
	"fences in fences": (size) => "```js\n".repeat(size / 6),
	"options lines": (size) => "// @options: {}\n".repeat(size / 16),
	"a failing last line behind many calls": (size) =>
		repeated(size - 7, (i) => `if (false) await tools.s.a(${i});\n`, "", "null.x\n"),
};
