/* SPDX-License-Identifier: MIT */
/*
 * revival.h -- when a server that ended by itself may be started again.
 *
 * The first time at once, then after pauses of 1, 2, 4 and 8 s; after the sixth
 * end within ten minutes not before the first of them is ten minutes ago. Pure:
 * time comes from the caller.
 */
#ifndef CODEMODE_REVIVAL_H
#define CODEMODE_REVIVAL_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

enum {
	REVIVALS_MAX = 5, /* starts again within the window */
	REVIVAL_WINDOW_MS = 600 * 1000
};

typedef struct revival {
	uint64_t ended_ms[REVIVALS_MAX + 1]; /* the latest ends, oldest first */
	size_t ends;
} revival;

/* It ended by itself. */
void revival_note_end(revival *r, uint64_t now_ms);
/* It may be started from then on; a time that is past: now. */
uint64_t revival_due(const revival *r, uint64_t now_ms);
/* Were all starts of the window used up? */
bool revival_is_spent(const revival *r, uint64_t now_ms);

#endif
