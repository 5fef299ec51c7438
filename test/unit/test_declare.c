/* SPDX-License-Identifier: MIT */
/*
 * test_declare.c -- schemas as types, tools as declarations, to the byte: a
 * model reads them and prompt caches remember them.
 */
#include "unit.h"

#include "catalog/declare.h"
#include "catalog/type_write.h"

static json
checked(const char *src)
{
	json v = TEXT_NONE;

	if (*src && !json_check(text_of(src), JSON_DEPTH, &v, NULL))
		fail_msg("not JSON: %s", src);
	return v;
}

/* The type, and behind it the declarations of what it names. */
static void
write_alone(buf *out, json schema)
{
	type_names names;

	type_names_init(&names, out->alloc);
	type_of_schema(out, schema, 0, &names, TEXT("it"));
	buf_text(out, buf_view(&names.text));
	type_names_fini(&names);
}

static void
becomes(const char *schema, const char *want)
{
	buf b = BUF_INIT(NULL, 1 << 16);

	write_alone(&b, checked(schema));
	assert_int_equal(b.bad, CM_OK);
	assert_str(buf_view(&b), want);
	buf_fini(&b);
}

static void
plain_types(void **state)
{
	(void)state;
	becomes("", "unknown");
	becomes("true", "unknown");
	becomes("false", "never");
	becomes("{}", "unknown");
	becomes("5", "unknown");
	becomes("[]", "unknown");
	becomes("{\"type\":\"string\"}", "string");
	becomes("{\"type\":\"integer\"}", "number");
	becomes("{\"type\":\"number\"}", "number");
	becomes("{\"type\":\"boolean\"}", "boolean");
	becomes("{\"type\":\"null\"}", "null");
	becomes("{\"type\":null}", "unknown");
	becomes("{\"type\":\"file\"}", "unknown");
	becomes("{\"type\":[]}", "unknown");
	becomes("{\"type\":[\"string\",\"null\"]}", "string | null");
	becomes("{\"type\":[\"integer\",\"number\"]}", "number");
	becomes("{\"type\":[\"string\",\"file\"]}", "unknown");
	becomes("{\"type\":\"string\",\"nullable\":true}", "string | null");
	becomes("{\"type\":[\"string\",\"null\"],\"nullable\":true}",
	    "string | null");
	becomes("{\"nullable\":true}", "unknown");
}

static void
literals(void **state)
{
	(void)state;
	becomes("{\"const\":\"\"}", "\"\"");
	becomes("{\"const\":0}", "0");
	becomes("{\"const\":false}", "false");
	becomes("{\"const\":null}", "null");
	becomes("{\"const\":9007199254740993}", "9007199254740993");
	becomes("{\"const\":\"it's \\\"\\\\\\u0041\\n\"}",
	    "\"it's \\\"\\\\\\u0041\\n\"");
	becomes("{\"const\":\"a\xe2\x80\xa8\xe2\x80\xa9\xe2\x80\xaa\"}",
	    "\"a\\u2028\\u2029\xe2\x80\xaa\"");
	becomes("{\"const\":{\"k\":[1,{}],\"n\":[]}}",
	    "{ \"k\": [1, {}], \"n\": [] }");
	becomes("{\"const\":{\"a\":1,\"a\":2}}", "{ \"a\": 2 }");
	becomes("{\"enum\":[\"red\",null,42,false,\"\",-1.5]}",
	    "\"red\" | null | 42 | false | \"\" | -1.5");
	becomes("{\"enum\":[]}", "never");
	becomes("{\"enum\":[1,2,1]}", "1 | 2");
	becomes("{\"enum\":[\"a\"],\"nullable\":true}", "\"a\" | null");
	becomes("{\"type\":\"string\",\"enum\":[\"a\"]}", "\"a\"");
}

static void
arrays(void **state)
{
	(void)state;
	becomes("{\"type\":\"array\"}", "unknown[]");
	becomes("{\"items\":{\"type\":\"string\"}}", "string[]");
	becomes("{\"type\":\"array\",\"items\":true}", "unknown[]");
	becomes("{\"type\":\"array\",\"items\":false}", "[]");
	becomes("{\"type\":\"array\",\"items\":{\"enum\":[\"a\",\"b\"]}}",
	    "Array<\"a\" | \"b\">");
	becomes("{\"type\":\"array\",\"items\":{\"type\":\"array\"}}",
	    "Array<unknown[]>");
	/* lengths never unfold into tuples */
	becomes("{\"type\":\"array\",\"items\":{\"type\":\"number\"},"
		"\"minItems\":1,\"maxItems\":1000}",
	    "number[]");
}

/* A tuple may be shorter than its list of elements unless minItems says
 * otherwise, and longer unless maxItems, items or additionalItems does. */
static void
tuples(void **state)
{
	(void)state;
	becomes(
	    "{\"prefixItems\":[{\"type\":\"string\"},{\"type\":\"number\"}],"
	    "\"items\":false,\"minItems\":2}",
	    "[string, number]");
	becomes(
	    "{\"prefixItems\":[{\"type\":\"string\"},{\"type\":\"number\"}],"
	    "\"items\":false}",
	    "[string?, number?]");
	becomes("{\"prefixItems\":[{\"type\":\"string\"}]}",
	    "[string?, ...unknown[]]");
	becomes("{\"prefixItems\":[{\"type\":\"string\"}],\"minItems\":1,"
		"\"items\":{\"type\":\"number\"}}",
	    "[string, ...number[]]");
	becomes("{\"prefixItems\":[{\"type\":\"string\"}],\"minItems\":4,"
		"\"items\":{\"enum\":[1,2]}}",
	    "[string, ...Array<1 | 2>]");
	becomes(
	    "{\"prefixItems\":[{\"type\":\"string\"},{\"type\":\"number\"}],"
	    "\"minItems\":2,\"maxItems\":2}",
	    "[string, number]");
	becomes(
	    "{\"prefixItems\":[{\"type\":\"string\"},{\"type\":\"number\"}],"
	    "\"minItems\":1,\"maxItems\":1}",
	    "[string]");
	becomes("{\"items\":[{\"type\":\"string\"},{\"type\":\"boolean\"}],"
		"\"additionalItems\":false,\"minItems\":2}",
	    "[string, boolean]");
	becomes("{\"items\":[{\"type\":\"string\"}],\"minItems\":1,"
		"\"additionalItems\":{\"type\":\"null\"}}",
	    "[string, ...null[]]");
	becomes("{\"prefixItems\":[{\"type\":\"string\"},"
		"{\"type\":[\"number\",\"null\"]}],\"minItems\":1}",
	    "[string, (number | null)?, ...unknown[]]");
}

static void
objects(void **state)
{
	(void)state;
	becomes("{\"type\":\"object\"}", "{ [key: string]: unknown; }");
	becomes("{\"type\":\"object\",\"properties\":{}}", "{}");
	becomes("{\"type\":\"object\",\"additionalProperties\":false}", "{}");
	becomes("{\"properties\":{\"b\":{\"type\":\"string\"},\"a\":{},"
		"\"a-b\":true,\"\":{\"type\":\"null\"}},"
		"\"required\":[\"b\",\"c\",7]}",
	    "{ \"\"?: null; a?: unknown; \"a-b\"?: unknown; b: string; "
	    "c: unknown; }");
	becomes("{\"properties\":{\"a\":{\"type\":\"string\"},"
		"\"\\u0061\":{\"type\":\"number\"}}}",
	    "{ a?: number; }");
	becomes("{\"additionalProperties\":{\"type\":\"number\"}}",
	    "{ [key: string]: number; }");
	becomes("{\"properties\":{\"class\":{}},\"additionalProperties\":true}",
	    "{ class?: unknown; [key: string]: unknown; }");
	becomes("{\"patternProperties\":{\"^x\":{\"type\":\"number\"},"
		"\"^y\":{\"type\":\"string\"}},\"additionalProperties\":false}",
	    "{ [key: string]: number | string; }");
	becomes("{\"properties\":{\"na\xc3\xafve\":{},\"q\\\"\\n\":{}},"
		"\"required\":[\"na\xc3\xafve\",\"q\\\"\\n\"]}",
	    "{ na\xc3\xafve: unknown; \"q\\\"\\n\": unknown; }");
}

/* TypeScript wants named members to fit the index. */
static void
members_fit_the_index(void **state)
{
	(void)state;
	becomes("{\"properties\":{\"a\":{\"type\":\"string\"}},"
		"\"additionalProperties\":{\"type\":\"number\"}}",
	    "{ a?: string; [key: string]: number | string | undefined; }");
	becomes("{\"properties\":{\"a\":{\"type\":\"string\"},"
		"\"b\":{\"type\":\"string\"}},\"required\":[\"a\",\"b\"],"
		"\"additionalProperties\":{\"type\":\"string\"}}",
	    "{ a: string; b: string; [key: string]: string; }");
	becomes("{\"properties\":{\"a\":{\"enum\":["
		"\"0123456789012345678901234567890123456789\","
		"\"0123456789012345678901234567890123456789\","
		"\"a123456789012345678901234567890123456789\","
		"\"b123456789012345678901234567890123456789\"]}},"
		"\"additionalProperties\":{\"type\":\"number\"}}",
	    "{ a?: \"0123456789012345678901234567890123456789\" | "
	    "\"a123456789012345678901234567890123456789\" | "
	    "\"b123456789012345678901234567890123456789\"; "
	    "[key: string]: unknown; }");
}

static void
unions_and_intersections(void **state)
{
	(void)state;
	becomes("{\"anyOf\":[{\"type\":\"string\"},{\"type\":\"null\"},"
		"{\"type\":\"string\"}]}",
	    "string | null");
	becomes("{\"oneOf\":[{\"type\":\"string\"},{}]}", "unknown");
	becomes("{\"anyOf\":[]}", "unknown");
	becomes("{\"type\":\"string\",\"anyOf\":[{\"pattern\":\"a\"},"
		"{\"pattern\":\"b\"}]}",
	    "string");
	becomes("{\"allOf\":[{\"properties\":{\"a\":{}}},{},"
		"{\"anyOf\":[{\"type\":\"null\"},{\"type\":\"string\"}]}]}",
	    "{ a?: unknown; } & (null | string)");
	becomes("{\"properties\":{\"b\":{\"type\":\"string\"}},"
		"\"allOf\":[{\"properties\":{\"a\":{\"type\":\"number\"}}}]}",
	    "{ b?: string; } & { a?: number; }");
	becomes("{\"properties\":{\"a\":{\"type\":\"string\"},\"b\":{}},"
		"\"anyOf\":[{\"required\":[\"a\"]},{\"required\":[\"b\"]}]}",
	    "{ a?: string; b?: unknown; } & ({ a: unknown; } | "
	    "{ b: unknown; })");
	becomes("{\"type\":\"object\",\"oneOf\":[{\"properties\":{\"k\":"
		"{\"const\":1}}},{\"properties\":{\"k\":{\"const\":2}}}]}",
	    "{ k?: 1; } | { k?: 2; }");
	becomes("{\"type\":[\"object\",\"null\"],\"properties\":{\"a\":{}},"
		"\"anyOf\":[{\"type\":\"null\"}]}",
	    "({ a?: unknown; } | null) & null");
}

static void
references(void **state)
{
	(void)state;
	becomes("{\"$ref\":\"#/$defs/a~1b%20c\",\"$defs\":{\"a/b c\":"
		"{\"type\":\"string\"}}}",
	    "string");
	becomes("{\"$ref\":\"#/l/1\",\"l\":[0,{\"type\":\"null\"}]}", "null");
	becomes(
	    "{\"$ref\":\"#/l/2\",\"l\":[0,{\"type\":\"null\"}]}", "unknown");
	becomes("{\"$ref\":\"#/no/such\"}", "unknown");
	becomes("{\"$ref\":\"#anchor\"}", "unknown");
	becomes("{\"$ref\":\"http://elsewhere/x\"}", "unknown");
	becomes("{\"$ref\":7}", "unknown");
	becomes("{\"$ref\":\"#\"}", "unknown");
	becomes("{\"$ref\":\"#/$defs/A\",\"required\":[\"x\"],\"$defs\":{\"A\":"
		"{\"properties\":{\"x\":{\"type\":\"string\"}}}}}",
	    "{ x: unknown; } & { x?: string; }");
}

/* A tree refers to itself; so do two that refer to each other. */
static void
what_contains_itself_has_a_name(void **state)
{
	(void)state;
	becomes("{\"$ref\":\"#/$defs/N\",\"$defs\":{\"N\":{\"properties\":"
		"{\"v\":{\"type\":\"string\"},\"kids\":{\"items\":"
		"{\"$ref\":\"#/$defs/N\"}}}}}}",
	    "tools.N\n  type N = { kids?: Array<tools.N>; v?: string; };");
	becomes("{\"$ref\":\"#/$defs/A\",\"$defs\":{"
		"\"A\":{\"properties\":{\"b\":{\"$ref\":\"#/$defs/B\"}}},"
		"\"B\":{\"properties\":{\"a\":{\"$ref\":\"#/$defs/A\"}}}}}",
	    "tools.A\n  type A = { b?: { a?: tools.A; }; };");
	becomes("{\"properties\":{\"next\":{\"$ref\":\"#\"}}}",
	    "tools.It\n  type It = { next?: tools.It; };");
	becomes("{\"$ref\":\"#/$defs/json\",\"$defs\":{\"json\":{\"anyOf\":["
		"{\"type\":\"string\"},{\"items\":{\"$ref\":\"#/$defs/json\"}},"
		"{\"additionalProperties\":{\"$ref\":\"#/$defs/json\"}}]}}}",
	    "tools.Json\n  type Json = string | Array<tools.Json> | "
	    "{ [key: string]: tools.Json; };");
}

/* No name is the first part of its own definition: that would not compile. */
static void
a_type_is_not_itself(void **state)
{
	(void)state;
	becomes("{\"properties\":{\"a\":{\"$ref\":\"#/$defs/a\"}},\"$defs\":"
		"{\"a\":{\"$ref\":\"#/$defs/a\"}}}",
	    "{ a?: unknown; }");
	becomes(
	    "{\"properties\":{\"a\":{\"$ref\":\"#/$defs/a\"}},\"$defs\":"
	    "{\"a\":{\"anyOf\":[{\"$ref\":\"#/$defs/b\"},{\"type\":\"null\"}]},"
	    "\"b\":{\"allOf\":[{\"$ref\":\"#/$defs/a\"},{\"required\":"
	    "[\"x\"]}]}}}",
	    "{ a?: { x: unknown; } | null; }");
}

/* What is long and used twice is written once. */
static void
shared_definitions_have_a_name(void **state)
{
	static const char pair[] =
	    "{\"properties\":{\"a\":{\"$ref\":\"#/$defs/%s\"},"
	    "\"b\":{\"$ref\":\"#/$defs/%s\"}},\"$defs\":{"
	    "\"long-one\":{\"description\":\"L\",\"required\":"
	    "[\"member_number_one\",\"member_number_two\",\"three\"]},"
	    "\"short\":{\"type\":\"string\",\"description\":\"S\"}}}";
	char schema[1000];

	(void)state;
	snprintf(schema, sizeof(schema), pair, "long-one", "long-one");
	becomes(schema, "{ a?: tools.LongOne; b?: tools.LongOne; }\n"
			"  // L\n"
			"  type LongOne = { member_number_one: unknown; "
			"member_number_two: unknown; three: unknown; };");
	snprintf(schema, sizeof(schema), pair, "short", "long-one");
	becomes(schema,
	    "{\n  // S\n  a?: string;\n  // L\n"
	    "  b?: { member_number_one: unknown; member_number_two: unknown; "
	    "three: unknown; };\n}");
	snprintf(schema, sizeof(schema), pair, "short", "short");
	becomes(schema, "{\n  // S\n  a?: string;\n  // S\n  b?: string;\n}");
}

static void
comments_stand_before_members(void **state)
{
	(void)state;
	becomes("{\"properties\":{"
		"\"n\":{\"type\":\"integer\",\"minimum\":1,\"maximum\":100,"
		"\"default\":30},"
		"\"s\":{\"description\":\" two \\r\\n\\n lines \","
		"\"pattern\":\"^\\\\d+$\"},"
		"\"z\":{\"type\":\"array\",\"items\":{\"type\":\"string\","
		"\"description\":\"a tag\"},\"uniqueItems\":true}},"
		"\"required\":[\"n\"]}",
	    "{\n"
	    "  // @integer @minimum 1 @maximum 100 @default 30\n"
	    "  n: number;\n"
	    "  // two\n"
	    "  // lines\n"
	    "  // @pattern ^\\d+$\n"
	    "  s?: unknown;\n"
	    "  // each: a tag\n"
	    "  // @uniqueItems\n"
	    "  z?: string[];\n"
	    "}");
	becomes("{\"properties\":{\"o\":{\"properties\":{\"x\":"
		"{\"description\":\"inner\"}}}}}",
	    "{ o?: {\n    // inner\n    x?: unknown;\n  }; }");
	/* what a $ref or the only branch says counts too */
	becomes("{\"properties\":{\"a\":{\"$ref\":\"#/$defs/A\"},\"b\":"
		"{\"anyOf\":[{\"type\":\"string\",\"maxLength\":5},"
		"{\"type\":\"null\"}]}},\"$defs\":{\"A\":{\"type\":\"string\","
		"\"description\":\"an A\"}}}",
	    "{\n  // an A\n  a?: string;\n  // @maxLength 5\n"
	    "  b?: string | null;\n}");
	/* draft 4 */
	becomes("{\"properties\":{\"a\":{\"type\":\"number\",\"minimum\":0,"
		"\"exclusiveMinimum\":true}}}",
	    "{\n  // @exclusiveMinimum 0\n  a?: number;\n}");
}

/* The text of a description never ends our comment. */
static void
comments_cannot_be_left(void **state)
{
	(void)state;
	becomes("{\"properties\":{\"a\":{\"description\":"
		"\"x\\u2028evil(); \\u2029more\\revil\\u0000\\u001b[1m\","
		"\"pattern\":\"a\\nevil\",\"format\":\"x\xe2\x80\xa8y\"}}}",
	    "{\n  // x\n  // evil();\n  // more\n  // evil  [1m\n"
	    "  a?: unknown;\n}");
}

static void
add_filler(buf *b, size_t n)
{
	while (n-- > 0)
		buf_byte(b, 'x');
}

/* The larger it gets, the less it says; but it says what it can. */
static void
large_types_lose_detail_by_and_by(void **state)
{
	buf schema = BUF_INIT(NULL, 1 << 20), out = BUF_INIT(NULL, 1 << 16);
	json v;

	(void)state;
	buf_str(&schema, "{\"properties\":{\"a\":{\"type\":\"string\","
			 "\"description\":\"");
	add_filler(&schema, TS_TYPE_MAX + 1);
	buf_str(&schema, "\"}}}");
	assert_true(json_check(buf_view(&schema), 9, &v, NULL));
	write_alone(&out, v);
	assert_str(buf_view(&out), "{ a?: string; }");
	buf_clear(&out);
	buf_clear(&schema);
	buf_str(&schema, "{\"properties\":{\"a\":");
	for (int i = 0; i < 3; i++)
		buf_str(&schema, "{\"properties\":{\"b\":");
	buf_str(&schema, "{\"properties\":{\"");
	add_filler(&schema, TS_TYPE_MAX + 1);
	buf_str(&schema, "\":{}}}");
	for (int i = 0; i < 4; i++)
		buf_str(&schema, "}}");
	assert_true(json_check(buf_view(&schema), 20, &v, NULL));
	write_alone(&out, v);
	assert_str(buf_view(&out), "{ a?: { b?: { b?: { b?: "
				   "{ [key: string]: unknown; }; }; }; }; }");
	buf_clear(&out);
	buf_clear(&schema);
	buf_str(&schema, "{\"required\":[\"");
	add_filler(&schema, TS_TYPE_MAX + 1);
	buf_str(&schema, "\"]}");
	assert_true(json_check(buf_view(&schema), 20, &v, NULL));
	write_alone(&out, v);
	assert_str(buf_view(&out), "{ [key: string]: unknown; }");
	buf_fini(&schema);
	buf_fini(&out);
}

/* An enum that is too long lists its first values, counts the others and takes
 * their kinds. */
static void
long_enums_are_counted(void **state)
{
	buf schema = BUF_INIT(NULL, 1 << 20), want = BUF_INIT(NULL, 1 << 16);

	(void)state;
	buf_str(&schema, "{\"nullable\":true,\"enum\":[");
	for (int i = 0; i < 3000; i++)
		buf_printf(&schema, "%d,", i);
	buf_str(&schema, "true,\"x\"]}");
	for (int i = 0; i < 64; i++)
		buf_printf(&want, "%d | ", i);
	buf_str(&want, "number | boolean | string /* \xe2\x80\xa6 2938 more */"
		       " | null");
	buf_byte(&schema, '\0');
	buf_byte(&want, '\0');
	becomes(schema.ptr, want.ptr);
	buf_fini(&schema);
	buf_fini(&want);
}

/* Required members are shown before all others; the rest is counted. */
static void
many_members_are_counted(void **state)
{
	buf schema = BUF_INIT(NULL, 1 << 20), out = BUF_INIT(NULL, 1 << 16);
	json v;

	(void)state;
	buf_str(&schema, "{\"required\":[\"z\"],\"properties\":{");
	for (int i = 0; i < 2000; i++)
		buf_printf(&schema, "\"member%04d\":{\"type\":\"number\"},", i);
	buf_str(&schema, "\"z\":{}}}");
	assert_true(json_check(buf_view(&schema), 9, &v, NULL));
	write_alone(&out, v);
	assert_true(
	    text_starts(buf_view(&out), TEXT("{ member0000?: number; ")));
	assert_true(text_ends(buf_view(&out),
	    TEXT(" member0254?: number; z: unknown; [key: string]: unknown; "
		 "/* \xe2\x80\xa6 1745 more */ }")));
	buf_clear(&out);
	type_on_one_line(&out, v);
	assert_true(text_ends(buf_view(&out),
	    TEXT(" member0062?: number; z: unknown; [key: string]: unknown; "
		 "/* \xe2\x80\xa6 1937 more */ }")));
	buf_fini(&schema);
	buf_fini(&out);
}

/* What # means, and whether anything counts beside $ref, depends on the
 * schema around it. */
static void
references_know_their_place(void **state)
{
	(void)state;
	becomes("{\"properties\":{\"a\":{\"$id\":\"other\",\"items\":"
		"{\"$ref\":\"#/$defs/x\"},\"$defs\":{\"x\":{\"type\":"
		"\"string\"}}},\"b\":{\"$ref\":\"#/$defs/x\"}},\"$defs\":"
		"{\"x\":{\"type\":\"number\"}}}",
	    "{ a?: string[]; b?: number; }");
	becomes("{\"$ref\":\"#/$defs/x\",\"required\":[\"a\"],\"$defs\":"
		"{\"x\":{\"type\":\"object\"}}}",
	    "{ a: unknown; } & { [key: string]: unknown; }");
	becomes("{\"$schema\":\"http://json-schema.org/draft-07/schema#\","
		"\"$ref\":\"#/$defs/x\",\"required\":[\"a\"],\"$defs\":"
		"{\"x\":{\"type\":\"object\"}}}",
	    "{ [key: string]: unknown; }");
}

/* A compiler multiplies unions out and gives up at 100,000 alternatives. */
static void
unions_are_not_multiplied_without_end(void **state)
{
	buf schema = BUF_INIT(NULL, 1 << 20), out = BUF_INIT(NULL, 1 << 16);
	size_t products = 0;
	json v;

	(void)state;
	buf_str(&schema, "{\"allOf\":[");
	for (int i = 0; i < 8; i++) {
		buf_printf(&schema, "%s{\"anyOf\":[", i ? "," : "");
		for (int j = 0; j < 10; j++)
			buf_printf(&schema, "%s{\"required\":[\"m%d%d\"]}",
			    j ? "," : "", i, j);
		buf_str(&schema, "]}");
	}
	buf_str(&schema, "]}");
	assert_true(json_check(buf_view(&schema), 9, &v, NULL));
	write_alone(&out, v);
	for (size_t i = 0; i < out.len; i++)
		products += out.ptr[i] == '&';
	assert_int_equal(products, 2);
	buf_fini(&schema);
	buf_fini(&out);
}

static void
may_be_left_out(const char *schema, bool want)
{
	buf out = BUF_INIT(NULL, 100);

	assert_int_equal(type_may_be_left_out(&out, checked(schema)), want);
	assert_int_equal(out.bad, CM_OK);
}

/* A parameter may be left out when {} is a value of its schema. */
static void
empty_arguments_may_be_left_out(void **state)
{
	(void)state;
	may_be_left_out("", true);
	may_be_left_out("{}", true);
	may_be_left_out("true", true);
	may_be_left_out("{\"type\":\"object\"}", true);
	may_be_left_out("{\"type\":[\"null\",\"object\"]}", true);
	may_be_left_out("{\"properties\":{\"a\":{}}}", true);
	may_be_left_out("{\"$ref\":\"#/$defs/a\",\"$defs\":{\"a\":{}}}", true);
	may_be_left_out("{\"anyOf\":[{\"required\":[\"a\"]},{}]}", true);
	may_be_left_out("{\"oneOf\":[{\"required\":[\"a\"]},{}]}", true);
	may_be_left_out("{\"allOf\":[{\"type\":\"object\"},{}]}", true);
	may_be_left_out("false", false);
	may_be_left_out("{\"type\":\"array\"}", false);
	may_be_left_out("{\"const\":{}}", false);
	may_be_left_out("{\"enum\":[{}]}", false);
	may_be_left_out("{\"minProperties\":1}", false);
	may_be_left_out("{\"required\":[\"a\"]}", false);
	may_be_left_out("{\"$ref\":\"#\"}", false);
	may_be_left_out("{\"$ref\":\"#/$defs/a\",\"$defs\":{\"a\":"
			"{\"required\":[\"b\"]}}}",
	    false);
	may_be_left_out("{\"anyOf\":[{\"required\":[\"a\"]}]}", false);
	may_be_left_out("{\"oneOf\":[{},{}]}", false);
	may_be_left_out("{\"allOf\":[{\"required\":[\"a\"]},{}]}", false);
}

/* ------------------------------------------------------- declarations */

static void
given(catalog *c, const char *space, const char *name, const char *about,
    const char *input, const char *output)
{
	tool_given g = {.space = text_of(space),
	    .name = text_of(name),
	    .description = text_of(about),
	    .input_schema = text_of(input),
	    .output_schema = text_of(output)};

	assert_int_equal(catalog_add(c, &g), CM_OK);
}

static catalog *
sample(void)
{
	catalog *c;

	assert_int_equal(catalog_new(NULL, &c), CM_OK);
	given(c, "git-hub", "list", " Lists */ issues. ",
	    "{\"type\":\"object\",\"properties\":{\"n\":{\"type\":\"integer\","
	    "\"description\":\"How many\"}}}",
	    "{\"type\":\"array\",\"items\":{\"type\":\"string\"}}");
	given(c, "git-hub", "new", "", "{\"required\":[\"a\"]}", "");
	given(c, "", "weather", "One\r\n\r\n*/two",
	    "{\"type\":\"object\",\"properties\":{},\"description\":\"none\"}",
	    "");
	given(c, "fs", "any", "", "", "{\"type\":\"null\"}");
	assert_int_equal(catalog_seal(c), CM_OK);
	return c;
}

static void
tools_are_declared(void **state)
{
	catalog *c = sample();
	buf b = BUF_INIT(NULL, 10000);

	(void)state;
	catalog_declare(c, TEXT_NONE, &b);
	assert_str(buf_view(&b),
	    "declare const tools: {\n"
	    "  fs: {\n"
	    "    any(args?: unknown): Promise<null>;\n"
	    "  };\n"
	    "  git_hub: {\n"
	    "    /** Lists *\\/ issues. */\n"
	    "    list(args?: {\n"
	    "      // How many\n"
	    "      // @integer\n"
	    "      n?: number;\n"
	    "    }): Promise<string[]>;\n"
	    "    \"new\"(args: { a: unknown; }): Promise<unknown>;\n"
	    "  };\n"
	    "  /**\n"
	    "   * One\n"
	    "   *\n"
	    "   * *\\/two\n"
	    "   * @param args none\n"
	    "   */\n"
	    "  weather(args?: {}): Promise<unknown>;\n"
	    "};\n");
	buf_fini(&b);
	catalog_drop(c);
}

/* The same type has one name in all tools; another one of that name gets a
 * suffix made from what it is. */
static void
types_of_one_name_are_told_apart(void **state)
{
	static const char tree[] =
	    "{\"$ref\":\"#/$defs/t\",\"$defs\":{\"t\":{\"properties\":"
	    "{\"k\":{\"$ref\":\"#/$defs/t\"}}}}}";
	static const char list[] =
	    "{\"$ref\":\"#/$defs/t\",\"$defs\":{\"t\":{\"items\":"
	    "{\"$ref\":\"#/$defs/t\"}}}}";
	buf b = BUF_INIT(NULL, 10000);
	catalog *c;

	(void)state;
	assert_int_equal(catalog_new(NULL, &c), CM_OK);
	given(c, "", "a", "", tree, "");
	given(c, "", "b", "", list, "");
	given(c, "", "c", "", tree, list);
	assert_int_equal(catalog_seal(c), CM_OK);
	catalog_declare(c, TEXT_NONE, &b);
	assert_str(buf_view(&b),
	    "declare const tools: {\n"
	    "  a(args?: tools.T): Promise<unknown>;\n"
	    "  b(args?: tools.T_acb68d): Promise<unknown>;\n"
	    "  c(args?: tools.T): Promise<tools.T_acb68d>;\n"
	    "};\n"
	    "declare namespace tools {\n"
	    "  type T = { k?: tools.T; };\n"
	    "  type T_acb68d = Array<tools.T_acb68d>;\n"
	    "}\n");
	buf_fini(&b);
	catalog_drop(c);
}

static void
results_are_described(void **state)
{
	buf b = BUF_INIT(NULL, 10000);
	catalog *c;

	(void)state;
	assert_int_equal(catalog_new(NULL, &c), CM_OK);
	given(c, "", "a", "Finds.", "{\"description\":\"a query\"}",
	    "{\"description\":\"hits */\",\"items\":{\"type\":\"object\","
	    "\"description\":\"a hit\",\"additionalProperties\":"
	    "{\"type\":\"string\",\"description\":\"a field\"}}}");
	assert_int_equal(catalog_seal(c), CM_OK);
	catalog_declare(c, TEXT_NONE, &b);
	assert_str(buf_view(&b), "declare const tools: {\n"
				 "  /**\n"
				 "   * Finds.\n"
				 "   * @param args a query\n"
				 "   * @returns hits *\\/\n"
				 "   * @returns each: a hit\n"
				 "   */\n"
				 "  a(args?: unknown): Promise<Array<{\n"
				 "    // a field\n"
				 "    [key: string]: string;\n"
				 "  }>>;\n"
				 "};\n");
	buf_fini(&b);
	catalog_drop(c);
}

static void
observed_results_are_said_to_be(void **state)
{
	tool_given t = {.name = TEXT("a"),
	    .output_schema =
		TEXT("{\"description\":\"observed in 2 calls\",\"type\":"
		     "\"string\"}"),
	    .observed = true};
	buf b = BUF_INIT(NULL, 10000);
	catalog *c;

	(void)state;
	assert_int_equal(catalog_new(NULL, &c), CM_OK);
	assert_int_equal(catalog_add(c, &t), CM_OK);
	assert_int_equal(catalog_seal(c), CM_OK);
	catalog_declare(c, TEXT_NONE, &b);
	assert_str(buf_view(&b),
	    "declare const tools: {\n"
	    "  /** @returns observed in 2 calls */\n"
	    "  a(args?: unknown): Promise</* observed */ string>;\n"
	    "};\n");
	buf_clear(&b);
	catalog_signature(catalog_at(c, 0), &b);
	assert_str(
	    buf_view(&b), "(args?: unknown): Promise</* observed */ string>");
	buf_fini(&b);
	catalog_drop(c);
}

static void
one_space_is_declared(void **state)
{
	catalog *c = sample();
	buf b = BUF_INIT(NULL, 10000), again = BUF_INIT(NULL, 10000);

	(void)state;
	catalog_declare(c, TEXT("fs"), &b);
	assert_str(buf_view(&b),
	    "declare const tools: {\n  fs: {\n"
	    "    any(args?: unknown): Promise<null>;\n  };\n};\n");
	buf_clear(&b);
	catalog_declare(c, TEXT("git-hub"), &b);
	catalog_declare(c, TEXT("git_hub"), &again);
	assert_true(b.len > 0);
	assert_text(buf_view(&b), buf_view(&again));
	buf_clear(&b);
	catalog_declare(c, TEXT("none"), &b);
	assert_str(buf_view(&b), "");
	buf_fini(&b);
	buf_fini(&again);
	catalog_drop(c);
}

static void
signatures_are_one_line(void **state)
{
	catalog *c = sample();
	buf b = BUF_INIT(NULL, 10000);

	(void)state;
	catalog_signature(catalog_at(c, 1), &b);
	assert_str(buf_view(&b), "(args?: { n?: number; }): Promise<string[]>");
	buf_fini(&b);
	catalog_drop(c);
}

/* 2,000 members that each refer to one of 2,000 definitions: what is scanned
 * grows with the schema and not with its square. */
static void
many_references_are_followed_in_a_pass(void **state)
{
	enum { MANY = 2000 };
	buf b = BUF_INIT(NULL, 1 << 20);
	type_refs refs;
	json root, members, value;
	json_iter it;
	size_t n = 0;

	(void)state;
	buf_str(&b, "{\"properties\":{");
	for (int i = 0; i < MANY; i++)
		buf_printf(&b, "%s\"p%d\":{\"$ref\":\"#/$defs/d%d\"}",
		    i ? "," : "", i, MANY - 1 - i);
	buf_str(&b, "},\"$defs\":{");
	for (int i = 0; i < MANY; i++)
		buf_printf(&b, "%s\"d%d\":{\"const\":%d}", i ? "," : "", i, i);
	buf_str(&b, "}}");
	buf_byte(&b, '\0');
	root = checked(b.ptr);
	members = json_get(root, TEXT("properties"));
	type_refs_init(&refs, NULL, root);
	refs.bytes_left = 4 * root.len;
	for (it = json_each(members); json_next(&it, NULL, &value); n++) {
		int64_t number;
		json target =
		    type_target(&refs, root, json_get(value, TEXT("$ref")));

		assert_true(json_int(json_get(target, TEXT("const")), &number));
		assert_int_equal(number, MANY - 1 - (int)n);
	}
	assert_int_equal(n, MANY);
	assert_true(refs.bytes_left > 0);
	type_refs_fini(&refs);
	buf_clear(&b);
	write_alone(&b, root);
	assert_int_equal(b.bad, CM_OK);
	buf_fini(&b);
}

/* When the budget is used up, a reference is followed no more. */
static void
references_have_a_budget(void **state)
{
	json root = checked("{\"$defs\":{\"a\":{\"const\":1},"
			    "\"\\u0062\":{\"const\":2}},"
			    "\"other\":{\"c\":3}}");
	type_refs refs;

	(void)state;
	type_refs_init(&refs, NULL, root);
	refs.bytes_left = 4 * root.len;
	assert_str(
	    type_target(&refs, root, TEXT("\"#/$defs/a\"")), "{\"const\":1}");
	assert_str(
	    type_target(&refs, root, TEXT("\"#/$defs/b\"")), "{\"const\":2}");
	assert_str(type_target(&refs, root, TEXT("\"#/other/c\"")), "");
	refs.bytes_left = 2 * root.len;
	assert_str(type_target(&refs, root, TEXT("\"#/other/c\"")), "3");
	assert_str(type_target(&refs, root, TEXT("\"#/other/d\"")), "");
	assert_str(type_target(&refs, root, TEXT("\"#\"")), root.ptr);
	type_refs_fini(&refs);
}

/* Every request for memory fails once: no crash, no leak, and it is said. */
static void
memory_runs_out(void **state)
{
	json v = checked("{\"properties\":{\"a\":{\"enum\":[1,2]},"
			 "\"t\":{\"$ref\":\"#\"},\"b\":"
			 "{\"description\":\"d\",\"default\":1,\"pattern\":"
			 "\"x\"}},\"additionalProperties\":{\"anyOf\":"
			 "[{\"type\":\"string\"},{\"$ref\":\"#/$defs/a\"}]},"
			 "\"$defs\":{\"a\":{\"type\":\"null\"}}}");
	buf whole = BUF_INIT(NULL, 1 << 16);
	cm_status r = CM_ENOMEM;

	(void)state;
	write_alone(&whole, v);
	for (size_t left = 0; r != CM_OK; left++) {
		struct hoard h = {0, left};
		cm_alloc alloc = HOARD_ALLOC(&h);
		buf b = BUF_INIT(&alloc, 1 << 16);

		write_alone(&b, v);
		r = b.bad;
		assert_true(r == CM_OK || r == CM_ENOMEM);
		if (r == CM_OK)
			assert_text(buf_view(&b), buf_view(&whole));
		buf_fini(&b);
		assert_int_equal(h.bytes, 0);
		assert_true(left < 200);
	}
	buf_fini(&whole);
}

int
main(void)
{
	const struct CMUnitTest tests[] = {
	    cmocka_unit_test(plain_types),
	    cmocka_unit_test(literals),
	    cmocka_unit_test(arrays),
	    cmocka_unit_test(tuples),
	    cmocka_unit_test(objects),
	    cmocka_unit_test(members_fit_the_index),
	    cmocka_unit_test(unions_and_intersections),
	    cmocka_unit_test(references),
	    cmocka_unit_test(what_contains_itself_has_a_name),
	    cmocka_unit_test(a_type_is_not_itself),
	    cmocka_unit_test(shared_definitions_have_a_name),
	    cmocka_unit_test(comments_stand_before_members),
	    cmocka_unit_test(comments_cannot_be_left),
	    cmocka_unit_test(large_types_lose_detail_by_and_by),
	    cmocka_unit_test(long_enums_are_counted),
	    cmocka_unit_test(many_members_are_counted),
	    cmocka_unit_test(references_know_their_place),
	    cmocka_unit_test(unions_are_not_multiplied_without_end),
	    cmocka_unit_test(empty_arguments_may_be_left_out),
	    cmocka_unit_test(types_of_one_name_are_told_apart),
	    cmocka_unit_test(results_are_described),
	    cmocka_unit_test(tools_are_declared),
	    cmocka_unit_test(observed_results_are_said_to_be),
	    cmocka_unit_test(one_space_is_declared),
	    cmocka_unit_test(signatures_are_one_line),
	    cmocka_unit_test(many_references_are_followed_in_a_pass),
	    cmocka_unit_test(references_have_a_budget),
	    cmocka_unit_test(memory_runs_out),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
