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

/* False: it is no text that JSON can have, or too long. */
static bool
put_string(analysis *a, const js_node *n, buf *out)
{
	buf b = BUF_INIT(a->arena->alloc, ARGS_MAX);
	bool ok;

	js_string(&a->tree, n, &b);
	ok = b.bad == CM_OK && utf8_bad(buf_view(&b)) == SIZE_MAX;
	if (ok)
		json_string(out, buf_view(&b));
	buf_fini(&b);
	return ok;
}

/* The name of a member; __proto__ is none: it sets the prototype. */
static bool
put_key(analysis *a, const js_node *key, buf *out)
{
	size_t from = out->len;

	if (key->kind == JS_KEY)
		json_string(out, key->name->text);
	else if (key->kind != JS_STRING || !put_string(a, key, out))
		return false;
	return !text_eq(
	    text_sub(buf_view(out), from, out->len), TEXT("\"__proto__\""));
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
		if (!put_key(a, m->child, out))
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
		return put_string(a, n, out);
	case JS_TEMPLATE:
		if (!n->child || n->child->next || n->parent->kind == JS_TAGGED)
			return false;
		return put_string(a, n->child, out);
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
		buf_utf8(&b, text_sub(a->tree.text, first->start, last->end),
		    ARGS_MAX);
	}
	t = analysis_keep(a, buf_view(&b));
	buf_fini(&b);
	return t;
}
