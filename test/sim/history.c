/* SPDX-License-Identifier: MIT */
/*
 * history.c -- long random histories, and each answer compared with a model.
 *
 *   history COUNT [SEED]
 *
 * Up to 48 calls, five lanes, tables that grow, and a budget that
 * may be below the number of calls. The watchers of world.h look at each step,
 * and model.h, which shares nothing with the scheduler, says what the answer
 * must be. A history that fails is named by its seed: `history 1 SEED`.
 */
#include "model.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

typedef struct chance {
	uint64_t state;
} chance;

static uint32_t
below(chance *c, uint32_t n)
{
	uint64_t z = c->state += UINT64_C(0x9e3779b97f4a7c15);

	z = (z ^ (z >> 30)) * UINT64_C(0xbf58476d1ce4e5b9);
	z = (z ^ (z >> 27)) * UINT64_C(0x94d049bb133111eb);
	return (uint32_t)((z ^ (z >> 31)) >> 32) % n;
}

/* Some lane, or none; the server's is never the tool's. */
static sim_event
an_issue(chance *c, const world *w)
{
	uint16_t tool = (uint16_t)below(c, w->lanes);
	uint16_t server = (uint16_t)below(c, w->lanes);

	if (server == tool)
		server = 0;
	return (sim_event){.kind = SIM_ISSUED, .tool = tool, .server = server};
}

/* Mostly a call there is; at times one that there is not. */
static uint32_t
a_call(chance *c, const world *w)
{
	if (below(c, 50) == 0)
		return below(c, 2) ? SCHED_NO_CALL : w->issued;
	return w->issued ? below(c, w->issued) : 0;
}

static sim_event
an_event(chance *c, const world *w, uint32_t hurry)
{
	uint32_t dice = below(c, 100);

	if (dice < hurry)
		return (sim_event){.kind = SIM_OVER};
	if (dice < 42)
		return (sim_event){.kind = SIM_NEXT,
		    .i = dice < 8 ? below(c, w->issued + 1) : w->issued};
	if (dice < 57)
		return an_issue(c, w);
	if (dice < 80)
		return (sim_event){.kind = SIM_FINISHED,
		    .i = a_call(c, w),
		    .failed = below(c, 3) == 0};
	if (dice < 86)
		return (sim_event){.kind = SIM_CANCELLED,
		    .i = a_call(c, w),
		    .failed = below(c, 2) == 0};
	return (sim_event){
	    .kind = dice < 96 ? SIM_UNSEEN : SIM_OBSERVED, .i = a_call(c, w)};
}

static bool
same(const sim_answer *a, const sim_answer *b)
{
	return a->todo.what == b->todo.what && a->taken == b->taken &&
	       (a->todo.what == SCHED_NOTHING || a->todo.call == b->todo.call);
}

/* The table moves to one of its exact size, so that a read behind its end is
 * seen by the address sanitizer. */
static void
grow_table(world *w, sched_call **table)
{
	uint32_t cap = w->cap + 8 < SIM_CALLS ? w->cap + 8 : SIM_CALLS;
	sched_call *larger = calloc(cap, sizeof(*larger));

	if (larger == NULL)
		abort();
	memcpy(larger, w->s.call, w->issued * sizeof(*larger));
	sched_table(&w->s, larger, cap);
	free(*table);
	*table = larger;
	w->cap = cap;
}

/* NULL, or what went wrong. */
static const char *
do_both(world *w, model *m, const sim_event *e)
{
	sim_answer want = model_expect(m, e), got;
	const char *law = world_do(w, e, &got);

	if (law != NULL)
		return law;
	if (e->kind == SIM_ISSUED ? got.todo.call != want.todo.call
				  : !same(&got, &want))
		return "the model says otherwise";
	model_log(m, e, &got);
	return NULL;
}

/* Ends the run if nothing has, and asks until the end; then the calls that
 * still run finish. */
static const char *
wind_up(world *w, model *m)
{
	const char *law = do_both(w, m, &(sim_event){.kind = SIM_OVER});
	uint32_t i;

	for (i = 0; law == NULL && !w->end_told && i < 4 * SIM_CALLS; i++)
		law = do_both(
		    w, m, &(sim_event){.kind = SIM_NEXT, .i = w->issued});
	if (law == NULL && !w->end_told)
		law = "the end does not come";
	for (i = 0; law == NULL && i < w->issued; i++)
		law = do_both(w, m, &(sim_event){.kind = SIM_FINISHED, .i = i});
	return law;
}

static const char *
live(world *w, model *m, sched_call **table, chance *c)
{
	uint32_t steps = 200 + below(c, 600), hurry = below(c, 3), i;
	const char *law = NULL;

	for (i = 0; law == NULL && i < steps; i++) {
		sim_event e = an_event(c, w, i > 100 ? hurry : 0);

		if (w->issued == w->cap && w->cap < SIM_CALLS) {
			grow_table(w, table);
			m->cap = w->cap;
		}
		law = do_both(w, m, &e);
	}
	return law == NULL ? wind_up(w, m) : law;
}

static const char *
history(uint64_t seed, uint64_t *steps)
{
	static model m;
	world w;
	chance c = {seed};
	int64_t limit[SIM_LANES];
	sched_call *table = calloc(1, sizeof(*table));
	uint32_t l, budget = 20 + below(&c, 60);
	const char *law;

	if (table == NULL)
		abort();
	limit[0] = 1 + below(&c, 8);
	for (l = 1; l < SIM_LANES; l++)
		limit[l] = below(&c, 5);
	world_init(&w, 1, budget, SIM_LANES, limit);
	sched_table(&w.s, table, 1);
	model_init(&m, 1, budget, SIM_LANES, limit);
	law = live(&w, &m, &table, &c);
	*steps += m.len;
	free(table);
	return law;
}

int
main(int argc, char **argv)
{
	uint64_t count = argc > 1 ? strtoull(argv[1], NULL, 10) : 100;
	uint64_t seed = argc > 2 ? strtoull(argv[2], NULL, 10) : 1;
	uint64_t steps = 0, i;

	for (i = 0; i < count; i++) {
		const char *law = history(seed + i, &steps);

		if (law != NULL) {
			printf("history 1 %llu: after %llu steps in all: %s\n",
			    (unsigned long long)(seed + i),
			    (unsigned long long)steps, law);
			return 1;
		}
	}
	printf("%llu histories, %llu steps: every law holds and the model "
	       "agrees\n",
	    (unsigned long long)count, (unsigned long long)steps);
	return 0;
}
