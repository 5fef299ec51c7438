/* SPDX-License-Identifier: MIT */
/*
 * print.c -- a tree for eyes: every node as
 * (kind flags text child child), in one line.
 */
#include "js.h"

static const struct flag {
	unsigned bit;
	const char *name;
} flags[] = {
    {JS_ASYNC, "async"},
    {JS_GENERATOR, "*"},
    {JS_STRICT, "strict"},
    {JS_STATIC, "static"},
    {JS_COMPUTED, "[]"},
    {JS_SHORTHAND, "shorthand"},
    {JS_OPTIONAL, "?."},
    {JS_PREFIX, "prefix"},
    {JS_DIRECTIVE, "directive"},
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

static void
open_node(const js_tree *t, const js_node *n, buf *out)
{
	buf_byte(out, '(');
	buf_str(out, js_kind_name((js_kind)n->kind));
	if (n->op) {
		buf_byte(out, ' ');
		buf_str(out, js_token_text((js_token_kind)n->op));
	}
	for (size_t i = 0; i < sizeof(flags) / sizeof(*flags); i++) {
		if (!(n->flags & flags[i].bit))
			continue;
		buf_byte(out, ' ');
		buf_str(out, flags[i].name);
	}
	if (n->name || is_literal(n)) {
		buf_byte(out, ' ');
		buf_text(out, n->name ? n->name->text : js_text(t, n));
	}
}

void
js_print(const js_tree *t, buf *out)
{
	const js_node *n = t->root;

	while (n && out->bad == CM_OK) {
		if (n != t->root)
			buf_byte(out, ' ');
		open_node(t, n, out);
		if (n->child) {
			n = n->child;
			continue;
		}
		buf_byte(out, ')');
		while (n != t->root && !n->next) {
			n = n->parent;
			buf_byte(out, ')');
		}
		n = n == t->root ? NULL : n->next;
	}
}
