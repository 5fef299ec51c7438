/* SPDX-License-Identifier: MIT */
/*
 * grow.h -- scripts that get at a tool in roundabout ways, made up from a seed.
 */
#ifndef TEST_SOURCE_GROW_H
#define TEST_SOURCE_GROW_H

#include "base/buf.h"

#include <stdint.h>

/* Appends a script; the same seed gives the same script. The tools are s.a,
 * s.b, z.a and solo. */
void grow_script(uint64_t seed, buf *out);

#endif
