/* SPDX-License-Identifier: MIT */
/*
 * attempt.c -- the attempts that are more than one call, and the list.
 *
 * Raw numbers where libc has no function, or has one that hides the number.
 */
#define _GNU_SOURCE
#include "attempt.h"

#include <arpa/inet.h>
#include <errno.h>
#include <fcntl.h>
#include <linux/openat2.h>
#include <linux/sched.h>
#include <linux/seccomp.h>
#include <netinet/in.h>
#include <pthread.h>
#include <signal.h>
#include <string.h>
#include <sys/epoll.h>
#include <sys/eventfd.h>
#include <sys/inotify.h>
#include <sys/ioctl.h>
#include <sys/mman.h>
#include <sys/mount.h>
#include <sys/personality.h>
#include <sys/prctl.h>
#include <sys/ptrace.h>
#include <sys/shm.h>
#include <sys/socket.h>
#include <sys/syscall.h>
#include <sys/uio.h>
#include <sys/wait.h>
#include <unistd.h>

/* ---------------------------------------------------- files, descriptors */

static long
open_new_way(void)
{
	struct open_how how = {.flags = O_RDONLY};

	return syscall(SYS_openat2, AT_FDCWD, "/etc/passwd", &how, sizeof(how));
}

/* A closed descriptor gives EBADF, which is the refusal here. */
static long
standard_descriptors(void)
{
	for (int fd = 0; fd <= 2; fd++)
		if (write(fd, "", 0) >= 0)
			return fd;
	errno = ENOENT;
	return -1;
}

/* The parent has sent a byte with a descriptor in it. */
static long
receive_descriptor(scene *s)
{
	union {
		struct cmsghdr head;
		char bytes[CMSG_SPACE(sizeof(int))];
	} control;
	char byte;
	struct iovec part = {&byte, 1};
	struct msghdr m = {.msg_iov = &part,
	    .msg_iovlen = 1,
	    .msg_control = control.bytes,
	    .msg_controllen = sizeof(control.bytes)};

	if (recvmsg(s->line, &m, 0) != 1)
		return -1;
	if (CMSG_FIRSTHDR(&m) != NULL)
		return 0;
	errno = EMFILE;
	return -1;
}

/* ----------------------------------------------------------- the network */

static struct sockaddr_in
loopback(int port)
{
	struct sockaddr_in a = {.sin_family = AF_INET,
	    .sin_port = htons((uint16_t)port),
	    .sin_addr = {htonl(INADDR_LOOPBACK)}};

	return a;
}

static long
connect_loopback(scene *s)
{
	struct sockaddr_in a = loopback(s->port);
	int fd = socket(AF_INET, SOCK_STREAM, 0);

	return fd < 0 ? -1
		      : connect(fd, (const struct sockaddr *)&a, sizeof(a));
}

static long
bind_loopback(void)
{
	struct sockaddr_in a = loopback(0);
	int fd = socket(AF_INET, SOCK_STREAM, 0);

	if (fd < 0 || bind(fd, (const struct sockaddr *)&a, sizeof(a)) != 0)
		return -1;
	return listen(fd, 1);
}

/* ------------------------------------------------------------- processes */

/* After a fork that succeeded: the child ends at once. */
static long
reap_fork(long pid)
{
	if (pid == 0)
		_exit(0);
	if (pid > 0)
		waitpid((pid_t)pid, NULL, 0);
	return pid;
}

static long
clone_new_way(void)
{
	struct clone_args a = {.exit_signal = SIGCHLD};

	return syscall(SYS_clone3, &a, sizeof(a));
}

static void *
return_argument(void *arg)
{
	return arg;
}

static long
start_thread(void)
{
	pthread_t t;

	errno = pthread_create(&t, NULL, return_argument, NULL);
	if (errno != 0)
		return -1;
	return pthread_join(t, NULL);
}

/* The parent was forked to make this process: it has this variable, too. */
static char neighbour = 'n';

static long
peek(pid_t parent)
{
	char got;
	struct iovec here = {&got, 1}, there = {&neighbour, 1};

	return process_vm_readv(parent, &here, 1, &there, 1, 0);
}

static long
poke(pid_t parent)
{
	char same = 'n';
	struct iovec here = {&same, 1}, there = {&neighbour, 1};

	return process_vm_writev(parent, &here, 1, &there, 1, 0);
}

/* ------------------------------------------------ limits, memory, numbers */

/* Raises the soft limit to the hard one; behind the fences, the hard one from 0
 * to 1. */
static long
raise_limit(void)
{
	struct rlimit l;

	if (getrlimit(RLIMIT_NOFILE, &l) != 0)
		return -1;
	if (l.rlim_max == 0)
		l.rlim_max = 1;
	l.rlim_cur = l.rlim_max;
	return setrlimit(RLIMIT_NOFILE, &l);
}

static long
map_page(int prot)
{
	void *p = mmap(NULL, 4096, prot, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);

	return p == MAP_FAILED ? -1 : 0;
}

/* ENOSYS means that the kernel looked the number up and killed nothing. */
static long
unknown_number(void)
{
	long r = syscall(4000);

	return r < 0 && errno == ENOSYS ? 0 : r;
}

#if defined(__x86_64__)
static long
by_interrupt(long number)
{
	long r;

	__asm__ volatile("int $0x80"
			 : "=a"(r)
			 : "a"(number)
			 : "r8", "r9", "r10", "r11", "memory");
	if (r >= 0)
		return r;
	errno = (int)-r;
	return -1;
}
#endif

/* -------------------------------------------------------------- the list */

/* An error about arguments means that the kernel let the call in. */
static int
outcome(long r)
{
	static const int looked[] = {EBADF, EINVAL, EFAULT, ENODEV};

	if (r >= 0)
		return 0;
	for (size_t i = 0; i < sizeof(looked) / sizeof(*looked); i++)
		if (errno == looked[i])
			return 0;
	return errno != 0 ? errno : EPERM;
}

#define ATTEMPT(name, control, what, how) \
	static int make_##name(scene *s)  \
	{                                 \
		(void)s;                  \
		return outcome(how);      \
	}
#include "attempt.def"
#undef ATTEMPT

#define ALWAYS    true
#define SOMETIMES false
const attempt attempts[] = {
#define ATTEMPT(name, control, what, how) {#name, what, control, make_##name},
#include "attempt.def"
#undef ATTEMPT
};
const size_t attempts_len = sizeof(attempts) / sizeof(*attempts);
