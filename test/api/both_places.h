/* SPDX-License-Identifier: MIT */
/*
 * both_places.h -- for a program whose runs are made inline and in a process:
 * the place, which open_process and close_process make and free around all of
 * its tests, and the owner's clock.
 */
#ifndef TEST_API_BOTH_PLACES_H
#define TEST_API_BOTH_PLACES_H

#include <codemode/place.h>

#include <time.h>

static cm_place *process;

static inline uint64_t
now(void)
{
	struct timespec t;

	clock_gettime(CLOCK_MONOTONIC, &t);
	return (uint64_t)t.tv_sec * 1000 + (uint64_t)t.tv_nsec / 1000000;
}

static inline int
open_process(void **state)
{
	cm_process_options o = CM_PROCESS_OPTIONS_INIT;

	(void)state;
	o.worker = WORKER;
	return cm_place_process(NULL, &o, &process) == CM_OK ? 0 : -1;
}

static inline int
close_process(void **state)
{
	(void)state;
	cm_place_free(process);
	return 0;
}

#endif
