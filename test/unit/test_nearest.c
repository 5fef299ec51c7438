/* SPDX-License-Identifier: MIT */
/*
 * test_nearest.c -- what is suggested for a name that does not exist.
 */
#include "unit.h"

#include "base/nearest.h"

static const char *const names[] = {"fs.read_file", "fs.write_file",
    "fs.list_directory", "github.create_issue", "github.list_issues",
    "github.search", "search", "weather", "_", "fs.read_media_file",
    "fs.read_text_file", "fs.read_multiple_files", "ping"};

static text
name_at(const void *list, size_t i)
{
	return text_of(((const char *const *)list)[i]);
}

/* The suggestions for a name, joined by blanks. */
static void
suggests(const char *wanted, const char *want)
{
	size_t out[NEAREST_MAX];
	size_t n = nearest(text_of(wanted), name_at, names,
	    sizeof(names) / sizeof(names[0]), out);
	buf b = BUF_INIT(NULL, 1000);

	assert_true(n <= NEAREST_MAX);
	for (size_t i = 0; i < n; i++)
		buf_printf(&b, "%s%s", i ? " " : "", names[out[i]]);
	assert_str(buf_view(&b), want);
	buf_fini(&b);
}

static void
spelling(void **state)
{
	(void)state;
	suggests("wether", "weather");
	suggests("waether", "weather"); /* neighbours swapped: one slip */
	suggests("weahter", "weather");
	suggests("pnig", "ping");
	suggests("poke", "");
	suggests("wxyzher", "");
	suggests("github.creat_isue", "github.create_issue");
	suggests("fs.wirte_file", "fs.write_file");
	suggests("fs.list_directroy", "fs.list_directory");
}

static void
writing(void **state)
{
	(void)state;
	suggests("github.createIssue", "github.create_issue");
	suggests("GitHub.LIST-ISSUES", "github.list_issues");
	suggests("WEATHER", "weather");
}

static void
namespaces(void **state)
{
	(void)state;
	suggests("create_issue", "github.create_issue");
	suggests("gitlab.create_issue", "github.create_issue");
	suggests("github.weather", "weather");
	suggests("search", "search github.search");
}

static void
parts(void **state)
{
	(void)state;
	suggests("issues", "github.list_issues");
	suggests("get_weather", "weather");
	suggests("read", "fs.read_file fs.read_text_file fs.read_media_file "
			 "fs.read_multiple_files");
	suggests("re", "");
}

static void
nothing_alike(void **state)
{
	char big[400];

	(void)state;
	suggests("", "");
	suggests("???", "");
	suggests("zzz", "");
	memset(big, 'w', sizeof(big) - 1);
	big[sizeof(big) - 1] = 0;
	suggests(big, "");
}

static text
file_n(const void *list, size_t i)
{
	(void)list;
	return text_sub(
	    TEXT("file0file1file2file3file4file5file6file7"), i * 5, i * 5 + 5);
}

static void
five_are_enough(void **state)
{
	size_t out[NEAREST_MAX];

	(void)state;
	assert_int_equal(nearest(TEXT("file7"), file_n, NULL, 8, out), 5);
	assert_int_equal(out[0], 7); /* the best, though it came last */
	assert_int_equal(out[1], 0); /* equally near: the first ones */
	assert_int_equal(out[4], 3);
	assert_int_equal(nearest(TEXT("file7"), file_n, NULL, 0, out), 0);
}

static text
counted_name(const void *list, size_t i)
{
	static char name[64];
	size_t *asked = *(size_t *const *)list;

	++*asked;
	snprintf(name, sizeof(name), "servers_with_long_names.tool_%zu", i);
	return text_of(name);
}

/* The work has a bound: of a million names that are all alike, only the first
 * are compared. Ten thousand are all looked at. */
static void
a_question_has_a_budget(void **state)
{
	size_t asked = 0, *counter = &asked, out[NEAREST_MAX];

	(void)state;
	assert_int_equal(
	    nearest(TEXT("servers_with_long_names.tool_x"), counted_name,
		(const void *)&counter, 1000000, out),
	    NEAREST_MAX);
	assert_in_range(asked, 100, 100000);
	asked = 0;
	assert_int_equal(nearest(TEXT("qqqq"), counted_name,
			     (const void *)&counter, 10000, out),
	    0);
	assert_int_equal(asked, 10000);
}

int
main(void)
{
	const struct CMUnitTest tests[] = {
	    cmocka_unit_test(spelling),
	    cmocka_unit_test(writing),
	    cmocka_unit_test(namespaces),
	    cmocka_unit_test(parts),
	    cmocka_unit_test(nothing_alike),
	    cmocka_unit_test(five_are_enough),
	    cmocka_unit_test(a_question_has_a_budget),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
