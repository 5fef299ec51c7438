/* SPDX-License-Identifier: MIT */
/*
 * sched.c -- see sched.h, which is the manual.
 *
 * Each todo is made by one small function that asks, as its precondition, for
 * what the law about it says, and notes in the history that it was told. What
 * decides changes nothing; what changes something decides nothing.
 */
#include "sched.h"

#include <stddef.h>

/*@ ghost uint64_t starts[SCHED_CALLS_MAX];     */
/*@ ghost uint64_t interrupts[SCHED_CALLS_MAX]; */
/*@ ghost uint64_t settles[SCHED_CALLS_MAX];    */
/*@ ghost uint64_t reports[SCHED_CALLS_MAX];    */
/*@ ghost uint64_t ends;                        */

/* ------------------------------------------------------------ to be told */

/*@ assigns \nothing;
    ensures \result.what == SCHED_NOTHING && \result.call == 0;
*/
static sched_todo
no_todo(void)
{
	return (sched_todo){SCHED_NOTHING, 0};
}

/*@ requires call: i < s->issued <= SCHED_CALLS_MAX;
    requires L6: s->phase == SCHED_OPEN;
    requires L3_order: \forall integer k; 0 <= k < i ==> !SCHED_MAY_START(s, k);
    requires L1_room: SCHED_MAY_START(s, i);
    requires once: starts[i] == 0;
    assigns starts[i];
    ensures starts[i] == 1;
    ensures \result.what == SCHED_START && \result.call == i;
*/
static sched_todo
tell_start(const sched *s, uint32_t i)
{
	(void)s; /* the contract asks for it */
	/*@ ghost starts[i]++; */
	return (sched_todo){SCHED_START, i};
}

/*@ requires call: i < s->issued <= SCHED_CALLS_MAX;
    requires L4_runs: SCHED_MUST_STOP(s, i) && starts[i] == 1;
    requires L4_once: interrupts[i] == 0;
    assigns interrupts[i];
    ensures interrupts[i] == 1;
    ensures \result.what == SCHED_INTERRUPT && \result.call == i;
*/
static sched_todo
tell_interrupt(const sched *s, uint32_t i)
{
	(void)s; /* the contract asks for it */
	/*@ ghost interrupts[i]++; */
	return (sched_todo){SCHED_INTERRUPT, i};
}

/*@ requires call: i < s->issued <= SCHED_CALLS_MAX;
    requires L6: s->phase == SCHED_OPEN;
    requires L2_once: settles[i] == 0;
    assigns settles[i];
    ensures settles[i] == 1;
    ensures \result.what == SCHED_DELIVER && \result.call == i;
*/
static sched_todo
tell_deliver(const sched *s, uint32_t i)
{
	(void)s; /* the contract asks for it */
	/*@ ghost settles[i]++; */
	return (sched_todo){SCHED_DELIVER, i};
}

/*@ requires call: i < s->issued <= SCHED_CALLS_MAX;
    requires L6: s->phase == SCHED_CLOSING && !SCHED_MUST_STOP(s, i);
    requires L2_once: settles[i] == 0;
    assigns settles[i];
    ensures settles[i] == 1;
    ensures \result.what == SCHED_CLOSE && \result.call == i;
*/
static sched_todo
tell_close(const sched *s, uint32_t i)
{
	(void)s; /* the contract asks for it */
	/*@ ghost settles[i]++; */
	return (sched_todo){SCHED_CLOSE, i};
}

/*@ requires call: i < s->issued <= SCHED_CALLS_MAX;
    requires L6: s->phase == SCHED_CLOSING;
    requires L7_unseen: s->call[i].failure == SCHED_UNSEEN;
    requires L7_once: reports[i] == 0;
    assigns reports[i];
    ensures reports[i] == 1;
    ensures \result.what == SCHED_REPORT && \result.call == i;
*/
static sched_todo
tell_report(const sched *s, uint32_t i)
{
	(void)s; /* the contract asks for it */
	/*@ ghost reports[i]++; */
	return (sched_todo){SCHED_REPORT, i};
}

/*@ requires \valid_read(s);
    requires L6: \forall integer k; 0 <= k < s->issued ==> SCHED_ALL_TOLD(s, k);
    requires L9_once: ends == 0;
    assigns ends;
    ensures ends == 1;
    ensures \result.what == SCHED_END && \result.call == 0;
*/
static sched_todo
tell_end(const sched *s)
{
	(void)s; /* the contract asks for it */
	/*@ ghost ends++; */
	return (sched_todo){SCHED_END, 0};
}

/* ------------------------------------------------- a call moves, counted */

/*@ requires 0 <= h <= 255;
    assigns \nothing;
    ensures \result <==> SCHED_WITH_OWNER(h);
*/
static bool
is_with_owner(uint8_t h)
{
	return h >= SCHED_RUNNING && h <= SCHED_STOPPED;
}

/* The only writer of state. The ghost loop is the proof by induction that the
 * counts change by this call's part in them, and never fall below 0. */
/*@ requires Mem: Mem(s);
    requires i < s->issued <= s->cap;
    assigns s->call[i].state;
    ensures s->call[i].state == to;
    ensures L1_counts: \forall integer l; 0 <= l < s->lanes ==>
      running(s->call, s->issued, l) == running{Pre}(s->call, s->issued, l) +
        takes(&s->call[i], l) - takes{Pre}(&s->call[i], l);
    ensures L1_positive: \forall integer l; 0 <= l < s->lanes ==>
      0 <= running(s->call, s->issued, l);
*/
static void
move_call(sched *s, uint32_t i, uint8_t to)
{
	s->call[i].state = to;
	/*@ ghost
	  uint32_t n = 0;
	  /@ loop invariant 0 <= n <= s->issued;
	     loop invariant \forall integer l; 0 <= l < s->lanes ==>
	       running{Here}(s->call, n, l) == running{Pre}(s->call, n, l) +
	         (i < n ? takes{Here}(&s->call[i], l) -
	                    takes{Pre}(&s->call[i], l) : 0);
	     loop invariant \forall integer l; 0 <= l < s->lanes ==>
	       0 <= running{Here}(s->call, n, l);
	     loop assigns n;
	     loop variant s->issued - n; @/
	  while (n < s->issued)
	    n++;
	*/
}

/*@ requires Mem: Mem(s);
    requires Places: Places(s);
    requires i < s->issued <= s->cap && (by == 1 || by == -1);
    requires \forall integer l; 0 <= l < s->lanes ==>
      0 <= s->lane[l].used <= INT32_MAX;
    requires room: \forall integer l; 0 <= l < s->lanes &&
      (l == 0 || s->call[i].tool == l || s->call[i].server == l) ==>
      0 <= s->lane[l].used + by <= INT32_MAX;
    assigns s->lane[0 .. s->lanes - 1].used;
    ensures L1_used: \forall integer l; 0 <= l < s->lanes ==>
      s->lane[l].used == \old(s->lane[l].used) +
        (l == 0 || s->call[i].tool == l || s->call[i].server == l ? by : 0);
*/
static void
count_lanes(sched *s, uint32_t i, int32_t by)
{
	const sched_call *c = &s->call[i];

	s->lane[0].used += by;
	if (c->tool != 0)
		s->lane[c->tool].used += by;
	if (c->server != 0)
		s->lane[c->server].used += by;
}

/* ---------------------------------------------------------------- starts */

/*@ requires Mem: Mem(s);
    requires l < s->lanes;
    assigns \nothing;
    ensures \result <==> SCHED_HAS_ROOM(s, l);
*/
static bool
lane_has_room(const sched *s, uint32_t l)
{
	return s->lane[l].used < s->lane[l].limit;
}

/*@ requires Mem: Mem(s);
    requires i < s->issued <= s->cap;
    requires s->call[i].tool < s->lanes && s->call[i].server < s->lanes;
    assigns \nothing;
    ensures \result <==> SCHED_MAY_START(s, i);
*/
static bool
may_start(const sched *s, uint32_t i)
{
	const sched_call *c = &s->call[i];

	return c->state == SCHED_QUEUED && lane_has_room(s, 0) &&
	       lane_has_room(s, c->tool) && lane_has_room(s, c->server);
}

/*@ requires Mem: Mem(s);
    requires Places: Places(s);
    requires Cursors: Cursors(s);
    requires Scan: Scan(s);
    assigns \nothing;
    ensures s->scan <= \result <= s->issued;
    ensures \forall integer k; 0 <= k < \result ==> !SCHED_MAY_START(s, k);
    ensures \result < s->issued && \result < ready ==>
      SCHED_MAY_START(s, \result);
*/
static uint32_t
first_to_start(const sched *s, uint32_t ready)
{
	uint32_t i = s->scan;

	/*@ loop invariant s->scan <= i <= s->issued;
	    loop invariant \forall integer k; 0 <= k < i ==> !SCHED_MAY_START(s, k);
	    loop assigns i;
	    loop variant s->issued - i;
	*/
	while (i < s->issued && i < ready && !may_start(s, i))
		i++;
	return i;
}

/*@ SCHED_HOLDS(requires);
    requires i < s->issued && s->phase == SCHED_OPEN && s->scan <= i;
    requires SCHED_MAY_START(s, i);
    requires L3_first: \forall integer k; 0 <= k < i ==> !SCHED_MAY_START(s, k);
    assigns s->scan, s->lane[0 .. s->lanes - 1].used, s->call[i].state,
      starts[i];
    SCHED_HOLDS(ensures);
    ensures starts[i] == 1 && s->scan == i + 1;
    ensures \result.what == SCHED_START && \result.call == i;
*/
static sched_todo
start_queued(sched *s, uint32_t i)
{
	sched_todo todo = tell_start(s, i);

	move_call(s, i, SCHED_RUNNING);
	count_lanes(s, i, 1);
	s->scan = i + 1;
	return todo;
}

/* With lane 0 full no call may start: the queue need not be searched. */
/*@ SCHED_HOLDS(requires);
    requires s->phase == SCHED_OPEN;
    assigns s->scan, s->lane[0 .. s->lanes - 1].used,
      s->call[0 .. s->issued - 1].state, starts[0 .. SCHED_CALLS_MAX - 1];
    SCHED_HOLDS(ensures);
    SCHED_TOLD;
    ensures \result.what == SCHED_START || \result.what == SCHED_NOTHING;
    ensures L3_order: \result.what == SCHED_START ==>
      \result.call < s->issued && \result.call < ready &&
      \old(SCHED_MAY_START(s, \at(\result.call, Post))) &&
      \forall integer k; 0 <= k < \result.call ==> !\old(SCHED_MAY_START(s, k));
    ensures busy: \result.what == SCHED_NOTHING ==>
      \forall integer k; 0 <= k < s->issued && k < ready ==>
        !SCHED_MAY_START(s, k);
    ensures quick: !\old(SCHED_HAS_ROOM(s, 0)) ==> s->scan == \old(s->scan);
*/
static sched_todo
start_next(sched *s, uint32_t ready)
{
	if (!lane_has_room(s, 0))
		return no_todo();
	s->scan = first_to_start(s, ready);
	if (s->scan >= s->issued || s->scan >= ready)
		return no_todo();
	return start_queued(s, s->scan);
}

/* ------------------------------------------------------------ interrupts */

/*@ requires Mem: Mem(s);
    requires i < s->issued <= s->cap;
    assigns \nothing;
    ensures \result <==> SCHED_MUST_STOP(s, i);
*/
static bool
must_stop(const sched *s, uint32_t i)
{
	uint8_t h = s->call[i].state;

	return h == SCHED_STOPPING ||
	       (h == SCHED_RUNNING && s->phase != SCHED_OPEN);
}

/*@ requires Mem: Mem(s);
    requires Cursors: Cursors(s);
    requires Stop: Stop(s);
    assigns \nothing;
    ensures s->stop <= \result <= s->issued;
    ensures \forall integer k; 0 <= k < \result ==> !SCHED_MUST_STOP(s, k);
    ensures \result < s->issued ==> SCHED_MUST_STOP(s, \result);
*/
static uint32_t
first_to_stop(const sched *s)
{
	uint32_t i = s->stop;

	/*@ loop invariant s->stop <= i <= s->issued;
	    loop invariant \forall integer k; 0 <= k < i ==> !SCHED_MUST_STOP(s, k);
	    loop assigns i;
	    loop variant s->issued - i;
	*/
	while (i < s->issued && !must_stop(s, i))
		i++;
	return i;
}

/*@ SCHED_HOLDS(requires);
    requires i < s->issued && SCHED_MUST_STOP(s, i) && s->stop <= i;
    requires L4_first: \forall integer k; 0 <= k < i ==> !SCHED_MUST_STOP(s, k);
    assigns s->stop, s->call[i].state, interrupts[i];
    SCHED_HOLDS(ensures);
    ensures interrupts[i] == \old(interrupts[i]) + 1 && s->stop == i + 1;
    ensures \result.what == SCHED_INTERRUPT && \result.call == i;
*/
static sched_todo
interrupt_call(sched *s, uint32_t i)
{
	sched_todo todo = tell_interrupt(s, i);

	move_call(s, i, SCHED_STOPPED);
	s->stop = i + 1;
	return todo;
}

/*@ SCHED_HOLDS(requires);
    assigns s->stop, s->call[0 .. s->issued - 1].state,
      interrupts[0 .. SCHED_CALLS_MAX - 1];
    SCHED_HOLDS(ensures);
    SCHED_TOLD;
    ensures \result.what == SCHED_INTERRUPT || \result.what == SCHED_NOTHING;
    ensures \result.what == SCHED_INTERRUPT ==> \result.call < s->issued;
    ensures stopped: \result.what == SCHED_NOTHING ==> s->stop == s->issued;
    ensures \result.what == SCHED_NOTHING ==>
      \forall integer k; 0 <= k < s->issued ==>
        s->call[k].state == \old(s->call[k].state);
*/
static sched_todo
interrupt_next(sched *s)
{
	s->stop = first_to_stop(s);
	if (s->stop == s->issued)
		return no_todo();
	return interrupt_call(s, s->stop);
}

/* --------------------------------------------------------------- the end */

/*@ requires Mem: Mem(s);
    requires i < s->issued <= s->cap;
    assigns \nothing;
    ensures \result <==> SCHED_ALL_TOLD(s, i);
*/
static bool
is_all_told(const sched *s, uint32_t i)
{
	const sched_call *c = &s->call[i];

	return c->state >= SCHED_STOPPED && c->promise == SCHED_SETTLED &&
	       c->failure != SCHED_UNSEEN;
}

/*@ requires Mem: Mem(s);
    requires Cursors: Cursors(s);
    requires Shut: Shut(s);
    assigns \nothing;
    ensures s->closed <= \result <= s->issued;
    ensures \forall integer k; 0 <= k < \result ==> SCHED_ALL_TOLD(s, k);
    ensures \result < s->issued ==> !SCHED_ALL_TOLD(s, \result);
*/
static uint32_t
first_to_close(const sched *s)
{
	uint32_t i = s->closed;

	/*@ loop invariant s->closed <= i <= s->issued;
	    loop invariant \forall integer k; 0 <= k < i ==> SCHED_ALL_TOLD(s, k);
	    loop assigns i;
	    loop variant s->issued - i;
	*/
	while (i < s->issued && is_all_told(s, i))
		i++;
	return i;
}

/*@ SCHED_HOLDS(requires);
    requires i < s->issued && s->phase == SCHED_CLOSING && s->closed <= i;
    requires s->call[i].promise == SCHED_WAITS;
    requires !SCHED_MUST_STOP(s, i);
    assigns s->call[i].state, s->call[i].promise, settles[i];
    SCHED_HOLDS(ensures);
    ensures settles[i] == \old(settles[i]) + 1;
    ensures \result.what == SCHED_CLOSE && \result.call == i;
*/
static sched_todo
close_call(sched *s, uint32_t i)
{
	sched_todo todo = tell_close(s, i);

	if (s->call[i].state == SCHED_QUEUED)
		move_call(s, i, SCHED_DROPPED);
	s->call[i].promise = SCHED_SETTLED;
	return todo;
}

/*@ SCHED_HOLDS(requires);
    requires i < s->issued && s->phase == SCHED_CLOSING && s->closed <= i;
    requires s->call[i].failure == SCHED_UNSEEN;
    requires s->call[i].state >= SCHED_STOPPED;
    assigns s->call[i].failure, reports[i];
    SCHED_HOLDS(ensures);
    ensures reports[i] == \old(reports[i]) + 1;
    ensures \result.what == SCHED_REPORT && \result.call == i;
*/
static sched_todo
report_failure(sched *s, uint32_t i)
{
	sched_todo todo = tell_report(s, i);

	s->call[i].failure = SCHED_REPORTED;
	return todo;
}

/*@ SCHED_HOLDS(requires);
    requires s->phase == SCHED_CLOSING && s->closed == s->issued;
    assigns s->phase, ends;
    SCHED_HOLDS(ensures);
    ensures s->phase == SCHED_ENDED && ends == \old(ends) + 1;
    ensures \result.what == SCHED_END && \result.call == 0;
*/
static sched_todo
reach_end(sched *s)
{
	sched_todo todo = tell_end(s);

	s->phase = SCHED_ENDED;
	return todo;
}

/*@ SCHED_HOLDS(requires);
    requires i < s->issued && s->phase == SCHED_CLOSING && s->closed <= i;
    requires !SCHED_ALL_TOLD(s, i) && !SCHED_MUST_STOP(s, i);
    assigns s->call[i].state, s->call[i].promise, s->call[i].failure,
      settles[i], reports[i];
    SCHED_HOLDS(ensures);
    SCHED_TOLD;
    ensures \result.what == SCHED_CLOSE || \result.what == SCHED_REPORT;
    ensures \result.call == i;
    ensures L7: \result.what == SCHED_REPORT ==>
      \old(s->call[i].failure) == SCHED_UNSEEN;
*/
static sched_todo
close_or_report(sched *s, uint32_t i)
{
	if (s->call[i].promise == SCHED_WAITS)
		return close_call(s, i);
	return report_failure(s, i);
}

/* Each call that runs was told to stop by now: nothing is waited for. */
/*@ SCHED_HOLDS(requires);
    requires s->phase != SCHED_OPEN;
    requires L6_told: \forall integer k; 0 <= k < s->issued ==>
      !SCHED_MUST_STOP(s, k);
    assigns s->closed, s->phase, s->call[0 .. s->issued - 1].state,
      s->call[0 .. s->issued - 1].promise, s->call[0 .. s->issued - 1].failure,
      settles[0 .. SCHED_CALLS_MAX - 1], reports[0 .. SCHED_CALLS_MAX - 1],
      ends;
    SCHED_HOLDS(ensures);
    SCHED_TOLD;
    ensures \result.what == SCHED_NOTHING || \result.what == SCHED_CLOSE ||
      \result.what == SCHED_REPORT || \result.what == SCHED_END;
    ensures \result.what == SCHED_CLOSE || \result.what == SCHED_REPORT ==>
      \result.call < s->issued;
    ensures L6_closing: \result.what != SCHED_NOTHING <==>
      \old(s->phase) == SCHED_CLOSING;
    ensures L6_phase: s->phase ==
      (\result.what == SCHED_END ? SCHED_ENDED : \old(s->phase));
    ensures L6_closed: \result.what == SCHED_END ==>
      \forall integer k; 0 <= k < s->issued ==> SCHED_ALL_TOLD(s, k);
    ensures L7: \result.what == SCHED_REPORT ==>
      \old(s->call[\at(\result.call, Post)].failure) == SCHED_UNSEEN;
    ensures stopped: \result.what == SCHED_NOTHING ==>
      \forall integer k; 0 <= k < s->issued ==> !SCHED_MUST_STOP(s, k);
*/
static sched_todo
close_next(sched *s)
{
	if (s->phase == SCHED_ENDED)
		return no_todo();
	s->closed = first_to_close(s);
	if (s->closed == s->issued)
		return reach_end(s);
	return close_or_report(s, s->closed);
}

sched_todo
sched_next(sched *s, uint32_t ready)
{
	sched_todo todo = interrupt_next(s);

	if (todo.what != SCHED_NOTHING)
		return todo;
	if (s->phase == SCHED_OPEN)
		return start_next(s, ready);
	return close_next(s);
}

/* ---------------------------------------------------------------- events */

/*@ requires Mem: Mem(s);
    requires Cursors: Cursors(s);
    requires Queue: Queue(s);
    assigns s->queue, s->scan;
    ensures Cursors(s) && Queue(s) && Scan(s);
    ensures s->queue == s->issued || s->call[s->queue].state == SCHED_QUEUED;
*/
/* A place was freed: calls that the scan passed over may start now. */
static void
reset_queue(sched *s)
{
	/*@ loop invariant Cursors: s->queue <= s->issued;
	    loop invariant Queue: Queue(s);
	    loop assigns s->queue;
	    loop variant s->issued - s->queue;
	*/
	while (s->queue < s->issued && s->call[s->queue].state != SCHED_QUEUED)
		s->queue++;
	s->scan = s->queue;
}

/*@ SCHED_BASE(requires);
    SCHED_HISTORY(requires);
    requires i < s->issued && SCHED_WITH_OWNER(s->call[i].state);
    assigns s->queue, s->scan, s->lane[0 .. s->lanes - 1].used,
      s->call[i].state;
    SCHED_BASE(ensures);
    SCHED_HISTORY(ensures);
    ensures s->call[i].state == SCHED_CLOSED;
*/
static void
free_places(sched *s, uint32_t i)
{
	move_call(s, i, SCHED_CLOSED);
	count_lanes(s, i, -1);
	reset_queue(s);
}

/*@ SCHED_BASE(requires);
    SCHED_HISTORY(requires);
    requires i < s->issued && s->phase == SCHED_OPEN;
    requires s->call[i].promise == SCHED_WAITS;
    assigns s->call[i].promise, settles[i];
    SCHED_BASE(ensures);
    SCHED_HISTORY(ensures);
    ensures s->call[i].promise == SCHED_SETTLED;
    ensures settles[i] == \old(settles[i]) + 1;
    ensures \result.what == SCHED_DELIVER && \result.call == i;
*/
static sched_todo
settle_call(sched *s, uint32_t i)
{
	sched_todo todo = tell_deliver(s, i);

	s->call[i].promise = SCHED_SETTLED;
	return todo;
}

/*@ SCHED_HOLDS(requires);
    requires i < s->issued && s->phase == SCHED_OPEN;
    requires s->call[i].state == SCHED_RUNNING;
    assigns s->queue, s->scan, s->lane[0 .. s->lanes - 1].used,
      s->call[i].state, s->call[i].promise, s->call[i].failure, settles[i];
    SCHED_HOLDS(ensures);
    ensures s->call[i].state == SCHED_CLOSED;
    ensures s->call[i].failure ==
      (failed ? SCHED_FAILED : \old(s->call[i].failure));
    ensures settles[i] == \old(settles[i]) + 1;
    ensures \result.what == SCHED_DELIVER && \result.call == i;
*/
static sched_todo
finish_running(sched *s, uint32_t i, bool failed)
{
	free_places(s, i);
	if (failed)
		s->call[i].failure = SCHED_FAILED;
	return settle_call(s, i);
}

bool
sched_delivers(const sched *s, uint32_t i)
{
	return i < s->issued && s->phase == SCHED_OPEN &&
	       s->call[i].state == SCHED_RUNNING;
}

sched_todo
sched_finished(sched *s, uint32_t i, bool failed)
{
	if (i >= s->issued || !is_with_owner(s->call[i].state))
		return no_todo();
	if (sched_delivers(s, i))
		return finish_running(s, i, failed);
	free_places(s, i);
	return no_todo();
}

/*@ SCHED_HOLDS(requires);
    requires i < s->issued && s->phase == SCHED_OPEN;
    requires s->call[i].state <= SCHED_RUNNING;
    assigns s->stop, s->call[i].state;
    SCHED_BASE(ensures);
    SCHED_HISTORY(ensures);
    ensures s->call[i].state == (\old(s->call[i].state) == SCHED_QUEUED ?
      SCHED_DROPPED : SCHED_STOPPING);
*/
static void
cancel_issued(sched *s, uint32_t i)
{
	if (s->call[i].state == SCHED_QUEUED) {
		move_call(s, i, SCHED_DROPPED);
		return;
	}
	move_call(s, i, SCHED_STOPPING);
	if (i < s->stop)
		s->stop = i;
}

sched_todo
sched_cancelled(sched *s, uint32_t i, bool failed)
{
	if (s->phase != SCHED_OPEN || i >= s->issued ||
	    s->call[i].promise != SCHED_WAITS)
		return no_todo();
	cancel_issued(s, i);
	if (failed)
		s->call[i].failure = SCHED_FAILED;
	return settle_call(s, i);
}

void
sched_unseen(sched *s, uint32_t i)
{
	if (s->phase == SCHED_OPEN && i < s->issued &&
	    s->call[i].failure == SCHED_FAILED)
		s->call[i].failure = SCHED_UNSEEN;
}

void
sched_observed(sched *s, uint32_t i)
{
	if (i < s->issued && s->call[i].failure == SCHED_UNSEEN)
		s->call[i].failure = SCHED_FAILED;
}

bool
sched_over(sched *s)
{
	if (s->phase != SCHED_OPEN)
		return false;
	s->phase = SCHED_CLOSING;
	s->stop = 0;
	return true;
}

bool
sched_allows(const sched *s)
{
	return s->phase == SCHED_OPEN && s->issued < s->budget;
}

bool
sched_has_room(const sched *s)
{
	return s->issued < s->cap;
}

uint32_t
sched_running(const sched *s)
{
	return (uint32_t)s->lane[0].used;
}

uint32_t
sched_issued(sched *s, uint16_t tool, uint16_t server)
{
	uint32_t i = s->issued;

	if (!sched_allows(s) || !sched_has_room(s))
		return SCHED_NO_CALL;
	s->call[i].state = SCHED_QUEUED;
	s->call[i].promise = SCHED_WAITS;
	s->call[i].failure = SCHED_FINE;
	s->call[i].tool = tool;
	s->call[i].server = server;
	/*@ ghost
	  uint32_t n = 0;
	  /@ loop invariant 0 <= n <= i;
	     loop invariant \forall integer l; 0 <= l < s->lanes ==>
	       running{Here}(s->call, n, l) == running{Pre}(s->call, n, l);
	     loop assigns n;
	     loop variant i - n; @/
	  while (n < i)
	    n++;
	*/
	s->issued++;
	return i;
}

/* ------------------------------------------------------- what always holds */

bool
sched_ok(const sched *s)
{
	return s->queue <= s->scan && s->scan <= s->issued &&
	       s->issued <= s->cap && s->stop <= s->issued &&
	       s->closed <= s->issued && s->phase <= SCHED_ENDED &&
	       s->issued <= s->budget && s->lane[0].used >= 0 &&
	       s->lane[0].used <= s->lane[0].limit &&
	       s->lane[0].limit <= INT32_MAX &&
	       (s->phase != SCHED_OPEN || s->closed == 0) &&
	       (s->phase != SCHED_ENDED || s->closed == s->issued);
}

/*@ requires Mem: Mem(s);
    requires i < s->issued <= s->cap;
    assigns \nothing;
    ensures \result <==> SCHED_CALL_OK(s, i);
*/
static bool
is_call_ok(const sched *s, uint32_t i)
{
	const sched_call *c = &s->call[i];

	return c->state <= SCHED_DROPPED && c->promise >= SCHED_WAITS &&
	       c->promise <= SCHED_SETTLED && c->failure >= SCHED_FINE &&
	       c->failure <= SCHED_REPORTED && c->tool < s->lanes &&
	       c->server < s->lanes && (c->tool == 0 || c->tool != c->server) &&
	       (c->state > SCHED_RUNNING || c->promise == SCHED_WAITS) &&
	       (s->phase != SCHED_OPEN || c->promise != SCHED_WAITS ||
		   c->state <= SCHED_RUNNING);
}

/*@ requires Mem: Mem(s);
    requires Cursors: Cursors(s);
    assigns \nothing;
    ensures Calls: \result ==> Calls(s);
    ensures Places: \result ==> Places(s);
    ensures Waits: \result ==> Waits(s);
    ensures all: Calls(s) && Places(s) && Waits(s) ==> \result;
*/
static bool
are_calls_ok(const sched *s)
{
	uint32_t i = 0;

	/*@ loop invariant 0 <= i <= s->issued;
	    loop invariant \forall integer k; 0 <= k < i ==> SCHED_CALL_OK(s, k);
	    loop assigns i;
	    loop variant s->issued - i;
	*/
	while (i < s->issued && is_call_ok(s, i))
		i++;
	return i == s->issued;
}

/*@ requires Mem: Mem(s);
    requires i < s->issued <= s->cap;
    requires s->call[i].tool < s->lanes && s->call[i].server < s->lanes;
    assigns \nothing;
    ensures \result <==> SCHED_CURSORS_OK(s, i);
*/
static bool
is_behind_cursors(const sched *s, uint32_t i)
{
	return (i >= s->queue || s->call[i].state != SCHED_QUEUED) &&
	       (i >= s->scan || !may_start(s, i)) &&
	       (i >= s->stop || !must_stop(s, i)) &&
	       (i >= s->closed || is_all_told(s, i));
}

/*@ requires Mem: Mem(s);
    requires Cursors: Cursors(s);
    requires Places: Places(s);
    assigns \nothing;
    ensures Queue: \result ==> Queue(s);
    ensures Scan: \result ==> Scan(s);
    ensures Stop: \result ==> Stop(s);
    ensures Closed: \result ==> Closed(s);
    ensures all: Queue(s) && Scan(s) && Stop(s) && Closed(s) ==> \result;
*/
static bool
are_cursors_ok(const sched *s)
{
	uint32_t i = 0;

	/*@ loop invariant 0 <= i <= s->issued;
	    loop invariant \forall integer k; 0 <= k < i ==>
	      SCHED_CURSORS_OK(s, k);
	    loop assigns i;
	    loop variant s->issued - i;
	*/
	while (i < s->issued && is_behind_cursors(s, i))
		i++;
	return i == s->issued;
}

/*@ requires Mem: Mem(s);
    requires i < s->issued <= s->cap;
    assigns \nothing;
    ensures \result == takes(&s->call[i], l);
*/
static uint32_t
takes_place(const sched *s, uint32_t i, uint32_t l)
{
	const sched_call *c = &s->call[i];

	return is_with_owner(c->state) &&
	       (l == 0 || c->tool == l || c->server == l);
}

/*@ requires Mem: Mem(s);
    requires Cursors: Cursors(s);
    assigns \nothing;
    ensures \result == running(s->call, s->issued, l);
*/
static uint32_t
count_running(const sched *s, uint32_t l)
{
	uint32_t i = 0, n = 0;

	/*@ loop invariant 0 <= n <= i <= s->issued;
	    loop invariant n == running(s->call, i, l);
	    loop assigns i, n;
	    loop variant s->issued - i;
	*/
	while (i < s->issued)
		n += takes_place(s, i++, l);
	return n;
}

/*@ requires Mem: Mem(s);
    requires Cursors: Cursors(s);
    requires l < s->lanes;
    assigns \nothing;
    ensures \result <==> 0 <= s->lane[l].used <= s->lane[l].limit <= INT32_MAX &&
      s->lane[l].used == running(s->call, s->issued, l);
*/
static bool
is_lane_ok(const sched *s, uint32_t l)
{
	const sched_lane *lane = &s->lane[l];

	return lane->used >= 0 && lane->used <= lane->limit &&
	       lane->limit <= INT32_MAX &&
	       (uint32_t)lane->used == count_running(s, l);
}

/*@ requires Mem: Mem(s);
    requires Cursors: Cursors(s);
    assigns \nothing;
    ensures \result <==> Limits(s) && Count(s);
*/
static bool
are_lanes_ok(const sched *s)
{
	uint32_t l = 0;

	/*@ loop invariant 0 <= l <= s->lanes;
	    loop invariant \forall integer k; 0 <= k < l ==>
	      0 <= s->lane[k].used <= s->lane[k].limit <= INT32_MAX &&
	      s->lane[k].used == running(s->call, s->issued, k);
	    loop assigns l;
	    loop variant s->lanes - l;
	*/
	while (l < s->lanes && is_lane_ok(s, l))
		l++;
	return l == s->lanes;
}

bool
sched_ok_whole(const sched *s)
{
	return sched_ok(s) && are_calls_ok(s) && are_cursors_ok(s) &&
	       are_lanes_ok(s);
}

/* ----------------------------------------------------------------- tables */

void
sched_init(sched *s, sched_lane *lane, uint32_t lanes, uint32_t budget)
{
	uint32_t l = 0;

	s->call = NULL;
	s->lane = lane;
	s->cap = s->issued = 0;
	s->lanes = lanes;
	s->budget = budget;
	s->queue = s->scan = s->stop = s->closed = 0;
	s->phase = SCHED_OPEN;
	/*@ loop invariant 0 <= l <= lanes;
	    loop invariant \forall integer k; 0 <= k < l ==>
	      lane[k].used == 0;
	    loop assigns l, lane[0 .. lanes - 1].used;
	    loop variant lanes - l;
	*/
	while (l < lanes)
		lane[l++].used = 0;
}

/* Equal tables have equal counts; the loop is the proof by induction. */
void
sched_table(sched *s, sched_call *call, uint32_t cap)
{
	/*@ ghost
	  uint32_t n = 0;
	  /@ loop invariant 0 <= n <= s->issued;
	     loop invariant \forall integer l; 0 <= l < s->lanes ==>
	       running(call, n, l) == running(s->call, n, l);
	     loop assigns n;
	     loop variant s->issued - n; @/
	  while (n < s->issued)
	    n++;
	*/
	s->call = call;
	s->cap = cap;
}
