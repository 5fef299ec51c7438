/* SPDX-License-Identifier: MIT */
/*
 * fence_syscalls.c -- gives the kernel the program that make_filter.c made
 * of syscalls.def in the build.
 */
#define _GNU_SOURCE
#include "fence_parts.h"

#include <errno.h>
#include <linux/filter.h>
#include <linux/seccomp.h>
#include <sys/syscall.h>
#include <unistd.h>

static struct sock_filter filter[] = {
#include "filter.def"
};

int
fence_filter(void)
{
	struct sock_fprog program = {sizeof(filter) / sizeof(*filter), filter};
	uint32_t kill = SECCOMP_RET_KILL_PROCESS; /* since Linux 4.14 */

	if (syscall(SYS_seccomp, SECCOMP_GET_ACTION_AVAIL, 0, &kill) != 0 ||
	    syscall(SYS_seccomp, SECCOMP_SET_MODE_FILTER, 0, &program) != 0)
		return errno;
	return 0;
}
