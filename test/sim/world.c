/* SPDX-License-Identifier: MIT */
/* world.c -- see world.h. */
#include "world.h"

#include <string.h>

#define LAW(holds, name)               \
	do {                           \
		if (!(holds))          \
			return (name); \
	} while (0)
#define TRY(call)                            \
	do {                                 \
		const char *broken = (call); \
		if (broken != NULL)          \
			return broken;       \
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

/* It failed, and the script was not told or never looked. */
static bool
unheard(const seen *c)
{
	return c->lost || (c->told_failed && !c->watched);
}

/* ------------------------------------------------------------ groups see */

static uint32_t
member_of(const seen_group *g, uint32_t call)
{
	uint32_t m = 0;

	while (m < g->members && g->call[m] != call)
		m++;
	return m;
}

static void
tell_group(world *w, uint32_t j, uint32_t call)
{
	seen_group *g = &w->group[j];
	uint32_t m = g->open ? member_of(g, call) : g->members;

	if (m == g->members)
		return;
	group_settled(&w->g[j], m);
	if (g->first == 0)
		g->first = (uint8_t)(m + 1);
}

static void
tell_groups(world *w, uint32_t call)
{
	uint32_t j;

	for (j = 0; j < SIM_GROUPS; j++)
		tell_group(w, j, call);
}

/* ------------------------------------------------------- laws of a todo */

static const char *
saw_start(world *w, uint32_t i)
{
	uint32_t k, l;

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
	tell_groups(w, i);
	return NULL;
}

static const char *
saw_close(world *w, uint32_t i)
{
	LAW(w->over && i < w->issued, "L6: a close before the end");
	LAW(!runs(&w->seen[i]), "L6: closed while it runs");
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
saw_end(world *w, uint32_t why)
{
	uint32_t i;

	LAW(w->over, "L9: the end before the end");
	LAW(!w->end_told, "L9: the end is told twice");
	LAW(why == w->why, "L9: the first reason counts");
	for (i = 0; i < w->issued; i++) {
		const seen *c = &w->seen[i];

		LAW(!runs(c), "L6: the end while a call runs");
		LAW(c->settled, "L2: the end with a call unsettled");
		LAW(c->reported == unheard(c), "L7: a failure went unreported");
	}
	w->end_told = true;
	return NULL;
}

static const char *
saw_nothing(const world *w)
{
	bool one_runs = false;
	uint32_t i;

	for (i = 0; i < w->issued; i++) {
		LAW(w->over || !world_may_start(w, i),
		    "L3: a call that may start does not");
		LAW(!must_be_interrupted(w, &w->seen[i]),
		    "L4: a call that must stop is not told");
		one_runs |= runs(&w->seen[i]);
	}
	LAW(!w->over || w->end_told || one_runs, "L9: the end does not come");
	return NULL;
}

static const char *
saw(world *w, sched_todo todo)
{
	switch (todo.what) {
	case SCHED_NOTHING:
		return saw_nothing(w);
	case SCHED_START:
		return saw_start(w, todo.call);
	case SCHED_INTERRUPT:
		return saw_interrupt(w, todo.call);
	case SCHED_CLOSE:
		return saw_close(w, todo.call);
	case SCHED_REPORT:
		return saw_report(w, todo.call);
	case SCHED_END:
		return saw_end(w, todo.call);
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
		    "L2: an answer nobody waits for");
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
		c->lost |= e->failed && !due;
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
observed(world *w, uint32_t i)
{
	seen *c = seen_of(w, i);

	sched_observed(&w->s, i);
	if (c != NULL && !c->reported)
		c->watched = 1;
	return NULL;
}

static const char *
over(world *w, uint32_t why, sim_answer *a)
{
	uint32_t j;

	a->taken = sched_over(&w->s, (sched_why)why);
	LAW(a->taken == !w->over, "L9: only the first end counts");
	if (a->taken)
		w->why = why;
	w->over = true;
	for (j = 0; j < SIM_GROUPS; j++)
		if (w->group[j].open)
			group_over(&w->g[j]);
	return NULL;
}

/* --------------------------------------------------------------- groups */

static const char *
open_group(world *w, const sim_event *e)
{
	seen_group *g = &w->group[e->i];
	uint32_t i;

	g->open = 1;
	g->race = e->race == GROUP_RACE;
	g->mask = e->mask;
	for (i = 0; i < w->issued; i++)
		if (e->mask >> i & 1)
			g->call[g->members++] = i;
	group_init(&w->g[e->i], e->race, w->member[e->i], g->members);
	for (i = 0; i < w->issued; i++)
		if (w->seen[i].settled)
			tell_group(w, e->i, i);
	return NULL;
}

static uint32_t
unsettled(const world *w, const seen_group *g)
{
	uint32_t m, n = 0;

	for (m = 0; m < g->members; m++)
		n += !w->seen[g->call[m]].settled;
	return n;
}

static const char *
saw_win(seen_group *g, uint32_t m)
{
	LAW(g->race && g->winner == 0, "L4: a second winner");
	LAW(m + 1 == g->first, "L4: the winner was not the first");
	g->winner = (uint8_t)(m + 1);
	return NULL;
}

static const char *
saw_lose(world *w, seen_group *g, uint32_t m, sim_answer *a)
{
	LAW(g->race && g->winner != 0, "L4: a loser without a winner");
	LAW(m < g->members && m + 1 != g->winner, "L4: the winner loses");
	LAW(!(g->lost >> m & 1), "L4: loses twice");
	LAW(!w->seen[g->call[m]].settled, "L4: a loser that had its answer");
	g->lost |= UINT64_C(1) << m;
	TRY(cancelled(w, g->call[m], false, a));
	LAW(a->todo.what == SCHED_DELIVER, "L4: a loser that is not stopped");
	return NULL;
}

static const char *
saw_item(const world *w, seen_group *g, uint32_t m)
{
	LAW(!g->race && m == g->items, "L5: not in call order");
	LAW(m < g->members && w->seen[g->call[m]].settled,
	    "L5: an item without an answer");
	g->items++;
	return NULL;
}

static const char *
saw_group_end(const world *w, seen_group *g)
{
	LAW(!g->ended, "L9: a group ends twice");
	LAW(unsettled(w, g) == 0, "L9: a group ends too early");
	LAW(g->race ? g->winner != 0 : g->items == g->members,
	    "L9: a group ends with something untold");
	g->ended = 1;
	return NULL;
}

static const char *
saw_group_nothing(const world *w, const seen_group *g)
{
	if (w->over || g->ended)
		return NULL;
	LAW(!g->race || g->first == 0, "L4: a race has no end");
	LAW(g->race ||
		(g->items < g->members && !w->seen[g->call[g->items]].settled),
	    "L5: an item is kept back");
	return NULL;
}

static const char *
group_turn(world *w, uint32_t j, sim_answer *a)
{
	seen_group *g = &w->group[j];
	group_todo todo = a->group = group_next(&w->g[j]);

	if (todo.what == GROUP_NOTHING)
		return saw_group_nothing(w, g);
	LAW(!w->over, "L6: a group goes on after the end");
	switch (todo.what) {
	case GROUP_WIN:
		return saw_win(g, todo.member);
	case GROUP_LOSE:
		return saw_lose(w, g, todo.member, a);
	case GROUP_ITEM:
		return saw_item(w, g, todo.member);
	case GROUP_END:
		return saw_group_end(w, g);
	case GROUP_NOTHING:
		break;
	}
	return "an unknown todo";
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
	case SIM_OBSERVED:
		return observed(w, e->i);
	case SIM_OVER:
		return over(w, e->i, a);
	case SIM_NEXT:
		a->todo = sched_next(&w->s);
		return saw(w, a->todo);
	case SIM_OPEN:
		return open_group(w, e);
	case SIM_GROUP_NEXT:
		return group_turn(w, e->i, a);
	}
	return "an unknown event";
}

const char *
world_do(world *w, const sim_event *e, sim_answer *a)
{
	memset(a, 0, sizeof(*a));
	TRY(take(w, e, a));
	LAW(sched_running(&w->s) == used(w, 0), "L1: how many run");
	return NULL;
}
