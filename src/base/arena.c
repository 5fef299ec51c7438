/* SPDX-License-Identifier: MIT */
/*
 * arena.c -- blocks that double in size, so that their number stays small and
 * a small arena costs one small block.
 */
#include "arena.h"

#include <string.h>

enum { FIRST_BLOCK = 16 << 10, LARGEST_BLOCK = 1 << 20 };

typedef struct arena_block {
	struct arena_block *older;
	size_t size;
} arena_block;

static size_t
block_size(const arena *a, size_t size)
{
	size_t usual = a->blocks ? a->blocks->size * 2 : FIRST_BLOCK;

	if (usual > LARGEST_BLOCK)
		usual = LARGEST_BLOCK;
	if (usual > a->max - a->used)
		usual = a->max - a->used;
	size += sizeof(arena_block) + 16;
	return size > usual ? size : usual;
}

static void *
refuse_block(arena *a, cm_status why)
{
	if (a->bad == CM_OK)
		a->bad = why;
	a->at = a->end = NULL;
	return NULL;
}

void *
arena_more(arena *a, size_t size)
{
	arena_block *block;
	size_t whole;

	if (a->bad != CM_OK || size > a->max)
		return refuse_block(a, CM_ELIMIT);
	whole = block_size(a, size);
	if (whole > a->max - a->used)
		return refuse_block(a, CM_ELIMIT);
	block = mem_resize(a->alloc, NULL, 0, whole);
	if (!block)
		return refuse_block(a, CM_ENOMEM);
	*block = (arena_block){a->blocks, whole};
	a->blocks = block;
	a->used += whole;
	a->at = (char *)(block + 1);
	a->end = (char *)block + whole;
	return arena_take(a, size);
}

void *
arena_grow(arena *a, void *array, size_t *cap, size_t len, size_t size)
{
	size_t larger = *cap > 0 ? *cap * 2 : 16;
	void *copy;

	if (len < *cap)
		return array;
	copy = arena_take(a, larger * size);
	if (!copy)
		return NULL;
	if (len > 0)
		memcpy(copy, array, len * size);
	*cap = larger;
	return copy;
}

void
arena_fini(arena *a)
{
	while (a->blocks) {
		arena_block *older = a->blocks->older;

		mem_free(a->alloc, a->blocks, a->blocks->size);
		a->blocks = older;
	}
	*a = ARENA_INIT(a->alloc, a->max);
}
