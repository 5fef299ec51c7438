/* SPDX-License-Identifier: MIT */
/*
 * check_flow.c -- statements that are never reached, and scripts that declare
 * functions and call none.
 */
#include "check_parts.h"
#include "normal.h"

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

/* Does the script use a way of its own to give or keep something? */
static bool
gives_something(const analysis *a)
{
	static const char *const ways[] = {"text", "console", "image", "audio",
	    "file", "resource", "store", "exit", NULL};

	for (size_t i = 0; i < a->names.uses; i++)
		if (!a->names.use[i].binding &&
		    is_one_of(a->names.use[i].node->name->text, ways))
			return true;
	return false;
}

enum { NAMES_MAX = 4 };

/* The names in a target, "a, b"; the first few. */
static void
add_names(analysis *a, const js_node *target, text *list, unsigned *count)
{
	for (const js_node *n = target; n; n = js_next(n, target)) {
		if ((n->kind != JS_BIND && n != target &&
			!(n->kind == JS_NAME && (n->flags & JS_TARGET))) ||
		    !n->name || *count == NAMES_MAX)
			continue;
		*list = analysis_printf(a, "%.*s%s%.*s", TEXT_ARG(*list),
		    (*count)++ > 0 ? ", " : "", TEXT_ARG(n->name->text));
	}
}

/* What the statement sets: "r" or "{ a, b }"; empty: nothing but functions. */
static text
set_by(analysis *a, const js_node *s)
{
	const js_node *target;
	text list = TEXT_NONE;
	unsigned count = 0;

	if (s->kind == JS_EXPR && s->child->kind == JS_ASSIGN) {
		target = s->child->child;
		while (target->kind == JS_MEMBER || target->kind == JS_INDEX)
			target = target->child;
		add_names(a, target, &list, &count);
	} else if (s->kind == JS_VAR) {
		for (const js_node *d = s->child; d; d = d->next) {
			const js_node *init = d->child->next;

			if (init && !js_is_function(init) &&
			    init->kind != JS_CLASS)
				add_names(a, d->child, &list, &count);
		}
	}
	return count < 2 ? list
			 : analysis_printf(a, "{ %.*s }", TEXT_ARG(list));
}

/* A script that ends with an assignment gives nothing. */
static void
check_last_assignment(analysis *a)
{
	const js_node *s, *last = NULL;
	text given;

	for (s = a->tree.root->child; s; s = s->next)
		if (s->kind != JS_EMPTY)
			last = s;
	if (!last || main_returns(a->tree.root) || gives_something(a) ||
	    (given = set_by(a, last)).len == 0)
		return;
	analysis_add(a, CHECK_NOTHING_RETURNED, last,
	    "nothing was returned: add return %.*s", TEXT_ARG(given));
}

/* The return in front of a last expression was put in; if that is a call of an
 * async function of the script, a reader may think that nothing awaits it. */
static void
check_awaited_last(analysis *a)
{
	const js_node *s, *last = NULL, *v;

	for (s = a->tree.root->child; s; s = s->next)
		if (s->kind == JS_RETURN)
			last = s;
	if (!last || !last->child || last->child->kind != JS_CALL ||
	    text_starts(text_sub(a->p->text, source_offset(a->p, last->start),
			    a->p->text.len),
		TEXT("return")))
		return;
	for (v = last->child;
	     v->child->kind == JS_MEMBER && v->child->child->kind == JS_CALL;)
		v = v->child->child;
	if (v->child->kind == JS_NAME && function_of(a, v->child) &&
	    promise_of(a, last->child) == PROMISE_ONE)
		analysis_add(a, CHECK_AWAITED_LAST, last->child,
		    "%.*s stands last, so it is awaited and gives the value of "
		    "the script: write return await %.*s",
		    TEXT_ARG(promise_name(a, last->child)),
		    TEXT_ARG(promise_name(a, last->child)));
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

void
check_ending(analysis *a)
{
	check_awaited_last(a);
	for (size_t i = 0; i < a->out->problems; i++)
		if (a->out->problem[i].level == SOURCE_ERROR)
			return;
	check_last_assignment(a);
}
