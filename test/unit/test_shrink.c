/* SPDX-License-Identifier: MIT */
/*
 * test_shrink.c -- values that are cut: what is left, what is said of the rest,
 * and that it is JSON of the same shape at every length.
 */
#include "unit.h"

#include "shrink/shrink.h"

static void
shrinks_to(const char *value, size_t max, const char *want, const char *notes)
{
	buf b = BUF_INIT(NULL, 4096), said = BUF_INIT(NULL, 4096);
	json v, again;
	size_t left_out;

	assert_true(json_check(text_of(value), JSON_DEPTH, &v, NULL));
	left_out = json_shrink(&b, v, max, &said);
	assert_str(buf_view(&b), want);
	assert_str(buf_view(&said), notes);
	assert_true(b.len <= max);
	assert_int_equal(left_out, v.len - b.len);
	assert_true(
	    b.len == 0 || json_check(buf_view(&b), JSON_DEPTH, &again, NULL));
	buf_fini(&b);
	buf_fini(&said);
}

#define LONG_TEXT "0123456789012345678901234567890123456789"

static void
test_what_is_left(void **state)
{
	(void)state;
	shrinks_to("[1,2,3]", 7, "[1,2,3]", "");
	shrinks_to("[1,2,3]", 6, "[1,2]", "1 of 3 items");
	shrinks_to("[1,2,3]", 2, "[]", "3 of 3 items");
	shrinks_to("[1,2,3]", 1, "", "");
	shrinks_to("12345", 4, "", "");
	shrinks_to("\"abc\\n\xc3\xa9\"", 8, "\"abc\\n\"", "2 of 7 bytes");
	shrinks_to("\"abc\\n\xc3\xa9\"", 6, "\"abc\"", "4 of 7 bytes");
	shrinks_to("\"a\\ud83d\\ude00\"", 10, "\"a\"", "12 of 13 bytes");
	/* Rows alike: the last ones go. */
	shrinks_to("[{\"id\":1,\"t\":\"0123456789\"},{\"id\":2,\"t\":"
		   "\"0123456789\"},{\"id\":3,\"t\":\"0123456789\"}]",
	    60,
	    "[{\"id\":1,\"t\":\"0123456789\"},{\"id\":2,\"t\":\"0123456789\"}"
	    "]",
	    "1 of 3 items");
	/* The longest member alone is cut, wherever it stands. */
	shrinks_to("{\"body\":\"" LONG_TEXT LONG_TEXT "\",\"id\":7,\"by\":"
		   "{\"name\":\"ann\"}}",
	    78,
	    "{\"body\":\"" LONG_TEXT "\",\"id\":7,\"by\":{\"name\":\"ann\"}}",
	    "body: 40 of 80 bytes");
	/* Two long ones are cut alike. */
	shrinks_to("{\"a\":\"" LONG_TEXT "\",\"b\":\"" LONG_TEXT "\",\"c\":1}",
	    71,
	    "{\"a\":\"0123456789012345678901234\",\"b\":"
	    "\"0123456789012345678901234\",\"c\":1}",
	    "a: 15 of 40 bytes; b: 15 of 40 bytes");
	/* One long item among short ones. */
	shrinks_to("[\"x\",{\"deep\":[\"" LONG_TEXT LONG_TEXT "\"]},3]", 61,
	    "[\"x\",{\"deep\":[\"" LONG_TEXT "\"]},3]",
	    "[1].deep[0]: 40 of 80 bytes");
}

/* Every length, of a value with all kinds in it. */
static void
test_every_length(void **state)
{
	json v, again;

	(void)state;
	assert_true(json_check(
	    TEXT("{\"a\":[null,true,\"\\ud83d\\ude00\",[[[\"long enough to "
		 "be cut somewhere in the middle\"]]]],\"b\":{\"c\":-1.5e3,"
		 "\"d\":\"another one of a length that can be cut\"}}"),
	    JSON_DEPTH, &v, NULL));
	for (size_t max = 0; max <= v.len; max++) {
		buf b = BUF_INIT(NULL, 4096), notes = BUF_INIT(NULL, 4096);

		json_shrink(&b, v, max, &notes);
		assert_true(b.len <= max);
		assert_true(max < 2 ||
			    json_check(buf_view(&b), JSON_DEPTH, &again, NULL));
		assert_int_equal(notes.len > 0, max >= 2 && max < v.len);
		buf_fini(&b);
		buf_fini(&notes);
	}
}

static void
test_deep_and_long(void **state)
{
	enum { DEEP = 20000 };
	buf b = BUF_INIT(NULL, 1 << 20), notes = BUF_INIT(NULL, 4096);
	char *deep = malloc(2 * DEEP);
	buf rows = BUF_INIT(NULL, 64 << 20);
	json again;

	(void)state;
	assert_non_null(deep);
	memset(deep, '[', DEEP);
	memset(deep + DEEP, ']', DEEP);
	json_shrink(&b, (json){deep, 2 * DEEP}, DEEP, &notes);
	assert_true(b.len <= DEEP);
	assert_true(json_check(buf_view(&b), JSON_DEPTH, &again, NULL));
	free(deep);

	buf_clear(&b);
	buf_clear(&notes);
	for (int i = 0; i < 200000; i++)
		buf_printf(&rows, "%c{\"id\":%d}", i ? ',' : '[', i);
	buf_byte(&rows, ']');
	json_shrink(&b, buf_view(&rows), 1000, &notes);
	assert_true(b.len <= 1000 && b.len > 980);
	assert_true(text_ends(buf_view(&notes), TEXT(" of 200000 items")));
	buf_fini(&rows);
	buf_fini(&b);
	buf_fini(&notes);
}

static void
text_shrinks_to(const char *t, size_t max, const char *want, const char *notes)
{
	buf b = BUF_INIT(NULL, 4096), said = BUF_INIT(NULL, 4096);
	size_t left_out = text_shrink(&b, text_of(t), max, &said);

	assert_str(buf_view(&b), want);
	assert_str(buf_view(&said), notes);
	assert_int_equal(left_out, strlen(t) - b.len);
	buf_fini(&b);
	buf_fini(&said);
}

static void
test_texts(void **state)
{
	(void)state;
	text_shrinks_to("[1, 2, 3]", 9, "[1, 2, 3]", "");
	text_shrinks_to("[1, 2, 3]", 8, "[1,2,3]", "");
	text_shrinks_to(" [1, 2, 3]\n", 6, "[1,2]", "1 of 3 items");
	text_shrinks_to("{\"a\": 1, \"b\": \"" LONG_TEXT "\"}", 44,
	    "{\"a\":1,\"b\":\"012345678901234567890123456789\"}",
	    "b: 10 of 40 bytes");
	/* What only begins as JSON does is text, and a string is no JSON. */
	text_shrinks_to("[1, 2, 3] rows", 8, "[1, 2, 3", "6 of 14 bytes");
	text_shrinks_to("\"quoted\"", 4, "\"quo", "4 of 8 bytes");
	text_shrinks_to("gr\xc3\xbc\xc3\x9f"
			"e",
	    5, "gr\xc3\xbc", "3 of 7 bytes");
	text_shrinks_to("", 0, "", "");
	/* Whole lines, unless one is most of the text. */
	text_shrinks_to("one\ntwo\nthree", 11, "one\ntwo", "6 of 13 bytes");
	text_shrinks_to("one\ntwo\nthree", 7, "one\ntwo", "6 of 13 bytes");
	text_shrinks_to("one\ntwo\nthree", 8, "one\ntwo", "6 of 13 bytes");
	text_shrinks_to("a\nlong line", 8, "a\nlong l", "3 of 11 bytes");
	text_shrinks_to("\n\n", 1, "\n", "1 of 2 bytes");
}

/* Many places: the first few are named. */
static void
test_notes_have_an_end(void **state)
{
	buf v = BUF_INIT(NULL, 1 << 20), b = BUF_INIT(NULL, 1 << 20);
	buf notes = BUF_INIT(NULL, 1 << 20);

	(void)state;
	for (int i = 0; i < 20; i++)
		buf_printf(&v, "%c\"k%d\":\"" LONG_TEXT LONG_TEXT "\"",
		    i ? ',' : '{', i);
	buf_byte(&v, '}');
	json_shrink(&b, buf_view(&v), 1000, &notes);
	assert_true(text_starts(buf_view(&notes), TEXT("k0: ")));
	assert_true(text_ends(buf_view(&notes), TEXT("; and more")));
	assert_true(text_find(buf_view(&notes), TEXT("k7: "), 0) != SIZE_MAX);
	assert_true(text_find(buf_view(&notes), TEXT("k8: "), 0) == SIZE_MAX);
	buf_fini(&v);
	buf_fini(&b);
	buf_fini(&notes);
}

int
main(void)
{
	const struct CMUnitTest tests[] = {
	    cmocka_unit_test(test_what_is_left),
	    cmocka_unit_test(test_every_length),
	    cmocka_unit_test(test_deep_and_long),
	    cmocka_unit_test(test_texts),
	    cmocka_unit_test(test_notes_have_an_end),
	};

	return cmocka_run_group_tests_name("shrink", tests, NULL, NULL);
}
