/* SPDX-License-Identifier: MIT */
/* process.c -- see process.h. */
#define _GNU_SOURCE
#include "process.h"

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
#include <sys/socket.h>
#include <sys/wait.h>
#include <unistd.h>

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

/* A socket pair whose far end is above TEMPLATE_FD: set_descriptors replaces
 * the numbers up to there. Returns an errno. */
static int
socket_pair(int type, int fd[2])
{
	int high;

	if (socketpair(AF_UNIX, type | SOCK_CLOEXEC, 0, fd) != 0)
		return errno;
	if (fd[1] > TEMPLATE_FD)
		return 0;
	high = fcntl(fd[1], F_DUPFD_CLOEXEC, TEMPLATE_FD + 1);
	close(fd[1]);
	fd[1] = high;
	return high < 0 ? errno : 0;
}

/* -------------------------------------------------------------- template */

/* p->control becomes the new socket. It keeps its number, because a signal
 * handler may be about to use it. Returns an errno. */
static int
start_template(place *p)
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

/* Waits for a child of this process. */
static void
reap_child(pid_t pid)
{
	while (waitpid(pid, NULL, 0) < 0 && errno == EINTR)
		;
}

/* The template ends when its socket is closed, and its workers with it. One
 * that is stopped (SIGSTOP) does not, and is killed. */
static void
end_template(pid_t pid)
{
	enum { PATIENCE_MS = 500 };
	int i;

	for (i = 0; i < PATIENCE_MS && waitpid(pid, NULL, WNOHANG) == 0; i++)
		poll(NULL, 0, 1);
	if (i < PATIENCE_MS)
		return;
	kill(pid, SIGKILL);
	reap_child(pid);
}

/* A host that reaps all its children may have reaped this one, and another
 * process may have its pid. waitid finds no such child then. */
static void
kill_only(const place *p)
{
	siginfo_t info;

	if (waitid(P_PID, (id_t)p->only, &info, WEXITED | WNOHANG | WNOWAIT) ==
	    0)
		kill(p->only, SIGKILL);
}

static bool
hung_up(int fd)
{
	struct pollfd p = {fd, POLLIN, 0};

	return poll(&p, 1, 0) > 0 && (p.revents & (POLLHUP | POLLERR)) != 0;
}

/* Starts a template where there is none yet, or where it has ended: its workers
 * ended with it. */
static void
need_template(place *p)
{
	if (p->control >= 0) {
		if (!hung_up(p->control))
			return;
		while (p->spares > 0)
			close(p->spare[--p->spares].fd);
		reap_child(p->template_pid);
	}
	(void)start_template(p);
}

/* --------------------------------------------------------- the only one */

/* Starts a worker without a template; it is the place's first spare. Returns an
 * errno. */
static int
start_only(place *p)
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
	p->spare[p->spares++] = (worker){fd[0], p->only};
	return 0;
}

/* --------------------------------------------------------------- packets */

/* Waits wait_ms at most for the next packet from the template. EXITED is noted
 * in p->exited, and given to the caller, too. */
static bool
receive_packet(place *p, int wait_ms, template_packet *packet)
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
	if (r <= 0 || n != (ssize_t)sizeof(*packet))
		return false;
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
send_packet(place *p, const struct msghdr *m)
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
send_fork(place *p, int fd)
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
fork_worker(place *p, worker *w)
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
		*w = (worker){fd[0], packet.pid};
		return true;
	}
	close(fd[0]);
	return false;
}

/* Takes a spare whose socket is open. */
static bool
take_spare(place *p, worker *w)
{
	while (p->spares > 0) {
		*w = p->spare[--p->spares];
		if (!hung_up(w->fd))
			return true;
		close(w->fd);
	}
	return false;
}

bool
place_take(place *p, worker *w)
{
	bool got;

	pthread_mutex_lock(&p->lock);
	got = p->control < 0 && take_spare(p, w);
	if (!got) {
		need_template(p);
		got = take_spare(p, w) || fork_worker(p, w);
	}
	pthread_mutex_unlock(&p->lock);
	return got;
}

void
place_refill(place *p)
{
	pthread_mutex_lock(&p->lock);
	while (p->control >= 0 && p->spares < p->spares_wanted &&
	       fork_worker(p, &p->spare[p->spares]))
		p->spares++;
	pthread_mutex_unlock(&p->lock);
}

/* Does the program make workers? The worker becomes the first spare. */
static bool
has_worker(place *p)
{
	worker w;

	if (!fork_worker(p, &w))
		return false;
	if (p->spares_wanted > 0)
		p->spare[p->spares++] = w;
	else
		place_drop(p, &w);
	return true;
}

cm_status
place_new(const cm_alloc *alloc, const char *path, unsigned spares,
    uint64_t resident, bool require_fences, bool single, place **out)
{
	place *p = mem_new(alloc, sizeof(*p));
	int r;

	if (p == NULL)
		return CM_ENOMEM;
	p->alloc = alloc ? *alloc : mem_system;
	p->path = path;
	p->control = -1;
	p->spares_wanted =
	    spares < PLACE_SPARES_MAX ? spares : PLACE_SPARES_MAX;
	p->resident = resident;
	p->require_fences = require_fences;
	p->fences = BUF_INIT(&p->alloc, 64u << 10);
	if ((r = single ? start_only(p) : start_template(p)) != 0) {
		mem_free(alloc, p, sizeof(*p));
		errno = r;
		return CM_EENGINE;
	}
	pthread_mutex_init(&p->lock, NULL);
	if (!single && !has_worker(p)) {
		place_free(p);
		errno = EPROTO;
		return CM_EENGINE;
	}
	place_refill(p);
	*out = p;
	return CM_OK;
}

void
place_free(place *p)
{
	cm_alloc alloc = p->alloc;

	while (p->spares > 0)
		close(p->spare[--p->spares].fd);
	if (p->only > 0) {
		kill_only(p);
		reap_child(p->only);
	}
	if (p->control >= 0) {
		close(p->control);
		end_template(p->template_pid);
	}
	pthread_mutex_destroy(&p->lock);
	buf_fini(&p->fences);
	mem_free(&alloc, p, sizeof(*p));
}

void
place_kill(const place *p, pid_t pid)
{
	template_packet packet = {TEMPLATE_KILL, 0, pid, 0};

	if (pid == p->only)
		kill_only(p);
	else
		(void)!send(p->control, &packet, sizeof(packet),
		    MSG_NOSIGNAL | MSG_DONTWAIT);
}

/* A worker that computes does not notice that its socket is closed, so it has
 * to be killed. */
void
place_drop(place *p, worker *w)
{
	template_packet packet = {TEMPLATE_KILL, 0, w->pid, 0};
	struct iovec iov = {&packet, sizeof(packet)};
	struct msghdr m = {.msg_iov = &iov, .msg_iovlen = 1};

	if (w->fd < 0)
		return;
	close(w->fd);
	w->fd = -1;
	pthread_mutex_lock(&p->lock);
	if (w->pid == p->only)
		kill_only(p); /* place_free reaps it */
	else
		(void)send_packet(p, &m);
	pthread_mutex_unlock(&p->lock);
}

/* The report in a worker's first message, appended to *out. */
static cm_status
read_hello(const worker *w, buf *out)
{
	enum { ROUNDS = 100, ROUND_MS = 100, HELLO_MAX = 64 << 10 };
	buf in = BUF_INIT(out->alloc, HELLO_MAX);
	const char *why;
	wire_msg m;
	size_t used;
	cm_status r = CM_EENGINE;
	char bytes[4096];
	ssize_t n;
	int i;

	for (i = 0; i < ROUNDS; i++) {
		system_wait(w->fd, 0, ROUND_MS);
		if ((n = read(w->fd, bytes, sizeof(bytes))) == 0)
			break;
		if (n > 0)
			buf_add(&in, bytes, (size_t)n);
		if (wire_get(buf_view(&in), WIRE_UP, HELLO_MAX, &m, &used,
			&why) != WIRE_READ)
			continue;
		if (m.kind == WIRE_HELLO) {
			buf_text(out, m.t[0]);
			r = out->bad;
		}
		break;
	}
	buf_fini(&in);
	return r;
}

/* The first report is kept until place_free: the text is lent. */
cm_status
place_fences(place *p, text *report)
{
	buf hello = BUF_INIT(&p->alloc, 64u << 10);
	cm_status r = CM_EENGINE;
	worker w;

	if (place_take(p, &w)) {
		r = read_hello(&w, &hello);
		place_drop(p, &w);
	}
	pthread_mutex_lock(&p->lock);
	if (r == CM_OK && p->fences.len == 0) {
		buf_fini(&p->fences);
		p->fences = hello;
		hello = BUF_INIT(&p->alloc, 0);
	}
	if (r == CM_OK)
		*report = buf_view(&p->fences);
	pthread_mutex_unlock(&p->lock);
	buf_fini(&hello);
	return r;
}

static bool
find_exit(const place *p, pid_t pid, int *status)
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

/* Waits wait_ms at most for the end of the worker without a template. False: it
 * has not ended, or the host has reaped it. */
static bool
only_status(place *p, int wait_ms, int *status)
{
	pid_t got;
	int i;

	for (i = 0; (got = waitpid(p->only, status, WNOHANG)) == 0; i++) {
		if (i == wait_ms)
			return false;
		poll(NULL, 0, 1);
	}
	p->only = 0;
	return got > 0;
}

bool
place_status(place *p, pid_t pid, int wait_ms, int *status)
{
	template_packet packet;
	bool found;

	pthread_mutex_lock(&p->lock);
	if (pid == p->only) {
		found = only_status(p, wait_ms, status);
		pthread_mutex_unlock(&p->lock);
		return found;
	}
	while (!(found = find_exit(p, pid, status)) &&
	       receive_packet(p, wait_ms, &packet))
		;
	pthread_mutex_unlock(&p->lock);
	return found;
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

const char *
place_memory_unseen(place *p, pid_t pid)
{
	int error;
	bool sees;

	pthread_mutex_lock(&p->lock);
	errno = 0;
	p->sees_memory = p->sees_memory || process_resident(pid) > 0;
	error = errno;
	sees = p->sees_memory;
	pthread_mutex_unlock(&p->lock);
	if (sees)
		return NULL;
	return error == EMFILE || error == ENFILE
		   ? "too many open files"
		   : "/proc does not show the process";
}
