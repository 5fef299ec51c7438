/* SPDX-License-Identifier: MIT */
/*
 * memory.c -- how long a script lives that takes more memory than it may.
 *
 *	memory WORKER
 *
 * The script fills memory as fast as it can, in a process of its own with the
 * default limit. This one looks at that process's resident memory all the time,
 * notes when it crosses the limit, and prints "MILLISECONDS PEAK_KILOBYTES":
 * from there to the run's end, and the most that was seen.
 */
#include <codemode/place.h>

#include <poll.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

#define LIMIT 512000000.0

static const char script[] =
    "const all = []; for (;;) all.push(new Uint8Array(1e6).fill(1));";

static double
now(void)
{
	struct timespec t;

	clock_gettime(CLOCK_MONOTONIC, &t);
	return (double)t.tv_sec * 1e3 + (double)t.tv_nsec / 1e6;
}

/* This process's only child: the script's. */
static int
child(void)
{
	char path[64];
	int pid = 0;
	FILE *f;

	snprintf(path, sizeof(path), "/proc/self/task/%d/children", getpid());
	f = fopen(path, "r");
	if (f == NULL || fscanf(f, "%d", &pid) != 1)
		exit(EXIT_FAILURE);
	fclose(f);
	return pid;
}

static double
resident(const char *path)
{
	long all, pages = 0;
	FILE *f = fopen(path, "r");

	if (f == NULL)
		return 0;
	if (fscanf(f, "%ld %ld", &all, &pages) != 2)
		pages = 0;
	fclose(f);
	return (double)pages * (double)sysconf(_SC_PAGESIZE);
}

/* Waits as the run wants it, for half a millisecond at most. */
static void
rest(const cm_wait *w)
{
	struct timespec half = {0, 500000};
	struct pollfd fd = {w->handle, POLLIN, 0};

	ppoll(&fd, w->handle >= 0, &half, NULL);
}

int
main(int argc, char **argv)
{
	cm_process_options place_options = CM_PROCESS_OPTIONS_INIT;
	cm_run_options options = CM_RUN_OPTIONS_INIT;
	double crossed = 0, peak = 0, bytes;
	cm_place *place;
	cm_step step;
	cm_run *run;
	char path[64];

	if (argc != 2)
		return EXIT_FAILURE;
	place_options.worker = argv[1];
	place_options.single = 1;
	options.limits.heap = 4000000000u;
	if (cm_place_process(NULL, &place_options, &place) != CM_OK)
		return EXIT_FAILURE;
	options.place = place;
	snprintf(path, sizeof(path), "/proc/%d/statm", child());
	if (cm_run_new(NULL, (cm_text){script, strlen(script)}, &options,
		&run) != CM_OK)
		return EXIT_FAILURE;
	do {
		if (cm_run_next(run, (uint64_t)now(), &step) != CM_OK)
			return EXIT_FAILURE;
		bytes = resident(path);
		peak = bytes > peak ? bytes : peak;
		if (crossed == 0 && bytes > LIMIT)
			crossed = now();
		if (step.kind == CM_STEP_WAIT)
			rest(&step.u.wait);
	} while (step.kind != CM_STEP_DONE);
	if (strncmp(step.u.done.fault.code.ptr, "MemoryLimit", 11) != 0)
		return EXIT_FAILURE;
	printf("%.3f %.0f\n", crossed == 0 ? 0 : now() - crossed, peak / 1024);
	cm_run_free(run);
	cm_place_free(place);
	return EXIT_SUCCESS;
}
