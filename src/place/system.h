/* SPDX-License-Identifier: MIT */
/*
 * system.h -- the machine's own clocks, randomness and time zone, for runs
 * whose owner brought none.
 */
#ifndef PLACE_SYSTEM_H
#define PLACE_SYSTEM_H

#include "engine/engine.h"

/* All members set; real is true. */
engine_host system_host(void);

#endif
