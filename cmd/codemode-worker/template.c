/* SPDX-License-Identifier: MIT */
/*
 * template.c -- forks a clean process for each script.
 *
 * It has an empty environment and one socket to the place that started it; no
 * script and no secret comes here. It is the parent of the workers, so it alone
 * kills and reaps them: the pid that it kills is a worker's. When the place
 * closes the socket, the template kills its workers and ends.
 */
#include "template.h"

#include "fence/fences.h"
#include "place/template_packet.h"
#include "place/worker_serve.h"

#include <errno.h>
#include <poll.h>
#include <signal.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <sys/wait.h>
#include <unistd.h>

enum { LIVE_MAX = 4096 };

typedef struct template
{
	fences fences;
	pid_t pid;
	pid_t live[LIVE_MAX]; /* workers that are not reaped */
	unsigned lives;
}
template;

static void
reply(template_op op, uint32_t serial, pid_t pid, int value, int flags)
{
	template_packet p = {(uint32_t)op, serial, pid, value};

	(void)!send(TEMPLATE_FD, &p, sizeof(p), MSG_NOSIGNAL | flags);
}

/* Blocks while the socket is full: the place waits for this packet, and
 * reads. */
static void
answer_fork(uint32_t serial, pid_t pid, int error)
{
	reply(TEMPLATE_FORKED, serial, pid, error, 0);
}

/* Drops the packet while the socket is full: the place may not be reading,
 * and to block here would leave its KILL packets unread. */
static void
tell_exit(pid_t pid, int status)
{
	reply(TEMPLATE_EXITED, 0, pid, status, MSG_DONTWAIT);
}

/* Turns this process into a worker: its socket becomes TEMPLATE_FD, every other
 * descriptor is closed, the fences go up; then the first byte is read. */
static _Noreturn void
run_worker(const fences *f, pid_t parent, int fd)
{
	buf report = BUF_INIT(NULL, FENCE_REPORT_BYTES);
	fence_report stand;

	if (fd != TEMPLATE_FD && dup2(fd, TEMPLATE_FD) != TEMPLATE_FD)
		_exit(1);
	fences_child(f, parent, TEMPLATE_FD, &stand);
	fence_report_write(&stand, &report);
	_exit(serve(TEMPLATE_FD, TEMPLATE_FD, buf_view(&report)));
}

static void
fork_child(template *t, uint32_t serial, int fd)
{
	pid_t pid;

	if (fd < 0 || t->lives == LIVE_MAX) {
		answer_fork(serial, 0, fd < 0 ? EBADF : EAGAIN);
		return;
	}
	pid = fork();
	if (pid == 0)
		run_worker(&t->fences, t->pid, fd);
	if (pid > 0)
		t->live[t->lives++] = pid;
	answer_fork(serial, pid > 0 ? pid : 0, pid > 0 ? 0 : errno);
}

static void
kill_live(const template *t, pid_t pid)
{
	unsigned i;

	for (i = 0; i < t->lives; i++)
		if (t->live[i] == pid)
			kill(pid, SIGKILL);
}

static void
reap_workers(template *t)
{
	int status;
	unsigned i;
	pid_t pid;

	while ((pid = waitpid(-1, &status, WNOHANG)) > 0) {
		for (i = 0; i < t->lives; i++)
			if (t->live[i] == pid)
				t->live[i--] = t->live[--t->lives];
		tell_exit(pid, status);
	}
}

/* The place is gone: kills the workers and waits for them. */
static int
end_workers(template *t)
{
	unsigned i;

	for (i = 0; i < t->lives; i++)
		kill(t->live[i], SIGKILL);
	while (waitpid(-1, NULL, 0) > 0 || errno == EINTR)
		;
	return 0;
}

/* One packet and, with FORK, its descriptor; false: the place is gone. */
static bool
receive_request(template_packet *p, int *fd)
{
	union {
		struct cmsghdr header;
		char bytes[CMSG_SPACE(sizeof(int))];
	} control;
	struct iovec iov = {p, sizeof(*p)};
	struct msghdr m = {.msg_iov = &iov,
	    .msg_iovlen = 1,
	    .msg_control = &control,
	    .msg_controllen = sizeof(control)};
	struct cmsghdr *c;
	ssize_t n = recvmsg(TEMPLATE_FD, &m, MSG_CMSG_CLOEXEC);

	*fd = -1;
	if (n < 0 && errno == EINTR) {
		p->op = 0;
		return true;
	}
	if (n != (ssize_t)sizeof(*p))
		return false;
	c = CMSG_FIRSTHDR(&m);
	if (c != NULL && c->cmsg_type == SCM_RIGHTS)
		memcpy(fd, CMSG_DATA(c), sizeof(*fd));
	return true;
}

static void
on_child(int sig)
{
	(void)sig; /* the signal is there to interrupt ppoll */
}

/* Lets SIGCHLD come during ppoll only, so that no exit is missed. */
static void
listen_for_children(sigset_t *during)
{
	struct sigaction action = {.sa_handler = on_child};
	sigset_t child_only;

	sigaction(SIGCHLD, &action, NULL);
	sigemptyset(&child_only);
	sigaddset(&child_only, SIGCHLD);
	sigprocmask(SIG_BLOCK, &child_only, during);
	sigdelset(during, SIGCHLD);
}

int
template_main(void)
{
	static template t;
	struct pollfd control = {TEMPLATE_FD, POLLIN, 0};
	fence_nets nets = {0, 0};
	template_packet p;
	sigset_t during;
	int fd;

	t.pid = getpid();
	listen_for_children(&during);
	fences_template(&t.fences, &nets);
	serve_prepare();
	for (;;) {
		reap_workers(&t);
		if (ppoll(&control, 1, NULL, &during) < 0)
			continue;
		if (!receive_request(&p, &fd))
			return end_workers(&t);
		if (p.op == TEMPLATE_FORK)
			fork_child(&t, p.serial, fd);
		else if (p.op == TEMPLATE_KILL)
			kill_live(&t, p.pid);
		if (fd >= 0)
			close(fd);
	}
}

/* Puts up the same fences in the same order, without a fork between. */
int
once_main(const char *memory)
{
	static fences f;
	fence_nets nets = {0, 0};
	pid_t parent = getppid();

#if !defined(__SANITIZE_ADDRESS__) && !defined(__SANITIZE_THREAD__)
	if (memory != NULL) /* a sanitizer's own would count, too */
		nets.data = strtoull(memory, NULL, 10);
#else
	(void)memory;
#endif
	fences_template(&f, &nets);
	serve_prepare();
	run_worker(&f, parent, TEMPLATE_FD);
}
