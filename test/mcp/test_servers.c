/* SPDX-License-Identifier: MIT */
/*
 * test_servers.c -- the process host against a server that misbehaves in each
 * way that it knows (fake.c), with real processes and real time.
 *
 * Each test ends in rig_fini, which fails when a process is left.
 */
#include "rig.h"

#include "servers/supervise.h"

#include <fcntl.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

/* ------------------------------------------------------------ as it should be */

static void
calls_go_to_and_fro(void **state)
{
	rig d;

	(void)state;
	rig_init(&d);
	rig_add(&d, "a", FAKE, NULL);
	rig_start(&d);
	rig_expect(&d, "0 up\n");
	rig_ask(&d, 0, 7, "echo", "{\"a\":1}");
	rig_expect(&d, "7={\"a\":1}\n");
	rig_ask(&d, 0, 8, "nothing", "{}");
	rig_expect(&d, "8!no such tool\n");
	rig_ask(&d, 0, 9, "ask_back", "{}");
	rig_expect_start(&d,
	    "0?it asks for \"roots/list\", which is not offered\n"
	    "9=\"{\\\"jsonrpc\\\":\\\"2.0\\\",\\\"id\\\":\\\"q1\\\",\\\"result"
	    "\\\":{}}{\\\"jsonrpc\\\":\\\"2.0\\\",\\\"id\\\":77,"
	    "\\\"error\\\":");
	rig_stop(&d, RIG_LONG_MS); /* the end of its stdin is enough */
	rig_expect(&d, "0 failed: it was stopped\n");
	rig_fini(&d);
}

static void
many_calls_share_one_connection(void **state)
{
	enum { CALLS = 1000 };
	rig d;
	uint32_t i;

	(void)state;
	rig_init(&d);
	rig_add(&d, "a", FAKE, NULL);
	rig_start(&d);
	buf_clear(&d.log);
	for (i = 1; i <= CALLS; i++)
		servers_call(d.s, 0, i, TEXT("echo"), TEXT("{}"), 0);
	assert_int_equal(d.log.len, 0); /* never before the call returns */
	rig_answers(&d, CALLS);
	rig_expect_start(&d, "1={}\n2={}\n3={}\n");
	rig_fini(&d);
}

/* More than any pipe holds, both ways: neither side may wait for the other. */
static void
large_arguments_come_through(void **state)
{
	size_t n = (size_t)3 << 20;
	char *args = malloc(n + 1);
	rig d;

	(void)state;
	memset(args, ' ', n);
	args[n] = '\0';
	args[0] = '{';
	args[n - 1] = '}';
	memcpy(args + 1, "\"k\":\"", 5);
	memset(args + 6, 'y', n - 8);
	args[n - 2] = '"';
	rig_init(&d);
	rig_add(&d, "a", FAKE, NULL);
	rig_start(&d);
	buf_clear(&d.log);
	for (uint32_t i = 1; i <= 4; i++)
		servers_call(d.s, 0, i, TEXT("echo"), (text){args, n}, 0);
	rig_answers(&d, 4);
	assert_int_equal(d.log.len, 4 * (n + 3));
	free(args);
	rig_fini(&d);
}

static void
servers_are_born_clean(void **state)
{
	static char folder[] = "/usr";
	rig d;
	int junk = open("/dev/null", O_RDONLY);

	(void)state;
	/* as a careless parent would leave it */
	signal(SIGUSR1, SIG_IGN);
	assert_true(junk >= 0);
	assert_true(dup2(junk, 37) == 37);
	rig_init(&d);
	rig_add(&d, "a", FAKE, NULL)->cwd = folder;
	rig_start(&d);
	buf_clear(&d.log);
	rig_ask(&d, 0, 1, "born", "{}");
	rig_expect(&d, "1=\"0 1 2 SigIgn=0 SigBlk=0 leader=1 depth=1 cwd=/usr\""
		       "\n");
	/* Its three pipes' places, the line and its signals. A busy machine may
	 * run the server before the supervisor has closed what it handed on. */
	rig_until_open_files(rig_supervisor(), 5);
	close(37);
	close(junk);
	signal(SIGUSR1, SIG_DFL);
	rig_fini(&d);
}

/* -------------------------------------------------------------- odd bytes */

static void
odd_bytes_are_read_right(void **state)
{
	rig d;

	(void)state;
	rig_init(&d);
	rig_add(&d, "a", FAKE, "talkative", NULL);
	rig_start(&d);
	rig_expect(&d, "0?it writes to stdout what is no message: fake is ready"
		       "\n0 up\n");
	rig_ask(&d, 0, 1, "separators", "{}");
	rig_expect(&d, "1=\"a\xE2\x80\xA8"
		       "b\xE2\x80\xA9"
		       "c\xC2\x85\"\n");
	rig_ask(&d, 0, 2, "split", "{}");
	rig_expect(&d, "2=\"\xE2\x82\xAC\"\n");
	rig_ask(&d, 0, 3, "crlf", "{}");
	rig_expect(&d, "3=\"crlf\"\n");
	rig_ask(&d, 0, 4, "noise", "{}");
	rig_expect(&d, "4={}\n");
	rig_ask(&d, 0, 5, "not_utf8", "{}");
	rig_expect(&d, "5!The server's reply is broken: it is not valid UTF-8"
		       "\n");
	rig_fini(&d);
}

static void
a_line_of_20_mib_is_one_answer(void **state)
{
	rig d;

	(void)state;
	rig_init(&d);
	rig_add(&d, "a", FAKE, NULL);
	rig_start(&d);
	buf_clear(&d.log);
	rig_ask(&d, 0, 1, "long", "{}");
	assert_int_equal(d.log.len, ((size_t)20 << 20) + 5);
	rig_fini(&d);
}

static void
stderr_is_always_read(void **state)
{
	rig d;

	(void)state;
	rig_init(&d);
	rig_add(&d, "a", FAKE, "loud", NULL);
	rig_start(&d);
	rig_expect(&d, "0 up\n");
	rig_ask(&d, 0, 1, "stderr", "{}");
	rig_expect(&d, "1={}\n");
	rig_fini(&d);
}

/* A run has one catalog from its beginning to its end. */
static void
tools_of_a_run_stay_through_a_storm_of_changes(void **state)
{
	size_t before, after;
	rig d;

	(void)state;
	rig_init(&d);
	rig_add(&d, "a", FAKE, NULL);
	rig_start(&d);
	buf_clear(&d.log);
	servers_tools(d.s, 0, &before);
	rig_ask(&d, 0, 1, "storm", "{}");
	rig_ask(&d, 0, 2, "echo", "{}"); /* what stands before it was read */
	rig_expect(&d, "1={}\n2={}\n");
	servers_tools(d.s, 0, &after);
	assert_int_equal(before, after);
	rig_fini(&d);
}

/* ------------------------------------------------------------- odd replies */

static void
a_second_reply_is_dropped(void **state)
{
	rig d;

	(void)state;
	rig_init(&d);
	rig_add(&d, "a", FAKE, NULL);
	rig_start(&d);
	buf_clear(&d.log);
	rig_ask(&d, 0, 1, "twice", "{}");
	rig_until(&d, "dropped");
	rig_expect(&d,
	    "1=\"first\"\n0?it answered a call that was over already;"
	    " the answer is dropped\n");
	rig_fini(&d);
}

static void
time_and_cancelling_reach_the_server(void **state)
{
	rig d;

	(void)state;
	rig_init(&d);
	rig_add(&d, "a", FAKE, NULL);
	rig_start(&d);
	buf_clear(&d.log);
	servers_call(d.s, 0, 1, TEXT("silent"), TEXT("{}"), 100);
	rig_answers(&d, 1);
	rig_expect(&d, "1!The tool did not answer within 100 ms\n");
	rig_ask(&d, 0, 2, "cancelled", "{}");
	rig_expect(&d, "2=\"4\"\n");
	servers_call(d.s, 0, 3, TEXT("silent"), TEXT("{}"), 0);
	servers_cancel(d.s, 0, 3, TEXT("enough"));
	rig_ask(&d, 0, 4, "answer_cancelled", "{}");
	rig_expect(&d, "0?it answered a call that was over already; the answer "
		       "is dropped\n4={}\n");
	rig_fini(&d);
}

static void
odd_lists_are_used_as_far_as_they_go(void **state)
{
	size_t n;
	rig d;

	(void)state;
	rig_init(&d);
	rig_add(&d, "a", FAKE, "looping", NULL);
	rig_add(&d, "b", FAKE, "bad-tools", NULL);
	rig_start(&d);
	servers_tools(d.s, 0, &n);
	assert_int_equal(n, 19);
	servers_tools(d.s, 1, &n);
	assert_int_equal(n, 20);
	rig_fini(&d);
}

/* ------------------------------------------------------------------ failing */

static void
a_bad_server_harms_no_other(void **state)
{
	static char nowhere[] = "/nowhere";
	uint64_t from;
	rig d;

	(void)state;
	rig_init(&d);
	rig_add(&d, "good", FAKE, NULL);
	rig_add(&d, "mute", FAKE, "mute", NULL)->startup_ms = 400;
	rig_add(&d, "fail", FAKE, "fail", NULL);
	rig_add(&d, "absent", "no-such-program-here", NULL);
	rig_add(&d, "homeless", FAKE, NULL)->cwd = nowhere;
	rig_add(&d, "future", FAKE, "future", NULL);
	rig_add(&d, "framed", FAKE, "framed", NULL);
	from = uv_hrtime();
	rig_start(&d);
	assert_true((uv_hrtime() - from) / 1000000 >= 390);
	assert_int_equal(servers_state(d.s, 0), SERVER_UP);
	/* Late by now; given up after four times as long. */
	while (servers_state(d.s, 1) != SERVER_FAILED)
		rig_wait(&d, 10);
	buf_clear(&d.log);
	for (size_t i = 1; i < d.n; i++)
		buf_printf(&d.log, "%.*s\n", TEXT_ARG(servers_why(d.s, i)));
	rig_expect(&d,
	    "no answer to initialize within 1600 ms\n"
	    "it exited with code 4 (its last words on stderr: cannot find my "
	    "configuration)\n"
	    "it cannot be started: No such file or directory\n"
	    "it cannot be started: there is no directory /nowhere\n"
	    "it speaks MCP revision \"2099-01-01\", which is not known here "
	    "(known: 2024-10-07 to 2026-07-28)\n"
	    "it frames its messages by Content-Length headers; MCP has one "
	    "message a line\n");
	rig_ask(&d, 0, 1, "echo", "{}");
	rig_expect_start(&d, "1={}\n");
	rig_ask(&d, 2, 2, "echo", "{}");
	/* It was started again for the call. */
	rig_expect(&d, "2 failed: it exited with code 4 (its last words on "
		       "stderr: cannot find my configuration)\n"
		       "2!The server is gone: it exited with code 4 (its last "
		       "words on stderr: cannot find my configuration)\n");
	rig_fini(&d);
}

static void
dying_in_a_call_fails_the_call(void **state)
{
	rig d;

	(void)state;
	rig_init(&d);
	rig_add(&d, "a", FAKE, NULL);
	rig_start(&d);
	buf_clear(&d.log);
	servers_call(d.s, 0, 1, TEXT("silent"), TEXT("{}"), 0);
	servers_call(d.s, 0, 2, TEXT("die"), TEXT("{}"), 0);
	rig_answers(&d, 2);
	rig_until(&d, "0 failed");
	rig_expect(&d, "1!The server is gone: it exited with code 3 (its last "
		       "words on stderr: fatal: the disk is full)\n"
		       "2!The server is gone: it exited with code 3 (its last "
		       "words on stderr: fatal: the disk is full)\n"
		       "0 failed: it exited with code 3 (its last words on "
		       "stderr: fatal: the disk is full)\n");
	rig_fini(&d);
}

static void
a_server_that_ends_by_the_probe_is_greeted(void **state)
{
	rig d;

	(void)state;
	rig_init(&d);
	rig_add(&d, "a", FAKE, "strict", NULL);
	rig_start(&d);
	rig_expect(&d, "0 up\n");
	rig_ask(&d, 0, 1, "echo", "{}");
	rig_expect(&d, "1={}\n");
	rig_fini(&d);
}

static void
closing_stdout_is_the_end(void **state)
{
	rig d;

	(void)state;
	rig_init(&d);
	rig_add(&d, "a", FAKE, "ignore-eof", NULL);
	rig_start(&d);
	buf_clear(&d.log);
	rig_ask(&d, 0, 1, "close_stdout", "{}");
	rig_expect_start(&d, "1!The server is gone: it closed its stdout\n");
	rig_fini(&d);
}

static void
a_server_that_does_not_read_blocks_nobody(void **state)
{
	size_t n = (size_t)1 << 20;
	char *args = malloc(n);
	rig d;

	(void)state;
	memset(args, ' ', n);
	args[0] = '{';
	args[n - 1] = '}';
	rig_init(&d);
	rig_add(&d, "deaf", FAKE, "no-reader", NULL)->startup_ms = 300;
	rig_add(&d, "good", FAKE, NULL);
	rig_start(&d);
	buf_clear(&d.log);
	for (uint32_t i = 1; i <= 20; i++)
		servers_call(d.s, 0, i, TEXT("echo"), (text){args, n}, 300);
	rig_answers(&d, 20);
	buf_clear(&d.log);
	rig_ask(&d, 1, 1, "echo", "{}");
	rig_expect_start(&d, "1={}\n");
	free(args);
	rig_fini(&d);
}

/* ------------------------------------------------------------------ ending */

/*
 * Time is the point of some of these tests: a stage must not come too early.
 * That is asserted; how late it comes is only bounded by the 20 s of rig_stop,
 * because a busy machine may delay everything.
 */
static void
stubborn_servers_end_all_the_same(void **state)
{
	rig d;

	(void)state;
	rig_init(&d);
	rig_add(&d, "eof", FAKE, "ignore-eof", NULL);
	rig_add(&d, "term", FAKE, "ignore-eof", "ignore-term", NULL);
	rig_add(&d, "good", FAKE, NULL);
	rig_start(&d);
	assert_true(rig_stop(&d, 200) >= 390); /* both graces of the worst */
	rig_fini(&d);
}

/* SIGKILL would come after twice the grace: two seconds are left for a busy
 * machine to tell the one from the other. */
static void
sigterm_comes_before_sigkill(void **state)
{
	rig d;

	(void)state;
	rig_init(&d);
	rig_add(&d, "eof", FAKE, "ignore-eof", NULL);
	rig_start(&d);
	assert_in_range(rig_stop(&d, 2000), 1990, 3990);
	rig_fini(&d);
}

static void
the_grace_is_two_seconds_each(void **state)
{
	rig d;

	(void)state;
	rig_init(&d);
	rig_add(&d, "term", FAKE, "ignore-eof", "ignore-term", NULL);
	rig_start(&d);
	assert_true(rig_stop(&d, 0) >= 3990);
	rig_fini(&d);
}

static void
a_stop_can_be_hurried(void **state)
{
	rig d;

	(void)state;
	rig_init(&d);
	rig_add(&d, "term", FAKE, "ignore-eof", "ignore-term", NULL);
	rig_start(&d);
	servers_stop(d.s, RIG_LONG_MS, NULL);
	rig_stop(&d, 100);
	rig_fini(&d);
}

static void
killing_is_at_once(void **state)
{
	rig d;

	(void)state;
	rig_init(&d);
	rig_add(&d, "term", FAKE, "ignore-eof", "ignore-term", "parent", NULL);
	rig_add(&d, "mute", FAKE, "mute", "parent", NULL);
	rig_launch(&d);
	rig_until_marked(d.mark, 8);
	servers_kill(d.s); /* and no turn of the loop: as before _exit */
	rig_until_unmarked(d.mark, NULL);
	rig_fini(&d);
}

/* Whatever the grace is: a server that was never up has nothing to finish. */
static void
a_server_that_was_never_up_is_ended_at_once(void **state)
{
	rig d;

	(void)state;
	rig_init(&d);
	rig_add(&d, "a", FAKE, NULL);
	rig_add(&d, "mute", FAKE, "mute", "ignore-eof", NULL);
	rig_add(&d, "deaf", FAKE, "mute", "ignore-eof", "ignore-term", NULL);
	rig_launch(&d);
	rig_until_marked(d.mark, 6);
	rig_stop(&d, RIG_LONG_MS);
	rig_fini(&d);
}

static void
no_servers_are_no_problem(void **state)
{
	rig d;

	(void)state;
	rig_init(&d);
	rig_launch(&d);
	rig_stop(&d, RIG_LONG_MS);
	rig_fini(&d);
}

/* -------------------------------------------------------------- the family */

/* npx and sh -c: the child that we start is not the server. */
static void
wrappers_take_their_servers_along(void **state)
{
	rig d;

	(void)state;
	rig_init(&d);
	rig_add(&d, "sh", "/bin/sh", "-c", FAKE " ignore-eof ignore-term; true",
	    NULL);
	rig_add(
	    &d, "sh", "/bin/sh", "-c", FAKE " ignore-eof parent; true", NULL);
	rig_start(&d);
	assert_int_equal(servers_state(d.s, 0), SERVER_UP);
	assert_int_equal(servers_state(d.s, 1), SERVER_UP);
	rig_stop(&d, 150);
	rig_fini(&d);
}

static void
what_a_server_leaves_behind_goes_too(void **state)
{
	rig d;

	(void)state;
	rig_init(&d);
	rig_add(&d, "parent", FAKE, "parent", NULL);
	rig_start(&d);
	rig_until_marked(d.mark, 4);
	/* What it leaves behind ignores SIGTERM and gets a second. */
	assert_true(rig_stop(&d, 0) >= 900);
	rig_fini(&d);
}

/* The kernel kills the server, we its group: the loop need not even turn. */
static void
a_killed_supervisor_takes_its_server_along(void **state)
{
	pid_t pid;
	rig d;

	(void)state;
	rig_init(&d);
	rig_add(&d, "a", FAKE, "ignore-eof", "ignore-term", NULL);
	rig_start(&d);
	buf_clear(&d.log);
	pid = rig_supervisor();
	assert_true(pid > 0);
	kill(pid, SIGKILL);
	rig_until_unmarked(d.mark, NULL);
	rig_ask(&d, 0, 1, "silent", "{}");
	rig_expect_start(&d, "1!The server is gone: it ended\n");
	rig_fini(&d);
}

static void
a_killed_supervisor_takes_its_group_along(void **state)
{
	rig d;

	(void)state;
	rig_init(&d);
	rig_add(&d, "sh", "/bin/sh", "-c", FAKE " ignore-eof ignore-term; true",
	    NULL);
	rig_start(&d);
	kill(rig_supervisor(), SIGKILL);
	rig_until_unmarked(d.mark, &d);
	rig_fini(&d);
}

/* ------------------------------------------------------------ kill -9 to us */

/* A program with servers that have families, to be killed by its parent. */
static _Noreturn void
victim(char *mark)
{
	rig d;

	rig_init(&d);
	d.env[2] = mark;
	rig_add(&d, "a", FAKE, "ignore-eof", "ignore-term", "parent", NULL);
	rig_add(
	    &d, "b", "/bin/sh", "-c", FAKE " ignore-eof parent; true", NULL);
	rig_add(&d, "c", FAKE, "mute", NULL);
	rig_launch(&d);
	while (servers_state(d.s, 0) != SERVER_UP ||
	       servers_state(d.s, 1) != SERVER_UP)
		rig_wait(&d, 10);
	puts("ready");
	fflush(stdout);
	for (;;)
		rig_wait(&d, 1000);
}

static void
kill_9_leaves_nothing_behind(void **state)
{
	char mark[64], word[8] = "";
	int out[2];
	pid_t pid;

	(void)state;
	snprintf(mark, sizeof(mark), "RIG_MARK=victim.%d", getpid());
	assert_int_equal(pipe(out), 0);
	pid = fork();
	if (pid == 0) {
		dup2(out[1], 1);
		execl("/proc/self/exe", "test_servers", "--victim", mark, NULL);
		_exit(1);
	}
	close(out[1]);
	assert_true(read(out[0], word, sizeof(word) - 1) > 0);
	assert_string_equal(word, "ready\n");
	close(out[0]);
	rig_until_marked(mark, 10);
	kill(pid, SIGKILL);
	waitpid(pid, NULL, 0);
	rig_until_unmarked(mark, NULL);
}

int
main(int argc, char **argv)
{
	const struct CMUnitTest tests[] = {
	    cmocka_unit_test(calls_go_to_and_fro),
	    cmocka_unit_test(many_calls_share_one_connection),
	    cmocka_unit_test(large_arguments_come_through),
	    cmocka_unit_test(servers_are_born_clean),
	    cmocka_unit_test(odd_bytes_are_read_right),
	    cmocka_unit_test(a_line_of_20_mib_is_one_answer),
	    cmocka_unit_test(stderr_is_always_read),
	    cmocka_unit_test(tools_of_a_run_stay_through_a_storm_of_changes),
	    cmocka_unit_test(a_second_reply_is_dropped),
	    cmocka_unit_test(time_and_cancelling_reach_the_server),
	    cmocka_unit_test(odd_lists_are_used_as_far_as_they_go),
	    cmocka_unit_test(a_bad_server_harms_no_other),
	    cmocka_unit_test(dying_in_a_call_fails_the_call),
	    cmocka_unit_test(a_server_that_ends_by_the_probe_is_greeted),
	    cmocka_unit_test(closing_stdout_is_the_end),
	    cmocka_unit_test(a_server_that_does_not_read_blocks_nobody),
	    cmocka_unit_test(stubborn_servers_end_all_the_same),
	    cmocka_unit_test(sigterm_comes_before_sigkill),
	    cmocka_unit_test(the_grace_is_two_seconds_each),
	    cmocka_unit_test(a_stop_can_be_hurried),
	    cmocka_unit_test(killing_is_at_once),
	    cmocka_unit_test(a_server_that_was_never_up_is_ended_at_once),
	    cmocka_unit_test(no_servers_are_no_problem),
	    cmocka_unit_test(wrappers_take_their_servers_along),
	    cmocka_unit_test(what_a_server_leaves_behind_goes_too),
	    cmocka_unit_test(a_killed_supervisor_takes_its_server_along),
	    cmocka_unit_test(a_killed_supervisor_takes_its_group_along),
	    cmocka_unit_test(kill_9_leaves_nothing_behind),
	};
	int r = supervise_main(argc, argv);

	if (r >= 0)
		return r;
	clean_start();
	if (argc == 3 && !strcmp(argv[1], "--victim"))
		victim(argv[2]);
	return cmocka_run_group_tests(tests, NULL, NULL);
}
