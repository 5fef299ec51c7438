/* SPDX-License-Identifier: MIT */
/*
 * A line is taken apart as a shell would, and nothing in it is interpreted.
 */
#include "common/split.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>

#include <cmocka.h>

static void
check(const char *line, size_t n, const char *const *words)
{
	pool p = {NULL};
	const char *why = NULL;
	size_t got = 0;
	char **list = split_words(text_of(line), &p, &got, &why);

	assert_non_null(list);
	assert_int_equal(got, n);
	for (size_t i = 0; i < n; i++)
		assert_string_equal(list[i], words[i]);
	assert_null(list[n]);
	pool_fini(&p);
}

#define CHECK(line, ...)                                            \
	do {                                                        \
		static const char *const words[] = {__VA_ARGS__};   \
		check(line, sizeof(words) / sizeof(*words), words); \
	} while (0)

static void
words(void **state)
{
	(void)state;
	CHECK("npx", "npx");
	CHECK("  npx \t some-server\n", "npx", "some-server");
	CHECK("a 'b c' d", "a", "b c", "d");
	CHECK("a \"b c\" d", "a", "b c", "d");
	CHECK("a\"b\"'c'd", "abcd");
	CHECK("a '' b", "a", "", "b");
	CHECK("a\\ b c", "a b", "c");
	CHECK("'a\\b' \"a\\b\" \"\\\"\\\\\"", "a\\b", "a\\b", "\"\\");
	CHECK("echo $HOME | cat > x", "echo", "$HOME", "|", "cat", ">", "x");
	CHECK("a b c d e f g h", "a", "b", "c", "d", "e", "f", "g", "h");
	CHECK("\\", "\\");
}

static void
refused(void **state)
{
	static const char *const lines[] = {"", "  \t", "a 'b", "\"", "a \"b'"};

	(void)state;
	for (size_t i = 0; i < sizeof(lines) / sizeof(*lines); i++) {
		pool p = {NULL};
		const char *why = NULL;
		size_t n;

		assert_null(split_words(text_of(lines[i]), &p, &n, &why));
		assert_non_null(why);
		pool_fini(&p);
	}
}

int
main(void)
{
	const struct CMUnitTest tests[] = {
	    cmocka_unit_test(words),
	    cmocka_unit_test(refused),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
