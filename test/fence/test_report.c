/* SPDX-License-Identifier: MIT */
/*
 * test_report.c -- the report of the fences: what is written can be read, and
 * nothing else can.
 */
#include "unit/unit.h"

#include "wire/fence_report.h"

#include <errno.h>

static fence_report
all_up(void)
{
	fence_report r;

	for (unsigned i = 0; i < FENCE_COUNT; i++)
		r.state[i] = FENCE_UP;
	return r;
}

static buf
written(const fence_report *r)
{
	buf out = BUF_INIT(NULL, FENCE_REPORT_BYTES);

	fence_report_write(r, &out);
	assert_int_equal(out.bad, CM_OK);
	return out;
}

static void
round_trip(void **state)
{
	fence_report r = all_up(), back;
	buf out;

	(void)state;
	r.state[FENCE_landlock] = ENOSYS;
	r.state[FENCE_network] = EPERM;
	r.state[FENCE_syscalls] = FENCE_UNTRIED;
	out = written(&r);
	assert_true(fence_report_read(buf_view(&out), &back));
	assert_memory_equal(&r, &back, sizeof(r));
	assert_int_equal(fence_report_down(&back), 3);
	buf_fini(&out);
}

static void
starts_untried(void **state)
{
	fence_report r;

	(void)state;
	fence_report_init(&r);
	assert_int_equal(fence_report_down(&r), FENCE_COUNT);
}

static void
fits_at_its_longest(void **state)
{
	fence_report r;
	buf out;

	(void)state;
	for (unsigned i = 0; i < FENCE_COUNT; i++)
		r.state[i] = 99999;
	out = written(&r);
	buf_fini(&out);
}

static void
refuses(const char *wrong)
{
	fence_report r;

	if (fence_report_read(text_of(wrong), &r))
		fail_msg("was read: %s", wrong);
}

/* A good report with one place changed. */
static void
refuses_changed(const char *from, const char *to)
{
	fence_report r = all_up();
	buf out, wrong = BUF_INIT(NULL, 2 * FENCE_REPORT_BYTES);
	text good;
	size_t at;

	r.state[FENCE_landlock] = ENOSYS;
	out = written(&r);
	good = buf_view(&out);
	at = text_find(good, text_of(from), 0);
	assert_true(at != SIZE_MAX);
	buf_text(&wrong, text_sub(good, 0, at));
	buf_str(&wrong, to);
	buf_text(&wrong, text_sub(good, at + strlen(from), SIZE_MAX));
	buf_byte(&wrong, '\0');
	refuses(wrong.ptr);
	buf_fini(&wrong);
	buf_fini(&out);
}

static void
strict(void **state)
{
	(void)state;
	refuses("");
	refuses("environment up\n");
	refuses_changed("environment up\n", "");
	refuses_changed("environment up\n", "environment up\nextra up\n");
	refuses_changed("environment up", "environment up ");
	refuses_changed("environment up", "Environment up");
	refuses_changed("landlock down 38", "landlock down");
	refuses_changed("landlock down 38", "landlock down 0");
	refuses_changed("landlock down 38", "landlock down -38");
	refuses_changed("landlock down 38", "landlock down 3x");
	refuses_changed("landlock down 38", "landlock down 999999");
	refuses_changed("syscalls up\n", "syscalls up\nsyscalls up\n");
}

static void
people(void **state)
{
	fence_report r = all_up();
	buf out = BUF_INIT(NULL, FENCE_REPORT_BYTES);

	(void)state;
	fence_report_say(&r, &out);
	assert_str(buf_view(&out), "");
	r.state[FENCE_landlock] = ENOSYS;
	r.state[FENCE_network] = EPERM;
	fence_report_say(&r, &out);
	assert_str(buf_view(&out), "network (not allowed here), "
				   "landlock (not in this kernel)");
	buf_fini(&out);
}

int
main(void)
{
	const struct CMUnitTest tests[] = {
	    cmocka_unit_test(round_trip),
	    cmocka_unit_test(starts_untried),
	    cmocka_unit_test(fits_at_its_longest),
	    cmocka_unit_test(strict),
	    cmocka_unit_test(people),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
