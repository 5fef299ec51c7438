/* SPDX-License-Identifier: MIT */
/*
 * soak.c -- so many runs in one process, and nothing grows.
 *
 *	soak RUNS [WORKER]
 *
 * The scripts of test/fault, in turn, each with the answer that it must have;
 * with a worker they run in processes of their own. A tenth of the runs warms
 * up; after that the resident memory of this process and of the template, the
 * descriptors and the processes must be at the end what they were.
 */
#define _GNU_SOURCE
#include "fault/fault.h"
#include "self.h"

#include "sim/family.h"

#include <dirent.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

enum { GROWTH_KB = 4096, LINES = 10 };

typedef struct figures {
	unsigned long kb, template_kb;
	unsigned fds, processes;
} figures;

static unsigned long
resident_kb(pid_t pid)
{
	char path[64], line[256];
	unsigned long kb = 0;
	FILE *f;

	snprintf(path, sizeof(path), "/proc/%ld/status", (long)pid);
	f = pid > 0 ? fopen(path, "r") : NULL;
	while (f != NULL && fgets(line, sizeof(line), f) != NULL)
		if (sscanf(line, "VmRSS: %lu", &kb) == 1)
			break;
	if (f != NULL)
		fclose(f);
	return kb;
}

/* Workers that end are waited for: they are no growth. */
static figures
measure(unsigned spares)
{
	figures f;
	family all;
	unsigned i;

	for (i = 0; i < 500; i++) {
		family_of(getpid(), &all);
		if (all.len <= spares + 1)
			break;
		nanosleep(&(struct timespec){0, 2000000}, NULL);
	}
	f.processes = all.len;
	f.kb = resident_kb(getpid());
	f.template_kb = resident_kb(family_at(getpid(), 1));
	f.fds = descriptors();
	return f;
}

static double
seconds(void)
{
	struct timespec t;

	clock_gettime(CLOCK_MONOTONIC, &t);
	return (double)t.tv_sec + (double)t.tv_nsec / 1e9;
}

static void
show(unsigned long runs, const figures *f, double took)
{
	printf("%9lu runs  %7lu kB  template %6lu kB  %3u descriptors  %2u "
	       "processes  %6.0f runs/s\n",
	    runs, f->kb, f->template_kb, f->fds, f->processes,
	    took > 0 ? (double)runs / took : 0);
}

/* Most of a script with a timer is waiting: every twentieth will do. */
static bool
waits(const fault_case *c)
{
	return strstr(c->script, "sleep") != NULL ||
	       strstr(c->script, "setTimeout") != NULL ||
	       strstr(c->script, "timeoutMs") != NULL;
}

static const fault_case *
case_of(unsigned long i)
{
	const fault_case *c = &fault_cases[i % fault_cases_len];

	return waits(c) && i / fault_cases_len % 20 != 0 ? &fault_cases[0] : c;
}

static void
run_one(owner *o, unsigned long i)
{
	const fault_case *c = case_of(i);
	owner_end end;

	owner_run(o, c->script, &end);
	if (fault_sound(c, &end, "run", (unsigned)i) &&
	    !fault_unharmed(c, &end)) {
		fault_failures++;
		printf("%s, run %lu: %s\n", c->name, i, end.message);
	}
}

/* What is at the end and was not after a tenth. */
static bool
grew(const figures *was, const figures *is)
{
	return is->kb > was->kb + GROWTH_KB ||
	       is->template_kb > was->template_kb + GROWTH_KB ||
	       is->fds > was->fds || is->processes > was->processes;
}

int
main(int argc, char **argv)
{
	enum { SPARES = 2 };
	cm_process_options opts = CM_PROCESS_OPTIONS_INIT;
	unsigned long i, runs = argc > 1 ? strtoul(argv[1], NULL, 10) : 0;
	figures was = {0}, is = {0};
	double began = seconds();
	owner o;

	setvbuf(stdout, NULL, _IOLBF, 0);
	if (runs < LINES || owner_init(&o, NULL) != CM_OK)
		return EXIT_FAILURE;
	o.limits.wall_ms = 20000;
	opts.worker = argv[2];
	opts.spares = SPARES;
	if (argc > 2 && cm_place_process(NULL, &opts, &o.place) != CM_OK)
		return EXIT_FAILURE;
	for (i = 1; i <= runs && fault_failures < 20; i++) {
		run_one(&o, i);
		if (i % (runs / LINES) != 0)
			continue;
		is = measure(argc > 2 ? SPARES : 0);
		if (was.kb == 0)
			was = is;
		show(i, &is, seconds() - began);
	}
	if (grew(&was, &is)) {
		fault_failures++;
		printf("something grew\n");
	}
	cm_place_free(o.place);
	owner_fini(&o);
	if (!family_ends(getpid(), 1, 2000)) {
		fault_failures++;
		printf("a process is left\n");
	}
	printf("%u failures\n", fault_failures);
	return fault_failures > 0 ? EXIT_FAILURE : EXIT_SUCCESS;
}
