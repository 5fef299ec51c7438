/* SPDX-License-Identifier: MIT */
/*
 * pool.h -- an arena for what lives as long as the command: configuration,
 * names, arguments. When there is no memory for them the program says so and
 * ends, so no caller checks the result.
 */
#ifndef CMD_POOL_H
#define CMD_POOL_H

#include "base/arena.h"
#include "base/text.h"

typedef arena pool; /* zeroed: empty */

void pool_fini(pool *p);
/* Zeroed, aligned for any object of at most 8 bytes' alignment. */
void *pool_new(pool *p, size_t size);
/* A NUL-ended copy; readers of it see t up to its first NUL. */
char *pool_copy(pool *p, text t);
char *pool_printf(pool *p, const char *format, ...)
    __attribute__((format(printf, 2, 3)));

#endif
