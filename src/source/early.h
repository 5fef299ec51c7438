/* SPDX-License-Identifier: MIT */
/*
 * early.h -- errors that are not in the grammar, found in one walk over
 * the finished tree: what holds in strict mode, which names are declared twice,
 * which private names are used without a declaration.
 *
 * In one walk, because "use strict" comes after a function's name and
 * parameters, and var after the block that it escapes from.
 */
#ifndef SOURCE_EARLY_H
#define SOURCE_EARLY_H

#include "parse.h"

/* A function, class, field or script: what holds inside it. */
typedef struct frame {
	struct frame *outer;
	const js_node *node;
	bool strict;
	bool generator, async;
	bool params;       /* inside its parameters */
	bool no_arguments; /* field, static block: and arrows in them */
	bool no_await;     /* static block */
} frame;

/* A block, function, loop head: where let, const and class live. */
typedef struct scope {
	struct scope *outer;
	const js_node *node;
	struct scope *function; /* where its var names live; of a function: itself */
	enum { UNKNOWN, ALLOWED, FORBIDDEN } repeats; /* of parameters */
	struct binding *names;  /* what it declares */
	struct variable *vars;  /* function: its var names */
} scope;

/* A class body and its private names. */
typedef struct private_scope {
	struct private_scope *outer;
	const js_node *class;
	struct private_name *names;
} private_scope;

typedef struct checker {
	parser *p;
	frame *frame;
	scope *scope;
	private_scope *private;
} checker;

/* scope.c */
void scope_enter(checker *c, const js_node *n);
void scope_leave(checker *c, const js_node *n);
/* private.c */
void private_enter(checker *c, const js_node *n);
void private_leave(checker *c, const js_node *n);

#endif
