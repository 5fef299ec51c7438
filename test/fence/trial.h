/* SPDX-License-Identifier: MIT */
/*
 * trial.h -- runs a program, perhaps on a kernel that seems to lack something,
 * and keeps what it wrote to stdout and stderr.
 */
#ifndef TEST_FENCE_TRIAL_H
#define TEST_FENCE_TRIAL_H

#include "unit/unit.h"

#include "base/json.h"

/* System calls that answer with an error instead; ends with number -1. */
typedef struct mask {
	long number;
	int error;
} mask;

typedef struct trial {
	int status; /* exit status; 128 + signal */
	buf out;
} trial;

/* masks may be NULL. argv ends with NULL. End with trial_fini. */
void trial_run(trial *t, const mask *masks, const char *const *argv);
void trial_fini(trial *t);

/* .out as JSON; fails the test when it is none. */
json trial_json(const trial *t);
/* The element of an array of objects whose "name" that is; missing if none. */
json trial_named(json list, const char *name);

#endif
