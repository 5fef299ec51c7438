/* SPDX-License-Identifier: MIT */
/*
 * monotonic.h -- the monotonic clock of the program.
 */
#ifndef CMD_MONOTONIC_H
#define CMD_MONOTONIC_H

#include <stdint.h>
#include <time.h>

static inline uint64_t
monotonic_us(void)
{
	struct timespec t;

	clock_gettime(CLOCK_MONOTONIC, &t);
	return (uint64_t)t.tv_sec * 1000000 + (uint64_t)t.tv_nsec / 1000;
}

static inline uint64_t
monotonic_ms(void)
{
	return monotonic_us() / 1000;
}

#endif
