/* SPDX-License-Identifier: MIT */
/*
 * test_json.c -- reading values out of checked JSON: members, strings with
 * their escapes, and numbers up to the last digit.
 */
#include "unit.h"

#include "base/json.h"

#include <locale.h>
#include <math.h>

static json
checked(const char *src)
{
	json v = TEXT_NONE;

	if (!json_check(text_of(src), JSON_DEPTH, &v, NULL))
		fail_msg("not JSON: %s", src);
	return v;
}

static void
kinds(void **state)
{
	(void)state;
	assert_int_equal(json_kind_of(TEXT_NONE), JSON_MISSING);
	assert_int_equal(json_kind_of(checked("null")), JSON_NULL);
	assert_int_equal(json_kind_of(checked("false")), JSON_FALSE);
	assert_int_equal(json_kind_of(checked("true")), JSON_TRUE);
	assert_int_equal(json_kind_of(checked("-1")), JSON_NUMBER);
	assert_int_equal(json_kind_of(checked("7")), JSON_NUMBER);
	assert_int_equal(json_kind_of(checked("\"\"")), JSON_STRING);
	assert_int_equal(json_kind_of(checked("[]")), JSON_ARRAY);
	assert_int_equal(json_kind_of(checked("{}")), JSON_OBJECT);
	assert_true(json_bool(checked("true"), false));
	assert_false(json_bool(checked("false"), true));
	assert_true(json_bool(checked("1"), true));
	assert_false(json_bool(TEXT_NONE, false));
}

static void
members_and_elements(void **state)
{
	json v = checked(" {\"a\" : [10, {\"b\":\"]}\\\"\"} , [ ] ],"
			 "\"c\":{\"d\":{\"e\":-1.5}}, \"\":0 } ");

	(void)state;
	assert_str(json_get(v, TEXT("a")), "[10, {\"b\":\"]}\\\"\"} , [ ] ]");
	assert_str(json_path(v, "c", "d", "e", NULL), "-1.5");
	assert_str(json_path(v, "c", "x", "e", NULL), "");
	assert_str(json_path(v, "a", "b", NULL), "");
	assert_str(json_get(v, TEXT("")), "0");
	assert_str(json_get(v, TEXT("b")), ""); /* not a member of v itself */
	assert_int_equal(json_len(v), 3);
	v = json_get(v, TEXT("a"));
	assert_int_equal(json_len(v), 3);
	assert_str(json_at(v, 0), "10");
	assert_str(json_get(json_at(v, 1), TEXT("b")), "\"]}\\\"\"");
	assert_str(json_at(v, 2), "[ ]");
	assert_str(json_at(v, 3), "");
	assert_str(json_at(checked("{\"a\":1}"), 0), "");
	assert_int_equal(json_len(json_at(v, 2)), 0);
	assert_int_equal(json_len(checked("\"abc\"")), 0);
	assert_int_equal(json_len(TEXT_NONE), 0);
	assert_str(json_get(TEXT_NONE, TEXT("a")), "");
}

static void
walking_keeps_the_order(void **state)
{
	json_iter it = json_each(checked("{\"z\":1,\"a\\n\":[2],\"z\":3}"));
	json k, v;

	(void)state;
	assert_true(json_next(&it, &k, &v));
	assert_str(k, "\"z\"");
	assert_str(v, "1");
	assert_true(json_next(&it, &k, &v));
	assert_str(k, "\"a\\n\"");
	assert_str(v, "[2]");
	assert_true(json_next(&it, NULL, &v));
	assert_str(v, "3");
	assert_false(json_next(&it, &k, &v));
	it = json_each(checked("[1,\"x\"]"));
	assert_true(json_next(&it, &k, &v));
	assert_str(k, "");
	assert_str(v, "1");
}

static void
read_in_every_way(json v)
{
	buf out = BUF_INIT(NULL, 4096);
	int64_t whole;
	double d;

	json_get(v, TEXT("a"));
	json_unescape(v, &out);
	json_is(v, TEXT("\\"));
	json_int(v, &whole);
	json_double(v, &d);
	json_pretty(&out, v);
	json_compact(&out, v);
	buf_fini(&out);
}

/* A caller may hand over a value that it did not trim, or half of one: readers
 * end and stay inside, and in a whole value they find the same. */
static void
reading_ends_whatever_it_is_given(void **state)
{
	const char *untrimmed[] = {"{\"a\":1}\n", "{\"a\":1}}", "{\"a\":1} ]",
	    "{\"a\":1", "[{} \t\r\n]", "[1]\n", "[1]]]"};
	text whole = TEXT("{\"a\":[1,{\"b\":\"\\\\\\\"]\\u00e9\\ud83d\\ude00\"}"
			  ",-1.5e3],\"c\":null} ");
	size_t i, j;

	(void)state;
	for (i = 0; i < sizeof(untrimmed) / sizeof(*untrimmed); i++)
		assert_int_equal(json_len(text_of(untrimmed[i])), 1);
	for (i = 0; i < whole.len; i++)
		for (j = i; j <= whole.len; j++) {
			text part = text_sub(whole, i, j);
			char *copy = exact_copy(part);

			assert_true(json_len((json){copy, part.len}) <= j - i);
			read_in_every_way((json){copy, part.len});
			free(copy);
		}
}

static void
the_last_of_two_equal_keys_wins(void **state)
{
	(void)state;
	assert_str(
	    json_get(checked("{\"a\":1,\"b\":2,\"a\":3}"), TEXT("a")), "3");
	assert_str(
	    json_get(checked("{\"a\":1,\"\\u0061\":4}"), TEXT("a")), "4");
}

static void
escaped_keys_match(void **state)
{
	json v = checked("{\"\\u00e9\\/\\\"\":1,\"\\ud83d\\ude00\":2,"
			 "\"a\\u0000b\":3,\"c\\\\n\":4}");

	(void)state;
	assert_str(json_get(v, TEXT("\xc3\xa9/\"")), "1");
	assert_str(json_get(v, TEXT("\xf0\x9f\x98\x80")), "2");
	assert_str(json_get(v, TEXT("a\0b")), "3");
	assert_str(json_get(v, TEXT("a")), "");
	assert_str(json_get(v, TEXT("c\\n")), "4");
	assert_str(json_get(v, TEXT("c\\\\n")), "");
}

static void
strings_are_compared_by_meaning(void **state)
{
	(void)state;
	assert_true(json_is(checked("\"abc\""), TEXT("abc")));
	assert_true(json_is(checked("\"\\u0061bc\""), TEXT("abc")));
	assert_false(json_is(checked("\"abc\""), TEXT("abcd")));
	assert_false(json_is(checked("\"abcd\""), TEXT("abc")));
	assert_false(json_is(checked("\"\\u0061bcd\""), TEXT("abc")));
	assert_false(json_is(checked("\"\\u0061\""), TEXT("\\u0061")));
	assert_true(json_is(checked("\"\""), TEXT("")));
	assert_false(json_is(checked("7"), TEXT("7")));
	assert_false(json_is(TEXT_NONE, TEXT("")));
}

static void
unescapes_to(const char *src, text want)
{
	buf b = BUF_INIT(NULL, 1000);

	assert_true(json_unescape(checked(src), &b));
	assert_text(buf_view(&b), want);
	buf_fini(&b);
}

static void
unescaping(void **state)
{
	buf b = BUF_INIT(NULL, 100);

	(void)state;
	unescapes_to("\"\"", TEXT(""));
	unescapes_to("\"plain\"", TEXT("plain"));
	unescapes_to("\"\\\"\\\\\\/\\b\\f\\n\\r\\t\"", TEXT("\"\\/\b\f\n\r\t"));
	unescapes_to("\"a\\u0000b\\u20AC\"", TEXT("a\0b\xe2\x82\xac"));
	unescapes_to("\"\\ud83d\\ude00!\"", TEXT("\xf0\x9f\x98\x80!"));
	unescapes_to("\"\\udbff\\udfff\"", TEXT("\xf4\x8f\xbf\xbf"));
	/* surrogates that stand alone */
	unescapes_to("\"\\ud83d\"", TEXT("\xef\xbf\xbd"));
	unescapes_to("\"\\ude00\\ud83d\"", TEXT("\xef\xbf\xbd\xef\xbf\xbd"));
	unescapes_to("\"\\ud83dx\"", TEXT("\xef\xbf\xbdx"));
	unescapes_to("\"\\ud83d\\n\"", TEXT("\xef\xbf\xbd\n"));
	unescapes_to("\"\\ud83d\\u0041\"", TEXT("\xef\xbf\xbd\x41"));
	unescapes_to(
	    "\"\\ud83d\\ud83d\\ude00\"", TEXT("\xef\xbf\xbd\xf0\x9f\x98\x80"));
	assert_false(json_unescape(checked("[1]"), &b));
	assert_false(json_unescape(TEXT_NONE, &b));
	assert_int_equal(b.len, 0);
}

static const struct {
	const char *src;
	bool whole;
	int64_t value;
} wholes[] = {
    {"0", true, 0},
    {"-0", true, 0},
    {"1.0", true, 1},
    {"-1.000e0", true, -1},
    {"1e3", true, 1000},
    {"1.5e1", true, 15},
    {"15e-1", false, 0},
    {"150e-1", true, 15},
    {"1.5", false, 0},
    {"0.1", false, 0},
    {"0e999999999999999999999", true, 0},
    {"0.0e-999999999999999999999", true, 0},
    {"1e999999999999999999999", false, 0},
    {"1e-999999999999999999999", false, 0},
    {"9223372036854775807", true, INT64_MAX},
    {"9223372036854775808", false, 0},
    {"-9223372036854775808", true, INT64_MIN},
    {"-9223372036854775809", false, 0},
    {"9.223372036854775807e18", true, INT64_MAX},
    {"922337203685477580700e-2", true, INT64_MAX},
    {"18446744073709551615", false, 0},
    {"18446744073709551616", false, 0},
    {"99999999999999999999", false, 0},
    {"0.00001e5", true, 1},
    {"1e18", true, INT64_C(1000000000000000000)},
    {"1e19", false, 0},
    {"\"1\"", false, 0},
    {"true", false, 0},
};

static void
whole_numbers(void **state)
{
	int64_t n;

	(void)state;
	for (size_t i = 0; i < sizeof(wholes) / sizeof(wholes[0]); i++) {
		n = 77;
		if (json_int(checked(wholes[i].src), &n) != wholes[i].whole)
			fail_msg("%s", wholes[i].src);
		assert_int_equal(n, wholes[i].whole ? wholes[i].value : 77);
	}
	assert_false(json_int(TEXT_NONE, &n));
}

static double
number(const char *src)
{
	double d;

	assert_true(json_double(checked(src), &d));
	return d;
}

static void
doubles(void **state)
{
	double d = 5;

	(void)state;
	assert_true(number("0") == 0 && !signbit(number("0")));
	assert_true(number("-0") == 0 && signbit(number("-0")));
	assert_true(number("1.5") == 1.5);
	assert_true(number("-12.25e1") == -122.5);
	assert_true(number("0.1") == 0.1);
	assert_true(number("1e23") == 1e23);
	assert_true(number("123456789.123456789E-3") == 123456.789123456789);
	assert_true(number("5e-324") == 5e-324);
	assert_true(
	    number("2.2250738585072011e-308") == 2.2250738585072011e-308);
	assert_true(number("1.7976931348623157e308") == 1.7976931348623157e308);
	assert_true(isinf(number("1e999")));
	assert_true(number("-1e999") == -INFINITY);
	assert_true(number("1e-999") == 0);
	assert_true(number("1e-99999999999999999999") == 0);
	assert_true(isinf(number("1e99999999999999999999")));
	assert_false(json_double(checked("null"), &d));
	assert_false(json_double(TEXT_NONE, &d));
	assert_true(d == 5);
}

/* 1 + 2^-53 lies between two doubles; one more digit, however far behind,
 * decides for the upper one. */
static void
the_thousandth_digit_counts(void **state)
{
	char src[1400] =
	    "1.00000000000000011102230246251565404236316680908203125";
	size_t n = strlen(src);

	(void)state;
	assert_true(number(src) == 1.0);
	memset(src + n, '0', 1200);
	assert_true(number(src) == 1.0);
	src[n + 1199] = '1';
	assert_true(number(src) == 1.0 + 0x1p-52);
	memset(src, '9', 1300);
	memcpy(src + 1300, "e-1300", 7);
	assert_true(number(src) == 1.0);
	memset(src, '0', 1300);
	src[1] = '.';
	memcpy(src + 1300, "25e1299", 8);
	assert_true(number(src) == 2.5);
}

/* Where people write 1,5 numbers are still read as JSON says. */
static void
no_locale_changes_a_number(void **state)
{
	static const char *const names[] = {
	    "de_DE.UTF-8", "de_DE.utf8", "fr_FR.UTF-8", "nl_NL.UTF-8"};

	(void)state;
	for (size_t i = 0; i < 4; i++)
		if (setlocale(LC_ALL, names[i]))
			break;
	assert_true(number("1.5") == 1.5);
	assert_true(number("-0.25e2") == -25);
	setlocale(LC_ALL, "C");
}

/* Skipping goes eight bytes at a time too. */
static void
strings_of_every_length_are_skipped(void **state)
{
	char src[200];

	(void)state;
	for (int before = 0; before < 20; before++)
		for (int after = 0; after < 20; after++) {
			snprintf(src, sizeof(src),
			    "{\"k\":[\"%.*s\\\"%.*s\",{\"]\":\"}\"}],\"z\":42}",
			    before, "aaaaaaaaaaaaaaaaaaaa", after,
			    "[[[[[[[[[[[[[[[[[[[[");
			assert_str(json_get(checked(src), TEXT("z")), "42");
			assert_int_equal(
			    json_len(json_get(checked(src), TEXT("k"))), 2);
		}
}

static void
characters_come_one_by_one(void **state)
{
	text raw = TEXT("a\\u00e9\xc3\xa9\\n\\/\\ud83d\\uDE00");
	const uint32_t want[] = {'a', 0xe9, 0xe9, '\n', '/', 0xd83d, 0xde00};
	size_t at = 0;

	(void)state;
	for (size_t i = 0; i < sizeof(want) / sizeof(want[0]); i++)
		assert_int_equal(json_char(raw, &at), want[i]);
	assert_int_equal(at, raw.len);
}

int
main(void)
{
	const struct CMUnitTest tests[] = {
	    cmocka_unit_test(characters_come_one_by_one),
	    cmocka_unit_test(kinds),
	    cmocka_unit_test(members_and_elements),
	    cmocka_unit_test(walking_keeps_the_order),
	    cmocka_unit_test(reading_ends_whatever_it_is_given),
	    cmocka_unit_test(the_last_of_two_equal_keys_wins),
	    cmocka_unit_test(escaped_keys_match),
	    cmocka_unit_test(strings_are_compared_by_meaning),
	    cmocka_unit_test(unescaping),
	    cmocka_unit_test(whole_numbers),
	    cmocka_unit_test(doubles),
	    cmocka_unit_test(the_thousandth_digit_counts),
	    cmocka_unit_test(no_locale_changes_a_number),
	    cmocka_unit_test(strings_of_every_length_are_skipped),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
