/* SPDX-License-Identifier: MIT */
/* group.c -- see group.h, which is the manual. Built like sched.c. */
#include "group.h"

/*@ ghost uint64_t items[GROUP_MAX]; */
/*@ ghost uint64_t loses[GROUP_MAX]; */
/*@ ghost uint64_t wins;             */
/*@ ghost uint64_t group_ends;       */

/* ------------------------------------------------------------ to be told */

/*@ assigns \nothing;
    ensures \result.what == GROUP_NOTHING && \result.member == 0;
*/
static group_todo
nothing(void)
{
	return (group_todo){GROUP_NOTHING, 0};
}

/*@ requires \valid_read(g);
    requires L6: g->phase == GROUP_OPEN;
    requires L4_race: g->kind == GROUP_RACE && g->winner < g->members;
    requires L4_once: wins == 0;
    assigns wins;
    ensures wins == 1;
    ensures \result.what == GROUP_WIN && \result.member == g->winner;
*/
static group_todo
tell_win(const group *g)
{
	/*@ ghost wins++; */
	return (group_todo){GROUP_WIN, g->winner};
}

/*@ requires i < g->members <= GROUP_MAX;
    requires L6: g->phase == GROUP_OPEN;
    requires L4_loser: g->kind == GROUP_RACE && wins == 1 && i != g->winner;
    requires L4_no_answer: g->member[i] == GROUP_WAITS;
    requires L4_once: loses[i] == 0;
    assigns loses[i];
    ensures loses[i] == 1;
    ensures \result.what == GROUP_LOSE && \result.member == i;
*/
static group_todo
tell_lose(const group *g, uint32_t i)
{
	(void)g; /* the contract asks for it */
	/*@ ghost loses[i]++; */
	return (group_todo){GROUP_LOSE, i};
}

/*@ requires i < g->members <= GROUP_MAX;
    requires L6: g->phase == GROUP_OPEN;
    requires L5_all: g->kind == GROUP_ALL && g->member[i] == GROUP_SETTLED;
    requires L5_order: \forall integer k; 0 <= k < i ==> items[k] == 1;
    requires L5_once: items[i] == 0;
    assigns items[i];
    ensures items[i] == 1;
    ensures \result.what == GROUP_ITEM && \result.member == i;
*/
static group_todo
tell_item(const group *g, uint32_t i)
{
	(void)g; /* the contract asks for it */
	/*@ ghost items[i]++; */
	return (group_todo){GROUP_ITEM, i};
}

/*@ requires L6: g->phase == GROUP_OPEN;
    requires L9_all: \forall integer k; 0 <= k < g->members ==>
      g->member[k] != GROUP_WAITS;
    requires L9_once: group_ends == 0;
    assigns group_ends;
    ensures group_ends == 1;
    ensures \result.what == GROUP_END && \result.member == 0;
*/
static group_todo
tell_end(const group *g)
{
	(void)g; /* the contract asks for it */
	/*@ ghost group_ends++; */
	return (group_todo){GROUP_END, 0};
}

/* ------------------------------------------------------------------ next */

/*@ GROUP_HOLDS(requires);
    requires g->phase == GROUP_OPEN && g->next == g->members;
    requires g->kind == GROUP_RACE ==> g->won == 1;
    assigns g->phase, group_ends;
    GROUP_HOLDS(ensures);
    ensures g->phase == GROUP_ENDED && group_ends == \old(group_ends) + 1;
    ensures \result.what == GROUP_END;
*/
static group_todo
end(group *g)
{
	group_todo todo = tell_end(g);

	g->phase = GROUP_ENDED;
	return todo;
}

/*@ GROUP_HOLDS(requires);
    requires g->phase == GROUP_OPEN && g->kind == GROUP_RACE;
    requires g->winner != GROUP_NONE && g->won == 0;
    assigns g->won, wins;
    GROUP_HOLDS(ensures);
    ensures wins == \old(wins) + 1;
    ensures \result.what == GROUP_WIN && \result.member == g->winner;
*/
static group_todo
win(group *g)
{
	group_todo todo = tell_win(g);

	g->won = 1;
	return todo;
}

/*@ GROUP_HOLDS(requires);
    requires g->phase == GROUP_OPEN && g->kind == GROUP_RACE && g->won == 1;
    requires i < g->members && g->next <= i;
    requires g->member[i] == GROUP_WAITS;
    assigns g->member[i], loses[i];
    GROUP_HOLDS(ensures);
    ensures g->member[i] == GROUP_LOST && loses[i] == \old(loses[i]) + 1;
    ensures \result.what == GROUP_LOSE && \result.member == i;
*/
static group_todo
lose(group *g, uint32_t i)
{
	group_todo todo = tell_lose(g, i);

	g->member[i] = GROUP_LOST;
	return todo;
}

/*@ GROUP_HOLDS(requires);
    requires g->kind == GROUP_RACE;
    assigns \nothing;
    ensures g->next <= \result <= g->members;
    ensures \forall integer k; 0 <= k < \result ==>
      g->member[k] != GROUP_WAITS;
    ensures \result < g->members ==> g->member[\result] == GROUP_WAITS;
*/
static uint32_t
first_loser(const group *g)
{
	uint32_t i = g->next;

	/*@ loop invariant g->next <= i <= g->members;
	    loop invariant \forall integer k; 0 <= k < i ==>
	      g->member[k] != GROUP_WAITS;
	    loop assigns i;
	    loop variant g->members - i;
	*/
	while (i < g->members && g->member[i] != GROUP_WAITS)
		i++;
	return i;
}

/*@ GROUP_HOLDS(requires);
    requires g->phase == GROUP_OPEN && g->kind == GROUP_RACE;
    assigns g->won, g->next, g->phase, g->member[0 .. g->members - 1],
      loses[0 .. GROUP_MAX - 1], wins, group_ends;
    GROUP_HOLDS(ensures);
    GROUP_TOLD;
    ensures L4_winner: \result.what == GROUP_WIN ==>
      \result.member == g->winner;
    ensures L4_loser: \result.what == GROUP_LOSE ==>
      \result.member < g->members &&
      \result.member != g->winner && \old(g->won) == 1 &&
      \old(g->member[\at(\result.member, Post)]) == GROUP_WAITS;
    ensures \result.what != GROUP_ITEM;
    ensures L9_end: \result.what == GROUP_END ==> wins == 1 &&
      \forall integer k; 0 <= k < g->members ==>
        g->member[k] != GROUP_WAITS;
    ensures waits: \result.what == GROUP_NOTHING ==> g->winner == GROUP_NONE;
*/
static group_todo
race_next(group *g)
{
	if (g->winner == GROUP_NONE)
		return nothing();
	if (g->won == 0)
		return win(g);
	g->next = first_loser(g);
	if (g->next == g->members)
		return end(g);
	return lose(g, g->next);
}

/*@ GROUP_HOLDS(requires);
    requires g->phase == GROUP_OPEN && g->kind == GROUP_ALL;
    requires g->next < g->members && g->member[g->next] == GROUP_SETTLED;
    assigns g->next, items[g->next];
    GROUP_HOLDS(ensures);
    ensures g->next == \old(g->next) + 1 && items[\old(g->next)] == 1;
    ensures \result.what == GROUP_ITEM && \result.member == \old(g->next);
*/
static group_todo
give(group *g)
{
	group_todo todo = tell_item(g, g->next);

	g->next++;
	return todo;
}

/*@ GROUP_HOLDS(requires);
    requires g->phase == GROUP_OPEN && g->kind == GROUP_ALL;
    assigns g->next, g->phase, items[0 .. GROUP_MAX - 1], group_ends;
    GROUP_HOLDS(ensures);
    GROUP_TOLD;
    ensures \result.what == GROUP_NOTHING || \result.what == GROUP_ITEM ||
      \result.what == GROUP_END;
    ensures L5_order: \result.what == GROUP_ITEM ==>
      \result.member < g->members &&
      g->member[\result.member] == GROUP_SETTLED &&
      \forall integer k; 0 <= k < \result.member ==> items[k] == 1;
    ensures L9_end: \result.what == GROUP_END ==>
      \forall integer k; 0 <= k < g->members ==>
        g->member[k] == GROUP_SETTLED && items[k] == 1;
    ensures waits: \result.what == GROUP_NOTHING ==>
      g->next < g->members && g->member[g->next] == GROUP_WAITS;
*/
static group_todo
all_next(group *g)
{
	if (g->next == g->members)
		return end(g);
	if (g->member[g->next] != GROUP_SETTLED)
		return nothing();
	return give(g);
}

group_todo
group_next(group *g)
{
	if (g->phase != GROUP_OPEN)
		return nothing();
	return g->kind == GROUP_RACE ? race_next(g) : all_next(g);
}

/* ---------------------------------------------------------------- events */

void
group_settled(group *g, uint32_t i)
{
	if (i >= g->members || g->member[i] != GROUP_WAITS)
		return;
	g->member[i] = GROUP_SETTLED;
	if (g->kind == GROUP_RACE && g->winner == GROUP_NONE)
		g->winner = i;
}

void
group_over(group *g)
{
	if (g->phase == GROUP_OPEN)
		g->phase = GROUP_OVER;
}

void
group_init(group *g, uint32_t kind, uint8_t *member, uint32_t members)
{
	uint32_t i = 0;

	g->member = member;
	g->members = members;
	g->kind = kind;
	g->winner = GROUP_NONE;
	g->won = 0;
	g->next = 0;
	g->phase = GROUP_OPEN;
	/*@ loop invariant 0 <= i <= members;
	    loop invariant \forall integer k; 0 <= k < i ==>
	      member[k] == GROUP_WAITS;
	    loop assigns i, member[0 .. members - 1];
	    loop variant members - i;
	*/
	while (i < members)
		member[i++] = GROUP_WAITS;
}
