/* SPDX-License-Identifier: MIT */
/*
 * stream.c -- a place whose workers are at the other end of a stream.
 *
 * Each script has a connection of its own. With 'session' a connection whose
 * script is over is kept, and the next script gets it. The worker process is a
 * new one all the same: the other end starts one for each script.
 */
#define _GNU_SOURCE
#include "stream.h"

#include "place_child.h"

#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <spawn.h>
#include <stdio.h>
#include <sys/socket.h>
#include <sys/wait.h>
#include <unistd.h>

extern char **environ;

#define HELLO_MS   60000 /* to start a container, or to log in */
#define ENDING_MAX 64

/* One connection; its channel is the worker's. */
typedef struct connection {
	channel channel;
	cm_stream stream;
	int errors; /* the command's standard error, until it is the channel's;
	               -1: none */
	pid_t pid;  /* of the command; 0: it was reaped, or there is none */
} connection;

typedef struct stream_place {
	place base;
	cm_stream_options opts;
	connection *kept;         /* for the next script; NULL: none */
	pid_t ending[ENDING_MAX]; /* commands that were told to end */
	unsigned endings;
} stream_place;

static connection *
connection_of(const worker *w)
{
	return (connection *)w->far; /* its first member */
}

/* -------------------------------------------------------------- the command */

/* Its standard input and output are one socket; what it writes to errors is
 * for people: ssh or docker say there what went wrong. Returns an errno. */
static int
spawn_command(const char *const *command, int socket, int errors, pid_t *pid)
{
	posix_spawn_file_actions_t actions;
	posix_spawnattr_t attr;
	sigset_t none;
	int r;

	posix_spawn_file_actions_init(&actions);
	posix_spawnattr_init(&attr);
	sigemptyset(&none);
	r = posix_spawn_file_actions_adddup2(&actions, socket, 0);
	if (r == 0)
		r = posix_spawn_file_actions_adddup2(&actions, socket, 1);
	if (r == 0)
		r = posix_spawn_file_actions_adddup2(&actions, errors, 2);
	if (r == 0)
		r = posix_spawn_file_actions_addclosefrom_np(&actions, 3);
	if (r == 0)
		r = posix_spawnattr_setsigmask(&attr, &none);
	if (r == 0)
		r = posix_spawnattr_setpgroup(&attr, 0);
	if (r == 0)
		r = posix_spawnattr_setflags(
		    &attr, POSIX_SPAWN_SETSIGMASK | POSIX_SPAWN_SETPGROUP);
	if (r == 0)
		r = posix_spawnp(pid, command[0], &actions, &attr,
		    (char *const *)command, environ);
	posix_spawn_file_actions_destroy(&actions);
	posix_spawnattr_destroy(&attr);
	return r;
}

/* The command's ends are close-on-exec and above its own numbers. */
static int
open_command_ends(int stream[2], int errors[2])
{
	stream[0] = stream[1] = errors[0] = errors[1] = -1;
	if (socketpair(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0, stream) != 0 ||
	    (stream[1] = above_worker_fds(stream[1])) < 0 ||
	    pipe2(errors, O_CLOEXEC) != 0 ||
	    (errors[1] = above_worker_fds(errors[1])) < 0)
		return errno;
	return 0;
}

static void
close_if_open(int fd)
{
	if (fd >= 0)
		close(fd);
}

/* Sets c->stream and c->errors. Returns an errno. */
static int
start_command(const stream_place *p, connection *c)
{
	int stream[2], errors[2], r = open_command_ends(stream, errors);

	if (r == 0)
		r = spawn_command(
		    p->opts.command, stream[1], errors[1], &c->pid);
	close_if_open(stream[1]);
	close_if_open(errors[1]);
	if (r == 0) {
		c->stream.in = c->stream.out = stream[0];
		c->errors = errors[0];
		return 0;
	}
	close_if_open(stream[0]);
	close_if_open(errors[0]);
	return r;
}

/* Takes those that have ended off the list. The lock is held. */
static void
reap_commands(stream_place *p)
{
	for (unsigned i = 0; i < p->endings; i++)
		if (waitpid(p->ending[i], NULL, WNOHANG) != 0)
			p->ending[i--] = p->ending[--p->endings];
}

/* A command whose stream is closed ends by itself; SIGTERM is for those that
 * do not look. The lock is held. */
static void
end_command(stream_place *p, pid_t pid)
{
	siginfo_t info;

	if (waitid(P_PID, (id_t)pid, &info, WEXITED | WNOHANG | WNOWAIT) == 0)
		kill(pid, SIGTERM);
	reap_commands(p);
	if (p->endings == ENDING_MAX)
		end_child(p->ending[--p->endings]);
	p->ending[p->endings++] = pid;
	reap_commands(p);
}

/* ------------------------------------------------------------- connections */

/* The lock is held. */
static void
close_connection(stream_place *p, connection *c)
{
	channel_close(&c->channel);
	close_if_open(c->errors);
	if (p->opts.command != NULL) {
		close(c->stream.in);
		if (c->pid > 0)
			end_command(p, c->pid);
	} else if (p->opts.disconnect != NULL) {
		p->opts.disconnect(p->opts.ctx, &c->stream);
	}
	mem_free(&p->base.alloc, c, sizeof(*c));
}

/* NULL: errno says why. The lock is held. */
static connection *
new_connection(stream_place *p)
{
	connection *c = mem_new(&p->base.alloc, sizeof(*c));
	int r;

	if (c == NULL) {
		errno = ENOMEM;
		return NULL;
	}
	c->errors = -1;
	r = p->opts.command != NULL ? start_command(p, c)
				    : p->opts.connect(p->opts.ctx, &c->stream);
	if (r != 0) {
		mem_free(&p->base.alloc, c, sizeof(*c));
		errno = r;
		return NULL;
	}
	r = channel_open(
	    &c->channel, c->stream.in, c->stream.out, p->opts.silence_ms);
	if (r == 0 && c->errors >= 0) {
		r = channel_hear_errors(&c->channel, c->errors);
		c->errors = -1;
	}
	if (r == 0)
		return c;
	close_connection(p, c);
	errno = r;
	return NULL;
}

/* The connection that was kept, unless it was lost meanwhile. */
static connection *
kept_connection(stream_place *p)
{
	connection *c = p->kept;

	p->kept = NULL;
	if (c != NULL && channel_begin(&c->channel))
		return c;
	if (c != NULL)
		close_connection(p, c);
	return NULL;
}

static bool
take_stream(place *base, worker *w)
{
	stream_place *p = (stream_place *)base;
	connection *c;

	pthread_mutex_lock(&p->base.lock);
	if ((c = kept_connection(p)) == NULL)
		c = new_connection(p);
	pthread_mutex_unlock(&p->base.lock);
	if (c != NULL)
		*w = (worker){c->channel.watch, 0, &c->channel};
	return c != NULL;
}

static void
drop_stream(place *base, worker *w)
{
	stream_place *p = (stream_place *)base;
	connection *c = connection_of(w);

	if (c == NULL)
		return;
	*w = NO_WORKER;
	pthread_mutex_lock(&p->base.lock);
	if (p->opts.session && p->kept == NULL &&
	    channel_over(&c->channel, TEXT_NONE))
		p->kept = c;
	else
		close_connection(p, c);
	pthread_mutex_unlock(&p->base.lock);
}

static void
refill_streams(place *p)
{
	(void)p;
}

/* What the other end or the channel says of it; otherwise how the command
 * ended, which may not know more. */
static void
describe_stream_end(place *p, const worker *w, char *why, size_t size)
{
	connection *c = connection_of(w);
	int status;

	if (c->channel.why[0] != 0 &&
	    utf8_bad(text_of(c->channel.why)) == SIZE_MAX) {
		snprintf(why, size, "%s", c->channel.why);
	} else if (c->pid != 0 &&
		   child_status(c->pid, PLACE_EXIT_MS, &status)) {
		c->pid = 0;
		describe_child_end(p->starts, status, why, size);
	} else {
		snprintf(why, size, "the connection to the sandbox was closed");
	}
	channel_pass_errors(&c->channel);
}

static void
free_streams(place *base)
{
	stream_place *p = (stream_place *)base;
	cm_alloc alloc = p->base.alloc;

	if (p->kept != NULL)
		close_connection(p, p->kept);
	while (p->endings > 0)
		end_child(p->ending[--p->endings]);
	place_fini(&p->base);
	mem_free(&alloc, p, sizeof(*p));
}

static const place_port stream_port = {
    .name = "stream",
    .hello_ms = HELLO_MS,
    .grace_ms = 1000,
    .take = take_stream,
    .drop = drop_stream,
    .refill = refill_streams,
    .describe_end = describe_stream_end,
    .free = free_streams,
};

cm_status
stream_place_new(
    const cm_alloc *alloc, const cm_stream_options *opts, place **out)
{
	stream_place *p = mem_new(alloc, sizeof(*p));

	if (p == NULL)
		return CM_ENOMEM;
	place_init(&p->base, &stream_port,
	    opts->command != NULL ? opts->command[0] : "the stream", alloc,
	    opts->require_fences != 0);
	p->opts = *opts;
	*out = &p->base;
	return CM_OK;
}
