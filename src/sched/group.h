/* SPDX-License-Identifier: MIT */
/*
 * group.h -- decides which calls of codemode.race and codemode.all are stopped.
 *
 * A machine like that of sched.h, above it and independent of it. Members are
 * numbered from 0; which calls they are is the caller's affair. The caller
 * reports each member whose call was settled (sched.h: DELIVER) and stops the
 * members that group_next names (sched_cancelled).
 *
 *   race  the first member that is settled decides; the others lose
 *   all   the first member that failed decides; the others lose
 *
 * The laws, proved for every input:
 *
 *  L4  A race is decided by the first member that is settled. Each other
 *      member that has no answer then loses, once; no other does.
 *  L5  "all" is decided by the first member that failed. Each other member
 *      that has no answer then loses, once; while none failed, none loses.
 *  L6  After group_over none loses.
 */
#ifndef SCHED_GROUP_H
#define SCHED_GROUP_H

#include <stdbool.h>
#include <stdint.h>

#define GROUP_MAX  0x10000u /* members */
#define GROUP_NONE UINT32_MAX

enum { GROUP_RACE, GROUP_ALL };
enum { GROUP_WAITS, GROUP_SETTLED, GROUP_LOST };

typedef struct group {
	uint8_t *member; /* the caller's table: GROUP_WAITS ...      */
	uint32_t members;
	uint32_t kind;    /* GROUP_RACE, GROUP_ALL                    */
	uint32_t decider; /* the member that decided, or GROUP_NONE   */
	uint32_t next;    /* once decided, no member below waits      */
	uint32_t over;    /* 1: since group_over                      */
} group;

/* How often each member was told to lose, in the proof only (see sched.h). */
/*@ ghost extern uint64_t loses[GROUP_MAX]; */

/* Does a member that is settled so decide? */
#define GROUP_DECIDES(g, failed) ((g)->kind == GROUP_RACE || (failed))

/*@
  predicate GMem{L}(group *g) =
    \valid(g) && g->members <= GROUP_MAX &&
    \valid(g->member + (0 .. g->members - 1)) &&
    \separated(g, g->member + (0 .. g->members - 1));
  predicate GRange{L}(group *g) =
    g->kind <= GROUP_ALL && g->over <= 1 && g->next <= g->members &&
    (g->decider == GROUP_NONE ? g->next == 0 : g->decider < g->members);
  predicate GMembers{L}(group *g) =
    \forall integer i; 0 <= i < g->members ==> g->member[i] <= GROUP_LOST &&
      (i < g->next ==> g->member[i] != GROUP_WAITS) &&
      (i == g->decider ==> g->member[i] == GROUP_SETTLED) &&
      (g->decider == GROUP_NONE ==> g->member[i] != GROUP_LOST &&
        (g->kind == GROUP_RACE ==> g->member[i] == GROUP_WAITS));
  predicate Loses{L}(group *g) =
    (\forall integer i; 0 <= i < g->members ==>
      loses[i] == (g->member[i] == GROUP_LOST ? 1 : 0)) &&
    (\forall integer i; g->members <= i < GROUP_MAX ==> loses[i] == 0);
*/

#define GROUP_HOLDS(kw)                                                        \
	kw Mem: GMem(g);                                                       \
	kw Range: GRange(g);                                                   \
	kw L4_L5_Members: GMembers(g);                                         \
	kw L4_L5_Loses: Loses(g)

/*@ requires Mem: GMem(g);
    assigns \nothing;
    ensures \result <==> GRange(g);
*/
/* What always holds: this takes the same time for any number of members, and
 * the shell asserts it at each of its entries. */
bool group_ok(const group *g);

/*@ requires Mem: GMem(g);
    assigns \nothing;
    ensures \result <==> GRange(g) && GMembers(g);
*/
/* The whole of it, which looks at each member: the explorer asks it. */
bool group_ok_whole(const group *g);

/*@ requires \valid(g) && members <= GROUP_MAX && kind <= GROUP_ALL;
    requires \valid(member + (0 .. members - 1));
    requires \separated(g, member + (0 .. members - 1));
    requires \forall integer i; 0 <= i < GROUP_MAX ==> loses[i] == 0;
    assigns g->member \from member;
    assigns g->members, g->kind, g->decider, g->next, g->over,
      member[0 .. members - 1];
    GROUP_HOLDS(ensures);
    ensures g->kind == kind && g->over == 0 && g->decider == GROUP_NONE;
    ensures g->member == member && g->members == members;
*/
/* member[] is the caller's and is used until the group is dropped. */
void group_init(group *g, uint32_t kind, uint8_t *member, uint32_t members);

/*@ GROUP_HOLDS(requires);
    assigns g->decider, g->member[0 .. g->members - 1];
    GROUP_HOLDS(ensures);
    ensures L4_L5_first: g->decider ==
      (i < g->members && \old(g->member[i]) == GROUP_WAITS &&
        \old(g->decider) == GROUP_NONE && GROUP_DECIDES(g, failed) ?
        i : \old(g->decider));
    ensures i < g->members ==> g->member[i] ==
      (\old(g->member[i]) == GROUP_WAITS ? GROUP_SETTLED :
        \old(g->member[i]));
    ensures \forall integer k; 0 <= k < g->members && k != i ==>
      g->member[k] == \old(g->member[k]);
*/
/* The call of member i was settled. If it is told again, the first counts. */
void group_settled(group *g, uint32_t i, bool failed);

/*@ GROUP_HOLDS(requires);
    assigns g->over;
    GROUP_HOLDS(ensures);
    ensures L6_final: g->over == 1;
*/
/* The run is over. */
void group_over(group *g);

/*@ GROUP_HOLDS(requires);
    assigns g->next, g->member[0 .. g->members - 1],
      loses[0 .. GROUP_MAX - 1];
    GROUP_HOLDS(ensures);
    ensures Told: \forall integer i; 0 <= i < GROUP_MAX ==>
      loses[i] == \old(loses[i]) + (\result == i ? 1 : 0);
    ensures L6_over: g->over == 1 ==> \result == GROUP_NONE;
    ensures L4_L5_undecided: g->decider == GROUP_NONE ==>
      \result == GROUP_NONE;
    ensures L4_L5_loser: \result != GROUP_NONE ==> \result < g->members &&
      \result != g->decider &&
      \old(g->member[\at(\result, Post)]) == GROUP_WAITS;
    ensures L4_L5_all: \result == GROUP_NONE && g->over == 0 &&
      g->decider != GROUP_NONE ==>
      \forall integer k; 0 <= k < g->members ==>
        g->member[k] != GROUP_WAITS;
*/
/* The next member that loses: its call is to be cancelled. GROUP_NONE: until
 * another member is settled. */
uint32_t group_next(group *g);

#endif
