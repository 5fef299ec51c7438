/* SPDX-License-Identifier: MIT */
/* pool.c -- see pool.h. */
#include "pool.h"

#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>

void
pool_fini(pool *p)
{
	arena_fini(p);
}

void *
pool_new(pool *p, size_t size)
{
	void *at;

	if (p->max == 0)
		*p = ARENA_INIT(NULL, SIZE_MAX);
	at = arena_take(p, size);
	if (at != NULL)
		return memset(at, 0, size);
	fputs("codemode: out of memory\n", stderr);
	exit(EXIT_FAILURE);
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
