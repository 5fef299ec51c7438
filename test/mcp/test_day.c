/* SPDX-License-Identifier: MIT */
/*
 * test_day.c -- hours of a program with servers that die, hang and idle, and
 * nothing grows.
 *
 *	mcp_day [HOURS]
 *
 * The clock of this program is moved on by the test, so that an hour takes
 * seconds; one hour is the test, a day takes minutes. In each
 * ten minutes two servers die as often as they may with calls in flight, are
 * called again, and are ended because they are idle; a third one is late and
 * given up. A tenth of the time warms up; after that resident memory and
 * descriptors must be at the end what they were. No process is left at the end
 * of any ten minutes.
 */
#include "rig.h"

#include "servers/supervise.h"
#include "skewed_clock.h"

#include <dirent.h>
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

enum { WINDOW_MS = 600 * 1000, GROWTH_KB = 512 };

static unsigned hours = 1;

typedef struct figures {
	unsigned long kb;
	size_t files;
} figures;

static figures
measure_self(void)
{
	figures f = {0};
	char line[256];
	FILE *status = fopen("/proc/self/status", "re");
	DIR *fds = opendir("/proc/self/fd");

	assert_non_null(status);
	assert_non_null(fds);
	while (fgets(line, sizeof(line), status) != NULL)
		if (sscanf(line, "VmRSS: %lu", &f.kb) == 1)
			break;
	while (readdir(fds) != NULL)
		f.files++;
	closedir(fds);
	fclose(status);
	return f;
}

static void
pass_time(rig *d, uint64_t ms)
{
	ahead_ms += ms;
	rig_wait(d, 1);
}

static void
let_die(rig *d, size_t server)
{
	servers_call(d->s, server, 1, TEXT("silent"), TEXT("{}"), 0);
	servers_call(d->s, server, 2, TEXT("die"), TEXT("{}"), 0);
	rig_answers(d, 2);
	while (servers_state(d->s, server) == SERVER_UP)
		pass_time(d, 600);
}

/* Until no process of a server is left. */
static void
let_idle(rig *d)
{
	ahead_ms += WINDOW_MS;
	for (int i = 0; i < 200 && rig_marked(d->mark) > 0; i++)
		pass_time(d, 2100);
	assert_int_equal(rig_marked(d->mark), 0);
}

/* Ten minutes: five deaths, each with calls in flight, and a call that brings
 * the server back; then it idles. */
static void
live_ten_minutes(rig *d)
{
	for (uint32_t i = 0; i < 5; i++) {
		for (size_t server = 0; server < 2; server++)
			let_die(d, server);
		pass_time(d, 8000);
		for (size_t server = 0; server < 2; server++)
			servers_call(
			    d->s, server, 3, TEXT("echo"), TEXT("{}"), 0);
		rig_answers(d, 2);
	}
	servers_call(d->s, 2, 4, TEXT("echo"), TEXT("{}"), 0);
	pass_time(d, 1);
	pass_time(d, 400); /* the mute one is late, and given up */
	rig_answers(d, 1);
	pass_time(d, 2000);
	rig_until(d, "2 failed");
	let_idle(d);
	buf_clear(&d->log);
}

/* Handles are closed a little after the last process has ended: so many are
 * open when the loop has nothing more to do. */
static figures
measure_at_rest(rig *d, size_t files)
{
	figures f = measure_self();

	for (int i = 0; i < 500 && f.files > files; i++) {
		rig_wait(d, 10);
		f = measure_self();
	}
	return f;
}

static void
nothing_grows_in_a_day(void **state)
{
	unsigned windows = hours * 6;
	figures before = {0}, after, first;
	rig d;

	(void)state;
	rig_init(&d);
	rig_add(&d, "a", FAKE, NULL)->idle_ms = WINDOW_MS / 2;
	rig_add(&d, "b", FAKE, "parent", NULL)->idle_ms = WINDOW_MS / 2;
	rig_add(&d, "mute", FAKE, "mute", NULL)->startup_ms = 300;
	rig_open(&d);
	first = measure_self(); /* and one pipe for SIGCHLD, later */
	for (unsigned i = 0; i < windows; i++) {
		if (i == windows / 10 + 1)
			before = measure_at_rest(&d, first.files + 1);
		live_ten_minutes(&d);
	}
	after = measure_at_rest(&d, before.files);
	printf("%u hours: %lu KiB, then %lu KiB\n", hours, before.kb, after.kb);
	assert_int_equal(before.files, after.files);
	assert_true(after.kb <= before.kb + GROWTH_KB);
	rig_fini(&d);
}

int
main(int argc, char **argv)
{
	const struct CMUnitTest tests[] = {
	    cmocka_unit_test(nothing_grows_in_a_day),
	};
	int r = supervise_main(argc, argv);

	if (r >= 0)
		return r;
	clean_start();
	if (argc > 1)
		hours = (unsigned)atoi(argv[1]);
	return cmocka_run_group_tests(tests, NULL, NULL);
}
