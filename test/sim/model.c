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

/* Its answer was that it is not wanted: by an event, or as a loser. */
static bool
was_cancelled(const model *m, uint32_t i)
{
	uint32_t at = told(m, SCHED_DELIVER, i);

	return at && m->log[at - 1].event.kind != SIM_FINISHED;
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

/* A failure that came as the answer, and at no time somebody looked; or one
 * that came too late to be an answer. */
static bool
unheard(const model *m, uint32_t i)
{
	uint32_t answer = told(m, SCHED_DELIVER, i), end = closed(m, i);

	if (end && end != answer && m->log[end - 1].event.failed)
		return true;
	return answer && m->log[answer - 1].event.failed &&
	       !happened(m, SIM_OBSERVED, i, issue_of(m, i));
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

/* At the end each call is told of in order, as soon as it does not run. */
static sched_todo
closing(const model *m)
{
	uint32_t i;

	for (i = 0; i < model_issued(m); i++) {
		if (runs(m, i))
			return (sched_todo){SCHED_NOTHING, 0};
		if (!settled(m, i))
			return (sched_todo){SCHED_CLOSE, i};
		if (unheard(m, i) && !told(m, SCHED_REPORT, i))
			return (sched_todo){SCHED_REPORT, i};
	}
	return (sched_todo){SCHED_END, m->log[over(m) - 1].event.i};
}

static bool
ended(const model *m)
{
	return over(m) && told(m, SCHED_END, m->log[over(m) - 1].event.i);
}

static sched_todo
next(const model *m)
{
	sched_todo todo = first_of(m, must_stop, SCHED_INTERRUPT);

	if (todo.what != SCHED_NOTHING || ended(m))
		return todo;
	return over(m) ? closing(m) : first_of(m, may_start, SCHED_START);
}

/* ----------------------------------------------------------------- groups */

static uint32_t
members(const model *m, uint32_t j, uint32_t *call)
{
	uint32_t n, i, count = 0;

	for (n = 0; n < m->len; n++)
		if (m->log[n].event.kind == SIM_OPEN && m->log[n].event.i == j)
			for (i = 0; i < SIM_CALLS; i++)
				if (m->log[n].event.mask >> i & 1)
					call[count++] = i;
	return count;
}

static bool
group_told(const model *m, uint32_t j, group_what what, uint32_t member)
{
	uint32_t n;

	for (n = 0; n < m->len; n++)
		if (m->log[n].event.kind == SIM_GROUP_NEXT &&
		    m->log[n].event.i == j &&
		    m->log[n].answer.group.what == what &&
		    m->log[n].answer.group.member == member)
			return true;
	return false;
}

/* The member whose answer came first after the race was opened; of those that
 * were answered by then the lowest. GROUP_NONE: no one has an answer. */
static uint32_t
winner(const model *m, uint32_t j, const uint32_t *call, uint32_t n)
{
	uint32_t open = happened(m, SIM_OPEN, j, 0), best = GROUP_NONE;
	uint32_t first = UINT32_MAX, k;

	for (k = 0; k < n; k++) {
		uint32_t at = told(m, SCHED_DELIVER, call[k]);

		if (at != 0 && at < open)
			at = open;
		if (at != 0 && at < first) {
			first = at;
			best = k;
		}
	}
	return best;
}

static group_todo
race(const model *m, uint32_t j, const uint32_t *call, uint32_t n)
{
	uint32_t first = winner(m, j, call, n), k;

	if (first == GROUP_NONE)
		return (group_todo){GROUP_NOTHING, 0};
	if (!group_told(m, j, GROUP_WIN, first))
		return (group_todo){GROUP_WIN, first};
	for (k = 0; k < n; k++)
		if (!settled(m, call[k]))
			return (group_todo){GROUP_LOSE, k};
	return (group_todo){GROUP_END, 0};
}

static group_todo
all(const model *m, uint32_t j, const uint32_t *call, uint32_t n)
{
	uint32_t k = 0;

	while (k < n && group_told(m, j, GROUP_ITEM, k))
		k++;
	if (k == n)
		return (group_todo){GROUP_END, 0};
	if (settled(m, call[k]))
		return (group_todo){GROUP_ITEM, k};
	return (group_todo){GROUP_NOTHING, 0};
}

static group_todo
group_turn(const model *m, uint32_t j)
{
	uint32_t call[SIM_CALLS], n = members(m, j, call);

	if (over(m) || group_told(m, j, GROUP_END, 0))
		return (group_todo){GROUP_NOTHING, 0};
	if (m->log[happened(m, SIM_OPEN, j, 0) - 1].event.race == GROUP_RACE)
		return race(m, j, call, n);
	return all(m, j, call, n);
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
	uint32_t n = model_issued(m), call[SIM_CALLS];
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
		a.todo = next(m);
		break;
	case SIM_GROUP_NEXT:
		a.group = group_turn(m, e->i);
		members(m, e->i, call);
		if (a.group.what == GROUP_LOSE)
			a.todo = answer_if(true, call[a.group.member]);
		break;
	case SIM_OBSERVED:
	case SIM_OPEN:
		break;
	}
	return a;
}
