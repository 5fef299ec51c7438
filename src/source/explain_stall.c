/* SPDX-License-Identifier: MIT */
/*
 * explain_stall.c -- where a script waits for a promise that never settles.
 *
 * The engine cannot be asked: a function that waits for such a promise is
 * garbage, and gone. But no call of a tool and no timer was pending, so the
 * script waits at none of the awaits of those. The others are named.
 */
#include "explain_parts.h"

enum { NAMED_MAX = 5, FUNCTIONS_DEEP = 3 };

static bool can_settle(const explainer *x, const js_node *n, unsigned left);

static bool
call_settles(const explainer *x, const js_node *call, unsigned left)
{
	const js_node *callee = call->child, *f = function_of(&x->a, callee);

	if (f != NULL)
		return is_async(f) || (left > 0 && can_settle(x, f, left - 1));
	return calls_at(&x->a, call) != NULL || node_is(callee, "setTimeout") ||
	       (callee->kind == JS_MEMBER &&
		   node_is(callee->child, "codemode"));
}

/* Does something in n call a tool, set a timer, or call an async function, which
 * has awaits of its own? True also when the budget is used up. */
static bool
can_settle(const explainer *x, const js_node *n, unsigned left)
{
	const js_node *root = n;
	const binding *b =
	    n->kind == JS_NAME ? names_find(&x->a.names, n) : NULL;

	if (b != NULL && b->init != NULL && b->sets == 0)
		root = n = b->init;
	for (; n; n = js_next(n, root))
		if (!analysis_spend(&x->a, 1) ||
		    (n->kind == JS_CALL && call_settles(x, n, left)))
			return true;
	return false;
}

/* What is returned is awaited, too, when it is a promise. */
static bool
may_stall(explainer *x, const js_node *n)
{
	if (n->kind == JS_FOR_OF)
		return n->flags & JS_ASYNC;
	if (n->kind == JS_RETURN && n->child && explain_is_promise(x, n->child))
		return !can_settle(x, n->child, FUNCTIONS_DEEP);
	return n->kind == JS_AWAIT && !can_settle(x, n->child, FUNCTIONS_DEEP);
}

void
source_explain_stall(const source_prepared *p, const source_tools *tools,
    source_error *e, buf *out)
{
	arena memory = ARENA_INIT(out->alloc, p->code.len * 400 + (1 << 20));
	explainer x = {.e = e, .out = out};
	const js_node *n, *first = NULL;
	unsigned line, column, named = 0;
	text lines = TEXT_NONE;

	if (p->fault.code != NULL || !analysis_init(&x.a, p, tools, &memory))
		goto out;
	calls_find(&x.a);
	for (n = x.a.tree.root; n; n = js_next(n, x.a.tree.root)) {
		if (named > NAMED_MAX || !may_stall(&x, n))
			continue;
		line = analysis_line(&x.a, n, &column);
		if (named++ == 0) {
			first = n;
			e->line = line;
			e->column = column;
		}
		lines = named > NAMED_MAX
			    ? analysis_printf(&x.a, "%.*s ...", TEXT_ARG(lines))
			    : analysis_printf(&x.a, "%.*s%s%u", TEXT_ARG(lines),
				  named > 1 ? ", " : "", line);
	}
	if (memory.bad != CM_OK)
		goto out;
	if (named == 1)
		buf_printf(out, "%.*s; it waits here: %.*s",
		    TEXT_ARG(e->message), TEXT_ARG(analysis_text(&x.a, first)));
	else if (named > 1)
		buf_printf(out, "%.*s; it waits in one of these lines: %.*s",
		    TEXT_ARG(e->message), TEXT_ARG(lines));
out:
	arena_fini(&memory);
}
