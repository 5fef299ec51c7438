/* SPDX-License-Identifier: MIT */
/*
 * world.h -- the scheduler and its groups as one closed world: events go in,
 * todos come out, and watchers hold every law against what was seen.
 *
 * The watchers know nothing of the machines' state. What they know is which
 * events there were and which todos came of them (struct seen), and a law is
 * a sentence about that. The wiring between the two machines is here what a
 * shell would do: an answer that is delivered settles the members of groups,
 * and a group's loser is cancelled.
 */
#ifndef SIM_WORLD_H
#define SIM_WORLD_H

#include "sched/group.h"
#include "sched/sched.h"

#define SIM_CALLS  48
#define SIM_LANES  5
#define SIM_GROUPS 2

typedef enum sim_kind {
	SIM_ISSUED,
	SIM_FINISHED,
	SIM_CANCELLED,
	SIM_OBSERVED,
	SIM_OVER,
	SIM_NEXT,
	SIM_OPEN, /* a group, with the calls of mask */
	SIM_GROUP_NEXT
} sim_kind;

typedef struct sim_event {
	sim_kind kind;
	uint32_t i;     /* call, sched_why, or group         */
	bool failed;    /* of finished and cancelled         */
	uint16_t tool;  /* of issued                         */
	uint16_t server;
	uint32_t race;  /* of open: GROUP_RACE, GROUP_ALL    */
	uint64_t mask;  /* of open: its calls                */
} sim_event;

/* What came of an event; for issued the number, in todo.call. */
typedef struct sim_answer {
	sched_todo todo;
	group_todo group;
	bool taken; /* of over */
} sim_answer;

/* Everything that was seen of one call. */
typedef struct seen {
	uint8_t started, interrupted, closed;
	uint8_t settled, cancelled;
	uint8_t watched, told_failed, lost, reported;
	uint16_t tool, server;
} seen;

/* And of one group. Members are numbered by rising calls. */
typedef struct seen_group {
	uint8_t open, race, ended;
	uint8_t first;  /* member that was settled first, from 1 */
	uint8_t winner; /* member that was told as such, from 1  */
	uint8_t items;  /* told                                  */
	uint64_t mask, lost;
	uint32_t call[SIM_CALLS];
	uint32_t members;
} seen_group;

typedef struct world {
	uint32_t cap, budget, lanes;
	int64_t limit[SIM_LANES];

	sched s;
	sched_call call[SIM_CALLS];
	sched_lane lane[SIM_LANES];
	group g[SIM_GROUPS];
	uint8_t member[SIM_GROUPS][SIM_CALLS];

	seen seen[SIM_CALLS];
	seen_group group[SIM_GROUPS];
	uint32_t issued;
	bool over, end_told;
	uint32_t why;
} world;

void world_init(world *w, uint32_t cap, uint32_t budget, uint32_t lanes,
    const int64_t *limit);

/* NULL, or the law that was broken. */
const char *world_do(world *w, const sim_event *e, sim_answer *a);

/* May this call start, as far as can be seen? */
bool world_may_start(const world *w, uint32_t i);

#endif
