/* SPDX-License-Identifier: MIT */
/*
 * test_schema.c -- values against schemas: what is said of those that do not
 * fit, which schemas are refused, and that no schema and no value makes a check
 * take long. What the drafts mean is held by test/schema.
 */
#include "unit.h"

#include "schema/schema.h"
#include "schema/schema_pattern.h"
#include "schema/schema_value.h"

static schema_program *
compiled(const char *source)
{
	json v;
	schema_program *s;

	assert_true(json_check(text_of(source), JSON_DEPTH, &v, NULL));
	assert_int_equal(schema_compile(NULL, v, &s), CM_OK);
	return s;
}

static schema_verdict
verdict(const schema_program *s, text value)
{
	json v;

	assert_true(json_check(value, 20000, &v, NULL));
	return schema_check(s, v);
}

/* ------------------------------------------------------------------- words */

#define ISSUE                                                               \
	"{\"type\":\"object\",\"properties\":{\"title\":{\"type\":"         \
	"\"string\",\"minLength\":1},\"labels\":{\"type\":\"array\","       \
	"\"items\":{\"enum\":[\"bug\",\"docs\",\"question\"]}},\"page\":{"  \
	"\"type\":\"integer\",\"minimum\":1,\"maximum\":50}},\"required\":" \
	"[\"title\"],\"additionalProperties\":false}"

static const struct {
	const char *schema, *value, *words;
} said[] = {
    {ISSUE, "{\"title\":\"a\",\"labels\":[\"bug\"],\"page\":2}", ""},
    {ISSUE, "{\"title\":5}", "title must be a string, not 5"},
    {ISSUE, "{\"titl\":\"a\"}",
	"titl is not known: did you mean title?; title is missing (you wrote "
	"titl)"},
    {ISSUE, "{\"title\":\"a\",\"body\":1}",
	"body is not known; known: page, title, labels"},
    {ISSUE, "{\"title\":\"a\",\"labels\":[\"bug\",\"bugs\"]}",
	"labels[1] must be one of \"bug\", \"docs\", \"question\", not "
	"\"bugs\": did you mean \"bug\"?"},
    {ISSUE, "{\"title\":\"a\",\"labels\":\"bug\"}",
	"labels must be an array, not a string"},
    {ISSUE, "{\"title\":\"\"}", "title must have at least 1 character, not 0"},
    {ISSUE, "{\"title\":\"a\",\"page\":0}", "page must be at least 1, not 0"},
    {ISSUE, "{\"title\":\"a\",\"page\":51}", "page must be at most 50, not 51"},
    {ISSUE, "{\"title\":\"a\",\"page\":1.5}",
	"page must be a whole number, not 1.5"},
    {ISSUE, "{\"title\":\"a\",\"page\":2.0}", ""},
    {ISSUE, "[]", "the argument must be an object, not an array"},
    {"{\"type\":[\"string\",\"null\"]}", "5",
	"the argument must be one of: a string, null, not 5"},
    {"{\"properties\":{\"a b\":{\"const\":1}}}", "{\"a b\":2}",
	"[\"a b\"] must be 1, not 2"},
    {"{\"multipleOf\":0.01}", "0.005",
	"the argument must be a multiple of 1e-2, not 0.005"},
    {"{\"exclusiveMinimum\":0}", "0",
	"the argument must be more than 0, not 0"},
    {"{\"minimum\":3,\"exclusiveMinimum\":true}", "3",
	"the argument must be more than 3, not 3"},
    {"{\"exclusiveMaximum\":1e3}", "1000",
	"the argument must be less than 1000, not 1000"},
    {"{\"pattern\":\"^[a-z]+$\"}", "\"A\"",
	"the argument must match /^[a-z]+$/, not \"A\""},
    {"{\"uniqueItems\":true}", "[1,2,1.0]",
	"the argument has equal items: [0] and [2]"},
    {"{\"minItems\":2}", "[1]",
	"the argument must have at least 2 items, not 1"},
    {"{\"maxProperties\":0}", "{\"a\":1}",
	"the argument must have at most 0 members, not 1"},
    {"{\"contains\":{\"type\":\"null\"}}", "[1]",
	"the argument has 0 items of the kind it must contain"},
    {"{\"dependentRequired\":{\"a\":[\"b\"]}}", "{\"a\":1}",
	"the argument lacks b, which must come with a"},
    {"{\"not\":{}}", "1", "the argument must not be of that form"},
    {"{\"oneOf\":[{\"type\":\"number\"},{\"minimum\":1}]}", "1",
	"the argument fits forms 1 and 2, of which it must fit one"},
    {"{\"anyOf\":[{\"type\":\"string\"},{\"type\":\"boolean\"}]}", "1",
	"the argument must be one of: a string, true or false, not 1"},
    /* The form that the value names is the one that is told of. */
    {"{\"oneOf\":[{\"properties\":{\"kind\":{\"const\":\"a\"},\"x\":{"
     "\"type\":\"number\"}},\"required\":[\"x\"]},{\"properties\":{\"kind\":"
     "{\"const\":\"b\"},\"y\":{\"type\":\"number\"}},\"required\":[\"y\"]}]}",
	"{\"kind\":\"b\",\"y\":\"1\"}", "y must be a number, not \"1\""},
    {"{\"properties\":{\"a\":{\"properties\":{\"b\":{\"items\":{\"type\":"
     "\"null\"}}}}}}",
	"{\"a\":{\"b\":[null,{\"c\":1}]}}",
	"a.b[1] must be null, not an object"},
    {"{\"unevaluatedProperties\":false,\"allOf\":[{\"properties\":{\"a\":{}}}"
     "]}",
	"{\"a\":1,\"b\":2}", "b is not known; there are no members"},
    {"{\"items\":{\"type\":\"null\"}}", "[1,2,3,4,5]",
	"[0] must be null, not 1; [1] must be null, not 2; [2] must be null, "
	"not 3; [3] must be null, not 4; and more"},
    {"false", "1", "the argument must not be there"},
    /* What lies elsewhere fits, and so does the opposite of it. */
    {"{\"$ref\":\"https://example.org/a.json\"}", "1", ""},
    {"{\"not\":{\"$ref\":\"https://example.org/a.json\"}}", "1", ""},
    {"{\"pattern\":\"(?=a)b\"}", "\"c\"", ""},
    {"{\"patternProperties\":{\"\\\\p{L}\":{\"type\":\"null\"}},"
     "\"additionalProperties\":false}",
	"{\"a\":1}", ""},
    /* Numbers are exact. */
    {"{\"const\":9007199254740993}", "9007199254740992",
	"the argument must be 9007199254740993, not 9007199254740992"},
    {"{\"maximum\":9007199254740992}", "9007199254740993",
	"the argument must be at most 9007199254740992, not "
	"9007199254740993"},
    {"{\"enum\":[{\"a\":[1,\"\\u0061\"],\"b\":null}]}",
	"{\"b\":null,\"a\":[1.0,\"a\"]}", ""},
};

static void
test_words(void **state)
{
	(void)state;
	for (size_t i = 0; i < sizeof(said) / sizeof(*said); i++) {
		schema_program *s = compiled(said[i].schema);
		buf words = BUF_INIT(NULL, 1 << 20);

		assert_str(schema_why(s), "");
		assert_int_equal(verdict(s, text_of(said[i].value)),
		    *said[i].words ? SCHEMA_MISFIT : SCHEMA_FITS);
		schema_explain(s, text_of(said[i].value), &words);
		assert_str(buf_view(&words), said[i].words);
		buf_fini(&words);
		schema_free(s);
	}
}

/* ----------------------------------------------------------------- schemas */

static const struct {
	const char *schema, *why, *gap;
} schemas[] = {
    {"{\"properties\":{\"a\":{\"type\":\"text\"}}}",
	"$.properties.a.type is no type", ""},
    {"{\"required\":true}", "$.required is no array of names", ""},
    {"{\"required\":[1]}", "$.required[0] is no name", ""},
    {"{\"properties\":[]}", "$.properties is no object of schemas", ""},
    {"{\"items\":5}", "$.items is no schema", ""},
    {"{\"anyOf\":{}}", "$.anyOf is no array of schemas", ""},
    {"{\"minimum\":\"1\"}", "$.minimum is no number", ""},
    {"{\"minLength\":-1}", "$.minLength is no count", ""},
    {"{\"multipleOf\":0}", "$.multipleOf is not above 0", ""},
    {"{\"enum\":1}", "$.enum is no array", ""},
    {"{\"uniqueItems\":1}", "$.uniqueItems is neither true nor false", ""},
    {"{\"pattern\":1}", "$.pattern is no text", ""},
    {"{\"$ref\":\"#/$defs/a\"}", "$ refers to nothing", ""},
    {"{\"$ref\":\"#a\"}", "$ refers to nothing", ""},
    {"5", "$ is no schema", ""},
    {"{\"items\":{\"$ref\":\"other.json#/a\"}}", "",
	"$.items: other.json#/a lies elsewhere"},
    {"{\"pattern\":\"(a)\\\\1\"}", "",
	"$.pattern: (a)\\1 it has a backreference"},
    {"{\"format\":\"nonsense\",\"x\":1}", "", ""},
};

static void
test_schemas_that_are_refused(void **state)
{
	(void)state;
	for (size_t i = 0; i < sizeof(schemas) / sizeof(*schemas); i++) {
		schema_program *s = compiled(schemas[i].schema);

		assert_str(schema_why(s), schemas[i].why);
		assert_str(schema_gap(s), schemas[i].gap);
		assert_int_equal(verdict(s, TEXT("{\"a\":1}")), SCHEMA_FITS);
		schema_free(s);
	}
}

/* ---------------------------------------------------------------- patterns */

static const struct {
	const char *pattern, *text;
	bool matches;
} patterns[] = {
    {"a", "xay", true},
    {"^a", "xay", false},
    {"a$", "xay", false},
    {"^$", "", true},
    {"^a*$", "aaa", true},
    {"^a+$", "", false},
    {"^a?b$", "b", true},
    {"^(ab|cd|ef)+$", "abefcd", true},
    {"^(ab|cd|ef)+$", "abe", false},
    {"^(a|b|)c$", "c", true},
    {"^(?:a|(?<n>b))$", "b", true},
    {"^a{2}$", "aa", true},
    {"^a{2}$", "aaa", false},
    {"^a{2,}$", "aaaa", true},
    {"^a{2,3}$", "aaaa", false},
    {"^(a{2}){2}$", "aaaa", true},
    {"^a{,2}$", "a{,2}", true},
    {"^[a-c0-9_-]+$", "a-_7", true},
    {"^[^a-c]+$", "xyz", true},
    {"^[^a-c]+$", "xbz", false},
    {"^\\d{4}-\\d\\d$", "2024-07", true},
    {"^[\\w.]+@\\w+$", "a.b@c", true},
    {"\\bfoo\\b", "a foo b", true},
    {"\\bfoo\\b", "afoo b", false},
    {"\\Bo", "foo", true},
    {"^\\S+$", "a b", false},
    {"^.$", "\xc3\xa4", true},
    {"^[\xc3\xa4-\xc3\xbc]$", "\xc3\xb6", true},
    {"^\\u00e4$", "\xc3\xa4", true},
    {"^\\u{1f600}$", "\\ud83d\\ude00", true},
    {"^\\x41\\t$", "A\\t", true},
    {"^a.c$", "a\\nc", false},
    {"a+?b", "aab", true},
    {"^[]$", "a", false},
    {"^[^]$", "a", true},
    {"^(a+)+$", "aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaab", false},
};

static void
test_patterns(void **state)
{
	(void)state;
	for (size_t i = 0; i < sizeof(patterns) / sizeof(*patterns); i++) {
		arena a = ARENA_INIT(NULL, 1 << 20);
		const char *why;
		const pattern *p =
		    pattern_compile(&a, text_of(patterns[i].pattern), &why);

		if (p == NULL)
			print_error("%s: %s\n", patterns[i].pattern, why);
		assert_non_null(p);
		if (pattern_matches(p, text_of(patterns[i].text)) !=
		    patterns[i].matches)
			fail_msg(
			    "%s on %s", patterns[i].pattern, patterns[i].text);
		arena_fini(&a);
	}
}

static void
test_patterns_that_are_not_known(void **state)
{
	static const char *const unknown[] = {"(?=a)", "(?!a)", "(?<=a)",
	    "(a)\\1", "\\k<a>", "\\p{L}", "a{5000}", "((a{99}){99}){99}", "(",
	    ")", "[", "*", "[b-a]", "a{2,1}", "\\", "(?i:a)"};

	(void)state;
	for (size_t i = 0; i < sizeof(unknown) / sizeof(*unknown); i++) {
		arena a = ARENA_INIT(NULL, 1 << 20);
		const char *why = NULL;

		assert_null(pattern_compile(&a, text_of(unknown[i]), &why));
		assert_non_null(why);
		arena_fini(&a);
	}
}

/* ------------------------------------------------------------------- bombs */

/* n times the piece, between two other texts. */
static char *
repeated(const char *before, const char *piece, size_t n, const char *after)
{
	size_t len = strlen(piece);
	char *all = malloc(strlen(before) + n * len + strlen(after) + 1);
	char *at = all + strlen(before);

	assert_non_null(all);
	strcpy(all, before);
	for (size_t i = 0; i < n; i++, at += len)
		memcpy(at, piece, len);
	strcpy(at, after);
	return all;
}

/* Each level has two ways to the next: 2^40 in all. */
static void
test_branches_that_multiply(void **state)
{
	char source[8192] = "{\"$ref\":\"#/$defs/l0\",\"$defs\":{";
	schema_program *s;

	(void)state;
	for (int i = 0; i < 40; i++)
		snprintf(source + strlen(source),
		    sizeof(source) - strlen(source),
		    "\"l%d\":{\"anyOf\":[{\"$ref\":\"#/$defs/l%d\"},{\"$ref\":"
		    "\"#/$defs/l%d\"}]},",
		    i, i + 1, i + 1);
	strcat(source, "\"l40\":false}}");
	s = compiled(source);
	assert_str(schema_why(s), "");
	assert_int_equal(verdict(s, TEXT("1")), SCHEMA_UNKNOWN);
	schema_free(s);
}

static void
test_references_in_a_loop(void **state)
{
	schema_program *s =
	    compiled("{\"$defs\":{\"a\":{\"$ref\":\"#/$defs/b\"},"
		     "\"b\":{\"$ref\":\"#/$defs/a\"}},\"$ref\":"
		     "\"#/$defs/a\"}");
	char *deep;

	(void)state;
	assert_int_equal(verdict(s, TEXT("1")), SCHEMA_UNKNOWN);
	schema_free(s);
	/* One that takes a step with each turn ends with the value. */
	s = compiled("{\"type\":\"array\",\"items\":{\"$ref\":\"#\"}}");
	assert_int_equal(verdict(s, TEXT("[[[],[1]]]")), SCHEMA_MISFIT);
	deep = repeated("", "[", 5000, "");
	deep = realloc(deep, 10001);
	assert_non_null(deep);
	memset(deep + 5000, ']', 5000);
	assert_int_equal(verdict(s, (text){deep, 10000}), SCHEMA_UNKNOWN);
	free(deep);
	schema_free(s);
}

static void
test_schema_that_is_too_deep(void **state)
{
	char *source = repeated("", "{\"items\":", 200, "true");
	char *whole = repeated(source, "}", 200, "");
	schema_program *s = compiled(whole);

	(void)state;
	assert_true(text_ends(schema_why(s), TEXT("is nested too deeply")));
	assert_int_equal(verdict(s, TEXT("[1]")), SCHEMA_FITS);
	schema_free(s);
	free(source);
	free(whole);
}

/* 20,000 references into an object of 20,000 members. */
static void
test_references_without_number(void **state)
{
	buf b = BUF_INIT(NULL, 8 << 20);
	schema_program *s;

	(void)state;
	buf_str(&b, "{\"allOf\":[");
	for (int i = 0; i < 20000; i++)
		buf_printf(&b, "%s{\"$ref\":\"#/$defs/d%d\"}", i ? "," : "", i);
	buf_str(&b, "],\"$defs\":{");
	for (int i = 0; i < 20000; i++)
		buf_printf(&b, "%s\"d%d\":{}", i ? "," : "", i);
	buf_str(&b, "}}");
	assert_int_equal(schema_compile(NULL, buf_view(&b), &s), CM_OK);
	assert_true(text_ends(schema_why(s), TEXT("has too many references")));
	schema_free(s);
	buf_fini(&b);
}

static void
test_many_items_and_choices(void **state)
{
	buf b = BUF_INIT(NULL, 8 << 20), e = BUF_INIT(NULL, 8 << 20);
	schema_program *s = compiled("{\"uniqueItems\":true}");

	(void)state;
	for (int i = 0; i < 100000; i++)
		buf_printf(&b, "%c\"v%d\"", i ? ',' : '[', i);
	buf_printf(&e, "{\"items\":{\"enum\":%.*s]}}", TEXT_ARG(buf_view(&b)));
	buf_str(&b, ",\"v77777\"]");
	assert_int_equal(verdict(s, buf_view(&b)), SCHEMA_MISFIT);
	schema_free(s);
	assert_int_equal(schema_compile(NULL, buf_view(&e), &s), CM_OK);
	assert_str(schema_why(s), "");
	assert_int_equal(verdict(s, buf_view(&b)), SCHEMA_FITS);
	assert_int_equal(verdict(s, TEXT("[\"v100000\"]")), SCHEMA_MISFIT);
	schema_free(s);
	buf_fini(&b);
	buf_fini(&e);
}

/* A long text and a pattern whose threads all live: the product is counted. */
static void
test_pattern_of_much_work(void **state)
{
	schema_program *s = compiled("{\"pattern\":\"^(a?){900}b$\"}");
	char *long_text = repeated("\"", "a", 1000000, "\"");

	(void)state;
	assert_int_equal(verdict(s, text_of(long_text)), SCHEMA_UNKNOWN);
	assert_int_equal(verdict(s, TEXT("\"aab\"")), SCHEMA_FITS);
	free(long_text);
	schema_free(s);
}

static void
test_no_memory(void **state)
{
	struct hoard h = {0, SIZE_MAX};
	cm_alloc alloc = HOARD_ALLOC(&h);
	schema_program *s;
	cm_status r = CM_ENOMEM;

	(void)state;
	for (size_t left = 0; r == CM_ENOMEM; left++) {
		h.left = left;
		r = schema_compile(&alloc, TEXT(ISSUE), &s);
		if (r != CM_OK)
			assert_int_equal(h.bytes, 0);
	}
	assert_str(schema_why(s), "");
	h.left = 0;
	assert_int_equal(
	    schema_check(s, TEXT("{\"\\u0061\":1}")), SCHEMA_UNKNOWN);
	h.left = SIZE_MAX;
	schema_free(s);
	assert_int_equal(h.bytes, 0);
}

static void
test_decimals(void **state)
{
	(void)state;
	assert_int_equal(decimal_compare(decimal_read(TEXT("1e400")),
			     decimal_read(TEXT("1e399"))),
	    1);
	assert_int_equal(decimal_compare(decimal_read(TEXT("-0.0")),
			     decimal_read(TEXT("0e9"))),
	    0);
	assert_int_equal(decimal_compare(decimal_read(TEXT("-2")),
			     decimal_read(TEXT("-10"))),
	    1);
	assert_true(decimal_divides(
	    decimal_read(TEXT("1e-8")), decimal_read(TEXT("12391239123"))));
	assert_false(decimal_divides(
	    decimal_read(TEXT("0.123456789")), decimal_read(TEXT("1e308"))));
}

int
main(void)
{
	const struct CMUnitTest tests[] = {
	    cmocka_unit_test(test_words),
	    cmocka_unit_test(test_schemas_that_are_refused),
	    cmocka_unit_test(test_patterns),
	    cmocka_unit_test(test_patterns_that_are_not_known),
	    cmocka_unit_test(test_branches_that_multiply),
	    cmocka_unit_test(test_references_in_a_loop),
	    cmocka_unit_test(test_schema_that_is_too_deep),
	    cmocka_unit_test(test_references_without_number),
	    cmocka_unit_test(test_many_items_and_choices),
	    cmocka_unit_test(test_pattern_of_much_work),
	    cmocka_unit_test(test_no_memory),
	    cmocka_unit_test(test_decimals),
	};

	return cmocka_run_group_tests_name("schema", tests, NULL, NULL);
}
