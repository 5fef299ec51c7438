/* SPDX-License-Identifier: MIT */
/*
 * arena.h -- memory that is taken piece by piece and freed all at once.
 *
 * For things that are built and freed together: a tree, its names, its lists.
 * Like every container it has a maximum from the start. A request that would
 * pass it, or for which there is no memory, gives NULL and is remembered in
 * .bad; so does every request after it.
 */
#ifndef BASE_ARENA_H
#define BASE_ARENA_H

#include "mem.h"

typedef struct arena {
	const cm_alloc *alloc;      /* NULL: mem_system */
	struct arena_block *blocks; /* newest first */
	char *at, *end;             /* what is free in the newest */
	size_t used;                /* bytes of all blocks */
	size_t max;                 /* bytes that all blocks may have */
	cm_status bad;              /* CM_OK, CM_ENOMEM or CM_ELIMIT */
} arena;

#define ARENA_INIT(allocator, maximum)                                         \
	((arena){(allocator), NULL, NULL, NULL, 0, (maximum), CM_OK})

void arena_fini(arena *a);

/* arena_take for the case that the newest block has too little left. */
void *arena_more(arena *a, size_t size);

/* An array of size bytes each with room for one more behind the len there are:
 * array itself, or a copy of twice its capacity, *cap. NULL when refused; then
 * array is as it was. */
void *arena_grow(arena *a, void *array, size_t *cap, size_t len, size_t size);

/* size bytes, aligned for any object of at most 8 bytes' alignment, not
 * zeroed; NULL when refused. */
static inline void *
arena_take(arena *a, size_t size)
{
	size_t room = (size_t)(a->end - a->at);
	void *p = a->at;

	if (size > room || room - size < 8)
		return arena_more(a, size);
	a->at += (size + 7) & ~(size_t)7;
	return p;
}

#endif
