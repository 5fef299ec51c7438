/* SPDX-License-Identifier: MIT */
/* model.c -- see model.h. */
#include "model.h"

#include <string.h>

void
model_init(model *m, uint32_t cap, uint32_t budget, uint32_t lanes,
    const int64_t *limit)
{
	memset(m, 0, sizeof(*m));
	m->cap = cap;
	m->budget = budget;
	m->lanes = lanes;
	memcpy(m->limit, limit, lanes * sizeof(*limit));
}

void
model_log(model *m, const sim_event *e, const sim_answer *a)
{
	if (m->len < MODEL_LOG)
		m->log[m->len++] = (entry){*e, *a};
}

/* --------------------------------------------------- reading the log */

/* Entry at which this todo was told for call i, from 1; 0: it was not. */
static uint32_t
told(const model *m, sched_what what, uint32_t i)
{
	uint32_t n;

	for (n = 0; n < m->len; n++) {
		sched_todo todo = m->log[n].answer.todo;

		if (m->log[n].event.kind != SIM_ISSUED && todo.what == what &&
		    todo.call == i)
			return n + 1;
	}
	return 0;
}

/* First event of a kind about i behind entry `after`; 0: none. */
static uint32_t
happened(const model *m, sim_kind kind, uint32_t i, uint32_t after)
{
	uint32_t n;

	for (n = after; n < m->len; n++)
		if (m->log[n].event.kind == kind && m->log[n].event.i == i)
			return n + 1;
	return 0;
}

static uint32_t
over(const model *m)
{
	uint32_t n;

	for (n = 0; n < m->len; n++)
		if (m->log[n].event.kind == SIM_OVER)
			return n + 1;
	return 0;
}

uint32_t
model_issued(const model *m)
{
	uint32_t n, count = 0;

	for (n = 0; n < m->len; n++)
		count += m->log[n].event.kind == SIM_ISSUED &&
			 m->log[n].answer.todo.call != SCHED_NO_CALL;
	return count;
}

/* Entry at which call i, which there is, was issued, from 1. */
static uint32_t
issue_of(const model *m, uint32_t i)
{
	uint32_t n = 0;

	while (m->log[n].event.kind != SIM_ISSUED ||
	       m->log[n].answer.todo.call != i)
		n++;
	return n + 1;
}

static uint32_t
started(const model *m, uint32_t i)
{
	return told(m, SCHED_START, i);
}

/* The first time the owner finished it after it started. */
static uint32_t
closed(const model *m, uint32_t i)
{
	uint32_t start = started(m, i);

	return start ? happened(m, SIM_FINISHED, i, start) : 0;
}

static bool
runs(const model *m, uint32_t i)
{
	return started(m, i) && !closed(m, i);
}

static bool
delivered(const model *m, uint32_t i)
{
	return told(m, SCHED_DELIVER, i) != 0;
}

static bool
settled(const model *m, uint32_t i)
{
	return delivered(m, i) || told(m, SCHED_CLOSE, i);
}

/* Its answer was that it is not wanted. */
static bool
was_cancelled(const model *m, uint32_t i)
{
	uint32_t at = told(m, SCHED_DELIVER, i);

	return at && m->log[at - 1].event.kind == SIM_CANCELLED;
}

/* ------------------------------------------------------------ the rules */

static bool
in_lane(const model *m, uint32_t i, uint32_t lane)
{
	const sim_event *issue = &m->log[issue_of(m, i) - 1].event;

	return lane == 0 || issue->tool == lane || issue->server == lane;
}

static bool
lane_free(const model *m, uint32_t lane)
{
	uint32_t i, n = 0;

	for (i = 0; i < model_issued(m); i++)
		n += runs(m, i) && in_lane(m, i, lane);
	return n < m->limit[lane];
}

static bool
may_start(const model *m, uint32_t i)
{
	uint32_t lane;

	if (started(m, i) || was_cancelled(m, i))
		return false;
	for (lane = 0; lane < m->lanes; lane++)
		if (in_lane(m, i, lane) && !lane_free(m, lane))
			return false;
	return true;
}

static bool
must_stop(const model *m, uint32_t i)
{
	return runs(m, i) && !told(m, SCHED_INTERRUPT, i) &&
	       (was_cancelled(m, i) || over(m));
}

/* A failure that came as the answer; what the engine said of it last, before
 * the end, was that nothing looks at it. */
static bool
unheard(const model *m, uint32_t i)
{
	uint32_t answer = told(m, SCHED_DELIVER, i), n;
	bool looks = true;

	if (answer == 0 || !m->log[answer - 1].event.failed)
		return false;
	for (n = answer; n < m->len; n++) {
		if (m->log[n].event.i != i)
			continue;
		if (m->log[n].event.kind == SIM_OBSERVED)
			looks = true;
		if (m->log[n].event.kind == SIM_UNSEEN &&
		    (over(m) == 0 || n + 1 < over(m)))
			looks = false;
	}
	return !looks;
}

static sched_todo
first_of(const model *m, bool (*rule)(const model *, uint32_t), sched_what what)
{
	uint32_t i;

	for (i = 0; i < model_issued(m); i++)
		if (rule(m, i))
			return (sched_todo){what, i};
	return (sched_todo){SCHED_NOTHING, 0};
}

/* At the end each call is told of in order; all that run were told to stop. */
static sched_todo
closing(const model *m)
{
	uint32_t i;

	for (i = 0; i < model_issued(m); i++) {
		if (!settled(m, i))
			return (sched_todo){SCHED_CLOSE, i};
		if (unheard(m, i) && !told(m, SCHED_REPORT, i))
			return (sched_todo){SCHED_REPORT, i};
	}
	return (sched_todo){SCHED_END, 0};
}

static bool
ended(const model *m)
{
	return told(m, SCHED_END, 0) != 0;
}

static sched_todo
next(const model *m, uint32_t ready)
{
	sched_todo todo = first_of(m, must_stop, SCHED_INTERRUPT);
	sched_todo start;

	if (todo.what != SCHED_NOTHING || ended(m))
		return todo;
	if (over(m))
		return closing(m);
	start = first_of(m, may_start, SCHED_START);
	return start.call < ready ? start : todo;
}

/* ---------------------------------------------------------------- events */

static sched_todo
answer_if(bool due, uint32_t i)
{
	return due ? (sched_todo){SCHED_DELIVER, i}
		   : (sched_todo){SCHED_NOTHING, 0};
}

sim_answer
model_expect(const model *m, const sim_event *e)
{
	sim_answer a = {0};
	uint32_t n = model_issued(m);
	bool open = over(m) == 0, known = e->i < n;

	switch (e->kind) {
	case SIM_ISSUED:
		a.todo.call =
		    open && n < m->budget && n < m->cap ? n : SCHED_NO_CALL;
		break;
	case SIM_FINISHED:
		a.todo = answer_if(
		    open && known && runs(m, e->i) && !settled(m, e->i), e->i);
		break;
	case SIM_CANCELLED:
		a.todo = answer_if(open && known && !settled(m, e->i), e->i);
		break;
	case SIM_OVER:
		a.taken = open;
		break;
	case SIM_NEXT:
		a.todo = next(m, e->i);
		break;
	case SIM_UNSEEN:
	case SIM_OBSERVED:
		break;
	}
	return a;
}
