/* SPDX-License-Identifier: MIT */
/*
 * regexp_run.h -- regular expressions that are compiled, and matched against
 * strings.
 */
#ifndef EVALUATOR_REGEXP_RUN_H
#define EVALUATOR_REGEXP_RUN_H

#include "regexp.h"
#include "vm.h"

/* Internal values of a RegExp. */
enum { REGEXP_SOURCE, REGEXP_FLAGS, REGEXP_LEGACY, REGEXP_SPARE };

struct compiled_regexp;

/* A pattern with its flags, as it stands in the cache: until the next one is
 * looked up. */
typedef struct regexp {
	uint32_t hash;
	unsigned flags;
	rx_units source; /* a copy */
	uint32_t groups; /* the whole match included */
	uint32_t *found; /* 2 * groups: where each was found; REGEXP_UNSET */
	rx_name *names;
	arena keep;                            /* of all that belongs to it */
	struct compiled_regexp *narrow, *wide; /* NULL: not yet */
} regexp;

#define REGEXP_UNSET UINT32_MAX

/* The pattern must be a root, and becomes flat. NULL: thrown; a SyntaxError
 * where it is wrong. */
regexp *regexp_find(vm *m, value *source, unsigned flags);
/* Looks for the first match at `start` or (not sticky) behind. 1: e->found says
 * where; 0: there is none; -1: thrown. subject: a root, becomes flat. */
int regexp_run(vm *m, regexp *e, value *subject, uint32_t start, bool sticky);
void regexps_free(vm *m);

#endif
