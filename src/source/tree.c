/* SPDX-License-Identifier: MIT */
/*
 * tree.c -- looking at a tree: names of things, fields, walks.
 */
#include "js.h"

static const char *const kinds[] = {
#define NODE(kind, name, fields) name,
#include "node.def"
#undef NODE
};

static const char *const tokens[] = {
#define TOKEN(kind, spelling)              spelling,
#define BINARY(kind, spelling, precedence) spelling,
#define ASSIGN(kind, spelling)             spelling,
#define WORD(kind, spelling)               spelling,
#define RESERVED(kind, spelling)           spelling,
#include "token.def"
#undef TOKEN
#undef BINARY
#undef ASSIGN
#undef WORD
#undef RESERVED
};

const char *
js_kind_name(js_kind kind)
{
	return kinds[kind];
}

const char *
js_token_text(js_token_kind op)
{
	return tokens[op];
}

text
js_text(const js_tree *t, const js_node *n)
{
	return text_sub(t->text, n->start, n->end);
}

js_node *
js_field(const js_node *n, unsigned i)
{
	js_node *child = n->child;

	while (child && i--)
		child = child->next;
	return child && child->kind != JS_NONE ? child : NULL;
}

js_node *
js_over(const js_node *n, const js_node *root)
{
	for (; n != root; n = n->parent)
		if (n->next)
			return n->next;
	return NULL;
}

js_node *
js_next(const js_node *n, const js_node *root)
{
	return n->child ? n->child : js_over(n, root);
}

bool
js_is_function(const js_node *n)
{
	return n->kind == JS_FUNCTION || n->kind == JS_ARROW ||
	       n->kind == JS_FUNCTION_DECL;
}

bool
js_opens_function(const js_node *n)
{
	return js_is_function(n) || n->kind == JS_STATIC_BLOCK || !n->parent;
}

bool
js_opens_scope(const js_node *n)
{
	switch (n->kind) {
	case JS_BLOCK:
		return n->parent->kind != JS_CATCH;
	case JS_FOR:
	case JS_FOR_IN:
	case JS_FOR_OF:
	case JS_CATCH:
		return true;
	default:
		return js_opens_function(n);
	}
}

const js_node *
js_unchained(const js_node *n)
{
	while (n->kind == JS_CHAIN)
		n = n->child;
	return n;
}

bool
js_is_pattern(const js_node *n)
{
	return n->kind == JS_ARRAY_PATTERN || n->kind == JS_OBJECT_PATTERN;
}

const js_node *
js_declared_by(const js_node *bind)
{
	const js_node *up = bind->parent;

	while (up->kind == JS_PROPERTY || up->kind == JS_DEFAULT ||
	       up->kind == JS_REST || js_is_pattern(up))
		up = up->parent;
	return up;
}

static const js_node *
node_at(const void *list, size_t i, size_t size)
{
	return *(const js_node *const *)((const char *)list + i * size);
}

const void *
js_find(const void *list, size_t len, size_t size, const js_node *n)
{
	size_t low = 0, high = len;

	while (low < high) {
		size_t middle = low + (high - low) / 2;

		if (node_at(list, middle, size)->start < n->start)
			low = middle + 1;
		else
			high = middle;
	}
	for (; low < len; low++) {
		const js_node *found = node_at(list, low, size);

		if (found == n)
			return (const char *)list + low * size;
		if (found->start != n->start)
			break;
	}
	return NULL;
}
