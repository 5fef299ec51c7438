/* SPDX-License-Identifier: MIT */
/*
 * explain_rest.c -- names, JSON, modules, and recursion without an end.
 */
#include "explain_parts.h"
#include "normal.h"

/* ------------------------------------------------------------------- names */

/* The word in front of the rest: "x is not defined". */
static text
word_in_front(text words)
{
	return text_sub(words, 0, text_find(words, TEXT(" "), 0));
}

bool
rule_not_defined(explainer *x, text words)
{
	const js_node *n = find_name(x, word_in_front(words));

	if (!n)
		return false;
	x->fault = n;
	names_tell(&x->a, n, x->out);
	return true;
}

bool
rule_not_initialized(explainer *x, text words)
{
	text name = word_in_front(words);
	const js_node *n = find_name(x, name);
	const binding *b = n ? names_find(&x->a.names, n) : NULL;
	unsigned line, column;

	if (!b)
		return false;
	x->fault = n;
	text_position(x->a.p->text, source_offset(x->a.p, b->node->start),
	    &line, &column);
	if (n->start > b->node->start)
		buf_printf(x->out,
		    "%.*s is used in its own value, before it "
		    "has one",
		    TEXT_ARG(name));
	else
		buf_printf(x->out,
		    "%.*s is used above its declaration in line "
		    "%u: move the declaration up",
		    TEXT_ARG(name), line);
	return true;
}

/* 'c' is read-only: a const, or a member of something frozen. */
bool
rule_read_only(explainer *x, text words)
{
	size_t end = text_find(words, TEXT("'"), 1);
	text name = text_sub(words, 1, end);
	const js_node *n = find_name(x, name);
	const binding *b = n ? names_find(&x->a.names, n) : NULL;

	if (b && b->kind == BINDING_CONST) {
		x->fault = n;
		buf_printf(x->out,
		    "%.*s is a const and cannot be changed: "
		    "declare it with let",
		    TEXT_ARG(name));
		return true;
	}
	n = find_member(x, name);
	if (!n)
		return false;
	x->fault = n;
	buf_printf(x->out, "%.*s cannot be changed: %.*s is frozen",
	    TEXT_ARG(explain_shown(x, n)),
	    TEXT_ARG(explain_shown(x, n->child)));
	return true;
}

/* --------------------------------------------------------------------- JSON */

static bool
is_method_call(const js_node *call, const char *object, const char *method)
{
	return call && call->kind == JS_CALL &&
	       call->child->kind == JS_MEMBER &&
	       node_is(call->child->child, object) &&
	       text_eq(call_method(call), text_of(method));
}

bool
rule_bad_json(explainer *x, text words)
{
	const js_node *call = find_call(x), *first;
	thing t;

	if (!is_method_call(call, "JSON", "parse") ||
	    !(first = call_argument(call, 0)))
		return false;
	x->fault = first;
	t = shape_of(&x->shaper, first);
	buf_printf(
	    x->out, "JSON.parse(%.*s): ", TEXT_ARG(explain_shown(x, first)));
	if (explain_is_promise(x, first)) {
		buf_str(x->out, "it is a promise; write await in front of it");
	} else if (t.kind == THING_UNDEFINED ||
		   text_starts(words, TEXT("unexpected token: 'undefined'"))) {
		buf_str(x->out, "it is undefined");
		explain_why(x, first);
	} else if (t.kind == THING_OBJECT || t.kind == THING_ARRAY ||
		   text_starts(words, TEXT("unexpected token: 'object'"))) {
		buf_str(x->out, "it is a value already; drop JSON.parse");
	} else {
		buf_printf(
		    x->out, "the text is not JSON (%.*s)", TEXT_ARG(words));
		if (t.value.len > 0)
			explain_what(x, first);
	}
	return true;
}

bool
rule_circular(explainer *x, text words)
{
	const js_node *call = find_call(x), *first;

	(void)words;
	if (!is_method_call(call, "JSON", "stringify") ||
	    !(first = call_argument(call, 0)))
		return false;
	x->fault = first;
	buf_printf(x->out,
	    "%.*s contains itself and cannot be JSON: build an "
	    "object of what you need from it",
	    TEXT_ARG(explain_shown(x, first)));
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

/* ---------------------------------------------------------------- too deep */

static bool
calls_itself(const explainer *x, const js_node *call)
{
	const js_node *f = function_of(&x->a, call->child), *n = call;

	while (f && n && n != f)
		n = n->parent;
	return f && n == f;
}

bool
rule_too_deep(explainer *x, text words)
{
	const js_node *call = find_call(x), *first;

	(void)words;
	if (!call)
		return false;
	x->fault = call;
	first = call_argument(call, 0);
	if (is_method_call(call, "JSON", "stringify") && first) {
		buf_printf(x->out, "%.*s is nested too deep to be JSON",
		    TEXT_ARG(explain_shown(x, first)));
		return true;
	}
	buf_printf(x->out,
	    "%.*s goes too deep: ", TEXT_ARG(promise_name(&x->a, call)));
	buf_str(x->out, calls_itself(x, call)
			    ? "it calls itself again and again until the call "
			      "stack is full"
			    : "the call stack is full");
	return true;
}

/* What a built-in complains about: the engine's words, with its call. */
bool
rule_built_in(explainer *x, text words)
{
	const js_node *call = x->e->native.len > 0 ? find_call(x) : NULL;

	if (!call)
		return false;
	x->fault = call;
	buf_printf(x->out, "%.*s: %.*s", TEXT_ARG(explain_shown(x, call)),
	    TEXT_ARG(words));
	return true;
}
