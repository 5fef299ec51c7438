/* SPDX-License-Identifier: MIT */
/*
 * test_alloc.c -- the n-th request for memory is refused, for every n until
 * none is reached any more; then all from the n-th on.
 *
 *	fault_alloc [WORKER]
 *
 * With a worker the scripts run in processes, and it is the parent's memory
 * that runs out. Whatever happens, each block comes back with its right size.
 */
#define _GNU_SOURCE
#include "fault.h"

#include <stdio.h>
#include <stdlib.h>

/* Every block carries its size in front. */
typedef struct meter {
	size_t out;     /* bytes */
	unsigned asked; /* requests so far */
	unsigned refuse_from, refuse_to;
	bool wrong_size;
} meter;

enum { HEAD = 16, MOST = 100000 };

static void *
resize(void *ctx, void *block, size_t old_size, size_t new_size)
{
	meter *m = ctx;
	char *head = block ? (char *)block - HEAD : NULL;

	if (head != NULL && *(size_t *)(void *)head != old_size)
		m->wrong_size = true;
	if (new_size > old_size) {
		m->asked++;
		if (m->asked >= m->refuse_from && m->asked <= m->refuse_to)
			return NULL;
	}
	m->out += new_size - old_size;
	if (new_size == 0) {
		free(head);
		return NULL;
	}
	head = realloc(head, new_size + HEAD);
	if (head == NULL)
		abort();
	*(size_t *)(void *)head = new_size;
	return head + HEAD;
}

static cm_place *place;       /* its memory is not in question; NULL: inline */
static const cm_start *start; /* NULL: runs that are not recorded */

static void
ignore_line(void *ctx, cm_text line)
{
	(void)ctx, (void)line;
}

/* True: the run did not get as far as the n-th request. */
static bool
run_once(const fault_case *c, const char *what, unsigned from, unsigned to)
{
	meter m = {.refuse_from = from, .refuse_to = to};
	cm_alloc alloc = {resize, &m};
	owner_end end = {0};
	owner o;

	if ((end.status = owner_init(&o, &alloc)) == CM_OK) {
		o.place = place;
		o.start = start;
		o.limits.wall_ms = FAULT_WALL_MS;
		owner_run(&o, c->script, &end);
	}
	owner_fini(&o);
	fault_sound(c, &end, what, from);
	if (m.out != 0 || m.wrong_size) {
		fault_failures++;
		printf("%s: %s %u: %zu bytes are still out%s\n", c->name, what,
		    from, m.out, m.wrong_size ? ", sizes are wrong" : "");
	}
	if (m.asked >= from)
		return false;
	if (!fault_unharmed(c, &end)) {
		fault_failures++;
		printf("%s: %s %u: nothing was refused, and yet: %s\n", c->name,
		    what, from, end.message);
	}
	return true;
}

static unsigned
all_of(const fault_case *c, const char *what, bool and_on)
{
	unsigned n;

	for (n = 1; n < MOST; n++)
		if (run_once(c, what, n, and_on ? UINT32_MAX : n))
			break;
	return n;
}

int
main(int argc, char **argv)
{
	static const cm_start recorded = {.epoch_ms = 1, .log = ignore_line};
	cm_process_options opts = CM_PROCESS_OPTIONS_INIT;
	unsigned i, runs = 0;

	setvbuf(stdout, NULL, _IOLBF, 0);
	if (argc > 1) {
		opts.worker = argv[1];
		if (cm_place_process(NULL, &opts, &place) != CM_OK)
			return EXIT_FAILURE;
	}
	for (i = 0; i < fault_cases_len; i++) {
		runs += all_of(&fault_cases[i], "without block", false);
		runs += all_of(&fault_cases[i], "no block from", true);
		start = &recorded;
		runs +=
		    all_of(&fault_cases[i], "recorded without block", false);
		start = NULL;
	}
	cm_place_free(place);
	printf("%u runs with too little memory, %u failures\n", runs,
	    fault_failures);
	return fault_failures > 0 ? EXIT_FAILURE : EXIT_SUCCESS;
}
