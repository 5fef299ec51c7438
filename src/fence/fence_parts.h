/* SPDX-License-Identifier: MIT */
/*
 * fence_parts.h -- the two fences that have a file of their own.
 *
 * All return 0 or an errno.
 */
#ifndef FENCE_FENCE_PARTS_H
#define FENCE_FENCE_PARTS_H

#include "fence/fences.h"

/* Takes away every right that the running kernel's landlock can withhold. */
int fence_landlock(void);

/* From now on a system call that is not in syscalls.def kills this process. */
int fence_filter(void);

#endif
