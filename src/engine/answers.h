/* SPDX-License-Identifier: MIT */
/*
 * answers.h -- answers on their way into a script: an engine keeps what it is
 * told between two turns, and delivers it in the next one.
 */
#ifndef ENGINE_ANSWERS_H
#define ENGINE_ANSWERS_H

#include "base/mem.h"
#include "base/text.h"

typedef enum answer_kind {
	ANSWER_RESOLVE,
	ANSWER_REJECT,
	ANSWER_FIRE
} answer_kind;

typedef struct engine_answer {
	answer_kind kind;
	uint32_t id; /* of the call, or of the timer */
	text json, name, message, members;
	char *own; /* the block that holds the texts; NULL: none */
	size_t bytes;
} engine_answer;

/* Zeroed: none. */
typedef struct answers {
	engine_answer *at;
	size_t len, cap;
} answers;

/* The texts are copied. On CM_ENOMEM nothing was added. */
cm_status answers_add(answers *list, const cm_alloc *a, engine_answer one);
/* All are over; their memory but for the list's own is given back. */
void answers_drop(answers *list, const cm_alloc *a);
void answers_fini(answers *list, const cm_alloc *a);

#endif
