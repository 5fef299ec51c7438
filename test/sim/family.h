/* SPDX-License-Identifier: MIT */
/*
 * family.h -- the processes below this one, as /proc shows them.
 */
#ifndef TEST_SIM_FAMILY_H
#define TEST_SIM_FAMILY_H

#include <stdbool.h>
#include <sys/types.h>

#define FAMILY_MAX 1024

typedef struct family {
	unsigned len;
	struct {
		pid_t pid;
		unsigned depth; /* 1: a child, 2: a grandchild ... */
	} member[FAMILY_MAX];
} family;

/* Living descendants of pid, zombies left out. */
void family_of(pid_t pid, family *f);
/* A descendant at that depth; 0: there is none. */
pid_t family_at(pid_t pid, unsigned depth);
/* Waits until no process lives below pid but those of depth < keep. */
bool family_ends(pid_t pid, unsigned keep, unsigned patience_ms);

#endif
