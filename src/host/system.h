/* SPDX-License-Identifier: MIT */
/*
 * system.h -- the machine's own clocks, randomness and time zone, for runs
 * whose owner brought none.
 */
#ifndef HOST_SYSTEM_H
#define HOST_SYSTEM_H

#include "engine/engine.h"

/* All members set; real is true. */
engine_host system_host(void);

/* Sleeps so long, or until the descriptor (-1: none) can be read or, when
 * writable is not 0, written. UINT64_MAX: no matter how long. */
void system_wait(int handle, int writable, uint64_t ms);

#endif
