/* SPDX-License-Identifier: MIT */
/*
 * test_memcpy.c -- the worker's memcpy and memmove, at every length and
 * distance that takes another path; neighbours stay as they were.
 */
#include "unit.h"

#include <time.h>

#define memcpy  our_memcpy
#define memmove our_memmove
void *our_memcpy(void *restrict dest, const void *restrict src, size_t n);
void *our_memmove(void *dest, const void *src, size_t n);
#include "../../cmd/codemode-worker/memcpy.c"
#undef memcpy
#undef memmove

enum { MOST = 600, AREA = 2 * MOST + 64, LONG = 400000 };

static void
fill(uint8_t *p)
{
	for (size_t i = 0; i < AREA; i++)
		p[i] = (uint8_t)(i * 7 + i / 251);
}

/* Byte by byte, from a copy. */
static void
expected(uint8_t *p, size_t to, size_t from, size_t n)
{
	uint8_t was[AREA];

	fill(was);
	for (size_t i = 0; i < n; i++)
		p[to + i] = was[from + i];
}

static void
copies(void **state)
{
	static uint8_t src[AREA], dest[AREA], want[AREA];
	size_t n;

	(void)state;
	for (n = 0; n <= MOST; n++) {
		fill(src);
		fill(dest);
		fill(want);
		expected(want, 5, 3, n);
		assert_ptr_equal(our_memcpy(dest + 5, src + 3, n), dest + 5);
		assert_memory_equal(dest, want, AREA);
	}
}

static void
moves(void **state)
{
	static uint8_t area[AREA], want[AREA];
	size_t n, from = 300, to;

	(void)state;
	for (n = 0; n <= MOST; n += n < 300 ? 1 : 37) {
		for (to = from - 40; to <= from + 40; to++) {
			fill(area);
			fill(want);
			expected(want, to, from, n);
			assert_ptr_equal(
			    our_memmove(area + to, area + from, n), area + to);
			assert_memory_equal(area, want, AREA);
		}
	}
}

static uint64_t
cpu_ns(void)
{
	struct timespec t;

	clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &t);
	return (uint64_t)t.tv_sec * 1000000000 + (uint64_t)t.tv_nsec;
}

/* The least of twenty, so that a busy machine does not count. */
static uint64_t
least_ns(char *area, size_t distance)
{
	uint64_t least = UINT64_MAX;

	for (int i = 0; i < 20; i++) {
		uint64_t began = cpu_ns(), took;

		our_memmove(area, area + distance, LONG);
		took = cpu_ns() - began;
		least = took < least ? took : least;
	}
	return least;
}

/* A list that is taken apart from the front moves by one element at a time. */
static void
near_is_no_slower_than_far(void **state)
{
	char *area = calloc(2, LONG);

	(void)state;
	assert_non_null(area);
	assert_true(least_ns(area, 8) < 5 * least_ns(area, LONG - 2000));
	free(area);
}

int
main(void)
{
	const struct CMUnitTest tests[] = {
	    cmocka_unit_test(copies),
	    cmocka_unit_test(moves),
	    cmocka_unit_test(near_is_no_slower_than_far),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
