/* SPDX-License-Identifier: MIT */
/*
 * shape.c -- see shape.h: from an expression back to what it must be.
 *
 * A name is followed to its only value, through patterns too; a parameter of a
 * callback to an element of what is walked; an awaited call of a tool to what
 * that tool last answered; a call of a built-in to what that always gives.
 */
#include "shape.h"

#include "known.h"

enum { STEPS = 16 };

static thing thing_of(shaper *s, const js_node *n, unsigned left);

static thing
thing_of_kind(thing_kind kind)
{
	return (thing){kind, TEXT_NONE, NULL, false};
}

static thing
of_json(json v)
{
	static const thing_kind kinds[] = {
	    [JSON_MISSING] = THING_UNDEFINED,
	    [JSON_NULL] = THING_NULL,
	    [JSON_FALSE] = THING_BOOLEAN,
	    [JSON_TRUE] = THING_BOOLEAN,
	    [JSON_NUMBER] = THING_NUMBER,
	    [JSON_STRING] = THING_STRING,
	    [JSON_ARRAY] = THING_ARRAY,
	    [JSON_OBJECT] = THING_OBJECT,
	};

	return (thing){kinds[json_kind_of(v)], v, NULL, false};
}

/* ----------------------------------------------------------------- inside */

static thing
member_of_literal(shaper *s, const js_node *object, text key, unsigned left)
{
	bool sure = true;

	for (const js_node *m = object->child; m; m = m->next) {
		if (!analysis_spend(s->a, 1))
			return thing_of_kind(THING_UNKNOWN);
		if (m->kind == JS_SPREAD || (m->flags & JS_COMPUTED)) {
			sure = false;
			continue;
		}
		if (m->child->kind != JS_KEY ||
		    !text_eq(m->child->name->text, key))
			continue;
		return m->kind == JS_PROPERTY
			   ? thing_of(s, m->child->next, left)
			   : thing_of_kind(THING_FUNCTION);
	}
	return thing_of_kind(sure ? THING_UNDEFINED : THING_UNKNOWN);
}

/* obj.key of an object whose members are known. */
static thing
member_of(shaper *s, const thing *object, text key, unsigned left)
{
	if (json_kind_of(object->value) == JSON_OBJECT) {
		thing t = of_json(json_get(object->value, key));

		t.one_of_many = object->one_of_many;
		return t;
	}
	if (object->kind == THING_OBJECT && object->literal) {
		thing t = member_of_literal(s, object->literal, key, left);

		t.one_of_many = object->one_of_many;
		return t;
	}
	if ((object->kind == THING_ARRAY || object->kind == THING_STRING) &&
	    text_eq(key, TEXT("length")))
		return thing_of_kind(THING_NUMBER);
	if ((object->kind == THING_MAP || object->kind == THING_SET) &&
	    text_eq(key, TEXT("size")))
		return thing_of_kind(THING_NUMBER);
	return thing_of_kind(THING_UNKNOWN);
}

/* One of the elements: the one at index, or any. */
static thing
element_thing(shaper *s, const thing *list, const js_node *index, unsigned left)
{
	thing t = thing_of_kind(THING_UNKNOWN);

	if (json_kind_of(list->value) == JSON_ARRAY) {
		bool exact = index && index->kind == JS_NUMBER;
		double at = exact ? js_number(&s->a->tree, index) : 0;

		if (!exact && json_len(list->value) == 0)
			return t;
		t = of_json(json_at(list->value, at < 0 ? 0 : (size_t)at));
		t.one_of_many = !exact;
	} else if (list->kind == THING_ARRAY && list->literal &&
		   list->literal->child) {
		t = thing_of(s, list->literal->child, left);
		t.one_of_many = true; /* and so are its members */
	}
	return t;
}

/* ------------------------------------------------------------------ names */

/* The first parameter of a callback that is called for each element. */
static thing
parameter_value(shaper *s, const js_node *target, unsigned left)
{
	static const char *const each[] = {"map", "filter", "forEach", "find",
	    "some", "every", "flatMap", "findIndex", "findLast", "sort",
	    "toSorted", NULL};
	const js_node *f = target->parent->parent, *call = f->parent;
	thing list;

	if (call->kind != JS_CALL || call->child == f ||
	    call->child->kind != JS_MEMBER || target->parent->child != target)
		return thing_of_kind(THING_UNKNOWN);
	if (!is_one_of(call_method(call), each))
		return thing_of_kind(THING_UNKNOWN);
	list = thing_of(s, call->child->child, left);
	return element_thing(s, &list, NULL, left);
}

static thing
pattern_value(shaper *s, const js_node *target, unsigned left)
{
	const js_node *up = target->parent, *key;
	thing object;

	if (left-- == 0)
		return thing_of_kind(THING_UNKNOWN);
	if (up->kind == JS_DEFAULT)
		return thing_of_kind(THING_UNKNOWN);
	switch (up->kind) {
	case JS_DECLARATOR:
		if (target->next)
			return thing_of(s, target->next, left);
		up = up->parent->parent;
		if (up->kind != JS_FOR_OF)
			return thing_of_kind(THING_UNKNOWN);
		object = thing_of(s, up->child->next, left);
		return element_thing(s, &object, NULL, left);
	case JS_PROPERTY:
		key = up->child;
		object = pattern_value(s, up->parent, left);
		return key->kind == JS_KEY
			   ? member_of(s, &object, key->name->text, left)
			   : thing_of_kind(THING_UNKNOWN);
	case JS_ARRAY_PATTERN:
		object = pattern_value(s, up, left);
		return up->child == target
			   ? element_thing(s, &object, NULL, left)
			   : thing_of_kind(THING_UNKNOWN);
	case JS_PARAMS:
		return parameter_value(s, target, left);
	default:
		return thing_of_kind(THING_UNKNOWN);
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

static thing
name_value(shaper *s, const js_node *n, unsigned left)
{
	const binding *b = names_find(&s->a->names, n);

	if (!b)
		return thing_of_kind(
		    node_is(n, "undefined") ? THING_UNDEFINED : THING_UNKNOWN);
	if (b->sets > 0)
		return thing_of_kind(THING_UNKNOWN);
	if (b->kind == BINDING_CLASS)
		return thing_of_kind(THING_CLASS);
	if (b->init) {
		thing t = thing_of(s, b->init, left);

		return (t.literal || t.value.len > 0) && is_changed(s->a, b)
			   ? thing_of_kind(t.kind)
			   : t;
	}
	if (b->kind == BINDING_CAUGHT)
		return thing_of_kind(THING_UNKNOWN);
	/* let x; and nothing else. */
	if (b->node->parent->kind == JS_DECLARATOR && !b->node->next &&
	    b->node->parent->parent->parent->kind != JS_FOR_OF &&
	    b->node->parent->parent->parent->kind != JS_FOR_IN)
		return thing_of_kind(THING_UNDEFINED);
	return pattern_value(s, b->node, left);
}

/* ------------------------------------------------------------------ calls */

static const struct {
	const char *method;
	thing_kind gives;
} built_in[] = {
    {"split", THING_ARRAY},
    {"map", THING_ARRAY},
    {"filter", THING_ARRAY},
    {"join", THING_STRING},
    {"toString", THING_STRING},
    {"trim", THING_STRING},
    {"replace", THING_STRING},
    {"toFixed", THING_STRING},
    {"toISOString", THING_STRING},
    {"includes", THING_BOOLEAN},
    {"indexOf", THING_NUMBER},
    {"push", THING_NUMBER},
    {"forEach", THING_UNDEFINED},
};

static const struct {
	const char *object, *method;
	thing_kind gives;
} of_global[] = {
    {"Object", "keys", THING_ARRAY},
    {"Object", "values", THING_ARRAY},
    {"Object", "entries", THING_ARRAY},
    {"JSON", "stringify", THING_STRING},
};

/* A part of the list that it is called on. */
static bool
keeps_elements(text method)
{
	static const char *const keepers[] = {"filter", "slice", "sort",
	    "toSorted", "reverse", "toReversed", NULL};

	return is_one_of(method, keepers);
}

static thing
global_call(const js_node *object, text method)
{
	if (node_is(object, "Math"))
		return thing_of_kind(THING_NUMBER);
	for (size_t i = 0; i < sizeof(of_global) / sizeof(*of_global); i++)
		if (node_is(object, of_global[i].object) &&
		    text_eq(method, text_of(of_global[i].method)))
			return thing_of_kind(of_global[i].gives);
	return thing_of_kind(THING_UNKNOWN);
}

static thing
call_value(shaper *s, const js_node *n, unsigned left)
{
	const js_node *callee = n->child;
	text method = call_method(n);
	thing t;

	if (promise_of(s->a, n) == PROMISE_ONE)
		return thing_of_kind(THING_PROMISE);
	if (callee->kind == JS_NAME && !names_find(&s->a->names, callee)) {
		if (node_is(callee, "String"))
			return thing_of_kind(THING_STRING);
		if (node_is(callee, "Number") || node_is(callee, "parseInt") ||
		    node_is(callee, "parseFloat"))
			return thing_of_kind(THING_NUMBER);
	}
	if (callee->kind != JS_MEMBER)
		return thing_of_kind(THING_UNKNOWN);
	if (callee->child->kind == JS_NAME &&
	    !names_find(&s->a->names, callee->child)) {
		t = global_call(callee->child, method);
		if (t.kind != THING_UNKNOWN)
			return t;
	}
	if (keeps_elements(method)) {
		t = thing_of(s, callee->child, left);
		if (t.kind == THING_ARRAY)
			return t;
	}
	for (size_t i = 0; i < sizeof(built_in) / sizeof(*built_in); i++)
		if (text_eq(method, text_of(built_in[i].method)))
			return thing_of_kind(built_in[i].gives);
	return thing_of_kind(THING_UNKNOWN);
}

static thing
new_value(const js_node *n)
{
	static const struct {
		const char *name;
		thing_kind kind;
	} known[] = {{"Map", THING_MAP}, {"Set", THING_SET},
	    {"Date", THING_DATE}, {"RegExp", THING_REGEX},
	    {"Promise", THING_PROMISE}, {"Array", THING_ARRAY}};

	for (size_t i = 0; i < sizeof(known) / sizeof(*known); i++)
		if (node_is(n->child, known[i].name))
			return thing_of_kind(known[i].kind);
	return thing_of_kind(THING_UNKNOWN);
}

/* What an await gives: the answer of a tool, when it was seen. */
static thing
awaited_value(shaper *s, const js_node *n, unsigned left)
{
	const reach *r;
	const binding *b;
	text seen;
	thing t;

	if (n->kind == JS_NAME && (b = names_find(&s->a->names, n)) != NULL &&
	    b->sets == 0 && b->init)
		n = b->init;
	r = calls_at(s->a, n);
	if (r && analysis_spend(s->a, 500)) { /* to read the answer */
		seen = s->seen && s->seen->result
			   ? s->seen->result(s->seen->ctx, r->path)
			   : TEXT_NONE;
		seen = shape_mend(seen, s->mended);
		return seen.len > 0 ? of_json(seen)
				    : thing_of_kind(THING_UNKNOWN);
	}
	if (n->kind == JS_CALL && n->child->kind == JS_MEMBER &&
	    node_is(n->child->child, "Promise") &&
	    (text_eq(call_method(n), TEXT("all")) ||
		text_eq(call_method(n), TEXT("allSettled"))))
		return thing_of_kind(THING_ARRAY);
	t = thing_of(s, n, left);
	return t.kind == THING_PROMISE ? thing_of_kind(THING_UNKNOWN) : t;
}

/* ------------------------------------------------------------- expressions */

static thing
operator_value(const js_node *n)
{
	switch (n->op) {
	case T_TYPEOF:
		return thing_of_kind(THING_STRING);
	case T_VOID:
		return thing_of_kind(THING_UNDEFINED);
	case T_NOT:
	case T_SAME:
	case T_NOT_SAME:
	case T_EQ:
	case T_NE:
	case T_LT:
	case T_GT:
	case T_LE:
	case T_GE:
	case T_IN:
	case T_INSTANCEOF:
		return thing_of_kind(THING_BOOLEAN);
	default:
		return thing_of_kind(THING_UNKNOWN);
	}
}

static const struct {
	js_kind kind;
	thing_kind is;
} literals[] = {
    {JS_STRING, THING_STRING},
    {JS_TEMPLATE, THING_STRING},
    {JS_NUMBER, THING_NUMBER},
    {JS_BIGINT, THING_BIGINT},
    {JS_TRUE, THING_BOOLEAN},
    {JS_FALSE, THING_BOOLEAN},
    {JS_NULL, THING_NULL},
    {JS_REGEX, THING_REGEX},
    {JS_ARROW, THING_FUNCTION},
    {JS_FUNCTION, THING_FUNCTION},
    {JS_FUNCTION_DECL, THING_FUNCTION},
    {JS_CLASS, THING_CLASS},
    {JS_CLASS_DECL, THING_CLASS},
    {JS_IMPORT_CALL, THING_PROMISE},
};

static thing
literal_value(const js_node *n)
{
	for (size_t i = 0; i < sizeof(literals) / sizeof(*literals); i++)
		if (n->kind == literals[i].kind)
			return thing_of_kind(literals[i].is);
	return thing_of_kind(THING_UNKNOWN);
}

static thing
thing_of(shaper *s, const js_node *n, unsigned left)
{
	thing object;

	if (left-- == 0 || !analysis_spend(s->a, 1))
		return thing_of_kind(THING_UNKNOWN);
	switch (n->kind) {
	case JS_OBJECT:
		return (thing){THING_OBJECT, TEXT_NONE, n, false};
	case JS_ARRAY:
		return (thing){THING_ARRAY, TEXT_NONE, n, false};
	case JS_NAME:
		return name_value(s, n, left);
	case JS_NEW:
		return new_value(n);
	case JS_AWAIT:
		return awaited_value(s, n->child, left);
	case JS_CALL:
		return call_value(s, n, left);
	case JS_CHAIN:
		return thing_of(s, n->child, left);
	case JS_MEMBER:
		object = thing_of(s, n->child, left);
		return n->child->next->name
			   ? member_of(
				 s, &object, n->child->next->name->text, left)
			   : thing_of_kind(THING_UNKNOWN);
	case JS_INDEX:
		object = thing_of(s, n->child, left);
		return element_thing(s, &object, n->child->next, left);
	case JS_UNARY:
	case JS_BINARY:
		return operator_value(n);
	default:
		return literal_value(n);
	}
}

thing
shape_of(shaper *s, const js_node *n)
{
	return thing_of(s, n, STEPS);
}

thing
shape_of_pattern(shaper *s, const js_node *pattern)
{
	return pattern_value(s, pattern, STEPS);
}
