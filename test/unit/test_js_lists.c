/* SPDX-License-Identifier: MIT */
/*
 * test_js_lists.c -- lists that are searched by halves are in order, and what
 * a list promises is there.
 */
#include "js_fixture.h"

static void
sorted(const char *const *list, size_t count)
{
	for (size_t i = 1; i < count; i++)
		if (strcmp(list[i - 1], list[i]) >= 0) {
			print_error("%s, %s\n", list[i - 1], list[i]);
			fail();
		}
}

static void
words(void **state)
{
	static const char *const contextual[] = {
#define TOKEN(kind, spelling)
#define BINARY(kind, spelling, level)
#define ASSIGN(kind, spelling)
#define RESERVED(kind, spelling)
#define WORD(kind, spelling) spelling,
#include "source/token.def"
#undef WORD
#undef RESERVED
	};
	static const char *const reserved[] = {
#define WORD(kind, spelling)
#define RESERVED(kind, spelling) spelling,
#include "source/token.def"
#undef TOKEN
#undef BINARY
#undef ASSIGN
#undef WORD
#undef RESERVED
	};

	(void)state;
	sorted(contextual, sizeof(contextual) / sizeof(*contextual));
	sorted(reserved, sizeof(reserved) / sizeof(*reserved));
	/* All of the language's but await and yield. */
	assert_int_equal(sizeof(reserved) / sizeof(*reserved), 36);
}

static void
letters(void **state)
{
	static const uint32_t starts[][2] = {
#define START(low, high) {low, high},
#define PART(low, high)
#include "base/letters.def"
#undef START
#undef PART
	};
	static const uint32_t parts[][2] = {
#define START(low, high)
#define PART(low, high) {low, high},
#include "base/letters.def"
#undef START
#undef PART
	};

	(void)state;
	for (size_t i = 0; i < sizeof(starts) / sizeof(*starts); i++)
		assert_true(starts[i][0] <= starts[i][1] &&
			    (i == 0 || starts[i - 1][1] < starts[i][0]));
	for (size_t i = 0; i < sizeof(parts) / sizeof(*parts); i++)
		assert_true(parts[i][0] <= parts[i][1] &&
			    (i == 0 || parts[i - 1][1] < parts[i][0]));
	assert_int_equal(
	    parse("let été, 変数, ℮, a\xe0\xb8\xb1", &body_goal)->error_count,
	    0);
	assert_int_not_equal(
	    parse("let \xe0\xb8\xb1", &body_goal)->error_count, 0);
	parse_end();
}

/* Fields of node.def are words, each with at most one mark, * only at the
 * end. */
static void
fields(void **state)
{
	(void)state;
	for (int kind = 0; kind < JS_KINDS; kind++) {
		const char *f = js_kind_fields((js_kind)kind);
		const char *star = strchr(f, '*');

		assert_true(js_kind_name((js_kind)kind)[0] != 0);
		assert_true(!star || star[1] == 0);
		for (; *f; f++)
			assert_true(
			    strchr("abcdefghijklmnopqrstuvwxyz ?*", *f));
	}
}

int
main(void)
{
	const struct CMUnitTest tests[] = {
	    cmocka_unit_test(words),
	    cmocka_unit_test(letters),
	    cmocka_unit_test(fields),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
