/* SPDX-License-Identifier: MIT */
/*
 * test_memcpy.c -- the worker's memcpy and memmove, at every length and
 * distance that takes another path; neighbours stay as they were.
 */
#include "unit.h"

#define memcpy  our_memcpy
#define memmove our_memmove
void *our_memcpy(void *restrict dest, const void *restrict src, size_t n);
void *our_memmove(void *dest, const void *src, size_t n);
#include "../../cmd/codemode-worker/memcpy.c"
#undef memcpy
#undef memmove

enum { MOST = 600, AREA = 2 * MOST + 64 };

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

int
main(void)
{
	const struct CMUnitTest tests[] = {
	    cmocka_unit_test(copies),
	    cmocka_unit_test(moves),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
