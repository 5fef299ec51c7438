/* SPDX-License-Identifier: MIT */
/*
 * still.h -- an engine whose host stands still: no time passes, chance is
 * always the same. For tests that look inside of it.
 */
#ifndef TEST_ENGINE_STILL_H
#define TEST_ENGINE_STILL_H

#include "unit.h"

#include "engine/engine.h"

static inline uint64_t
no_ms(void *ctx)
{
	(void)ctx;
	return 0;
}

static inline int64_t
no_us(void *ctx)
{
	(void)ctx;
	return 0;
}

static inline int32_t
no_zone(void *ctx, int64_t at)
{
	(void)ctx, (void)at;
	return 0;
}

static inline void
no_random(void *ctx, void *bytes, size_t len)
{
	(void)ctx;
	memset(bytes, 7, len);
}

/* Accepts all that the engine says. */
static inline void
say_nothing(void *ctx, const said *m, verdict *v)
{
	(void)ctx, (void)m;
	v->code = NULL;
}

static inline engine *
engine_new(const cm_alloc *alloc)
{
	engine_start start = {.alloc = alloc,
	    .host = {NULL, no_ms, no_us, no_random, no_zone, false},
	    .sink = {NULL, say_nothing},
	    .heap = 256u << 20,
	    .polls = UINT64_MAX,
	    .deadline_ms = UINT64_MAX};
	engine *e;

	assert_int_equal(engine_quickjs.open(&start, &e), CM_OK);
	return e;
}

#endif
