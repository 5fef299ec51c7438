/* SPDX-License-Identifier: MIT */
/*
 * shapes_tree.c -- joins shapes.
 *
 * Joining only ever adds: kinds, members, members that may be missing, maps in
 * place of names. So the order in which values came makes no difference.
 */
#include "shapes_tree.h"

static const shape_node blank = {0};

shape_node *
shapes_node(shapes *s, unsigned kinds)
{
	shape_node *n = s->unused;

	if (n != NULL)
		s->unused = n->next;
	else
		n = arena_take(&s->arena, sizeof(*n));
	if (n == NULL)
		return NULL;
	*n = blank;
	n->kinds = kinds;
	return n;
}

static void
drop_node(shapes *s, shape_node *n)
{
	n->next = s->unused;
	s->unused = n;
}

static void drop_inside(shapes *s, shape_node *n);

static void
drop_tree(shapes *s, shape_node *n)
{
	if (n == NULL)
		return;
	drop_inside(s, n);
	drop_node(s, n);
}

/* The members of n that belong to other nodes' lists stay. */
static void
drop_inside(shapes *s, shape_node *n)
{
	shape_node *member, *next;

	drop_tree(s, n->elements);
	drop_tree(s, n->values);
	for (member = n->members; member != NULL; member = next) {
		next = member->next;
		drop_tree(s, member);
	}
	n->elements = n->members = n->values = NULL;
	n->count = 0;
	n->map = false;
}

/* ---------------------------------------------------------------- members */

text
shapes_name(const shape_node *member)
{
	return (text){member->name, member->name_len};
}

static bool
is_name_digit(char c)
{
	return c >= '0' && c <= '9';
}

static bool
has_few_digits(text name)
{
	size_t digits = 0, groups = 0;

	for (size_t i = 0; i < name.len; i++) {
		if (!is_name_digit(name.ptr[i]))
			continue;
		digits++;
		if (i + 1 < name.len && !is_name_digit(name.ptr[i + 1]) &&
		    is_ascii_word((unsigned char)name.ptr[i + 1]) &&
		    name.ptr[i + 1] != '_')
			groups++;
		if (i > 0 && name.ptr[i - 1] == '-')
			return false;
	}
	return digits <= 4 && groups <= 1;
}

bool
shapes_is_name(text raw)
{
	size_t i = 0;

	if (raw.len == 0 || raw.len > SHAPES_NAME_MAX)
		return false;
	if (memchr("@$#", raw.ptr[0], 3) != NULL)
		i++;
	if (i == raw.len || is_name_digit(raw.ptr[i]) || raw.ptr[i] == '-')
		return false;
	for (; i < raw.len; i++)
		if (!is_ascii_word((unsigned char)raw.ptr[i]) &&
		    raw.ptr[i] != '-')
			return false;
	return has_few_digits(raw);
}

static void
turn_into_map(shapes *s, shape_node *n)
{
	shape_node *member, *next;

	for (member = n->members; member != NULL; member = next) {
		next = member->next;
		member->next = NULL;
		member->optional = false;
		n->values = shapes_join(s, n->values, member);
	}
	n->members = NULL;
	n->count = 0;
	n->map = true;
}

void
shapes_member(shapes *s, shape_node *object, text name, shape_node *value)
{
	shape_node **at = &object->members;
	int order = 1;

	if (!object->map && !shapes_is_name(name))
		turn_into_map(s, object);
	if (object->map) {
		object->values = shapes_join(s, object->values, value);
		return;
	}
	while (*at != NULL && (order = text_cmp(shapes_name(*at), name)) < 0)
		at = &(*at)->next;
	if (*at != NULL && order == 0) {
		shapes_join(s, *at, value);
		return;
	}
	memcpy(value->name, name.ptr, name.len);
	value->name_len = name.len;
	value->next = *at;
	*at = value;
	if (++object->count > SHAPES_MEMBERS)
		turn_into_map(s, object);
}

/* ---------------------------------------------------------------- joining */

/* Merges two lists in the order of names. */
static void
join_members(shapes *s, shape_node *a, shape_node *from)
{
	shape_node **at = &a->members, *next;

	while (*at != NULL || from != NULL) {
		int order = *at == NULL ? 1
			    : from == NULL
				? -1
				: text_cmp(shapes_name(*at), shapes_name(from));

		if (order < 0) {
			(*at)->optional = true;
		} else {
			next = from->next;
			if (order == 0) {
				(*at)->optional |= from->optional;
				shapes_join(s, *at, from);
			} else {
				from->optional = true;
				from->next = *at;
				*at = from;
				a->count++;
			}
			from = next;
		}
		at = &(*at)->next;
	}
}

static bool
has_too_many(const shape_node *n)
{
	size_t optional = 0;

	for (const shape_node *m = n->members; m != NULL; m = m->next)
		optional += m->optional;
	return n->count > SHAPES_MEMBERS || optional > SHAPES_OPTIONAL;
}

static void
join_objects(shapes *s, shape_node *a, shape_node *b)
{
	if (!(b->kinds & SHAPE_OBJECT))
		return;
	if (!(a->kinds & SHAPE_OBJECT)) {
		a->members = b->members;
		a->count = b->count;
		a->map = b->map;
		a->values = b->values;
	} else if (a->map || b->map) {
		turn_into_map(s, a);
		turn_into_map(s, b);
		a->values = shapes_join(s, a->values, b->values);
	} else {
		join_members(s, a, b->members);
		if (has_too_many(a))
			turn_into_map(s, a);
	}
}

static void
make_any(shapes *s, shape_node *n)
{
	drop_inside(s, n);
	n->kinds = SHAPE_ANY;
}

shape_node *
shapes_join(shapes *s, shape_node *a, shape_node *b)
{
	if (a == NULL || b == NULL)
		return a != NULL ? a : b;
	join_objects(s, a, b);
	a->kinds |= b->kinds;
	a->elements = shapes_join(s, a->elements, b->elements);
	drop_node(s, b);
	if (a->kinds & SHAPE_ANY)
		make_any(s, a);
	return a;
}

/* ----------------------------------------------------------------- bounds */

static size_t
count_nodes(const shape_node *n)
{
	size_t count = 1;

	if (n == NULL)
		return 0;
	for (const shape_node *m = n->members; m != NULL; m = m->next)
		count += count_nodes(m);
	return count + count_nodes(n->elements) + count_nodes(n->values);
}

static void
cut_below(shapes *s, shape_node *n, unsigned levels)
{
	if (n == NULL)
		return;
	if (levels == 0) {
		if (n->kinds & (SHAPE_ARRAY | SHAPE_OBJECT))
			make_any(s, n);
		return;
	}
	for (shape_node *m = n->members; m != NULL; m = m->next)
		cut_below(s, m, levels - 1);
	cut_below(s, n->elements, levels - 1);
	cut_below(s, n->values, levels - 1);
}

void
shapes_fit(shapes *s, shape_node *root)
{
	unsigned levels = SHAPES_DEPTH;

	while (levels > 0 && count_nodes(root) > SHAPES_NODES)
		cut_below(s, root, --levels);
}
