/* SPDX-License-Identifier: MIT */
/*
 * learning.h -- what --learn keeps from one command to the next: how often each
 * tool is called, and the types of results that tools do not declare.
 *
 * The file is $XDG_CACHE_HOME/codemode/learned.json (~/.cache), in the format
 * of doc/format/learned.md. A command uses the file as it was when the command
 * began, so that its catalog stays the same, and adds what its own calls show.
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
	const char *path; /* NULL: --learn is off */
	uint32_t day;     /* when the command began; days since 1970-01-01 */
	learned known;    /* the file as it was then */
	learned news;     /* what is not yet in the file */
	unsigned unsaved; /* calls in .news */
	struct learning_call {
		uint32_t number;
		uint32_t tool; /* index in .news; the tool declares no result */
	} * call;              /* in flight */
	size_t calls, call_cap;
	bool told; /* the write error was printed */
} learning;

/* on false: all other functions do nothing. */
void learning_open(learning *l, bool on, say *s);
/* Adds .news to the file. */
void learning_close(learning *l);
static inline bool
learning_is_on(const learning *l)
{
	return l->path != NULL;
}

/* How often that tool was called; 0: not known. */
uint32_t learning_used(const learning *l, const cm_tool *t);
/* Gives a tool without a declared result the observed schema, which is written
 * to schema. */
void learning_show(const learning *l, cm_tool *t, buf *schema);

/* The call begins. The caller must end it with its answer or with
 * learning_cancelled. */
void learning_called(learning *l, uint32_t number, const cm_tool *t);
/* The call ended: with value, or it failed (value is missing). */
void learning_answered(learning *l, uint32_t number, json value);
void learning_cancelled(learning *l, uint32_t number);

#endif
