/* SPDX-License-Identifier: MIT */
/*
 * test_system.c -- which files are read as time zones, in a folder of our own.
 */
#include "unit.h"

#include "host/system.h"

#include <stdio.h>
#include <stdlib.h>
#include <sys/stat.h>
#include <unistd.h>

static char folder[] = "/tmp/zones-XXXXXX";

static void
write_file(const char *name, const char *bytes, size_t len)
{
	char path[128];
	FILE *f;

	snprintf(path, sizeof(path), "%s/%s", folder, name);
	f = fopen(path, "wb");
	assert_non_null(f);
	assert_int_equal(fwrite(bytes, 1, len, f), len);
	assert_int_equal(fclose(f), 0);
}

static int
make_folder(void **state)
{
	char path[128];

	(void)state;
	assert_non_null(mkdtemp(folder));
	snprintf(path, sizeof(path), "%s/Area", folder);
	assert_int_equal(mkdir(path, 0700), 0);
	write_file("Area/Town_1", "TZif2\xff\0x", 8);
	write_file("notes", "TZ", 2);
	write_file("a.tab", "TZif2", 5);
	return setenv("TZDIR", folder, 1);
}

static int
drop_folder(void **state)
{
	char command[64];

	(void)state;
	snprintf(command, sizeof(command), "rm -r %s", folder);
	return system(command);
}

static text
zone(buf *b, text name)
{
	b->len = 0;
	system_zone_file(NULL, name, b);
	return buf_view(b);
}

/* A character for each byte, as UTF-8. */
static void
bytes_are_characters(void **state)
{
	buf b = BUF_INIT(NULL, 1000);

	(void)state;
	assert_true(
	    text_eq(zone(&b, TEXT("Area/Town_1")), TEXT("TZif2\xc3\xbf\0x")));
	buf_fini(&b);
}

static void
nothing_else_is_read(void **state)
{
	static const text names[] = {
	    {"Area", 4},
	    {"notes", 5},
	    {"a.tab", 5},
	    {"nowhere", 7},
	    {"Area/../Area/Town_1", 19},
	    {"/etc/localtime", 14},
	    {"Area/Town_1\0", 12},
	    {"Area\\Town_1", 11},
	};
	buf b = BUF_INIT(NULL, 1000);
	size_t i;

	(void)state;
	for (i = 0; i < sizeof(names) / sizeof(*names); i++)
		assert_int_equal(zone(&b, names[i]).len, 0);
	buf_fini(&b);
}

/* The empty name asks for the name of the local zone. */
static void
the_local_zone_has_a_name(void **state)
{
	buf b = BUF_INIT(NULL, 1000);

	(void)state;
	setenv("TZ", ":Area/Town_1", 1);
	assert_str(zone(&b, TEXT("")), "Area/Town_1");
	setenv("TZ", "EST5EDT,M3.2.0,M11.1.0", 1);
	assert_int_equal(zone(&b, TEXT("")).len, 0);
	buf_fini(&b);
}

int
main(void)
{
	const struct CMUnitTest tests[] = {
	    cmocka_unit_test(bytes_are_characters),
	    cmocka_unit_test(nothing_else_is_read),
	    cmocka_unit_test(the_local_zone_has_a_name),
	};

	return cmocka_run_group_tests(tests, make_folder, drop_folder);
}
