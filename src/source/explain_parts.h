/* SPDX-License-Identifier: MIT */
/*
 * explain_parts.h -- what the parts of explain share: the tree, the place, and
 * the message in the making.
 */
#ifndef SOURCE_EXPLAIN_PARTS_H
#define SOURCE_EXPLAIN_PARTS_H

#include "shape.h"

typedef struct explainer {
	analysis a;
	shaper shaper;
	const source_error *e;
	uint32_t at;          /* the place, in bytes of the engine's text */
	const js_node *fault; /* set: what is at fault, for a better place */
	buf *out;
} explainer;

/* ---------------------------------------------------------- explain_find.c */

/* obj.key or obj["key"] at the place; obj[i] when no such key is written. */
const js_node *find_member(const explainer *x, text key);
/* The call (or new) whose callee the place names. */
const js_node *find_call(const explainer *x);
/* The name, used at the place. */
const js_node *find_name(const explainer *x, text name);
/* What is walked (behind of or ..., or by a pattern [a]), or else taken apart
 * by a pattern { a }: at or behind the place, in its function. A pattern stands
 * for what it is applied to. NULL: there is none. */
const js_node *find_subject(explainer *x, bool walked);
/* How a subject is called: "data.list". */
text subject_text(explainer *x, const js_node *n);
/* The expression that a subject comes from, when it is not one itself. */
const js_node *find_origin(const js_node *subject);
/* Does the script make this error itself, with new Error? */
bool find_made(const explainer *x);
/* The class behind the new that makes this error, where the place is among its
 * arguments; NULL: there is none. */
const js_node *find_making(const explainer *x);

/* --------------------------------------------------------- explain_rules.c */

/* ": x is an object with keys a, b"; false: not known. */
bool explain_what(explainer *x, const js_node *n);
bool explain_is_promise(explainer *x, const js_node *n);
/* An await is missing in front of n, whose member was wanted. */
void explain_await(explainer *x, const js_node *n);

/* ------------------------------------------------- the rules */

#define RULE(begins, ends, name) bool rule_##name(explainer *x, text words);
#include "explain.def"
#undef RULE
/* Why n is undefined or null, as far as that is known. */
void explain_why(explainer *x, const js_node *n);
/* What a built-in was given is not what it takes. */
bool explain_argument(explainer *x, const char *takes);

#endif
