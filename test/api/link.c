/* SPDX-License-Identifier: MIT */
/*
 * link.c -- a bad line: passes bytes between its own standard input and output
 * and those of a command.
 *
 *	link [OPTION N]... -- COMMAND [ARGUMENT]...
 *
 * --piece N      at most so many bytes at once
 * --pause N      microseconds after each piece
 * --cut-up N     ends after so many bytes from the command
 * --cut-down N   ends after so many bytes to the command
 * --freeze-up N  passes nothing more after so many bytes from the command, and
 *                keeps everything open
 *
 * When it ends, both streams are closed in both directions. It ends with the
 * first of them, too, and not by SIGTERM: so the command has to notice it.
 */
#define _GNU_SOURCE
#include <errno.h>
#include <poll.h>
#include <signal.h>
#include <spawn.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <unistd.h>

extern char **environ;

/* In the order of 'names'. */
typedef struct orders {
	long piece, pause, cut_up, cut_down, freeze_up;
} orders;

static const char *const names[] = {
    "--piece", "--pause", "--cut-up", "--cut-down", "--freeze-up"};

/* argv behind the orders; NULL: they are not understood. */
static char **
read_orders(orders *o, char **argv)
{
	long *const value[] = {
	    &o->piece, &o->pause, &o->cut_up, &o->cut_down, &o->freeze_up};

	*o = (orders){4096, 0, -1, -1, -1};
	for (; *argv != NULL && strcmp(*argv, "--") != 0; argv += 2) {
		size_t i = 0;

		while (i < 5 && strcmp(*argv, names[i]) != 0)
			i++;
		if (i == 5 || argv[1] == NULL)
			return NULL;
		*value[i] = atol(argv[1]);
	}
	return *argv != NULL && argv[1] != NULL ? argv + 1 : NULL;
}

static int
start_command(char **argv)
{
	posix_spawn_file_actions_t a;
	int fd[2], r;
	pid_t pid;

	if (socketpair(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0, fd) != 0)
		return -1;
	posix_spawn_file_actions_init(&a);
	posix_spawn_file_actions_adddup2(&a, fd[1], 0);
	posix_spawn_file_actions_adddup2(&a, fd[1], 1);
	r = posix_spawnp(&pid, argv[0], &a, NULL, argv, environ);
	posix_spawn_file_actions_destroy(&a);
	close(fd[1]);
	return r == 0 ? fd[0] : -1;
}

static bool
write_all(int fd, const char *bytes, size_t n)
{
	while (n > 0) {
		ssize_t w = write(fd, bytes, n);

		if (w < 0 && errno == EAGAIN)
			poll(&(struct pollfd){fd, POLLOUT, 0}, 1, -1);
		else if (w <= 0)
			return false;
		else
			bytes += w, n -= (size_t)w;
	}
	return true;
}

/* One piece, up to 'end' bytes in all. False: it is over. */
static bool
pass_piece(const orders *o, int from, int to, long *passed, long end)
{
	char bytes[4096];
	long most = o->piece;
	ssize_t n;

	if (end >= 0 && end - *passed < most)
		most = end - *passed;
	n = read(from, bytes, (size_t)most);
	if (n < 0 && errno == EAGAIN)
		return true;
	if (n <= 0 || !write_all(to, bytes, (size_t)n))
		return false;
	*passed += n;
	if (o->pause > 0)
		usleep((useconds_t)o->pause);
	return end < 0 || *passed < end;
}

int
main(int argc, char **argv)
{
	long up = 0, down = 0;
	orders o;
	char **command = read_orders(&o, argv + 1);
	int far = -1;

	(void)argc;
	signal(SIGTERM, SIG_IGN);
	signal(SIGPIPE, SIG_IGN);
	if (command == NULL || (far = start_command(command)) < 0) {
		fprintf(stderr, "link: no command\n");
		return 2;
	}
	if (o.cut_up == 0 || o.cut_down == 0)
		return 0;
	for (;;) {
		bool frozen = o.freeze_up >= 0 && up >= o.freeze_up;
		short events = (short)(frozen ? 0 : POLLIN);
		struct pollfd fd[] = {{0, events, 0}, {far, events, 0}};
		long end = o.freeze_up >= 0 ? o.freeze_up : o.cut_up;

		poll(fd, 2, -1);
		if (frozen && (fd[0].revents | fd[1].revents) != 0)
			return 0; /* one of them is closed */
		if ((fd[1].revents & (POLLIN | POLLHUP)) != 0 &&
		    !pass_piece(&o, far, 1, &up, end) && up != o.freeze_up)
			return 0;
		if ((fd[0].revents & (POLLIN | POLLHUP)) != 0 &&
		    !pass_piece(&o, 0, far, &down, o.cut_down))
			return 0;
	}
}
