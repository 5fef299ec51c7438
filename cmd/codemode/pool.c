/* SPDX-License-Identifier: MIT */
/*
 * pool.c -- a list of blocks, one for each piece: configuration is small, and
 * a checker of memory sees every piece with its own bounds.
 */
#include "pool.h"

#include <stdarg.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>

typedef struct pool_block {
	struct pool_block *next;
	max_align_t bytes[];
} pool_block;

void
pool_fini(pool *p)
{
	while (p->blocks != NULL) {
		pool_block *next = p->blocks->next;

		free(p->blocks);
		p->blocks = next;
	}
}

void *
pool_new(pool *p, size_t size)
{
	pool_block *b = calloc(1, sizeof(*b) + size);

	if (b == NULL) {
		fputs("codemode: out of memory\n", stderr);
		exit(EXIT_FAILURE);
	}
	b->next = p->blocks;
	p->blocks = b;
	return b->bytes;
}

char *
pool_copy(pool *p, text t)
{
	char *copy = pool_new(p, t.len + 1);

	if (t.len > 0)
		memcpy(copy, t.ptr, t.len);
	return copy;
}

char *
pool_printf(pool *p, const char *format, ...)
{
	va_list args;
	int len;
	char *s;

	va_start(args, format);
	len = vsnprintf(NULL, 0, format, args);
	va_end(args);
	if (len < 0)
		len = 0;
	s = pool_new(p, (size_t)len + 1);
	va_start(args, format);
	vsnprintf(s, (size_t)len + 1, format, args);
	va_end(args);
	return s;
}
