/* SPDX-License-Identifier: MIT */
/*
 * events.c -- what the owner says of a run with a start, in order.
 *
 * An answer is given at any moment, from inside a loop of the owner. Here it
 * waits until the script waits, and for its turn among the timers, so that the
 * order depends on the times alone and not on how fast the script computes.
 */
#include "run.h"

/* Appends an event. CM_ENOMEM: nothing happened. */
static cm_status
queue_event(cm_run *r, run_event e, const text *texts, size_t n)
{
	run_events *q = &r->events;
	size_t i;

	if (!mem_grow(r->alloc, (void **)&q->event, &q->cap, q->len, sizeof(e)))
		return CM_ENOMEM;
	for (i = 0; i < n; i++)
		if ((e.text[i] = block_copy(r, texts[i])).ptr == NULL)
			break;
	if (i == n) {
		q->event[q->len++] = e;
		return CM_OK;
	}
	while (i > 0)
		run_drop(r, &e.text[--i]);
	return CM_ENOMEM;
}

static void
drop_event(cm_run *r, run_event *e)
{
	size_t i;

	for (i = 0; i < sizeof(e->text) / sizeof(*e->text); i++)
		run_drop(r, &e->text[i]);
}

/* Is the call with the owner, and not answered yet? */
static bool
owner_has_call(const cm_run *r, cm_call_id id)
{
	unsigned state;

	if (id == 0 || id > r->sched.issued || run_is_over(r) ||
	    r->calls.record[id - 1].answered)
		return false;
	state = r->sched.call[id - 1].state;
	return state >= SCHED_RUNNING && state <= SCHED_STOPPED;
}

/* An answer of the owner's, of so many bytes. An answer to a call that was
 * told to stop ends that call, in its turn. */
static cm_status
queue_given(cm_run *r, run_event_kind kind, cm_call_id id, const text *texts,
    size_t n, size_t bytes)
{
	bool due = id > 0 && sched_delivers(&r->sched, id - 1);
	run_event e = {.kind = due ? kind : EVENT_STOPPED, .call = id};
	cm_status s;

	if (!owner_has_call(r, id))
		return CM_ENOCALL;
	if (bytes > r->given.limits.result)
		e.too_long = bytes;
	s = queue_event(r, e, texts, due && e.too_long == 0 ? n : 0);
	r->calls.record[id - 1].answered = s == CM_OK;
	return s != CM_OK || due ? s : CM_ENOCALL;
}

cm_status
events_resolve(cm_run *r, cm_call_id id, text value)
{
	return queue_given(r, EVENT_RESOLVE, id, &value, 1, value.len);
}

cm_status
events_reject(cm_run *r, cm_call_id id, const cm_failure *f)
{
	text texts[] = {f->name, f->message, f->members};

	return queue_given(r, EVENT_REJECT, id, texts, 3,
	    f->name.len + f->message.len + f->members.len);
}

cm_status
events_stopped(cm_run *r, cm_call_id id)
{
	if (!owner_has_call(r, id) ||
	    r->sched.call[id - 1].state != SCHED_STOPPED)
		return CM_ENOCALL;
	return queue_given(r, EVENT_STOPPED, id, NULL, 0, 0) == CM_ENOMEM
		   ? CM_ENOMEM
		   : CM_OK;
}

cm_status
events_warn(cm_run *r, text message)
{
	if (run_has_ended(r))
		return CM_EMISUSE;
	if (run_is_over(r))
		return run_warn(r, message);
	return queue_event(r, (run_event){.kind = EVENT_WARN}, &message, 1);
}

void
events_stamp(cm_run *r)
{
	run_events *q = &r->events;

	for (; q->stamped < q->len; q->stamped++)
		q->event[q->stamped].at_ms = r->clock.owner_ms;
}

uint64_t
events_next_ms(const cm_run *r)
{
	const run_events *q = &r->events;

	return q->first < q->stamped ? q->event[q->first].at_ms : UINT64_MAX;
}

/* The script may have stopped waiting for a call since it was answered. */
static void
apply_to_call(cm_run *r, run_event *e)
{
	text t[3] = {block_text(e->text[0]), block_text(e->text[1]),
	    block_text(e->text[2])};
	cm_status s = CM_OK;

	if (!sched_delivers(&r->sched, e->call - 1))
		e->kind = EVENT_STOPPED;
	r->events.answers += e->kind != EVENT_STOPPED;
	log_event(r, e);
	if (e->too_long > 0)
		t[0] = (text){"", e->too_long};
	if (e->kind == EVENT_RESOLVE)
		s = run_resolve(r, e->call, t[0]);
	else if (e->kind == EVENT_REJECT)
		s = run_reject(r, e->call, &(cm_failure){t[0], t[1], t[2]});
	else
		sched_finished(&r->sched, e->call - 1, false);
	if (s == CM_ENOMEM)
		r->status = s;
}

bool
events_apply(cm_run *r)
{
	run_events *q = &r->events;
	run_event *e;

	if (events_next_ms(r) > r->clock.now_ms)
		return false;
	e = &q->event[q->first++];
	if (e->kind != EVENT_WARN) {
		apply_to_call(r, e);
	} else {
		log_event(r, e);
		if (run_warn(r, block_text(e->text[0])) == CM_ENOMEM)
			r->status = CM_ENOMEM;
	}
	drop_event(r, e);
	if (q->first == q->len)
		q->first = q->stamped = q->len = 0;
	return true;
}

void
events_free(cm_run *r)
{
	run_events *q = &r->events;

	for (; q->first < q->len; q->first++)
		drop_event(r, &q->event[q->first]);
	mem_free(r->alloc, q->event, q->cap * sizeof(*q->event));
}
