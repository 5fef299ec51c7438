/* SPDX-License-Identifier: MIT */
/*
 * shapes_tree.h -- a shape as a tree, while it is made.
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
	SHAPE_ANY = 64 /* alone: all of them, and no word about their insides */
};

typedef struct shape_node {
	unsigned kinds; /* that values have; all that follows is of those */
	struct shape_node *elements; /* NULL: no array had any */
	struct shape_node *members;  /* of objects, by name; NULL: none */
	size_t count;                /* of them */
	bool map;                    /* they are in .values and have no names */
	struct shape_node *values;
	/* As a member of another one: */
	struct shape_node *next;
	bool optional; /* not each object has it */
	size_t name_len;
	char name[SHAPES_NAME_MAX];
} shape_node;

typedef struct shapes {
	arena arena;
	shape_node *unused; /* a list by .next */
} shapes;

/* NULL: no room, which s->arena.bad says. */
shape_node *shapes_node(shapes *s, unsigned kinds);
/* The shape of what fits a or b, which are used up. NULL: nothing fits. */
shape_node *shapes_join(shapes *s, shape_node *a, shape_node *b);
/* One more member of an object; value is used up. */
void shapes_member(shapes *s, shape_node *object, text name, shape_node *value);
text shapes_name(const shape_node *member);
/* Takes levels off until SHAPES_NODES are left. */
void shapes_fit(shapes *s, shape_node *root);

#endif
