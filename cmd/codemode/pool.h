/* SPDX-License-Identifier: MIT */
/*
 * pool.h -- small pieces of memory that all go at once.
 *
 * For what lives as long as the command: configuration, names, arguments.
 * There is nothing sensible to do when no memory is left for them, so the
 * program says so and ends, and nobody has to look at the answer.
 */
#ifndef CMD_POOL_H
#define CMD_POOL_H

#include "base/text.h"

typedef struct pool {
	struct pool_block *blocks;
} pool;

void pool_fini(pool *p);
/* Zeroed, aligned for anything. */
void *pool_new(pool *p, size_t size);
/* A NUL-ended copy; what stands behind a NUL inside of t is out of reach. */
char *pool_copy(pool *p, text t);
char *pool_printf(pool *p, const char *format, ...)
    __attribute__((format(printf, 2, 3)));

#endif
