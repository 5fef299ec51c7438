/* SPDX-License-Identifier: MIT */
/*
 * ends.c -- stdin and stdout as two ends of a conversation.
 *
 * Their descriptors are moved away from 0 and 1, so that nothing else in the
 * process and no child of it can read or write a byte of the conversation.
 */
#include "ends.h"

#include "main_loop.h"

#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <unistd.h>

/* Also called when the other side is gone: then a read or write says so. */
static void
on_end_ready(uv_poll_t *poll, int status, int events)
{
	one_end *end = poll->data;

	if (status != 0 || (events & (UV_READABLE | UV_WRITABLE)) != 0)
		end->ready = true;
	uv_poll_stop(poll);
	main_loop_due(poll->loop);
}

static void
check_reader(ends *s)
{
	struct pollfd p = {.fd = s->out.fd, .events = 0};

	if (poll(&p, 1, 0) > 0 && (p.revents & (POLLERR | POLLHUP)) != 0)
		s->broken = true;
}

static bool
open_end(one_end *end, uv_loop_t *loop, int fd)
{
	end->fd = fcntl(fd, F_DUPFD_CLOEXEC, 3);
	if (end->fd < 0)
		return false;
	end->flags = fcntl(end->fd, F_GETFL);
	end->polls = uv_poll_init(loop, &end->poll, end->fd) == 0;
	end->poll.data = end;
	end->ready = !end->polls;
	return true;
}

/* Other processes share the open file: restore its flags. */
static void
close_end(one_end *end)
{
	if (end->fd < 0)
		return;
	if (end->polls)
		uv_close((uv_handle_t *)&end->poll, NULL);
	fcntl(end->fd, F_SETFL, end->flags);
	close(end->fd);
	end->fd = -1;
}

bool
ends_open(ends *s, uv_loop_t *loop)
{
	int nothing = open("/dev/null", O_RDONLY | O_CLOEXEC);
	bool ok;

	*s = (ends){.in.fd = -1, .out.fd = -1};
	ok = nothing >= 0 && open_end(&s->in, loop, STDIN_FILENO) &&
	     open_end(&s->out, loop, STDOUT_FILENO) &&
	     dup2(nothing, STDIN_FILENO) >= 0 &&
	     dup2(STDERR_FILENO, STDOUT_FILENO) >= 0;
	if (nothing >= 0)
		close(nothing);
	s->out.ready = true;
	return ok;
}

void
ends_close(ends *s)
{
	close_end(&s->in);
	close_end(&s->out);
}

void
ends_listen(ends *s, bool wanted)
{
	/* That a reader is gone is an error, which is reported whatever is
	 * asked for; some event must be asked for. */
	int events = s->out.ready ? UV_PRIORITIZED : UV_WRITABLE;

	check_reader(s);
	if (s->out.polls && !s->broken)
		uv_poll_start(&s->out.poll, events, on_end_ready);
	if (!s->in.polls || s->ended)
		return;
	if (wanted && !s->in.ready)
		uv_poll_start(&s->in.poll, UV_READABLE, on_end_ready);
	else
		uv_poll_stop(&s->in.poll);
}

static bool
is_for_later(int error)
{
	return error == EAGAIN || error == EWOULDBLOCK || error == EINTR;
}

size_t
ends_read(ends *s, char *bytes, size_t len)
{
	ssize_t n;

	if (!s->in.ready || s->ended)
		return 0;
	n = read(s->in.fd, bytes, len);
	if (n > 0)
		return (size_t)n;
	if (n < 0 && is_for_later(errno))
		s->in.ready = !s->in.polls;
	else
		s->ended = true;
	return 0;
}

size_t
ends_write(ends *s, text bytes)
{
	size_t done = 0;

	while (s->out.ready && !s->broken && done < bytes.len) {
		ssize_t n =
		    write(s->out.fd, bytes.ptr + done, bytes.len - done);

		if (n > 0)
			done += (size_t)n;
		else if (n == 0 || !is_for_later(errno))
			s->broken = true;
		else if (errno != EINTR)
			s->out.ready = false;
	}
	return done;
}
