/* SPDX-License-Identifier: MIT */
/*
 * lanes.c -- which calls share a limit: all calls of the run (lane 0), those of
 * one tool, and those of one namespace, which is a server. Tools and namespaces
 * have lanes only when they have limits.
 */
#include "run.h"

/* A lane's number has 16 bits. In a larger catalog some tools share a lane, and
 * fewer of their calls run at once than the limit allows. */
#define SHARES_MAX ((SCHED_LANES_MAX - 1) / 2)

static bool
has_one_limit(const cm_run *r)
{
	return r->given.limits.tool_calls_at_once == CM_NO_LIMIT &&
	       r->given.limits.space_calls_at_once == CM_NO_LIMIT;
}

static int64_t
places_of(uint64_t limit)
{
	return at_most(INT32_MAX, limit);
}

void
lanes_init(cm_run *r)
{
	uint32_t i;

	r->lanes.shares = r->catalog == NULL || has_one_limit(r)
			      ? 0
			      : at_most(SHARES_MAX, r->catalog->len);
	r->lanes.len = 1 + 2 * r->lanes.shares;
	r->lanes.lane = r->lanes.shares == 0
			    ? &r->lanes.all
			    : mem_resize(r->alloc, NULL, 0,
				  r->lanes.len * sizeof(sched_lane));
	if (r->lanes.lane == NULL) {
		r->status = CM_ENOMEM;
		r->lanes.lane = &r->lanes.all;
		r->lanes.shares = 0;
		r->lanes.len = 1;
	}
	r->lanes.lane[0].limit = places_of(r->given.limits.calls_at_once);
	for (i = 0; i < r->lanes.shares; i++) {
		r->lanes.lane[1 + i].limit =
		    places_of(r->given.limits.tool_calls_at_once);
		r->lanes.lane[1 + r->lanes.shares + i].limit =
		    places_of(r->given.limits.space_calls_at_once);
	}
	sched_init(&r->sched, r->lanes.lane, r->lanes.len,
	    (uint32_t)r->gate_limits.calls);
}

void
lanes_free(cm_run *r)
{
	if (r->lanes.shares > 0)
		mem_free(
		    r->alloc, r->lanes.lane, r->lanes.len * sizeof(sched_lane));
}

/* The lane of a namespace has the number of its first tool. */
static uint32_t
space_lane(const cm_run *r, const tool *t)
{
	size_t first;

	if (t->space_ident.len == 0 ||
	    catalog_space(r->catalog, t->space_ident, &first) == 0)
		return 0;
	return 1 + r->lanes.shares + (uint32_t)(first % r->lanes.shares);
}

uint32_t
lanes_issue(cm_run *r, uint32_t number)
{
	uint32_t own = 0, space = 0, i;

	if (r->lanes.shares > 0) {
		own = 1 + number % r->lanes.shares;
		space = space_lane(r, catalog_at(r->catalog, number));
	}
	must(own < r->lanes.len && space < r->lanes.len &&
	     (own == 0 || own != space));
	i = sched_issued(&r->sched, (uint16_t)own, (uint16_t)space);
	must(i != SCHED_NO_CALL); /* the gate has the same budget */
	return i;
}
