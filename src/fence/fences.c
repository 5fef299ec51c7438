/* SPDX-License-Identifier: MIT */
/*
 * fences.c -- puts the fences up, one short function each; see fences.h.
 *
 * A function put_NAME puts up the fence of each line of fences.def; it returns
 * 0 when that fence stands, or an errno. Where the kernel can tell whether the
 * fence stands, the function asks it afterwards.
 */
#define _GNU_SOURCE
#include "fences.h"

#include "fence_parts.h"

#include <errno.h>
#include <linux/capability.h>
#include <sched.h>
#include <signal.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/syscall.h>
#include <unistd.h>

extern char **environ;

/* What the functions below need. */
typedef struct site {
	const fences *fences;
	pid_t template_pid;
	int keep_fd;
} site;

typedef enum side { TEMPLATE, CHILD } side;

/* ------------------------------------------------------- in the template */

static int
put_environment(const site *s)
{
	(void)s;
	return environ != NULL && *environ != NULL ? EEXIST : 0;
}

static int
put_privileges(const site *s)
{
	(void)s;
	if (prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0) != 0)
		return errno;
	return prctl(PR_GET_NO_NEW_PRIVS, 0, 0, 0, 0) == 1 ? 0 : EPERM;
}

/* Any user may make other namespaces inside a new user namespace. Where that is
 * not allowed, root can do without it; its capabilities are dropped later. */
static int
unshare_one(int flag)
{
	if (unshare(CLONE_NEWUSER | flag) == 0 || unshare(flag) == 0)
		return 0;
	return errno;
}

static int
put_network(const site *s)
{
	(void)s;
	return unshare_one(CLONE_NEWNET);
}

/* put_network may have made a user namespace already: try without another one
 * first. */
static int
put_ipc(const site *s)
{
	(void)s;
	return unshare(CLONE_NEWIPC) == 0 ? 0 : unshare_one(CLONE_NEWIPC);
}

/* Permitted, effective and inheritable; the ambient ones go with them, and
 * no-new-privileges keeps exec from giving any back. */
static int
put_capabilities(const site *s)
{
	struct __user_cap_header_struct head = {_LINUX_CAPABILITY_VERSION_3, 0};
	struct __user_cap_data_struct data[_LINUX_CAPABILITY_U32S_3] = {{0}};

	(void)s;
	if (syscall(SYS_capset, &head, data) != 0 ||
	    syscall(SYS_capget, &head, data) != 0)
		return errno;
	return (data[0].permitted | data[1].permitted) == 0 ? 0 : EPERM;
}

static int
put_opaque(const site *s)
{
	(void)s;
	if (prctl(PR_SET_DUMPABLE, 0, 0, 0, 0) != 0)
		return errno;
	return prctl(PR_GET_DUMPABLE, 0, 0, 0, 0) == 0 ? 0 : EPERM;
}

/* ---------------------------------------------------------- in the child */

/* The kernel sends no signal when the parent ended before this call, so check
 * that, too. */
static int
put_parent(const site *s)
{
	int failed = 0;

	if (prctl(PR_SET_PDEATHSIG, SIGKILL, 0, 0, 0) != 0)
		failed = errno;
	if (getppid() != s->template_pid)
		_exit(1);
	return failed;
}

/* Each child has a domain of its own: it may signal neither the template nor
 * other workers. */
static int
put_landlock(const site *s)
{
	(void)s;
	return fence_landlock();
}

static int
put_session(const site *s)
{
	(void)s;
	return setsid() < 0 ? errno : 0;
}

static int
close_all(unsigned from, unsigned to)
{
	if (from > to || syscall(SYS_close_range, from, to, 0) == 0)
		return 0;
	return errno;
}

static int
put_descriptors(const site *s)
{
	unsigned keep = (unsigned)s->keep_fd;
	int failed = keep > 0 ? close_all(0, keep - 1) : 0;

	return failed != 0 ? failed : close_all(keep + 1, ~0u);
}

/* Sets the soft and the hard limit, so that it cannot be raised again. */
static int
limit(int which, uint64_t most)
{
	struct rlimit l = {(rlim_t)most, (rlim_t)most};

	return setrlimit(which, &l) == 0 ? 0 : errno;
}

static int
put_limits(const site *s)
{
	static const int none[] = {RLIMIT_NOFILE, RLIMIT_NPROC, RLIMIT_FSIZE,
	    RLIMIT_CORE, RLIMIT_MEMLOCK, RLIMIT_MSGQUEUE};
	const fence_nets *nets = &s->fences->nets;
	int failed = 0;

	for (size_t i = 0; i < sizeof(none) / sizeof(*none) && !failed; i++)
		failed = limit(none[i], 0);
	if (!failed && nets->cpu_s > 0)
		failed = limit(RLIMIT_CPU, nets->cpu_s);
	if (!failed && nets->data > 0)
		failed = limit(RLIMIT_DATA, nets->data);
	return failed;
}

static int
put_syscalls(const site *s)
{
	return s->fences->no_filter ? FENCE_UNTRIED : fence_filter();
}

/* -------------------------------------------------------------- in order */

static const struct {
	side side;
	int (*put)(const site *s);
} fence_list[FENCE_COUNT] = {
#define FENCE(name, place, about) {place, put_##name},
#include "wire/fences.def"
#undef FENCE
};

static void
put_up(side which, const site *s, fence_report *report)
{
	for (unsigned i = 0; i < FENCE_COUNT; i++)
		if (fence_list[i].side == which)
			report->state[i] = fence_list[i].put(s);
}

void
fences_template(fences *f, const fence_nets *nets)
{
	site s = {f, getpid(), -1};

	fence_report_init(&f->report);
	f->nets = *nets;
	f->no_filter = false;
	put_up(TEMPLATE, &s, &f->report);
}

void
fences_child(
    const fences *f, pid_t template_pid, int keep_fd, fence_report *report)
{
	site s = {f, template_pid, keep_fd};

	*report = f->report;
	put_up(CHILD, &s, report);
}
