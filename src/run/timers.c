/* SPDX-License-Identifier: MIT */
/*
 * timers.c -- setTimeout and codemode.sleep, answered by the owner's clock.
 *
 * At most GATE_TIMERS timers are pending, so a scan finds the next one.
 */
#include "run.h"

/* The time on the owner's clock: that of 'run_next', and what has passed since
 * it was called. Without the second part a timer would fire early. With a start
 * the clock stands still. */
static uint64_t
now_in_turn(const cm_run *r)
{
	if (r->given.fixed)
		return r->clock.now_ms;
	return r->clock.now_ms +
	       (r->given.host.now_ms(r->given.host.ctx) - r->clock.step_ms);
}

void
timers_set(cm_run *r, uint64_t ms)
{
	uint64_t now = now_in_turn(r);
	run_timer t = {.id = (uint32_t)r->gate.timers};

	if (!mem_grow(r->alloc, (void **)&r->timers.timer, &r->timers.cap,
		r->timers.len, sizeof(t))) {
		r->status = CM_ENOMEM;
		return;
	}
	t.due_ms = ms < UINT64_MAX - now ? now + ms : UINT64_MAX - 1;
	r->timers.timer[r->timers.len++] = t;
	if (t.due_ms < r->timers.next_ms)
		r->timers.next_ms = t.due_ms;
}

static bool
timer_is_sooner(const run_timer *a, const run_timer *b)
{
	return a->due_ms < b->due_ms ||
	       (a->due_ms == b->due_ms && a->id < b->id);
}

/* The timer that is due first; r->timers.len must not be 0. */
static size_t
earliest_timer(const cm_run *r)
{
	size_t i, best = 0;

	for (i = 1; i < r->timers.len; i++)
		if (timer_is_sooner(
			&r->timers.timer[i], &r->timers.timer[best]))
			best = i;
	return best;
}

/* The last timer of the table moves to where the dropped one was. */
static void
drop_timer(cm_run *r, size_t i)
{
	r->timers.timer[i] = r->timers.timer[--r->timers.len];
	r->gate.timers_over++;
	r->timers.next_ms = r->timers.len > 0
				? r->timers.timer[earliest_timer(r)].due_ms
				: UINT64_MAX;
}

void
timers_clear(cm_run *r, uint32_t id)
{
	size_t i;

	for (i = 0; i < r->timers.len; i++) {
		if (r->timers.timer[i].id == id) {
			drop_timer(r, i);
			return;
		}
	}
}

void
timers_fire(cm_run *r)
{
	while (r->timers.next_ms <= r->clock.now_ms) {
		size_t i = earliest_timer(r);
		uint32_t id = r->timers.timer[i].id;

		drop_timer(r, i);
		if (r->port->fire(r->engine, id) == CM_ENOMEM)
			r->status = CM_ENOMEM;
		r->turns.due = true;
	}
}
