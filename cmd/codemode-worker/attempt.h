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

/* Where the attempts find what they reach for, and room for answers. */
typedef struct scene {
	pid_t parent;
	int line;     /* the socket to the parent, which sent a descriptor */
	int port;     /* somebody listens there on the loopback            */
	void *page;   /* one page of private memory                        */
	int sink;
	cpu_set_t set;
	struct rlimit limit;
	struct utsname name;
	struct __user_cap_header_struct caps;
} scene;

typedef struct attempt {
	const char *name, *what;
	bool anybody; /* succeeds without fences wherever we are */
	int (*make)(scene *s); /* 0: it was let in; or errno */
} attempt;

extern const attempt attempts[];
extern const size_t attempts_len;

#endif
