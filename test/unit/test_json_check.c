/* SPDX-License-Identifier: MIT */
/*
 * test_json_check.c -- what is JSON and what is not: two lists, every prefix
 * and every changed byte of some documents, and the bound on nesting.
 */
#include "unit.h"

#include "base/json.h"

static bool
is_json(text src)
{
	json v;

	return json_check(src, JSON_DEPTH, &v, NULL);
}

/* Each with the offset and the reason of its fault. */
static const struct {
	text src;
	size_t at;
	const char *why;
} invalid[] = {
    {TEXT_INIT(""), 0, "the text ends where a value must follow"},
    {TEXT_INIT("  "), 2, "the text ends where a value must follow"},
    {TEXT_INIT("nul"), 0, "a value must start here"},
    {TEXT_INIT("nulL"), 0, "a value must start here"},
    {TEXT_INIT("nullx"), 4, "nothing may follow the value"},
    {TEXT_INIT("True"), 0, "a value must start here"},
    {TEXT_INIT("NaN"), 0, "a value must start here"},
    {TEXT_INIT("Infinity"), 0, "a value must start here"},
    {TEXT_INIT("undefined"), 0, "a value must start here"},
    {TEXT_INIT("'a'"), 0, "a value must start here"},
    {TEXT_INIT("1 2"), 2, "nothing may follow the value"},
    {TEXT_INIT("{}{}"), 2, "nothing may follow the value"},
    {TEXT_INIT("[] ]"), 3, "nothing may follow the value"},
    {TEXT_INIT("null\0"), 4, "nothing may follow the value"},
    {TEXT_INIT("\xef\xbb\xbf{}"), 0, "a value must start here"},
    {TEXT_INIT("\v1"), 0, "a value must start here"},
    {TEXT_INIT("\xc2\xa0\x31"), 0, "a value must start here"},
    /* numbers */
    {TEXT_INIT("01"), 0, "a number must not begin with 0"},
    {TEXT_INIT("-01"), 1, "a number must not begin with 0"},
    {TEXT_INIT("+1"), 0, "a value must start here"},
    {TEXT_INIT(".5"), 0, "a value must start here"},
    {TEXT_INIT("-"), 1, "a number lacks a digit"},
    {TEXT_INIT("-x"), 1, "a number lacks a digit"},
    {TEXT_INIT("1."), 2, "a number lacks a digit"},
    {TEXT_INIT("1.e1"), 2, "a number lacks a digit"},
    {TEXT_INIT("1e"), 2, "a number lacks a digit"},
    {TEXT_INIT("1e+"), 3, "a number lacks a digit"},
    {TEXT_INIT("1e1.5"), 3, "nothing may follow the value"},
    {TEXT_INIT("0x10"), 1, "nothing may follow the value"},
    {TEXT_INIT("1_000"), 1, "nothing may follow the value"},
    {TEXT_INIT("1n"), 1, "nothing may follow the value"},
    {TEXT_INIT("--1"), 1, "a number lacks a digit"},
    /* strings */
    {TEXT_INIT("\""), 1, "the text ends inside a string"},
    {TEXT_INIT("\"abc"), 4, "the text ends inside a string"},
    {TEXT_INIT("\"\\"), 2, "the text ends inside a string"},
    {TEXT_INIT("\"\\\""), 3, "the text ends inside a string"},
    {TEXT_INIT("\"\\x41\""), 1, "a string has an unknown escape"},
    {TEXT_INIT("\"\\\0\""), 1, "a string has an unknown escape"},
    {TEXT_INIT("\"\\'\""), 1, "a string has an unknown escape"},
    {TEXT_INIT("\"\\U0041\""), 1, "a string has an unknown escape"},
    {TEXT_INIT("\"\\u004\""), 1, "\\u needs four hex digits"},
    {TEXT_INIT("\"\\u00g0\""), 1, "\\u needs four hex digits"},
    {TEXT_INIT("\"\\u00"), 1, "\\u needs four hex digits"},
    {TEXT_INIT("\"0123456789\n\""), 11,
	"a string has a control character that is not escaped"},
    {TEXT_INIT("\"\t\""), 1,
	"a string has a control character that is not escaped"},
    {TEXT_INIT("\"\0\""), 1,
	"a string has a control character that is not escaped"},
    {TEXT_INIT("\"\x1f\""), 1,
	"a string has a control character that is not escaped"},
    {TEXT_INIT("\"\xff\""), 1, "a string is not valid UTF-8"},
    {TEXT_INIT("\"\xc0\x80\""), 1, "a string is not valid UTF-8"},
    {TEXT_INIT("\"\xed\xa0\x80\""), 1, "a string is not valid UTF-8"},
    {TEXT_INIT("\"abcdefgh\xe2\x82\""), 9, "a string is not valid UTF-8"},
    {TEXT_INIT("\"\xe2\x82"), 1, "a string is not valid UTF-8"},
    {TEXT_INIT("\"\xf4\x90\x80\x80\""), 1, "a string is not valid UTF-8"},
    /* arrays and objects */
    {TEXT_INIT("["), 1, "the text ends inside an array"},
    {TEXT_INIT("[1"), 2, "the text ends before all brackets are closed"},
    {TEXT_INIT("[1,"), 3, "the text ends where a value must follow"},
    {TEXT_INIT("[1,]"), 3, "a value must start here"},
    {TEXT_INIT("[,1]"), 1, "a value must start here"},
    {TEXT_INIT("[1 2]"), 3, "a comma or ] must follow"},
    {TEXT_INIT("[1}"), 2, "a comma or ] must follow"},
    {TEXT_INIT("[1:2]"), 2, "a comma or ] must follow"},
    {TEXT_INIT("]"), 0, "a value must start here"},
    {TEXT_INIT("{"), 1, "the text ends inside an object"},
    {TEXT_INIT("{]"), 1, "a key in double quotes must start here"},
    {TEXT_INIT("{a:1}"), 1, "a key in double quotes must start here"},
    {TEXT_INIT("{1:1}"), 1, "a key in double quotes must start here"},
    {TEXT_INIT("{\"a\"}"), 4, "a colon must follow the key"},
    {TEXT_INIT("{\"a\" "), 5, "a colon must follow the key"},
    {TEXT_INIT("{\"a\":}"), 5, "a value must start here"},
    {TEXT_INIT("{\"a\":1"), 6, "the text ends before all brackets are closed"},
    {TEXT_INIT("{\"a\":1,"), 7, "the text ends where a key must follow"},
    {TEXT_INIT("{\"a\":1,}"), 7, "a key in double quotes must start here"},
    {TEXT_INIT("{\"a\":1]"), 6, "a comma or } must follow"},
    {TEXT_INIT("{\"a\":1 \"b\":2}"), 7, "a comma or } must follow"},
    {TEXT_INIT("[{\"a\":[}]"), 7, "a value must start here"},
    {TEXT_INIT("[1] // c"), 4, "nothing may follow the value"},
};

static void
what_is_not_json_is_named(void **state)
{
	(void)state;
	for (size_t i = 0; i < sizeof(invalid) / sizeof(invalid[0]); i++) {
		char *copy = exact_copy(invalid[i].src);
		text src = {copy, invalid[i].src.len};
		json_fault fault = {99, "-"};
		json v = TEXT("untouched");

		if (json_check(src, JSON_DEPTH, &v, &fault))
			fail_msg("passed: %.*s", TEXT_ARG(src));
		if (fault.at != invalid[i].at)
			fail_msg("%.*s: at %zu", TEXT_ARG(src), fault.at);
		assert_string_equal(fault.why, invalid[i].why);
		assert_str(v, "untouched");
		free(copy);
	}
}

static const text valid[] = {
    TEXT_INIT("null"),
    TEXT_INIT("true"),
    TEXT_INIT("false"),
    TEXT_INIT("0"),
    TEXT_INIT("-0"),
    TEXT_INIT("-0.0e-0"),
    TEXT_INIT("10"),
    TEXT_INIT("1.5"),
    TEXT_INIT("1e5"),
    TEXT_INIT("1E+5"),
    TEXT_INIT("123456789012345678901234567890.5e-999"),
    TEXT_INIT("1e999"),
    TEXT_INIT("\"\""),
    TEXT_INIT("\"a\""),
    TEXT_INIT("\"\x7f\""),
    TEXT_INIT("\"\\\"\\\\\\/\\b\\f\\n\\r\\t\\u0000\\uabCD\""),
    TEXT_INIT("\"\\ud800\""),
    TEXT_INIT("\"\\udc00\\ud800\""),
    TEXT_INIT("\"\xc3\xa9\xe2\x82\xac\xf0\x9f\x98\x80\""),
    TEXT_INIT("\"\xe2\x80\xa8\xef\xbf\xbf\xf4\x8f\xbf\xbf\""),
    TEXT_INIT("[]"),
    TEXT_INIT("[ ]"),
    TEXT_INIT("[[],[[]],{}]"),
    TEXT_INIT("{}"),
    TEXT_INIT("{ }"),
    TEXT_INIT("{\"\":0}"),
    TEXT_INIT("{\"a\":1,\"a\":2}"),
    TEXT_INIT("{\"a\" : [ 1 , { \"b\" : null } ] }"),
};

static void
what_is_json_passes(void **state)
{
	(void)state;
	for (size_t i = 0; i < sizeof(valid) / sizeof(valid[0]); i++) {
		json v = TEXT_NONE;

		if (!json_check(valid[i], JSON_DEPTH, &v, NULL))
			fail_msg("refused: %.*s", TEXT_ARG(valid[i]));
		assert_text(v, valid[i]);
	}
}

static void
white_space_around_is_left_out(void **state)
{
	json v = TEXT_NONE;

	(void)state;
	assert_true(json_check(TEXT("\n\t \r [1] \n"), 4, &v, NULL));
	assert_str(v, "[1]");
	assert_true(
	    json_check(TEXT("                    7          "), 0, &v, NULL));
	assert_str(v, "7");
}

/* A string is scanned eight bytes at a time: a stop is found at each place of
 * such a group, and at its end. */
static void
stops_are_found_at_every_place(void **state)
{
	static const text bad[] = {TEXT_INIT("\n"), TEXT_INIT("\x80"),
	    TEXT_INIT("\\q"), TEXT_INIT("\"\"")};
	static const text good[] = {TEXT_INIT("\\n"), TEXT_INIT("\xc3\xa9"),
	    TEXT_INIT("\x7f"), TEXT_INIT("!"), TEXT_INIT("#"), TEXT_INIT("["),
	    TEXT_INIT("]"), TEXT_INIT(" ")};
	char src[64];

	(void)state;
	for (int before = 0; before < 20; before++)
		for (int after = 0; after < 20; after++) {
			for (size_t i = 0; i < 4 + 8; i++) {
				text t = i < 4 ? bad[i] : good[i - 4];
				int n = snprintf(src, sizeof(src),
				    "\"%.*s%.*s%.*s\"", before,
				    "aaaaaaaaaaaaaaaaaaaa", TEXT_ARG(t), after,
				    "zzzzzzzzzzzzzzzzzzzz");

				assert_int_equal(
				    is_json((text){src, (size_t)n}), i >= 4);
			}
		}
}

static const text samples[] = {
    TEXT_INIT("{\"name\":\"list_issues\",\"ok\":true,\"n\":[1,-2.5e+3,0.1],"
	      "\"deep\":{\"a\":{\"b\":[[],{}]}},\"t\":null}"),
    TEXT_INIT("[\"caf\xc3\xa9 \xe2\x82\xac \xf0\x9f\x98\x80\","
	      "\"\\ud83d\\ude00\\n\\\"\\\\\",\"0123456789abcdef\"]"),
    TEXT_INIT(" { \"x\" : [ 1 , 2 , 3 ] ,\n\t\"y\" : false }\r\n"),
};

/* The readers that trust, let loose on what passed the check. */
static void
read_it_all(json v)
{
	buf out = BUF_INIT(NULL, 1 << 16);
	json_iter it = json_each(v);
	json k, m;
	int64_t whole;
	double number;

	json_pretty(&out, v);
	buf_clear(&out);
	json_compact(&out, v);
	assert_true(is_json(buf_view(&out)));
	buf_clear(&out);
	json_unescape(v, &out);
	assert_true(utf8_bad(buf_view(&out)) == SIZE_MAX);
	json_int(v, &whole);
	json_double(v, &number);
	json_is(v, TEXT("list_issues"));
	while (json_next(&it, &k, &m)) {
		read_it_all(m);
		if (k.len)
			read_it_all(k);
	}
	buf_fini(&out);
}

static void
try_it(text t)
{
	char *copy = exact_copy(t);
	json v;

	if (json_check((text){copy, t.len}, JSON_DEPTH, &v, NULL))
		read_it_all(v);
	free(copy);
}

/* No object or array is whole before its last bracket. */
static void
no_prefix_passes(void **state)
{
	(void)state;
	for (size_t i = 0; i < 3; i++) {
		text v = text_trim(samples[i]);
		size_t whole = (size_t)(v.ptr - samples[i].ptr) + v.len;

		for (size_t n = 0; n < samples[i].len; n++) {
			assert_int_equal(
			    is_json(text_sub(samples[i], 0, n)), n >= whole);
			try_it(text_sub(samples[i], 0, n));
		}
		assert_true(is_json(samples[i]));
	}
}

static void
no_changed_byte_does_harm(void **state)
{
	char changed[256];

	(void)state;
	for (size_t i = 0; i < 3; i++) {
		memcpy(changed, samples[i].ptr, samples[i].len);
		for (size_t at = 0; at < samples[i].len; at++) {
			for (int c = 0; c < 256; c++) {
				changed[at] = (char)c;
				try_it((text){changed, samples[i].len});
			}
			changed[at] = samples[i].ptr[at];
		}
	}
}

/* n levels, every third one an object. */
static text
nested(buf *b, size_t n)
{
	buf_clear(b);
	for (size_t i = 0; i < n; i++)
		buf_str(b, i % 3 ? "[" : "{\"k\":");
	buf_str(b, "1");
	for (size_t i = n; i-- > 0;)
		buf_str(b, i % 3 ? "]" : "}");
	return buf_view(b);
}

static void
nesting_has_a_bound(void **state)
{
	buf b = BUF_INIT(NULL, 1 << 20);
	json_fault fault;
	json v;

	(void)state;
	assert_true(json_check(nested(&b, 0), 0, &v, NULL));
	assert_false(json_check(nested(&b, 1), 0, &v, NULL));
	assert_true(json_check(nested(&b, 200), 200, &v, NULL));
	assert_int_equal(json_len(v), 1);
	assert_false(json_check(nested(&b, 201), 200, &v, &fault));
	assert_string_equal(fault.why, "it is nested too deeply");
	assert_true(json_check(nested(&b, 65536), 65536, &v, NULL));
	assert_int_equal(v.len, b.len);
	assert_int_equal(json_len(v), 1);
	assert_false(json_check(nested(&b, 65537), UINT32_MAX, &v, &fault));
	assert_string_equal(fault.why, "it is nested too deeply");
	/* one wrong bracket, far inside */
	nested(&b, 65536);
	b.ptr[b.len - 30000] ^= '[' ^ '{';
	assert_false(json_check(buf_view(&b), 65536, &v, &fault));
	assert_int_equal(fault.at, b.len - 30000);
	buf_fini(&b);
}

int
main(void)
{
	const struct CMUnitTest tests[] = {
	    cmocka_unit_test(what_is_not_json_is_named),
	    cmocka_unit_test(what_is_json_passes),
	    cmocka_unit_test(white_space_around_is_left_out),
	    cmocka_unit_test(stops_are_found_at_every_place),
	    cmocka_unit_test(no_prefix_passes),
	    cmocka_unit_test(no_changed_byte_does_harm),
	    cmocka_unit_test(nesting_has_a_bound),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
