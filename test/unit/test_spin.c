/* SPDX-License-Identifier: MIT */
/*
 * test_spin.c -- looking in vain is paid once, then ever more seldom.
 */
#include "unit.h"

#include "place/spin.h"

/* Of so many waits, those that looked. */
static unsigned
looks(spin *s, unsigned waits, bool answered)
{
	unsigned n = 0;

	for (; waits > 0; waits--) {
		if (!spin_is_worth(s))
			continue;
		spin_was(s, answered);
		n++;
	}
	return n;
}

static void
quick_answers_are_looked_for(void **state)
{
	spin s = {0, 0};

	(void)state;
	assert_int_equal(looks(&s, 1000, true), 1000);
}

static void
slow_ones_hardly(void **state)
{
	spin s = {0, 0};

	(void)state;
	/* Waits 1, 3, 7, 15, 31, 63, and then every 64th. */
	assert_int_equal(looks(&s, 63, false), 6);
	assert_int_equal(looks(&s, 6400, false), 100);
}

static void
one_quick_answer_is_enough(void **state)
{
	spin s = {0, 0};

	(void)state;
	looks(&s, 1000, false);
	while (!spin_is_worth(&s))
		;
	spin_was(&s, true);
	assert_int_equal(looks(&s, 10, true), 10);
}

int
main(void)
{
	const struct CMUnitTest tests[] = {
	    cmocka_unit_test(quick_answers_are_looked_for),
	    cmocka_unit_test(slow_ones_hardly),
	    cmocka_unit_test(one_quick_answer_is_enough),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
