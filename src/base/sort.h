/* SPDX-License-Identifier: MIT */
/*
 * sort.h -- sorting in place. The C library's qsort may allocate memory; this
 * one allocates none.
 */
#ifndef BASE_SORT_H
#define BASE_SORT_H

#include <stddef.h>

/* <0, 0, >0, as for qsort. */
typedef int sort_order(const void *a, const void *b);

/* Not stable: give an order that is never 0 for different elements. */
void sort(void *array, size_t n, size_t size, sort_order *order);

#endif
