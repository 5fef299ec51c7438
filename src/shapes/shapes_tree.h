/* SPDX-License-Identifier: MIT */
/*
 * shapes_tree.h -- a shape as a tree of nodes.
 */
#ifndef SHAPES_SHAPES_TREE_H
#define SHAPES_SHAPES_TREE_H

#include "shapes.h"

#include "base/arena.h"

/* Kinds of values: bits of shape_node.kinds. */
enum {
	SHAPE_NULL = 1,
	SHAPE_BOOLEAN = 2,
	SHAPE_NUMBER = 4,
	SHAPE_STRING = 8,
	SHAPE_ARRAY = 16,
	SHAPE_OBJECT = 32,
	SHAPE_ANY = 64 /* alone: any value */
};

typedef struct shape_node {
	unsigned kinds; /* kinds of the values; the rest is about these */
	struct shape_node
	    *elements; /* shape of elements; NULL: no array had any */
	struct shape_node
	    *members; /* members of objects, by name; NULL: none */
	size_t count; /* of them */
	bool map;     /* members are in .values and have no names */
	struct shape_node *values;
	/* As a member of another one: */
	struct shape_node *next;
	bool optional; /* some objects do not have it */
	size_t name_len;
	char name[SHAPES_NAME_MAX];
} shape_node;

typedef struct shapes {
	arena arena;
	shape_node *unused; /* a list by .next */
} shapes;

/* NULL: no room, which s->arena.bad says. */
shape_node *shapes_node(shapes *s, unsigned kinds);
/* The shape that describes a and b, both of which are consumed. NULL: describes
 * nothing. */
shape_node *shapes_join(shapes *s, shape_node *a, shape_node *b);
/* Adds a member to an object; value is consumed. */
void shapes_member(shapes *s, shape_node *object, text name, shape_node *value);
text shapes_name(const shape_node *member);
/* Removes levels until at most SHAPES_NODES are left. */
void shapes_fit(shapes *s, shape_node *root);

#endif
