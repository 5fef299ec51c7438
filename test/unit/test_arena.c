/* SPDX-License-Identifier: MIT */
/*
 * test_arena.c -- pieces that do not touch each other, a maximum that holds,
 * and everything given back.
 */
#include "unit.h"

#include "base/arena.h"

static void
pieces(void **state)
{
	enum { PIECES = 2000 };
	struct hoard h = {0, SIZE_MAX};
	cm_alloc alloc = {hoard_resize, &h};
	arena a = ARENA_INIT(&alloc, 64 << 20);
	unsigned char *piece[PIECES];

	(void)state;
	for (size_t i = 0; i < PIECES; i++) {
		size_t size = i * 7 % 301 + (i == 1000 ? 3 << 20 : 0);

		piece[i] = arena_take(&a, size);
		assert_non_null(piece[i]);
		assert_int_equal((uintptr_t)piece[i] % 8, 0);
		memset(piece[i], (int)(i & 255), size);
	}
	for (size_t i = 0; i < PIECES; i++)
		for (size_t k = 0; k < i * 7 % 301; k++)
			assert_int_equal(piece[i][k], i & 255);
	assert_int_equal(h.bytes, a.used);
	arena_fini(&a);
	assert_int_equal(h.bytes, 0);
}

static void
the_maximum_holds(void **state)
{
	arena a = ARENA_INIT(NULL, 100000);
	size_t taken = 0;

	(void)state;
	while (arena_take(&a, 100))
		taken += 100;
	assert_true(taken > 60000 && taken < 100000);
	assert_true(a.used <= 100000);
	assert_int_equal(a.bad, CM_ELIMIT);
	assert_null(arena_take(&a, 1));
	arena_fini(&a);
	assert_int_equal(a.bad, CM_OK);
	assert_null(arena_take(&a, SIZE_MAX - 8));
	assert_int_equal(a.bad, CM_ELIMIT);
	arena_fini(&a);
}

static void
an_array_grows(void **state)
{
	arena a = ARENA_INIT(NULL, 100000);
	uint32_t *array = NULL, *list;
	size_t cap = 0, len = 0;

	(void)state;
	while ((list = arena_grow(&a, array, &cap, len, sizeof(*list)))) {
		array = list;
		array[len] = (uint32_t)len;
		len++;
	}
	assert_int_equal(a.bad, CM_ELIMIT);
	assert_int_equal(len, cap);
	assert_int_equal(len & (len - 1), 0); /* 16, doubled */
	assert_true(len >= 4096);
	for (size_t i = 0; i < len; i++)
		assert_int_equal(array[i], i);
	arena_fini(&a);
}

static void
memory_runs_out(void **state)
{
	struct hoard h = {0, 1};
	cm_alloc alloc = {hoard_resize, &h};
	arena a = ARENA_INIT(&alloc, 64 << 20);

	(void)state;
	assert_non_null(arena_take(&a, 10));
	assert_null(arena_take(&a, 1 << 20));
	assert_int_equal(a.bad, CM_ENOMEM);
	arena_fini(&a);
	assert_int_equal(h.bytes, 0);
}

int
main(void)
{
	const struct CMUnitTest tests[] = {
	    cmocka_unit_test(pieces),
	    cmocka_unit_test(the_maximum_holds),
	    cmocka_unit_test(an_array_grows),
	    cmocka_unit_test(memory_runs_out),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
