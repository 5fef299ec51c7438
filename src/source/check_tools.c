/* SPDX-License-Identifier: MIT */
/*
 * check_tools.c -- tools that do not exist, and calls that no tool can take.
 */
#include "check_parts.h"
#include "dialect.h"

static void
add_unknown(analysis *a, const reach *r, text path)
{
	buf b = BUF_INIT(a->arena->alloc, 4096);
	const js_node *n = r->node;

	while (n->kind != JS_NAME && n->child)
		n = n->child;
	if (n->kind != JS_NAME || !node_is(n, "tools") ||
	    !dialect_tell(a, n, &b))
		a->tools->unknown(a->tools->ctx, path, &b);
	analysis_add(
	    a, CHECK_UNKNOWN_TOOL, r->node, "%.*s", TEXT_ARG(buf_view(&b)));
	buf_fini(&b);
}

/* The part of a path in front of what is computed. */
static text
known_part(text path)
{
	size_t star = text_find(path, TEXT("*"), 0);

	if (star == SIZE_MAX)
		return path;
	return text_sub(path, 0, star > 0 ? star - 1 : 0);
}

static void
check_path(analysis *a, const reach *r)
{
	text path = known_part(r->path);
	source_found is;

	if (!a->tools || !a->tools->find || path.len == 0)
		return;
	is = analysis_tool(a, path);
	if (is == SOURCE_NOTHING)
		add_unknown(a, r, path);
	else if (is == SOURCE_SPACE && path.len == r->path.len &&
		 !(r->flags & SOURCE_CALL_NAMED))
		analysis_add(a, CHECK_NOT_A_TOOL, r->node,
		    "tools.%.*s is a namespace; call one of its tools",
		    TEXT_ARG(path));
}

static bool
is_no_object(const js_node *n)
{
	switch (n->kind) {
	case JS_STRING:
	case JS_NUMBER:
	case JS_TEMPLATE:
	case JS_ARRAY:
	case JS_TRUE:
	case JS_FALSE:
	case JS_ASSIGN:
		return true;
	default:
		return js_is_function(n);
	}
}

static void
check_arguments(analysis *a, const reach *r)
{
	const js_node *first = call_argument(r->node, 0);

	if (!first || !is_no_object(first))
		return;
	if (first->kind == JS_ASSIGN)
		analysis_add(a, CHECK_TOOL_ARGUMENTS, first,
		    "arguments have no names in JavaScript: write "
		    "tools.%.*s({ %.*s: ... })",
		    TEXT_ARG(r->path),
		    TEXT_ARG(js_text(&a->tree, first->child)));
	else
		analysis_add(a, CHECK_TOOL_ARGUMENTS, first,
		    "a tool takes one object: write tools.%.*s({ name: "
		    "%.*s })",
		    TEXT_ARG(r->path), TEXT_ARG(analysis_text(a, first)));
}

void
check_tools(analysis *a)
{
	for (size_t i = 0; i < a->reaches && !analysis_is_full(a); i++) {
		const reach *r = &a->reach[i];

		check_path(a, r);
		if (!(r->flags & SOURCE_CALL_NAMED) && r->node->kind == JS_CALL)
			check_arguments(a, r);
	}
}
