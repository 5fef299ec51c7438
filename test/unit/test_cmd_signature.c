/* SPDX-License-Identifier: MIT */
/*
 * Tools in one line.
 */
#include "signature.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>

#include <cmocka.h>

static void
check(const char *input, const char *output, const char *line)
{
	cm_tool t = {
	    .input_schema = text_of(input), .output_schema = text_of(output)};
	buf b = BUF_INIT(NULL, 4096);

	signature(&t, TEXT("s.t"), &b);
	buf_byte(&b, '\0');
	assert_string_equal(b.ptr, line);
	buf_fini(&b);
}

static void
lines(void **state)
{
	(void)state;
	check("", "", "s.t(): Promise<any>");
	check("{\"type\":\"object\"}", "{\"type\":\"string\"}",
	    "s.t(): Promise<string>");
	check("{\"type\":\"object\",\"properties\":{\"a\":{\"type\":"
	      "\"string\"},\"b-c\":{\"type\":\"integer\"}},\"required\":"
	      "[\"a\"]}",
	    "", "s.t({ a: string, \"b-c\"?: number }): Promise<any>");
	check("{\"properties\":{\"a\":{\"enum\":[\"x\",null,1]},"
	      "\"b\":{\"type\":\"array\",\"items\":{\"type\":[\"string\","
	      "\"null\"]}}}}",
	    "{\"const\":0}",
	    "s.t({ a?: \"x\" | null | 1, b?: (string | null)[] }): Promise<0>");
}

static void
cut(void **state)
{
	(void)state;
	check("{\"properties\":{\"a\":{\"properties\":{\"b\":{\"properties\":"
	      "{\"c\":{}}}}}}}",
	    "{\"$ref\":\"#\"}", "s.t({ a?: { b?: { ... } } }): Promise<any>");
	check("{\"properties\":{\"a\":{},\"b\":{},\"c\":{},\"d\":{},\"e\":{},"
	      "\"f\":{},\"g\":{},\"h\":{},\"i\":{}}}",
	    "",
	    "s.t({ a?: any, b?: any, c?: any, d?: any, e?: any, f?: any, "
	    "g?: any, h?: any, ... }): Promise<any>");
}

int
main(void)
{
	const struct CMUnitTest tests[] = {
	    cmocka_unit_test(lines),
	    cmocka_unit_test(cut),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
