/* SPDX-License-Identifier: MIT */
/* place_child.c -- see place_child.h. */
#define _GNU_SOURCE
#include "place_child.h"

#include "template_packet.h"

#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <signal.h>
#include <stdio.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

int
above_worker_fds(int fd)
{
	int high, error;

	if (fd > TEMPLATE_FD)
		return fd;
	high = fcntl(fd, F_DUPFD_CLOEXEC, TEMPLATE_FD + 1);
	error = errno;
	close(fd);
	errno = error;
	return high;
}

void
reap_own_child(pid_t pid)
{
	while (waitpid(pid, NULL, 0) < 0 && errno == EINTR)
		;
}

void
end_child(pid_t pid)
{
	enum { PATIENCE_MS = 500 };
	int i;

	for (i = 0; i < PATIENCE_MS && waitpid(pid, NULL, WNOHANG) == 0; i++)
		poll(NULL, 0, 1);
	if (i < PATIENCE_MS)
		return;
	kill(pid, SIGKILL);
	reap_own_child(pid);
}

void
kill_own_child(pid_t pid)
{
	siginfo_t info;

	if (waitid(P_PID, (id_t)pid, &info, WEXITED | WNOHANG | WNOWAIT) == 0)
		kill(pid, SIGKILL);
}

bool
child_status(pid_t pid, int wait_ms, int *status)
{
	pid_t got;
	int i;

	for (i = 0; (got = waitpid(pid, status, WNOHANG)) == 0; i++) {
		if (i == wait_ms)
			return false;
		poll(NULL, 0, 1);
	}
	return got > 0;
}

void
describe_child_end(const char *what, int status, char *why, size_t size)
{
	if (WIFSIGNALED(status))
		snprintf(why, size, "%s was killed by signal %d (%s)%s", what,
		    WTERMSIG(status), strsignal(WTERMSIG(status)),
		    WTERMSIG(status) == SIGSYS
			? ": it made a forbidden system call"
			: "");
	else
		snprintf(why, size,
		    "%s ended with status %d before the script did", what,
		    WEXITSTATUS(status));
}
