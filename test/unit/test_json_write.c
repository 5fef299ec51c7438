/* SPDX-License-Identifier: MIT */
/*
 * test_json_write.c -- strings quoted, values laid out, and configuration
 * files blanked without moving a byte.
 */
#include "unit.h"

#include "base/json.h"

static json
checked(text src)
{
	json v = TEXT_NONE;

	if (!json_check(src, JSON_DEPTH, &v, NULL))
		fail_msg("not JSON: %.*s", TEXT_ARG(src));
	return v;
}

static void
writes(text s, const char *want)
{
	buf b = BUF_INIT(NULL, 1000);

	json_string(&b, s);
	assert_str(buf_view(&b), want);
	buf_fini(&b);
}

static void
strings(void **state)
{
	(void)state;
	writes(TEXT_NONE, "\"\"");
	writes(TEXT("plain"), "\"plain\"");
	writes(TEXT("\"\\/\b\f\n\r\t"), "\"\\\"\\\\/\\b\\f\\n\\r\\t\"");
	writes(TEXT("a\0b\x1f\x7f"), "\"a\\u0000b\\u001f\x7f\"");
	writes(TEXT("\xe2\x80\xa8\xe2\x80\xa9"), "\"\\u2028\\u2029\"");
	writes(TEXT("\xe2\x80\xa7\xe2\x80\xaa\xe2\x82\xac"),
	    "\"\xe2\x80\xa7\xe2\x80\xaa\xe2\x82\xac\"");
	writes(TEXT("\xf0\x9f\x98\x80"), "\"\xf0\x9f\x98\x80\"");
}

/* Eight bytes are looked at together: one that needs an escape is found at each
 * place among them, next to another and as the last one. */
static void
escapes_at_every_place(void **state)
{
	buf b = BUF_INIT(NULL, 100), back = BUF_INIT(NULL, 100);

	(void)state;
	for (size_t len = 1; len <= 20; len++) {
		for (size_t at = 0; at < len; at++) {
			char *copy = exact_copy((text){
			    "abcdefgh\x7f\x7f\x7f\x7f\x7f\x7f\x7f\x7fyz12",
			    len});
			text t = {copy, len};

			copy[at] = at % 2 ? '"' : '\n';
			copy[len / 2] = '\\';
			buf_clear(&b);
			buf_clear(&back);
			json_string(&b, t);
			assert_true(
			    json_unescape(checked(buf_view(&b)), &back));
			assert_true(text_eq(buf_view(&back), t));
			free(copy);
		}
	}
	buf_fini(&b);
	buf_fini(&back);
}

/* What is written is read back, for every code point. */
static void
every_code_point_comes_back(void **state)
{
	buf b = BUF_INIT(NULL, 100), back = BUF_INIT(NULL, 100);
	char p[4];

	(void)state;
	for (uint32_t cp = 0; cp <= 0x10ffff; cp++) {
		if (cp >= 0xd800 && cp <= 0xdfff)
			continue;
		text t = {p, utf8_put(cp, p)};

		buf_clear(&b);
		buf_clear(&back);
		json_string(&b, t);
		if (!json_unescape(checked(buf_view(&b)), &back) ||
		    !text_eq(buf_view(&back), t))
			fail_msg("U+%04X", cp);
	}
	buf_fini(&b);
	buf_fini(&back);
}

static void
layout(void **state)
{
	json v = checked(TEXT("{\"a\":[1.50, 2e+3,[],{ }],\"b\":{\"c\":"
			      "\"x, {y: [z]\\\"\"},\"d\":null}"));
	buf b = BUF_INIT(NULL, 1000), again = BUF_INIT(NULL, 1000);

	(void)state;
	json_pretty(&b, v);
	assert_str(buf_view(&b),
	    "{\n  \"a\": [\n    1.50,\n    2e+3,\n    [],\n    {}\n  ],\n"
	    "  \"b\": {\n    \"c\": \"x, {y: [z]\\\"\"\n  },\n  \"d\": "
	    "null\n}");
	json_compact(&again, checked(buf_view(&b)));
	assert_str(buf_view(&again),
	    "{\"a\":[1.50,2e+3,[],{}],\"b\":{\"c\":\"x, {y: [z]\\\"\"},"
	    "\"d\":null}");
	buf_clear(&b);
	json_pretty(&b, checked(TEXT(" 1 ")));
	json_pretty(&b, checked(TEXT(" [ ] ")));
	json_compact(&b, checked(TEXT(" \" \" ")));
	json_pretty(&b, TEXT_NONE);
	assert_str(buf_view(&b), "1[]\" \"");
	buf_fini(&b);
	buf_fini(&again);
}

static void
layout_ends_at_the_maximum(void **state)
{
	buf deep = BUF_INIT(NULL, 200000), b = BUF_INIT(NULL, 5000);

	(void)state;
	for (int i = 0; i < 60000; i++)
		buf_byte(&deep, '[');
	for (int i = 0; i < 60000; i++)
		buf_byte(&deep, ']');
	json_pretty(&b, buf_view(&deep));
	assert_int_equal(b.bad, CM_ELIMIT);
	assert_true(b.len <= 5000);
	buf_fini(&deep);
	buf_fini(&b);
}

static void
blanks_to(const char *src, const char *want)
{
	buf b = BUF_INIT(NULL, 1000);

	json_blank_comments(text_of(src), &b);
	assert_str(buf_view(&b), want);
	buf_fini(&b);
}

static void
comments_become_blanks(void **state)
{
	(void)state;
	blanks_to("", "");
	blanks_to("{\"a\":1}", "{\"a\":1}");
	blanks_to(
	    "1 // one\n//two\r\n/* x\ny */2", "1       \n      \n    \n    2");
	blanks_to("[1/**/,/*\xc3\xa9*/2]", "[1    ,      2]");
	blanks_to("\xef\xbb\xbf{}", "   {}");
	blanks_to("[/*,*/]", "[     ]");
	blanks_to("1//", "1  ");
	blanks_to("[1, /*a*/ /*b*/ // c\n]", "[1                  \n]");
}

static void
trailing_commas_become_blanks(void **state)
{
	(void)state;
	blanks_to("[1,2,]", "[1,2 ]");
	blanks_to("{\"a\":[1,\n],\n}", "{\"a\":[1 \n] \n}");
	blanks_to("[\"a\" , /* end */ ]", "[\"a\"             ]");
	blanks_to("[{},]", "[{} ]");
	/* nothing to trail behind: these stay faults */
	blanks_to("[,]", "[,]");
	blanks_to("{,}", "{,}");
	blanks_to("[1,,]", "[1,,]");
	blanks_to("{\"a\":,}", "{\"a\":,}");
	blanks_to("1,", "1,");
}

static void
strings_stay(void **state)
{
	(void)state;
	blanks_to("[\"http://x/*y*/\"]", "[\"http://x/*y*/\"]");
	blanks_to("[\"\\\"//\",\"a,]\"]//x", "[\"\\\"//\",\"a,]\"]   ");
	blanks_to("[\"a\\\\\"//\"\n]", "[\"a\\\\\"   \n]");
}

/* The reader points at what was never finished. */
static void
unfinished_things_stay(void **state)
{
	buf b = BUF_INIT(NULL, 100);
	json_fault fault;
	json v;

	(void)state;
	blanks_to("{} /* x", "{} /* x");
	blanks_to("[1, \"abc // d", "[1, \"abc // d");
	blanks_to("\"\\", "\"\\");
	blanks_to("/", "/");
	json_blank_comments(TEXT("{ // c\n  \"a\": 1 /* b }"), &b);
	assert_false(json_check(buf_view(&b), 9, &v, &fault));
	assert_int_equal(fault.at, 16);
	buf_fini(&b);
}

/* Any file at all: the same length, the same lines, no read beyond it. */
static void
no_prefix_moves(void **state)
{
	text src = TEXT("\xef\xbb\xbf{ // c\n \"a\\\\\": [1, /* \n */ ],\n"
			" \"b//\": {\"c\": \"\\\"/*\",},} // end");
	json v;

	(void)state;
	for (size_t n = 0; n <= src.len; n++) {
		char *copy = exact_copy(text_sub(src, 0, n));
		buf b = BUF_INIT(NULL, 1000);

		json_blank_comments((text){copy, n}, &b);
		assert_int_equal(b.len, n);
		for (size_t i = 0; i < n; i++)
			assert_int_equal(b.ptr[i] == '\n', copy[i] == '\n');
		if (n == src.len)
			assert_true(json_check(buf_view(&b), 9, &v, NULL));
		buf_fini(&b);
		free(copy);
	}
}

static void
positions(void **state)
{
	unsigned line, column;

	(void)state;
	text_position(TEXT("ab\ncd\n"), 0, &line, &column);
	assert_true(line == 1 && column == 1);
	text_position(TEXT("ab\ncd\n"), 2, &line, &column);
	assert_true(line == 1 && column == 3);
	text_position(TEXT("ab\ncd\n"), 4, &line, &column);
	assert_true(line == 2 && column == 2);
	text_position(TEXT("ab\ncd\n"), 99, &line, &column);
	assert_true(line == 3 && column == 1);
}

static void
members_and_elements_have_their_commas(void **state)
{
	buf b = BUF_INIT(NULL, 1000);

	(void)state;
	buf_byte(&b, '{');
	json_member_text(&b, "a", TEXT("x\"{"));
	json_member_uint(&b, "b", UINT64_MAX);
	json_member_json(&b, "none", TEXT_NONE);
	json_member_json(&b, "c", TEXT("{}"));
	json_member_bool(&b, "d", false);
	json_member(&b, "e");
	buf_byte(&b, '[');
	json_element(&b);
	buf_str(&b, "[]");
	json_element(&b);
	buf_str(&b, "1]}");
	assert_str(buf_view(&b),
	    "{\"a\":\"x\\\"{\",\"b\":18446744073709551615,\"c\":{},"
	    "\"d\":false,\"e\":[[],1]}");
	checked(buf_view(&b));
	buf_fini(&b);
}

/* What is JSON stays it, blanks around it apart. */
static void
json_or_words(void **state)
{
	static const char *const cases[][2] = {{"7", "7"}, {" [1] ", "[1]"},
	    {"true", "true"}, {"me", "\"me\""}, {"", "\"\""},
	    {"\"a", "\"\\\"a\""}, {"1 2", "\"1 2\""}};

	(void)state;
	for (size_t i = 0; i < sizeof(cases) / sizeof(*cases); i++) {
		buf out = BUF_INIT(NULL, 100);

		json_or_string(&out, text_of(cases[i][0]));
		buf_byte(&out, '\0');
		assert_string_equal(out.ptr, cases[i][1]);
		buf_fini(&out);
	}
}

int
main(void)
{
	const struct CMUnitTest tests[] = {
	    cmocka_unit_test(json_or_words),
	    cmocka_unit_test(members_and_elements_have_their_commas),
	    cmocka_unit_test(strings),
	    cmocka_unit_test(escapes_at_every_place),
	    cmocka_unit_test(every_code_point_comes_back),
	    cmocka_unit_test(layout),
	    cmocka_unit_test(layout_ends_at_the_maximum),
	    cmocka_unit_test(comments_become_blanks),
	    cmocka_unit_test(trailing_commas_become_blanks),
	    cmocka_unit_test(strings_stay),
	    cmocka_unit_test(unfinished_things_stay),
	    cmocka_unit_test(no_prefix_moves),
	    cmocka_unit_test(positions),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
