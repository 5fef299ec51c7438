/* SPDX-License-Identifier: MIT */
/*
 * test_link.c -- runs over a line that delays, splits, stops and cuts (link.c).
 *
 * The line is cut after each byte of a whole conversation, in both directions.
 * Each time the run ends with 'sandbox', or well where all that mattered had
 * arrived; every call is closed once (sim/owner.h looks at that), and no
 * process and no descriptor is left. LINK and WORKER are paths.
 */
#define _GNU_SOURCE
#include "self.h"
#include "sim/owner.h"

#include <errno.h>
#include <poll.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/wait.h>

enum { AMPLE_MS = 120000, PATIENCE_MS = 60000 };

static const char script[] =
    "const open = tools.hang(), one = tools.echo([1]);"
    "await tools.fail().catch(() => 0);"
    "text('\\u00e9'); store('k', 1);"
    "await new Promise(r => setTimeout(r, 1));"
    "return (await one)[0] + (await tools.echo([41]))[0]";

static int failures;
static owner o;

static void
failed(const char *what, const char *order, long n, const owner_end *end)
{
	failures++;
	printf("%s %ld: %s: end %d, \"%s\", %s\n", order, n, what,
	    (int)end->end, end->message, end->broken ? end->broken : "");
}

static cm_place *
place_over(const char *order, long n, bool session, uint64_t silence_ms)
{
	static char number[24];
	static const char *command[] = {
	    LINK, NULL, number, "--", WORKER, "--stdio", NULL};
	cm_stream_options opts = CM_STREAM_OPTIONS_INIT;
	cm_place *place = NULL;

	command[1] = order;
	snprintf(number, sizeof(number), "%ld", n);
	opts.command = command;
	opts.session = session;
	opts.silence_ms = silence_ms;
	if (cm_place_stream(NULL, &opts, &place) != CM_OK)
		exit(EXIT_FAILURE);
	return place;
}

/* What the command left becomes a child of this process: it must end, too. */
static bool
nothing_lives(void)
{
	for (int i = 0; i < PATIENCE_MS; i++) {
		pid_t pid = waitpid(-1, NULL, WNOHANG);

		if (pid < 0)
			return errno == ECHILD;
		if (pid == 0)
			poll(NULL, 0, 1);
	}
	return false;
}

/* 'runs' scripts one after the other over such a line; *last is the end of the
 * last one. */
static void
run_over(
    const char *order, long n, int runs, uint64_t silence_ms, owner_end *last)
{
	unsigned fds = descriptors();

	o.place = place_over(order, n, runs > 1, silence_ms);
	for (int i = 0; i < runs; i++) {
		o.seed = 7;
		owner_run(&o, script, last);
		if (last->status != CM_OK || last->broken != NULL)
			failed("a promise", order, n, last);
	}
	cm_place_free(o.place);
	if (!nothing_lives())
		failed("a process is left", order, n, last);
	if (descriptors() != fds)
		failed("a descriptor is left", order, n, last);
}

static bool
went_well(const owner_end *end)
{
	return end->end == CM_END_OK && strcmp(end->value, "42") == 0;
}

static void
cut_at(const char *order, long n, int runs, owner_end *end)
{
	static const char cut[] = "the connection to the sandbox was closed";

	run_over(order, n, runs, 0, end);
	if (!went_well(end) && (end->end != CM_END_SANDBOX ||
				   (strstr(end->message, cut) == NULL &&
				       strstr(end->message, LINK) == NULL)))
		failed("how it ended", order, n, end);
}

/* Returns how many bytes matter to a script. How they become frames varies a
 * little with the time. */
static long
cut_everywhere(const char *order, long step)
{
	enum { VARIES = 50 };
	long n, late = -1;
	owner_end end;

	for (n = 0; late < 0 || n < late + VARIES + 20; n += step) {
		cut_at(order, n, 1, &end);
		if (late < 0 && went_well(&end))
			late = n;
		if (late >= 0 && n > late + VARIES && !went_well(&end))
			failed("it was cut too late to matter", order, n, &end);
	}
	printf("%s: %ld bytes matter\n", order, late);
	if (late < 500)
		failed("there is no conversation", order, late, &end);
	return late;
}

/* Two scripts of a session: a cut in the second one, or between them. */
static void
cut_session(const char *order, long late, long step)
{
	owner_end end;

	for (long n = late - 50; n < 2 * late + 50; n += step)
		cut_at(order, n, 2, &end);
}

static void
goes_well(const char *order, long n, int runs)
{
	owner_end end;

	run_over(order, n, runs, 0, &end);
	if (!went_well(&end))
		failed("how it ended", order, n, &end);
}

/* Before the worker has said hello, the run's own time ends it. */
static void
stand_still(long n)
{
	owner_end end;

	o.limits.wall_ms = 1500;
	run_over("--freeze-up", n, 1, 300, &end);
	o.limits.wall_ms = AMPLE_MS;
	if (end.end != CM_END_SANDBOX && end.end != CM_END_TIMEOUT)
		failed("how it ended", "--freeze-up", n, &end);
}

int
main(int argc, char **argv)
{
	long step = argc > 1 ? atol(argv[1]) : 1;

	setvbuf(stdout, NULL, _IOLBF, 0);
	prctl(PR_SET_CHILD_SUBREAPER, 1);
	if (owner_init(&o, NULL) != CM_OK)
		return EXIT_FAILURE;
	o.limits.wall_ms = AMPLE_MS;
	goes_well("--piece", 1, 1);
	goes_well("--piece", 1, 3);
	goes_well("--piece", 7, 2);
	goes_well("--pause", 20000, 2);
	cut_session("--cut-up", cut_everywhere("--cut-up", step), 7 * step);
	cut_session("--cut-down", cut_everywhere("--cut-down", step), 7 * step);
	for (long n = 0; n < 700; n += 69)
		stand_still(n);
	owner_fini(&o);
	printf("%d failures\n", failures);
	return failures > 0 ? EXIT_FAILURE : EXIT_SUCCESS;
}
