/* SPDX-License-Identifier: MIT */
/*
 * group.h -- calls that belong together: a race, or all of them in order.
 *
 * A machine like that of sched.h, above it and without knowing it: members are
 * numbers from 0, which calls they are is the caller's affair. He tells it of
 * each member whose call was settled (sched.h: DELIVER, CLOSE), and does what
 * group_next says until that is nothing.
 *
 *   race  the first member that is settled wins; the others, unless settled by
 *         then, lose: LOSE means sched_cancelled for that call
 *   all   members are handed out in call order, each as soon as it and those
 *         before it are settled
 *
 * The laws, proved for every input:
 *
 *  L4  A race has one winner, and it is told once. Each other member that has
 *      no answer loses, once, after that; no other does.
 *  L5  "all" hands out member i after 0 ... i-1, each once.
 *  L6  After group_over nothing is told.
 *  L9  The end is told once, when each member was handed out, won, lost or was
 *      settled.
 */
#ifndef SCHED_GROUP_H
#define SCHED_GROUP_H

#include <stdint.h>

#define GROUP_MAX  0x10000u /* members */
#define GROUP_NONE UINT32_MAX

enum { GROUP_RACE, GROUP_ALL };
enum { GROUP_WAITS, GROUP_SETTLED, GROUP_LOST };
enum { GROUP_OPEN, GROUP_ENDED, GROUP_OVER };

typedef struct group {
	uint8_t *member; /* the caller's table: GROUP_WAITS ... */
	uint32_t members;
	uint32_t kind;
	uint32_t winner; /* of a race, or GROUP_NONE             */
	uint32_t won;    /* 1: that was told                     */
	uint32_t next;   /* race: no loser below; all: are told  */
	uint32_t phase;
} group;

typedef enum group_what {
	GROUP_NOTHING,
	GROUP_WIN,
	GROUP_LOSE,
	GROUP_ITEM,
	GROUP_END
} group_what;

typedef struct group_todo {
	group_what what;
	uint32_t member;
} group_todo;

/* What was told so far, in the proof only (see sched.h). */
/*@ ghost extern uint64_t items[GROUP_MAX]; */
/*@ ghost extern uint64_t loses[GROUP_MAX]; */
/*@ ghost extern uint64_t wins;             */
/*@ ghost extern uint64_t group_ends;       */

/*@
  predicate GMem{L}(group *g) =
    \valid(g) && g->members <= GROUP_MAX &&
    \valid(g->member + (0 .. g->members - 1)) &&
    \separated(g, g->member + (0 .. g->members - 1));
  predicate GRange{L}(group *g) =
    g->kind <= GROUP_ALL && g->phase <= GROUP_OVER && g->won <= 1 &&
    g->next <= g->members &&
    \forall integer i; 0 <= i < g->members ==> g->member[i] <= GROUP_LOST;
  predicate Race{L}(group *g) = g->kind == GROUP_RACE ==>
    (g->winner == GROUP_NONE ?
      g->won == 0 && g->next == 0 && g->phase != GROUP_ENDED &&
        \forall integer i; 0 <= i < g->members ==>
          g->member[i] == GROUP_WAITS :
      g->winner < g->members && g->member[g->winner] == GROUP_SETTLED) &&
    (g->won == 0 ==> g->next == 0 && g->phase != GROUP_ENDED) &&
    (g->phase == GROUP_ENDED ==> g->next == g->members) &&
    (\forall integer i; 0 <= i < g->next ==> g->member[i] != GROUP_WAITS) &&
    (\forall integer i; 0 <= i < g->members && g->member[i] == GROUP_LOST ==>
      g->won == 1);
  predicate All{L}(group *g) = g->kind == GROUP_ALL ==>
    g->won == 0 && (g->phase == GROUP_ENDED ==> g->next == g->members) &&
    (\forall integer i; 0 <= i < g->members ==> g->member[i] != GROUP_LOST) &&
    (\forall integer i; 0 <= i < g->next ==> g->member[i] == GROUP_SETTLED);
  predicate Items{L}(group *g) =
    \forall integer i; 0 <= i < GROUP_MAX ==>
      items[i] == (g->kind == GROUP_ALL && i < g->next ? 1 : 0);
  predicate Loses{L}(group *g) =
    (\forall integer i; 0 <= i < g->members ==>
      loses[i] == (g->member[i] == GROUP_LOST ? 1 : 0)) &&
    (\forall integer i; g->members <= i < GROUP_MAX ==> loses[i] == 0);
  predicate Wins{L}(group *g) = wins == g->won;
  predicate GEnds{L}(group *g) =
    group_ends == (g->phase == GROUP_ENDED ? 1 : 0);
*/

#define GROUP_HOLDS(kw)                                                        \
	kw Mem: GMem(g);                                                       \
	kw Range: GRange(g);                                                   \
	kw L4_Race: Race(g);                                                   \
	kw L5_All: All(g);                                                     \
	kw L5_Items: Items(g);                                                 \
	kw L4_Loses: Loses(g);                                                 \
	kw L4_Wins: Wins(g);                                                   \
	kw L9_Ends: GEnds(g)
#define GROUP_TOLD                                                             \
	ensures Told_items: \forall integer i; 0 <= i < GROUP_MAX ==>          \
	    items[i] == \old(items[i]) +                                       \
	    (\result.what == GROUP_ITEM && \result.member == i ? 1 : 0);       \
	ensures Told_loses: \forall integer i; 0 <= i < GROUP_MAX ==>          \
	    loses[i] == \old(loses[i]) +                                       \
	    (\result.what == GROUP_LOSE && \result.member == i ? 1 : 0);       \
	ensures Told_wins: wins == \old(wins) +                                \
	    (\result.what == GROUP_WIN ? 1 : 0);                               \
	ensures Told_ends: group_ends == \old(group_ends) +                    \
	    (\result.what == GROUP_END ? 1 : 0)

/*@ requires \valid(g) && members <= GROUP_MAX && kind <= GROUP_ALL;
    requires \valid(member + (0 .. members - 1));
    requires \separated(g, member + (0 .. members - 1));
    requires \forall integer i; 0 <= i < GROUP_MAX ==>
      items[i] == 0 && loses[i] == 0;
    requires wins == 0 && group_ends == 0;
    assigns g->member \from member;
    assigns g->members, g->kind, g->winner, g->won, g->next, g->phase,
      member[0 .. members - 1];
    GROUP_HOLDS(ensures);
    ensures g->kind == kind && g->phase == GROUP_OPEN;
    ensures g->member == member && g->members == members;
*/
/* member[] is the caller's until the end. */
void group_init(group *g, uint32_t kind, uint8_t *member, uint32_t members);

/*@ GROUP_HOLDS(requires);
    assigns g->winner, g->member[0 .. g->members - 1];
    GROUP_HOLDS(ensures);
    ensures L4_first: g->kind == GROUP_RACE && i < g->members ==>
      g->winner == (\old(g->winner) == GROUP_NONE ? i : \old(g->winner));
    ensures L4_kept: i >= g->members || g->kind != GROUP_RACE ==>
      g->winner == \old(g->winner);
    ensures i < g->members ==> g->member[i] ==
      (\old(g->member[i]) == GROUP_WAITS ? GROUP_SETTLED :
        \old(g->member[i]));
    ensures \forall integer k; 0 <= k < g->members && k != i ==>
      g->member[k] == \old(g->member[k]);
*/
/* The call of member i was settled. Told more than once, the first counts. */
void group_settled(group *g, uint32_t i);

/*@ GROUP_HOLDS(requires);
    assigns g->phase;
    GROUP_HOLDS(ensures);
    ensures L6_final: g->phase != GROUP_OPEN;
    ensures \old(g->phase) != GROUP_OPEN ==> g->phase == \old(g->phase);
*/
/* The run is over. */
void group_over(group *g);

/*@ GROUP_HOLDS(requires);
    assigns g->won, g->next, g->phase, g->member[0 .. g->members - 1],
      items[0 .. GROUP_MAX - 1], loses[0 .. GROUP_MAX - 1], wins, group_ends;
    GROUP_HOLDS(ensures);
    GROUP_TOLD;
    ensures L6_over: \old(g->phase) != GROUP_OPEN ==>
      \result.what == GROUP_NOTHING;
    ensures L4_winner: \result.what == GROUP_WIN ==>
      g->kind == GROUP_RACE && \result.member == g->winner;
    ensures L4_loser: \result.what == GROUP_LOSE ==>
      g->kind == GROUP_RACE && \result.member < g->members &&
      \result.member != g->winner && \old(g->won) == 1 &&
      \old(g->member[\at(\result.member, Post)]) == GROUP_WAITS;
    ensures L5_order: \result.what == GROUP_ITEM ==>
      g->kind == GROUP_ALL && \result.member < g->members &&
      g->member[\result.member] == GROUP_SETTLED &&
      \forall integer k; 0 <= k < \result.member ==> items[k] == 1;
    ensures L9_end: \result.what == GROUP_END ==>
      \forall integer k; 0 <= k < g->members ==>
        g->member[k] != GROUP_WAITS;
    ensures L4_told: \result.what == GROUP_END && g->kind == GROUP_RACE ==>
      wins == 1;
    ensures L5_told: \result.what == GROUP_END && g->kind == GROUP_ALL ==>
      \forall integer k; 0 <= k < g->members ==> items[k] == 1;
    ensures waits: \result.what == GROUP_NOTHING && g->phase == GROUP_OPEN ==>
      (g->kind == GROUP_RACE ? g->winner == GROUP_NONE :
        g->next < g->members && g->member[g->next] == GROUP_WAITS);
*/
group_todo group_next(group *g);

#endif
