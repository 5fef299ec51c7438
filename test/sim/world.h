/* SPDX-License-Identifier: MIT */
/*
 * world.h -- the scheduler alone: events go in, todos come out, and watchers
 * hold every law against what was seen.
 *
 * The watchers do not read the machine's state. They know which events there
 * were and which todos came of them (struct seen), and a law is a sentence
 * about that. Events come in any order here, also those that no shell makes;
 * shell.c explores the machine inside the shell that uses it.
 */
#ifndef SIM_WORLD_H
#define SIM_WORLD_H

#include "sched/sched.h"

#define SIM_CALLS 48
#define SIM_LANES 5

typedef enum sim_kind {
	SIM_ISSUED,
	SIM_FINISHED,
	SIM_CANCELLED,
	SIM_UNSEEN,
	SIM_OBSERVED,
	SIM_OVER,
	SIM_NEXT
} sim_kind;

typedef struct sim_event {
	sim_kind kind;
	uint32_t i;    /* call; of next: `ready`          */
	bool failed;   /* of finished and cancelled       */
	uint16_t tool; /* of issued                       */
	uint16_t server;
} sim_event;

/* What came of an event; for issued the number, in todo.call. */
typedef struct sim_answer {
	sched_todo todo;
	bool taken; /* of over */
} sim_answer;

/* Everything that was seen of one call. */
typedef struct seen {
	uint8_t started, interrupted, closed;
	uint8_t settled, cancelled;
	uint8_t told_failed, unseen, reported;
	uint16_t tool, server;
} seen;

typedef struct world {
	uint32_t cap, budget, lanes;
	int64_t limit[SIM_LANES];

	sched s;
	sched_call call[SIM_CALLS];
	sched_lane lane[SIM_LANES];

	seen seen[SIM_CALLS];
	uint32_t issued;
	bool over, end_told;
} world;

void world_init(world *w, uint32_t cap, uint32_t budget, uint32_t lanes,
    const int64_t *limit);

/* NULL, or the law that was broken. */
const char *world_do(world *w, const sim_event *e, sim_answer *a);

/* May this call start, as far as can be seen? */
bool world_may_start(const world *w, uint32_t i);

#endif
