/* SPDX-License-Identifier: MIT */
/*
 * test_starved.c -- the n-th request for memory in the worker is refused, for
 * every n until none is reached any more (starved.c).
 *
 *	fault_starved STARVED_WORKER
 */
#define _GNU_SOURCE
#include "fault.h"

#include "sim/family.h"

#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

enum { UNHARMED = 20, MOST = 20000 };

/* A place for each case, so that its workers count from one. */
static unsigned
starve(const fault_case *c, const char *worker)
{
	cm_process_options opts = CM_PROCESS_OPTIONS_INIT;
	unsigned n, unharmed = 0;
	owner_end end;
	owner o;

	opts.worker = worker;
	opts.spares = CM_NO_SPARES;
	if (owner_init(&o, NULL) != CM_OK ||
	    cm_place_process(NULL, &opts, &o.place) != CM_OK)
		exit(EXIT_FAILURE);
	o.limits.wall_ms = FAULT_WALL_MS;
	for (n = 1; n < MOST && unharmed < UNHARMED; n++) {
		owner_run(&o, c->script, &end);
		fault_sound(c, &end, "worker without block", n);
		unharmed = fault_unharmed(c, &end) ? unharmed + 1 : 0;
	}
	cm_place_free(o.place);
	owner_fini(&o);
	return n;
}

int
main(int argc, char **argv)
{
	unsigned i, runs = 0;

	setvbuf(stdout, NULL, _IOLBF, 0);
	if (argc < 2)
		return EXIT_FAILURE;
	for (i = 0; i < fault_cases_len; i++)
		runs += starve(&fault_cases[i], argv[1]);
	if (!family_ends(getpid(), 1, 2000)) {
		fault_failures++;
		printf("a process is left\n");
	}
	printf("%u starved workers, %u failures\n", runs, fault_failures);
	return fault_failures > 0 ? EXIT_FAILURE : EXIT_SUCCESS;
}
