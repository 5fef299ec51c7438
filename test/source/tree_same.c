/* SPDX-License-Identifier: MIT */
/* tree_same.c -- do two trees say the same? */
#include "tree_tools.h"

/* What counts when two nodes are compared. */
enum {
	SAME_FLAGS = JS_ASYNC | JS_GENERATOR | JS_STATIC | JS_COMPUTED |
		     JS_SHORTHAND | JS_OPTIONAL | JS_PREFIX | JS_CONCISE |
		     JS_DIRECTIVE
};

static bool
is_literal(const js_node *n)
{
	switch (n->kind) {
	case JS_NUMBER:
	case JS_BIGINT:
	case JS_STRING:
	case JS_REGEX:
	case JS_CHUNK:
		return true;
	default:
		return false;
	}
}

/* A word and the same word in quotes are one key. */
static bool
same_key(const js_tree *a, const js_node *m, const js_tree *b, const js_node *n)
{
	text s = js_text(a, m), t = js_text(b, n);

	if (m->kind == JS_STRING)
		s = text_sub(s, 1, s.len - 1);
	else if (m->name)
		s = m->name->text;
	if (n->kind == JS_STRING)
		t = text_sub(t, 1, t.len - 1);
	else if (n->name)
		t = n->name->text;
	return text_eq(s, t);
}

static bool
is_key(const js_node *n)
{
	const js_node *up = n->parent;

	return (n->kind == JS_KEY || n->kind == JS_STRING) && up &&
	       up->child == n && !(up->flags & JS_COMPUTED) &&
	       (up->kind == JS_PROPERTY || up->kind == JS_METHOD ||
		   up->kind == JS_FIELD);
}

/* Two strings may differ in quotes and escapes and say the same. */
static bool
same_string(
    const js_tree *a, const js_node *m, const js_tree *b, const js_node *n)
{
	buf s = BUF_INIT(a->arena->alloc, a->text.len * 3 + 1);
	buf t = BUF_INIT(a->arena->alloc, b->text.len * 3 + 1);
	bool same;

	js_string(a, m, &s);
	js_string(b, n, &t);
	same = text_eq(buf_view(&s), buf_view(&t));
	buf_fini(&s);
	buf_fini(&t);
	return same;
}

static bool
same_node(
    const js_tree *a, const js_node *m, const js_tree *b, const js_node *n)
{
	if (is_key(m) && is_key(n))
		return same_key(a, m, b, n);
	if (m->kind != n->kind || m->op != n->op ||
	    ((m->flags ^ n->flags) & SAME_FLAGS))
		return false;
	if (m->name || n->name)
		return m->name && n->name &&
		       text_eq(m->name->text, n->name->text);
	if (!is_literal(m) || text_eq(js_text(a, m), js_text(b, n)))
		return true;
	if (m->kind == JS_NUMBER)
		return js_number(a, m) == js_number(b, n);
	return m->kind == JS_STRING && same_string(a, m, b, n);
}

/* n, or what stands in its place when empty statements do not count. */
static const js_node *
full(const js_node *n)
{
	while (n && n->kind == JS_EMPTY &&
	       (n->parent->kind == JS_BODY || n->parent->kind == JS_BLOCK ||
		   n->parent->kind == JS_CASE))
		n = n->next;
	return n;
}

/* The next node of a pair of walks; up: how many levels it went up. */
static const js_node *
step(const js_node *n, const js_node *root, unsigned *up)
{
	const js_node *to = full(n->child);

	*up = 0;
	if (to)
		return to;
	for (; n != root; n = n->parent, ++*up)
		if ((to = full(n->next)))
			return to;
	return NULL;
}

bool
js_same(const js_tree *a, const js_tree *b, const js_node **where)
{
	const js_node *m = a->root, *n = b->root;
	unsigned up_m = 0, up_n = 0;

	while (m && n && up_m == up_n && same_node(a, m, b, n)) {
		bool deep_m = full(m->child), deep_n = full(n->child);

		*where = m;
		if (deep_m != deep_n)
			return false;
		m = step(m, a->root, &up_m);
		n = step(n, b->root, &up_n);
	}
	if (m)
		*where = m;
	return !m && !n;
}
