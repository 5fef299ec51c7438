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

/* --------------------------------------------------------------- arguments */

/* The innermost call around the place with an argument that is spread: the
 * engine's place may be that of a call among its arguments. */
static const js_node *
find_spread_call(const explainer *x)
{
	const js_node *root = x->a.tree.root, *n, *call = NULL;

	for (n = root; n; n = js_next(n, root))
		if (n->kind == JS_SPREAD && n->parent->kind != JS_ARRAY &&
		    n->parent->kind != JS_OBJECT && n->parent->start <= x->at &&
		    x->at <= n->parent->end)
			call = n->parent;
	return call;
}

/* f(...list) with a long list. */
bool
rule_too_many_arguments(explainer *x, text words)
{
	const js_node *call = find_spread_call(x);

	(void)words;
	if (!call)
		return false;
	buf_printf(x->out,
	    "%.*s(...) takes at most 65,535 arguments, and the list that is "
	    "spread has more: write ",
	    TEXT_ARG(analysis_text(&x->a, call->child)));
	if (text_eq(call_method(call), TEXT("push")))
		buf_str(x->out, "for (const x of list) all.push(x), or "
				"all = all.concat(list)");
	else
		buf_str(x->out, "a loop or list.reduce((a, b) => ...), or call "
				"it with parts of list.slice(...)");
	return true;
}

/* tools.x = f in strict code. */
bool
rule_set_of_tools(explainer *x, text words)
{
	const js_node *root = x->a.tree.root, *n, *target = NULL;

	(void)words;
	for (n = root; n; n = js_next(n, root))
		if (n->kind == JS_ASSIGN && n->child->start <= x->at &&
		    x->at <= n->child->end)
			target = n->child;
	for (n = target; n && n->child; n = n->child)
		;
	if (!n || !node_is(n, "tools"))
		return false;
	x->fault = target;
	buf_printf(x->out,
	    "%.*s cannot be set: tools stay as they are; keep a function of "
	    "your own in a variable",
	    TEXT_ARG(analysis_text(&x->a, target)));
	return true;
}

/* btoa() and atob() know Latin-1 alone. */
bool
rule_not_latin(explainer *x, text words)
{
	const js_node *call = find_call(x);

	(void)words;
	if (!call || !node_is(call->child, "btoa"))
		return false;
	x->fault = call;
	buf_str(x->out, "btoa takes characters up to U+00FF: write "
			"Buffer.from(text).toString(\"base64\")");
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

/* ------------------------------------------------------------------ throw */

/* AbortController, and Promise.reject: their reasons may be any value. */
static bool
rejects_with_any(const js_node *n)
{
	return (n->kind == JS_NAME && (node_is(n, "AbortController") ||
					  node_is(n, "AbortSignal"))) ||
	       (n->kind == JS_KEY && node_is(n, "reject"));
}

void
source_place_thrown(const source_prepared *p, source_error *e)
{
	arena memory =
	    ARENA_INIT(p->own_code.alloc, p->code.len * 400 + (1 << 20));
	analysis a;
	const js_node *n, *thrown = NULL;

	if (p->fault.code != NULL || !analysis_init(&a, p, NULL, &memory))
		goto out;
	for (n = a.tree.root; n; n = js_next(n, a.tree.root)) {
		if (rejects_with_any(n) || (n->kind == JS_THROW && thrown))
			goto out;
		if (n->kind == JS_THROW && n->child->kind != JS_NEW)
			thrown = n;
	}
	if (thrown)
		e->line = analysis_line(&a, thrown, &e->column);
out:
	arena_fini(&memory);
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
