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
composed(void **state)
{
	(void)state;
	check("{\"anyOf\":[{\"properties\":{\"a\":{}}}]}", "",
	    "s.t(any): Promise<any>");
	check("{\"$ref\":\"#/$defs/a\"}", "", "s.t(any): Promise<any>");
}

/* What a line cuts is whole for somebody who is going to call it. */
static void
whole(void **state)
{
	cm_tool t = {.input_schema = TEXT_INIT(
			 "{\"properties\":{\"a\":{\"properties\":{\"b\":"
			 "{\"properties\":{\"c\":{\"enum\":[1,2,3,4,5,6,7,8]"
			 "}}}}},\"b\":{},\"c\":{},\"d\":{},\"e\":{},\"f\":{},"
			 "\"g\":{},\"h\":{},\"i\":{}}}")};
	buf b = BUF_INIT(NULL, 4096);

	(void)state;
	signature_whole(&t, TEXT(".t"), &b);
	assert_true(text_eq(buf_view(&b),
	    TEXT(".t({ a?: { b?: { c?: 1 | 2 | 3 | 4 | 5 | 6 | 7 | 8 } }, "
		 "b?: any, c?: any, d?: any, e?: any, f?: any, g?: any, "
		 "h?: any, i?: any }): Promise<any>")));
	buf_fini(&b);
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
	    cmocka_unit_test(composed),
	    cmocka_unit_test(whole),
	    cmocka_unit_test(cut),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
