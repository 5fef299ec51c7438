/* SPDX-License-Identifier: MIT */
/*
 * system.h -- the machine's clocks, randomness and time zone, for runs whose
 * owner gives none.
 */
#ifndef HOST_SYSTEM_H
#define HOST_SYSTEM_H

#include "engine/engine.h"

/* All members set; real is true. */
engine_host system_host(void);

/* engine_host.zone_file of this machine. A name has letters, digits and _+-/
 * only, and no / at its start, so no file outside of the zones is read. */
void system_zone_file(void *ctx, text name, buf *out);

/* Sleeps ms, or until the descriptor (-1: none) can be read or, when writable
 * is not 0, written. From INT_MAX on: without an end. */
void system_wait(int handle, int writable, uint64_t ms);

#endif
