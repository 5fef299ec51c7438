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
