// SPDX-License-Identifier: MIT
//
// compare.mjs -- values that a script prints with console.log are shown as by
// the Node that runs this file, to depth 4; formats are those of util.format.
//
//	node22 compare.mjs CODEMODE [--show]
//
// --show prints each value as both show it.

import { spawnSync } from "node:child_process";
import { formatWithOptions } from "node:util";

const scalars = ["0", "-0", "1.5", "1e21", "NaN", "-Infinity", "12n", "-(2n ** 70n)", "true", "null", "undefined", "Symbol('s')", "Symbol()",
	"'it is'", '"it\'s"', "'\\\"both\\' `'", "'a\\nb\\tc\\x00\\x1f\\x7f\\x85é\\u2028'", "'\\ud800x\\udc00\\ud83d\\ude00'", "'back\\\\slash'", "'${x}\"\\''", "''"];

const objects = ["{}", "[]", "Object.create(null)", "{ a: 1, b: 'x', c: null, d: undefined }", "{ 'a-b': 1, 2: 3, 'é': 4, _x: 5, $y: 6, '': 7, '1a': 8, 'it\\'s': 9 }",
	"{ [Symbol('k')]: 1, [Symbol()]: 2 }", "{ f() {}, g: () => 1, h: class A {}, i: class extends Array {}, async j() {}, *k() {}, async *l() {} }",
	"{ get a() { return 1 }, set a(x) {}, get b() { return 1 }, set c(x) {} }", "{ a: { b: { c: { d: { e: { f: 1 } } } } } }", "[[[[[[1]]]]]]",
	"{ a: { b: { c: { d: { e: [], f: {}, g: new Map(), h: new (class B {})(), i: new Date(0), j: Object.create(null), k: /x/, l: () => 1 } } } } }",
	"(() => { const o = { n: 1 }; o.self = o; return o })()", "(() => { const a = [1]; a.push(a, { a }); return a })()",
	"(() => { const o = { a: {}, b: {} }; o.a.b = o.b; o.b.a = o.a; return o })()", "(() => { const m = new Map(); m.set('m', m); return m })()",
	"[1, , 3]", "[, ,]", "new Array(5)", "Object.assign([1, 2], { x: 1, '-1': 2 })", "[undefined, null]", "['a', 'b']", "[-0, 0]",
	"new (class Foo { x = 1 })()", "new (class Foo extends Map { x = 1 })([[1, 2]])", "new (class Foo extends Array {})(3)", "new (class extends (class P {}) {})()",
	"Object.create({ constructor: function Made() {} })", "new (class { get [Symbol.toStringTag]() { return 'Tag' } })()",
	"{ [Symbol.toStringTag]: 'T', a: 1 }", "new Map()", "new Set()", "new Map([[{ a: 1 }, 'b'], ['c', [1, 2]]])", "new Set(['a', { b: 1 }, [2]])", "{ m: new Map([['k', { n: 41 }]]), s: new Set([1]) }",
	"new Uint8Array(3)", "new Float64Array([1.5, -0])", "new BigInt64Array(2)", "new Uint8Array(0)", "new ArrayBuffer(4)", "new ArrayBuffer(0)", "new ArrayBuffer(60)", "{ b: new ArrayBuffer(1) }",
	"new Date(0)", "new Date(NaN)", "[new Date(1e12)]", "/a\\/b/gi", "Object.assign(/x/, { a: 1 })", "new Number(3)", "new Number(-0)", "new String('abc')", "new Boolean(false)", "Object(1n)", "Object(Symbol('b'))",
	"function named() {}", "() => {}", "(class A {})", "(class B extends Object {})", "(class { static x = 1 })", "async () => {}", "function* gen() {}", "Object.assign(() => {}, { a: 1 })", "Math.max",
	"(function () { return arguments })(1, 'a')", "new WeakMap()", "new WeakSet()", "Symbol.iterator", "{ a: Symbol.iterator }",
	"{ a: 'x'.repeat(100) }", "{ a: 'line one of this\\nline two of this\\nline three' , b: 1 }", "['a\\nb']", "{ text: ('word '.repeat(8) + '\\n').repeat(4) }", "'x'.repeat(10005) + ''", "['x'.repeat(10001)]"];

function* layouts() {
	for (const n of [0, 1, 2, 5, 6, 7, 8, 10, 16, 20, 26, 27, 40, 60, 99, 100, 101, 102, 250]) {
		yield `Array.from({ length: ${n} }, (_, i) => i)`;
		yield `Array.from({ length: ${n} }, (_, i) => 'item ' + i * i)`;
		yield `new Set(Array.from({ length: ${n} }, (_, i) => i))`;
		if (n < 30) yield `Object.fromEntries(Array.from({ length: ${n} }, (_, i) => ['key' + i, i]))`;
		if (n < 30) yield `Array.from({ length: ${n} }, (_, i) => ({ id: i, name: 'n' + i, tags: ['a', 'b'] }))`;
	}
	for (let n = 1; n < 30; n += 2) {
		yield `{ a: '${"x".repeat(n)}', b: '${"y".repeat(n)}', list: [1, 2, 3], c: '${"z".repeat(n)}' }`;
		yield `[${Array.from({ length: 8 }, (_, i) => `'${"w".repeat((n * (i + 3)) % 23)}'`)}]`;
		yield `{ rows: [{ id: ${n}, owner: { login: '${"o".repeat(n)}', id: 7 } }], total: { count: ${n}, pages: [[1, 2], [3]] } }`;
		yield `Array.from({ length: ${n} }, (_, i) => 2 ** (i * 3) * (i % 2 ? -1 : 1))`;
		yield `new Map(Array.from({ length: ${n} }, (_, i) => ['k' + i, { v: i }]))`;
		yield `Array.from({ length: ${n} }, (_, i) => i % 3 ? i / 7 : 'text ' + i)`;
	}
}

const formats = ["'%s has %d items', 'cart', 3", "'100% of', 5", "'100%'", "'%%'", "'%% %s', 1", "'%s %s', 1", "'%d %i %f', '42.5', '42.5', '42.5'", "'%d', {}", "'%d', 5n", "'%i', 5n", "'%s', -0", "'%d', -0",
	"'%j', { a: [1] }", "'%O', { a: { b: {} } }", "'%o', 5", "'%c red', 'color: red'", "'%x %s', 1, 2", "'%s', null", "'%s', undefined", "'%s', Symbol('a')", "'%s', { a: 1 }", "'%s', { toString() { return 'own' } }",
	"'%s', [1, [2, [3]]]", "'%s', () => 1", "'%s', 12n", "'%s', new Date(0)", "1, 2, 'three'", "'a', 'b'", "{ a: 1 }, 'b', ['c']", "", "''", "'%', 1", "'%s%', 1", "'%s', 'a', { b: 1 }, 'c'", "5, '%s', 'x'", "'%f', 'x'", "'%i', 'x'"];

const args = [...scalars, ...scalars.map((s) => `[${s}]`), ...objects.map((o) => `(${o})`), ...layouts(), ...formats];

const source = `const lines = [];
console.log = ((log) => (...a) => log(...a))(console.log);
for (const code of ${JSON.stringify(args)}) (0, eval)("console.log(" + code + ")");
return ${args.length};`;

const [program, option] = process.argv.slice(2);
const run = spawnSync(program, ["run", "--json", "-"], { input: source, encoding: "utf8", maxBuffer: 1 << 28 });
const result = JSON.parse(run.stdout);
if (!result.ok) throw new Error(JSON.stringify(result.error));
const well = (s) => s.toWellFormed();
let differ = 0;
args.forEach((code, i) => {
	const theirs = well((0, eval)(`(f) => f(${code})`)((...a) => formatWithOptions({ depth: 4 }, ...a)));
	const ours = result.output[i].text;
	if (ours !== theirs) differ++;
	if (ours !== theirs || option === "--show") console.log(`${code}\n--- ours\n${ours}\n--- Node\n${theirs}\n`);
});
console.log(`${args.length} values and formats compared, ${differ} differ`);
process.exit(differ > 0 ? 1 : 0);
