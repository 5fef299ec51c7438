/* SPDX-License-Identifier: MIT */
/*
 * test_channel.c -- both ends of a stream, and runs over one, by a clock of our
 * own: frames at every split, the beat, silence, streams that are closed.
 * WORKER is the path of codemode-worker.
 */
#include "place/channel.h"
#include "self.h"
#include "unit.h"

#include <codemode/place.h>

#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <signal.h>
#include <spawn.h>
#include <sys/socket.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#define T(literal) ((cm_text){"" literal, sizeof(literal) - 1})

extern char **environ;

/* -------------------------------------------------------------- the clock */

static uint64_t clock_ms = 1000000;
static uint64_t clock_step_ms; /* each look at it */

int __wrap_clock_gettime(clockid_t id, struct timespec *t);

int
__wrap_clock_gettime(clockid_t id, struct timespec *t)
{
	(void)id;
	clock_ms += clock_step_ms;
	t->tv_sec = (time_t)(clock_ms / 1000);
	t->tv_nsec = (long)(clock_ms % 1000) * 1000000;
	return 0;
}

/* ------------------------------------------------------------ two channels */

/* Its other end is a descriptor, or another channel. */
typedef struct pair {
	channel a, b;
	int fd[2];
} pair;

static void
pair_open(pair *l, uint64_t silence_ms)
{
	assert_int_equal(socketpair(AF_UNIX, SOCK_STREAM, 0, l->fd), 0);
	assert_int_equal(
	    channel_open(&l->a, l->fd[0], l->fd[0], silence_ms), 0);
	assert_int_equal(
	    channel_open(&l->b, l->fd[1], l->fd[1], silence_ms), 0);
}

static void
pair_close(pair *l)
{
	channel_close(&l->a);
	channel_close(&l->b);
	close(l->fd[0]);
	close(l->fd[1]);
}

/* All that can be read; n: -1 and errno, or 0. */
static ssize_t
read_all(channel *c, buf *out)
{
	char bytes[1000];
	ssize_t n;

	while ((n = channel_read(c, bytes, sizeof(bytes))) > 0)
		buf_add(out, bytes, (size_t)n);
	return n;
}

static void
assert_waits(channel *c, buf *out)
{
	assert_int_equal(read_all(c, out), -1);
	assert_int_equal(errno, EAGAIN);
	assert_false(c->lost);
}

/* The frames of a script: two DATA, a BEAT and an OVER. */
static size_t
conversation(char *bytes, size_t size)
{
	pair l;
	size_t n;

	pair_open(&l, 3000);
	assert_int_equal(channel_write(&l.a, "abc", 3), 3);
	clock_ms += 1000;
	assert_true(channel_beat(&l.a));
	assert_int_equal(channel_write(&l.a, "defg", 4), 4);
	assert_true(channel_over(&l.a, T("enough")));
	n = (size_t)read(l.fd[1], bytes, size);
	assert_int_equal(n, 4 * CHANNEL_HEAD + 3 + 4 + 6);
	pair_close(&l);
	return n;
}

static void
frames_may_be_split_anywhere(void **state)
{
	char bytes[100];
	size_t n = conversation(bytes, sizeof(bytes));

	(void)state;
	for (size_t at = 0; at <= n; at++) {
		buf out = BUF_INIT(NULL, 1000);
		pair l;

		pair_open(&l, 3000);
		assert_int_equal(write(l.fd[0], bytes, at), at);
		if (at < n)
			assert_waits(&l.b, &out);
		assert_int_equal(write(l.fd[0], bytes + at, n - at), n - at);
		assert_int_equal(read_all(&l.b, &out), 0);
		assert_true(l.b.got_over);
		assert_str(text_of(l.b.why), "enough");
		assert_text(buf_view(&out), T("abcdefg"));
		buf_fini(&out);
		pair_close(&l);
	}
}

/* What came before the cut is given, then its end, without a reason. */
static void
a_cut_is_an_end_without_a_reason(void **state)
{
	char bytes[100];
	size_t n = conversation(bytes, sizeof(bytes));

	(void)state;
	for (size_t at = 0; at < n; at++) {
		buf out = BUF_INIT(NULL, 1000);
		pair l;

		pair_open(&l, 3000);
		assert_int_equal(write(l.fd[0], bytes, at), at);
		shutdown(l.fd[0], SHUT_RDWR);
		assert_int_equal(read_all(&l.b, &out), 0);
		assert_true(l.b.lost);
		assert_false(l.b.got_over);
		assert_str(text_of(l.b.why), "");
		assert_true(text_starts(T("abcdefg"), buf_view(&out)));
		assert_false(channel_over(&l.b, TEXT_NONE));
		buf_fini(&out);
		pair_close(&l);
	}
}

static void
what_is_no_frame_is_refused(void **state)
{
	static const struct {
		const char *bytes;
		size_t n;
	} wrong[] = {
	    {"\0\0\0\0\1", 5},                     /* DATA without data */
	    {"\1\200\0\0\1", 5},                   /* DATA too long */
	    {"\377\377\377\377\1", 5},             /* much too long */
	    {"\0\0\0\0\0", 5},                     /* no such kind */
	    {"\0\0\0\0\4", 5}, {"\1\0\0\0\2x", 6}, /* BEAT with bytes */
	    {"\311\0\0\0\3", 5},                   /* OVER too long */
	    {"HTTP/1.1 200", 12},                  /* something else */
	};

	(void)state;
	for (size_t i = 0; i < sizeof(wrong) / sizeof(*wrong); i++) {
		buf out = BUF_INIT(NULL, 1000);
		pair l;

		pair_open(&l, 3000);
		assert_int_equal(channel_write(&l.a, "ab", 2), 2);
		assert_int_equal(
		    write(l.fd[0], wrong[i].bytes, wrong[i].n), wrong[i].n);
		assert_int_equal(read_all(&l.b, &out), -1);
		assert_int_equal(errno, EPROTO);
		assert_text(buf_view(&out), T("ab"));
		assert_int_not_equal(
		    text_find(text_of(l.b.why), T("is no codemode-worker"), 0),
		    SIZE_MAX);
		assert_int_equal(utf8_bad(text_of(l.b.why)), SIZE_MAX);
		buf_fini(&out);
		pair_close(&l);
	}
}

static void
what_is_late_for_a_script_is_dropped(void **state)
{
	buf out = BUF_INIT(NULL, 1000);
	pair l;

	(void)state;
	pair_open(&l, 3000);
	assert_true(channel_over(&l.a, TEXT_NONE));
	assert_int_equal(channel_write(&l.b, "late", 4), 4);
	assert_true(channel_begin(&l.a));
	assert_waits(&l.a, &out);
	assert_int_equal(channel_write(&l.b, "later", 5), 5);
	assert_true(channel_over(&l.b, T("of the last script")));
	assert_true(channel_begin(&l.b));
	assert_int_equal(channel_write(&l.b, "next", 4), 4);
	assert_waits(&l.a, &out);
	assert_text(buf_view(&out), T("next"));
	assert_false(l.a.got_over);
	assert_str(text_of(l.a.why), "");
	close(l.fd[1]);
	assert_false(channel_begin(&l.a));
	l.fd[1] = dup(l.fd[0]);
	buf_fini(&out);
	pair_close(&l);
}

/* More than the stream takes at once goes out as the reader makes room. */
static void
a_slow_reader_gets_everything(void **state)
{
	enum { ALL = 300000 };
	buf out = BUF_INIT(NULL, ALL);
	char bytes[ALL];
	size_t sent = 0;
	int fd[2];
	channel w, r;

	(void)state;
	for (size_t i = 0; i < ALL; i++)
		bytes[i] = (char)(i % 251);
	assert_int_equal(pipe(fd), 0);
	fcntl(fd[1], F_SETPIPE_SZ, 4096);
	assert_int_equal(channel_open(&r, fd[0], fd[0], 3000), 0);
	assert_int_equal(channel_open(&w, fd[0], fd[1], 3000), 0);
	while (out.len < ALL) {
		struct pollfd p = {w.watch, POLLIN, 0};
		ssize_t n = sent == ALL
				? 0
				: channel_write(&w, bytes + sent, ALL - sent);

		if (n < 0)
			assert_int_equal(errno, EAGAIN);
		else
			sent += (size_t)n;
		assert_waits(&r, &out);
		/* There is room, and the channel knows. */
		if (w.queued > 0)
			assert_int_equal(poll(&p, 1, 0), 1);
		assert_int_equal(channel_flush(&w), 0);
	}
	assert_int_equal(memcmp(out.ptr, bytes, ALL), 0);
	buf_fini(&out);
	channel_close(&w);
	channel_close(&r);
	close(fd[0]);
	close(fd[1]);
}

/* A pipe without a reader is an error, and no signal. */
static void
a_closed_pipe_is_an_error(void **state)
{
	int fd[2], in[2];
	sigset_t pending;
	channel c;

	(void)state;
	assert_int_equal(pipe(fd), 0);
	assert_int_equal(pipe(in), 0);
	assert_int_equal(channel_open(&c, in[0], fd[1], 3000), 0);
	close(fd[0]);
	assert_int_equal(channel_write(&c, "x", 1), -1);
	assert_int_equal(errno, EPIPE);
	sigpending(&pending);
	assert_int_equal(sigismember(&pending, SIGPIPE), 0);
	channel_close(&c);
	close(fd[1]);
	close(in[0]);
	close(in[1]);
}

static void
a_file_is_no_stream(void **state)
{
	int fd = open("/proc/self/exe", O_RDONLY | O_CLOEXEC);
	channel c;

	(void)state;
	assert_int_equal(channel_open(&c, fd, fd, 3000), EPERM);
	close(fd);
}

/* ---------------------------------------------------------------- the beat */

static void
each_end_says_that_it_is_alive(void **state)
{
	buf out = BUF_INIT(NULL, 1000);
	char bytes[100];
	pair l;

	(void)state;
	pair_open(&l, 3000);
	assert_int_equal(channel_rest_ms(&l.a), 1000);
	clock_ms += 999;
	assert_true(channel_beat(&l.a));
	assert_int_equal(recv(l.fd[1], bytes, sizeof(bytes), MSG_DONTWAIT), -1);
	assert_int_equal(channel_rest_ms(&l.a), 1);
	clock_ms += 1;
	assert_true(channel_beat(&l.a));
	assert_int_equal(channel_rest_ms(&l.a), 1000);
	assert_int_equal(recv(l.fd[1], bytes, sizeof(bytes), MSG_PEEK), 5);
	assert_memory_equal(bytes, "\0\0\0\0\2", 5);
	/* Anything that is sent is as good. */
	clock_ms += 600;
	assert_int_equal(channel_write(&l.a, "x", 1), 1);
	assert_int_equal(channel_rest_ms(&l.a), 1000);
	assert_waits(&l.b, &out);
	assert_text(buf_view(&out), T("x"));
	buf_fini(&out);
	pair_close(&l);
}

static void
silence_is_noticed(void **state)
{
	buf out = BUF_INIT(NULL, 1000);
	pair l;

	(void)state;
	pair_open(&l, 3000);
	for (int i = 0; i < 5; i++) { /* each byte is heard, whatever it is */
		clock_ms += 2999;
		assert_int_equal(write(l.fd[1], "\1\0\0\0\1", 5), 5);
		assert_int_equal(write(l.fd[1], "x", 1), 1);
		assert_waits(&l.a, &out);
		assert_true(channel_beat(&l.a));
	}
	clock_ms += 2999;
	assert_true(channel_beat(&l.a));
	clock_ms += 1;
	assert_false(channel_beat(&l.a));
	assert_int_equal(channel_rest_ms(&l.a), 0);
	buf_fini(&out);
	pair_close(&l);
}

/* --------------------------------------------------------- runs over a link */

static int peer = -1; /* the other end of the last stream */
static pid_t peer_pid;
static const char *peer_silence;

static int
connect_peer(void *ctx, cm_stream *s)
{
	char *argv[] = {"codemode-worker", "--stdio", "--silence",
	    (char *)(uintptr_t)peer_silence, NULL};
	posix_spawn_file_actions_t a;
	int fd[2];

	(void)ctx;
	assert_int_equal(
	    socketpair(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0, fd), 0);
	*s = (cm_stream){fd[0], fd[0], NULL};
	if (peer_silence == NULL) {
		peer = fd[1];
		return 0;
	}
	posix_spawn_file_actions_init(&a);
	posix_spawn_file_actions_adddup2(&a, fd[1], 0);
	posix_spawn_file_actions_adddup2(&a, fd[1], 1);
	assert_int_equal(
	    posix_spawn(&peer_pid, WORKER, &a, NULL, argv, environ), 0);
	posix_spawn_file_actions_destroy(&a);
	close(fd[1]);
	return 0;
}

static void
disconnect_peer(void *ctx, cm_stream *s)
{
	(void)ctx;
	close(s->in);
	if (peer >= 0)
		close(peer);
	peer = -1;
	if (peer_pid > 0) {
		kill(peer_pid, SIGCONT);
		assert_int_equal(waitpid(peer_pid, NULL, 0), peer_pid);
	}
	peer_pid = 0;
}

static cm_place *
place_to_peer(const char *silence)
{
	cm_stream_options o = CM_STREAM_OPTIONS_INIT;
	cm_place *p;

	peer_silence = silence;
	o.connect = connect_peer;
	o.disconnect = disconnect_peer;
	assert_int_equal(cm_place_stream(NULL, &o, &p), CM_OK);
	return p;
}

static cm_run *
run_there(cm_place *p, const char *script)
{
	cm_run_options o = CM_RUN_OPTIONS_INIT;
	cm_tool hang = {.name = T("hang")};
	cm_catalog *catalog;
	cm_run *r;

	o.place = p;
	o.limits.wall_ms = 3600000;
	assert_int_equal(cm_catalog_new(NULL, &catalog), CM_OK);
	assert_int_equal(cm_catalog_add(catalog, &hang), CM_OK);
	assert_int_equal(cm_run_new(catalog, text_of(script), &o, &r), CM_OK);
	cm_catalog_free(catalog);
	return r;
}

/* Turns it until that step. The clock goes on only where 'idle' is not: then
 * the run waits for nothing but the time. */
static void
turn_to(cm_run *r, cm_step_kind kind, bool idle, cm_step *s)
{
	for (;;) {
		struct pollfd fd = {-1, POLLIN, 0};

		assert_int_equal(cm_run_next(r, clock_ms, s), CM_OK);
		if (s->kind == kind)
			return;
		assert_int_equal(s->kind, CM_STEP_WAIT);
		fd.fd = s->u.wait.handle;
		if (poll(&fd, 1, idle ? 0 : 60000) > 0)
			continue;
		assert_true(idle && s->u.wait.until_ms > clock_ms);
		clock_ms = s->u.wait.until_ms;
	}
}

/* A link that is half open: all is well, but nothing comes any more. */
static void
a_silent_stream_ends_the_run(void **state)
{
	cm_place *p = place_to_peer("1000000");
	cm_run *r = run_there(p, "await tools.hang()");
	uint64_t from;
	cm_text result;
	cm_step s;

	(void)state;
	turn_to(r, CM_STEP_CALL, false, &s);
	do {
		assert_int_equal(cm_run_next(r, clock_ms, &s), CM_OK);
	} while (s.kind != CM_STEP_WAIT);
	assert_int_equal(kill(peer_pid, SIGSTOP), 0);
	from = clock_ms;
	turn_to(r, CM_STEP_ABORT, true, &s);
	assert_int_equal(clock_ms - from, 15000);
	assert_int_equal(cm_run_stopped(r, s.u.abort), CM_OK);
	turn_to(r, CM_STEP_DONE, true, &s);
	assert_int_equal(s.u.done.end, CM_END_SANDBOX);
	assert_text(s.u.done.fault.message,
	    T("the connection to the sandbox is lost: nothing was heard from "
	      "it for 15000 ms"));
	assert_int_equal(cm_run_result(r, &result), CM_OK);
	assert_int_not_equal(
	    text_find(result, T("\"status\":\"cancelled\""), 0), SIZE_MAX);
	cm_run_free(r);
	cm_place_free(p);
}

static void
a_peer_that_says_nothing(void **state)
{
	unsigned fds = descriptors();
	cm_place *p = place_to_peer(NULL);
	cm_run *r = run_there(p, "return 1");
	uint64_t from = clock_ms;
	cm_text report;
	cm_step s;

	(void)state;
	turn_to(r, CM_STEP_DONE, true, &s);
	assert_int_equal(s.u.done.end, CM_END_SANDBOX);
	assert_text(
	    s.u.done.fault.message, T("the sandbox process did not say hello"));
	assert_in_range(clock_ms - from, 60000, 66000);
	cm_run_free(r);
	from = clock_ms;
	clock_step_ms = 4000;
	assert_int_equal(cm_place_fences(p, &report), CM_EENGINE);
	assert_in_range(clock_ms - from, 60000, 80000);
	clock_step_ms = 0;
	cm_place_free(p);
	assert_int_equal(descriptors(), fds);
}

/* Its script computes: it says that it is alive all the same, by its own clock,
 * and so does the run, by ours. */
static void
the_other_end_beats_while_it_computes(void **state)
{
	cm_place *p = place_to_peer("3000");
	cm_run *r = run_there(p, "text('it runs'); while (true);");
	cm_step s;

	(void)state;
	turn_to(r, CM_STEP_PRINT, false, &s);
	for (int i = 0; i < 3; i++) {
		struct pollfd fd = {-1, POLLIN, 0};

		clock_ms += 14000; /* of our 15000 */
		assert_int_equal(cm_run_next(r, clock_ms, &s), CM_OK);
		assert_int_equal(s.kind, CM_STEP_WAIT);
		fd.fd = s.u.wait.handle;
		assert_int_equal(poll(&fd, 1, 60000), 1);
		assert_int_equal(cm_run_next(r, clock_ms, &s), CM_OK);
		assert_int_equal(s.kind, CM_STEP_WAIT);
	}
	cm_run_free(r);
	cm_place_free(p);
}

/* The owner has stopped turning its run: the other end kills the worker. */
static void
the_other_end_notices_silence(void **state)
{
	cm_place *p = place_to_peer("200");
	cm_run *r = run_there(p, "text('it runs'); while (true);");
	cm_step s;

	(void)state;
	turn_to(r, CM_STEP_PRINT, false, &s);
	assert_int_equal(
	    waitid(P_PID, (id_t)peer_pid, &(siginfo_t){0}, WEXITED | WNOWAIT),
	    0);
	turn_to(r, CM_STEP_DONE, false, &s);
	assert_int_equal(s.u.done.end, CM_END_SANDBOX);
	cm_run_free(r);
	cm_place_free(p);
}

int
main(void)
{
	const struct CMUnitTest tests[] = {
	    cmocka_unit_test(frames_may_be_split_anywhere),
	    cmocka_unit_test(a_cut_is_an_end_without_a_reason),
	    cmocka_unit_test(what_is_no_frame_is_refused),
	    cmocka_unit_test(what_is_late_for_a_script_is_dropped),
	    cmocka_unit_test(a_slow_reader_gets_everything),
	    cmocka_unit_test(a_closed_pipe_is_an_error),
	    cmocka_unit_test(a_file_is_no_stream),
	    cmocka_unit_test(each_end_says_that_it_is_alive),
	    cmocka_unit_test(silence_is_noticed),
	    cmocka_unit_test(a_silent_stream_ends_the_run),
	    cmocka_unit_test(a_peer_that_says_nothing),
	    cmocka_unit_test(the_other_end_beats_while_it_computes),
	    cmocka_unit_test(the_other_end_notices_silence),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
