/* SPDX-License-Identifier: MIT */
/*
 * explain_call.c -- what is called and cannot be.
 */
#include "dialect.h"
#include "explain_parts.h"
#include "known.h"

/* Namespaces, and objects of ours that have only these methods. */
static bool
tell_known(explainer *x, const js_node *callee)
{
	const reach *r = calls_at(&x->a, callee->parent);
	const js_node *object = callee->child;

	if (r && analysis_tool(&x->a, r->path) == SOURCE_SPACE) {
		buf_printf(x->out,
		    ": tools.%.*s is a namespace; call one of its tools",
		    TEXT_ARG(r->path));
		return true;
	}
	if (object->kind != JS_NAME || !object->next->name ||
	    !known_lacks(object->name->text, object->next->name->text))
		return false;
	buf_str(x->out, ": ");
	if (!dialect_tell(&x->a, object, x->out)) {
		buf_printf(x->out, "%.*s has ", TEXT_ARG(object->name->text));
		known_put_methods(x->out, object->name->text);
	}
	return true;
}

static void
tell_method(explainer *x, const js_node *callee)
{
	const js_node *object = callee->child;
	text key = js_text(&x->a.tree, object->next);
	buf way = BUF_INIT(x->out->alloc, SOURCE_MESSAGE);

	if (explain_is_promise(x, object)) {
		explain_await(x, object);
		return;
	}
	if (tell_known(x, callee) || !explain_what(x, object))
		return;
	if (shape_walks(key) &&
	    shape_to_list(shape_of(&x->shaper, object).value, &way))
		buf_printf(x->out, ". Did you mean %.*s%.*s.%.*s?",
		    TEXT_ARG(analysis_text(&x->a, object)),
		    TEXT_ARG(buf_view(&way)), TEXT_ARG(key));
	buf_fini(&way);
}

bool
rule_not_a_function(explainer *x, text words)
{
	const js_node *call = find_call(x), *callee;

	(void)words;
	if (!call)
		return false;
	if (x->e->native.len > 0)
		return explain_argument(x, "a function");
	callee = js_unchained(call->child);
	x->fault = callee;
	buf_printf(x->out, "%.*s is not a %s",
	    TEXT_ARG(analysis_text(&x->a, callee)),
	    call->kind == JS_NEW ? "class or constructor" : "function");
	if (callee->kind == JS_MEMBER)
		tell_method(x, callee);
	else if (callee->kind == JS_CALL)
		buf_str(x->out, ": what it gives is not one; drop one ()");
	else
		explain_what(x, callee);
	return true;
}

/* tools.call("x"), tools.mcp__srv__x(...): the engine's words begin with the
 * path. */
bool
rule_unknown_tool(explainer *x, text words)
{
	text path = text_sub(words, 6, text_find(words, TEXT(" "), 0));

	for (size_t i = 0; i < x->a.reaches; i++) {
		const reach *r = &x->a.reach[i];
		const js_node *n = r->node;

		if (!text_starts(r->path, path))
			continue;
		while (n->kind != JS_NAME && n->child)
			n = n->child;
		if (n->kind == JS_NAME && node_is(n, "tools") &&
		    dialect_tell(&x->a, n, x->out)) {
			x->fault = r->node;
			return true;
		}
	}
	return false;
}

/* The place is that of the class: the first call of its name is meant. */
static const js_node *
call_of_class(const explainer *x)
{
	for (size_t i = 0; i < x->a.names.uses; i++) {
		const name_use *u = &x->a.names.use[i];
		const js_node *up = u->node->parent;

		if (u->binding && u->binding->kind == BINDING_CLASS &&
		    up->kind == JS_CALL && up->child == u->node)
			return up;
	}
	return NULL;
}

bool
rule_class_without_new(explainer *x, text words)
{
	const js_node *call = call_of_class(x);

	(void)words;
	if (!call)
		return false;
	x->fault = call;
	buf_printf(x->out, "%.*s is a class; write new %.*s",
	    TEXT_ARG(analysis_text(&x->a, call->child)),
	    TEXT_ARG(promise_name(&x->a, call)));
	return true;
}
