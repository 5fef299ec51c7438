/* SPDX-License-Identifier: MIT */
/*
 * Changes to a store: other keys and the bytes of their values stay.
 */
#include "serve/store_file.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>

#include <cmocka.h>

static void
check(const char *old, const char *changes, const char *made)
{
	buf b = BUF_INIT(NULL, 4096);
	json v;

	assert_true(json_check(text_of(changes), 10, &v, NULL));
	assert_null(store_merge(text_of(old), v, &b));
	buf_byte(&b, '\0');
	assert_string_equal(b.ptr, made);
	assert_true(json_check((text){b.ptr, b.len - 1}, 10, &v, NULL));
	buf_fini(&b);
}

static void
changes(void **state)
{
	(void)state;
	check("{}", "{}", "{}");
	check("{}", "{\"set\":{\"a\":1}}", "{\n  \"a\": 1\n}");
	check("{\"b\":1.0e+00}", "{\"set\":{\"a\":[1, 2]}}",
	    "{\n  \"b\": 1.0e+00,\n  \"a\": [1, 2]\n}");
	check("{\"a\":1,\"b\":2}", "{\"set\":{\"a\":3},\"delete\":[]}",
	    "{\n  \"b\": 2,\n  \"a\": 3\n}");
	check("{\"a\":1,\"b\":2}", "{\"set\":{},\"delete\":[\"a\",\"c\"]}",
	    "{\n  \"b\": 2\n}");
	check("{\"a\":1}", "{\"set\":{},\"delete\":[\"a\"]}", "{}");
}

/* The same key may be escaped in the one and plain in the other. */
static void
escapes(void **state)
{
	(void)state;
	check("{\"\\u0061\":1}", "{\"set\":{\"a\":2}}", "{\n  \"a\": 2\n}");
	check("{\"a\":1}", "{\"delete\":[\"\\u0061\"]}", "{}");
	check("{\"\":1}", "{\"set\":{\"\":2}}", "{\n  \"\": 2\n}");
	check("{\"a\\u0000b\":1,\"a\\u0000c\":2}",
	    "{\"delete\":[\"a\\u0000b\"]}", "{\n  \"a\\u0000c\": 2\n}");
}

int
main(void)
{
	const struct CMUnitTest tests[] = {
	    cmocka_unit_test(changes),
	    cmocka_unit_test(escapes),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
