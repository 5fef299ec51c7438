/* SPDX-License-Identifier: MIT */
/*
 * sort.h -- sorting in place. The library's qsort may ask the system for
 * memory behind our back; this one never asks anybody.
 */
#ifndef BASE_SORT_H
#define BASE_SORT_H

#include <stddef.h>

/* <0, 0, >0, as for qsort. */
typedef int sort_order(const void *a, const void *b);

/* Not stable: an order that never answers 0 leaves nothing to chance. */
void sort(void *array, size_t n, size_t size, sort_order *order);

#endif
