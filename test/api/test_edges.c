/* SPDX-License-Identifier: MIT */
/*
 * test_edges.c -- the edges of what an owner may pass and do: reasons of any
 * bytes, an interrupt at any moment, the largest numbers. Each in both places.
 */
#include "unit.h"

#include "api/both_places.h"
#include "base/json.h"

#include <poll.h>
#include <signal.h>
#include <sys/wait.h>
#include <unistd.h>

#define T(literal) ((cm_text){"" literal, sizeof(literal) - 1})

static cm_run *
run_of(cm_text script, const cm_run_options *o)
{
	static const cm_tool tool = {.name = {"f", 1}};
	cm_catalog *cat;
	cm_run *r;

	assert_int_equal(cm_catalog_new(NULL, &cat), CM_OK);
	assert_int_equal(cm_catalog_add(cat, &tool), CM_OK);
	assert_int_equal(cm_run_new(cat, script, o, &r), CM_OK);
	cm_catalog_free(cat);
	return r;
}

/* Turns the run until it wants something of its owner. */
static cm_step
next(cm_run *r, cm_step_kind kind)
{
	cm_step s;

	for (;;) {
		struct pollfd fd = {-1, POLLIN, 0};

		assert_int_equal(cm_run_next(r, now(), &s), CM_OK);
		if (s.kind != CM_STEP_WAIT || kind == CM_STEP_WAIT)
			break;
		fd.fd = s.u.wait.handle;
		fd.events |= s.u.wait.writable ? POLLOUT : 0;
		poll(&fd, 1, 20);
	}
	assert_int_equal(s.kind, kind);
	return s;
}

#define IN_BOTH_PLACES(o)                                          \
	for (cm_place * places[] = {NULL, process}, **p_ = places; \
	     p_ < places + 2 && ((o).place = *p_, true); p_++)

/* ----------------------------------------------------------------- words */

static text
result_of(cm_run *r)
{
	text whole, value;

	assert_int_equal(cm_run_result(r, &whole), CM_OK);
	assert_true(json_check(whole, 100, &value, NULL));
	return whole;
}

static void
reasons_of_any_bytes(void **state)
{
	enum { LONG = 70000 };
	char *given = malloc(LONG);
	cm_run_options o = CM_RUN_OPTIONS_INIT;
	cm_text m;
	cm_run *r;

	(void)state;
	memset(given, 'x', LONG);
	memcpy(given + 65532, "\xe6\xbc\xa2", 3); /* across the cut */
	IN_BOTH_PLACES(o)
	{
		r = run_of(T("for (;;) await tools.f()"), &o);
		next(r, CM_STEP_CALL);
		cm_run_warn(r, T("w\xff\xfe"));
		assert_int_equal(cm_run_warn(r, (cm_text){given, LONG}), CM_OK);
		assert_int_equal(
		    cm_run_cancel(r, (cm_text){given, LONG}), CM_OK);
		next(r, CM_STEP_ABORT);
		m = next(r, CM_STEP_DONE).u.done.fault.message;
		assert_int_equal(m.len, 65532 + 3);
		assert_true(text_ends(m, T("xx\xe2\x80\xa6")));
		result_of(r);
		cm_run_free(r);

		r = run_of(T("return 1"), &o);
		assert_int_equal(cm_run_cancel(r, T("a\xff\xfe")), CM_OK);
		m = next(r, CM_STEP_DONE).u.done.fault.message;
		assert_text(m, T("a\xef\xbf\xbd\xef\xbf\xbd"));
		result_of(r);
		cm_run_free(r);
	}
	free(given);
}

/* The script has ended, and its last print is being shown. */
static void
a_warning_in_the_last_print(void **state)
{
	cm_run_options o = CM_RUN_OPTIONS_INIT;

	(void)state;
	IN_BOTH_PLACES(o)
	{
		cm_run *r = run_of(T("text('a'); text('b')"), &o);

		next(r, CM_STEP_PRINT);
		next(r, CM_STEP_PRINT);
		assert_int_equal(cm_run_warn(r, T("late")), CM_OK);
		next(r, CM_STEP_DONE);
		assert_int_equal(cm_run_warn(r, T("too late")), CM_EMISUSE);
		assert_true(
		    text_find(result_of(r), T("\"late\""), 0) != SIZE_MAX);
		cm_run_free(r);
	}
}

/* ------------------------------------------------------------- interrupts */

/* A clock that interrupts the run at its n-th reading. */
typedef struct test_clock {
	cm_run *run;
	int reads, at;
} test_clock;

static uint64_t
read_clock(void *ctx)
{
	test_clock *c = ctx;

	if (++c->reads == c->at)
		cm_run_interrupt(c->run);
	return 1;
}

/* However early it comes, also while the first cm_run_next makes the engine
 * ready: the script would never end by itself. */
static void
an_interrupt_is_never_lost(void **state)
{
	int at;

	(void)state;
	for (at = 1; at <= 20; at++) {
		cm_run_options o = CM_RUN_OPTIONS_INIT;
		test_clock c = {NULL, 0, at};
		cm_host host = {&c, read_clock, NULL, NULL, NULL};
		cm_step s;

		o.host = &host;
		o.limits.polls = 2000; /* how the test fails */
		c.run = run_of(T("for (;;);"), &o);
		assert_int_equal(cm_run_next(c.run, 1, &s), CM_OK);
		assert_true(c.reads >= at);
		assert_int_equal(s.kind, CM_STEP_DONE);
		assert_int_equal(s.u.done.end, CM_END_ABORTED);
		cm_run_free(c.run);
	}
}

/* ------------------------------------------------------------ randomness */

static void
seed_with(void *ctx, void *bytes, size_t len)
{
	memset(bytes, *(const int *)ctx, len);
}

/* The owner's seed decides, in every place, whatever the script asks for. */
static void
the_same_seed_is_the_same_randomness(void **state)
{
	const cm_text script =
	    T("return [Math.random(), crypto.randomUUID(), "
	      "...crypto.getRandomValues(new Uint8Array(99))]");
	text value[3] = {TEXT_NONE};
	cm_run_options o = CM_RUN_OPTIONS_INIT;
	int seed, n = 0;
	cm_host host = {.ctx = &seed, .random = seed_with};
	cm_run *run[3];

	(void)state;
	o.host = &host;
	seed = 1;
	IN_BOTH_PLACES(o)
	{
		run[n] = run_of(script, &o);
		value[n] = next(run[n], CM_STEP_DONE).u.done.value;
		n++;
	}
	seed = 2;
	run[n] = run_of(script, &o);
	value[n] = next(run[n], CM_STEP_DONE).u.done.value;
	assert_true(value[0].len > 100 && text_eq(value[0], value[1]));
	assert_false(text_eq(value[1], value[2]));
	for (n = 0; n < 3; n++)
		cm_run_free(run[n]);
}

/* --------------------------------------------------------------- numbers */

static void
the_largest_times(void **state)
{
	static const uint64_t wall[] = {
	    UINT64_MAX, UINT64_MAX - 1, UINT64_MAX - 2, UINT64_MAX / 2 + 5};
	cm_run_options o = CM_RUN_OPTIONS_INIT;
	size_t i;

	(void)state;
	for (i = 0; i < sizeof(wall) / sizeof(wall[0]); i++) {
		o.limits.wall_ms = wall[i];
		IN_BOTH_PLACES(o)
		{
			cm_run *r = run_of(T("return 1"), &o);

			assert_text(next(r, CM_STEP_DONE).u.done.value, T("1"));
			cm_run_free(r);
		}
	}
}

#ifndef __SANITIZE_ADDRESS__
/* A limit that was raised holds in both places, and beyond it is an error of
 * the script's call. Not under the address sanitizer: it keeps freed memory, so
 * that the worker would have more than its 512 MB. */
static void
a_large_result(void **state)
{
	const size_t len = 80u << 20;
	char *given = malloc(len);
	cm_run_options o = CM_RUN_OPTIONS_INIT;

	(void)state;
	assert_non_null(given);
	memset(given, 'x', len);
	given[0] = given[len - 1] = '"';
	o.limits.result = 100u << 20;
	IN_BOTH_PLACES(o)
	{
		cm_run *r = run_of(T("return (await tools.f()).length"), &o);
		cm_step s;

		next(r, CM_STEP_CALL);
		assert_int_equal(
		    cm_run_resolve(r, 1, (cm_text){given, len}), CM_OK);
		s = next(r, CM_STEP_DONE);
		assert_int_equal(s.u.done.end, CM_END_OK);
		assert_text(s.u.done.value, T("83886078"));
		cm_run_free(r);
	}
	free(given);
}
#endif

/* Only lengths are looked at: the texts are refused before they are read. */
static void
more_than_a_gibibyte(void **state)
{
	cm_text script = {"return 1", (1u << 30) + 1};
	cm_run *r = NULL;
	cm_step s;
	cm_run_options o = CM_RUN_OPTIONS_INIT;

	(void)state;
	assert_int_equal(cm_run_new(NULL, script, NULL, &r), CM_ELIMIT);
	assert_null(r);
	o.limits.result = UINT64_MAX;
	r = run_of(T("return await tools.f().catch((e) => e.code)"), &o);
	next(r, CM_STEP_CALL);
	assert_int_equal(cm_run_resolve(r, 1, script), CM_ELIMIT);
	s = next(r, CM_STEP_DONE);
	assert_text(s.u.done.value, T("\"InvalidResult\""));
	cm_run_free(r);
}

/* ----------------------------------------------------------------- drive */

static void
leave_unanswered(void *ctx, cm_run *run, const cm_call *call)
{
	(void)ctx, (void)run, (void)call;
}

/* A driver that cannot wait: the run is cancelled, not left to its deadline. */
static void
drive_cancels_what_is_unanswered(void **state)
{
	cm_driver d = {.call = leave_unanswered};
	cm_run_options o = CM_RUN_OPTIONS_INIT;

	(void)state;
	IN_BOTH_PLACES(o)
	{
		cm_run *r = run_of(T("return await tools.f()"), &o);
		cm_done done;

		assert_int_equal(cm_run_drive(r, &d, &done), CM_OK);
		assert_int_equal(done.end, CM_END_ABORTED);
		assert_true(text_find(done.fault.message,
				TEXT("left unanswered"), 0) != SIZE_MAX);
		cm_run_free(r);
	}
}

/* ------------------------------------------------------------- durations */

/* On the owner's clock, up to the cm_run_next that follows the answer. */
static void
durations_end_with_the_answer(void **state)
{
	cm_run *r = run_of(T("await tools.f(); await tools.f()"), NULL);
	cm_step s;

	(void)state;
	assert_int_equal(cm_run_next(r, 1000, &s), CM_OK);
	assert_int_equal(cm_run_next(r, 1000, &s), CM_OK); /* WAIT */
	assert_int_equal(cm_run_resolve(r, 1, T("1")), CM_OK);
	assert_int_equal(cm_run_next(r, 1200, &s), CM_OK);
	assert_int_equal(s.kind, CM_STEP_CALL);
	assert_int_equal(cm_run_next(r, 1250, &s), CM_OK);
	assert_int_equal(
	    cm_run_reject(r, 2, &(cm_failure){.message = T("no")}), CM_OK);
	assert_int_equal(cm_run_next(r, 1500, &s), CM_OK);
	assert_int_equal(s.kind, CM_STEP_DONE);
	assert_true(
	    text_find(result_of(r), TEXT("\"startMs\":0,\"durationMs\":200"),
		0) != SIZE_MAX);
	assert_true(
	    text_find(result_of(r), TEXT("\"startMs\":200,\"durationMs\":300"),
		0) != SIZE_MAX);
	cm_run_free(r);
}

/* ---------------------------------------------------------------- places */

static void
a_program_that_is_no_worker(void **state)
{
	cm_process_options o = CM_PROCESS_OPTIONS_INIT;
	cm_place *p = NULL;

	(void)state;
	o.worker = "/bin/true";
	assert_int_equal(cm_place_process(NULL, &o, &p), CM_EENGINE);
	o.spares = CM_NO_SPARES;
	assert_int_equal(cm_place_process(NULL, &o, &p), CM_EENGINE);
	assert_null(p);
}

static void
a_report_of_fences_stays_as_it_is(void **state)
{
	cm_text first, again;

	(void)state;
	assert_int_equal(cm_place_fences(process, &first), CM_OK);
	assert_int_equal(cm_place_fences(process, &again), CM_OK);
	assert_ptr_equal(first.ptr, again.ptr);
	assert_true(text_starts(first, TEXT("environment ")));
}

/* A debugger or a freezer may do that. */
static void
stop_template(void)
{
	char path[64];
	int pid = 0;
	FILE *f;

	snprintf(path, sizeof(path), "/proc/self/task/%d/children", getpid());
	assert_non_null(f = fopen(path, "r"));
	assert_int_equal(fscanf(f, "%d", &pid), 1);
	fclose(f);
	assert_int_equal(kill(pid, SIGSTOP), 0);
}

static void
a_stopped_template_is_killed(void **state)
{
	cm_process_options o = CM_PROCESS_OPTIONS_INIT;
	cm_run_options in_place = CM_RUN_OPTIONS_INIT;
	uint64_t before;
	cm_done done;
	cm_run *r;
	cm_place *p;

	(void)state;
	cm_place_free(process);
	process = NULL;
	o.worker = WORKER;
	assert_int_equal(cm_place_process(NULL, &o, &p), CM_OK);
	in_place.place = p;
	assert_int_equal(
	    cm_run_new(NULL, TEXT("return 1"), &in_place, &r), CM_OK);
	assert_int_equal(cm_run_drive(r, &(cm_driver){0}, &done), CM_OK);
	assert_int_equal(done.end, CM_END_OK);
	stop_template();
	before = now();
	cm_run_free(r);
	assert_in_range(now() - before, 4900, 30000);
	cm_place_free(p);
	assert_int_equal(waitpid(-1, NULL, WNOHANG), -1);
}

int
main(void)
{
	const struct CMUnitTest tests[] = {
	    cmocka_unit_test(reasons_of_any_bytes),
	    cmocka_unit_test(a_warning_in_the_last_print),
	    cmocka_unit_test(an_interrupt_is_never_lost),
	    cmocka_unit_test(the_same_seed_is_the_same_randomness),
	    cmocka_unit_test(the_largest_times),
#ifndef __SANITIZE_ADDRESS__
	    cmocka_unit_test(a_large_result),
#endif
	    cmocka_unit_test(more_than_a_gibibyte),
	    cmocka_unit_test(drive_cancels_what_is_unanswered),
	    cmocka_unit_test(durations_end_with_the_answer),
	    cmocka_unit_test(a_program_that_is_no_worker),
	    cmocka_unit_test(a_report_of_fences_stays_as_it_is),
	    cmocka_unit_test(a_stopped_template_is_killed), /* the last */
	};

	return cmocka_run_group_tests(tests, open_process, close_process);
}
