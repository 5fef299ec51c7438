/* SPDX-License-Identifier: MIT */
/*
 * fence_parts.h -- the two fences that have a file of their own.
 *
 * All return 0 or an errno.
 */
#ifndef PLACE_FENCE_PARTS_H
#define PLACE_FENCE_PARTS_H

#include "place/fences.h"

/* No right to anything that the running kernel's landlock can withhold. */
int fence_landlock(void);

/* Compiles the list in syscalls.def into f->filter, and puts it around this
 * process. Entering takes no memory and no time to speak of. */
int fence_filter_compile(fences *f);
int fence_filter_enter(const fences *f);

#endif
