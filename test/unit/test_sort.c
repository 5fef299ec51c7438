/* SPDX-License-Identifier: MIT */
/*
 * test_sort.c -- the heapsort: every list of up to seven small numbers, and a
 * long one.
 */
#include "unit.h"

#include "base/sort.h"

static int
by_value(const void *a, const void *b)
{
	int left = *(const int *)a, right = *(const int *)b;

	return (left > right) - (left < right);
}

static void
is_sorted(const int *list, size_t n, int sum)
{
	for (size_t i = 0; i < n; i++) {
		assert_true(i == 0 || list[i - 1] <= list[i]);
		sum -= list[i];
	}
	assert_int_equal(sum, 0);
}

static void
every_short_list(void **state)
{
	int list[7], sum;

	(void)state;
	for (size_t n = 0; n <= 7; n++)
		for (unsigned code = 0; code < 1u << 2 * n; code++) {
			sum = 0;
			for (size_t i = 0; i < n; i++) {
				list[i] = (int)(code >> 2 * i & 3);
				sum += list[i];
			}
			sort(list, n, sizeof(list[0]), by_value);
			is_sorted(list, n, sum);
		}
}

static void
a_long_list(void **state)
{
	enum { N = 10007 };
	static int list[N];
	int sum = 0;

	(void)state;
	for (int i = 0; i < N; i++)
		sum += list[i] = i * 7919 % N;
	sort(list, N, sizeof(list[0]), by_value);
	is_sorted(list, N, sum);
	assert_int_equal(list[N / 2], N / 2);
}

int
main(void)
{
	const struct CMUnitTest tests[] = {
	    cmocka_unit_test(every_short_list),
	    cmocka_unit_test(a_long_list),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
