/* SPDX-License-Identifier: MIT */
/*
 * arena.h -- memory that is taken piece by piece and given back all at once.
 *
 * For things that are built together and die together: a tree, its names, its
 * lists. Like every container it is born with a maximum; a request that would
 * pass it, or finds no memory, gives NULL and is remembered in .bad, and so
 * does every request after it.
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

/* When the newest block has too little; arena_take is what you want. */
void *arena_more(arena *a, size_t size);

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
