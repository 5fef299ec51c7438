/* SPDX-License-Identifier: MIT */
/*
 * monotonic.h -- the one clock of the program: milliseconds that never go back.
 */
#ifndef CMD_MONOTONIC_H
#define CMD_MONOTONIC_H

#include <stdint.h>
#include <time.h>

static inline uint64_t
monotonic_ms(void)
{
	struct timespec t;

	clock_gettime(CLOCK_MONOTONIC, &t);
	return (uint64_t)t.tv_sec * 1000 + (uint64_t)t.tv_nsec / 1000000;
}

#endif
