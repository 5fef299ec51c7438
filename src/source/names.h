/* SPDX-License-Identifier: MIT */
/*
 * names.h -- which declaration does a name mean?
 *
 * Two walks over a tree: the first puts every declaration into its scope, the
 * second gives every use its binding. A use without one is a global, or
 * nothing. The scopes are those of sloppy code: a function in a block is also
 * a var of the function around it. Strict code does not do that, and sloppy
 * code not always. So a binding that may be hidden this way counts as changed
 * (.sets), and one that may mean a parameter around the script is .maybe_global:
 * code that follows values must look at both.
 */
#ifndef SOURCE_NAMES_H
#define SOURCE_NAMES_H

#include "source/js.h"

typedef enum binding_kind {
	BINDING_VAR,
	BINDING_LET,
	BINDING_CONST, /* using, too */
	BINDING_FUNCTION,
	BINDING_CLASS,
	BINDING_PARAMETER,
	BINDING_CAUGHT
} binding_kind;

typedef struct binding {
	struct binding *outer; /* of the same name, while the walk is inside */
	struct binding *next;  /* of the same scope */
	const struct scope *scope;
	js_name *name;
	const js_node *node; /* the JS_BIND */
	const js_node *init; /* its first value, when it has one of its own */
	const js_node *function; /* whose scope it is in; the root */
	struct binding *same;    /* the one that stands for both; or NULL */
	binding_kind kind;
	bool maybe_global;    /* its uses may mean what is bound outside of the
			       * script: see names.c */
	uint32_t first, last; /* its uses, counted from 1; 0: none */
	uint32_t uses;
	uint32_t sets; /* times it may be changed after its declaration */
	text path;     /* the part of tools that it holds, and ... */
	bool follows;  /* ... whether it holds one: calls_follow.c */
} binding;

typedef struct name_use {
	const js_node *node;
	binding *binding; /* NULL: nothing in the script declares it */
	uint32_t next;    /* of the same binding, counted from 1; 0: none */
} name_use;

typedef struct names {
	name_use *use; /* every JS_NAME, in the order of the text */
	size_t uses;
	binding **all; /* in the order of the text */
	size_t bindings;
} names;

/* Everything lives in the tree's arena. CM_ENOMEM, CM_ELIMIT. */
cm_status names_read(const js_tree *t, names *out);
/* What a JS_NAME means; NULL: nothing in the script declares it. */
binding *names_find(const names *ns, const js_node *name);
/* The binding that this JS_BIND makes. */
binding *names_made(const names *ns, const js_node *bind);
/* The function around a node (not itself), or the root. */
const js_node *names_function(const js_node *n);

#endif
