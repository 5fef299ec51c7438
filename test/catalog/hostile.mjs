// SPDX-License-Identifier: MIT
//
// hostile.mjs -- schemas that are hard to declare.

const many = (n, make) => Array.from({ length: n }, (_, i) => make(i));
const members = (n, make) => Object.fromEntries(many(n, (i) => [`m${i}`, make(i)]));
const nested = (n, inner) => (n === 0 ? inner : { type: "object", properties: { level: nested(n - 1, inner) } });
const odd = "*/ } // `${x}` \u2028 \" \\ \u0000 \ud800 <!-- é 备份";
const tree = { type: "object", properties: { kids: { type: "array", items: { $ref: "#/$defs/node" } } } };

const schemas = {
	// sizes
	enum_10000: { properties: { e: { enum: many(10_000, (i) => `value number ${i}`) } } },
	enum_mixed: { properties: { e: { enum: many(9_000, (i) => [i, `${i}`, null, [i], { i }, i % 2 === 0][i % 6]) } } },
	members_5000: { properties: members(5000, () => ({ type: "string", description: "d".repeat(50) })) },
	members_required: { properties: members(3000, () => true), required: many(3000, (i) => `m${i}`) },
	one_long_name: { required: ["x".repeat(20_000)] },
	deep_300: nested(300, { type: "string" }),
	wide_and_deep: nested(8, { properties: members(300, () => nested(3, { const: "x".repeat(50) })) }),
	long_description: { properties: { a: { type: "string", description: "word ".repeat(9000) } } },
	defs_600: { properties: members(600, (i) => ({ $ref: `#/$defs/d${i}` })),
		$defs: Object.fromEntries(many(600, (i) => [`d${i}`, { properties: { a: { $ref: `#/$defs/d${(i + 1) % 600}` } } }])) },
	unions_multiplied: { allOf: many(12, (i) => ({ anyOf: many(12, (j) => ({ properties: { [`p${i}`]: { const: j } } })) })) },
	unions_named: { properties: { a: { $ref: "#/$defs/p" }, b: { $ref: "#/$defs/p" } }, $defs: {
		u: { anyOf: many(40, (i) => ({ properties: { [`k${i}`]: { const: i } }, required: [`k${i}`] })) },
		p: { allOf: many(6, () => ({ anyOf: [{ $ref: "#/$defs/u" }, { properties: { x: { $ref: "#/$defs/u" } } }] })) } } },
	// cycles
	tree: { $ref: "#/$defs/node", $defs: { node: tree } },
	tree_other: { properties: { a: { $ref: "#/$defs/node" } }, $defs: { node: { ...tree, required: ["id"] } } },
	itself: { $ref: "#" },
	itself_named: { properties: { a: { $ref: "#/$defs/a" } }, $defs: { a: { $ref: "#/$defs/a" } } },
	union_of_itself: { properties: { a: { $ref: "#/$defs/a" }, b: { $ref: "#/$defs/a" } },
		$defs: { a: { anyOf: [{ $ref: "#/$defs/b" }, { type: "null" }] }, b: { oneOf: [{ $ref: "#/$defs/a" }, { items: { $ref: "#/$defs/b" } }] } } },
	json: { properties: { v: { $ref: "#/$defs/json" } }, $defs: { json: { anyOf: [{ type: ["string", "number", "null"] },
		{ type: "array", items: { $ref: "#/$defs/json" } }, { type: "object", additionalProperties: { $ref: "#/$defs/json" } }] } } },
	tuple_of_itself: { $ref: "#/$defs/t", $defs: { t: { prefixItems: [{ type: "string" }], items: { $ref: "#/$defs/t" }, minItems: 1 } } },
	optional_itself: { $ref: "#/$defs/t", $defs: { t: { prefixItems: [{ $ref: "#/$defs/t" }], items: false } } },
	crossed: { $ref: "#/$defs/a", $defs: { a: { allOf: [{ $ref: "#/$defs/b" }, { $ref: "#/$defs/c" }] },
		b: { properties: { c: { $ref: "#/$defs/c" } } }, c: { properties: { b: { $ref: "#/$defs/b" }, a: { $ref: "#/$defs/a" } } } } },
	bomb: { $ref: "#/$defs/d0", $defs: Object.fromEntries(many(40, (i) => [`d${i}`,
		{ anyOf: [{ $ref: `#/$defs/d${i + 1}` }, { properties: { a: { $ref: `#/$defs/d${i + 1}` } } }] }])) },
	// names
	names: { properties: { a: { $ref: "#/$defs/Array" }, b: { $ref: "#/$defs/Array" }, c: { items: { $ref: "#/$defs/Promise" } },
		d: { $ref: "#/$defs/Promise" }, e: { $ref: "#/$defs/string" }, f: { $ref: "#/$defs/string" },
		g: { $ref: "#/$defs/备份 1" }, h: { $ref: "#/$defs/备份 1" }, i: { $ref: "#/$defs/a~1b" }, j: { $ref: "#/$defs/a~1b" },
		k: { $ref: "#/$defs/a_b" }, l: { $ref: "#/$defs/a_b" }, m: { $ref: "#/$defs/__proto__" }, n: { $ref: "#/$defs/__proto__" } },
	$defs: Object.fromEntries(["Array", "Promise", "string", "备份 1", "a/b", "a_b", "__proto__"].map((n) =>
		[n, { type: "object", required: [n, "some longer name of a member", "and another one"] }])) },
	keys: { properties: { [odd]: { description: odd, pattern: odd, default: odd, enum: [odd, { [odd]: odd }] }, constructor: {}, "": {}, "1a": {}, new: {} } },
	// values that are no schemas
	numbers: { enum: [1e400, -1e400, -0, 1e-400, 12345678901234567890, -1.5e10] },
	wrong_types: { type: 7, properties: [], required: {}, anyOf: {}, allOf: 3, enum: {}, items: "x", prefixItems: {}, $ref: 5, description: [] },
	wrong_members: { properties: { a: null, b: 3, c: "x", d: [] }, required: [null, 3], additionalProperties: "x", patternProperties: { "^": 3 } },
	index_and_members: { properties: { a: { type: "string" }, b: { $ref: "#/$defs/n" } }, additionalProperties: { type: "number" }, $defs: { n: tree, node: tree } },
	never: { properties: { a: false, b: { enum: [] }, c: { not: {} } }, required: ["a"] },
	both: { allOf: [{ type: "string" }, { type: "number" }, { properties: { a: { type: "string" } } }, { properties: { a: { type: "number" } } }] },
};

/** A tool that takes it and one that gives it, for each. */
export function hostile() {
	return Object.entries(schemas).flatMap(([name, schema]) => [
		{ space: "hostile", name, description: odd, input: schema },
		{ space: "hostile", name: `gives_${name}`, description: "", output: { description: odd, items: { description: odd }, ...schema } },
	]);
}
