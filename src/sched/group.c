/* SPDX-License-Identifier: MIT */
/* group.c -- see group.h, which is the manual. Built like sched.c. */
#include "group.h"

/*@ ghost uint64_t loses[GROUP_MAX]; */

/* ------------------------------------------------------------------ next */

/*@ requires i < g->members <= GROUP_MAX;
    requires L6: g->over == 0;
    requires L4_L5_decided: g->decider < g->members && i != g->decider;
    requires L4_L5_no_answer: g->member[i] == GROUP_WAITS;
    requires L4_L5_once: loses[i] == 0;
    assigns loses[i];
    ensures loses[i] == 1;
    ensures \result == i;
*/
static uint32_t
tell_lose(const group *g, uint32_t i)
{
	(void)g; /* the contract asks for it */
	/*@ ghost loses[i]++; */
	return i;
}

/*@ GROUP_HOLDS(requires);
    requires g->over == 0 && g->decider != GROUP_NONE;
    requires i < g->members && g->next <= i;
    requires g->member[i] == GROUP_WAITS;
    assigns g->member[i], loses[i];
    GROUP_HOLDS(ensures);
    ensures g->member[i] == GROUP_LOST && loses[i] == \old(loses[i]) + 1;
    ensures \result == i;
*/
static uint32_t
lose_member(group *g, uint32_t i)
{
	uint32_t told = tell_lose(g, i);

	g->member[i] = GROUP_LOST;
	return told;
}

/*@ GROUP_HOLDS(requires);
    assigns \nothing;
    ensures g->next <= \result <= g->members;
    ensures \forall integer k; 0 <= k < \result ==>
      g->member[k] != GROUP_WAITS;
    ensures \result < g->members ==> g->member[\result] == GROUP_WAITS;
*/
static uint32_t
first_waiting(const group *g)
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

uint32_t
group_next(group *g)
{
	if (g->over != 0 || g->decider == GROUP_NONE)
		return GROUP_NONE;
	g->next = first_waiting(g);
	return g->next < g->members ? lose_member(g, g->next) : GROUP_NONE;
}

/* ---------------------------------------------------------------- events */

void
group_settled(group *g, uint32_t i, bool failed)
{
	if (i >= g->members || g->member[i] != GROUP_WAITS)
		return;
	g->member[i] = GROUP_SETTLED;
	if (g->decider == GROUP_NONE && (g->kind == GROUP_RACE || failed))
		g->decider = i;
}

void
group_over(group *g)
{
	g->over = 1;
}

void
group_init(group *g, uint32_t kind, uint8_t *member, uint32_t members)
{
	uint32_t i = 0;

	g->member = member;
	g->members = members;
	g->kind = kind;
	g->decider = GROUP_NONE;
	g->next = 0;
	g->over = 0;
	/*@ loop invariant 0 <= i <= members;
	    loop invariant \forall integer k; 0 <= k < i ==>
	      member[k] == GROUP_WAITS;
	    loop assigns i, member[0 .. members - 1];
	    loop variant members - i;
	*/
	while (i < members)
		member[i++] = GROUP_WAITS;
}

/* ------------------------------------------------------- what always holds */

bool
group_ok(const group *g)
{
	return g->kind <= GROUP_ALL && g->over <= 1 && g->next <= g->members &&
	       (g->decider == GROUP_NONE ? g->next == 0
					 : g->decider < g->members);
}

/*@ requires Mem: GMem(g);
    requires i < g->members;
    assigns \nothing;
    ensures \result <==> g->member[i] <= GROUP_LOST &&
      (i < g->next ==> g->member[i] != GROUP_WAITS) &&
      (i == g->decider ==> g->member[i] == GROUP_SETTLED) &&
      (g->decider == GROUP_NONE ==> g->member[i] != GROUP_LOST &&
        (g->kind == GROUP_RACE ==> g->member[i] == GROUP_WAITS));
*/
static bool
is_member_ok(const group *g, uint32_t i)
{
	uint8_t m = g->member[i];

	return m <= GROUP_LOST && (i >= g->next || m != GROUP_WAITS) &&
	       (i != g->decider || m == GROUP_SETTLED) &&
	       (g->decider != GROUP_NONE ||
		   (m != GROUP_LOST &&
		       (g->kind != GROUP_RACE || m == GROUP_WAITS)));
}

bool
group_ok_whole(const group *g)
{
	uint32_t i = 0;

	/*@ loop invariant 0 <= i <= g->members;
	    loop invariant \forall integer k; 0 <= k < i ==>
	      g->member[k] <= GROUP_LOST &&
	      (k < g->next ==> g->member[k] != GROUP_WAITS) &&
	      (k == g->decider ==> g->member[k] == GROUP_SETTLED) &&
	      (g->decider == GROUP_NONE ==> g->member[k] != GROUP_LOST &&
	        (g->kind == GROUP_RACE ==> g->member[k] == GROUP_WAITS));
	    loop assigns i;
	    loop variant g->members - i;
	*/
	while (i < g->members && is_member_ok(g, i))
		i++;
	return i == g->members && group_ok(g);
}
