/* SPDX-License-Identifier: MIT */
/*
 * explain_words.c -- what many rules say: what a thing is, that an await is
 * missing, what to write instead.
 */
#include "explain_parts.h"

text
explain_shown(explainer *x, const js_node *n)
{
	return analysis_text(&x->a, n);
}

/* ": x is an object with keys a, b". */
bool
explain_what(explainer *x, const js_node *n)
{
	thing t = shape_of(&x->shaper, n);

	if (t.kind == THING_UNKNOWN)
		return false;
	if (t.kind == THING_NULL || t.kind == THING_UNDEFINED) {
		buf_printf(x->out, ": %.*s", TEXT_ARG(explain_shown(x, n)));
		if (n->kind != JS_NULL && !node_is(n, "undefined"))
			buf_printf(x->out, " is %s",
			    t.kind == THING_NULL ? "null" : "undefined");
		else
			buf_str(x->out, " was given");
		return true;
	}
	buf_printf(x->out, ": %.*s is ", TEXT_ARG(explain_shown(x, n)));
	shape_tell(&x->shaper, &t, x->out);
	return true;
}

/* A hint, with the thing itself in the place of @. */
void
explain_hint(explainer *x, const char *hint, const js_node *n)
{
	buf_str(x->out, "; write ");
	for (; *hint; hint++)
		if (*hint == '@')
			buf_text(x->out, explain_shown(x, n));
		else
			buf_byte(x->out, *hint);
}

bool
explain_is_promise(explainer *x, const js_node *n)
{
	return promise_of(&x->a, n) == PROMISE_ONE;
}

/* An await is missing in front of n, whose member was wanted. */
void
explain_await(explainer *x, const js_node *n)
{
	buf_printf(x->out, ": %.*s is a promise; write (await %.*s)",
	    TEXT_ARG(explain_shown(x, n)), TEXT_ARG(explain_shown(x, n)));
}
