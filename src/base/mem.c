/* SPDX-License-Identifier: MIT */
/*
 * mem.c -- the system's allocator as a cm_alloc, and arrays that double.
 */
#include "mem.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static void *
system_resize(void *ctx, void *block, size_t old_size, size_t new_size)
{
	(void)ctx;
	(void)old_size;
	if (new_size == 0) {
		free(block);
		return NULL;
	}
	return realloc(block, new_size);
}

const cm_alloc mem_system = {system_resize, NULL};

void *
mem_resize(const cm_alloc *a, void *p, size_t old_size, size_t new_size)
{
	if (!a)
		a = &mem_system;
	return a->resize(a->ctx, p, old_size, new_size);
}

void *
mem_new(const cm_alloc *a, size_t size)
{
	void *p = mem_resize(a, NULL, 0, size);

	return p ? memset(p, 0, size) : NULL;
}

void
mem_free(const cm_alloc *a, void *p, size_t size)
{
	if (p)
		mem_resize(a, p, size, 0);
}

bool
mem_grow(const cm_alloc *a, void **array, size_t *cap, size_t len,
    size_t element_size)
{
	size_t larger = *cap ? *cap * 2 : 8;
	void *p;

	if (len < *cap)
		return true;
	if (larger < *cap || larger > SIZE_MAX / element_size)
		return false;
	/* *array is really a T *: reading it as void * would break the rules
	 * of aliasing, copying its bytes does not. */
	memcpy(&p, (const void *)array, sizeof(p));
	p = mem_resize(a, p, *cap * element_size, larger * element_size);
	if (!p)
		return false;
	memcpy((void *)array, &p, sizeof(p));
	*cap = larger;
	return true;
}

void
must_failed(const char *what, const char *file, int line)
{
	fprintf(stderr, "codemode: %s:%d: must hold: %s\n", file, line, what);
	abort();
}
