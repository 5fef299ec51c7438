/* SPDX-License-Identifier: MIT */
/*
 * Whom a script can name: a false "no" would start a script too early, so
 * every way to a tool must be a "yes".
 */
#include "config/named_servers.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>

#include <cmocka.h>

/* Is the second of these servers needed? The first is called _other. */
static bool
needs(const char *script, const char *server)
{
	text servers[] = {TEXT("_other"), text_of(server)};
	bool needed[2];

	names_needed(text_of(script), servers, 2, needed);
	return needed[1];
}

#define YES(script, server) assert_true(needs(script, server))
#define NO(script, server)  assert_false(needs(script, server))

static void
by_identifier(void **state)
{
	(void)state;
	YES("return tools.git.log()", "git");
	NO("return tools._other.log()", "git");
	YES("return tools.github.log()", "git");
	YES("tools\n  . git\n.log()", "git");
	YES("tools.my_server.x()", "my-server");
	YES("tools._23.x()", "123");
	YES("tools._.x()", "\xc3\xa9");
	YES("tools.a_b_1f3c.x()", "a-b");
	YES("a(tools._other.x(), tools.files.y())", "files");
	NO("return 1", "git");
	NO("", "git");
	NO("mytools.git.x(); toolset.git", "git");
}

static void
by_other_ways(void **state)
{
	static const char *const scripts[] = {
	    "tools[name].x()",
	    "const { git } = tools",
	    "f(tools)",
	    "tools?.git.x()",
	    "tools /* odd */ .git.x()",
	    "tools",
	    "ALL_TOOLS.length",
	    "globalThis['to' + 'ols']",
	    "(function () { return this })()",
	    "eval('t' + 'ools')",
	    "new Function('x')",
	    "[].constructor",
	    "t\\u006fols.git",
	    "codemode.search('x')",
	};

	(void)state;
	for (size_t i = 0; i < sizeof(scripts) / sizeof(*scripts); i++)
		YES(scripts[i], "git");
}

int
main(void)
{
	const struct CMUnitTest tests[] = {
	    cmocka_unit_test(by_identifier),
	    cmocka_unit_test(by_other_ways),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
