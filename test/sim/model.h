/* SPDX-License-Identifier: MIT */
/*
 * model.h -- what the scheduler should say, worked out naively.
 *
 * The model keeps no state but a log of all that happened. To say what comes
 * next it reads the whole log again for each question: did call 7 start, does
 * it run, how many of lane 2 run. Nothing is counted and nothing has a cursor.
 */
#ifndef SIM_MODEL_H
#define SIM_MODEL_H

#include "world.h"

#define MODEL_LOG 4096

typedef struct entry {
	sim_event event;
	sim_answer answer;
} entry;

typedef struct model {
	uint32_t cap, budget, lanes;
	int64_t limit[SIM_LANES];
	entry log[MODEL_LOG];
	uint32_t len;
} model;

void model_init(model *m, uint32_t cap, uint32_t budget, uint32_t lanes,
    const int64_t *limit);

/* What e should answer; the log is as it was. */
sim_answer model_expect(const model *m, const sim_event *e);

void model_log(model *m, const sim_event *e, const sim_answer *a);

uint32_t model_issued(const model *m);

#endif
