/* SPDX-License-Identifier: MIT */
/* world.c -- see world.h. */
#include "world.h"

#include <string.h>

#define LAW(holds, name)               \
	do {                           \
		if (!(holds))          \
			return (name); \
	} while (0)
void
world_init(world *w, uint32_t cap, uint32_t budget, uint32_t lanes,
    const int64_t *limit)
{
	uint32_t l;

	memset(w, 0, sizeof(*w));
	w->cap = cap;
	w->budget = budget;
	w->lanes = lanes;
	for (l = 0; l < lanes; l++)
		w->limit[l] = w->lane[l].limit = limit[l];
	sched_init(&w->s, w->lane, lanes, budget);
	sched_table(&w->s, w->call, cap);
}

/* ----------------------------------------------------- what can be seen */

/* NULL: no such call was issued. */
static seen *
seen_of(world *w, uint32_t i)
{
	return i < w->issued ? &w->seen[i] : NULL;
}

static bool
runs(const seen *c)
{
	return c->started && !c->closed;
}

static bool
waits_for_start(const seen *c)
{
	return !c->started && !c->cancelled;
}

static uint32_t
used(const world *w, uint32_t lane)
{
	uint32_t i, n = 0;

	for (i = 0; i < w->issued; i++) {
		const seen *c = &w->seen[i];

		n += runs(c) &&
		     (lane == 0 || c->tool == lane || c->server == lane);
	}
	return n;
}

static bool
lane_free(const world *w, uint32_t lane)
{
	return used(w, lane) < w->limit[lane];
}

bool
world_may_start(const world *w, uint32_t i)
{
	const seen *c = &w->seen[i];

	return waits_for_start(c) && lane_free(w, 0) && lane_free(w, c->tool) &&
	       lane_free(w, c->server);
}

static bool
must_be_interrupted(const world *w, const seen *c)
{
	return runs(c) && !c->interrupted && (c->cancelled || w->over);
}

/* It failed, the script was told, and does not look. */
static bool
unheard(const seen *c)
{
	return c->told_failed && c->unseen;
}

/* ------------------------------------------------------- laws of a todo */

static const char *
saw_start(world *w, uint32_t i, uint32_t ready)
{
	uint32_t k, l;

	LAW(i < ready, "a start of a call that is not ready");
	LAW(!w->over, "L6: a start after the end");
	LAW(i < w->issued && waits_for_start(&w->seen[i]),
	    "L3: a start of a call that does not wait for one");
	for (k = 0; k < i; k++)
		LAW(!world_may_start(w, k), "L3: an earlier call may start");
	w->seen[i].started = 1;
	for (l = 0; l < w->lanes; l++)
		LAW(used(w, l) <= w->limit[l], "L1: more than the limit run");
	return NULL;
}

static const char *
saw_interrupt(world *w, uint32_t i)
{
	LAW(i < w->issued && must_be_interrupted(w, &w->seen[i]),
	    "L4: an interrupt that is not due");
	w->seen[i].interrupted = 1;
	return NULL;
}

static const char *
saw_deliver(world *w, uint32_t i)
{
	LAW(!w->over, "L6: an answer after the end");
	LAW(!w->seen[i].settled, "L2: settled twice");
	w->seen[i].settled = 1;
	return NULL;
}

static const char *
saw_close(world *w, uint32_t i)
{
	LAW(w->over && i < w->issued, "L6: a close before the end");
	LAW(!runs(&w->seen[i]) || w->seen[i].interrupted,
	    "L6: closed before it was told to stop");
	LAW(!w->seen[i].settled, "L2: settled twice");
	w->seen[i].settled = 1;
	return NULL;
}

static const char *
saw_report(world *w, uint32_t i)
{
	LAW(w->over && i < w->issued, "L7: a report before the end");
	LAW(unheard(&w->seen[i]), "L7: a report of nothing");
	LAW(!w->seen[i].reported, "L7: reported twice");
	w->seen[i].reported = 1;
	return NULL;
}

static const char *
saw_end(world *w)
{
	uint32_t i;

	LAW(w->over, "L9: the end before the end");
	LAW(!w->end_told, "L9: the end is told twice");
	for (i = 0; i < w->issued; i++) {
		const seen *c = &w->seen[i];

		LAW(!runs(c) || c->interrupted,
		    "L6: the end before a call was told to stop");
		LAW(c->settled, "L2: the end with a call unsettled");
		LAW(c->reported == unheard(c), "L7: a failure went unreported");
	}
	w->end_told = true;
	return NULL;
}

static const char *
saw_nothing(const world *w, uint32_t ready)
{
	uint32_t i;

	for (i = 0; i < w->issued; i++) {
		LAW(w->over || i >= ready || !world_may_start(w, i),
		    "L3: a call that may start does not");
		LAW(!must_be_interrupted(w, &w->seen[i]),
		    "L4: a call that must stop is not told");
	}
	LAW(!w->over || w->end_told, "L9: the end does not come");
	return NULL;
}

static const char *
saw(world *w, sched_todo todo, uint32_t ready)
{
	switch (todo.what) {
	case SCHED_NOTHING:
		return saw_nothing(w, ready);
	case SCHED_START:
		return saw_start(w, todo.call, ready);
	case SCHED_INTERRUPT:
		return saw_interrupt(w, todo.call);
	case SCHED_CLOSE:
		return saw_close(w, todo.call);
	case SCHED_REPORT:
		return saw_report(w, todo.call);
	case SCHED_END:
		return saw_end(w);
	case SCHED_DELIVER:
		break;
	}
	return "next delivers nothing";
}

/* --------------------------------------------------------------- events */

/* An event's answer is DELIVER for this call where that is due. */
static const char *
saw_answer(world *w, uint32_t i, bool due, sched_todo todo)
{
	if (!due) {
		LAW(todo.what == SCHED_NOTHING,
		    "L2: an answer that nothing waits for");
		return NULL;
	}
	LAW(todo.what == SCHED_DELIVER && todo.call == i,
	    "L2: an answer is not delivered");
	return saw_deliver(w, i);
}

static const char *
issued(world *w, const sim_event *e, sim_answer *a)
{
	bool may = !w->over && w->issued < w->budget;

	LAW(sched_allows(&w->s) == may, "L8: the budget");
	LAW(sched_has_room(&w->s) == (w->issued < w->cap), "room in the table");
	a->todo.call = sched_issued(&w->s, e->tool, e->server);
	may &= w->issued < w->cap;
	LAW(a->todo.call == (may ? w->issued : SCHED_NO_CALL),
	    "L8: the budget counts what was issued");
	if (may) {
		w->seen[w->issued].tool = e->tool;
		w->seen[w->issued].server = e->server;
		w->issued++;
	}
	return NULL;
}

static const char *
finished(world *w, const sim_event *e, sim_answer *a)
{
	seen *c = seen_of(w, e->i);
	bool ran = c != NULL && runs(c);
	bool due = ran && !c->settled && !w->over;

	a->todo = sched_finished(&w->s, e->i, e->failed);
	if (ran) {
		c->closed = 1;
		c->told_failed |= e->failed && due;
	}
	return saw_answer(w, e->i, due, a->todo);
}

static const char *
cancelled(world *w, uint32_t i, bool failed, sim_answer *a)
{
	seen *c = seen_of(w, i);
	bool due = c != NULL && !c->settled && !w->over;

	a->todo = sched_cancelled(&w->s, i, failed);
	if (due) {
		c->cancelled = 1;
		c->told_failed |= failed;
	}
	return saw_answer(w, i, due, a->todo);
}

static const char *
unseen(world *w, uint32_t i)
{
	seen *c = seen_of(w, i);

	sched_unseen(&w->s, i);
	if (c != NULL && c->told_failed && !w->over)
		c->unseen = 1;
	return NULL;
}

static const char *
observed(world *w, uint32_t i)
{
	seen *c = seen_of(w, i);

	sched_observed(&w->s, i);
	if (c != NULL && !c->reported)
		c->unseen = 0;
	return NULL;
}

static const char *
over(world *w, sim_answer *a)
{
	a->taken = sched_over(&w->s);
	LAW(a->taken == !w->over, "L9: only the first end counts");
	w->over = true;
	return NULL;
}

static const char *
take(world *w, const sim_event *e, sim_answer *a)
{
	switch (e->kind) {
	case SIM_ISSUED:
		return issued(w, e, a);
	case SIM_FINISHED:
		return finished(w, e, a);
	case SIM_CANCELLED:
		return cancelled(w, e->i, e->failed, a);
	case SIM_UNSEEN:
		return unseen(w, e->i);
	case SIM_OBSERVED:
		return observed(w, e->i);
	case SIM_OVER:
		return over(w, a);
	case SIM_NEXT:
		a->todo = sched_next(&w->s, e->i);
		return saw(w, a->todo, e->i);
	}
	return "an unknown event";
}

const char *
world_do(world *w, const sim_event *e, sim_answer *a)
{
	const char *broken;

	memset(a, 0, sizeof(*a));
	if ((broken = take(w, e, a)) != NULL)
		return broken;
	LAW(sched_ok_whole(&w->s), "what always holds (sched_ok_whole)");
	LAW(sched_running(&w->s) == used(w, 0), "L1: how many run");
	return NULL;
}
