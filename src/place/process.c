/* SPDX-License-Identifier: MIT */
/* process.c -- see process.h. */
#define _GNU_SOURCE
#include "process.h"

#include "place_child.h"
#include "template_packet.h"

#include "host/system.h"
#include "wire/wire.h"

#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <signal.h>
#include <spawn.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <sys/wait.h>
#include <unistd.h>

#define PLACE_SPARES_MAX 16
#define PLACE_EXITS      64 /* how many ended workers are remembered */

typedef struct process_place {
	place base;
	const char *path; /* of codemode-worker */
	int control;      /* socket to the template; keeps its number;
			     -1: there was no template so far */
	pid_t template_pid;
	pid_t only;     /* a worker that is a child of this process; 0: none */
	uint32_t forks; /* FORK packets sent: the serial of the last */
	unsigned spares_wanted, spares;
	worker spare[PLACE_SPARES_MAX];
	bool sees_memory; /* since a worker's memory could be read */
	struct {
		pid_t pid;
		int status;
	} exited[PLACE_EXITS];
	unsigned exits;
} process_place;

/* ------------------------------------------------------ codemode-worker */

/* Its descriptors: /dev/null thrice, and its socket. */
static int
set_descriptors(posix_spawn_file_actions_t *a, int socket)
{
	int fd, r = 0;

	for (fd = 0; fd < 3 && r == 0; fd++)
		r = posix_spawn_file_actions_addopen(
		    a, fd, "/dev/null", O_RDWR, 0);
	if (r == 0)
		r = posix_spawn_file_actions_adddup2(a, socket, TEMPLATE_FD);
	if (r == 0)
		r = posix_spawn_file_actions_addclosefrom_np(
		    a, TEMPLATE_FD + 1);
	return r;
}

/* No signal is blocked or ignored. A template gets a session of its own, so
 * that Ctrl-C at the terminal signals the owner only. A worker makes one
 * itself. */
static int
set_signals(posix_spawnattr_t *a, bool session)
{
	int flags = POSIX_SPAWN_SETSIGMASK | POSIX_SPAWN_SETSIGDEF;
	sigset_t none, all;
	int r;

	sigemptyset(&none);
	sigfillset(&all);
	r = posix_spawnattr_setsigmask(a, &none);
	if (r == 0)
		r = posix_spawnattr_setsigdefault(a, &all);
	if (r == 0)
		r = posix_spawnattr_setflags(
		    a, (short)(session ? flags | POSIX_SPAWN_SETSID : flags));
	return r;
}

/* Returns an errno. */
static int
spawn_worker(const char *path, bool template, int socket, pid_t *pid)
{
	char *argv[] = {
	    "codemode-worker", template ? "--template" : "--once", NULL};
	char *envp[] = {NULL};
	posix_spawn_file_actions_t actions;
	posix_spawnattr_t attr;
	int r;

	posix_spawn_file_actions_init(&actions);
	posix_spawnattr_init(&attr);
	r = set_descriptors(&actions, socket);
	if (r == 0)
		r = set_signals(&attr, template);
	if (r == 0)
		r = posix_spawn(pid, path, &actions, &attr, argv, envp);
	posix_spawn_file_actions_destroy(&actions);
	posix_spawnattr_destroy(&attr);
	return r;
}

/* A socket pair whose far end is for a child. Returns an errno. */
static int
socket_pair(int type, int fd[2])
{
	int error;

	if (socketpair(AF_UNIX, type | SOCK_CLOEXEC, 0, fd) != 0)
		return errno;
	fd[1] = above_worker_fds(fd[1]);
	if (fd[1] >= 0)
		return 0;
	error = errno;
	close(fd[0]);
	return error;
}

/* -------------------------------------------------------------- template */

/* p->control becomes the new socket. It keeps its number, because a signal
 * handler may be about to use it. Returns an errno. */
static int
start_template(process_place *p)
{
	int fd[2], r = socket_pair(SOCK_SEQPACKET, fd);

	if (r != 0)
		return r;
	r = spawn_worker(p->path, true, fd[1], &p->template_pid);
	close(fd[1]);
	if (r == 0 && p->control < 0) {
		p->control = fd[0];
		return 0;
	}
	if (r == 0 && dup3(fd[0], p->control, O_CLOEXEC) < 0)
		r = errno;
	close(fd[0]);
	return r;
}

static bool
hung_up(int fd)
{
	struct pollfd p = {fd, POLLIN, 0};

	return poll(&p, 1, 0) > 0 && (p.revents & (POLLHUP | POLLERR)) != 0;
}

/* Starts a template where there is none yet, or where it has ended: its workers
 * ended with it. Returns an errno. */
static int
need_template(process_place *p)
{
	if (p->control >= 0) {
		if (!hung_up(p->control))
			return 0;
		while (p->spares > 0)
			close(p->spare[--p->spares].fd);
		reap_own_child(p->template_pid);
	}
	return start_template(p);
}

/* --------------------------------------------------------- the only one */

/* Starts a worker without a template; it is the place's first spare. Returns an
 * errno. */
static int
start_only(process_place *p)
{
	int fd[2], r = socket_pair(SOCK_STREAM, fd);

	if (r != 0)
		return r;
	r = spawn_worker(p->path, false, fd[1], &p->only);
	close(fd[1]);
	if (r != 0) {
		close(fd[0]);
		return r;
	}
	fcntl(fd[0], F_SETFL, O_NONBLOCK);
	p->spare[p->spares++] = (worker){fd[0], p->only, NULL};
	return 0;
}

/* --------------------------------------------------------------- packets */

/* Waits wait_ms at most for the next packet from the template. EXITED is noted
 * in p->exited, and given to the caller, too. */
static bool
receive_packet(process_place *p, int wait_ms, template_packet *packet)
{
	struct pollfd fd = {p->control, POLLIN, 0};
	ssize_t n = -1;
	int r;

	do {
		r = poll(&fd, 1, wait_ms);
		if (r > 0)
			n = recv(
			    p->control, packet, sizeof(*packet), MSG_DONTWAIT);
	} while ((r < 0 && errno == EINTR) ||
		 (r > 0 && n < 0 && (errno == EINTR || errno == EAGAIN)));
	if (r <= 0 || n != (ssize_t)sizeof(*packet)) {
		errno = r == 0 ? ETIMEDOUT : ECONNRESET;
		return false;
	}
	if (packet->op == TEMPLATE_EXITED) {
		unsigned i = p->exits++ % PLACE_EXITS;

		p->exited[i].pid = packet->pid;
		p->exited[i].status = packet->value;
	}
	return true;
}

/* A template that takes no packet may itself be blocked, because its own
 * packets fill the socket: read one, and try again. The lock is held. */
static bool
send_packet(process_place *p, const struct msghdr *m)
{
	enum { ROUNDS = 1000, ROUND_MS = 5 };
	template_packet packet;
	int i;

	for (i = 0; i < ROUNDS; i++) {
		if (sendmsg(p->control, m, MSG_NOSIGNAL | MSG_DONTWAIT) >= 0)
			return true;
		if (errno == EAGAIN || errno == ENOBUFS)
			(void)receive_packet(p, ROUND_MS, &packet);
		else if (errno != EINTR)
			return false;
	}
	return false;
}

static bool
send_fork(process_place *p, int fd)
{
	template_packet packet = {TEMPLATE_FORK, ++p->forks, 0, 0};
	union {
		struct cmsghdr header;
		char bytes[CMSG_SPACE(sizeof(int))];
	} control;
	struct iovec iov = {&packet, sizeof(packet)};
	struct msghdr m = {.msg_iov = &iov,
	    .msg_iovlen = 1,
	    .msg_control = &control,
	    .msg_controllen = sizeof(control)};
	struct cmsghdr *c;

	memset(&control, 0, sizeof(control));
	c = CMSG_FIRSTHDR(&m);
	c->cmsg_level = SOL_SOCKET;
	c->cmsg_type = SCM_RIGHTS;
	c->cmsg_len = CMSG_LEN(sizeof(int));
	memcpy(CMSG_DATA(c), &fd, sizeof(int));
	return send_packet(p, &m);
}

/* --------------------------------------------------------------- workers */

/* Has the template fork a worker. The lock is held. */
static bool
fork_worker(process_place *p, worker *w)
{
	enum { PATIENCE_MS = 5000 };
	template_packet packet;
	int fd[2];

	if (socketpair(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0, fd) != 0)
		return false;
	if (!send_fork(p, fd[1])) {
		close(fd[0]);
		close(fd[1]);
		return false;
	}
	close(fd[1]);
	fcntl(fd[0], F_SETFL, O_NONBLOCK);
	while (receive_packet(p, PATIENCE_MS, &packet)) {
		/* It answers an earlier FORK, whose caller waited in vain. That
		 * worker finds its socket closed, and ends. */
		if (packet.op != TEMPLATE_FORKED || packet.serial != p->forks)
			continue;
		if (packet.pid == 0) {
			errno = packet.value;
			break;
		}
		*w = (worker){fd[0], packet.pid, NULL};
		return true;
	}
	close(fd[0]);
	return false;
}

/* Takes a spare whose socket is open. */
static bool
take_spare(process_place *p, worker *w)
{
	while (p->spares > 0) {
		*w = p->spare[--p->spares];
		if (!hung_up(w->fd))
			return true;
		close(w->fd);
	}
	return false;
}

static bool
take_process(place *base, worker *w)
{
	process_place *p = (process_place *)base;
	bool got;
	int error;

	pthread_mutex_lock(&p->base.lock);
	got = p->control < 0 && take_spare(p, w);
	if (!got && (error = need_template(p)) != 0)
		errno = error;
	else if (!got)
		got = take_spare(p, w) || fork_worker(p, w);
	pthread_mutex_unlock(&p->base.lock);
	return got;
}

static void
refill_processes(place *base)
{
	process_place *p = (process_place *)base;

	pthread_mutex_lock(&p->base.lock);
	while (p->control >= 0 && p->spares < p->spares_wanted &&
	       fork_worker(p, &p->spare[p->spares]))
		p->spares++;
	pthread_mutex_unlock(&p->base.lock);
}

static void
kill_process(const place *base, const worker *w)
{
	const process_place *p = (const process_place *)base;
	template_packet packet = {TEMPLATE_KILL, 0, w->pid, 0};

	if (w->pid == p->only)
		kill_own_child(p->only);
	else if (w->pid != 0)
		(void)!send(p->control, &packet, sizeof(packet),
		    MSG_NOSIGNAL | MSG_DONTWAIT);
}

/* A worker that computes does not notice that its socket is closed, so it has
 * to be killed. */
static void
drop_process(place *base, worker *w)
{
	process_place *p = (process_place *)base;
	template_packet packet = {TEMPLATE_KILL, 0, w->pid, 0};
	struct iovec iov = {&packet, sizeof(packet)};
	struct msghdr m = {.msg_iov = &iov, .msg_iovlen = 1};

	if (w->fd < 0)
		return;
	close(w->fd);
	w->fd = -1;
	pthread_mutex_lock(&p->base.lock);
	if (w->pid == p->only)
		kill_own_child(p->only); /* place_free reaps it */
	else
		(void)send_packet(p, &m);
	pthread_mutex_unlock(&p->base.lock);
}

/* Does the program make workers? The worker becomes the first spare. */
static bool
has_worker(process_place *p)
{
	worker w;

	if (!fork_worker(p, &w))
		return false;
	if (p->spares_wanted > 0)
		p->spare[p->spares++] = w;
	else
		drop_process(&p->base, &w);
	return true;
}

static bool
find_exit(const process_place *p, pid_t pid, int *status)
{
	unsigned i, n = p->exits < PLACE_EXITS ? p->exits : PLACE_EXITS;

	for (i = 0; i < n; i++) {
		if (p->exited[i].pid == pid) {
			*status = p->exited[i].status;
			return true;
		}
	}
	return false;
}

/* Waits a moment for the status. False: it is not known. The lock is held. */
static bool
find_status(process_place *p, pid_t pid, int *status)
{
	template_packet packet;
	bool found;

	if (pid == p->only) {
		found = child_status(pid, PLACE_EXIT_MS, status);
		if (found)
			p->only = 0;
		return found;
	}
	while (!(found = find_exit(p, pid, status)) &&
	       receive_packet(p, PLACE_EXIT_MS, &packet))
		;
	return found;
}

static void
describe_process_end(place *base, const worker *w, char *why, size_t size)
{
	process_place *p = (process_place *)base;
	bool found;
	int status;

	pthread_mutex_lock(&p->base.lock);
	found = find_status(p, w->pid, &status);
	pthread_mutex_unlock(&p->base.lock);
	if (found)
		describe_child_end("the sandbox process", status, why, size);
	else
		snprintf(
		    why, size, "the sandbox process closed its connection");
}

uint64_t
process_resident(pid_t pid)
{
	unsigned long long all, resident = 0;
	char path[64], line[128];
	ssize_t n;
	int fd;

	snprintf(path, sizeof(path), "/proc/%ld/statm", (long)pid);
	if ((fd = open(path, O_RDONLY | O_CLOEXEC)) < 0)
		return 0;
	n = read(fd, line, sizeof(line) - 1);
	close(fd);
	if (n <= 0)
		return 0;
	line[n] = 0;
	if (sscanf(line, "%llu %llu", &all, &resident) != 2)
		return 0;
	return resident * (uint64_t)sysconf(_SC_PAGESIZE);
}

static const char *
process_memory_unseen(place *base, const worker *w)
{
	process_place *p = (process_place *)base;
	int error;
	bool sees;

	pthread_mutex_lock(&p->base.lock);
	errno = 0;
	p->sees_memory = p->sees_memory || process_resident(w->pid) > 0;
	error = errno;
	sees = p->sees_memory;
	pthread_mutex_unlock(&p->base.lock);
	if (sees)
		return NULL;
	return error == EMFILE || error == ENFILE
		   ? "too many open files"
		   : "/proc does not show the process";
}

static void
free_processes(place *base)
{
	process_place *p = (process_place *)base;
	cm_alloc alloc = p->base.alloc;

	while (p->spares > 0)
		close(p->spare[--p->spares].fd);
	if (p->only > 0) {
		kill_own_child(p->only);
		reap_own_child(p->only);
	}
	if (p->control >= 0) {
		close(p->control);
		end_child(p->template_pid);
	}
	place_fini(&p->base);
	mem_free(&alloc, p, sizeof(*p));
}

static const place_port process_port = {
    .name = "process",
    .hello_ms = 10000,
    .grace_ms = 50,
    .take = take_process,
    .drop = drop_process,
    .refill = refill_processes,
    .kill = kill_process,
    .describe_end = describe_process_end,
    .unseen = process_memory_unseen,
    .free = free_processes,
};

pid_t
process_template(const place *p)
{
	return ((const process_place *)p)->template_pid;
}

cm_status
process_place_new(const cm_alloc *alloc, const char *path, unsigned spares,
    uint64_t resident, bool require_fences, bool single, place **out)
{
	process_place *p = mem_new(alloc, sizeof(*p));
	int r;

	if (p == NULL)
		return CM_ENOMEM;
	place_init(&p->base, &process_port, path, alloc, require_fences);
	p->base.resident = resident;
	p->path = path;
	p->control = -1;
	p->spares_wanted =
	    spares < PLACE_SPARES_MAX ? spares : PLACE_SPARES_MAX;
	r = single ? start_only(p) : start_template(p);
	if (r == 0 && !single && !has_worker(p))
		r = EPROTO;
	if (r != 0) {
		free_processes(&p->base);
		errno = r;
		return CM_EENGINE;
	}
	refill_processes(&p->base);
	*out = &p->base;
	return CM_OK;
}
