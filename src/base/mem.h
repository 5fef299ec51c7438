/* SPDX-License-Identifier: MIT */
/*
 * mem.h -- all memory comes from a cm_alloc that the caller hands in.
 */
#ifndef BASE_MEM_H
#define BASE_MEM_H

#include <codemode/words.h>

#include <stdbool.h>

/* malloc, realloc and free: what a NULL allocator means. */
extern const cm_alloc mem_system;

/* a may be NULL for mem_system. new_size 0 frees. See cm_alloc. */
void *mem_resize(const cm_alloc *a, void *p, size_t old_size, size_t new_size);
/* A zeroed block; NULL: no memory. */
void *mem_new(const cm_alloc *a, size_t size);
void mem_free(const cm_alloc *a, void *p, size_t size);

/* Room for one more element in a growing array: capacities double from 8.
 * False when there is no memory (the array is as it was). */
bool mem_grow(const cm_alloc *a, void **array, size_t *cap, size_t len,
    size_t element_size);

/* A rule inside the library was broken: says where and ends the process. */
_Noreturn void must_failed(const char *what, const char *file, int line);
#define must(x) ((x) ? (void)0 : must_failed(#x, __FILE__, __LINE__))

#endif
