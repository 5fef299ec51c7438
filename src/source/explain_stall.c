/* SPDX-License-Identifier: MIT */
/*
 * explain_stall.c -- where a script waits for a promise that never settles.
 *
 * The engine cannot be asked: a function that waits for such a promise is
 * garbage, and gone. But no call of a tool and no timer was pending, so it was
 * none of those awaits. The others are ranked by how sure it is that their
 * promise never settles; the best are named.
 */
#include "explain_parts.h"

enum { NAMED_MAX = 5, DEPTH_MAX = 8 };

typedef enum rank {
	SETTLES,   /* a promise of a tool or a timer; a plain value */
	MAY_STALL, /* made elsewhere in the script */
	LIKELY,    /* a new Promise whose resolve went somewhere */
	NEVER      /* a new Promise whose resolve is not used; an empty race */
} rank;

typedef struct waits {
	explainer *x;
	rank best;
	const js_node *at[NAMED_MAX]; /* those of the best rank */
	unsigned len;                 /* NAMED_MAX + 1: there are more */
} waits;

/* Does a function set a timer, or call a tool? */
static bool
wakes_itself(const explainer *x, const js_node *function)
{
	for (const js_node *n = function; n; n = js_next(n, function))
		if (n->kind == JS_CALL && (node_is(n->child, "setTimeout") ||
					      calls_at(&x->a, n) != NULL))
			return true;
	return false;
}

/* new Promise(function) */
static rank
rank_of_new(const explainer *x, const js_node *v)
{
	const js_node *f = call_argument(v, 0), *first;
	const binding *b;

	if (!node_is(v->child, "Promise") || f == NULL ||
	    (f->kind != JS_ARROW && f->kind != JS_FUNCTION))
		return MAY_STALL;
	first = f->kind == JS_ARROW ? f->child->child : f->child->next->child;
	b = first && first->kind == JS_BIND ? names_made(&x->a.names, first)
					    : NULL;
	if (first == NULL || (b != NULL && b->uses == 0))
		return NEVER;
	return wakes_itself(x, f) ? SETTLES : LIKELY;
}

static rank rank_of(const explainer *x, const js_node *v, unsigned depth);

/* The surest of the members of Promise.all([...]) and its like. */
static rank
rank_of_members(const explainer *x, const js_node *call, unsigned depth)
{
	const js_node *list = call_argument(call, 0);
	rank best = SETTLES, r;

	if (list == NULL || list->kind != JS_ARRAY)
		return MAY_STALL;
	if (list->child == NULL && text_eq(call_method(call), TEXT("race")))
		return NEVER;
	for (const js_node *n = list->child; n; n = n->next)
		if ((r = rank_of(x, n, depth)) > best)
			best = r;
	return best;
}

static rank
rank_of_call(const explainer *x, const js_node *v, unsigned depth)
{
	const js_node *callee = v->child;
	const js_node *f = function_of(&x->a, callee);

	/* An async function of the script has awaits of its own. */
	if (calls_at(&x->a, v) != NULL || (f != NULL && is_async(f)))
		return SETTLES;
	if (callee->kind != JS_MEMBER)
		return MAY_STALL;
	if (node_is(callee->child, "codemode"))
		return SETTLES;
	return node_is(callee->child, "Promise") ? rank_of_members(x, v, depth)
						 : MAY_STALL;
}

static rank
rank_of(const explainer *x, const js_node *v, unsigned depth)
{
	const binding *b;

	if (depth == DEPTH_MAX || !analysis_spend(&x->a, 1))
		return MAY_STALL;
	switch (v->kind) {
	case JS_NEW:
		return rank_of_new(x, v);
	case JS_CALL:
		return rank_of_call(x, v, depth + 1);
	case JS_NAME:
		b = names_find(&x->a.names, v);
		if (b != NULL && b->init != NULL && b->sets == 0)
			return rank_of(x, b->init, depth + 1);
		return MAY_STALL;
	case JS_MEMBER:
	case JS_INDEX:
	case JS_CHAIN:
	case JS_CONDITIONAL:
	case JS_BINARY:
		return MAY_STALL;
	default:
		return SETTLES;
	}
}

static void
note_wait(waits *w, const js_node *n, rank r)
{
	if (r == SETTLES || r < w->best)
		return;
	if (r > w->best)
		w->len = 0;
	w->best = r;
	if (w->len < NAMED_MAX)
		w->at[w->len] = n;
	if (w->len <= NAMED_MAX)
		w->len++;
}

/* What is returned is awaited, too; it counts only when it is a promise for
 * sure. */
static void
find_waits(waits *w)
{
	const js_node *root = w->x->a.tree.root, *n;
	rank r;

	for (n = root; n; n = js_next(n, root)) {
		if (n->kind == JS_AWAIT) {
			note_wait(w, n, rank_of(w->x, n->child, 0));
		} else if (n->kind == JS_FOR_OF && (n->flags & JS_ASYNC)) {
			note_wait(w, n, MAY_STALL);
		} else if (n->kind == JS_RETURN && n->child) {
			r = rank_of(w->x, n->child, 0);
			if (r > MAY_STALL)
				note_wait(w, n, r);
		}
	}
}

static unsigned
line_of(const explainer *x, const js_node *n, unsigned *column)
{
	unsigned line;

	text_position(
	    x->a.p->text, source_offset(x->a.p, n->start), &line, column);
	return line;
}

static void
tell_waits(const waits *w, source_error *e, buf *out)
{
	unsigned i, column, named = w->len < NAMED_MAX ? w->len : NAMED_MAX;

	e->line = line_of(w->x, w->at[0], &column);
	e->column = column;
	buf_text(out, e->message);
	if (w->len == 1) {
		buf_printf(out, "; it waits here: %.*s",
		    TEXT_ARG(explain_shown(w->x, w->at[0])));
		return;
	}
	buf_str(out, "; it waits in one of these lines: ");
	for (i = 0; i < named; i++)
		buf_printf(out, "%s%u", i > 0 ? ", " : "",
		    line_of(w->x, w->at[i], &column));
	if (w->len > NAMED_MAX)
		buf_str(out, " ...");
}

void
source_explain_stall(const source_prepared *p, const source_tools *tools,
    source_error *e, buf *out)
{
	arena memory = ARENA_INIT(out->alloc, p->code.len * 400 + (1 << 20));
	buf message = BUF_INIT(out->alloc, 1 << 16);
	explainer x = {.e = e, .out = out};
	waits w = {.x = &x};

	if (p->fault.code == NULL && analysis_init(&x.a, p, tools, &memory)) {
		calls_find(&x.a);
		find_waits(&w);
		if (w.len > 0)
			tell_waits(&w, e, &message);
		if (message.bad == CM_OK)
			buf_text(out, buf_view(&message));
	}
	buf_fini(&message);
	arena_fini(&memory);
}
