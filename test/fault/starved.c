/* SPDX-License-Identifier: MIT */
/*
 * starved.c -- what makes codemode-worker run out of memory: the linker puts
 * these in front of libc's (--wrap).
 *
 * The n-th process that the template forks gets no memory at its n-th request,
 * so a client that runs script after script sees every request refused once.
 */
#define _GNU_SOURCE
#include <errno.h>
#include <stdlib.h>
#include <sys/types.h>
#include <unistd.h>

static unsigned forks, refuse_at, asked;

pid_t __real_fork(void);
pid_t __wrap_fork(void);
void *__real_malloc(size_t n);
void *__wrap_malloc(size_t n);
void *__real_realloc(void *p, size_t n);
void *__wrap_realloc(void *p, size_t n);

pid_t
__wrap_fork(void)
{
	pid_t pid;

	forks++;
	pid = __real_fork();
	if (pid == 0)
		refuse_at = forks;
	return pid;
}

static int
refused(void)
{
	if (refuse_at == 0 || ++asked != refuse_at)
		return 0;
	errno = ENOMEM;
	return 1;
}

void *
__wrap_malloc(size_t n)
{
	return refused() ? NULL : __real_malloc(n);
}

void *
__wrap_realloc(void *p, size_t n)
{
	return n > 0 && refused() ? NULL : __real_realloc(p, n);
}
