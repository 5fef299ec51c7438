/* SPDX-License-Identifier: MIT */
/*
 * timers.c -- setTimeout and codemode.sleep, answered by the owner's clock.
 *
 * At most GATE_TIMERS are pending, so that a scan finds the next one.
 */
#include "run.h"

/* What the owner's clock says at this moment of a turn: it stood still while
 * the script computed. */
static uint64_t
now_in_turn(const cm_run *r)
{
	return r->now_ms + (r->host.now_ms(r->host.ctx) - r->turn_ms);
}

void
timers_set(cm_run *r, uint64_t ms)
{
	size_t i = r->gate.timers - 1;
	uint64_t now = now_in_turn(r);

	if (!mem_grow(r->alloc, (void **)&r->timer, &r->timers_cap, i,
		sizeof(*r->timer))) {
		r->status = CM_ENOMEM;
		return;
	}
	r->timer[i].due_ms = ms < UINT64_MAX - now ? now + ms : UINT64_MAX - 1;
	if (r->timer[i].due_ms < r->next_timer_ms)
		r->next_timer_ms = r->timer[i].due_ms;
}

/* The earliest pending timer; UINT32_MAX when there is none. */
static uint32_t
earliest(const cm_run *r)
{
	uint32_t i, best = UINT32_MAX;

	for (i = 0; i < r->gate.timers; i++)
		if (r->timer[i].due_ms != UINT64_MAX &&
		    (best == UINT32_MAX ||
			r->timer[i].due_ms < r->timer[best].due_ms))
			best = i;
	return best;
}

static void
over(cm_run *r, uint32_t i)
{
	uint32_t next;

	r->timer[i].due_ms = UINT64_MAX;
	r->gate.timers_over++;
	next = earliest(r);
	r->next_timer_ms =
	    next == UINT32_MAX ? UINT64_MAX : r->timer[next].due_ms;
}

void
timers_clear(cm_run *r, uint32_t id)
{
	if (r->timer[id - 1].due_ms != UINT64_MAX)
		over(r, id - 1);
}

void
timers_fire(cm_run *r)
{
	uint32_t i;

	while (r->next_timer_ms <= r->now_ms) {
		i = earliest(r);
		over(r, i);
		if (r->port->fire(r->engine, i + 1) == CM_ENOMEM)
			r->status = CM_ENOMEM;
		r->turn_due = true;
	}
}
