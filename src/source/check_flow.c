/* SPDX-License-Identifier: MIT */
/*
 * check_flow.c -- statements that are never reached, and scripts that declare
 * functions and call none.
 */
#include "check_parts.h"

static bool
leaves_block(const js_node *s)
{
	return s->kind == JS_RETURN || s->kind == JS_THROW ||
	       s->kind == JS_BREAK || s->kind == JS_CONTINUE;
}

/* What counts wherever it stands. */
static bool
is_hoisted_statement(const js_node *s)
{
	const js_node *d;

	if (s->kind == JS_FUNCTION_DECL || s->kind == JS_EMPTY)
		return true;
	if (s->kind != JS_VAR || s->op != T_VAR)
		return false;
	for (d = s->child; d; d = d->next)
		if (d->child->next)
			return false;
	return true;
}

static void
check_list(analysis *a, const js_node *first)
{
	const js_node *left = NULL;

	for (const js_node *s = first; s; s = s->next) {
		if (left && !is_hoisted_statement(s)) {
			unsigned column, line = analysis_line(a, left, &column);

			analysis_add(a, CHECK_UNREACHABLE, s,
			    "this is never reached: line %u ends with %s", line,
			    js_kind_name((js_kind)left->kind));
			return;
		}
		if (!left && leaves_block(s))
			left = s;
	}
}

static bool
is_function_literal(const js_node *n)
{
	return n->kind == JS_ARROW || n->kind == JS_FUNCTION;
}

/* A script that declares functions and calls none does nothing. */
static void
check_nothing(analysis *a)
{
	const js_node *s, *f = NULL;

	for (s = a->tree.root->child; s; s = s->next) {
		if (s->kind == JS_FUNCTION_DECL)
			f = s;
		else if (s->kind == JS_EXPR && is_function_literal(s->child))
			f = s->child;
		else if (s->kind == JS_VAR && s->child->child->next &&
			 is_function_literal(s->child->child->next))
			f = s;
		else if (s->kind != JS_EMPTY && s->kind != JS_CLASS_DECL &&
			 !(s->flags & JS_DIRECTIVE))
			return;
	}
	if (f)
		analysis_add(a, CHECK_NOTHING_HAPPENS, f,
		    "nothing is called here, so nothing happens: write the "
		    "statements themselves, or end with return and a call of "
		    "the function");
}

void
check_flow(analysis *a)
{
	const js_node *root = a->tree.root, *n;

	for (n = root; n && !analysis_is_full(a); n = js_next(n, root)) {
		if (n->kind == JS_BODY || n->kind == JS_BLOCK)
			check_list(a, n->child);
		else if (n->kind == JS_CASE && n->child)
			check_list(a, n->child->next);
	}
	check_nothing(a);
}
