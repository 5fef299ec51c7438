/* SPDX-License-Identifier: MIT */
/*
 * supervise.c -- the small process between us and each server.
 *
 *	codemode --line--> supervisor --fork--> server --> its children ...
 *	    +---------- stdin, stdout, stderr ----+
 *
 * The supervisor holds none of the server's pipes, only the line. It adopts
 * every descendant whose parent dies, those that left the group with setsid
 * too, so "kill all my children until I have none" reaches them all, level by
 * level. It does so when the line ends (S1), when it is told to (S2), and when
 * the server itself is gone and what it left behind ignored SIGTERM (S3). If
 * the supervisor is killed, the kernel kills the server (S4).
 */
#include "supervise.h"

#include "common/monotonic.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <poll.h>
#include <signal.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/signalfd.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

enum {
	/* Until what a server left behind is killed, and then until no zombie
	 * is left: some that a device holds end later. */
	LEFTOVER_MS = 1000,
	SWEEP_MS = 2000,
	PAUSE_MS = 5,
	FD_SCAN_MAX = 65536
};

typedef struct keeper {
	pid_t server;     /* also its group; 0: it was reaped */
	int signals;      /* signalfd */
	uint64_t kill_at; /* UINT64_MAX: not yet */
} keeper;

static void
send_report(uint32_t kind, int32_t number)
{
	const supervise_report r = {kind, number};

	/* A failed write means that the other side is gone. */
	(void)!write(SUPERVISE_LINE, &r, sizeof(r));
}

/* ------------------------------------------------------------ the family */

/* The parent of a process; 0: it is gone. The name in stat may hold any byte,
 * also ")", so the fields behind it are found from the end. */
static pid_t
parent_of_process(const char *pid)
{
	char path[64], stat[512];
	const char *end;
	ssize_t n;
	int fd;

	snprintf(path, sizeof(path), "/proc/%s/stat", pid);
	fd = open(path, O_RDONLY | O_CLOEXEC);
	if (fd < 0)
		return 0;
	n = read(fd, stat, sizeof(stat) - 1);
	close(fd);
	if (n <= 0)
		return 0;
	stat[n] = '\0';
	end = strrchr(stat, ')');
	if (!end || strlen(end) < 5)
		return 0;
	return (pid_t)strtol(end + 4, NULL, 10);
}

/* Sends a signal to all children, also to adopted ones. */
static void
signal_children(int signal)
{
	DIR *proc = opendir("/proc");
	const struct dirent *entry;
	pid_t self = getpid();

	if (!proc)
		return;
	while ((entry = readdir(proc)) != NULL) {
		if (entry->d_name[0] < '1' || entry->d_name[0] > '9')
			continue;
		if (parent_of_process(entry->d_name) == self)
			kill((pid_t)strtol(entry->d_name, NULL, 10), signal);
	}
	closedir(proc);
}

/* The server's group and all children: what one step can reach. */
static void
signal_all(const keeper *k, int signal)
{
	if (k->server)
		kill(-k->server, signal);
	signal_children(signal);
}

/* The server has ended but is not reaped, so its pid still names its group.
 * What it leaves behind gets LEFTOVER_MS to end by itself (S3). */
static void
server_ended(keeper *k)
{
	uint64_t later = monotonic_ms() + LEFTOVER_MS;
	int status = 0;

	signal_all(k, SIGTERM);
	waitpid(k->server, &status, 0);
	send_report(SUPERVISE_EXITED, status);
	k->server = 0;
	if (later < k->kill_at)
		k->kill_at = later;
}

/* Reaps all children that have ended. False: there are no children. */
static bool
reap_children(keeper *k)
{
	for (;;) {
		siginfo_t info = {0};

		if (waitid(P_ALL, 0, &info, WEXITED | WNOHANG | WNOWAIT))
			return errno != ECHILD;
		if (info.si_pid == 0)
			return true;
		if (info.si_pid == k->server)
			server_ended(k);
		else
			waitpid(info.si_pid, NULL, 0);
	}
}

/* Kills until no child is left: each round kills what the last one orphaned. */
static void
kill_until_none(keeper *k)
{
	uint64_t until = monotonic_ms() + SWEEP_MS;

	do {
		signal_all(k, SIGKILL);
		if (!reap_children(k))
			return;
		poll(NULL, 0, PAUSE_MS);
	} while (monotonic_ms() < until);
}

/* ---------------------------------------------------------------- watching */

/* Reads an order; false: kill everything now. */
static bool
obey_order(keeper *k)
{
	char order;
	ssize_t n = read(SUPERVISE_LINE, &order, 1);

	if (n < 0)
		return errno == EINTR || errno == EAGAIN;
	if (n == 0 || order == SUPERVISE_KILL)
		return false;
	if (order == SUPERVISE_TERM)
		signal_all(k, SIGTERM);
	return true;
}

/* Reads a signal; false: it asks to end, or the parent is gone. */
static bool
read_stop_signal(keeper *k)
{
	struct signalfd_siginfo info;

	if (read(k->signals, &info, sizeof(info)) != sizeof(info))
		return true;
	return info.ssi_signo == SIGCHLD;
}

static int
poll_timeout(const keeper *k)
{
	uint64_t now = monotonic_ms();

	if (k->kill_at == UINT64_MAX)
		return -1;
	return k->kill_at <= now ? 0 : (int)(k->kill_at - now);
}

/* Until everything has ended by itself, or must be killed. */
static void
watch_server(keeper *k)
{
	struct pollfd p[2] = {
	    {.fd = SUPERVISE_LINE, .events = POLLIN},
	    {.fd = k->signals, .events = POLLIN},
	};

	while (reap_children(k)) {
		if (k->kill_at <= monotonic_ms())
			return;
		if (poll(p, 2, poll_timeout(k)) <= 0)
			continue;
		if (p[1].revents && !read_stop_signal(k))
			return;
		if (p[0].revents && !obey_order(k))
			return;
	}
}

/* -------------------------------------------------------------- the server */

/* As a program expects to start: no signal ignored, none blocked. */
static void
reset_signals(void)
{
	/* glibc reserves these two and refuses to change them, yet its
	 * posix_spawn hands them on ignored (make uses it). */
	enum { NPTL_FIRST = 32, NPTL_LAST = 33 };
	static const struct {
		void *handler;
		unsigned long flags;
		void *restorer;
		unsigned long mask;
	} kernel_plain = {NULL, 0, NULL, 0};
	const struct sigaction plain = {.sa_handler = SIG_DFL};
	sigset_t none;
	int i;

	for (i = 1; i < NSIG; i++)
		sigaction(i, &plain, NULL);
	for (i = NPTL_FIRST; i <= NPTL_LAST; i++)
		syscall(SYS_rt_sigaction, i, &kernel_plain, NULL,
		    sizeof(kernel_plain.mask));
	sigemptyset(&none);
	sigprocmask(SIG_SETMASK, &none, NULL);
}

/* close_range, also where a filter of system calls does not know it. */
static void
close_between(int first, int last)
{
	if (first > last ||
	    close_range((unsigned)first, (unsigned)last, 0) == 0)
		return;
	for (; first <= last && first < FD_SCAN_MAX; first++)
		close(first);
}

/* Never returns; an errno on `failed` says why not. */
static _Noreturn void
become_server(char **argv, pid_t keeper_pid, int failed)
{
	int error;

	prctl(PR_SET_PDEATHSIG, SIGKILL); /* S4 */
	if (getppid() != keeper_pid)
		_exit(127);
	setsid();
	reset_signals();
	close_between(3, failed - 1);
	close_between(failed + 1, INT_MAX);
	execvp(argv[0], argv);
	error = errno;
	(void)!write(failed, &error, sizeof(error));
	_exit(127);
}

/* 0, or why the server could not be started. */
static int
start_server(keeper *k, char **argv)
{
	pid_t self = getpid();
	int failed[2], error = 0;

	if (pipe2(failed, O_CLOEXEC))
		return errno;
	k->server = fork();
	if (k->server == 0)
		become_server(argv, self, failed[1]);
	if (k->server < 0)
		error = errno;
	close(failed[1]);
	if (!error && read(failed[0], &error, sizeof(error)) != sizeof(error))
		error = 0;
	close(failed[0]);
	if (k->server < 0)
		k->server = 0;
	return error;
}

/* The pipes belong to the server; only the line stays open here. */
static void
close_server_pipes(void)
{
	int null = open("/dev/null", O_RDWR | O_CLOEXEC), i;

	for (i = 0; i < SUPERVISE_LINE; i++) {
		if (null < 0 || dup2(null, i) < 0)
			close(i);
	}
	if (null >= 0)
		close(null);
}

static int
watch_signals(void)
{
	sigset_t all;

	sigfillset(&all);
	sigprocmask(SIG_SETMASK, &all, NULL);
	sigemptyset(&all);
	sigaddset(&all, SIGCHLD);
	sigaddset(&all, SIGTERM);
	sigaddset(&all, SIGINT);
	sigaddset(&all, SIGHUP);
	return signalfd(-1, &all, SFD_CLOEXEC | SFD_NONBLOCK);
}

static int
supervise_server(char **argv)
{
	keeper k = {.kill_at = UINT64_MAX};
	int error;

	close_between(SUPERVISE_LINE + 1, INT_MAX);
	fcntl(SUPERVISE_LINE, F_SETFD, FD_CLOEXEC);
	prctl(PR_SET_NAME, "codemode-keeper");
	prctl(PR_SET_CHILD_SUBREAPER, 1);
	prctl(PR_SET_PDEATHSIG, SIGTERM); /* S1, should the line be held open */
	setsid();
	reset_signals();
	k.signals = watch_signals();
	error = k.signals < 0 ? errno : start_server(&k, argv);
	close_server_pipes();
	if (error) {
		send_report(SUPERVISE_REFUSED, error);
	} else {
		send_report(SUPERVISE_STARTED, k.server);
		watch_server(&k);
	}
	kill_until_none(&k);
	return 0;
}

int
supervise_main(int argc, char **argv)
{
	if (argc < 3 || strcmp(argv[1], SUPERVISE_WORD))
		return -1;
	return supervise_server(argv + 2);
}

/* -------------------------------------------------------------- a clean start */

void
clean_start(void)
{
	const struct sigaction plain = {.sa_handler = SIG_DFL};
	const struct sigaction ignore = {.sa_handler = SIG_IGN};
	sigset_t none;
	int fd;

	do
		fd = open("/dev/null", O_RDWR);
	while (fd >= 0 && fd < 3);
	if (fd >= 0)
		close(fd);
	if (close_range(3, ~0U, CLOSE_RANGE_CLOEXEC)) {
		for (fd = 3; fd < FD_SCAN_MAX; fd++)
			fcntl(fd, F_SETFD, FD_CLOEXEC);
	}
	sigaction(SIGCHLD, &plain, NULL);
	sigaction(SIGPIPE, &ignore, NULL);
	sigemptyset(&none);
	sigprocmask(SIG_SETMASK, &none, NULL);
}
