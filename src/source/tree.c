/* SPDX-License-Identifier: MIT */
/*
 * tree.c -- looking at a tree: names of things, fields, walks, places.
 */
#include "js.h"

static const struct kind {
	const char *name, *fields;
} kinds[] = {
#define NODE(kind, name, fields) {name, fields},
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

static const char *const codes[] = {
#define ERROR(code, message) #code,
#include "error.def"
#undef ERROR
};

const char *
js_kind_name(js_kind kind)
{
	return kinds[kind].name;
}

const char *
js_kind_fields(js_kind kind)
{
	return kinds[kind].fields;
}

const char *
js_token_text(js_token_kind op)
{
	return tokens[op];
}

const char *
js_code_name(js_code code)
{
	return codes[code];
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

/* Length of the line end at [at]; 0: there is none. */
static size_t
line_end(text t, size_t at)
{
	const char *p = t.ptr + at;

	if (*p == '\n')
		return 1;
	if (*p == '\r')
		return at + 1 < t.len && p[1] == '\n' ? 2 : 1;
	if (t.len - at >= 3 && p[0] == '\xe2' && p[1] == '\x80' &&
	    (p[2] == '\xa8' || p[2] == '\xa9'))
		return 3;
	return 0;
}

js_place
js_position(text source, size_t at)
{
	js_place where = {1, 1, 1};
	size_t i = 0;

	if (at > source.len)
		at = source.len;
	while (i < at) {
		size_t skip = line_end(source, i);
		unsigned char c = (unsigned char)source.ptr[i];

		if (skip && i + skip <= at) {
			where = (js_place){where.line + 1, 1, 1};
			i += skip;
			continue;
		}
		where.column += c < 0x80 || c >= 0xc0;
		where.column += c >= 0xf0;
		where.characters += c < 0x80 || c >= 0xc0;
		i++;
	}
	return where;
}
