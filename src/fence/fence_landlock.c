/* SPDX-License-Identifier: MIT */
/*
 * fence_landlock.c -- a landlock ruleset without a single rule.
 *
 * What a ruleset "handles" is refused unless a rule allows it, so this one
 * handles all that the running kernel can. The version of its interface tells
 * what that is: the list below says what each version added. A kernel newer
 * than the list handles what the list has. Numbers are written out here, since
 * the headers of the machine that builds may be older.
 */
#define _GNU_SOURCE
#include "fence_parts.h"

#include <errno.h>
#include <sys/syscall.h>
#include <unistd.h>

#ifndef SYS_landlock_create_ruleset
#define SYS_landlock_create_ruleset 444
#define SYS_landlock_restrict_self  446
#endif

enum { ASK_VERSION = 1, VERSION_WITH_NET = 4, VERSION_WITH_SCOPE = 6 };

struct ruleset {
	uint64_t fs, net, scope;
};

/* What each version added. */
static const struct {
	int version;
	struct ruleset adds;
} versions[] = {
    {1, {0x1fff, 0, 0}}, /* read, write, execute, make, remove files */
    {2, {0x2000, 0, 0}}, /* link or rename into another folder       */
    {3, {0x4000, 0, 0}}, /* truncate                                 */
    {4, {0, 0x3, 0}},    /* bind and connect TCP                     */
    {5, {0x8000, 0, 0}}, /* ioctl on devices                         */
    {6, {0, 0, 0x3}},    /* abstract sockets and signals             */
};

static struct ruleset
handled(int version)
{
	struct ruleset r = {0, 0, 0};

	for (size_t i = 0; i < sizeof(versions) / sizeof(*versions); i++) {
		if (versions[i].version > version)
			break;
		r.fs |= versions[i].adds.fs;
		r.net |= versions[i].adds.net;
		r.scope |= versions[i].adds.scope;
	}
	return r;
}

/* The bytes of the struct that a kernel of this version knows. */
static size_t
size_for(int version)
{
	return version >= VERSION_WITH_SCOPE ? 3 * sizeof(uint64_t)
	       : version >= VERSION_WITH_NET ? 2 * sizeof(uint64_t)
					     : sizeof(uint64_t);
}

int
fence_landlock(void)
{
	long version =
	    syscall(SYS_landlock_create_ruleset, NULL, 0, ASK_VERSION);
	struct ruleset r;
	int fd, failed = 0;

	if (version < 0)
		return errno;
	r = handled((int)version);
	fd = (int)syscall(
	    SYS_landlock_create_ruleset, &r, size_for((int)version), 0);
	if (fd < 0)
		return errno;
	if (syscall(SYS_landlock_restrict_self, fd, 0) != 0)
		failed = errno;
	close(fd);
	return failed;
}
