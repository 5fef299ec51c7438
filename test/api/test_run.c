/* SPDX-License-Identifier: MIT */
/*
 * test_run.c -- runs turned by hand: steps, answers, time, ends, memory.
 */
#include "unit.h"

#include <codemode/codemode.h>

#include <pthread.h>
#include <time.h>

#define T(literal) ((cm_text){"" literal, sizeof(literal) - 1})

static cm_catalog *
catalog_with(const cm_alloc *alloc)
{
	static const cm_tool tools[] = {
	    {.name = {"echo", 4}, .flags = CM_TOOL_READS},
	    {.space = {"git", 3}, .name = {"list-issues", 11}},
	};
	cm_catalog *cat;
	size_t i;

	if (cm_catalog_new(alloc, &cat) != CM_OK)
		return NULL;
	for (i = 0; i < 2; i++) {
		if (cm_catalog_add(cat, &tools[i]) != CM_OK) {
			cm_catalog_free(cat);
			return NULL;
		}
	}
	return cat;
}

static cm_run *
run_of(const char *script, const cm_run_options *o)
{
	cm_catalog *cat = catalog_with(NULL);
	cm_run *r;

	assert_non_null(cat);
	assert_int_equal(cm_run_new(cat, text_of(script), o, &r), CM_OK);
	cm_catalog_free(cat); /* the run holds it */
	return r;
}

static cm_step
next(cm_run *r, uint64_t now, cm_step_kind kind)
{
	cm_step s;

	assert_int_equal(cm_run_next(r, now, &s), CM_OK);
	assert_int_equal(s.kind, kind);
	return s;
}

static void
ends_with(cm_run *r, uint64_t now, cm_end end, const char *value)
{
	cm_step s = next(r, now, CM_STEP_DONE);

	assert_int_equal(s.u.done.end, end);
	assert_str(s.u.done.value, value);
	cm_run_free(r);
}

/* ----------------------------------------------------------------- steps */

static void
steps_come_in_order(void **state)
{
	cm_run *r = run_of("text('a'); const p = tools.git.list_issues({n: 1});"
			   "console.log('b'); return await p",
	    NULL);
	cm_step s;

	(void)state;
	s = next(r, 5, CM_STEP_PRINT);
	assert_str(s.u.print.text, "a");
	assert_int_equal(s.u.print.kind, CM_PRINT_TEXT);
	s = next(r, 5, CM_STEP_PRINT);
	assert_str(s.u.print.text, "b");
	assert_int_equal(s.u.print.kind, CM_PRINT_CONSOLE);
	s = next(r, 5, CM_STEP_CALL);
	assert_int_equal(s.u.call.id, 1);
	assert_str(s.u.call.space, "git");
	assert_str(s.u.call.name, "list-issues");
	assert_str(s.u.call.path, "git.list_issues");
	assert_str(s.u.call.args, "{\"n\":1}");
	s = next(r, 5, CM_STEP_WAIT);
	assert_int_equal(s.u.wait.until_ms, 5 + 300000);
	assert_int_equal(cm_run_resolve(r, 1, T(" [1, 2.50] ")), CM_OK);
	ends_with(r, 6, CM_END_OK, "[1,2.5]");
}

static void
answers_come_in_any_order(void **state)
{
	cm_run *r = run_of("return await Promise.all([1, 2, 3].map((i) =>"
			   " tools.echo(i)))",
	    NULL);
	cm_failure f = {T("X"), T("no"), T("{}")};

	(void)state;
	next(r, 0, CM_STEP_CALL);
	next(r, 0, CM_STEP_CALL);
	next(r, 0, CM_STEP_CALL);
	next(r, 0, CM_STEP_WAIT);
	assert_int_equal(cm_run_resolve(r, 3, T("3")), CM_OK);
	assert_int_equal(cm_run_resolve(r, 3, T("4")), CM_ENOCALL);
	assert_int_equal(cm_run_resolve(r, 0, T("4")), CM_ENOCALL);
	assert_int_equal(cm_run_resolve(r, 4, T("4")), CM_ENOCALL);
	next(r, 0, CM_STEP_WAIT);
	assert_int_equal(cm_run_resolve(r, 1, T("1")), CM_OK);
	assert_int_equal(cm_run_reject(r, 1, &f), CM_ENOCALL);
	assert_int_equal(cm_run_resolve(r, 2, T("2")), CM_OK);
	ends_with(r, 0, CM_END_OK, "[1,2,3]");
}

static void
at_most_so_many_at_once(void **state)
{
	cm_run_options o = CM_RUN_OPTIONS_INIT;
	cm_run *r;

	(void)state;
	o.limits.calls_at_once = 2;
	r = run_of("return (await Promise.all([1, 2, 3].map((i) =>"
		   " tools.echo(i)))).length",
	    &o);
	assert_int_equal(next(r, 0, CM_STEP_CALL).u.call.id, 1);
	assert_int_equal(next(r, 0, CM_STEP_CALL).u.call.id, 2);
	next(r, 0, CM_STEP_WAIT);
	cm_run_resolve(r, 2, T("1"));
	assert_int_equal(next(r, 0, CM_STEP_CALL).u.call.id, 3);
	next(r, 0, CM_STEP_WAIT);
	cm_run_resolve(r, 1, T("1"));
	cm_run_resolve(r, 3, T("1"));
	ends_with(r, 0, CM_END_OK, "3");
}

/* Calls of a full server or of a full tool wait, and later ones go by. */
static void
servers_and_tools_have_limits_of_their_own(void **state)
{
	static const char script[] =
	    "const { echo, git } = tools, issues = git.list_issues;"
	    "return (await Promise.all([issues(), issues(), echo(), echo(),"
	    " echo()])).length";
	cm_run_options o = CM_RUN_OPTIONS_INIT;
	cm_run *r;

	(void)state;
	o.limits.space_calls_at_once = 1;
	o.limits.tool_calls_at_once = 2;
	r = run_of(script, &o);
	assert_int_equal(next(r, 0, CM_STEP_CALL).u.call.id, 1);
	assert_int_equal(next(r, 0, CM_STEP_CALL).u.call.id, 3);
	assert_int_equal(next(r, 0, CM_STEP_CALL).u.call.id, 4);
	next(r, 0, CM_STEP_WAIT);
	cm_run_resolve(r, 4, T("1"));
	assert_int_equal(next(r, 0, CM_STEP_CALL).u.call.id, 5);
	next(r, 0, CM_STEP_WAIT);
	cm_run_resolve(r, 1, T("1"));
	assert_int_equal(next(r, 0, CM_STEP_CALL).u.call.id, 2);
	next(r, 0, CM_STEP_WAIT);
	cm_run_resolve(r, 2, T("1"));
	cm_run_resolve(r, 3, T("1"));
	cm_run_resolve(r, 5, T("1"));
	ends_with(r, 0, CM_END_OK, "5");
}

static void
a_bad_answer_is_the_scripts_error(void **state)
{
	cm_run_options o = CM_RUN_OPTIONS_INIT;
	cm_run *r;
	cm_step s;

	(void)state;
	o.limits.result = 10;
	r = run_of("const why = async (p) => { try { return await p }"
		   " catch (e) { return e.message } };"
		   "return [await why(tools.echo()), await why(tools.echo())]",
	    &o);
	next(r, 0, CM_STEP_CALL);
	next(r, 0, CM_STEP_WAIT);
	assert_int_equal(cm_run_resolve(r, 1, T("\"\xff\"")), CM_EINPUT);
	next(r, 0, CM_STEP_CALL);
	next(r, 0, CM_STEP_WAIT);
	assert_int_equal(cm_run_resolve(r, 2, T("\"123456789\"")), CM_ELIMIT);
	s = next(r, 0, CM_STEP_DONE);
	assert_non_null(strstr(s.u.done.value.ptr, "not JSON in UTF-8"));
	assert_non_null(strstr(s.u.done.value.ptr, "the limit is 10"));
	cm_run_free(r);
}

/* An owner may answer with the texts that the step itself lent. */
static void
arguments_may_be_the_answer(void **state)
{
	cm_run *r = run_of("return await tools.echo({ a: [1, '2'] })", NULL);
	cm_step s;

	(void)state;
	s = next(r, 0, CM_STEP_CALL);
	assert_int_equal(cm_run_resolve(r, 1, s.u.call.args), CM_OK);
	ends_with(r, 0, CM_END_OK, "{\"a\":[1,\"2\"]}");
}

/* ------------------------------------------------------------------ ends */

static void
late_and_aborted_calls(void **state)
{
	cm_run *r =
	    run_of("tools.echo(1); tools.echo(2); return 'early'", NULL);
	cm_text json;

	(void)state;
	/* The script ended in its first turn: its calls never began. */
	next(r, 0, CM_STEP_DONE);
	assert_int_equal(cm_run_resolve(r, 1, T("1")), CM_ENOCALL);
	assert_int_equal(cm_run_result(r, &json), CM_OK);
	assert_non_null(strstr(json.ptr, "\"status\":\"unstarted\""));
	cm_run_free(r);

	r = run_of("const p = tools.echo(1); tools.echo(2);"
		   "await p; return 'early'",
	    NULL);
	next(r, 0, CM_STEP_CALL);
	next(r, 0, CM_STEP_CALL);
	next(r, 0, CM_STEP_WAIT);
	assert_int_equal(cm_run_result(r, &json), CM_EMISUSE);
	cm_run_resolve(r, 1, T("1"));
	assert_int_equal(next(r, 0, CM_STEP_ABORT).u.abort, 2);
	next(r, 0, CM_STEP_DONE);
	assert_int_equal(cm_run_result(r, &json), CM_OK);
	assert_non_null(strstr(json.ptr, "\"status\":\"cancelled\""));
	cm_run_free(r);
}

static void
the_deadline_is_on_the_owners_clock(void **state)
{
	cm_run_options o = CM_RUN_OPTIONS_INIT;
	cm_run *r;
	cm_step s;

	(void)state;
	o.limits.wall_ms = 100;
	r = run_of("await tools.echo(1); return 1", &o);
	next(r, 1000, CM_STEP_CALL);
	s = next(r, 1000, CM_STEP_WAIT);
	assert_int_equal(s.u.wait.until_ms, 1100);
	next(r, 1099, CM_STEP_WAIT);
	assert_int_equal(next(r, 1100, CM_STEP_ABORT).u.abort, 1);
	s = next(r, 1100, CM_STEP_DONE);
	assert_int_equal(s.u.done.end, CM_END_TIMEOUT);
	assert_str(s.u.done.fault.message, "Execution timed out after 100 ms");
	next(r, 5000, CM_STEP_DONE); /* and so it stays */
	cm_run_free(r);
}

static void
a_call_may_have_its_own_time(void **state)
{
	cm_run *r = run_of("try { await tools.echo(1, { timeoutMs: 50 }) }"
			   " catch (e) { return [e.name, e.tool] }",
	    NULL);

	(void)state;
	next(r, 10, CM_STEP_CALL);
	assert_int_equal(next(r, 10, CM_STEP_WAIT).u.wait.until_ms, 60);
	assert_int_equal(next(r, 60, CM_STEP_ABORT).u.abort, 1);
	assert_int_equal(cm_run_resolve(r, 1, T("1")), CM_ENOCALL);
	ends_with(r, 60, CM_END_OK, "[\"TimeoutError\",\"echo\"]");
}

static void
cancelling(void **state)
{
	cm_run *r = run_of("await tools.echo(1)", NULL);
	cm_step s;

	(void)state;
	next(r, 0, CM_STEP_CALL);
	next(r, 0, CM_STEP_WAIT);
	assert_int_equal(cm_run_cancel(r, T("no longer wanted")), CM_OK);
	next(r, 0, CM_STEP_ABORT);
	s = next(r, 0, CM_STEP_DONE);
	assert_int_equal(s.u.done.end, CM_END_ABORTED);
	assert_str(s.u.done.fault.message, "no longer wanted");
	cm_run_free(r);

	r = run_of("return 1", NULL);
	cm_run_cancel(r, (cm_text){NULL, 0});
	s = next(r, 0, CM_STEP_DONE);
	assert_str(s.u.done.fault.message, "Execution aborted");
	cm_run_free(r);
}

static void *
interrupt_soon(void *run)
{
	nanosleep(&(struct timespec){0, 30000000}, NULL);
	cm_run_interrupt(run);
	return NULL;
}

/* Also a built-in that never polls. */
static void
interrupting_from_another_thread(void **state)
{
	static const char *const scripts[] = {"for (;;);",
	    "const s = 'c'.repeat(2e6); for (;;) s.lastIndexOf('d')",
	    "for (;;) await null", "/^(x+x+)+y$/.test('x'.repeat(60))"};
	size_t i;

	(void)state;
	for (i = 0; i < 4; i++) {
		cm_run *r = run_of(scripts[i], NULL);
		pthread_t t;

		assert_int_equal(
		    pthread_create(&t, NULL, interrupt_soon, r), 0);
		assert_int_equal(
		    next(r, 0, CM_STEP_DONE).u.done.end, CM_END_ABORTED);
		pthread_join(t, NULL);
		cm_run_free(r);
	}
}

static void
freeing_halfway(void **state)
{
	cm_run *r = run_of("text('x'); await tools.echo(1)", NULL);

	(void)state;
	cm_run_free(r);
	r = run_of("text('x'); await tools.echo(1)", NULL);
	next(r, 0, CM_STEP_PRINT);
	cm_run_free(r);
	r = run_of("text('x'); await tools.echo(1)", NULL);
	next(r, 0, CM_STEP_PRINT);
	next(r, 0, CM_STEP_CALL);
	cm_run_resolve(r, 1, T("{}"));
	cm_run_free(r);
	cm_run_free(NULL);
	cm_catalog_free(NULL);
}

static void
hosts_may_warn(void **state)
{
	cm_run *r = run_of("return 1", NULL);
	cm_text json;

	(void)state;
	assert_int_equal(cm_run_warn(r, T("mended \"it\"")), CM_OK);
	next(r, 0, CM_STEP_DONE);
	assert_int_equal(cm_run_warn(r, T("late")), CM_EMISUSE);
	assert_int_equal(cm_run_result(r, &json), CM_OK);
	assert_non_null(strstr(
	    json.ptr, "\"warnings\":[{\"message\":\"mended \\\"it\\\"\"}]"));
	cm_run_free(r);
}

/* ------------------------------------------------------------ time, chance */

typedef struct fake {
	uint64_t ms;
	unsigned seed;
} fake;

static uint64_t
fake_ms(void *ctx)
{
	return ((fake *)ctx)->ms += 1;
}

static int64_t
fake_epoch(void *ctx)
{
	(void)ctx;
	return 1700000000123000;
}

static int64_t
last_epoch(void *ctx)
{
	(void)ctx;
	return INT64_MAX;
}

static void
fake_random(void *ctx, void *bytes, size_t len)
{
	memset(bytes, (int)((fake *)ctx)->seed, len);
}

static int32_t
fake_zone(void *ctx, int64_t at)
{
	(void)ctx, (void)at;
	return 3600;
}

/* The owner hears whom to stop before the script hears who won. */
static void
a_race_stops_its_losers(void **state)
{
	cm_run *r = run_of("return await codemode.race([tools.echo(1), "
			   "tools.echo(2), tools.echo(3)])",
	    NULL);
	cm_step s;
	int i;

	(void)state;
	for (i = 1; i <= 3; i++)
		assert_int_equal(next(r, 0, CM_STEP_CALL).u.call.id, i);
	next(r, 0, CM_STEP_WAIT);
	assert_int_equal(cm_run_resolve(r, 2, T("\"b\"")), CM_OK);
	s = next(r, 0, CM_STEP_ABORT);
	assert_int_equal(s.u.abort, 1);
	s = next(r, 0, CM_STEP_ABORT);
	assert_int_equal(s.u.abort, 3);
	assert_int_equal(cm_run_resolve(r, 1, T("1")), CM_ENOCALL);
	ends_with(r, 0, CM_END_OK, "\"b\"");
}

/* ------------------------------------------------------- calls that stop */

/* A script that gives up a call and makes the next, one after the other. */
static const char gives_up[] =
    "for (let i = 0; i < 2; i++) {"
    " const c = new AbortController();"
    " const p = tools.echo(i, { signal: c.signal });"
    " await codemode.sleep(1); c.abort(); await p.catch(() => {});"
    "} return await tools.echo('last')";

/* A turn takes no time, however busy the machine is: a timer of 1 ms is due 1 ms
 * after the step that set it. */
static uint64_t
same_moment(void *ctx)
{
	(void)ctx;
	return 0;
}
static const cm_host still = {.now_ms = same_moment};

/* A call that was told to stop keeps its place until it is over. */
static void
a_stopped_call_takes_a_place(void **state)
{
	cm_run_options o = CM_RUN_OPTIONS_INIT;
	cm_text json;
	cm_run *r;

	(void)state;
	o.host = &still;
	o.limits.calls_at_once = 1;
	r = run_of(gives_up, &o);
	assert_int_equal(next(r, 0, CM_STEP_CALL).u.call.id, 1);
	next(r, 0, CM_STEP_WAIT);
	assert_int_equal(cm_run_stopped(r, 1), CM_ENOCALL); /* it runs */
	assert_int_equal(next(r, 10, CM_STEP_ABORT).u.abort, 1);
	assert_int_equal(next(r, 10, CM_STEP_WAIT).u.wait.calls, 1);
	/* Call 2 is given up, too, and never began; call 3 waits. */
	assert_int_equal(next(r, 20, CM_STEP_WAIT).u.wait.calls, 1);
	assert_int_equal(cm_run_stopped(r, 2), CM_ENOCALL);
	assert_int_equal(cm_run_stopped(r, 0), CM_ENOCALL);
	assert_int_equal(cm_run_stopped(r, 1), CM_OK);
	assert_int_equal(cm_run_stopped(r, 1), CM_ENOCALL);
	assert_int_equal(next(r, 30, CM_STEP_CALL).u.call.id, 3);
	cm_run_resolve(r, 3, T("1"));
	next(r, 30, CM_STEP_DONE);
	assert_int_equal(cm_run_result(r, &json), CM_OK);
	assert_non_null(strstr(json.ptr, "\"status\":\"cancelled\""));
	assert_non_null(strstr(json.ptr, "\"status\":\"unstarted\""));
	cm_run_free(r);
}

/* So it does until a late answer, which the script does not get. */
static void
a_late_answer_ends_a_stopped_call(void **state)
{
	cm_run_options o = CM_RUN_OPTIONS_INIT;
	cm_failure f = {T(""), T("no"), T("")};
	cm_run *r;

	(void)state;
	o.host = &still;
	o.limits.calls_at_once = 1;
	r = run_of(gives_up, &o);
	next(r, 0, CM_STEP_CALL);
	next(r, 0, CM_STEP_WAIT);
	next(r, 10, CM_STEP_ABORT);
	next(r, 10, CM_STEP_WAIT);
	assert_int_equal(cm_run_reject(r, 1, &f), CM_ENOCALL);
	assert_int_equal(next(r, 10, CM_STEP_CALL).u.call.id, 2);
	next(r, 10, CM_STEP_WAIT);
	assert_int_equal(next(r, 20, CM_STEP_ABORT).u.abort, 2);
	next(r, 20, CM_STEP_WAIT);
	assert_int_equal(cm_run_resolve(r, 2, T("2")), CM_ENOCALL);
	assert_int_equal(next(r, 20, CM_STEP_CALL).u.call.id, 3);
	cm_run_resolve(r, 3, T("\"end\""));
	ends_with(r, 20, CM_END_OK, "\"end\"");
}

/* The end does not wait for calls that were told to stop. */
static void
the_end_does_not_wait_for_stopped_calls(void **state)
{
	cm_run *r =
	    run_of("tools.echo(1); await tools.echo(2); return 3", NULL);
	cm_text json;

	(void)state;
	next(r, 0, CM_STEP_CALL);
	next(r, 0, CM_STEP_CALL);
	next(r, 0, CM_STEP_WAIT);
	cm_run_resolve(r, 2, T("1"));
	assert_int_equal(next(r, 7, CM_STEP_ABORT).u.abort, 1);
	next(r, 8, CM_STEP_DONE);
	assert_int_equal(cm_run_result(r, &json), CM_OK);
	assert_non_null(strstr(json.ptr, "\"status\":\"cancelled\","
					 "\"startMs\":0,\"durationMs\":7"));
	assert_int_equal(cm_run_stopped(r, 1), CM_OK);
	next(r, 9, CM_STEP_DONE);
	cm_run_free(r);
}

static void
answer_the_second(void *ctx, cm_run *run, const cm_call *call)
{
	(void)ctx;
	if (call->id == 2)
		cm_run_resolve(run, 2, T("\"second\""));
}

static void
do_not_wait(void *ctx, cm_run *run, const cm_wait *wait)
{
	(void)ctx, (void)run, (void)wait;
}

static uint64_t
later_each_time(void *ctx)
{
	return ++*(uint64_t *)ctx;
}

static void
a_driver_without_abort_frees_the_place(void **state)
{
	uint64_t ms = 0;
	cm_driver driver = {.call = answer_the_second,
	    .wait = do_not_wait,
	    .now_ms = later_each_time,
	    .ctx = &ms};
	cm_run_options o = CM_RUN_OPTIONS_INIT;
	cm_done done;
	cm_run *r;

	(void)state;
	o.limits.calls_at_once = 1;
	o.limits.wall_ms = 1000;
	r = run_of("await tools.echo(1, { timeoutMs: 5 }).catch(() => {});"
		   "return await tools.echo(2)",
	    &o);
	assert_int_equal(cm_run_drive(r, &driver, &done), CM_OK);
	assert_int_equal(done.end, CM_END_OK);
	assert_str(done.value, "\"second\"");
	cm_run_free(r);
}

/* --------------------------------------------- failures without a handler */

static void
warns_of(cm_run *r, const char *warnings)
{
	cm_text json;
	const char *at;

	next(r, 0, CM_STEP_DONE);
	assert_int_equal(cm_run_result(r, &json), CM_OK);
	at = strstr(json.ptr, "\"warnings\":");
	assert_non_null(at);
	assert_int_equal(
	    strncmp(at + strlen("\"warnings\":"), warnings, strlen(warnings)),
	    0);
	cm_run_free(r);
}

static void
a_failure_without_a_handler_is_told_once(void **state)
{
	cm_failure f = {T(""), T("boom"), T("")};
	cm_run *r =
	    run_of("tools.echo(1);\nawait tools.echo(2); return 1", NULL);

	(void)state;
	next(r, 0, CM_STEP_CALL);
	next(r, 0, CM_STEP_CALL);
	next(r, 0, CM_STEP_WAIT);
	assert_int_equal(cm_run_reject(r, 1, &f), CM_OK);
	next(r, 0, CM_STEP_WAIT);
	cm_run_resolve(r, 2, T("1"));
	warns_of(r,
	    "[{\"message\":\"a promise was rejected and nothing awaited it: "
	    "boom\",\"tool\":\"echo\",\"line\":1}");
}

/* At once, later, or through what was made of it. */
static void
a_failure_that_is_looked_at_is_not_told(void **state)
{
	static const char *const scripts[] = {
	    "try { await tools.echo(1) } catch {} await tools.echo(2);",
	    "const p = tools.echo(1); await tools.echo(2);"
	    "try { await p } catch {}",
	    "const p = tools.echo(1); await tools.echo(2); p.catch(() => {});",
	    "const p = tools.echo(1).then((v) => v); await tools.echo(2);"
	    "await p.catch(() => {});",
	    "const p = Promise.allSettled([tools.echo(1)]); await "
	    "tools.echo(2)",
	};
	cm_failure f = {T(""), T("boom"), T("")};
	size_t i;

	(void)state;
	for (i = 0; i < sizeof(scripts) / sizeof(scripts[0]); i++) {
		cm_run *r = run_of(scripts[i], NULL);
		cm_step s;

		do {
			assert_int_equal(cm_run_next(r, 0, &s), CM_OK);
			if (s.kind == CM_STEP_CALL && s.u.call.id == 2)
				cm_run_resolve(r, 2, T("1"));
			else if (s.kind == CM_STEP_CALL)
				cm_run_reject(r, s.u.call.id, &f);
		} while (s.kind != CM_STEP_DONE);
		warns_of(r, "[]");
	}
}

/* Also when the deadline ends the run, which the engine does not tell. */
static void
the_deadline_keeps_no_failure_back(void **state)
{
	cm_failure f = {T(""), T("boom"), T("")};
	cm_run_options o = CM_RUN_OPTIONS_INIT;
	cm_run *r;

	(void)state;
	o.limits.wall_ms = 100;
	r = run_of("tools.echo(1); await tools.echo(2)", &o);
	next(r, 1, CM_STEP_CALL);
	next(r, 1, CM_STEP_CALL);
	next(r, 1, CM_STEP_WAIT);
	cm_run_reject(r, 1, &f);
	next(r, 1, CM_STEP_WAIT);
	assert_int_equal(next(r, 101, CM_STEP_ABORT).u.abort, 2);
	warns_of(r, "[{\"message\":\"a promise was rejected and nothing");
}

static void
an_error_can_have_any_members(void **state)
{
	static const char *const members[] = {
	    "{ }", "{ \"a\" : [1, 2] }", "{\"a\":{},\"b\":\"\"}", "[1]"};
	static const char *const wanted[] = {"{\"tool\":\"echo\"}",
	    "{\"a\":[1,2],\"tool\":\"echo\"}",
	    "{\"a\":{},\"b\":\"\",\"tool\":\"echo\"}", "{\"tool\":\"echo\"}"};
	size_t i;

	(void)state;
	for (i = 0; i < 4; i++) {
		cm_run *r = run_of("try { await tools.echo(1) } catch (e)"
				   "{ return { ...e } }",
		    NULL);
		cm_failure f = {T(""), T("m"), text_of(members[i])};

		next(r, 0, CM_STEP_CALL);
		assert_int_equal(cm_run_reject(r, 1, &f), CM_OK);
		ends_with(r, 0, CM_END_OK, wanted[i]);
	}
}

static void
a_failure_has_the_limit_of_a_result(void **state)
{
	cm_run_options o = CM_RUN_OPTIONS_INIT;
	cm_failure f = {T(""), T("0123456789"), T("")};
	cm_step s;
	cm_run *r;

	(void)state;
	o.limits.result = 9;
	r = run_of(
	    "try { await tools.echo() } catch (e) { return e.message }", &o);
	next(r, 0, CM_STEP_CALL);
	assert_int_equal(cm_run_reject(r, 1, &f), CM_ELIMIT);
	s = next(r, 0, CM_STEP_DONE);
	assert_non_null(strstr(s.u.done.value.ptr, "the limit is 9"));
	cm_run_free(r);
}

/* ------------------------------------------------------------------- all */

static const char all_of_three[] =
    "const calls = [tools.echo(1), tools.echo(2), tools.echo(3)];"
    "for (const c of calls) c.then((v) => text(v), (e) => text(e.message));"
    "try { return await codemode.all(calls) } catch (e) { return e.message }";

static void
all_gives_results_in_the_order_of_the_calls(void **state)
{
	cm_run *r = run_of(all_of_three, NULL);
	int i;

	(void)state;
	for (i = 0; i < 3; i++)
		next(r, 0, CM_STEP_CALL);
	assert_int_equal(cm_run_resolve(r, 3, T("\"c\"")), CM_OK);
	assert_str(next(r, 0, CM_STEP_PRINT).u.print.text, "c");
	assert_int_equal(cm_run_resolve(r, 2, T("\"b\"")), CM_OK);
	assert_str(next(r, 0, CM_STEP_PRINT).u.print.text, "b");
	next(r, 0, CM_STEP_WAIT);
	assert_int_equal(cm_run_resolve(r, 1, T("\"a\"")), CM_OK);
	assert_str(next(r, 0, CM_STEP_PRINT).u.print.text, "a");
	ends_with(r, 0, CM_END_OK, "[\"a\",\"b\",\"c\"]");
}

/* One that runs is stopped, one that waits for a place never begins. */
static void
all_stops_the_others_when_one_fails(void **state)
{
	static const char *const said[] = {"no",
	    "another call of codemode.all failed",
	    "another call of codemode.all failed"};
	cm_failure f = {T(""), T("no"), T("")};
	cm_run_options o = CM_RUN_OPTIONS_INIT;
	cm_text json;
	cm_run *r;
	cm_step s;
	int i;

	(void)state;
	o.limits.calls_at_once = 2;
	r = run_of(all_of_three, &o);
	next(r, 0, CM_STEP_CALL);
	next(r, 0, CM_STEP_CALL);
	next(r, 0, CM_STEP_WAIT);
	assert_int_equal(cm_run_reject(r, 2, &f), CM_OK);
	assert_int_equal(next(r, 0, CM_STEP_ABORT).u.abort, 1);
	assert_int_equal(cm_run_stopped(r, 1), CM_OK);
	for (i = 0; i < 3; i++)
		assert_str(next(r, 0, CM_STEP_PRINT).u.print.text, said[i]);
	s = next(r, 0, CM_STEP_DONE);
	assert_str(s.u.done.value, "\"no\"");
	assert_int_equal(cm_run_result(r, &json), CM_OK);
	assert_non_null(strstr(json.ptr, "\"status\":\"cancelled\""));
	assert_non_null(strstr(json.ptr, "\"status\":\"error\""));
	assert_non_null(strstr(json.ptr, "\"status\":\"unstarted\""));
	cm_run_free(r);
}

static void
time_and_chance_are_the_hosts(void **state)
{
	fake f = {0, 3};
	cm_host host = {&f, fake_ms, fake_epoch, fake_random, fake_zone};
	cm_run_options o = CM_RUN_OPTIONS_INIT;
	const char *script = "return [Date.now(), new Date().getHours(),"
			     "new Date().getTimezoneOffset(), Math.random()]";
	char first[200];
	cm_step s;
	cm_run *r;

	(void)state;
	o.host = &host;
	r = run_of(script, &o);
	s = next(r, 0, CM_STEP_DONE);
	snprintf(first, sizeof(first), "%.*s", (int)s.u.done.value.len,
	    s.u.done.value.ptr);
	assert_memory_equal(first, "[1700000000123,23,-60,0.", 24);
	cm_run_free(r);
	r = run_of(script, &o);
	ends_with(r, 0, CM_END_OK, first); /* the same chance */
	f.seed = 4;
	r = run_of(script, &o);
	s = next(r, 0, CM_STEP_DONE);
	assert_string_not_equal(first, s.u.done.value.ptr);
	cm_run_free(r);

	/* A time that the engine's clock cannot hold is its last one. */
	host.epoch_us = last_epoch;
	ends_with(
	    run_of("return Date.now()", &o), 0, CM_END_OK, "18446744073709");

	/* The fake clock moves with each poll, so the deadline comes. */
	o.limits.wall_ms = 50;
	r = run_of("for (;;);", &o);
	assert_int_equal(
	    next(r, f.ms, CM_STEP_DONE).u.done.end, CM_END_TIMEOUT);
	cm_run_free(r);
}

static void
polls_are_a_limit(void **state)
{
	cm_run_options o = CM_RUN_OPTIONS_INIT;
	cm_run *r;
	cm_step s;

	(void)state;
	o.limits.polls = 20;
	r = run_of("for (;;);", &o);
	s = next(r, 0, CM_STEP_DONE);
	assert_int_equal(s.u.done.end, CM_END_TIMEOUT);
	assert_str(s.u.done.fault.message,
	    "Execution exceeded its interrupt budget of 20");
	cm_run_free(r);
}

/* Equal settings, equal names; and what differs has a different name. */
static void
fingerprints(void **state)
{
	cm_run_options o = CM_RUN_OPTIONS_INIT;
	cm_run *a = run_of("1", NULL), *b = run_of("2", NULL), *c;

	(void)state;
	o.limits.heap = 1u << 20;
	c = run_of("1", &o);
	assert_text(cm_run_fingerprint(a), cm_run_fingerprint(b));
	assert_string_not_equal(
	    cm_run_fingerprint(a).ptr, cm_run_fingerprint(c).ptr);
	assert_non_null(strstr(cm_run_fingerprint(a).ptr, "quickjs-ng 0.17.0"));
	cm_run_free(a);
	cm_run_free(b);
	cm_run_free(c);
}

static void
bad_options(void **state)
{
	cm_run_options o = CM_RUN_OPTIONS_INIT;
	cm_run *r;

	(void)state;
	o.store = T("[1]");
	assert_int_equal(cm_run_new(NULL, T("1"), &o, &r), CM_EINPUT);
	o.store = T("{\"a\":");
	assert_int_equal(cm_run_new(NULL, T("1"), &o, &r), CM_EINPUT);
	o = (cm_run_options)CM_RUN_OPTIONS_INIT;
	o.size = 7;
	assert_int_equal(cm_run_new(NULL, T("1"), &o, &r), CM_EMISUSE);
}

/* Two runs side by side can fill a store beyond its limit; the next run empties
 * it. */
static void
a_store_that_is_too_full_can_be_emptied(void **state)
{
	cm_run_options o = CM_RUN_OPTIONS_INIT;
	buf values = BUF_INIT(NULL, 4u << 20);
	int i;

	(void)state;
	for (i = 0; i < 9; i++)
		buf_printf(&values, "%c\"k%d\":\"%0200000d\"",
		    i > 0 ? ',' : '{', i, 0);
	buf_byte(&values, '}');
	o.store = buf_view(&values);
	ends_with(
	    run_of("try { store('more', 1) } catch (e) {"
		   "for (let i = 0; i < 9; i++) store('k' + i, undefined);"
		   "store('more', 2); return load('more') }",
		&o),
	    0, CM_END_OK, "2");
	buf_fini(&values);
}

/* ---------------------------------------------------------------- memory */

static const char busy[] =
    "text('hello'); store('k', { v: 1 }); console.log([1, 2]);"
    "const got = await Promise.all([tools.echo(1), tools.git.list_issues()]);"
    "try { await tools.nope() } catch (e) { text(e.message) }"
    "Promise.reject(new Error('lost')); return got";

/* An answer that found no memory can be given again. */
static cm_status
answer_busy(cm_run *r, cm_call_id id, struct hoard *h)
{
	cm_status s = cm_run_resolve(r, id, T("{\"x\":1}"));

	if (s != CM_ENOMEM)
		return s;
	h->left = 100;
	assert_int_equal(cm_run_resolve(r, id, T("{\"x\":1}")), CM_OK);
	return s;
}

/* Runs it with memory for that many requests; the run's end or failure. */
static cm_status
run_busy(struct hoard *h)
{
	cm_alloc alloc = HOARD_ALLOC(h);
	cm_catalog *cat = catalog_with(&alloc);
	cm_run *r = NULL;
	cm_step s = {0};
	cm_text json;
	cm_status status;

	if (cat == NULL)
		return CM_ENOMEM;
	status = cm_run_new(cat, text_of(busy), NULL, &r);
	cm_catalog_free(cat);
	if (status != CM_OK)
		return status;
	while (status == CM_OK && (status = cm_run_next(r, 0, &s)) == CM_OK &&
	       s.kind != CM_STEP_DONE)
		if (s.kind == CM_STEP_CALL)
			status = answer_busy(r, s.u.call.id, h);
	if (status == CM_OK)
		status = cm_run_result(r, &json);
	/* Refused memory may also show inside the script. */
	if (status == CM_OK && s.u.done.end != CM_END_OK)
		status = CM_ENOMEM;
	cm_run_free(r);
	return status;
}

static void
every_request_for_memory_may_fail(void **state)
{
	size_t n = 0;
	struct hoard h;

	(void)state;
	for (;;) {
		h = (struct hoard){0, n};
		if (run_busy(&h) == CM_OK && h.left > 0)
			break;
		assert_int_equal(h.bytes, 0);
		assert_true(++n < 1000);
	}
	assert_int_equal(h.bytes, 0);
	assert_true(n > 20);
}

int
main(void)
{
	const struct CMUnitTest tests[] = {
	    cmocka_unit_test(steps_come_in_order),
	    cmocka_unit_test(answers_come_in_any_order),
	    cmocka_unit_test(at_most_so_many_at_once),
	    cmocka_unit_test(servers_and_tools_have_limits_of_their_own),
	    cmocka_unit_test(a_bad_answer_is_the_scripts_error),
	    cmocka_unit_test(arguments_may_be_the_answer),
	    cmocka_unit_test(late_and_aborted_calls),
	    cmocka_unit_test(the_deadline_is_on_the_owners_clock),
	    cmocka_unit_test(a_call_may_have_its_own_time),
	    cmocka_unit_test(cancelling),
	    cmocka_unit_test(interrupting_from_another_thread),
	    cmocka_unit_test(freeing_halfway),
	    cmocka_unit_test(hosts_may_warn),
	    cmocka_unit_test(a_race_stops_its_losers),
	    cmocka_unit_test(a_stopped_call_takes_a_place),
	    cmocka_unit_test(a_late_answer_ends_a_stopped_call),
	    cmocka_unit_test(the_end_does_not_wait_for_stopped_calls),
	    cmocka_unit_test(a_driver_without_abort_frees_the_place),
	    cmocka_unit_test(a_failure_without_a_handler_is_told_once),
	    cmocka_unit_test(a_failure_that_is_looked_at_is_not_told),
	    cmocka_unit_test(the_deadline_keeps_no_failure_back),
	    cmocka_unit_test(an_error_can_have_any_members),
	    cmocka_unit_test(a_failure_has_the_limit_of_a_result),
	    cmocka_unit_test(all_gives_results_in_the_order_of_the_calls),
	    cmocka_unit_test(all_stops_the_others_when_one_fails),
	    cmocka_unit_test(time_and_chance_are_the_hosts),
	    cmocka_unit_test(polls_are_a_limit),
	    cmocka_unit_test(fingerprints),
	    cmocka_unit_test(bad_options),
	    cmocka_unit_test(a_store_that_is_too_full_can_be_emptied),
	    cmocka_unit_test(every_request_for_memory_may_fail),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
