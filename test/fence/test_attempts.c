/* SPDX-License-Identifier: MIT */
/*
 * test_attempts.c -- whatever a fenced process tries is refused, the same
 * attempts succeed without fences, and behind the list of system calls, the
 * strongest fence, others hold on their own.
 */
#include "trial.h"

#include <unistd.h>

/* Attempts that succeed bare; on a poor machine some may not. */
enum { CONTROLS_MIN = 35 };

static trial
try_all(const char *mode)
{
	const char *argv[] = {WORKER, "--try", mode, NULL};
	trial t;

	trial_run(&t, NULL, argv);
	assert_true(t.status == 0 || t.status == 1);
	return t;
}

static bool
came_out(json attempt, text outcome)
{
	return json_is(json_get(attempt, TEXT("outcome")), outcome);
}

/* The list of system calls is what refuses; these few get another answer, for
 * what they ask with is on the list or asked politely. */
static const struct {
	const char *attempt, *how;
} answered[] = {{"standard", "ENOENT"}};

static const char *
how_refused(json attempt)
{
	for (size_t i = 0; i < sizeof(answered) / sizeof(*answered); i++)
		if (json_is(json_get(attempt, TEXT("name")),
			text_of(answered[i].attempt)))
			return answered[i].how;
	return "killed by SIGSYS";
}

static void
fenced(void **state)
{
	trial t = try_all("--fenced");
	json_iter it = json_each(json_get(trial_json(&t), TEXT("attempts")));
	json one;
	size_t n = 0;

	(void)state;
	while (json_next(&it, NULL, &one)) {
		n++;
		if (!came_out(one, TEXT("refused")))
			fail_msg("not refused: %.*s", TEXT_ARG(one));
		if (!json_is(
			json_get(one, TEXT("how")), text_of(how_refused(one))))
			fail_msg("not by the list: %.*s", TEXT_ARG(one));
	}
	assert_true(n > 55);
	assert_int_equal(t.status, 0);
	trial_fini(&t);
}

/* These need no right and no kernel of our own choice. */
static void
fences_stand(void **state)
{
	static const char *const everywhere[] = {"environment", "privileges",
	    "capabilities", "opaque", "parent", "session", "descriptors",
	    "limits", "syscalls"};
	trial t = try_all("--fenced");
	json fences = json_get(trial_json(&t), TEXT("fences"));

	(void)state;
	for (size_t i = 0; i < sizeof(everywhere) / sizeof(*everywhere); i++) {
		json f = trial_named(fences, everywhere[i]);

		if (!json_bool(json_get(f, TEXT("up")), false))
			fail_msg("%s: %.*s", everywhere[i], TEXT_ARG(f));
	}
	trial_fini(&t);
}

static void
bare(void **state)
{
	trial t = try_all("--bare");
	json_iter it = json_each(json_get(trial_json(&t), TEXT("attempts")));
	json one;
	unsigned allowed = 0;

	(void)state;
	while (json_next(&it, NULL, &one)) {
		if (came_out(one, TEXT("allowed")))
			allowed++;
		else if (json_is(
			     json_get(one, TEXT("control")), TEXT("anybody")))
			fail_msg("refused without fences: %.*s", TEXT_ARG(one));
		else
			print_message("no control: %.*s\n", TEXT_ARG(one));
	}
	assert_true(allowed >= CONTROLS_MIN);
	trial_fini(&t);
}

/* The second line. */
static void
behind(void **state)
{
	static const struct {
		const char *attempt, *fence, *how;
	} held[] = {
	    {"open", "limits", "EMFILE"},
	    {"memfd", "limits", "EMFILE"},
	    {"socket", "limits", "EMFILE"},
	    {"dup", "limits", "EMFILE"},
	    {"receive", "limits", "EMFILE"},
	    {"epoll", "limits", "EMFILE"},
	    {"setrlimit", "limits", "EPERM"},
	    {"standard", "descriptors", "ENOENT"},
	    {"group", "session", "EPERM"},
	    {"chroot", "capabilities", "EPERM"},
	    {"mount", "capabilities", "EPERM"},
	    {"reboot", "capabilities", "EPERM"},
	    {"ptrace", "opaque", "EPERM"},
	    {"peek", "opaque", "EPERM"},
	    {"poke", "opaque", "EPERM"},
	    {"exec", "landlock", "EACCES"},
	};
	trial t = try_all("--behind");
	json all = trial_json(&t);

	(void)state;
	for (size_t i = 0; i < sizeof(held) / sizeof(*held); i++) {
		json f =
		    trial_named(json_get(all, TEXT("fences")), held[i].fence);
		json a = trial_named(
		    json_get(all, TEXT("attempts")), held[i].attempt);

		if (!json_bool(json_get(f, TEXT("up")), false))
			print_message("skipped: %s is down\n", held[i].fence);
		else if (!json_is(
			     json_get(a, TEXT("how")), text_of(held[i].how)))
			fail_msg("%s: %.*s", held[i].fence, TEXT_ARG(a));
	}
	trial_fini(&t);
}

static void
doctor_agrees(void **state)
{
	const char *argv[] = {COMMAND, "doctor", "--json", NULL};
	trial t, direct = try_all("--fenced");
	json said, here = trial_json(&direct);
	json_iter it;
	json one;
	bool up = true;

	(void)state;
	trial_run(&t, NULL, argv);
	said = trial_json(&t);
	assert_int_equal(json_len(json_get(said, TEXT("attempts"))),
	    json_len(json_get(here, TEXT("attempts"))));
	it = json_each(json_get(here, TEXT("fences")));
	while (json_next(&it, NULL, &one))
		up &= json_bool(json_get(one, TEXT("up")), false);
	assert_int_equal(json_bool(json_get(said, TEXT("ok")), !up), up);
	assert_int_equal(t.status, up ? 0 : 1);
	assert_true(json_is(json_get(said, TEXT("worker")), TEXT(WORKER)));
	trial_fini(&t);
	trial_fini(&direct);
}

int
main(void)
{
	const struct CMUnitTest tests[] = {
	    cmocka_unit_test(fenced),
	    cmocka_unit_test(fences_stand),
	    cmocka_unit_test(bare),
	    cmocka_unit_test(behind),
	    cmocka_unit_test(doctor_agrees),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
