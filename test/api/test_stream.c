/* SPDX-License-Identifier: MIT */
/*
 * test_stream.c -- a place at the other end of byte streams, from its owner's
 * side: streams that the owner makes, commands, sessions, the other end's
 * limits, and what is said when something else is there. WORKER is the path of
 * codemode-worker.
 */
#include "host/system.h"
#include "place/channel.h"
#include "self.h"
#include "unit.h"
#include "wire/wire.h"

#include <codemode/place.h>

#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <pthread.h>
#include <signal.h>
#include <spawn.h>
#include <sys/socket.h>
#include <sys/wait.h>
#include <unistd.h>

#define T(literal) ((cm_text){"" literal, sizeof(literal) - 1})

extern char **environ;

enum { AMPLE_MS = 600000 };

/* ------------------------------------------------- streams of the owner's */

/* One 'codemode-worker --stdio' for each stream. */
typedef struct far_end {
	const char *option, *value; /* NULL: none */
	bool pipes;                 /* two of them, not one socket */
	unsigned connects, disconnects;
	int error; /* not 0: connecting fails so */
	pid_t pid; /* of the last one */
} far_end;

static pid_t
start_far_end(const far_end *f, int in, int out)
{
	char *argv[] = {"codemode-worker", "--stdio",
	    (char *)(uintptr_t)f->option, (char *)(uintptr_t)f->value, NULL};
	posix_spawn_file_actions_t a;
	pid_t pid;

	posix_spawn_file_actions_init(&a);
	posix_spawn_file_actions_adddup2(&a, in, 0);
	posix_spawn_file_actions_adddup2(&a, out, 1);
	assert_int_equal(posix_spawn(&pid, WORKER, &a, NULL, argv, environ), 0);
	posix_spawn_file_actions_destroy(&a);
	return pid;
}

static int
connect_far(void *ctx, cm_stream *s)
{
	far_end *f = ctx;
	int down[2], up[2];

	if (f->error != 0)
		return f->error;
	f->connects++;
	if (f->pipes) {
		assert_int_equal(pipe2(down, O_CLOEXEC), 0);
		assert_int_equal(pipe2(up, O_CLOEXEC), 0);
		f->pid = start_far_end(f, down[0], up[1]);
		close(down[0]);
		close(up[1]);
		*s = (cm_stream){up[0], down[1], NULL};
	} else {
		assert_int_equal(
		    socketpair(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0, up), 0);
		f->pid = start_far_end(f, up[1], up[1]);
		close(up[1]);
		*s = (cm_stream){up[0], up[0], NULL};
	}
	s->owner = (void *)(intptr_t)f->pid;
	return 0;
}

/* The program ends when its stream does; nothing of it is left. */
static void
disconnect_far(void *ctx, cm_stream *s)
{
	far_end *f = ctx;
	pid_t pid = (pid_t)(intptr_t)s->owner;

	f->disconnects++;
	close(s->in);
	if (s->out != s->in)
		close(s->out);
	assert_int_equal(waitpid(pid, NULL, 0), pid);
}

static cm_place *
place_to(far_end *f, bool session)
{
	cm_stream_options o = CM_STREAM_OPTIONS_INIT;
	cm_place *p;

	o.connect = connect_far;
	o.disconnect = disconnect_far;
	o.ctx = f;
	o.session = session;
	o.require_fences = 1;
	assert_int_equal(cm_place_stream(NULL, &o, &p), CM_OK);
	return p;
}

static cm_place *
place_of(const char *const *command, bool session)
{
	cm_stream_options o = CM_STREAM_OPTIONS_INIT;
	cm_place *p;

	o.command = command;
	o.session = session;
	assert_int_equal(cm_place_stream(NULL, &o, &p), CM_OK);
	return p;
}

/* ------------------------------------------------------------------- runs */

static cm_run *
run_in(cm_place *p, const char *script)
{
	cm_run_options o = CM_RUN_OPTIONS_INIT;
	cm_tool echo = {.name = T("echo")};
	cm_catalog *catalog;
	cm_run *r;

	o.place = p;
	o.limits.wall_ms = AMPLE_MS;
	assert_int_equal(cm_catalog_new(NULL, &catalog), CM_OK);
	assert_int_equal(cm_catalog_add(catalog, &echo), CM_OK);
	assert_int_equal(cm_run_new(catalog, text_of(script), &o, &r), CM_OK);
	cm_catalog_free(catalog);
	return r;
}

static void
answer_echo(void *ctx, cm_run *run, const cm_call *call)
{
	(void)ctx;
	assert_int_equal(cm_run_resolve(run, call->id, call->args), CM_OK);
}

/* words: the value as JSON, or a part of the message. */
static void
ends(cm_run *r, cm_end end, const char *words)
{
	cm_driver driver = {.call = answer_echo};
	cm_done done;

	assert_int_equal(cm_run_drive(r, &driver, &done), CM_OK);
	if (done.end != end)
		print_error("%.*s\n", TEXT_ARG(done.fault.message));
	assert_int_equal(done.end, end);
	if (end == CM_END_OK)
		assert_str(done.value, words);
	else if (text_find(done.fault.message, text_of(words), 0) == SIZE_MAX)
		assert_str(done.fault.message, words);
	cm_run_free(r);
}

static void
nothing_is_left(unsigned fds)
{
	assert_int_equal(waitpid(-1, NULL, WNOHANG), -1);
	assert_int_equal(errno, ECHILD);
	assert_int_equal(descriptors(), fds);
}

static const char call_script[] = "return (await tools.echo([6]))[0] * 7";

/* ------------------------------------------------------------- connections */

static void
a_stream_is_any_pair_of_descriptors(void **state)
{
	unsigned fds = descriptors();

	(void)state;
	for (int pipes = 0; pipes < 2; pipes++) {
		far_end f = {.pipes = pipes != 0};
		cm_place *p = place_to(&f, false);

		assert_int_equal(f.connects, 0);
		ends(run_in(p, call_script), CM_END_OK, "42");
		ends(run_in(p, "throw new Error('no')"), CM_END_SCRIPT, "no");
		assert_int_equal(f.connects, 2);
		assert_int_equal(f.disconnects, 2);
		cm_place_free(p);
		nothing_is_left(fds);
	}
}

static void
the_result_says_where_it_ran(void **state)
{
	far_end f = {.pipes = false};
	cm_place *p = place_to(&f, false);
	cm_run *r = run_in(p, "return 1");
	cm_text result;
	cm_done done;

	(void)state;
	assert_int_equal(cm_run_drive(r, &(cm_driver){0}, &done), CM_OK);
	assert_int_equal(cm_run_result(r, &result), CM_OK);
	assert_int_not_equal(
	    text_find(result, T("\"place\":\"stream\""), 0), SIZE_MAX);
	assert_int_not_equal(
	    text_find(result, T("\"warnings\":[]"), 0), SIZE_MAX);
	cm_run_free(r);
	cm_place_free(p);
}

static void
a_session_has_one_stream(void **state)
{
	unsigned fds = descriptors();
	far_end f = {.pipes = true};
	cm_place *p = place_to(&f, true);

	(void)state;
	for (int i = 0; i < 5; i++)
		ends(run_in(p, call_script), CM_END_OK, "42");
	ends(run_in(p, "throw new Error('no')"), CM_END_SCRIPT, "no");
	/* Nothing of one script is there for the next. */
	ends(run_in(p, "globalThis.kept = 1; return 1"), CM_END_OK, "1");
	ends(run_in(p, "return typeof kept"), CM_END_OK, "\"undefined\"");
	assert_int_equal(f.connects, 1);
	assert_int_equal(f.disconnects, 0);
	cm_place_free(p);
	assert_int_equal(f.disconnects, 1);
	nothing_is_left(fds);
}

static void
scripts_at_one_time_have_one_each(void **state)
{
	far_end f = {.pipes = false};
	cm_place *p = place_to(&f, true);
	cm_run *a = run_in(p, "return 'a'"), *b = run_in(p, "return 'b'");
	engine_host host = system_host();
	cm_step s;

	(void)state;
	assert_int_equal(cm_run_next(a, host.now_ms(host.ctx), &s), CM_OK);
	ends(b, CM_END_OK, "\"b\"");
	ends(a, CM_END_OK, "\"a\"");
	ends(run_in(p, "return 'c'"), CM_END_OK, "\"c\"");
	assert_int_equal(f.connects, 2);
	cm_place_free(p);
	assert_int_equal(f.disconnects, 2);
}

/* A script that is given up computes on at the other end until that hears of
 * it; the next script of the session does not. */
static void
a_script_is_given_up(void **state)
{
	far_end f = {.pipes = false};
	cm_place *p = place_to(&f, true);
	cm_run *r = run_in(p, "while (true);");
	cm_step s;

	(void)state;
	do {
		struct pollfd fd = {-1, POLLIN, 0};

		assert_int_equal(cm_run_next(r, 0, &s), CM_OK);
		assert_int_equal(s.kind, CM_STEP_WAIT);
		fd.fd = s.u.wait.handle;
		poll(&fd, 1, 10);
	} while (f.connects == 0);
	cm_run_free(r);
	ends(run_in(p, "return 1"), CM_END_OK, "1");
	assert_int_equal(f.connects, 1);
	cm_place_free(p);
}

/* ---------------------------------------------------------- from elsewhere */

static void *
interrupt_it(void *run)
{
	cm_run_interrupt(run);
	return NULL;
}

static void
interrupt_from_a_thread(void *ctx, const cm_print *print)
{
	pthread_t *t = ctx;

	(void)print;
	assert_int_equal(
	    pthread_create(&t[0], NULL, interrupt_it, *(void **)&t[1]), 0);
}

/* The owner's turn sleeps on the stream: an interrupt wakes it. */
static void
an_interrupt_reaches_it(void **state)
{
	far_end f = {.pipes = false};
	cm_place *p = place_to(&f, false);
	cm_run *r = run_in(p, "text('it runs'); while (true);");
	struct {
		pthread_t thread;
		cm_run *run;
	} ctx = {.run = r};
	cm_driver driver = {.print = interrupt_from_a_thread, .ctx = &ctx};
	cm_done done;

	(void)state;
	assert_int_equal(cm_run_drive(r, &driver, &done), CM_OK);
	assert_int_equal(done.end, CM_END_ABORTED);
	pthread_join(ctx.thread, NULL);
	cm_run_free(r);
	cm_place_free(p);
	assert_int_equal(f.disconnects, 1);
}

/* It prints: so it runs. */
static void
kill_far_end(void *ctx, const cm_print *print)
{
	far_end *f = ctx;

	(void)print;
	assert_int_equal(kill(f->pid, SIGKILL), 0);
}

static void
the_other_end_dies(void **state)
{
	unsigned fds = descriptors();

	(void)state;
	for (int session = 0; session < 2; session++) {
		far_end f = {.pipes = session != 0};
		cm_place *p = place_to(&f, session != 0);
		cm_run *r = run_in(p, "text('it runs'); while (true);");
		cm_driver driver = {.print = kill_far_end, .ctx = &f};
		cm_done done;

		assert_int_equal(cm_run_drive(r, &driver, &done), CM_OK);
		assert_int_equal(done.end, CM_END_SANDBOX);
		assert_text(done.fault.message,
		    T("the connection to the sandbox was closed"));
		cm_run_free(r);
		ends(run_in(p, "return 1"), CM_END_OK, "1");
		assert_int_equal(f.connects, 2);
		cm_place_free(p);
		nothing_is_left(fds);
	}
}

/* Between two scripts of a session: the next one gets a new stream. */
static void
the_other_end_dies_between(void **state)
{
	far_end f = {.pipes = true};
	cm_place *p = place_to(&f, true);

	(void)state;
	ends(run_in(p, "return 1"), CM_END_OK, "1");
	assert_int_equal(kill(f.pid, SIGKILL), 0);
	assert_int_equal(
	    waitid(P_PID, (id_t)f.pid, &(siginfo_t){0}, WEXITED | WNOWAIT), 0);
	ends(run_in(p, "return 2"), CM_END_OK, "2");
	assert_int_equal(f.connects, 2);
	cm_place_free(p);
}

/* -------------------------------------------------- the other end's limits */

static void
under(const char *option, const char *value, const char *script, cm_end end,
    const char *words)
{
	far_end f = {.option = option, .value = value};
	cm_place *p = place_to(&f, false);

	ends(run_in(p, script), end, words);
	ends(run_in(p, "return 1"), CM_END_OK, "1");
	cm_place_free(p);
}

static void
its_limits_hold(void **state)
{
	static const char *const hours[] = {
	    "while (true);", "await new Promise(r => setTimeout(r, 1e8))"};

	(void)state;
	for (int i = 0; i < 2; i++)
		under("--max-time", "300", hours[i], CM_END_TIMEOUT,
		    "Execution timed out after 300 ms");
	under("--max-polls", "40", hours[0], CM_END_TIMEOUT,
	    "Execution exceeded its interrupt budget of 40");
	under("--max-memory", "4000000",
	    "const a = []; while (true) a.push(String(a.length).repeat(500))",
	    CM_END_SCRIPT, "out of memory");
}

/* Limits above the run's own change nothing. */
static void
its_limits_are_higher(void **state)
{
	(void)state;
	under("--max-time", "7200000", call_script, CM_END_OK, "42");
	under("--max-memory", "900000000000", call_script, CM_END_OK, "42");
	under("--max-time", "90000",
	    "// @options: {\"timeout_ms\": 250}\nwhile (true);", CM_END_TIMEOUT,
	    "Execution timed out after 250 ms");
}

/* ------------------------------------------------------- something else is */

static void
a_stream_cannot_be_made(void **state)
{
	static const char *const nowhere[] = {"/nowhere/ssh", "host", NULL};
	unsigned fds = descriptors();
	far_end f = {.error = ECONNREFUSED};
	cm_place *p = place_to(&f, false);
	cm_text report;

	(void)state;
	ends(run_in(p, "return 1"), CM_END_SANDBOX,
	    "no process could be made for the script: the stream: "
	    "Connection refused");
	assert_int_equal(cm_place_fences(p, &report), CM_EENGINE);
	f.error = 0;
	ends(run_in(p, "return 1"), CM_END_OK, "1");
	cm_place_free(p);
	p = place_of(nowhere, false);
	ends(run_in(p, "return 1"), CM_END_SANDBOX,
	    "no process could be made for the script: /nowhere/ssh: "
	    "No such file or directory");
	cm_place_free(p);
	nothing_is_left(fds);
}

static void
something_else_is_there(void **state)
{
	static const struct {
		const char *script, *words;
	} others[] = {
	    {"echo Welcome to this machine", "is no codemode-worker: it sent "
					     "\"Welcome to this machine.\""},
	    {"echo 'no such host' >&2; exit 3",
		"sh ended with status 3 before the script did: no such host"},
	    {"kill -9 $$", "sh was killed by signal 9 (Killed)"},
	    {"exit 0", "sh ended with status 0 before the script did"},
	    {"printf '\\303' >&2; printf '\\001\\n' >&2; exit 1",
		"sh ended with status 1 before the script did"},
	    {"head -c 1000 /dev/zero | tr '\\0' x >&2; exit 1",
		"did: xxxxxxxxxxxxxxxxx"},
	};
	unsigned fds = descriptors();

	(void)state;
	for (size_t i = 0; i < sizeof(others) / sizeof(*others); i++) {
		const char *command[] = {"sh", "-c", others[i].script, NULL};
		cm_place *p = place_of(command, i % 2 != 0);

		ends(run_in(p, "return 1"), CM_END_SANDBOX, others[i].words);
		ends(run_in(p, "return 1"), CM_END_SANDBOX, others[i].words);
		cm_place_free(p);
		nothing_is_left(fds);
	}
}

/* What a command says for people is passed on, and does not end a run. */
static void
a_command_may_talk(void **state)
{
	static const char *const command[] = {
	    "sh", "-c", "echo hello >&2; exec " WORKER " --stdio", NULL};
	unsigned fds = descriptors();
	int ours = dup(STDERR_FILENO), to[2];
	char heard[100];
	ssize_t n;
	cm_place *p = place_of(command, true);

	(void)state;
	assert_int_equal(pipe(to), 0);
	dup2(to[1], STDERR_FILENO);
	ends(run_in(p, call_script), CM_END_OK, "42");
	dup2(ours, STDERR_FILENO);
	close(ours);
	close(to[1]);
	n = read(to[0], heard, sizeof(heard));
	close(to[0]);
	assert_text(((text){heard, n > 0 ? (size_t)n : 0}), T("hello\n"));
	ends(run_in(p, call_script), CM_END_OK, "42");
	cm_place_free(p);
	nothing_is_left(fds);
}

static void
wrong_options(void **state)
{
	static const char *const nothing[] = {NULL};
	struct {
		cm_stream_options o;
		uint64_t newer;
	} o = {CM_STREAM_OPTIONS_INIT, 1};
	cm_place *p;

	(void)state;
	assert_int_equal(cm_place_stream(NULL, NULL, &p), CM_EMISUSE);
	assert_int_equal(cm_place_stream(NULL, &o.o, &p), CM_EMISUSE);
	o.o.command = nothing;
	assert_int_equal(cm_place_stream(NULL, &o.o, &p), CM_EMISUSE);
	o.o.command = NULL;
	o.o.connect = connect_far;
	o.o.size = sizeof(o);
	assert_int_equal(cm_place_stream(NULL, &o.o, &p), CM_EMISUSE);
	o.newer = 0;
	assert_int_equal(cm_place_stream(NULL, &o.o, &p), CM_OK);
	cm_place_free(p);
}

static void
its_fences_are_reported(void **state)
{
	far_end f = {.pipes = true};
	cm_place *p = place_to(&f, true);
	cm_text report;

	(void)state;
	assert_int_equal(cm_place_fences(p, &report), CM_OK);
	assert_int_equal(text_find(report, T(" down"), 0), SIZE_MAX);
	assert_int_not_equal(text_find(report, T("syscalls up"), 0), SIZE_MAX);
	ends(run_in(p, "return 1"), CM_END_OK, "1");
	cm_place_free(p);
}

/* Reads until the other end has said OVER; its words are in c->why. */
static void
read_to_over(channel *c)
{
	char bytes[4096];

	do {
		struct pollfd fd = {c->watch, POLLIN, 0};

		assert_int_equal(poll(&fd, 1, AMPLE_MS), 1);
		while (channel_read(c, bytes, sizeof(bytes)) > 0)
			;
		assert_false(c->lost);
	} while (!c->got_over);
}

/* A run ends a worker as soon as it has the result. One that is left alone ends
 * without a system call that it may not make. */
static void
a_worker_ends_well(void **state)
{
	static const char seed[ENGINE_SEED];
	far_end f = {.pipes = true};
	buf start = BUF_INIT(NULL, 65536);
	cm_stream s;
	channel c;

	(void)state;
	wire_put(&start,
	    &(wire_msg){WIRE_START,
		{64 << 20, UINT64_MAX, UINT64_MAX, 1000, 0, 10, 1000, 10, 1000,
		    1000, 0},
		{T("return 1"), T("{}"), {seed, sizeof(seed)}, TEXT_NONE}});
	assert_int_equal(connect_far(&f, &s), 0);
	assert_int_equal(channel_open(&c, s.in, s.out, AMPLE_MS), 0);
	assert_int_equal(channel_write(&c, start.ptr, start.len), start.len);
	read_to_over(&c);
	assert_str(text_of(c.why),
	    "the sandbox process ended with status 0 before the script did");
	channel_close(&c);
	disconnect_far(&f, &s);
	buf_fini(&start);
}

/* The program at the other end, and a run that is none: the program ends. */
static void
the_run_is_no_run(void **state)
{
	static const struct {
		const char *bytes;
		size_t n;
	} noise[] = {{"", 0}, {"GET / HTTP/1.1\r\n\r\n", 18}, {"\0\0\0\0\1", 5},
	    {"\1\0\0\0\3x", 6}, {"\377\377\377\377\1xxxx", 9},
	    {"\5\0\0\0\1\1\0\0\0\0", 10}, /* HELLO is none of its */
	    {"\5\0\0\0\1\1\0\0\0\1", 10}, /* START without fields */
	    {"\4\0\0\0\1\377\377\377\377", 9}};
	char bytes[4096];

	(void)state;
	for (size_t i = 0; i < sizeof(noise) / sizeof(*noise); i++) {
		far_end f = {.pipes = true};
		cm_stream s;

		assert_int_equal(connect_far(&f, &s), 0);
		assert_int_equal(write(s.out, noise[i].bytes, noise[i].n),
		    (ssize_t)noise[i].n);
		close(s.out);
		s.out = s.in;
		while (read(s.in, bytes, sizeof(bytes)) > 0)
			;
		disconnect_far(&f, &s);
	}
}

int
main(void)
{
	const struct CMUnitTest tests[] = {
	    cmocka_unit_test(a_stream_is_any_pair_of_descriptors),
	    cmocka_unit_test(the_result_says_where_it_ran),
	    cmocka_unit_test(a_session_has_one_stream),
	    cmocka_unit_test(scripts_at_one_time_have_one_each),
	    cmocka_unit_test(a_script_is_given_up),
	    cmocka_unit_test(an_interrupt_reaches_it),
	    cmocka_unit_test(the_other_end_dies),
	    cmocka_unit_test(the_other_end_dies_between),
	    cmocka_unit_test(its_limits_hold),
	    cmocka_unit_test(its_limits_are_higher),
	    cmocka_unit_test(a_stream_cannot_be_made),
	    cmocka_unit_test(something_else_is_there),
	    cmocka_unit_test(a_command_may_talk),
	    cmocka_unit_test(wrong_options),
	    cmocka_unit_test(its_fences_are_reported),
	    cmocka_unit_test(a_worker_ends_well),
	    cmocka_unit_test(the_run_is_no_run),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
