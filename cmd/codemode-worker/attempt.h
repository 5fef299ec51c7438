/* SPDX-License-Identifier: MIT */
/*
 * attempt.h -- forbidden things to try; the list is attempt.def.
 */
#ifndef WORKER_ATTEMPT_H
#define WORKER_ATTEMPT_H

#include <linux/capability.h>
#include <sched.h>
#include <stdbool.h>
#include <stddef.h>
#include <sys/resource.h>
#include <sys/utsname.h>

/* What the attempts use, and room for their results. */
typedef struct scene {
	pid_t parent;
	int line;   /* the socket to the parent, which sent a descriptor */
	int port;   /* of the loopback, on which try_main listens        */
	void *page; /* one page of private memory                        */
	int sink;
	cpu_set_t set;
	struct rlimit limit;
	struct utsname name;
	struct __user_cap_header_struct caps;
} scene;

typedef struct attempt {
	const char *name, *what;
	bool anybody;          /* succeeds without fences on every Linux */
	int (*make)(scene *s); /* 0: not refused; or errno */
} attempt;

extern const attempt attempts[];
extern const size_t attempts_len;

#endif
