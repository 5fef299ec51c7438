/* SPDX-License-Identifier: MIT */
/*
 * relay.c -- passes the bytes of the wire between a stream and a worker.
 *
 *	run ══ stream ══ standard input, output ── relay ── socket ── worker
 *
 * The relay starts a worker for each script, exactly as a place on this machine
 * does: behind all fences, with an empty environment. Of what passes it reads
 * the first message alone, START, whose limits it lowers to its own. It says
 * that this end is alive however long the script computes, and kills the worker
 * when the run says OVER, closes the stream or is silent.
 */
#include "relay.h"

#include "host/system.h"
#include "place/channel.h"
#include "place/place_child.h"
#include "place/template_packet.h"
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

/* Bytes that the kernel lets a worker have: as its script may have, and those
 * of the engine itself. */
#define LARGEST_MEMORY (UINT64_C(2) << 30)
#define OWN_MEMORY     (UINT64_C(128) << 20)

enum {
	SILENCE_MS = 15000,
	GRACE_MS = 2000,       /* past --max-time, for the run's own end */
	START_MAX = 256 << 20, /* bytes of a script with its store */
	CHUNK = 64 << 10
};

/* What the operator of this end allows at most; UINT64_MAX: as the run asks. */
typedef struct caps {
	uint64_t memory; /* bytes of values           */
	uint64_t polls;  /* of the interrupt budget   */
	uint64_t time;   /* milliseconds for a script */
	uint64_t silence;
} caps;

typedef struct relay {
	caps caps;
	channel channel;
	int fd; /* the worker's socket */
	pid_t pid;
	bool started;      /* START was passed on */
	uint64_t until_ms; /* then the worker is killed; UINT64_MAX: never */
	buf down; /* for the worker; begins with START until that is whole */
	size_t down_sent;
	char up[CHUNK]; /* from the worker */
	size_t up_len, up_sent;
} relay;

/* --------------------------------------------------------------- the worker */

static int
spawn_once(int socket, uint64_t memory, pid_t *pid)
{
	char bytes[24];
	char *argv[] = {"codemode-worker", "--once", bytes, NULL};
	char *envp[] = {NULL};
	posix_spawn_file_actions_t a;
	posix_spawnattr_t attr;
	sigset_t none, all;
	int r = 0;

	snprintf(bytes, sizeof(bytes), "%llu",
	    (unsigned long long)(memory < LARGEST_MEMORY
				     ? memory + OWN_MEMORY
				     : LARGEST_MEMORY + OWN_MEMORY));
	posix_spawn_file_actions_init(&a);
	posix_spawnattr_init(&attr);
	for (int fd = 0; fd < 3 && r == 0; fd++)
		r = posix_spawn_file_actions_addopen(
		    &a, fd, "/dev/null", O_RDWR, 0);
	if (r == 0)
		r = posix_spawn_file_actions_adddup2(&a, socket, TEMPLATE_FD);
	sigemptyset(&none);
	sigfillset(&all);
	posix_spawnattr_setsigmask(&attr, &none);
	posix_spawnattr_setsigdefault(&attr, &all);
	posix_spawnattr_setflags(
	    &attr, POSIX_SPAWN_SETSIGMASK | POSIX_SPAWN_SETSIGDEF);
	if (r == 0)
		r = posix_spawn(pid, "/proc/self/exe", &a, &attr, argv, envp);
	posix_spawn_file_actions_destroy(&a);
	posix_spawnattr_destroy(&attr);
	return r;
}

/* Returns an errno. */
static int
start_once(relay *r)
{
	int fd[2], error;

	if (socketpair(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0, fd) != 0)
		return errno;
	fd[1] = above_worker_fds(fd[1]);
	error = fd[1] < 0 ? errno : spawn_once(fd[1], r->caps.memory, &r->pid);
	if (fd[1] >= 0)
		close(fd[1]);
	if (error != 0) {
		close(fd[0]);
		return error;
	}
	fcntl(fd[0], F_SETFL, O_NONBLOCK);
	r->fd = fd[0];
	return 0;
}

/* Says how the worker ended, unless it was killed. A run whose script is over
 * does not look. */
static void
reap_worker(relay *r, bool killed, char *why, size_t size)
{
	int status = 0;

	close(r->fd);
	if (killed)
		kill(r->pid, SIGKILL);
	while (waitpid(r->pid, &status, 0) < 0 && errno == EINTR)
		;
	if (!killed)
		describe_child_end("the sandbox process", status, why, size);
}

/* ---------------------------------------------------------------- bytes down */

static uint64_t
relay_now_ms(void)
{
	engine_host host = system_host();

	return host.now_ms(host.ctx);
}

static uint64_t
lower(uint64_t a, uint64_t b)
{
	return a < b ? a : b;
}

/* Lowers the limits of START once that is whole. False: it is no START. */
static bool
cap_start(relay *r)
{
	buf capped = BUF_INIT(NULL, START_MAX);
	const char *why;
	wire_msg m;
	size_t used;
	wire_got got =
	    wire_get(buf_view(&r->down), WIRE_DOWN, START_MAX, &m, &used, &why);

	if (got == WIRE_MORE)
		return true;
	if (got == WIRE_WRONG || m.kind != WIRE_START)
		return false;
	m.n[START_HEAP] = lower(m.n[START_HEAP], r->caps.memory);
	m.n[START_POLLS] = lower(m.n[START_POLLS], r->caps.polls);
	if (m.n[START_LEFT_MS] > r->caps.time) {
		m.n[START_LEFT_MS] = r->caps.time;
		m.n[START_READING] |= READ_CAPPED_MS;
	}
	wire_put(&capped, &m);
	buf_text(&capped, text_sub(buf_view(&r->down), used, r->down.len));
	buf_fini(&r->down);
	r->down = capped;
	r->started = true;
	if (r->caps.time < UINT64_MAX - relay_now_ms() - GRACE_MS)
		r->until_ms = relay_now_ms() + r->caps.time + GRACE_MS;
	return capped.bad == CM_OK;
}

static bool
has_down(const relay *r)
{
	return r->started && r->down_sent < r->down.len;
}

/* Sends what the worker takes. One that has ended takes everything: what it
 * sent last is still to be read. */
static void
send_down(relay *r)
{
	ssize_t n;

	while (has_down(r)) {
		n = send(r->fd, r->down.ptr + r->down_sent,
		    r->down.len - r->down_sent, MSG_DONTWAIT | MSG_NOSIGNAL);
		if (n < 0 && errno == EAGAIN)
			return;
		if (n < 0 && errno == EINTR)
			continue;
		buf_sent(&r->down, &r->down_sent,
		    n < 0 ? r->down.len - r->down_sent : (size_t)n);
	}
}

/* Reads from the run as long as the worker takes it. False: the run said OVER
 * or closed the stream, or sent no START. */
static bool
pass_down(relay *r)
{
	char bytes[CHUNK];
	ssize_t n;

	for (;;) {
		send_down(r);
		if (has_down(r))
			return true;
		n = channel_read(&r->channel, bytes, sizeof(bytes));
		if (n <= 0)
			return n < 0 && errno == EAGAIN;
		buf_add(&r->down, bytes, (size_t)n);
		if (r->down.bad != CM_OK || (!r->started && !cap_start(r)))
			return false;
	}
}

/* ------------------------------------------------------------------ bytes up */

/* False: the worker has ended, and all that it sent is passed on. */
static bool
pass_up(relay *r)
{
	ssize_t n = 1;

	for (;;) {
		while (r->up_sent < r->up_len) {
			n = channel_write(&r->channel, r->up + r->up_sent,
			    r->up_len - r->up_sent);
			if (n < 0)
				return errno == EAGAIN;
			r->up_sent += (size_t)n;
		}
		n = recv(r->fd, r->up, sizeof(r->up), MSG_DONTWAIT);
		if (n <= 0)
			return n < 0 && (errno == EAGAIN || errno == EINTR);
		r->up_len = (size_t)n;
		r->up_sent = 0;
	}
}

/* ---------------------------------------------------------------- one script */

/* Waits for the stream or the worker, and until the next beat is due. False:
 * the run closed the stream while it is not read. */
static bool
wait_for_bytes(relay *r, bool to_worker)
{
	bool full = to_worker && has_down(r);
	bool held = r->up_sent < r->up_len;
	short up = (short)(held ? 0 : POLLIN),
	      down = (short)(full ? POLLOUT : 0);
	struct pollfd fd[] = {
	    {r->channel.in, (short)(full ? POLLRDHUP : POLLIN | POLLRDHUP), 0},
	    {r->channel.queued > 0 ? r->channel.out : -1, POLLOUT, 0},
	    {to_worker && (up | down) != 0 ? r->fd : -1, (short)(up | down),
		0}};
	uint64_t ms = r->started ? channel_rest_ms(&r->channel) : UINT64_MAX;

	if (to_worker && r->started && r->until_ms != UINT64_MAX)
		ms =
		    lower(ms, r->until_ms - lower(r->until_ms, relay_now_ms()));
	poll(fd, 3, ms > 60000 ? (r->started ? 60000 : -1) : (int)ms + 1);
	return !full || (fd[0].revents & (POLLHUP | POLLERR | POLLRDHUP)) == 0;
}

/* True: the worker ended by itself. The run ends a script that waits at its
 * deadline, and the worker one that computes; a run or a worker that does not
 * is not waited for. */
static bool
relay_script(relay *r, char *why, size_t size)
{
	for (;;) {
		if (channel_flush(&r->channel) != 0 || !pass_down(r))
			return false;
		if (!pass_up(r))
			return true;
		if (r->started && !channel_beat(&r->channel))
			return false;
		if (r->started && relay_now_ms() >= r->until_ms) {
			snprintf(why, size,
			    "the script did not end within the %llu ms that "
			    "the other end allows",
			    (unsigned long long)r->caps.time);
			return false;
		}
		if (!wait_for_bytes(r, true))
			return false;
	}
}

/* Sends OVER, and waits for that of the run. False: the stream was closed. */
static bool
finish_script(relay *r, const char *why)
{
	char dropped[4096];
	ssize_t n;

	(void)channel_over(&r->channel, text_of(why));
	for (;;) {
		while ((n = channel_read(
			    &r->channel, dropped, sizeof(dropped))) > 0)
			;
		if ((n < 0 && errno != EAGAIN) ||
		    channel_flush(&r->channel) != 0)
			return false;
		if (n == 0 && (!r->channel.got_over || r->channel.queued == 0))
			return r->channel.got_over;
		if (!channel_beat(&r->channel))
			return false;
		(void)wait_for_bytes(r, false);
	}
}

/* False: no other script can follow. */
static bool
one_script(relay *r)
{
	char why[CHANNEL_WHY] = "";
	bool ended;
	int error = start_once(r);

	if (error != 0) {
		snprintf(why, sizeof(why),
		    "codemode-worker cannot be started there: %s",
		    strerror(error));
		return finish_script(r, why);
	}
	r->started = false;
	r->until_ms = UINT64_MAX;
	r->down = BUF_INIT(NULL, START_MAX);
	r->down_sent = r->up_len = r->up_sent = 0;
	ended = relay_script(r, why, sizeof(why));
	reap_worker(r, !ended, why, sizeof(why));
	buf_fini(&r->down);
	r->started = true;
	return finish_script(r, why) && channel_begin(&r->channel);
}

/* ---------------------------------------------------------------- the options */

static const struct {
	const char *name;
	size_t offset;
} options[] = {
    {"--max-memory", offsetof(caps, memory)}, /* bytes                    */
    {"--max-polls", offsetof(caps, polls)},
    {"--max-time", offsetof(caps, time)},   /* milliseconds             */
    {"--silence", offsetof(caps, silence)}, /* milliseconds; see place.h */
};

static bool
read_cap(const char *name, const char *value, caps *c)
{
	char *end;
	unsigned long long n = strtoull(value, &end, 10);

	for (size_t i = 0; i < sizeof(options) / sizeof(*options); i++) {
		if (strcmp(name, options[i].name) != 0)
			continue;
		*(uint64_t *)(void *)((char *)c + options[i].offset) = n;
		return end != value && *end == 0 && *value != '-' && n > 0;
	}
	return false;
}

int
relay_main(int argc, char **argv)
{
	static relay r;
	int i, error;

	r.caps = (caps){UINT64_MAX, UINT64_MAX, UINT64_MAX, SILENCE_MS};
	for (i = 0; i < argc; i += 2) {
		if (i + 1 < argc && read_cap(argv[i], argv[i + 1], &r.caps))
			continue;
		fprintf(stderr,
		    "codemode-worker: %s is not understood; --stdio takes "
		    "--max-memory BYTES, --max-polls N, --max-time MS and "
		    "--silence MS\n",
		    argv[i]);
		return 2;
	}
	signal(SIGPIPE, SIG_IGN);
	error = channel_open(
	    &r.channel, STDIN_FILENO, STDOUT_FILENO, r.caps.silence);
	if (error != 0) {
		fprintf(stderr,
		    "codemode-worker --stdio: standard input must be a pipe "
		    "or a socket: %s\n",
		    strerror(error));
		return 2;
	}
	while (one_script(&r))
		;
	return 0;
}
