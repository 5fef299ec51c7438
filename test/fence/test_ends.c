/* SPDX-License-Identifier: MIT */
/*
 * test_ends.c -- what a fenced process looks like from outside, and that it
 * ends: with its template, and in the last nets.
 */
#define _GNU_SOURCE
#include "unit/unit.h"

#include "fence/fences.h"

#include <errno.h>
#include <poll.h>
#include <signal.h>
#include <sys/mman.h>
#include <sys/socket.h>
#include <sys/wait.h>
#include <unistd.h>

extern char **environ;

enum {
	AMPLE_MS = 120000, /* a busy machine takes long to give 1 s of processor
	                      time; without the net it ends never */
	NET_DATA = 64 << 20
};

/* A template with one child in it, and the socket to that child. */
typedef struct family {
	pid_t template;
	pid_t child;
	int line;
} family;

typedef void deed(int line);

static _Noreturn void
be_template(int line, const fence_nets *nets, deed *what)
{
	fence_report report;
	pid_t me = getpid(), pid;
	fences f;
	int status = 0;

	fences_template(&f, nets);
	pid = fork();
	if (pid == 0) {
		fences_child(&f, me, line, &report);
		what(line);
		_exit(0);
	}
	send(line, &pid, sizeof(pid), 0);
	close(line);
	waitpid(pid, &status, 0);
	_exit(
	    WIFSIGNALED(status) ? 128 + WTERMSIG(status) : WEXITSTATUS(status));
}

static family
start(const fence_nets *nets, deed *what)
{
	family f = {0, 0, -1};
	int line[2];

	assert_int_equal(socketpair(AF_UNIX, SOCK_SEQPACKET, 0, line), 0);
	f.template = fork();
	assert_true(f.template >= 0);
	if (f.template == 0) {
		close(line[0]);
		be_template(line[1], nets, what);
	}
	close(line[1]);
	f.line = line[0];
	assert_int_equal(
	    recv(f.line, &f.child, sizeof(f.child), 0), sizeof(f.child));
	return f;
}

/* The template's exit status. */
static int
finish(family *f)
{
	int status = 0;

	close(f->line);
	assert_int_equal(waitpid(f->template, &status, 0), f->template);
	return WIFEXITED(status) ? WEXITSTATUS(status) : 128 + WTERMSIG(status);
}

/* Now its fences stand. */
static void
greet(const family *f)
{
	char byte = '?';

	assert_int_equal(send(f->line, &byte, 1, 0), 1);
	assert_int_equal(recv(f->line, &byte, 1, 0), 1);
}

static bool
hangs_up(int line)
{
	struct pollfd p = {line, POLLIN, 0};
	char byte;

	return poll(&p, 1, AMPLE_MS) == 1 && recv(line, &byte, 1, 0) == 0;
}

/* ------------------------------------------------------------- the deeds */

/* Asked whether it is there it says so, and waits for the next word, which
 * never comes. */
static void
wait_for_ever(int line)
{
	char byte;

	(void)!recv(line, &byte, 1, 0);
	(void)!write(line, &byte, 1);
	(void)!recv(line, &byte, 1, 0);
}

static void
spin(int line)
{
	(void)line;
	for (volatile unsigned i = 0;; i++)
		;
}

static void
take_memory(int line)
{
	size_t half = NET_DATA / 2;
	void *fits = mmap(NULL, half, PROT_READ | PROT_WRITE,
	    MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
	void *more = mmap(NULL, half, PROT_READ | PROT_WRITE,
	    MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);

	(void)line;
	_exit(fits == MAP_FAILED ? 1 : more == MAP_FAILED ? 7 : 2);
}

/* ------------------------------------------------------------- the tests */

static void
dies_with_its_template(void **state)
{
	const fence_nets nets = {0, 0};
	family f = start(&nets, wait_for_ever);

	(void)state;
	greet(&f);
	kill(f.template, SIGKILL);
	assert_true(hangs_up(f.line));
	assert_int_equal(finish(&f), 128 + SIGKILL);
}

/* Exits with what the report says of the environment. */
static int
environment_state(char **vars)
{
	const fence_nets nets = {0, 0};
	int status = 0;
	pid_t pid = fork();
	fences f;

	if (pid == 0) {
		environ = vars;
		fences_template(&f, &nets);
		_exit(f.report.state[FENCE_environment]);
	}
	assert_int_equal(waitpid(pid, &status, 0), pid);
	assert_true(WIFEXITED(status));
	return WEXITSTATUS(status);
}

static void
one_variable_is_one_too_many(void **state)
{
	char secret[] = "TOKEN=x";
	char *one[] = {secret, NULL}, *none[] = {NULL};

	(void)state;
	assert_int_equal(environment_state(one), EEXIST);
	assert_int_equal(environment_state(none), FENCE_UP);
}

static void
orphan_ends_at_once(void **state)
{
	const fence_nets nets = {0, 0};
	fences f;
	fence_report report;
	int status = 0;
	pid_t pid = fork();

	(void)state;
	if (pid == 0) {
		fences_template(&f, &nets);
		fences_child(&f, getppid() + 1, 0, &report);
		_exit(0);
	}
	assert_int_equal(waitpid(pid, &status, 0), pid);
	assert_true(WIFEXITED(status) && WEXITSTATUS(status) == 1);
}

static void
computing_has_an_end(void **state)
{
	const fence_nets nets = {1, 0};
	family f = start(&nets, spin);

	(void)state;
	assert_true(hangs_up(f.line));
	assert_int_equal(finish(&f), 128 + SIGKILL);
}

static void
memory_has_an_end(void **state)
{
	const fence_nets nets = {0, NET_DATA};
	family f = start(&nets, take_memory);

	(void)state;
	assert_int_equal(finish(&f), 7);
}

/* The value of a line of /proc/PID/status. */
static void
assert_status(const char *status, const char *key, const char *value)
{
	text rest = text_of(status), line;

	while (text_line(&rest, &line)) {
		if (!text_starts(line, text_of(key)) ||
		    line.ptr[strlen(key)] != ':')
			continue;
		line = text_trim(text_sub(line, strlen(key) + 1, SIZE_MAX));
		assert_str(line, value);
		return;
	}
	fail_msg("no line %s", key);
}

static void
seen_from_outside(void **state)
{
	const fence_nets nets = {0, 0};
	family f = start(&nets, wait_for_ever);
	char path[64], status[8192];
	size_t n;
	FILE *file;

	(void)state;
	greet(&f);
	snprintf(path, sizeof(path), "/proc/%d/status", (int)f.child);
	file = fopen(path, "r");
	assert_non_null(file);
	n = fread(status, 1, sizeof(status) - 1, file);
	status[n] = '\0';
	fclose(file);
	assert_status(status, "Threads", "1");
	assert_status(status, "Seccomp", "2");
	assert_status(status, "NoNewPrivs", "1");
	assert_status(status, "CapPrm", "0000000000000000");
	assert_status(status, "CapEff", "0000000000000000");
	assert_status(status, "CapAmb", "0000000000000000");
	assert_int_equal(finish(&f), 0);
}

int
main(void)
{
	const struct CMUnitTest tests[] = {
	    cmocka_unit_test(dies_with_its_template),
	    cmocka_unit_test(one_variable_is_one_too_many),
	    cmocka_unit_test(orphan_ends_at_once),
	    cmocka_unit_test(computing_has_an_end),
	    cmocka_unit_test(memory_has_an_end),
	    cmocka_unit_test(seen_from_outside),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
