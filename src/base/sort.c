/* SPDX-License-Identifier: MIT */
/*
 * sort.c -- heapsort: n log n whatever comes, no memory.
 */
#include "sort.h"

static void
swap(unsigned char *a, unsigned char *b, size_t size)
{
	while (size-- > 0) {
		unsigned char c = *a;

		*a++ = *b;
		*b++ = c;
	}
}

/* Makes the tree of n elements whose root is i a heap; both its branches are
 * heaps already. */
static void
sift(unsigned char *at, size_t i, size_t n, size_t size, sort_order *order)
{
	size_t child;

	while ((child = 2 * i + 1) < n) {
		if (child + 1 < n &&
		    order(at + child * size, at + (child + 1) * size) < 0)
			child++;
		if (order(at + i * size, at + child * size) >= 0)
			return;
		swap(at + i * size, at + child * size, size);
		i = child;
	}
}

void
sort(void *array, size_t n, size_t size, sort_order *order)
{
	unsigned char *at = array;

	for (size_t i = n / 2; i-- > 0;)
		sift(at, i, n, size, order);
	while (n-- > 1) {
		swap(at, at + n * size, size);
		sift(at, 0, n, size, order);
	}
}
