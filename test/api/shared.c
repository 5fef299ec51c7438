/* SPDX-License-Identifier: MIT */
/*
 * shared.c -- what threads may share: a catalog, and a run that moves.
 *
 * Runs in several threads use one catalog; threads read and declare one that
 * none of them has read before; a run is begun in one thread and ended in
 * another, after its owner let go of the catalog; a run is stopped from outside
 * while it computes. Made for the thread sanitizer; without it, it checks the
 * answers.
 */
#include <codemode/check.h>
#include <codemode/codemode.h>

#include <pthread.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdatomic.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>
#include <time.h>

#include <cmocka.h>

enum { THREADS = 4, ROUNDS = 12 };

static cm_text
text(const char *s)
{
	cm_text t = {s, strlen(s)};

	return t;
}

/* The clock that cm_run_drive reads. */
static uint64_t
now_ms(void)
{
	struct timespec t;

	clock_gettime(CLOCK_MONOTONIC, &t);
	return (uint64_t)t.tv_sec * 1000 + (uint64_t)t.tv_nsec / 1000000;
}

/* What a script must come to: its end, and its value or its fault's name. */
typedef struct want {
	const char *script;
	cm_end end;
	const char *says;
} want;

static const want wants[] = {
    {"return 6 * 7", CM_END_OK, "42"},
    {"const [a, b] = await Promise.all([tools.echo(1), tools.echo(2)]);\n"
     "return [a, b]",
	CM_END_OK, "[1,2]"},
    {"const f = (n) => (n < 2 ? n : f(n - 1) + f(n - 2)); return f(15)",
	CM_END_OK, "610"},
    {"const f = () => f() + 1; f()", CM_END_SCRIPT, "RangeError"},
    {"null.x", CM_END_SCRIPT, "TypeError"},
    {"const a = []; for (let i = 0; i < 2e4; i++) a.push({ i });\n"
     "return JSON.stringify(a).length",
	CM_END_OK, "228891"},
};
enum { WANTS = sizeof(wants) / sizeof(wants[0]) };

static void
echo(void *ctx, cm_run *run, const cm_call *call)
{
	(void)ctx;
	(void)cm_run_resolve(run, call->id, call->args);
}

/* NULL when the script came to what is wanted, else what it came to. */
static const char *
play(cm_catalog *tools, const want *w, char *out, size_t size)
{
	cm_driver driver = {.call = echo};
	const char *wrong = NULL;
	cm_run *run;
	cm_done done;
	cm_text says;

	if (cm_run_new(tools, text(w->script), NULL, &run) != CM_OK)
		return "cm_run_new";
	if (cm_run_drive(run, &driver, &done) != CM_OK) {
		wrong = "cm_run_drive";
	} else {
		says = done.end == CM_END_OK ? done.value : done.fault.name;
		snprintf(out, size, "%d %.*s, wanted %d %s", (int)done.end,
		    (int)says.len, says.ptr ? says.ptr : "", (int)w->end,
		    w->says);
		if (done.end != w->end || says.len != strlen(w->says) ||
		    memcmp(says.ptr, w->says, says.len) != 0)
			wrong = out;
	}
	cm_run_free(run);
	return wrong;
}

typedef struct worker {
	pthread_t thread;
	cm_catalog *tools;
	size_t first; /* where in wants it begins, so that threads differ */
	const char *wrong;
	char out[256];
} worker;

static void *
work(void *arg)
{
	worker *w = arg;
	size_t i;

	for (i = 0; i < (size_t)ROUNDS * WANTS && !w->wrong; i++)
		w->wrong = play(w->tools, &wants[(w->first + i) % WANTS],
		    w->out, sizeof(w->out));
	return NULL;
}

static cm_catalog *
catalog(void)
{
	/* The first call of each thread may be the one that compiles it. */
	cm_tool tool = {.name = text("echo"),
	    .input_schema = text("{\"minProperties\":0}")};
	cm_catalog *tools;

	assert_int_equal(cm_catalog_new(NULL, &tools), CM_OK);
	assert_int_equal(cm_catalog_add(tools, &tool), CM_OK);
	return tools;
}

static void
many_threads_one_catalog(void **state)
{
	static worker workers[THREADS];
	cm_catalog *tools = catalog();
	size_t i;

	(void)state;
	for (i = 0; i < THREADS; i++) {
		workers[i].tools = tools;
		workers[i].first = i;
		assert_int_equal(
		    pthread_create(&workers[i].thread, NULL, work, &workers[i]),
		    0);
	}
	for (i = 0; i < THREADS; i++)
		pthread_join(workers[i].thread, NULL);
	cm_catalog_free(tools);
	for (i = 0; i < THREADS; i++)
		if (workers[i].wrong)
			fail_msg("thread %zu: %s", i, workers[i].wrong);
}

enum { SPACES = 5 };

static const char *const space_names[SPACES] = {"", "a", "b", "c-d", "e"};

typedef struct reader {
	pthread_t thread;
	cm_catalog *tools;
	cm_text declared[SPACES];
	cm_text path;
	const char *wrong;
} reader;

/* Asks for everything that can be asked of a catalog. */
static void *
read_catalog(void *arg)
{
	reader *r = arg;
	cm_check *check;
	cm_hit hit;
	char near[20];
	size_t i, n = 0;

	for (i = 0; i < SPACES; i++)
		if (cm_catalog_declare(r->tools, text(space_names[i]),
			&r->declared[i]) != CM_OK ||
		    r->declared[i].len == 0)
			r->wrong = "cm_catalog_declare";
	if (cm_catalog_get(r->tools, 0, NULL, &r->path) != CM_OK)
		r->wrong = "cm_catalog_get";
	if (cm_catalog_search(r->tools, text("one"), text(""), 1, &hit, &n) !=
		CM_OK ||
	    n != 1)
		r->wrong = "cm_catalog_search";
	if (cm_catalog_nearest(r->tools, text("ones1"), near, sizeof(near)) !=
		CM_OK ||
	    strcmp(near, "one") != 0)
		r->wrong = "cm_catalog_nearest";
	if (cm_source_check(r->tools, text("await tools.a.oen()"), 0, &check) !=
	    CM_OK)
		r->wrong = "cm_source_check";
	else
		cm_check_free(check);
	return NULL;
}

/* Each text is the same for all threads, and stays what it was. */
static void
many_threads_read_a_new_catalog(void **state)
{
	static reader readers[THREADS];
	cm_catalog *tools;
	size_t i, k;

	(void)state;
	assert_int_equal(cm_catalog_new(NULL, &tools), CM_OK);
	for (i = 0; i < SPACES; i++) {
		cm_tool t = {
		    .space = text(space_names[i]), .name = text("one")};

		assert_int_equal(cm_catalog_add(tools, &t), CM_OK);
	}
	for (i = 0; i < THREADS; i++) {
		readers[i].tools = tools;
		assert_int_equal(pthread_create(&readers[i].thread, NULL,
				     read_catalog, &readers[i]),
		    0);
	}
	for (i = 0; i < THREADS; i++)
		pthread_join(readers[i].thread, NULL);
	for (i = 0; i < THREADS; i++) {
		const reader *r = &readers[i];

		if (r->wrong)
			fail_msg("thread %zu: %s", i, r->wrong);
		assert_memory_equal(r->path.ptr, "a.one", 5);
		for (k = 0; k < SPACES; k++)
			assert_ptr_equal(
			    r->declared[k].ptr, readers[0].declared[k].ptr);
		assert_memory_equal(
		    r->declared[2].ptr, "declare const tools: {\n  b: {\n", 30);
	}
	cm_catalog_free(tools);
}

/* The run's hold keeps the catalog until the run is freed, here in another
 * thread than both were made in. */
static void *
finish_elsewhere(void *arg)
{
	cm_driver driver = {.call = echo};
	cm_done done;

	if (cm_run_drive(arg, &driver, &done) != CM_OK ||
	    done.end != CM_END_OK || done.value.len != 1)
		return "a run did not end well in another thread";
	cm_run_free(arg);
	return NULL;
}

static void
a_run_may_move_between_threads(void **state)
{
	pthread_t threads[THREADS];
	cm_catalog *tools = catalog();
	cm_run *runs[THREADS];
	cm_step step;
	void *wrong;
	size_t i;

	(void)state;
	for (i = 0; i < THREADS; i++) {
		assert_int_equal(cm_run_new(tools,
				     text("text('here'); return tools.echo(7)"),
				     NULL, &runs[i]),
		    CM_OK);
		assert_int_equal(cm_run_next(runs[i], now_ms(), &step), CM_OK);
		assert_int_equal(step.kind, CM_STEP_PRINT);
	}
	cm_catalog_free(tools);
	for (i = 0; i < THREADS; i++)
		pthread_create(&threads[i], NULL, finish_elsewhere, runs[i]);
	for (i = 0; i < THREADS; i++) {
		pthread_join(threads[i], &wrong);
		if (wrong)
			fail_msg("%s", (const char *)wrong);
	}
}

typedef struct endless {
	cm_run *run;
	cm_end end;
} endless;

static void *
turn_endless(void *arg)
{
	endless *e = arg;
	cm_driver driver = {0};
	cm_done done;

	e->end = CM_END_OK;
	if (cm_run_drive(e->run, &driver, &done) == CM_OK)
		e->end = done.end;
	return NULL;
}

/* One while it computes, one between its promise jobs. */
static void
an_interrupt_comes_from_another_thread(void **state)
{
	static const char *const scripts[] = {
	    "while (true) { }", "while (true) await null"};
	const struct timespec moment = {0, 50000000};
	size_t i;

	(void)state;
	for (i = 0; i < 2; i++) {
		endless e = {0};
		pthread_t thread;

		assert_int_equal(
		    cm_run_new(NULL, text(scripts[i]), NULL, &e.run), CM_OK);
		pthread_create(&thread, NULL, turn_endless, &e);
		nanosleep(&moment, NULL);
		cm_run_interrupt(e.run);
		pthread_join(thread, NULL);
		assert_int_equal(e.end, CM_END_ABORTED);
		cm_run_free(e.run);
	}
}

typedef struct interrupter {
	cm_run *run;
	atomic_bool over; /* the thread of the run has ended */
} interrupter;

static void *
interrupt_until_over(void *arg)
{
	interrupter *i = arg;

	while (!atomic_load(&i->over))
		cm_run_interrupt(i->run);
	return NULL;
}

/* The thread that turned the run ends while another still interrupts it. */
static void
interrupts_meet_the_end_of_a_thread(void **state)
{
	enum { RUNS = 40 };
	int n;

	(void)state;
	for (n = 0; n < RUNS; n++) {
		endless e = {0};
		interrupter i = {0};
		pthread_t turns, interrupts;

		assert_int_equal(
		    cm_run_new(NULL, text("while (true) { }"), NULL, &e.run),
		    CM_OK);
		i.run = e.run;
		pthread_create(&turns, NULL, turn_endless, &e);
		pthread_create(&interrupts, NULL, interrupt_until_over, &i);
		pthread_join(turns, NULL);
		atomic_store(&i.over, true);
		pthread_join(interrupts, NULL);
		assert_int_equal(e.end, CM_END_ABORTED);
		cm_run_free(e.run);
	}
}

int
main(void)
{
	const struct CMUnitTest tests[] = {
	    cmocka_unit_test(many_threads_one_catalog),
	    cmocka_unit_test(many_threads_read_a_new_catalog),
	    cmocka_unit_test(a_run_may_move_between_threads),
	    cmocka_unit_test(an_interrupt_comes_from_another_thread),
	    cmocka_unit_test(interrupts_meet_the_end_of_a_thread),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
