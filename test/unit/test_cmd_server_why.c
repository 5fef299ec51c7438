/* SPDX-License-Identifier: MIT */
/*
 * How the end of a server is told: the line that names the cause.
 */
#include "servers/server_why.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>

#include <cmocka.h>

static void
check_why(const char *said, const char *expected)
{
	buf out = BUF_INIT(NULL, 4096);

	why_write(&out, TEXT("it exited with code 1"), text_of(said));
	buf_byte(&out, '\0');
	assert_string_equal(out.ptr, expected);
	buf_fini(&out);
}

static void
the_last_line_is_told(void **state)
{
	(void)state;
	check_why("", "it exited with code 1");
	check_why(" \n\n", "it exited with code 1");
	check_why("API_KEY_X is not set\n",
	    "it exited with code 1 (its last words on stderr: API_KEY_X is not "
	    "set)");
	check_why("Starting\nListening\n\n",
	    "it exited with code 1 (its last words on stderr: Listening)");
}

/* A stack, an exhortation or a version often stands below the cause. */
static void
the_line_with_the_cause_is_told(void **state)
{
	(void)state;
	check_why("node:internal/modules:1\n  throw err;\n  ^\n\n"
		  "Error: Cannot find module '/x/y.js'\n    at f (a:1:2)\n"
		  "\nNode.js v22.1.0\n",
	    "it exited with code 1 (on stderr: Error: Cannot find module "
	    "'/x/y.js')");
	check_why("npm warn deprecated error-thing@1.0.0\n"
		  "npm error 404 Not Found - GET thing\n"
		  "npm error A complete log of this run can be found in: x\n",
	    "it exited with code 1 (on stderr: npm error 404 Not Found - GET "
	    "thing; at its end: npm error A complete log of this run can be "
	    "found in: x)");
	check_why("Traceback (most recent call last):\n"
		  "  File \"a.py\", line 1, in <module>\n"
		  "    raise KeyError('error')\nKeyError: 'x'\n",
	    "it exited with code 1 (its last words on stderr: KeyError: 'x')");
}

int
main(void)
{
	const struct CMUnitTest tests[] = {
	    cmocka_unit_test(the_last_line_is_told),
	    cmocka_unit_test(the_line_with_the_cause_is_told),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
