/* SPDX-License-Identifier: MIT */
/*
 * fence_syscalls.c -- the list in syscalls.def as a program for the kernel.
 *
 * libseccomp compiles it, once per template: into a tree, so that the many
 * calls on the list cost the same few comparisons each. The program also kills
 * for system calls of other architectures (int 0x80) and for the numbers of
 * x32, which a list of numbers alone would forget. Its bytes are taken out of
 * libseccomp, so that a child only has to hand them to the kernel.
 */
#define _GNU_SOURCE
#include "fence_parts.h"

#include <errno.h>
#include <linux/filter.h>
#include <linux/seccomp.h>
#include <seccomp.h>
#include <stdlib.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <unistd.h>

typedef enum answer { ALLOW, NO_EXEC, ABSENT } answer;

static const struct {
	int number;
	answer answer;
} list[] = {
#define SYSCALL(name, rule, why) {SCMP_SYS(name), rule},
#include "place/syscalls.def"
#undef SYSCALL
};

enum { OPTIMIZE_TREE = 2 };

/* Negative errno, as libseccomp does. */
static int
add_rule(scmp_filter_ctx ctx, int number, answer a)
{
	switch (a) {
	case ALLOW:
		return seccomp_rule_add(ctx, SCMP_ACT_ALLOW, number, 0);
	case NO_EXEC:
		return seccomp_rule_add(ctx, SCMP_ACT_ALLOW, number, 1,
		    SCMP_A2(SCMP_CMP_MASKED_EQ, PROT_EXEC, 0));
	case ABSENT:
		return seccomp_rule_add(ctx, SCMP_ACT_ERRNO(ENOSYS), number, 0);
	}
	return -EINVAL;
}

static int
add_rules(scmp_filter_ctx ctx)
{
	int r = seccomp_attr_set(
	    ctx, SCMP_FLTATR_ACT_BADARCH, SCMP_ACT_KILL_PROCESS);

	if (r == 0)
		r = seccomp_attr_set(
		    ctx, SCMP_FLTATR_CTL_OPTIMIZE, OPTIMIZE_TREE);
	for (size_t i = 0; i < sizeof(list) / sizeof(*list) && r == 0; i++)
		r = add_rule(ctx, list[i].number, list[i].answer);
	return r;
}

/* The file's bytes, for ever: a template lives as long as its process. */
static int
take_file(int fd, fences *f)
{
	struct stat st;
	void *bytes;

	if (fstat(fd, &st) != 0)
		return errno;
	bytes = malloc((size_t)st.st_size);
	if (bytes == NULL)
		return ENOMEM;
	if (pread(fd, bytes, (size_t)st.st_size, 0) != st.st_size) {
		free(bytes);
		return EIO;
	}
	f->filter = bytes;
	f->filter_len = (unsigned)st.st_size / sizeof(*f->filter);
	return 0;
}

static int
export_rules(scmp_filter_ctx ctx, fences *f)
{
	int fd = memfd_create("codemode-filter", MFD_CLOEXEC);
	int r;

	if (fd < 0)
		return errno;
	r = -seccomp_export_bpf(ctx, fd);
	if (r == 0)
		r = take_file(fd, f);
	close(fd);
	return r;
}

/* Filters, and one that ends the whole process: since Linux 4.14. */
static int
kernel_can_kill(void)
{
	uint32_t action = SECCOMP_RET_KILL_PROCESS;

	return syscall(SYS_seccomp, SECCOMP_GET_ACTION_AVAIL, 0, &action) == 0
		   ? 0
		   : errno;
}

int
fence_filter_compile(fences *f)
{
	scmp_filter_ctx ctx;
	int r = kernel_can_kill();

	if (r != 0)
		return r;
	ctx = seccomp_init(SCMP_ACT_KILL_PROCESS);
	if (ctx == NULL)
		return ENOMEM;
	r = -add_rules(ctx);
	if (r == 0)
		r = export_rules(ctx, f);
	seccomp_release(ctx);
	return r;
}

int
fence_filter_enter(const fences *f)
{
	struct sock_fprog program = {(unsigned short)f->filter_len, f->filter};

	if (f->filter == NULL)
		return f->report.state[FENCE_syscalls];
	if (syscall(SYS_seccomp, SECCOMP_SET_MODE_FILTER, 0, &program) != 0)
		return errno;
	return 0;
}
