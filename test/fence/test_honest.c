/* SPDX-License-Identifier: MIT */
/*
 * test_honest.c -- on a kernel that lacks something exactly that fence is
 * reported down, with the reason, the others stand, and doctor says no.
 */
#define _GNU_SOURCE
#include "trial.h"

#include <errno.h>
#include <sys/syscall.h>

enum { LANDLOCK_CREATE = 444, MASKED_MAX = 4, CLOSE_RANGE = 436 };

static const struct lack {
	mask masks[MASKED_MAX];
	const char *down[MASKED_MAX]; /* ends with NULL */
	const char *why;
	const char *allowed; /* an attempt that then succeeds, or NULL */
} lacks[] = {
    {{{LANDLOCK_CREATE, ENOSYS}, {-1, 0}}, {"landlock", NULL},
	"not in this kernel", NULL},
    {{{LANDLOCK_CREATE, EOPNOTSUPP}, {-1, 0}}, {"landlock", NULL},
	"switched off in this kernel", NULL},
    {{{SYS_unshare, EPERM}, {-1, 0}}, {"network", "ipc", NULL},
	"not allowed here", NULL},
    {{{SYS_capset, EPERM}, {-1, 0}}, {"capabilities", NULL}, "not allowed here",
	NULL},
    {{{SYS_setsid, EPERM}, {-1, 0}}, {"session", NULL}, "not allowed here",
	NULL},
    {{{SYS_prlimit64, ENOSYS}, {SYS_setrlimit, ENOSYS}, {-1, 0}},
	{"limits", NULL}, "not in this kernel", NULL},
    {{{CLOSE_RANGE, ENOSYS}, {-1, 0}}, {"descriptors", NULL},
	"not in this kernel", "standard"},
    {{{SYS_seccomp, ENOSYS}, {-1, 0}}, {"syscalls", NULL}, "not in this kernel",
	"uname"},
};

static bool
is_listed(const struct lack *l, json name)
{
	for (size_t i = 0; l->down[i] != NULL; i++)
		if (json_is(name, text_of(l->down[i])))
			return true;
	return false;
}

static bool
is_up(json fence)
{
	return json_bool(json_get(fence, TEXT("up")), false);
}

/* What the mask takes is down for its reason; all else is as without it. */
static void
check_fences(const struct lack *l, json with, json without)
{
	json_iter it = json_each(json_get(with, TEXT("fences")));
	json one;

	while (json_next(&it, NULL, &one)) {
		json name = json_get(one, TEXT("name"));
		bool up = is_up(one), as_before;
		buf plain = BUF_INIT(NULL, 64);

		json_unescape(name, &plain);
		buf_byte(&plain, '\0');
		as_before =
		    up == is_up(trial_named(
			      json_get(without, TEXT("fences")), plain.ptr));
		buf_fini(&plain);
		if (is_listed(l, name) ? up : !as_before)
			fail_msg("%s masked: %.*s", l->down[0], TEXT_ARG(one));
		if (is_listed(l, name) &&
		    !json_is(json_get(one, TEXT("why")), text_of(l->why)))
			fail_msg("not \"%s\": %.*s", l->why, TEXT_ARG(one));
	}
}

static void
check_attempts(const struct lack *l, const trial *t)
{
	json attempts = json_get(trial_json(t), TEXT("attempts")), one;

	if (l->allowed == NULL) {
		if (t->status != 0)
			fail_msg("%s masked: something is not refused: %.*s",
			    l->down[0], TEXT_ARG(attempts));
		return;
	}
	one = trial_named(attempts, l->allowed);
	if (!json_is(json_get(one, TEXT("outcome")), TEXT("allowed")))
		fail_msg("%s masked, yet %.*s", l->down[0], TEXT_ARG(one));
}

static void
reports(void **state)
{
	const char *argv[] = {WORKER, "--try", NULL};
	trial plain;

	(void)state;
	trial_run(&plain, NULL, argv);
	for (size_t i = 0; i < sizeof(lacks) / sizeof(*lacks); i++) {
		trial t;

		trial_run(&t, lacks[i].masks, argv);
		check_fences(&lacks[i], trial_json(&t), trial_json(&plain));
		check_attempts(&lacks[i], &t);
		trial_fini(&t);
	}
	trial_fini(&plain);
}

static void
wants_line(const trial *t, const char *beginning, const char *end)
{
	text rest = buf_view(&t->out), line;

	while (text_line(&rest, &line))
		if (text_starts(line, text_of(beginning)) &&
		    text_ends(line, text_of(end)))
			return;
	fail_msg("no line \"%s ... %s\" in\n%.*s", beginning, end,
	    TEXT_ARG(buf_view(&t->out)));
}

static void
doctor(void **state)
{
	const char *argv[] = {COMMAND, "doctor", NULL};
	trial t;

	(void)state;
	trial_run(&t, lacks[0].masks, argv);
	assert_int_equal(t.status, 1);
	wants_line(&t, "  DOWN     landlock ", ": not in this kernel");
	wants_line(&t, "  refused  open ", ": killed by SIGSYS");
	trial_fini(&t);
}

static void
doctor_sees_what_is_allowed(void **state)
{
	static const mask no_seccomp[] = {{SYS_seccomp, ENOSYS}, {-1, 0}};
	const char *argv[] = {COMMAND, "doctor", NULL};
	trial t;

	(void)state;
	trial_run(&t, no_seccomp, argv);
	assert_int_equal(t.status, 1);
	wants_line(&t, "  DOWN     syscalls ", ": not in this kernel");
	wants_line(&t, "  ALLOWED  uname ", "name");
	wants_line(&t, "  refused  open ", ": EMFILE");
	trial_fini(&t);
}

int
main(void)
{
	const struct CMUnitTest tests[] = {
	    cmocka_unit_test(reports),
	    cmocka_unit_test(doctor),
	    cmocka_unit_test(doctor_sees_what_is_allowed),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
