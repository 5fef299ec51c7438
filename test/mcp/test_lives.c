/* SPDX-License-Identifier: MIT */
/*
 * test_lives.c -- servers that are started when they are wanted, ended when
 * they are idle and started again after they ended.
 *
 * Processes are real. The clock of this program is moved on by the test: no
 * pause, deadline or idle time is waited for.
 */
#include "rig.h"

#include "http_link.h"

#include "common/net.h"
#include "servers/supervise.h"
#include "skewed_clock.h"

#include <stdio.h>
#include <string.h>
#include <unistd.h>

enum { MINUTE_MS = 60 * 1000 };

/* ------------------------------------------------------------------- clock */

static uint64_t
now_ms(void)
{
	return uv_hrtime() / 1000000;
}

/* What is due by then is done. */
static void
pass_time(rig *d, uint64_t ms)
{
	ahead_ms += ms;
	rig_wait(d, 1);
}

/* ---------------------------------------------------------------- starting */

static void
a_call_starts_its_server_and_no_other(void **state)
{
	size_t n;
	rig d;

	(void)state;
	rig_init(&d);
	rig_add(&d, "a", FAKE, NULL);
	rig_add(&d, "b", FAKE, NULL);
	rig_open(&d);
	assert_int_equal(servers_state(d.s, 0), SERVER_OFF);
	assert_null(servers_tools(d.s, 0, &n));
	assert_int_equal(n, 0);
	rig_ask(&d, 1, 7, "echo", "{\"a\":1}");
	rig_expect(&d, "1 up\n7={\"a\":1}\n");
	assert_int_equal(servers_state(d.s, 0), SERVER_OFF);
	assert_int_equal(rig_marked(d.mark), 2); /* and its supervisor */
	rig_stop(&d, RIG_LONG_MS);
	rig_fini(&d);
}

static void
calls_wait_in_order_and_can_be_cancelled(void **state)
{
	rig d;

	(void)state;
	rig_init(&d);
	rig_add(&d, "a", FAKE, NULL);
	rig_open(&d);
	for (uint32_t i = 1; i <= 4; i++)
		servers_call(d.s, 0, i, TEXT("echo"), TEXT("{}"), 0);
	servers_cancel(d.s, 0, 2, TEXT("enough"));
	rig_answers(&d, 3);
	rig_expect(&d, "0 up\n1={}\n3={}\n4={}\n");
	rig_fini(&d);
}

/* A server that is "slow" goes on. */
static void
open_gate(const rig *d, bool open)
{
	char path[200];

	snprintf(path, sizeof(path), "/tmp/%s", strchr(d->mark, '=') + 1);
	if (open)
		fclose(fopen(path, "we"));
	else
		unlink(path);
}

static void
a_late_server_is_used_once_it_is_up(void **state)
{
	rig d;

	(void)state;
	rig_init(&d);
	rig_add(&d, "a", FAKE, "slow", NULL);
	rig_launch(&d);
	pass_time(&d, 30 * 1000);
	rig_expect(&d, "0 late: it did not come up within 30000 ms\n");
	/* A call is not kept waiting for it. */
	rig_ask(&d, 0, 1, "echo", "{}");
	rig_expect(&d,
	    "1!The server is still starting: it did not come up within "
	    "30000 ms\n");
	open_gate(&d, true);
	rig_until(&d, "0 up\n");
	open_gate(&d, false);
	buf_clear(&d.log);
	rig_ask(&d, 0, 2, "echo", "{}");
	rig_expect(&d, "2={}\n");
	rig_fini(&d);
}

static void
one_that_stays_late_is_given_up(void **state)
{
	rig d;

	(void)state;
	rig_init(&d);
	rig_add(&d, "a", FAKE, "mute", NULL);
	rig_launch(&d);
	pass_time(&d, 30 * 1000);
	pass_time(&d, 90 * 1000);
	rig_until(&d, "0 failed");
	rig_until_unmarked(d.mark, &d);
	rig_expect_start(
	    &d, "0 late: it did not come up within 30000 ms\n0 failed: ");
	rig_fini(&d);
}

/* ------------------------------------------------------------------- dying */

static void
kill_it(rig *d, uint32_t call)
{
	rig_ask(d, 0, call, "die", "{}");
	rig_until(d, "0 failed");
	buf_clear(&d->log);
}

static void
the_next_call_starts_a_server_that_died(void **state)
{
	size_t before, between;
	const mcp_tool *tools;
	rig d;

	(void)state;
	rig_init(&d);
	rig_add(&d, "a", FAKE, NULL);
	rig_start(&d);
	servers_tools(d.s, 0, &before);
	kill_it(&d, 1);
	rig_until_unmarked(d.mark, &d); /* nothing is started by itself */
	assert_int_equal(servers_state(d.s, 0), SERVER_FAILED);
	tools = servers_tools(d.s, 0, &between);
	assert_int_equal(before, between);
	assert_true(tools[0].name.len > 0);
	rig_ask(&d, 0, 2, "echo", "{\"b\":2}");
	rig_expect(&d, "0 up\n2={\"b\":2}\n");
	rig_fini(&d);
}

/* The call that killed it is not made again, the one behind it is made. */
static void
a_call_that_comes_while_it_dies_goes_to_the_next_life(void **state)
{
	rig d;

	(void)state;
	rig_init(&d);
	rig_add(&d, "a", FAKE, "ignore-eof", NULL);
	rig_start(&d);
	buf_clear(&d.log);
	servers_call(d.s, 0, 1, TEXT("close_stdout"), TEXT("{}"), 0);
	rig_wait(&d, 100); /* it closes its stdout, and has 500 ms to exit */
	servers_call(d.s, 0, 2, TEXT("echo"), TEXT("{}"), 0);
	rig_answers(&d, 2);
	rig_expect(&d, "1!The server is gone: it closed its stdout\n"
		       "0 failed: it closed its stdout\n0 up\n2={}\n");
	rig_fini(&d);
}

static void
pauses_grow_and_the_sixth_end_is_told(void **state)
{
	static const uint64_t pauses[] = {0, 1000, 2000, 4000, 8000};
	uint64_t begun;
	rig d;

	(void)state;
	rig_init(&d);
	rig_add(&d, "a", FAKE, NULL);
	rig_start(&d);
	begun = now_ms();
	for (uint32_t i = 0; i < 5; i++) {
		uint64_t from;

		kill_it(&d, 10 + i);
		from = now_ms();
		servers_call(d.s, 0, 20 + i, TEXT("echo"), TEXT("{}"), 0);
		ahead_ms += pauses[i] > 0 ? pauses[i] - 500 : 0;
		rig_answers(&d, 1);
		assert_true(now_ms() - from + 1 >= pauses[i]);
	}
	kill_it(&d, 15);
	rig_ask(&d, 0, 25, "echo", "{}");
	rig_expect(&d,
	    "25!The server is gone: it ended 6 times within ten minutes and is "
	    "not started again for now; the last time: it exited with code 3 "
	    "(its last words on stderr: fatal: the disk is full)\n");
	assert_true(now_ms() - begun < 10 * MINUTE_MS);
	pass_time(&d, 10 * MINUTE_MS);
	rig_ask(&d, 0, 26, "echo", "{}");
	rig_expect(&d, "0 up\n26={}\n");
	rig_fini(&d);
}

/* Each call is told, and the script that wants it makes it try again. */
static void
try_until_spent(rig *d, const char *told)
{
	rig_start(d);
	for (int i = 0; i < 5; i++) {
		rig_expect_start(d, told);
		rig_until_unmarked(d->mark, d);
		servers_want(d->s, 0);
		pass_time(d, 8000);
		rig_until(d, "0 failed");
	}
	rig_expect_start(d, "0 failed: it ended 6 times within ten minutes");
	rig_until_unmarked(d->mark, d);
	servers_want(d->s, 0);
	assert_int_equal(servers_state(d->s, 0), SERVER_FAILED);
	rig_wait(d, 50);
	rig_expect(d, "");
	rig_fini(d);
}

static void
one_that_cannot_start_is_tried_when_wanted(void **state)
{
	rig d;

	(void)state;
	rig_init(&d);
	rig_add(&d, "a", FAKE, "fail", NULL);
	try_until_spent(&d, "0 failed: it exited with code 4");
}

/* A URL has no process, but starts all the same. */
static void
a_url_that_cannot_be_reached_is_tried_as_often(void **state)
{
	server_config *c;
	rig d;

	(void)state;
	rig_init(&d);
	c = rig_add(&d, "a", NULL);
	c->reach = REACH_HTTP;
	c->url = "http://127.0.0.1:1/mcp";
	try_until_spent(
	    &d, "0 failed: no connection to 127.0.0.1:1: Connection refused");
}

/* -------------------------------------------------------------------- idle */

static void
an_idle_server_is_ended_and_comes_back(void **state)
{
	rig d;

	(void)state;
	rig_init(&d);
	rig_add(&d, "a", FAKE, NULL)->idle_ms = 10 * MINUTE_MS;
	rig_start(&d);
	/* More often than one that dies may be started. */
	for (uint32_t i = 1; i <= 20; i++) {
		buf_clear(&d.log);
		pass_time(&d, 10 * MINUTE_MS);
		rig_until(&d, "0 off");
		rig_until_unmarked(d.mark, &d);
		buf_clear(&d.log);
		rig_ask(&d, 0, i, "echo", "{}");
		rig_expect_start(&d, "0 up\n");
		assert_int_equal(servers_state(d.s, 0), SERVER_UP);
	}
	rig_fini(&d);
}

static void
a_server_with_a_call_is_not_idle(void **state)
{
	rig d;

	(void)state;
	rig_init(&d);
	rig_add(&d, "a", FAKE, NULL)->idle_ms = MINUTE_MS;
	rig_start(&d);
	buf_clear(&d.log);
	servers_call(d.s, 0, 1, TEXT("silent"), TEXT("{}"), CM_NO_LIMIT);
	pass_time(&d, 100 * MINUTE_MS);
	assert_int_equal(servers_state(d.s, 0), SERVER_UP);
	servers_cancel(d.s, 0, 1, TEXT_NONE);
	pass_time(&d, MINUTE_MS / 2);
	assert_int_equal(servers_state(d.s, 0), SERVER_UP);
	pass_time(&d, MINUTE_MS);
	rig_until(&d, "0 off");
	rig_fini(&d);
}

static void
a_call_that_comes_while_it_ends_for_idleness_is_made(void **state)
{
	rig d;

	(void)state;
	rig_init(&d);
	rig_add(&d, "a", FAKE, NULL)->idle_ms = MINUTE_MS;
	rig_start(&d);
	buf_clear(&d.log);
	pass_time(&d, MINUTE_MS);
	assert_int_equal(servers_state(d.s, 0), SERVER_OFF);
	rig_ask(&d, 0, 1, "echo", "{}");
	rig_expect(&d, "0 off\n0 up\n1={}\n");
	rig_fini(&d);
}

/* --------------------------------------------------------------------- end */

static void
calls_that_wait_fail_when_all_ends(void **state)
{
	rig d;

	(void)state;
	rig_init(&d);
	rig_add(&d, "a", FAKE, "mute", NULL);
	rig_add(&d, "b", FAKE, NULL);
	rig_open(&d);
	servers_call(d.s, 0, 1, TEXT("echo"), TEXT("{}"), 0);
	rig_wait(&d, 1);
	servers_call(d.s, 1, 2, TEXT("echo"), TEXT("{}"), 0);
	rig_stop(&d, RIG_LONG_MS);
	rig_answers(&d, 2);
	assert_int_equal(servers_state(d.s, 1), SERVER_OFF);
	rig_fini(&d);
}

/* ------------------------------------------------------------- in any order */

enum { STEPS = 200, CALLS_MAX = STEPS + 1 };

/* How often the call was answered. */
static size_t
count_answers(const rig *d, uint32_t call)
{
	text rest = buf_view(&d->log), line;
	char ok[16], failed[16];
	size_t n = 0;

	snprintf(ok, sizeof(ok), "%u=", call);
	snprintf(failed, sizeof(failed), "%u!", call);
	while (text_line(&rest, &line))
		n += text_starts(line, text_of(ok)) ||
		     text_starts(line, text_of(failed));
	return n;
}

static uint32_t
draw(uint32_t *seed, uint32_t n)
{
	*seed = *seed * 1664525 + 1013904223;
	return (*seed >> 8) % n;
}

typedef struct random_calls {
	uint32_t seed;
	uint32_t made; /* they have the numbers from 1 on */
	size_t server[CALLS_MAX];
	bool cancelled[CALLS_MAX];
} random_calls;

static void
make_random_call(rig *d, random_calls *c, const char *tool)
{
	size_t server = draw(&c->seed, (uint32_t)d->n);

	c->server[++c->made] = server;
	assert_int_equal(servers_call(d->s, server, c->made, text_of(tool),
			     TEXT("{}"), 30000),
	    CM_OK);
}

static void
cancel_random_call(rig *d, random_calls *c)
{
	uint32_t call = draw(&c->seed, c->made + 1);

	if (call == 0 || c->cancelled[call] || count_answers(d, call) > 0)
		return;
	c->cancelled[call] = true;
	servers_cancel(d->s, c->server[call], call, TEXT("enough"));
}

static void
take_random_step(rig *d, random_calls *c)
{
	static const char *const tools[] = {
	    "echo", "echo", "echo", "die", "silent"};
	uint32_t kind = draw(&c->seed, 10);

	if (kind < 5) {
		make_random_call(d, c, tools[kind]);
	} else if (kind < 6) {
		servers_want(d->s, draw(&c->seed, (uint32_t)d->n));
	} else if (kind < 7) {
		pass_time(d, draw(&c->seed, 20000));
	} else if (kind < 8) {
		cancel_random_call(d, c);
	} else {
		rig_wait(d, draw(&c->seed, 5));
	}
}

/* Each call is answered once, whatever its server does, and nothing is left. */
static void
each_call_is_answered_once(void **state)
{
	random_calls c = {.seed = 20260728};
	rig d;

	(void)state;
	rig_init(&d);
	rig_add(&d, "a", FAKE, NULL)->idle_ms = 5000;
	rig_add(&d, "b", FAKE, "ignore-eof", NULL);
	rig_add(&d, "c", FAKE, "fail", NULL);
	rig_open(&d);
	for (int i = 0; i < STEPS; i++)
		take_random_step(&d, &c);
	for (uint32_t call = 1; call <= c.made; call++)
		for (int i = 0; i < 100 && !c.cancelled[call] &&
				count_answers(&d, call) == 0;
		     i++)
			pass_time(&d, 10000);
	rig_stop(&d, 500);
	for (uint32_t call = 1; call <= c.made; call++)
		assert_int_equal(count_answers(&d, call), !c.cancelled[call]);
	rig_fini(&d);
}

int
main(int argc, char **argv)
{
	const struct CMUnitTest tests[] = {
	    cmocka_unit_test(a_call_starts_its_server_and_no_other),
	    cmocka_unit_test(calls_wait_in_order_and_can_be_cancelled),
	    cmocka_unit_test(a_late_server_is_used_once_it_is_up),
	    cmocka_unit_test(one_that_stays_late_is_given_up),
	    cmocka_unit_test(the_next_call_starts_a_server_that_died),
	    cmocka_unit_test(
		a_call_that_comes_while_it_dies_goes_to_the_next_life),
	    cmocka_unit_test(pauses_grow_and_the_sixth_end_is_told),
	    cmocka_unit_test(one_that_cannot_start_is_tried_when_wanted),
	    cmocka_unit_test(a_url_that_cannot_be_reached_is_tried_as_often),
	    cmocka_unit_test(an_idle_server_is_ended_and_comes_back),
	    cmocka_unit_test(a_server_with_a_call_is_not_idle),
	    cmocka_unit_test(
		a_call_that_comes_while_it_ends_for_idleness_is_made),
	    cmocka_unit_test(calls_that_wait_fail_when_all_ends),
	    cmocka_unit_test(each_call_is_answered_once),
	};
	const net parts = {.link = http_link};
	int r = supervise_main(argc, argv);

	if (r >= 0)
		return r;
	clean_start();
	net_init(&parts, argv);
	return cmocka_run_group_tests(tests, NULL, NULL);
}
