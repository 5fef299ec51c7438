/* SPDX-License-Identifier: MIT */
/*
 * A server that ends by itself is started again: with pauses, and five times in
 * ten minutes. The clock is the test's.
 */
#include "servers/revival.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>

#include <cmocka.h>

enum { NOW = 5000000 };

static void
the_first_start_is_due_at_once(void **state)
{
	const revival r = {.ends = 0};

	(void)state;
	assert_int_equal(revival_due(&r, NOW), 0);
	assert_false(revival_is_spent(&r, NOW));
}

static void
pauses_double_and_the_sixth_end_is_told(void **state)
{
	static const uint64_t pauses[] = {0, 1000, 2000, 4000, 8000};
	revival r = {.ends = 0};
	uint64_t now = NOW;

	(void)state;
	for (size_t i = 0; i < REVIVALS_MAX; i++) {
		revival_note_end(&r, now);
		assert_false(revival_is_spent(&r, now));
		assert_int_equal(revival_due(&r, now), now + pauses[i]);
		now += pauses[i] + 100;
	}
	revival_note_end(&r, now);
	assert_true(revival_is_spent(&r, now));
	assert_int_equal(revival_due(&r, now), NOW + REVIVAL_WINDOW_MS);
	assert_true(revival_is_spent(&r, NOW + REVIVAL_WINDOW_MS - 1));
	assert_false(revival_is_spent(&r, NOW + REVIVAL_WINDOW_MS));
}

/* One that dies once a day is started at once each time, for ever. */
static void
ends_that_are_long_ago_do_not_count(void **state)
{
	revival r = {.ends = 0};
	uint64_t now = NOW;

	(void)state;
	for (int day = 0; day < 100; day++) {
		revival_note_end(&r, now);
		assert_int_equal(revival_due(&r, now), now);
		assert_int_equal(revival_due(&r, now + REVIVAL_WINDOW_MS), 0);
		now += 86400 * 1000;
	}
}

/* However often it is tried: never more than six lives in ten minutes. */
static void
no_window_has_more_than_six_lives(void **state)
{
	enum { LIVES = 600 };
	static uint64_t born[LIVES];
	revival r = {.ends = 0};
	uint64_t now = NOW;

	(void)state;
	for (size_t i = 0; i < LIVES; i++) {
		uint64_t due = revival_due(&r, now);

		now = due > now ? due : now;
		assert_false(revival_is_spent(&r, now));
		born[i] = now;
		if (i > REVIVALS_MAX)
			assert_true(born[i] - born[i - REVIVALS_MAX - 1] >=
				    REVIVAL_WINDOW_MS);
		now += i % 7 * 13;
		revival_note_end(&r, now);
	}
}

int
main(void)
{
	const struct CMUnitTest tests[] = {
	    cmocka_unit_test(the_first_start_is_due_at_once),
	    cmocka_unit_test(pauses_double_and_the_sixth_end_is_told),
	    cmocka_unit_test(ends_that_are_long_ago_do_not_count),
	    cmocka_unit_test(no_window_has_more_than_six_lives),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
