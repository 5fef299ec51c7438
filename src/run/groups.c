/* SPDX-License-Identifier: MIT */
/*
 * groups.c -- calls that belong together, decided by the machine in
 * sched/group.h: here it hears which calls were settled, and what it tells is
 * done.
 *
 *   codemode.race  the losers are stopped the moment that one has an answer,
 *                  before the script is asked
 *   codemode.all   the script gets the answers in the order of its calls; one
 *                  that comes early is held
 *
 * A call is in one group at most; the engine sees to that, and whoever says
 * otherwise is not heard.
 */
#include "run.h"

typedef struct run_group {
	group g;
	uint8_t *member; /* the machine's table */
	uint32_t *call;  /* numbers of the members */
	bool telling;    /* what it says is being done */
} run_group;

static void
drop_group(cm_run *r, run_group *g)
{
	mem_free(r->alloc, g->member, g->g.members);
	mem_free(r->alloc, g->call, g->g.members * sizeof(*g->call));
}

void
groups_free(cm_run *r)
{
	while (r->groups > 0)
		drop_group(r, &r->group[--r->groups]);
	mem_free(r->alloc, r->group, r->groups_cap * sizeof(*r->group));
}

void
groups_over(cm_run *r)
{
	size_t i;

	for (i = 0; i < r->groups; i++)
		group_over(&r->group[i].g);
}

bool
groups_hold(const cm_run *r, uint32_t call)
{
	uint32_t n = r->call[call].group;

	return n != 0 && r->group[n - 1].g.kind == GROUP_ALL;
}

bool
groups_wait(const cm_run *r, uint32_t call)
{
	const call_record *c = &r->call[call];

	return groups_hold(r, call) &&
	       r->group[c->group - 1].g.next != c->place;
}

/* Does what the machine says. Stopping a loser settles it, which ends here
 * again: then the loop further out goes on. */
static void
tell(cm_run *r, size_t n)
{
	group_todo todo;

	if (r->group[n].telling)
		return;
	r->group[n].telling = true;
	do {
		todo = group_next(&r->group[n].g);
		if (todo.what == GROUP_LOSE)
			run_lose(r, r->group[n].call[todo.member]);
		else if (todo.what == GROUP_ITEM)
			run_give(r, r->group[n].call[todo.member]);
	} while (todo.what != GROUP_NOTHING && r->status == CM_OK);
	r->group[n].telling = false;
}

void
groups_settled(cm_run *r, uint32_t call)
{
	const call_record *c = &r->call[call];

	if (c->group == 0)
		return;
	group_settled(&r->group[c->group - 1].g, c->place);
	tell(r, c->group - 1);
}

static bool
make_group(cm_run *r, bool all, uint32_t members, run_group *g)
{
	if (!mem_grow(r->alloc, (void **)&r->group, &r->groups_cap, r->groups,
		sizeof(*g)))
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

/* The gate has looked at the array: numbers of calls, rising. */
static bool
read_calls(const cm_run *r, json calls, uint32_t *call)
{
	json_iter it = json_each(calls);
	int64_t id = 0;
	json one;

	while (json_next(&it, NULL, &one) && json_int(one, &id)) {
		*call = (uint32_t)id - 1;
		if (r->call[*call++].group != 0)
			return false;
	}
	return true;
}

static bool
is_settled(const cm_run *r, uint32_t call)
{
	return r->call[call].status > CALL_RUNNING || r->call[call].given_up;
}

void
groups_add(cm_run *r, bool all, json calls)
{
	run_group g;
	uint32_t i;

	if (!make_group(r, all, (uint32_t)json_len(calls), &g)) {
		r->status = CM_ENOMEM;
		return;
	}
	if (!read_calls(r, calls, g.call)) {
		drop_group(r, &g);
		return;
	}
	r->group[r->groups++] = g;
	for (i = 0; i < g.g.members; i++) {
		r->call[g.call[i]].group = (uint32_t)r->groups;
		r->call[g.call[i]].place = i;
	}
	for (i = 0; i < g.g.members; i++)
		if (is_settled(r, g.call[i]))
			groups_settled(r, g.call[i]);
}
