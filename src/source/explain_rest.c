/* SPDX-License-Identifier: MIT */
/*
 * explain_rest.c -- names, JSON, modules, and what a built-in refuses.
 */
#include "explain_parts.h"
#include "normal.h"

/* ------------------------------------------------------------------- names */

bool
rule_not_defined(explainer *x, text words)
{
	const js_node *n =
	    find_name(x, text_sub(words, 0, text_find(words, TEXT(" "), 0)));

	if (!n)
		return false;
	x->fault = n;
	names_tell(&x->a, n, x->out);
	return true;
}

/* --------------------------------------------------------------------- JSON */

bool
rule_bad_json(explainer *x, text words)
{
	const js_node *call = find_call(x), *first;

	if (!call || call->kind != JS_CALL || call->child->kind != JS_MEMBER ||
	    !node_is(call->child->child, "JSON") ||
	    !text_eq(call_method(call), TEXT("parse")) ||
	    !(first = call_argument(call, 0)))
		return false;
	x->fault = first;
	buf_printf(x->out,
	    "JSON.parse(%.*s): ", TEXT_ARG(analysis_text(&x->a, first)));
	if (explain_is_promise(x, first)) {
		buf_str(x->out, "it is a promise; write await in front of it");
	} else if (text_starts(words, TEXT("unexpected token: 'undefined'"))) {
		buf_str(x->out, "it is undefined");
		explain_why(x, first);
	} else if (text_starts(words, TEXT("unexpected token: 'object'"))) {
		buf_str(x->out, "it is a value already; drop JSON.parse");
	} else {
		buf_printf(
		    x->out, "the text is not JSON (%.*s)", TEXT_ARG(words));
		explain_what(x, first);
	}
	return true;
}

/* ---------------------------------------------------------------- modules */

/* import() of a module: the engine tells its name, and no place. It is the one
 * that names it, or the only one. */
bool
rule_no_module(explainer *x, text words)
{
	const js_node *root = x->a.tree.root, *n, *only = NULL;
	text name = text_sub(words, TEXT("could not load module '").len,
	    words.len > 0 ? words.len - 1 : 0);
	size_t imports = 0;

	for (n = root; n && !x->fault; n = js_next(n, root)) {
		if (n->kind != JS_IMPORT_CALL || !n->child)
			continue;
		only = imports++ == 0 ? n : NULL;
		if (text_find(js_text(&x->a.tree, n->child), name, 0) !=
		    SIZE_MAX)
			x->fault = n;
	}
	if (!x->fault)
		x->fault = only;
	if (x->fault)
		buf_printf(x->out, NORMAL_NO_MODULE,
		    TEXT_ARG(js_text(&x->a.tree, x->fault->child)));
	return x->fault != NULL;
}

/* What a built-in complains about: the engine's words, with its call. */
bool
rule_built_in(explainer *x, text words)
{
	const js_node *call = x->e->native.len > 0 ? find_call(x) : NULL;

	if (!call)
		return false;
	x->fault = call;
	buf_printf(x->out, "%.*s: %.*s", TEXT_ARG(analysis_text(&x->a, call)),
	    TEXT_ARG(words));
	return true;
}
