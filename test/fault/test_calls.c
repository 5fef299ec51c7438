/* SPDX-License-Identifier: MIT */
/*
 * test_calls.c -- the n-th system call of the parent is interrupted, would
 * block, moves less than it was asked to, or fails; for every n until none is
 * reached any more.
 *
 *	fault_calls WORKER
 *
 * The linker puts the functions below in front of libc's (--wrap). Interrupted,
 * blocked and short is every day's business and changes nothing; what fails
 * ends the run with a message, or the place is not to be had.
 */
#define _GNU_SOURCE
#include "fault.h"

#include "sim/family.h"

#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <spawn.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/socket.h>
#include <unistd.h>

enum { MOST = 100000 };

typedef enum way { SHORT, INTERRUPTED, BLOCKED, BROKEN } way;

static const struct {
	const char *name;
	bool harmless;
} ways[] = {
    [SHORT] = {"short call", true},
    [INTERRUPTED] = {"interrupted call", true},
    [BLOCKED] = {"blocked call", true},
    [BROKEN] = {"broken call", false},
};

/* What is to go wrong; armed while a run goes on. */
static struct {
	bool armed;
	way way;
	unsigned at, made;
} plan;

/* Is it this call's turn? */
static bool
strikes(void)
{
	return plan.armed && ++plan.made == plan.at;
}

static int
fails_with(int otherwise)
{
	errno = plan.way == INTERRUPTED ? EINTR
		: plan.way == BLOCKED   ? EAGAIN
					: otherwise;
	return -1;
}

ssize_t __real_send(int fd, const void *p, size_t n, int flags);
ssize_t __wrap_send(int fd, const void *p, size_t n, int flags);
ssize_t __real_recv(int fd, void *p, size_t n, int flags);
ssize_t __wrap_recv(int fd, void *p, size_t n, int flags);
ssize_t __real_sendmsg(int fd, const struct msghdr *m, int flags);
ssize_t __wrap_sendmsg(int fd, const struct msghdr *m, int flags);
int __real_poll(struct pollfd *fds, nfds_t n, int ms);
int __wrap_poll(struct pollfd *fds, nfds_t n, int ms);
int __real_socketpair(int domain, int type, int protocol, int fd[2]);
int __wrap_socketpair(int domain, int type, int protocol, int fd[2]);

/* Packets are whole or not at all; only streams can be cut. */
static bool
is_stream(int fd)
{
	int type = 0;
	socklen_t len = sizeof(type);

	return getsockopt(fd, SOL_SOCKET, SO_TYPE, &type, &len) == 0 &&
	       type == SOCK_STREAM;
}

ssize_t
__wrap_send(int fd, const void *p, size_t n, int flags)
{
	if (!strikes())
		return __real_send(fd, p, n, flags);
	if (plan.way == SHORT)
		return __real_send(
		    fd, p, is_stream(fd) && n > 1 ? 1 : n, flags);
	return fails_with(ENOBUFS);
}

ssize_t
__wrap_recv(int fd, void *p, size_t n, int flags)
{
	if (!strikes())
		return __real_recv(fd, p, n, flags);
	if (plan.way == SHORT)
		return __real_recv(
		    fd, p, is_stream(fd) && n > 1 ? 1 : n, flags);
	return fails_with(plan.at % 2 ? EIO : ECONNRESET);
}

ssize_t
__wrap_sendmsg(int fd, const struct msghdr *m, int flags)
{
	if (!strikes() || plan.way == SHORT)
		return __real_sendmsg(fd, m, flags);
	return fails_with(ETOOMANYREFS);
}

int
__wrap_poll(struct pollfd *fds, nfds_t n, int ms)
{
	if (!strikes() || plan.way == SHORT || plan.way == BLOCKED)
		return __real_poll(fds, n, ms);
	return fails_with(ENOMEM);
}

int
__wrap_socketpair(int domain, int type, int protocol, int fd[2])
{
	if (!strikes() || plan.way != BROKEN)
		return __real_socketpair(domain, type, protocol, fd);
	return fails_with(EMFILE);
}

/* ------------------------------------------------------------------- runs */

static owner o;

static void
clean_run(const fault_case *c, const char *what, unsigned n)
{
	owner_end end;

	owner_run(&o, c->script, &end);
	if (fault_sound(c, &end, what, n) && !fault_unharmed(c, &end)) {
		fault_failures++;
		printf("%s: the run after %s %u: %s\n", c->name, what, n,
		    end.message);
	}
}

/* True: the run made fewer calls than that. */
static bool
run_once(const fault_case *c, way w, unsigned at)
{
	owner_end end;

	plan.way = w;
	plan.at = at;
	plan.made = 0;
	plan.armed = true;
	owner_run(&o, c->script, &end);
	plan.armed = false;
	fault_sound(c, &end, ways[w].name, at);
	if (ways[w].harmless && !fault_unharmed(c, &end)) {
		fault_failures++;
		printf("%s: %s %u is no reason to end: %s\n", c->name,
		    ways[w].name, at, end.message);
	}
	if (w == BROKEN)
		clean_run(c, ways[w].name, at);
	return plan.made < at;
}

/* A place that cannot be had says so, and leaves nothing behind. */
static unsigned
starts(const char *worker)
{
	cm_process_options opts = CM_PROCESS_OPTIONS_INIT;
	unsigned at;

	opts.worker = worker;
	for (at = 1; at < MOST; at++) {
		cm_place *p = NULL;

		plan.way = BROKEN;
		plan.at = at;
		plan.made = 0;
		plan.armed = true;
		if (cm_place_process(NULL, &opts, &p) == CM_OK) {
			plan.armed = false;
			o.place = p;
			clean_run(&fault_cases[0], "broken start", at);
		}
		plan.armed = false;
		cm_place_free(p);
		if (!family_ends(getpid(), 1, 2000)) {
			fault_failures++;
			printf("start %u: a process is left\n", at);
		}
		if (plan.made < at)
			break;
	}
	return at;
}

int
main(int argc, char **argv)
{
	cm_process_options opts = CM_PROCESS_OPTIONS_INIT;
	unsigned i, at, runs = 0;
	way w;

	setvbuf(stdout, NULL, _IOLBF, 0);
	if (argc < 2 || owner_init(&o, NULL) != CM_OK)
		return EXIT_FAILURE;
	o.limits.wall_ms = FAULT_WALL_MS;
	runs += starts(argv[1]);
	opts.worker = argv[1];
	if (cm_place_process(NULL, &opts, &o.place) != CM_OK)
		return EXIT_FAILURE;
	for (i = 0; i < fault_cases_len; i++)
		for (w = SHORT; w <= BROKEN; w++) {
			for (at = 1; at < MOST; at++)
				if (run_once(&fault_cases[i], w, at))
					break;
			runs += at;
		}
	cm_place_free(o.place);
	owner_fini(&o);
	printf("%u runs with broken system calls, %u failures\n", runs,
	    fault_failures);
	return fault_failures > 0 ? EXIT_FAILURE : EXIT_SUCCESS;
}
