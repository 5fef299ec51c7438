/* SPDX-License-Identifier: MIT */
/*
 * calls_parts.h -- what the parts of the list of calls share.
 */
#ifndef SOURCE_CALLS_PARTS_H
#define SOURCE_CALLS_PARTS_H

#include "base/sort.h"
#include "check_parts.h"

/* ------------------------------------------------------------- calls_follow.c */

/* Adds a place that reaches the tools of a path. */
void calls_add(analysis *a, const js_node *n, text path, unsigned flags);
/* The key that an expression in brackets, or a property's name, stands for;
 * empty: it is computed. */
text calls_key(analysis *a, const js_node *key);
/* The same of a JS_MEMBER or JS_INDEX. */
text calls_member_key(analysis *a, const js_node *member);
/* Puts the list in the order of the text, for calls_at. */
void calls_sort(analysis *a);
/* Does this name mean what the language or the environment gives? */
bool calls_is_built_in(const analysis *a, const js_node *name);
/* Can the place of n do no more with its value than look whether there is one,
 * or turn it into a string, a number or a boolean? */
bool calls_place_is_harmless(const js_node *n);

/* ------------------------------------------------------------ calls_code.c */

/* Adds "*" for each way to code that is not in the tree: eval, Function, and
 * what leads to them. */
void calls_of_code(analysis *a);

/* ----------------------------------------------------------- calls_often.c */

/* Is this a method that calls a function for each element? */
bool calls_runs_callbacks(text method);
/* Sets LOOP, MAP and AWAITED of every place in the list, which is in the order
 * of a walk. */
void calls_repeated(analysis *a);

#endif
