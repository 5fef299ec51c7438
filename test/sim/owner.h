/* SPDX-License-Identifier: MIT */
/*
 * owner.h -- an owner of runs who answers in any order, and holds the library
 * to its word.
 *
 * The promises looked at, for every run, however it ends: a call starts once,
 * ids only rise; it is answered by us or aborted, never both, and once the run
 * is over none is left; nothing but DONE comes after DONE; the result is JSON
 * and lists every call that was started with an end of its own.
 */
#ifndef TEST_SIM_OWNER_H
#define TEST_SIM_OWNER_H

#include <codemode/place.h>
#include <stdbool.h>

typedef struct owner {
	cm_alloc alloc;
	cm_catalog *catalog;
	cm_place *place; /* NULL: inline */
	const cm_start *start; /* of its runs; NULL: none */
	cm_limits limits;
	unsigned seed; /* of the order of answers */
	size_t big;    /* bytes that the tool "big" answers */
	const cm_approval *approves; /* no other call; NULL: all calls */
	/* Before each cm_run_next; step counts them, from 0. */
	void (*before)(struct owner *o, unsigned step);
	void *ctx;
} owner;

typedef struct owner_end {
	cm_status status; /* of the library; not CM_OK: there is no end */
	cm_end end;
	char message[256], code[64];
	char value[256];
	unsigned steps, calls, asked, answered, aborted;
	unsigned long ms;
	const char *broken; /* a promise that did not hold */
} owner_end;

/* alloc may be NULL. Tools: echo, fail, hang, big. */
cm_status owner_init(owner *o, const cm_alloc *alloc);
void owner_fini(owner *o);
void owner_run(owner *o, const char *script, owner_end *end);

#endif
