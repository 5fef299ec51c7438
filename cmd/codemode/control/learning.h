/* SPDX-License-Identifier: MIT */
/*
 * learning.h -- what --learn keeps from command to command: which tools are
 * called how often, and what those return that do not say it.
 *
 * It is in $XDG_CACHE_HOME/codemode/learned.json (~/.cache); the form is that of
 * doc/format/learned.md. A command uses what the file said when it began, and
 * adds what it saw itself, so that its catalog does not change meanwhile.
 */
#ifndef CMD_LEARNING_H
#define CMD_LEARNING_H

#include "common/pool.h"
#include "common/say_line.h"

#include "shapes/learned.h"

#include <codemode/codemode.h>

typedef struct learning {
	say *say;
	pool pool;
	const char *path; /* NULL: nothing is learned, and nothing was */
	uint32_t day;     /* of the beginning */
	learned known;    /* as the file was then */
	learned news;     /* what is not in the file yet */
	unsigned unsaved; /* calls in .news */
	struct learning_call {
		uint32_t number;
		uint32_t tool; /* in .news; it declares no result */
	} * call;              /* in flight */
	size_t calls, call_cap;
	bool told; /* that the file cannot be written */
} learning;

/* on false: every other function does nothing. */
void learning_open(learning *l, bool on, say *s);
/* Writes what is new. */
void learning_close(learning *l);
static inline bool
learning_is_on(const learning *l)
{
	return l->path != NULL;
}

/* How often that tool was called, as far as known. */
uint32_t learning_used(const learning *l, const cm_tool *t);
/* A tool that declares no result gets what was observed; schema receives it. */
void learning_show(const learning *l, cm_tool *t, buf *schema);

/* That call begins; its answer is due, or learning_cancelled. */
void learning_called(learning *l, uint32_t number, const cm_tool *t);
/* It ended: with value, or it failed (missing). */
void learning_answered(learning *l, uint32_t number, json value);
void learning_cancelled(learning *l, uint32_t number);

#endif
