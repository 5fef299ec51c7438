/* SPDX-License-Identifier: MIT */
/*
 * test_servers.c -- the process host against a server that misbehaves in each
 * way that it knows (fake.c), with real processes and real time.
 *
 * Each test ends in drive_fini, which fails when a process is left.
 */
#include "drive.h"

#include "supervise.h"

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
	drive d;

	(void)state;
	drive_init(&d);
	drive_add(&d, "a", FAKE, NULL);
	drive_start(&d);
	drive_expect(&d, "0 up\n");
	drive_ask(&d, 0, 7, "echo", "{\"a\":1}");
	drive_expect(&d, "7={\"a\":1}\n");
	drive_ask(&d, 0, 8, "nothing", "{}");
	drive_expect(&d, "8!no such tool\n");
	drive_ask(&d, 0, 9, "ask_back", "{}");
	drive_expect_start(&d,
	    "0?it asks for \"roots/list\", which is not offered\n"
	    "9=\"{\\\"jsonrpc\\\":\\\"2.0\\\",\\\"id\\\":\\\"q1\\\",\\\"result"
	    "\\\":{}}{\\\"jsonrpc\\\":\\\"2.0\\\",\\\"id\\\":77,"
	    "\\\"error\\\":");
	assert_in_range(drive_stop(&d, 0), 0, 1500);
	drive_expect(&d, "0 failed: it was stopped\n");
	drive_fini(&d);
}

static void
many_calls_share_one_connection(void **state)
{
	enum { CALLS = 1000 };
	drive d;
	uint32_t i;

	(void)state;
	drive_init(&d);
	drive_add(&d, "a", FAKE, NULL);
	drive_start(&d);
	buf_clear(&d.log);
	for (i = 1; i <= CALLS; i++)
		servers_call(d.s, 0, i, TEXT("echo"), TEXT("{}"), 0);
	assert_int_equal(d.log.len, 0); /* never before the call returns */
	drive_answers(&d, CALLS);
	drive_expect_start(&d, "1={}\n2={}\n3={}\n");
	assert_true(servers_received(d.s) > CALLS * (uint64_t)60);
	drive_fini(&d);
}

/* More than any pipe holds, both ways: neither side may wait for the other. */
static void
large_arguments_come_through(void **state)
{
	size_t n = (size_t)3 << 20;
	char *args = malloc(n + 1);
	drive d;

	(void)state;
	memset(args, ' ', n);
	args[n] = '\0';
	args[0] = '{';
	args[n - 1] = '}';
	memcpy(args + 1, "\"k\":\"", 5);
	memset(args + 6, 'y', n - 8);
	args[n - 2] = '"';
	drive_init(&d);
	drive_add(&d, "a", FAKE, NULL);
	drive_start(&d);
	buf_clear(&d.log);
	for (uint32_t i = 1; i <= 4; i++)
		servers_call(d.s, 0, i, TEXT("echo"), (text){args, n}, 0);
	drive_answers(&d, 4);
	assert_int_equal(d.log.len, 4 * (n + 3));
	free(args);
	drive_fini(&d);
}

static void
servers_are_born_clean(void **state)
{
	static char folder[] = "/usr";
	drive d;
	int junk = open("/dev/null", O_RDONLY);

	(void)state;
	/* as a careless parent would leave it */
	signal(SIGUSR1, SIG_IGN);
	assert_true(junk >= 0);
	assert_true(dup2(junk, 37) == 37);
	drive_init(&d);
	drive_add(&d, "a", FAKE, NULL)->cwd = folder;
	drive_start(&d);
	buf_clear(&d.log);
	drive_ask(&d, 0, 1, "born", "{}");
	drive_expect(&d,
	    "1=\"0 1 2 SigIgn=0 SigBlk=0 leader=1 depth=1 cwd=/usr\""
	    "\n");
	/* its three pipes' places, the line and its signals */
	assert_int_equal(drive_open_files(drive_supervisor()), 5);
	close(37);
	close(junk);
	signal(SIGUSR1, SIG_DFL);
	drive_fini(&d);
}

/* -------------------------------------------------------------- odd bytes */

static void
odd_bytes_are_read_right(void **state)
{
	drive d;

	(void)state;
	drive_init(&d);
	drive_add(&d, "a", FAKE, "talkative", NULL);
	drive_start(&d);
	drive_expect(&d,
	    "0?it writes to stdout what is no message: fake is ready"
	    "\n0 up\n");
	drive_ask(&d, 0, 1, "separators", "{}");
	drive_expect(&d, "1=\"a\xE2\x80\xA8"
			 "b\xE2\x80\xA9"
			 "c\xC2\x85\"\n");
	drive_ask(&d, 0, 2, "split", "{}");
	drive_expect(&d, "2=\"\xE2\x82\xAC\"\n");
	drive_ask(&d, 0, 3, "crlf", "{}");
	drive_expect(&d, "3=\"crlf\"\n");
	drive_ask(&d, 0, 4, "noise", "{}");
	drive_expect(&d, "4={}\n");
	drive_ask(&d, 0, 5, "not_utf8", "{}");
	drive_expect(&d, "5!The server's reply is broken: it is not valid UTF-8"
			 "\n");
	drive_fini(&d);
}

static void
a_line_of_20_mib_is_one_answer(void **state)
{
	drive d;

	(void)state;
	drive_init(&d);
	drive_add(&d, "a", FAKE, NULL);
	drive_start(&d);
	buf_clear(&d.log);
	drive_ask(&d, 0, 1, "long", "{}");
	assert_int_equal(d.log.len, ((size_t)20 << 20) + 5);
	drive_fini(&d);
}

static void
stderr_is_always_read(void **state)
{
	drive d;

	(void)state;
	drive_init(&d);
	drive_add(&d, "a", FAKE, "loud", NULL);
	drive_start(&d);
	drive_expect(&d, "0 up\n");
	drive_ask(&d, 0, 1, "stderr", "{}");
	drive_expect(&d, "1={}\n");
	drive_fini(&d);
}

static void
a_storm_of_changes_is_no_matter(void **state)
{
	drive d;

	(void)state;
	drive_init(&d);
	drive_add(&d, "a", FAKE, NULL);
	drive_start(&d);
	buf_clear(&d.log);
	drive_ask(&d, 0, 1, "storm", "{}");
	drive_wait(&d, 400);
	drive_expect(&d, "1={}\n");
	drive_fini(&d);
}

/* ------------------------------------------------------------- odd replies */

static void
a_second_reply_is_dropped(void **state)
{
	drive d;

	(void)state;
	drive_init(&d);
	drive_add(&d, "a", FAKE, NULL);
	drive_start(&d);
	buf_clear(&d.log);
	drive_ask(&d, 0, 1, "twice", "{}");
	drive_wait(&d, 50);
	drive_expect(&d,
	    "1=\"first\"\n0?it answered a call that was over already;"
	    " the answer is dropped\n");
	drive_fini(&d);
}

static void
time_and_cancelling_reach_the_server(void **state)
{
	drive d;

	(void)state;
	drive_init(&d);
	drive_add(&d, "a", FAKE, NULL);
	drive_start(&d);
	buf_clear(&d.log);
	servers_call(d.s, 0, 1, TEXT("silent"), TEXT("{}"), 100);
	drive_answers(&d, 1);
	drive_expect(&d, "1!The tool did not answer within 100 ms\n");
	drive_ask(&d, 0, 2, "cancelled", "{}");
	drive_expect(&d, "2=\"3\"\n");
	servers_call(d.s, 0, 3, TEXT("silent"), TEXT("{}"), 0);
	servers_cancel(d.s, 0, 3, TEXT("enough"));
	drive_ask(&d, 0, 4, "answer_cancelled", "{}");
	drive_expect(&d,
	    "0?it answered a call that was over already; the answer "
	    "is dropped\n4={}\n");
	drive_fini(&d);
}

static void
odd_lists_are_used_as_far_as_they_go(void **state)
{
	size_t n;
	drive d;

	(void)state;
	drive_init(&d);
	drive_add(&d, "a", FAKE, "looping", NULL);
	drive_add(&d, "b", FAKE, "bad-tools", NULL);
	drive_start(&d);
	servers_tools(d.s, 0, &n);
	assert_int_equal(n, 17);
	servers_tools(d.s, 1, &n);
	assert_int_equal(n, 18);
	drive_fini(&d);
}

/* ------------------------------------------------------------------ failing */

static void
a_bad_server_harms_no_other(void **state)
{
	static char nowhere[] = "/nowhere";
	uint64_t from;
	drive d;

	(void)state;
	drive_init(&d);
	drive_add(&d, "good", FAKE, NULL);
	drive_add(&d, "mute", FAKE, "mute", NULL)->startup_ms = 400;
	drive_add(&d, "fail", FAKE, "fail", NULL);
	drive_add(&d, "absent", "no-such-program-here", NULL);
	drive_add(&d, "homeless", FAKE, NULL)->cwd = nowhere;
	drive_add(&d, "future", FAKE, "future", NULL);
	from = uv_hrtime();
	drive_start(&d);
	assert_in_range((uv_hrtime() - from) / 1000000, 390, 1500);
	assert_int_equal(servers_state(d.s, 0), SERVER_UP);
	buf_clear(&d.log);
	for (size_t i = 1; i < d.n; i++)
		buf_printf(&d.log, "%.*s\n", TEXT_ARG(servers_why(d.s, i)));
	drive_expect(&d,
	    "no answer to initialize within 400 ms\n"
	    "it exited with code 4\n"
	    "its stderr ends with: cannot find my configuration\n"
	    "it cannot be started: No such file or directory\n"
	    "it cannot be started: there is no directory /nowhere\n"
	    "it speaks MCP revision \"2099-01-01\", which is not known here "
	    "(known: 2024-10-07 to 2025-11-25)\n");
	drive_ask(&d, 0, 1, "echo", "{}");
	drive_expect_start(&d, "1={}\n");
	drive_ask(&d, 2, 2, "echo", "{}");
	drive_expect_start(&d, "2!The server is gone: it exited with code 4\n");
	drive_fini(&d);
}

static void
dying_in_a_call_fails_the_call(void **state)
{
	drive d;

	(void)state;
	drive_init(&d);
	drive_add(&d, "a", FAKE, NULL);
	drive_start(&d);
	buf_clear(&d.log);
	servers_call(d.s, 0, 1, TEXT("silent"), TEXT("{}"), 0);
	servers_call(d.s, 0, 2, TEXT("die"), TEXT("{}"), 0);
	drive_answers(&d, 2);
	drive_wait(&d, 50);
	drive_expect(&d, "1!The server is gone: it exited with code 3\n"
			 "its stderr ends with: fatal: the disk is full\n"
			 "2!The server is gone: it exited with code 3\n"
			 "its stderr ends with: fatal: the disk is full\n"
			 "0 failed: it exited with code 3\n"
			 "its stderr ends with: fatal: the disk is full\n");
	drive_fini(&d);
}

static void
closing_stdout_is_the_end(void **state)
{
	drive d;

	(void)state;
	drive_init(&d);
	drive_add(&d, "a", FAKE, "ignore-eof", NULL);
	drive_start(&d);
	buf_clear(&d.log);
	drive_ask(&d, 0, 1, "close_stdout", "{}");
	drive_expect_start(&d, "1!The server is gone: it closed its stdout\n");
	drive_fini(&d);
}

static void
a_server_that_does_not_read_blocks_nobody(void **state)
{
	size_t n = (size_t)1 << 20;
	char *args = malloc(n);
	drive d;

	(void)state;
	memset(args, ' ', n);
	args[0] = '{';
	args[n - 1] = '}';
	drive_init(&d);
	drive_add(&d, "deaf", FAKE, "no-reader", NULL)->startup_ms = 300;
	drive_add(&d, "good", FAKE, NULL);
	drive_start(&d);
	buf_clear(&d.log);
	for (uint32_t i = 1; i <= 20; i++)
		servers_call(d.s, 0, i, TEXT("echo"), (text){args, n}, 300);
	drive_answers(&d, 20);
	buf_clear(&d.log);
	drive_ask(&d, 1, 1, "echo", "{}");
	drive_expect_start(&d, "1={}\n");
	free(args);
	drive_fini(&d);
}

/* ------------------------------------------------------------------ ending */

static void
stubborn_servers_end_all_the_same(void **state)
{
	uint64_t took;
	drive d;

	(void)state;
	drive_init(&d);
	drive_add(&d, "eof", FAKE, "ignore-eof", NULL);
	drive_add(&d, "term", FAKE, "ignore-eof", "ignore-term", NULL);
	drive_add(&d, "good", FAKE, NULL);
	drive_start(&d);
	took = drive_stop(&d, 200);
	assert_in_range(
	    took, 400, 1200); /* both graces of the worst, at once */
	drive_fini(&d);
}

static void
sigterm_comes_before_sigkill(void **state)
{
	drive d;

	(void)state;
	drive_init(&d);
	drive_add(&d, "eof", FAKE, "ignore-eof", NULL);
	drive_start(&d);
	assert_in_range(drive_stop(&d, 500), 490, 900);
	drive_fini(&d);
}

static void
the_grace_is_two_seconds_each(void **state)
{
	drive d;

	(void)state;
	drive_init(&d);
	drive_add(&d, "term", FAKE, "ignore-eof", "ignore-term", NULL);
	drive_start(&d);
	assert_in_range(drive_stop(&d, 0), 3990, 5000);
	drive_fini(&d);
}

static void
a_stop_can_be_hurried(void **state)
{
	uint64_t from;
	drive d;

	(void)state;
	drive_init(&d);
	drive_add(&d, "term", FAKE, "ignore-eof", "ignore-term", NULL);
	drive_start(&d);
	from = uv_hrtime();
	servers_stop(d.s, 0, NULL);
	drive_wait(&d, 100);
	drive_stop(&d, 100);
	assert_in_range((uv_hrtime() - from) / 1000000, 190, 1200);
	drive_fini(&d);
}

static void
killing_is_at_once(void **state)
{
	drive d;

	(void)state;
	drive_init(&d);
	drive_add(
	    &d, "term", FAKE, "ignore-eof", "ignore-term", "parent", NULL);
	drive_add(&d, "mute", FAKE, "mute", "parent", NULL);
	drive_launch(&d);
	drive_wait(&d, 200);
	assert_in_range(drive_marked(d.mark), 8, 20);
	servers_kill(d.s); /* and no turn of the loop: as before _exit */
	assert_int_equal(drive_marked_after(d.mark, 1000), 0);
	drive_fini(&d);
}

static void
stopping_while_starting_is_in_order(void **state)
{
	drive d;

	(void)state;
	drive_init(&d);
	drive_add(&d, "a", FAKE, NULL);
	drive_add(&d, "mute", FAKE, "mute", NULL);
	drive_launch(&d);
	assert_in_range(drive_stop(&d, 0), 0, 1500);
	drive_fini(&d);
}

static void
no_servers_are_no_problem(void **state)
{
	drive d;

	(void)state;
	drive_init(&d);
	drive_launch(&d);
	assert_in_range(drive_stop(&d, 0), 0, 100);
	drive_fini(&d);
}

/* -------------------------------------------------------------- the family */

/* npx and sh -c: the child that we start is not the server. */
static void
wrappers_take_their_servers_along(void **state)
{
	drive d;

	(void)state;
	drive_init(&d);
	drive_add(&d, "sh", "/bin/sh", "-c",
	    FAKE " ignore-eof ignore-term; true", NULL);
	drive_add(
	    &d, "sh", "/bin/sh", "-c", FAKE " ignore-eof parent; true", NULL);
	drive_start(&d);
	assert_int_equal(servers_state(d.s, 0), SERVER_UP);
	assert_int_equal(servers_state(d.s, 1), SERVER_UP);
	drive_stop(&d, 150);
	drive_fini(&d);
}

static void
what_a_server_leaves_behind_goes_too(void **state)
{
	drive d;

	(void)state;
	drive_init(&d);
	drive_add(&d, "parent", FAKE, "parent", NULL);
	drive_start(&d);
	drive_wait(&d, 100);
	assert_in_range(drive_marked(d.mark), 4, 10);
	assert_in_range(drive_stop(&d, 0), 900, 2500);
	drive_fini(&d);
}

/* The kernel kills the server, we its group: the loop need not even turn. */
static void
a_killed_supervisor_takes_its_server_along(void **state)
{
	pid_t pid;
	drive d;

	(void)state;
	drive_init(&d);
	drive_add(&d, "a", FAKE, "ignore-eof", "ignore-term", NULL);
	drive_start(&d);
	buf_clear(&d.log);
	pid = drive_supervisor();
	assert_true(pid > 0);
	kill(pid, SIGKILL);
	assert_int_equal(drive_marked_after(d.mark, 1000), 0);
	drive_ask(&d, 0, 1, "silent", "{}");
	drive_expect_start(&d, "1!The server is gone: it ended\n");
	drive_fini(&d);
}

static void
a_killed_supervisor_takes_its_group_along(void **state)
{
	drive d;

	(void)state;
	drive_init(&d);
	drive_add(&d, "sh", "/bin/sh", "-c",
	    FAKE " ignore-eof ignore-term; true", NULL);
	drive_start(&d);
	kill(drive_supervisor(), SIGKILL);
	drive_wait(&d, 300);
	assert_int_equal(drive_marked_after(d.mark, 1000), 0);
	drive_fini(&d);
}

/* ------------------------------------------------------------ kill -9 to us */

/* A program with servers that have families, to be killed by its parent. */
static _Noreturn void
victim(char *mark)
{
	drive d;

	drive_init(&d);
	d.env[2] = mark;
	drive_add(&d, "a", FAKE, "ignore-eof", "ignore-term", "parent", NULL);
	drive_add(
	    &d, "b", "/bin/sh", "-c", FAKE " ignore-eof parent; true", NULL);
	drive_add(&d, "c", FAKE, "mute", NULL);
	drive_launch(&d);
	while (servers_state(d.s, 0) != SERVER_UP ||
	       servers_state(d.s, 1) != SERVER_UP)
		drive_wait(&d, 10);
	puts("ready");
	fflush(stdout);
	for (;;)
		drive_wait(&d, 1000);
}

static void
kill_9_leaves_nothing_behind(void **state)
{
	char mark[64], word[8] = "";
	int out[2];
	pid_t pid;

	(void)state;
	snprintf(mark, sizeof(mark), "DRIVE_MARK=victim.%d", getpid());
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
	assert_in_range(drive_marked(mark), 10, 30);
	kill(pid, SIGKILL);
	waitpid(pid, NULL, 0);
	assert_int_equal(drive_marked_after(mark, 3000), 0);
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
	    cmocka_unit_test(a_storm_of_changes_is_no_matter),
	    cmocka_unit_test(a_second_reply_is_dropped),
	    cmocka_unit_test(time_and_cancelling_reach_the_server),
	    cmocka_unit_test(odd_lists_are_used_as_far_as_they_go),
	    cmocka_unit_test(a_bad_server_harms_no_other),
	    cmocka_unit_test(dying_in_a_call_fails_the_call),
	    cmocka_unit_test(closing_stdout_is_the_end),
	    cmocka_unit_test(a_server_that_does_not_read_blocks_nobody),
	    cmocka_unit_test(stubborn_servers_end_all_the_same),
	    cmocka_unit_test(sigterm_comes_before_sigkill),
	    cmocka_unit_test(the_grace_is_two_seconds_each),
	    cmocka_unit_test(a_stop_can_be_hurried),
	    cmocka_unit_test(killing_is_at_once),
	    cmocka_unit_test(stopping_while_starting_is_in_order),
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
