/* SPDX-License-Identifier: MIT */
/* channel.c -- see channel.h. */
#define _GNU_SOURCE
#include "channel.h"

#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <poll.h>
#include <signal.h>
#include <stdio.h>
#include <string.h>
#include <sys/epoll.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>

enum { DATA = 1, BEAT, OVER };

static uint64_t
channel_now_ms(void)
{
	struct timespec t;

	clock_gettime(CLOCK_MONOTONIC, &t);
	return (uint64_t)t.tv_sec * 1000 + (uint64_t)t.tv_nsec / 1000000;
}

/* ------------------------------------------------------------------ epoll */

static int
watch_fd(const channel *c, int op, int fd, uint32_t events)
{
	struct epoll_event e = {.events = events, .data.fd = fd};

	return epoll_ctl(c->watch, op, fd, &e) == 0 ? 0 : errno;
}

/* Watches for room in 'out' exactly while something waits for it: 'out' would
 * be ready all the time otherwise. */
static void
watch_out(channel *c)
{
	bool wants = c->queued > c->sent;

	if (wants == c->wants_out)
		return;
	c->wants_out = wants;
	if (c->in == c->out)
		(void)watch_fd(c, EPOLL_CTL_MOD, c->out,
		    wants ? EPOLLIN | EPOLLOUT : EPOLLIN);
	else
		(void)watch_fd(
		    c, wants ? EPOLL_CTL_ADD : EPOLL_CTL_DEL, c->out, EPOLLOUT);
}

int
channel_open(channel *c, int in, int out, uint64_t silence_ms)
{
	struct stat st;
	int r;

	memset(c, 0, sizeof(*c));
	c->watch = c->errors = -1;
	c->in = in;
	c->out = out;
	c->silence_ms = silence_ms;
	c->heard_ms = c->said_ms = channel_now_ms();
	c->out_is_socket = fstat(out, &st) == 0 && S_ISSOCK(st.st_mode);
	c->watch = epoll_create1(EPOLL_CLOEXEC);
	r = c->watch < 0 ? errno : 0;
	if (r == 0)
		r = watch_fd(c, EPOLL_CTL_ADD, in, EPOLLIN);
	if (r == 0 && (fcntl(in, F_SETFL, O_NONBLOCK) != 0 ||
			  fcntl(out, F_SETFL, O_NONBLOCK) != 0))
		r = errno;
	if (r != 0)
		channel_close(c);
	return r;
}

void
channel_close(channel *c)
{
	if (c->watch >= 0)
		close(c->watch);
	if (c->errors >= 0)
		close(c->errors);
	c->watch = c->errors = -1;
}

int
channel_watch_also(const channel *c, int fd)
{
	return watch_fd(c, EPOLL_CTL_ADD, fd, EPOLLIN);
}

/* ---------------------------------------------------------------- sending */

/* A pipe whose reader is gone raises SIGPIPE, which would end the host: it is
 * blocked meanwhile, and taken back if it was this write that raised it. */
static ssize_t
write_pipe(int fd, const void *bytes, size_t len)
{
	const struct timespec at_once = {0, 0};
	sigset_t pipe_only, pending, was;
	bool mine;
	ssize_t n;
	int saved;

	sigpending(&pending);
	mine = !sigismember(&pending, SIGPIPE);
	sigemptyset(&pipe_only);
	sigaddset(&pipe_only, SIGPIPE);
	pthread_sigmask(SIG_BLOCK, &pipe_only, &was);
	n = write(fd, bytes, len);
	saved = errno;
	if (n < 0 && saved == EPIPE && mine)
		while (sigtimedwait(&pipe_only, NULL, &at_once) < 0 &&
		       errno == EINTR)
			;
	pthread_sigmask(SIG_SETMASK, &was, NULL);
	errno = saved;
	return n;
}

/* ------------------------------------------------- what is said to people */

int
channel_hear_errors(channel *c, int fd)
{
	c->errors = fd;
	return fcntl(fd, F_SETFL, O_NONBLOCK) != 0
		   ? errno
		   : watch_fd(c, EPOLL_CTL_ADD, fd, EPOLLIN);
}

/* Keeps the first bytes, as text of one line. */
static void
keep_errors(channel *c, const char *bytes, size_t len)
{
	for (size_t i = 0; i < len && c->said_len < CHANNEL_SAID; i++) {
		char b = (unsigned char)bytes[i] < ' ' || bytes[i] == 127
			     ? ' '
			     : bytes[i];

		if (b != ' ' ||
		    (c->said_len > 0 && c->said[c->said_len - 1] != ' '))
			c->said[c->said_len++] = b;
	}
	c->said[c->said_len] = 0;
}

void
channel_pass_errors(channel *c)
{
	enum { CHUNKS = 16 };
	char bytes[PIPE_BUF];
	ssize_t n = -1;

	for (int i = 0; i < CHUNKS && c->errors >= 0; i++) {
		struct pollfd ours = {STDERR_FILENO, POLLOUT, 0};

		n = read(c->errors, bytes, sizeof(bytes));
		if (n < 0 && (errno == EAGAIN || errno == EINTR))
			return;
		if (n <= 0) {
			close(c->errors);
			c->errors = -1;
			return;
		}
		keep_errors(c, bytes, (size_t)n);
		if (poll(&ours, 1, 0) > 0)
			(void)!write_pipe(STDERR_FILENO, bytes, (size_t)n);
	}
}

/* ------------------------------------------------------------------- bytes */

int
channel_flush(channel *c)
{
	ssize_t n;

	while (c->sent < c->queued) {
		const char *from = c->queue + c->sent;
		size_t len = c->queued - c->sent;

		n = c->out_is_socket
			? send(c->out, from, len, MSG_DONTWAIT | MSG_NOSIGNAL)
			: write_pipe(c->out, from, len);
		if (n < 0 && errno == EINTR)
			continue;
		if (n < 0 && errno != EAGAIN)
			return errno;
		if (n < 0)
			break;
		c->sent += (size_t)n;
		c->said_ms = channel_now_ms();
	}
	if (c->sent == c->queued)
		c->sent = c->queued = 0;
	watch_out(c);
	return 0;
}

/* The queue has room for it. */
static void
queue_bytes(channel *c, unsigned char kind, const void *bytes, size_t len)
{
	char *to = c->queue + c->queued;

	for (int i = 0; i < 4; i++)
		to[i] = (char)(len >> 8 * i);
	to[4] = (char)kind;
	if (len > 0)
		memcpy(to + CHANNEL_HEAD, bytes, len);
	c->queued += CHANNEL_HEAD + len;
}

/* Only when the queue is empty: so it always has room for an OVER. */
ssize_t
channel_write(channel *c, const void *bytes, size_t len)
{
	int r = channel_flush(c);

	if (r == 0 && c->queued > 0)
		r = EAGAIN;
	if (r == 0) {
		if (len > CHANNEL_DATA)
			len = CHANNEL_DATA;
		queue_bytes(c, DATA, bytes, len);
		r = channel_flush(c);
	}
	errno = r;
	return r == 0 ? (ssize_t)len : -1;
}

bool
channel_over(channel *c, text why)
{
	if (!c->said_over)
		queue_bytes(c, OVER, why.ptr,
		    why.len < CHANNEL_WHY ? why.len : CHANNEL_WHY);
	c->said_over = true;
	return channel_flush(c) == 0 && c->queued == 0 && !c->lost;
}

/* -------------------------------------------------------------- receiving */

/* The other end sent no frame: says what it sent. */
static ssize_t
protocol_error(channel *c)
{
	const char *at = c->bytes + c->taken;
	size_t n = c->have - c->taken, i;
	char seen[41];

	for (i = 0; i < n && i < sizeof(seen) - 1; i++)
		seen[i] = at[i] >= ' ' && at[i] < 127 ? at[i] : '.';
	seen[i] = 0;
	snprintf(c->why, sizeof(c->why),
	    "the other end of the stream is no codemode-worker: it sent "
	    "\"%s\"",
	    seen);
	c->lost = true;
	errno = EPROTO;
	return -1;
}

/* More bytes behind those that are there. */
static ssize_t
read_stream(channel *c)
{
	ssize_t n;

	memmove(c->bytes, c->bytes + c->taken, c->have - c->taken);
	c->have -= c->taken;
	c->taken = 0;
	do {
		n = read(c->in, c->bytes + c->have, sizeof(c->bytes) - c->have);
	} while (n < 0 && errno == EINTR);
	c->lost = n == 0 || (n < 0 && errno != EAGAIN);
	if (n > 0) {
		c->have += (size_t)n;
		c->heard_ms = channel_now_ms();
	}
	return n;
}

/* Handles the head of the next frame, which is there, and all of an OVER.
 * 0: more bytes are wanted; 1: go on; -1: it is no frame. */
static int
read_frame_head(channel *c)
{
	const unsigned char *at = (unsigned char *)c->bytes + c->taken;
	uint32_t len = (uint32_t)at[0] | (uint32_t)at[1] << 8 |
		       (uint32_t)at[2] << 16 | (uint32_t)at[3] << 24;

	if (at[4] == DATA && len > 0 && len <= CHANNEL_DATA) {
		c->data_left = len;
	} else if (at[4] == OVER && len <= CHANNEL_WHY) {
		if (c->have - c->taken < CHANNEL_HEAD + len)
			return 0;
		memcpy(c->why, at + CHANNEL_HEAD, len);
		c->why[c->stale ? 0 : len] = 0;
		c->taken += len;
		c->got_over = !c->stale;
		c->stale = false;
	} else if (at[4] != BEAT || len != 0) {
		(void)protocol_error(c);
		return -1;
	}
	c->taken += CHANNEL_HEAD;
	return 1;
}

/* Some of the DATA whose bytes are there. */
static size_t
take_data(channel *c, void *room, size_t size)
{
	size_t n = c->have - c->taken;

	if (n > c->data_left)
		n = c->data_left;
	if (n > size)
		n = size;
	memcpy(room, c->bytes + c->taken, n);
	c->taken += n;
	c->data_left -= (uint32_t)n;
	return n;
}

ssize_t
channel_read(channel *c, void *room, size_t size)
{
	ssize_t n;
	int r;

	channel_pass_errors(c);
	while (!c->got_over) {
		if (c->data_left > 0 && c->taken < c->have) {
			n = (ssize_t)take_data(c, room, size);
			if (!c->stale)
				return n;
			continue;
		}
		if (c->data_left == 0 && c->have - c->taken >= CHANNEL_HEAD) {
			if ((r = read_frame_head(c)) < 0)
				return -1;
			if (r > 0)
				continue;
		}
		if ((n = read_stream(c)) <= 0)
			return n;
	}
	return 0;
}

bool
channel_begin(channel *c)
{
	struct pollfd in = {c->in, POLLRDHUP, 0};

	c->stale = !c->got_over;
	c->said_over = c->got_over = false;
	c->why[0] = 0;
	c->heard_ms = c->said_ms = channel_now_ms();
	return poll(&in, 1, 0) == 0;
}

/* ---------------------------------------------------------------- the beat */

static uint64_t
rest_of(uint64_t since, uint64_t ms, uint64_t now)
{
	return now - since < ms ? ms - (now - since) : 0;
}

bool
channel_beat(channel *c)
{
	uint64_t now = channel_now_ms();

	if (rest_of(c->heard_ms, c->silence_ms, now) == 0)
		return false;
	if (c->queued == 0 &&
	    rest_of(c->said_ms, c->silence_ms / 3, now) == 0) {
		queue_bytes(c, BEAT, NULL, 0);
		(void)channel_flush(c);
	}
	return true;
}

uint64_t
channel_rest_ms(const channel *c)
{
	uint64_t now = channel_now_ms();
	uint64_t lost = rest_of(c->heard_ms, c->silence_ms, now);
	uint64_t beat = rest_of(c->said_ms, c->silence_ms / 3, now);

	return c->queued > 0 || lost < beat ? lost : beat;
}
