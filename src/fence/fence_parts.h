/* SPDX-License-Identifier: MIT */
/*
 * fence_parts.h -- the two fences that have a file of their own.
 *
 * All return 0 or an errno.
 */
#ifndef FENCE_FENCE_PARTS_H
#define FENCE_FENCE_PARTS_H

#include "fence/fences.h"

/* No right to anything that the running kernel's landlock can withhold. */
int fence_landlock(void);

/* Puts the list in syscalls.def around this process. Takes no memory, and no
 * time to speak of. */
int fence_filter(void);

#endif
