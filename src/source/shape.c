/* SPDX-License-Identifier: MIT */
/*
 * shape.c -- see shape.h: from an expression back to the answer of a tool.
 *
 * A name is followed to its only value, through patterns too; a parameter of a
 * callback to an element of what is walked; an awaited call of a tool to what
 * that tool last answered.
 */
#include "shape.h"

#include "known.h"

enum { STEPS = 16 };

static const shape unknown_shape = {0};

static shape follow_shape(shaper *s, const js_node *n, unsigned left);

/* ----------------------------------------------------------------- inside */

static shape
member_shape(const shape *object, text key)
{
	if (json_kind_of(object->value) != JSON_OBJECT)
		return unknown_shape;
	return (shape){true, json_get(object->value, key), object->one_of_many};
}

/* One of the elements: the one at index, or any. */
static shape
element_shape(const shaper *s, const shape *list, const js_node *index)
{
	bool exact = index && index->kind == JS_NUMBER;
	double at = exact ? js_number(&s->a->tree, index) : 0;

	if (json_kind_of(list->value) != JSON_ARRAY || at >= UINT32_MAX ||
	    (!exact && json_len(list->value) == 0))
		return unknown_shape;
	return (shape){true, json_at(list->value, (size_t)at),
	    !exact || list->one_of_many};
}

/* ------------------------------------------------------------------ names */

bool
shape_walks(text method)
{
	static const char *const each[] = {"map", "filter", "forEach", "find",
	    "some", "every", "flatMap", "findIndex", "findLast", "sort",
	    "toSorted", NULL};

	return is_one_of(method, each);
}

/* The first parameter of a callback that is called for each element. */
static shape
shape_of_parameter(shaper *s, const js_node *target, unsigned left)
{
	const js_node *f = target->parent->parent, *call = f->parent;
	shape list;

	if (call->kind != JS_CALL || call->child == f ||
	    call->child->kind != JS_MEMBER || target->parent->child != target ||
	    !shape_walks(call_method(call)))
		return unknown_shape;
	list = follow_shape(s, call->child->child, left);
	return element_shape(s, &list, NULL);
}

static shape
shape_of_target(shaper *s, const js_node *target, unsigned left)
{
	const js_node *up = target->parent;
	shape object;

	if (left-- == 0)
		return unknown_shape;
	switch (up->kind) {
	case JS_DECLARATOR:
		if (target->next)
			return follow_shape(s, target->next, left);
		up = up->parent->parent;
		if (up->kind != JS_FOR_OF)
			return unknown_shape;
		object = follow_shape(s, up->child->next, left);
		return element_shape(s, &object, NULL);
	case JS_PROPERTY:
		object = shape_of_target(s, up->parent, left);
		return up->child->kind == JS_KEY
			   ? member_shape(&object, up->child->name->text)
			   : unknown_shape;
	case JS_ARRAY_PATTERN:
		object = shape_of_target(s, up, left);
		return up->child == target ? element_shape(s, &object, NULL)
					   : unknown_shape;
	case JS_PARAMS:
		return shape_of_parameter(s, target, left);
	default:
		return unknown_shape;
	}
}

/* JSON.stringify(x), Object.keys(x), text(x). */
static bool
only_looks(const js_node *call)
{
	const js_node *callee = call->child;

	if (callee->kind == JS_NAME)
		return known_global(callee->name->text);
	return callee->kind == JS_MEMBER && callee->child->kind == JS_NAME &&
	       known_global(callee->child->name->text) &&
	       !text_eq(call_method(call), TEXT("assign"));
}

/* Is what the name stands for changed somewhere, or handed on? */
static bool
may_change(const js_node *use)
{
	const js_node *n = use;

	while ((n->parent->kind == JS_MEMBER || n->parent->kind == JS_INDEX) &&
	       n->parent->child == n)
		n = n->parent;
	if (n->parent->kind == JS_CALL && n->parent->child != n)
		return n == use && !only_looks(n->parent);
	return n->parent->kind == JS_UPDATE ||
	       (n->parent->kind == JS_UNARY && n->parent->op == T_DELETE) ||
	       (n->parent->kind == JS_ASSIGN && n->parent->child == n);
}

static bool
is_changed(const analysis *a, const binding *b)
{
	const name_use *use = a->names.use;

	for (uint32_t i = b->first; i > 0; i = use[i - 1].next)
		if (!analysis_spend(a, 1) || may_change(use[i - 1].node))
			return true;
	return false;
}

static shape
shape_of_name(shaper *s, const js_node *n, unsigned left)
{
	const binding *b = names_find(&s->a->names, n);
	shape t;

	if (!b || b->sets > 0 || b->kind == BINDING_CAUGHT)
		return unknown_shape;
	t = b->init ? follow_shape(s, b->init, left)
		    : shape_of_target(s, b->node, left);
	return t.known && is_changed(s->a, b) ? unknown_shape : t;
}

/* ------------------------------------------------------------------ calls */

/* A part of the list that it is called on. */
static shape
shape_of_call(shaper *s, const js_node *n, unsigned left)
{
	static const char *const keepers[] = {"filter", "slice", "sort",
	    "toSorted", "reverse", "toReversed", NULL};
	shape t;

	if (n->child->kind != JS_MEMBER || !is_one_of(call_method(n), keepers))
		return unknown_shape;
	t = follow_shape(s, n->child->child, left);
	t.one_of_many = true;
	return json_kind_of(t.value) == JSON_ARRAY ? t : unknown_shape;
}

/* What an await gives: the answer of a tool, when it was seen. */
static shape
shape_of_awaited(shaper *s, const js_node *n, unsigned left)
{
	const reach *r;
	const binding *b;
	text seen;

	if (n->kind == JS_NAME && (b = names_find(&s->a->names, n)) != NULL &&
	    b->sets == 0 && b->init)
		n = b->init;
	r = calls_at(s->a, n);
	if (!r)
		return follow_shape(s, n, left);
	if (!analysis_spend(s->a, 500)) /* to read the answer */
		return unknown_shape;
	seen = s->seen && s->seen->result
		   ? s->seen->result(s->seen->ctx, r->path)
		   : TEXT_NONE;
	seen = shape_mend(seen, s->mended);
	return (shape){seen.len > 0, seen, false};
}

/* ------------------------------------------------------------- expressions */

static shape
follow_shape(shaper *s, const js_node *n, unsigned left)
{
	shape object;

	if (left-- == 0 || !analysis_spend(s->a, 1))
		return unknown_shape;
	switch (n->kind) {
	case JS_NAME:
		return shape_of_name(s, n, left);
	case JS_ARRAY_PATTERN:
	case JS_OBJECT_PATTERN:
		return shape_of_target(s, n, left);
	case JS_AWAIT:
		return shape_of_awaited(s, n->child, left);
	case JS_CALL:
		return shape_of_call(s, n, left);
	case JS_CHAIN:
		return follow_shape(s, n->child, left);
	case JS_MEMBER:
		object = follow_shape(s, n->child, left);
		return n->child->next->name
			   ? member_shape(&object, n->child->next->name->text)
			   : unknown_shape;
	case JS_INDEX:
		object = follow_shape(s, n->child, left);
		return element_shape(s, &object, n->child->next);
	default:
		return unknown_shape;
	}
}

shape
shape_of(shaper *s, const js_node *n)
{
	return follow_shape(s, n, STEPS);
}
