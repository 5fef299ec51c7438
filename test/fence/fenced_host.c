/* SPDX-License-Identifier: MIT */
/*
 * fenced_host.c -- host_run of the golden scripts, inside all fences.
 *
 * The linker puts it in front of the real one (--wrap): each script, with the
 * engine, its run and the tools of test/script, goes into a process fenced as
 * codemode-worker's are, and its result comes back over the socket. So every
 * golden script also says whether the list of system calls is long enough.
 */
#define _GNU_SOURCE
#include "host.h"

#include "place/fences.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/socket.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

cm_status __real_host_run(text script, json options, host_end *end);
cm_status __wrap_host_run(text script, json options, host_end *end);
int __real_nanosleep(const struct timespec *t, struct timespec *rest);
int __wrap_nanosleep(const struct timespec *t, struct timespec *rest);

enum { ANSWER_MAX = 512 << 20 };

/* What comes before the bytes of the result. Both ends are one program, so a
 * pointer to a constant means the same in both. */
typedef struct answer_head {
	cm_status status;
	uint64_t ms;
	const char *broken;
} answer_head;

/* Sleeping is not on the list: a worker never does, its tools are elsewhere. */
int
__wrap_nanosleep(const struct timespec *t, struct timespec *rest)
{
	struct timespec from, now;
	int64_t wanted = t->tv_sec * 1000000000 + t->tv_nsec, passed;

	(void)rest;
	clock_gettime(CLOCK_MONOTONIC, &from);
	do {
		clock_gettime(CLOCK_MONOTONIC, &now);
		passed = (now.tv_sec - from.tv_sec) * 1000000000 + now.tv_nsec -
			 from.tv_nsec;
	} while (passed < wanted);
	return 0;
}

static void
say(int line, const void *bytes, size_t len)
{
	const char *p = bytes;

	while (len > 0) {
		ssize_t n = send(line, p, len, 0);

		if (n <= 0)
			_exit(1);
		p += n;
		len -= (size_t)n;
	}
}

static _Noreturn void
child(const fences *f, pid_t parent, int line, text script, json options)
{
	fence_report report;
	host_end end;
	answer_head head;

	fences_child(f, parent, line, &report);
	if (report.state[FENCE_syscalls] != FENCE_UP)
		_exit(1);
	head.status = __real_host_run(script, options, &end);
	head.ms = end.ms;
	head.broken = end.broken;
	say(line, &head, sizeof(head));
	say(line, end.result.ptr, end.result.len);
	_exit(0);
}

static _Noreturn void template(int line, text script, json options)
{
	const fence_nets nets = {0, 0};
	pid_t me = getpid(), pid;
	fences f;
	int status = 0;

	fences_template(&f, &nets);
	pid = fork();
	if (pid == 0)
		child(&f, me, line, script, options);
	close(line);
	waitpid(pid, &status, 0);
	_exit(WIFSIGNALED(status) ? WTERMSIG(status) : WEXITSTATUS(status));
}

static void
hear(int line, buf *all)
{
	ssize_t n;

	buf_clear(all);
	do {
		char *room = buf_room(all, 1 << 16);

		n = room != NULL ? read(line, room, 1 << 16) : 0;
		if (n > 0)
			all->len += (size_t)n;
	} while (n > 0 || (n < 0 && errno == EINTR));
}

static cm_status
understand(const buf *all, int status, host_end *end)
{
	answer_head head;

	*end = (host_end){0};
	if (all->len < sizeof(head) || status != 0) {
		printf(
		    "the fenced process ended with %d\n", WEXITSTATUS(status));
		return CM_EENGINE;
	}
	memcpy(&head, all->ptr, sizeof(head));
	end->ms = head.ms;
	end->broken = head.broken;
	end->result = text_sub(buf_view(all), sizeof(head), SIZE_MAX);
	return head.status;
}

cm_status
__wrap_host_run(text script, json options, host_end *end)
{
	static buf all; /* the last result lives until the next run */
	int line[2], status = -1;
	pid_t pid;

	if (all.max == 0)
		all = BUF_INIT(NULL, ANSWER_MAX);
	tzset(); /* reads the zone's file, which nobody can inside */
	if (socketpair(AF_UNIX, SOCK_STREAM, 0, line) != 0)
		return CM_EENGINE;
	pid = fork();
	if (pid == 0)
		template(line[1], script, options);
	close(line[1]);
	hear(line[0], &all);
	close(line[0]);
	waitpid(pid, &status, 0);
	return understand(&all, status, end);
}
