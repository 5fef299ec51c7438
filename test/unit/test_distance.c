/* SPDX-License-Identifier: MIT */
/*
 * test_distance.c -- the edit distance, held against the definition written
 * the slow way, and its bound.
 */
#include "unit.h"

#include "base/distance.h"

/* The definition, without any table: exponential, so for short texts. */
static size_t
by_definition(text a, text b)
{
	size_t least, other;

	if (a.len == 0 || b.len == 0)
		return a.len + b.len;
	least = by_definition(text_sub(a, 1, a.len), text_sub(b, 1, b.len)) +
		(a.ptr[0] != b.ptr[0]);
	other = by_definition(text_sub(a, 1, a.len), b) + 1;
	least = other < least ? other : least;
	other = by_definition(a, text_sub(b, 1, b.len)) + 1;
	least = other < least ? other : least;
	if (a.len > 1 && b.len > 1 && a.ptr[0] == b.ptr[1] &&
	    a.ptr[1] == b.ptr[0]) {
		other = by_definition(
			    text_sub(a, 2, a.len), text_sub(b, 2, b.len)) +
			1;
		least = other < least ? other : least;
	}
	return least;
}

static void
known_ones(void **state)
{
	(void)state;
	assert_int_equal(text_distance(TEXT("tiemout"), TEXT("timeout"), 3), 1);
	assert_int_equal(text_distance(TEXT("kitten"), TEXT("sitting"), 9), 3);
	assert_int_equal(text_distance(TEXT("same"), TEXT("same"), 0), 0);
	assert_int_equal(text_distance(TEXT_NONE, TEXT("abc"), 3), 3);
	assert_int_equal(text_distance(TEXT("abc"), TEXT_NONE, 2), 3);
}

static void
all_short_texts_agree_with_the_definition(void **state)
{
	enum { LONGEST = 5 };
	char a[LONGEST], b[LONGEST];
	uint32_t random = 1;

	(void)state;
	for (unsigned round = 0; round < 4000; round++) {
		text x = {a, round % (LONGEST + 1)};
		text y = {b, round / 7 % (LONGEST + 1)};
		size_t real, most = round / 3 % 6;

		for (size_t i = 0; i < LONGEST; i++) {
			random = random * 1664525 + 1013904223;
			a[i] = (char)('a' + (random >> 20) % 3);
			b[i] = (char)('a' + (random >> 28) % 3);
		}
		real = by_definition(x, y);
		assert_int_equal(
		    text_distance(x, y, most), real <= most ? real : most + 1);
	}
}

static void
long_texts_are_far_apart(void **state)
{
	char a[TEXT_DISTANCE_MAX + 1], b[TEXT_DISTANCE_MAX + 1];

	(void)state;
	memset(a, 'a', sizeof(a));
	memcpy(b, a, sizeof(b));
	b[7] = 'b';
	assert_int_equal(text_distance((text){a, TEXT_DISTANCE_MAX},
			     (text){b, TEXT_DISTANCE_MAX}, 4),
	    1);
	assert_int_equal(
	    text_distance((text){a, sizeof(a)}, (text){b, sizeof(b)}, 4), 5);
	assert_int_equal(
	    text_distance((text){a, sizeof(a)}, (text){a, sizeof(a)}, 4), 0);
}

int
main(void)
{
	const struct CMUnitTest tests[] = {
	    cmocka_unit_test(known_ones),
	    cmocka_unit_test(all_short_texts_agree_with_the_definition),
	    cmocka_unit_test(long_texts_are_far_apart),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
