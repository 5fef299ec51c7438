/* SPDX-License-Identifier: MIT */
/*
 * explain_words.c -- what many rules say: what a value is, that an await is
 * missing.
 */
#include "explain_parts.h"

/* ": x is an object with keys a, b". */
bool
explain_what(explainer *x, const js_node *n)
{
	shape t = shape_of(&x->shaper, n);

	if (!t.known)
		return false;
	buf_printf(x->out, ": %.*s is ", TEXT_ARG(analysis_text(&x->a, n)));
	shape_tell(t.value, x->out);
	return true;
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
	    TEXT_ARG(analysis_text(&x->a, n)),
	    TEXT_ARG(analysis_text(&x->a, n)));
}
