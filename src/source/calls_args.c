/* SPDX-License-Identifier: MIT */
/*
 * calls_args.c -- the arguments of a call: as JSON when all of them stand in
 * the script, else as they are written.
 */
#include "check_parts.h"

enum { ARGS_MAX = 2000, DEPTH_MAX = 40 };

text
calls_string(analysis *a, const js_node *n)
{
	buf b = BUF_INIT(a->arena->alloc, 4096);
	text t;

	js_string(&a->tree, n, &b);
	t = analysis_keep(a, buf_view(&b));
	buf_fini(&b);
	return t;
}

static bool put_literal(analysis *a, const js_node *n, buf *out, int left);

static void
put_string(analysis *a, const js_node *n, buf *out)
{
	text t = calls_string(a, n);

	json_string(out, utf8_bad(t) == SIZE_MAX ? t : TEXT_NONE);
}

static bool
put_literal_members(analysis *a, const js_node *n, buf *out, int left)
{
	buf_byte(out, '{');
	for (const js_node *m = n->child; m; m = m->next) {
		if (m->kind != JS_PROPERTY || (m->flags & JS_COMPUTED))
			return false;
		if (m != n->child)
			buf_byte(out, ',');
		if (m->child->kind == JS_KEY)
			json_string(out, m->child->name->text);
		else if (m->child->kind == JS_STRING)
			put_string(a, m->child, out);
		else
			return false;
		buf_byte(out, ':');
		if (!put_literal(a, m->child->next, out, left))
			return false;
	}
	buf_byte(out, '}');
	return true;
}

static bool
put_elements(analysis *a, const js_node *n, buf *out, int left)
{
	buf_byte(out, '[');
	for (const js_node *m = n->child; m; m = m->next) {
		if (m != n->child)
			buf_byte(out, ',');
		if (!put_literal(a, m, out, left))
			return false;
	}
	buf_byte(out, ']');
	return true;
}

/* A decimal number as JSON has them. */
static bool
put_literal_number(const js_tree *t, const js_node *n, buf *out)
{
	text s = js_text(t, n);
	json v;

	if (!json_check(s, 1, &v, NULL))
		return false;
	buf_text(out, s);
	return true;
}

static bool
put_literal(analysis *a, const js_node *n, buf *out, int left)
{
	if (left == 0 || out->len > ARGS_MAX)
		return false;
	switch (n->kind) {
	case JS_OBJECT:
		return put_literal_members(a, n, out, left - 1);
	case JS_ARRAY:
		return put_elements(a, n, out, left - 1);
	case JS_STRING:
		put_string(a, n, out);
		return true;
	case JS_TEMPLATE:
		if (!n->child || n->child->next || n->parent->kind == JS_TAGGED)
			return false;
		put_string(a, n->child, out);
		return true;
	case JS_NUMBER:
		return put_literal_number(&a->tree, n, out);
	case JS_UNARY:
		if (n->op != T_MINUS || n->child->kind != JS_NUMBER)
			return false;
		buf_byte(out, '-');
		return put_literal_number(&a->tree, n->child, out);
	case JS_TRUE:
	case JS_FALSE:
	case JS_NULL:
		buf_text(out, js_text(&a->tree, n));
		return true;
	default:
		return false;
	}
}

text
calls_arguments(analysis *a, const js_node *call, unsigned *flags)
{
	const js_node *first = call_argument(call, 0), *last = first;
	buf b = BUF_INIT(a->arena->alloc, ARGS_MAX * 8);
	text t;

	if (!first)
		return TEXT_NONE;
	if (!first->next && put_literal(a, first, &b, DEPTH_MAX)) {
		*flags |= SOURCE_CALL_LITERAL;
	} else {
		while (last->next)
			last = last->next;
		buf_clear(&b);
		buf_text(&b, text_sub(a->tree.text, first->start,
				 last->end < first->start + ARGS_MAX
				     ? last->end
				     : first->start + ARGS_MAX));
	}
	t = analysis_keep(a, buf_view(&b));
	buf_fini(&b);
	return t;
}
