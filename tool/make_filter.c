/* SPDX-License-Identifier: MIT */
/*
 * make_filter.c -- prints syscalls.def as a seccomp program: a tool of the
 * build, whose output fence_syscalls.c includes.
 *
 * libseccomp compiles the list into a tree, so that each call costs a few
 * comparisons. The program also kills on system calls of other architectures
 * (int 0x80) and on the numbers of x32, which a list of numbers alone would not
 * cover.
 */
#define _GNU_SOURCE
#include <errno.h>
#include <linux/filter.h>
#include <seccomp.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

typedef enum answer { ALLOW, NO_EXEC } answer;

static const struct {
	int number;
	answer answer;
} list[] = {
#define SYSCALL(name, rule, why) {SCMP_SYS(name), rule},
#include "fence/syscalls.def"
#undef SYSCALL
};

enum { OPTIMIZE_TREE = 2 };

static void
check(int r, const char *what)
{
	if (r >= 0)
		return;
	fprintf(stderr, "make_filter: %s: %s\n", what, strerror(-r));
	exit(EXIT_FAILURE);
}

/* Returns a negative errno, as libseccomp does. */
static int
add_rule(scmp_filter_ctx ctx, int number, answer a)
{
	switch (a) {
	case ALLOW:
		return seccomp_rule_add(ctx, SCMP_ACT_ALLOW, number, 0);
	case NO_EXEC:
		return seccomp_rule_add(ctx, SCMP_ACT_ALLOW, number, 1,
		    SCMP_A2(SCMP_CMP_MASKED_EQ, PROT_EXEC, 0));
	}
	return -EINVAL;
}

static scmp_filter_ctx
compile(void)
{
	scmp_filter_ctx ctx = seccomp_init(SCMP_ACT_KILL_PROCESS);

	check(ctx == NULL ? -ENOMEM : 0, "seccomp_init");
	check(seccomp_attr_set(
		  ctx, SCMP_FLTATR_ACT_BADARCH, SCMP_ACT_KILL_PROCESS),
	    "other architectures");
	check(seccomp_attr_set(ctx, SCMP_FLTATR_CTL_OPTIMIZE, OPTIMIZE_TREE),
	    "as a tree");
	for (size_t i = 0; i < sizeof(list) / sizeof(*list); i++)
		check(add_rule(ctx, list[i].number, list[i].answer),
		    "a line of syscalls.def");
	return ctx;
}

int
main(void)
{
	scmp_filter_ctx ctx = compile();
	FILE *f = tmpfile();
	struct sock_filter s;

	check(f == NULL ? -errno : 0, "tmpfile");
	check(seccomp_export_bpf(ctx, fileno(f)), "seccomp_export_bpf");
	rewind(f);
	while (fread(&s, sizeof(s), 1, f) == 1)
		printf("{%#x, %u, %u, %#x},\n", s.code, s.jt, s.jf, s.k);
	fclose(f);
	seccomp_release(ctx);
	return fflush(stdout) == 0 ? EXIT_SUCCESS : EXIT_FAILURE;
}
