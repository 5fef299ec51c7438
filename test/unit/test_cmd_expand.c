/* SPDX-License-Identifier: MIT */
/*
 * ${VARIABLES}: replaced once, never looked at again, missing ones named.
 */
#include "config/expand.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdlib.h>

#include <cmocka.h>

static const expand_places places = {
    .workspace = "/home/me/project", .cwd = "/here", .folder = "/no/such"};

static void
check(const char *from, const char *to)
{
	buf b = BUF_INIT(NULL, 4096);
	expand_fault fault;

	assert_true(expand(text_of(from), &places, &b, &fault));
	buf_byte(&b, '\0');
	assert_string_equal(b.ptr, to);
	buf_fini(&b);
}

static void
refused(const char *from, const char *variable)
{
	buf b = BUF_INIT(NULL, 4096);
	expand_fault fault = {TEXT_NONE, ""};

	assert_false(expand(text_of(from), &places, &b, &fault));
	assert_true(text_eq(fault.variable, text_of(variable)));
	assert_true(*fault.why != '\0');
	buf_fini(&b);
}

static void
replaced(void **state)
{
	(void)state;
	setenv("EXPAND_A", "one", 1);
	setenv("EXPAND_EMPTY", "", 1);
	setenv("EXPAND_NESTED", "${EXPAND_A}", 1);
	unsetenv("EXPAND_NOT");
	check("", "");
	check("plain $HOME $EXPAND_A", "plain $HOME $EXPAND_A");
	check("${EXPAND_A}", "one");
	check("<${EXPAND_A}${EXPAND_A}>", "<oneone>");
	check("${env:EXPAND_A}", "one");
	check("${EXPAND_EMPTY}", "");
	check("${EXPAND_NESTED}", "${EXPAND_A}");
	check("${EXPAND_NOT:-two words}", "two words");
	check("${EXPAND_EMPTY:-two}", "two");
	check("${EXPAND_A:-two}", "one");
	check("${env:EXPAND_NOT:-x}", "x");
	check("${EXPAND_NOT:-}", "");
	check("${workspaceFolder}/a", "/home/me/project/a");
	check("${workspaceFolderBasename}", "project");
	check("${cwd}${/}x${pathSeparator}y", "/here/x/y");
	check("an open ${brace", "an open ${brace");
}

static void
home(void **state)
{
	(void)state;
	setenv("HOME", "/home/me", 1);
	check("~", "/home/me");
	check("~/bin/srv", "/home/me/bin/srv");
	check("~/${cwd}", "/home/me//here");
	check("~other/x", "~other/x");
	check("a~b", "a~b");
	check(" ~/x", " ~/x");
	check("/~/x", "/~/x");
	unsetenv("HOME");
	check("~/x", "~/x");
}

static void
missing(void **state)
{
	(void)state;
	unsetenv("EXPAND_NOT");
	refused("a ${EXPAND_NOT} b", "${EXPAND_NOT}");
	refused("${env:EXPAND_NOT}", "${env:EXPAND_NOT}");
	refused("${input:token}", "${input:token}");
	refused("${}", "${}");
}

int
main(void)
{
	const struct CMUnitTest tests[] = {
	    cmocka_unit_test(replaced),
	    cmocka_unit_test(home),
	    cmocka_unit_test(missing),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
