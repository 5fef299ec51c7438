/* SPDX-License-Identifier: MIT */
/*
 * groups.c -- calls that codemode.race and codemode.all put together.
 *
 * The machine in sched/group.h is told which calls were settled, and names the
 * calls that lose. Those are stopped at once, before the script gets the answer
 * that decided. The run does not know promises that are no calls: the
 * environment stops what depends on them (engine/environment/codemode.js).
 *
 * A call belongs to at most one group. The engine keeps that; a group that
 * breaks it is ignored.
 */
#include "run.h"

static void
drop_group(cm_run *r, run_group *g)
{
	mem_free(r->alloc, g->member, g->g.members);
	mem_free(r->alloc, g->call, g->g.members * sizeof(*g->call));
}

void
groups_free(cm_run *r)
{
	while (r->groups.len > 0)
		drop_group(r, &r->groups.group[--r->groups.len]);
	mem_free(r->alloc, r->groups.group,
	    r->groups.cap * sizeof(*r->groups.group));
}

void
groups_over(cm_run *r)
{
	size_t i;

	for (i = 0; i < r->groups.len; i++)
		group_over(&r->groups.group[i].g);
}

static void
stop_losers(cm_run *r, run_group *g)
{
	uint32_t m;

	must(group_ok(&g->g));
	while (r->status == CM_OK && (m = group_next(&g->g)) != GROUP_NONE)
		run_lose(r, g->call[m],
		    g->g.kind == GROUP_RACE
			? "another call won the race"
			: "another call of codemode.all failed");
}

void
groups_settled(cm_run *r, uint32_t call, bool failed)
{
	const call_record *c = &r->calls.record[call];
	run_group *g;

	if (c->group == 0)
		return;
	g = &r->groups.group[c->group - 1];
	group_settled(&g->g, c->member, failed);
	stop_losers(r, g);
}

static bool
make_group(cm_run *r, bool all, uint32_t members, run_group *g)
{
	if (!mem_grow(r->alloc, (void **)&r->groups.group, &r->groups.cap,
		r->groups.len, sizeof(*g)))
		return false;
	*g = (run_group){.g.members = members};
	g->member = mem_resize(r->alloc, NULL, 0, members);
	g->call = mem_resize(r->alloc, NULL, 0, members * sizeof(*g->call));
	if (g->member == NULL || g->call == NULL) {
		drop_group(r, g);
		return false;
	}
	group_init(&g->g, all ? GROUP_ALL : GROUP_RACE, g->member, members);
	return true;
}

/* The gate has checked that the array holds numbers of calls in rising order.
 * False: one of them is in a group already. */
static bool
read_calls(const cm_run *r, json calls, uint32_t *call)
{
	json_iter it = json_each(calls);
	int64_t id = 0;
	json one;

	while (json_next(&it, NULL, &one) && json_int(one, &id)) {
		*call = (uint32_t)id - 1;
		if (r->calls.record[*call++].group != 0)
			return false;
	}
	return true;
}

/* Tells the group of members that were settled before it was made. */
static void
note_settled(cm_run *r, run_group *g)
{
	uint32_t m;

	for (m = 0; m < g->g.members; m++) {
		const call_record *c = &r->calls.record[g->call[m]];

		if (c->status > CALL_RUNNING || c->given_up)
			group_settled(&g->g, m, c->status != CALL_OK);
	}
}

void
groups_add(cm_run *r, bool all, json calls)
{
	run_group g;
	uint32_t m;

	if (!make_group(r, all, (uint32_t)json_len(calls), &g)) {
		r->status = CM_ENOMEM;
		return;
	}
	if (!read_calls(r, calls, g.call)) {
		drop_group(r, &g);
		return;
	}
	r->groups.group[r->groups.len++] = g;
	for (m = 0; m < g.g.members; m++) {
		r->calls.record[g.call[m]].group = (uint32_t)r->groups.len;
		r->calls.record[g.call[m]].member = m;
	}
	note_settled(r, &r->groups.group[r->groups.len - 1]);
	stop_losers(r, &r->groups.group[r->groups.len - 1]);
}
