/* SPDX-License-Identifier: MIT */
/*
 * explain_syntax.c -- what the engine refuses when it compiles the script.
 *
 * The parser accepts more than the language allows, because the engine tells
 * the rest well. Here are the mistakes that it does not: it gives the place
 * behind them, or none, and not their names.
 */
#include "explain_parts.h"

/* Notes each name that is declared before the place. The last declaration; or,
 * with again, the last of a name that was declared before. */
static const js_node *
last_declared(const explainer *x, bool again)
{
	const js_node *root = x->a.tree.root, *n, *found = NULL;

	for (n = root; n && n->start < x->at; n = js_next(n, root)) {
		if (n->kind != JS_BIND || !n->name)
			continue;
		if (!again || n->name->scratch[ANALYSIS_TOLD])
			found = n;
		n->name->scratch[ANALYSIS_TOLD] = n->name;
	}
	return found;
}

bool
rule_declared_twice(explainer *x, text words)
{
	const js_node *n = last_declared(x, true);

	(void)words;
	if (!n)
		return false;
	x->fault = n;
	buf_printf(x->out,
	    "%.*s is declared twice in the same scope: drop the second "
	    "declaration or choose another name",
	    TEXT_ARG(n->name->text));
	return true;
}

bool
rule_no_value(explainer *x, text words)
{
	const js_node *n = last_declared(x, false);

	(void)words;
	if (!n)
		return false;
	x->fault = n;
	buf_printf(x->out, "%.*s must be given its value where it is declared",
	    TEXT_ARG(n->name->text));
	return true;
}

/* { name = value } where no pattern is. */
bool
rule_unexpected_equals(explainer *x, text words)
{
	const js_node *root = x->a.tree.root, *n;

	(void)words;
	for (n = root; n; n = js_next(n, root)) {
		if (n->kind != JS_PROPERTY || !(n->flags & JS_SHORTHAND) ||
		    n->parent->kind != JS_OBJECT || n->start > x->at ||
		    n->end < x->at)
			continue;
		x->fault = n;
		buf_printf(x->out,
		    "{ name = value } only works in a pattern: write { %.*s: "
		    "value }",
		    TEXT_ARG(js_text(&x->a.tree, n->child)));
		return true;
	}
	return false;
}

/* break outside of a loop: the engine has read on to the next token. */
bool
rule_stray_jump(explainer *x, text words)
{
	const js_node *root = x->a.tree.root, *n;

	for (n = root; n && n->start < x->at; n = js_next(n, root))
		if (n->kind == JS_BREAK || n->kind == JS_CONTINUE)
			x->fault = n;
	buf_text(x->out, words);
	return x->fault != NULL;
}

/* A regular expression that the engine cannot compile has no place. */
bool
rule_bad_regex(explainer *x, text words)
{
	const js_node *root = x->a.tree.root, *n, *found = NULL;
	size_t count = 0;

	if (x->e->line > 0 || !text_eq(x->e->name, TEXT("SyntaxError")))
		return false;
	for (n = root; n; n = js_next(n, root))
		if (n->kind == JS_REGEX && count++ == 0)
			found = n;
	x->fault = count == 1 ? found : NULL;
	if (count > 0)
		buf_printf(x->out, "%s not valid: %.*s",
		    count == 1 ? "this regular expression is"
			       : "one of the script's regular expressions is",
		    TEXT_ARG(words));
	return count > 0;
}
