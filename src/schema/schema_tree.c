/* SPDX-License-Identifier: MIT */
/*
 * schema_tree.c -- the source of a schema as a tree, while it is compiled:
 * references lead to any place in it, and are followed by names.
 *
 * What a reference looks at is counted, so that a schema of thousands of
 * references to thousands of definitions does not take long.
 */
#include "schema_parts.h"

enum { DEEP_MAX = 128, STEPS_MAX = 20000000 };

static uint32_t
tree_add(compiler *c, json key, json value, uint32_t parent)
{
	tree_node *t = c->tree;

	if (c->tree_len == c->tree_cap)
		t = arena_grow(&c->scratch, c->tree, &c->tree_cap, c->tree_len,
		    sizeof(*t));
	if (t == NULL) {
		c->failed = true;
		return SCHEMA_NONE;
	}
	c->tree = t;
	t[c->tree_len] = (tree_node){
	    value, key, parent, SCHEMA_NONE, SCHEMA_NONE, SCHEMA_NONE, NULL};
	return (uint32_t)c->tree_len++;
}

static void
add_children(compiler *c, uint32_t at, unsigned depth)
{
	json_iter it = json_each(c->tree[at].value);
	uint32_t last = SCHEMA_NONE, child;
	json key, value;

	while (!c->failed && json_next(&it, &key, &value)) {
		if (depth == DEEP_MAX) {
			schema_refuse(c, at, "is nested too deeply");
			return;
		}
		child = tree_add(c, key, value, at);
		if (child == SCHEMA_NONE)
			return;
		if (last == SCHEMA_NONE)
			c->tree[at].first = child;
		else
			c->tree[last].next = child;
		last = child;
		add_children(c, child, depth + 1);
	}
}

void
tree_build(compiler *c, json source)
{
	c->steps = STEPS_MAX;
	if (tree_add(c, TEXT_NONE, source, 0) == 0)
		add_children(c, 0, 0);
}

json_kind
tree_kind(const compiler *c, uint32_t at)
{
	return at == SCHEMA_NONE ? JSON_MISSING
				 : json_kind_of(c->tree[at].value);
}

size_t
tree_count(const compiler *c, uint32_t at)
{
	size_t n = 0;

	for (at = c->tree[at].first; at != SCHEMA_NONE; at = c->tree[at].next)
		n++;
	return n;
}

static bool
tree_spend(compiler *c, uint32_t at)
{
	if (c->steps > 0)
		c->steps--;
	else
		schema_refuse(c, at, "has too many references");
	return !c->failed;
}

uint32_t
tree_get(compiler *c, uint32_t at, const char *name)
{
	text wanted = text_of(name);
	uint32_t i, found = SCHEMA_NONE;

	if (tree_kind(c, at) != JSON_OBJECT)
		return SCHEMA_NONE;
	for (i = c->tree[at].first; i != SCHEMA_NONE; i = c->tree[i].next) {
		if (!tree_spend(c, at))
			return SCHEMA_NONE;
		if (json_is(c->tree[i].key, wanted))
			found = i;
	}
	return found;
}

uint32_t
tree_step(compiler *c, uint32_t at, text name)
{
	bool array = tree_kind(c, at) == JSON_ARRAY;
	size_t digits_end = 0;
	uint64_t number = text_decimal(name, &digits_end);
	uint32_t i, found = SCHEMA_NONE;

	if (at == SCHEMA_NONE || (array && digits_end != name.len))
		return SCHEMA_NONE;
	for (i = c->tree[at].first; i != SCHEMA_NONE; i = c->tree[i].next) {
		if (!tree_spend(c, at))
			return SCHEMA_NONE;
		if (array ? number-- == 0 : json_is(c->tree[i].key, name))
			found = i;
		if (array && found != SCHEMA_NONE)
			break;
	}
	return found;
}

text
tree_text(compiler *c, json string)
{
	buf b = BUF_INIT(c->alloc, string.len);
	text t = {"", 0};
	char *copy = NULL;

	json_unescape(string, &b);
	if (b.bad != CM_OK)
		c->made->arena.bad = b.bad;
	else
		copy = schema_take(c, b.len + 1);
	if (copy == NULL)
		c->failed = true;
	else if (b.len > 0)
		t = (text){memcpy(copy, b.ptr, b.len), b.len};
	buf_fini(&b);
	return t;
}
