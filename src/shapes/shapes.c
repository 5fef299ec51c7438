/* SPDX-License-Identifier: MIT */
/*
 * shapes.c -- makes trees from values and schemas, and schemas from trees.
 */
#include "shapes_tree.h"

enum { TREES_MAX = 64 << 20 /* bytes of all trees of one operation */ };

static const struct {
	unsigned kind;
	text name;
} kinds[] = {
    {SHAPE_NULL, TEXT_INIT("null")},
    {SHAPE_BOOLEAN, TEXT_INIT("boolean")},
    {SHAPE_NUMBER, TEXT_INIT("number")},
    {SHAPE_STRING, TEXT_INIT("string")},
    {SHAPE_ARRAY, TEXT_INIT("array")},
    {SHAPE_OBJECT, TEXT_INIT("object")},
};

enum { KINDS = sizeof(kinds) / sizeof(*kinds) };

static text
name_of_key(json string)
{
	return text_sub(string, 1, string.len - 1);
}

/* ---------------------------------------------------------------- a value */

static unsigned
kind_of_value(json v)
{
	static const unsigned bits[] = {[JSON_NULL] = SHAPE_NULL,
	    [JSON_FALSE] = SHAPE_BOOLEAN,
	    [JSON_TRUE] = SHAPE_BOOLEAN,
	    [JSON_NUMBER] = SHAPE_NUMBER,
	    [JSON_STRING] = SHAPE_STRING,
	    [JSON_ARRAY] = SHAPE_ARRAY,
	    [JSON_OBJECT] = SHAPE_OBJECT};

	return bits[json_kind_of(v)];
}

/* NULL: no room. */
static shape_node *
tree_of_value(shapes *s, json v, unsigned levels)
{
	unsigned kind = kind_of_value(v);
	bool deep = levels == 0 && (kind & (SHAPE_ARRAY | SHAPE_OBJECT));
	shape_node *n = shapes_node(s, deep ? SHAPE_ANY : kind);
	json_iter it = json_each(deep ? TEXT_NONE : v);
	json key, inside;

	while (n != NULL && json_next(&it, &key, &inside)) {
		shape_node *one = tree_of_value(s, inside, levels - 1);

		if (one == NULL)
			return NULL;
		if (kind == SHAPE_OBJECT)
			shapes_member(s, n, name_of_key(key), one);
		else
			n->elements = shapes_join(s, n->elements, one);
	}
	return n;
}

/* --------------------------------------------------------------- a schema */

static unsigned
kind_named(json name)
{
	size_t i = 0;

	while (i < KINDS && !json_is(name, kinds[i].name))
		i++;
	return i < KINDS ? kinds[i].kind : 0;
}

/* 0: the schema is not a shape. */
static unsigned
kinds_of_schema(json schema)
{
	json type = json_get(schema, TEXT("type")), one;
	json_iter it = json_each(type);
	unsigned all = 0;

	if (json_kind_of(schema) == JSON_OBJECT && json_len(schema) == 0)
		return SHAPE_ANY;
	if (json_kind_of(type) == JSON_STRING)
		return kind_named(type);
	while (json_kind_of(type) == JSON_ARRAY && json_next(&it, NULL, &one)) {
		if (kind_named(one) == 0)
			return 0;
		all |= kind_named(one);
	}
	return all;
}

static shape_node *tree_of_schema(shapes *s, json schema, unsigned levels);

static bool
add_properties(shapes *s, shape_node *n, json schema, unsigned levels)
{
	json_iter it = json_each(json_get(schema, TEXT("properties")));
	json key, value;

	while (it.object && json_next(&it, &key, &value)) {
		shape_node *one = tree_of_schema(s, value, levels);

		if (one == NULL)
			return false;
		one->optional = true;
		shapes_member(s, n, name_of_key(key), one);
	}
	return true;
}

static void
require_members(shape_node *n, json required)
{
	json_iter it = json_each(required);
	json name;

	while (json_next(&it, NULL, &name))
		for (shape_node *m = n->members; m != NULL; m = m->next)
			if (json_is(name, shapes_name(m)))
				m->optional = false;
}

static bool
add_values(shapes *s, shape_node *n, json values, unsigned levels)
{
	shape_node *one;

	if (values.len == 0)
		return true;
	one = tree_of_schema(s, values, levels);
	if (one != NULL)
		shapes_member(s, n, TEXT_NONE, one);
	return one != NULL;
}

static bool
add_elements(shapes *s, shape_node *n, json items, unsigned levels)
{
	if (items.len > 0)
		n->elements = tree_of_schema(s, items, levels);
	return items.len == 0 || n->elements != NULL;
}

/* NULL: no room, or the schema is not a shape. */
static shape_node *
tree_of_schema(shapes *s, json schema, unsigned levels)
{
	unsigned all = kinds_of_schema(schema);
	shape_node *n = all != 0 ? shapes_node(s, all) : NULL;
	bool ok = n != NULL &&
		  !(levels == 0 && (all & (SHAPE_ARRAY | SHAPE_OBJECT)) != 0);

	if (ok && (all & SHAPE_OBJECT)) {
		ok = add_properties(s, n, schema, levels - 1) &&
		     add_values(s, n,
			 json_get(schema, TEXT("additionalProperties")),
			 levels - 1);
		require_members(n, json_get(schema, TEXT("required")));
	}
	if (ok && (all & SHAPE_ARRAY))
		ok = add_elements(
		    s, n, json_get(schema, TEXT("items")), levels - 1);
	return ok ? n : NULL;
}

/* ---------------------------------------------------------------- writing */

static void
put_types(buf *out, unsigned all)
{
	bool one = (all & (all - 1)) == 0;

	json_member(out, "type");
	buf_str(out, one ? "" : "[");
	for (size_t i = 0; i < KINDS; i++) {
		if (!(all & kinds[i].kind))
			continue;
		if (!one)
			json_element(out);
		json_string(out, kinds[i].name);
	}
	buf_str(out, one ? "" : "]");
}

static void put_tree(buf *out, const shape_node *n);

static void
put_members(buf *out, const shape_node *n)
{
	bool all_optional = true;

	json_member(out, "properties");
	buf_byte(out, '{');
	for (const shape_node *m = n->members; m != NULL; m = m->next) {
		buf_str(out, m != n->members ? "," : "");
		json_string(out, shapes_name(m));
		buf_byte(out, ':');
		put_tree(out, m);
		all_optional &= m->optional;
	}
	buf_byte(out, '}');
	if (all_optional)
		return;
	json_member(out, "required");
	buf_byte(out, '[');
	for (const shape_node *m = n->members; m != NULL; m = m->next) {
		if (m->optional)
			continue;
		json_element(out);
		json_string(out, shapes_name(m));
	}
	buf_byte(out, ']');
}

static void
put_tree(buf *out, const shape_node *n)
{
	buf_byte(out, '{');
	if (n->kinds != SHAPE_ANY)
		put_types(out, n->kinds);
	if (n->elements != NULL) {
		json_member(out, "items");
		put_tree(out, n->elements);
	}
	if (n->members != NULL)
		put_members(out, n);
	if (n->values != NULL) {
		json_member(out, "additionalProperties");
		put_tree(out, n->values);
	}
	buf_byte(out, '}');
}

/* ------------------------------------------------------------- for others */

static cm_status
put_joined(shapes *s, json shape, shape_node *other, buf *out)
{
	shape_node *n = NULL;
	size_t had = out->len;
	cm_status r;

	if (shape.len > 0 && s->arena.bad == CM_OK)
		n = tree_of_schema(s, shape, SHAPES_DEPTH);
	if (s->arena.bad != CM_OK)
		return s->arena.bad;
	if (shape.len > 0 && n == NULL)
		return CM_EINPUT;
	n = shapes_join(s, n, other);
	shapes_fit(s, n);
	if (n != NULL)
		put_tree(out, n);
	r = out->bad;
	if (r != CM_OK)
		out->len = had;
	return r;
}

cm_status
shapes_add(json shape, json value, buf *out)
{
	shapes s = {ARENA_INIT(out->alloc, TREES_MAX), NULL};
	cm_status r = CM_ELIMIT;

	if (shape.len <= SHAPES_TEXT_MAX && value.len <= SHAPES_TEXT_MAX)
		r = put_joined(
		    &s, shape, tree_of_value(&s, value, SHAPES_DEPTH), out);
	arena_fini(&s.arena);
	return r;
}

cm_status
shapes_merge(json a, json b, buf *out)
{
	shapes s = {ARENA_INIT(out->alloc, TREES_MAX), NULL};
	shape_node *other = NULL;
	cm_status r = CM_ELIMIT;

	if (a.len <= SHAPES_TEXT_MAX && b.len <= SHAPES_TEXT_MAX) {
		if (b.len > 0)
			other = tree_of_schema(&s, b, SHAPES_DEPTH);
		r = b.len > 0 && other == NULL && s.arena.bad == CM_OK
			? CM_EINPUT
			: put_joined(&s, a, other, out);
	}
	arena_fini(&s.arena);
	return r;
}
