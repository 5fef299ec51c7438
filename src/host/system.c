/* SPDX-License-Identifier: MIT */
/* system.c -- see system.h. */
#define _GNU_SOURCE
#include "system.h"

#include <limits.h>
#include <poll.h>
#include <sys/random.h>
#include <time.h>
#include <unistd.h>

static uint64_t
system_now_ms(void *ctx)
{
	struct timespec t;

	(void)ctx;
	clock_gettime(CLOCK_MONOTONIC, &t);
	return (uint64_t)t.tv_sec * 1000 + (uint64_t)t.tv_nsec / 1000000;
}

static int64_t
system_epoch_us(void *ctx)
{
	struct timespec t;

	(void)ctx;
	clock_gettime(CLOCK_REALTIME, &t);
	return (int64_t)t.tv_sec * 1000000 + t.tv_nsec / 1000;
}

static void
system_random(void *ctx, void *bytes, size_t len)
{
	char *p = bytes;

	(void)ctx;
	while (len > 0) {
		size_t n = len < 256 ? len : 256;

		must(getentropy(p, n) == 0);
		p += n;
		len -= n;
	}
}

static int32_t
system_zone(void *ctx, int64_t epoch_s)
{
	time_t at = (time_t)epoch_s;
	struct tm tm;

	(void)ctx;
	return localtime_r(&at, &tm) == NULL ? 0 : (int32_t)tm.tm_gmtoff;
}

engine_host
system_host(void)
{
	return (engine_host){NULL, system_now_ms, system_epoch_us,
	    system_random, system_zone, true};
}

void
system_wait(int handle, int writable, uint64_t ms)
{
	struct pollfd fd = {handle, POLLIN, 0};

	if (writable)
		fd.events |= POLLOUT;
	poll(&fd, 1, ms > INT_MAX ? -1 : (int)ms);
}
