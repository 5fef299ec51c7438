/* SPDX-License-Identifier: MIT */
/*
 * test_text.c -- borrowed text, and UTF-8 held against a second decoder that
 * is written the slow way.
 */
#include "unit.h"

static void
parts_are_clamped(void **state)
{
	(void)state;
	assert_str(text_sub(TEXT("hello"), 1, 3), "el");
	assert_str(text_sub(TEXT("hello"), 3, 99), "lo");
	assert_str(text_sub(TEXT("hello"), 4, 2), "");
	assert_str(text_sub(TEXT("hello"), 9, 99), "");
	assert_int_equal(text_sub(TEXT_NONE, 0, 5).len, 0);
}

static void
comparing(void **state)
{
	(void)state;
	assert_true(text_eq(TEXT("a\0b"), TEXT("a\0b")));
	assert_false(text_eq(TEXT("a\0b"), TEXT("a\0c")));
	assert_true(text_eq(TEXT_NONE, TEXT("")));
	assert_true(text_cmp(TEXT("a"), TEXT("ab")) < 0);
	assert_true(text_cmp(TEXT("b"), TEXT("ab")) > 0);
	assert_true(
	    text_cmp(TEXT("\xff"), TEXT("a")) > 0); /* bytes, unsigned */
	assert_int_equal(text_cmp(TEXT("ab"), TEXT("ab")), 0);
	assert_int_equal(text_cmp(TEXT_NONE, TEXT("")), 0);
	assert_true(text_starts(TEXT("abc"), TEXT("ab")));
	assert_false(text_starts(TEXT("ab"), TEXT("abc")));
	assert_true(text_starts(TEXT_NONE, TEXT_NONE));
	assert_true(text_ends(TEXT("abc"), TEXT("bc")));
	assert_false(text_ends(TEXT("bc"), TEXT("abc")));
	assert_true(text_ends(TEXT("abc"), TEXT("")));
}

static void
finding(void **state)
{
	(void)state;
	assert_int_equal(text_find(TEXT("ababc"), TEXT("abc"), 0), 2);
	assert_int_equal(text_find(TEXT("ababc"), TEXT("ab"), 1), 2);
	assert_int_equal(text_find(TEXT("aab"), TEXT("ab"), 0), 1);
	assert_true(text_find(TEXT("ababc"), TEXT("abd"), 0) == SIZE_MAX);
	assert_true(text_find(TEXT("ab"), TEXT("abc"), 0) == SIZE_MAX);
	assert_int_equal(text_find(TEXT("ab"), TEXT(""), 2), 2);
	assert_true(text_find(TEXT("ab"), TEXT(""), 3) == SIZE_MAX);
	assert_true(text_find(TEXT("ab"), TEXT("b"), 7) == SIZE_MAX);
	assert_true(text_find(TEXT_NONE, TEXT("b"), 0) == SIZE_MAX);
}

static void
trimming(void **state)
{
	(void)state;
	assert_str(text_trim(TEXT(" \t\r\n a b \n")), "a b");
	assert_str(text_trim(TEXT(" \n ")), "");
	assert_str(text_trim(TEXT_NONE), "");
}

static void
lines(void **state)
{
	text rest = TEXT("one\r\n\ntwo\rthree\nend"), line;

	(void)state;
	assert_true(text_line(&rest, &line));
	assert_str(line, "one");
	assert_true(text_line(&rest, &line));
	assert_str(line, "");
	assert_true(text_line(&rest, &line));
	assert_str(line, "two\rthree");
	assert_true(text_line(&rest, &line));
	assert_str(line, "end");
	assert_false(text_line(&rest, &line));
	rest = TEXT("a\n");
	assert_true(text_line(&rest, &line));
	assert_false(text_line(&rest, &line));
}

/* The definition of RFC 3629, in the order in which it is told. */
static bool
slow_valid(const unsigned char *p, size_t n)
{
	static const uint32_t least[] = {0, 0, 0x80, 0x800, 0x10000};
	size_t i = 0;

	while (i < n) {
		size_t len = p[i] < 0x80       ? 1
			     : p[i] >> 5 == 6  ? 2
			     : p[i] >> 4 == 14 ? 3
			     : p[i] >> 3 == 30 ? 4
					       : 0;
		uint32_t cp = p[i] & (0xffu >> (len == 1 ? 1 : len + 1));

		if (len == 0 || len > n - i)
			return false;
		for (size_t k = 1; k < len; k++) {
			if (p[i + k] >> 6 != 2)
				return false;
			cp = cp << 6 | (p[i + k] & 0x3f);
		}
		if (cp < least[len] || cp > 0x10ffff ||
		    (cp >= 0xd800 && cp <= 0xdfff))
			return false;
		i += len;
	}
	return true;
}

static void
utf8_agrees_with_the_definition(void **state)
{
	static const unsigned char edge[] = {0x00, 0x41, 0x7f, 0x80, 0x8f, 0x90,
	    0x9f, 0xa0, 0xbf, 0xc0, 0xc1, 0xc2, 0xdf, 0xe0, 0xe1, 0xec, 0xed,
	    0xee, 0xef, 0xf0, 0xf1, 0xf3, 0xf4, 0xf5, 0xf7, 0xf8, 0xff};
	const size_t n = sizeof(edge);
	unsigned char p[4];

	(void)state;
	for (size_t i = 0; i < n * n * n * n; i++) {
		size_t k = i;

		for (size_t j = 0; j < 4; j++, k /= n)
			p[j] = edge[k % n];
		if ((utf8_bad((text){(char *)p, 4}) == SIZE_MAX) !=
		    slow_valid(p, 4))
			fail_msg("%02x %02x %02x %02x", p[0], p[1], p[2], p[3]);
	}
}

static void
every_code_point_comes_back(void **state)
{
	char p[4];
	size_t n, at;

	(void)state;
	for (uint32_t cp = 0; cp <= 0x10ffff; cp++) {
		if (cp >= 0xd800 && cp <= 0xdfff)
			continue;
		n = utf8_put(cp, p);
		at = 0;
		if (utf8_bad((text){p, n}) != SIZE_MAX ||
		    utf8_next((text){p, n}, &at) != cp || at != n ||
		    utf8_one((text){p, n}, 0) != n ||
		    utf16_len((text){p, n}) != (cp > 0xffff ? 2u : 1u))
			fail_msg("U+%04X", cp);
	}
}

static void
the_first_bad_byte_is_named(void **state)
{
	(void)state;
	assert_true(
	    utf8_bad(TEXT("plain, all of it ASCII and long")) == SIZE_MAX);
	assert_int_equal(utf8_bad(TEXT("0123456789\xff")), 10);
	assert_int_equal(utf8_bad(TEXT("ab\xe2\x82")), 2); /* cut short */
	assert_int_equal(utf8_bad(TEXT("\xed\xa0\x80")), 0);
	assert_int_equal(utf8_bad(TEXT("\xf0\x9f\x98\x80\x80")), 4);
	assert_true(utf8_bad(TEXT_NONE) == SIZE_MAX);
	assert_int_equal(utf8_one(TEXT("ab"), 2), 0);
	assert_int_equal(utf16_len(TEXT("a\xc3\xa9\xf0\x9f\x98\x80")), 4);
}

static void
heads_end_between_characters(void **state)
{
	(void)state;
	assert_str(text_head(TEXT("abc"), 3), "abc");
	assert_str(text_head(TEXT("abc"), 2), "ab");
	assert_str(text_head(TEXT("a\xc3\xa9z"), 2), "a");
	assert_str(text_head(TEXT("a\xc3\xa9z"), 3), "a\xc3\xa9");
	assert_str(text_head(TEXT("\xf0\x9f\x98\x80"), 3), "");
	assert_str(text_head(TEXT("abc"), 0), "");
	assert_int_equal(text_head(TEXT_NONE, 9).len, 0);
}

static void
decimals(void **state)
{
	size_t at = 1;

	(void)state;
	assert_int_equal(text_decimal(TEXT("a042b"), &at), 42);
	assert_int_equal(at, 4);
	assert_int_equal(text_decimal(TEXT("a042b"), &at), 0);
	assert_int_equal(at, 4);
	at = 0;
	assert_true(
	    text_decimal(TEXT("18446744073709551615"), &at) == UINT64_MAX);
	at = 0;
	assert_true(
	    text_decimal(TEXT("18446744073709551616000"), &at) == UINT64_MAX);
	assert_int_equal(at, 23);
}

static void
stars_stand_for_any_characters(void **state)
{
	static const struct {
		const char *pattern, *text;
		bool fits;
	} cases[] = {
	    {"", "", true},
	    {"", "a", false},
	    {"*", "", true},
	    {"*", "abc", true},
	    {"a*", "abc", true},
	    {"*c", "abc", true},
	    {"a*c", "abc", true},
	    {"a*c", "abcb", false},
	    {"a*b*c", "aXbYbZc", true},
	    {"*a*", "bbb", false},
	    {"**a", "a", true},
	    {"a", "A", false},
	    {"a.c", "abc", false},
	};

	(void)state;
	for (size_t i = 0; i < sizeof(cases) / sizeof(*cases); i++)
		assert_int_equal(text_glob(text_of(cases[i].pattern),
				     text_of(cases[i].text)),
		    cases[i].fits);
}

int
main(void)
{
	const struct CMUnitTest tests[] = {
	    cmocka_unit_test(parts_are_clamped),
	    cmocka_unit_test(comparing),
	    cmocka_unit_test(finding),
	    cmocka_unit_test(trimming),
	    cmocka_unit_test(lines),
	    cmocka_unit_test(utf8_agrees_with_the_definition),
	    cmocka_unit_test(every_code_point_comes_back),
	    cmocka_unit_test(the_first_bad_byte_is_named),
	    cmocka_unit_test(heads_end_between_characters),
	    cmocka_unit_test(decimals),
	    cmocka_unit_test(stars_stand_for_any_characters),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
