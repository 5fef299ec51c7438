/* SPDX-License-Identifier: MIT */
/*
 * skewed_clock.h -- a clock that the test moves on. Included by the one file of
 * a test program that has main().
 */
#ifndef TEST_MCP_SKEWED_CLOCK_H
#define TEST_MCP_SKEWED_CLOCK_H

#include <stdint.h>
#include <sys/syscall.h>
#include <time.h>
#include <unistd.h>

static uint64_t ahead_ms; /* of the machine's clock */

/* For libuv, too: the program is linked with its archive. */
int
clock_gettime(clockid_t id, struct timespec *t)
{
	int r = (int)syscall(SYS_clock_gettime, id, t);

	if (id == CLOCK_MONOTONIC || id == CLOCK_MONOTONIC_COARSE) {
		t->tv_sec += (time_t)(ahead_ms / 1000);
		t->tv_nsec += (long)(ahead_ms % 1000) * 1000000;
		if (t->tv_nsec >= 1000000000) {
			t->tv_nsec -= 1000000000;
			t->tv_sec++;
		}
	}
	return r;
}

#endif
