/* SPDX-License-Identifier: MIT */
/*
 * object.h -- objects, their shapes, their elements: the ordinary methods of
 * ECMA-262 §10.1, as far as they call no script.
 *
 * A shape says which properties an object has and where they are. Objects that
 * got the same properties in the same order have the same shape, so a place
 * that was found once is found again by comparing shapes. An object that many
 * properties are added to or removed from gets a shape of its own.
 *
 * Properties whose names are array indices are elements. They stand in one
 * CELL_VALUES, the first of them at .start, so that shift() moves nothing.
 */
#ifndef EVALUATOR_OBJECT_H
#define EVALUATOR_OBJECT_H

#include "str.h"

enum { /* attributes of a property */
	P_WRITE = 1,
	P_ENUM = 2,
	P_CONFIG = 4,
	P_PLAIN = 7,
	P_ACCESSOR = 8 /* the value is a pair of getter and setter */
};

/* How many internal values objects of a class have, and their names. */
typedef enum object_class {
	CLASS_OBJECT,
	CLASS_ARRAY,
	CLASS_FUNCTION, /* FN_* */
	CLASS_NATIVE,   /* its number, and its function of lib/ or undefined */
	CLASS_BOUND,
	CLASS_ERROR,
	CLASS_BOOLEAN,
	CLASS_NUMBER,
	CLASS_STRING,
	CLASS_SYMBOL,
	CLASS_BIGINT,
	CLASS_PROMISE,
	CLASS_COROUTINE, /* a generator, or a run of an async function */
	CLASS_MAP,
	CLASS_SET,
	CLASS_WEAK,
	CLASS_DATE,
	CLASS_REGEXP,
	CLASS_BUFFER,
	CLASS_VIEW,
	CLASS_PROXY,
	CLASS_ARGUMENTS,
	CLASS_ITERATOR,
	CLASSES
} object_class;

extern const uint8_t class_internal[CLASSES];

/* Of CLASS_ITERATOR. The last one says which kind of iterator it is; the others
 * are that kind's own. */
enum { ITERATOR_OF, ITERATOR_AT, ITERATOR_MORE, ITERATOR_BRAND };
typedef enum iterator_brand {
	BRAND_ARRAY = 1,
	BRAND_MAP,
	BRAND_SET,
	BRAND_STRING,
	BRAND_REGEXP,
	BRAND_HELPER, /* of iterators' map() ... */
	BRAND_WRAP,   /* of Iterator.from */
	BRAND_SYNC,   /* an async iterator from a sync one */
	BRAND_STACK,  /* a DisposableStack, which is none, and */
	BRAND_ASYNC_STACK,
	BRAND_RAW_JSON /* no iterator, too */
} iterator_brand;

enum { FN_CODE, FN_SCOPE, FN_HOME, FN_THIS, FN_FIELDS };

/* Where a property was found. */
typedef struct place {
	uint32_t index; /* among the properties of the shape; or an element */
	uint8_t attr;
	bool element;
	bool found;
} place;

static inline object_class
object_class_of(const heap *h, ref o)
{
	return (object_class)(CELL(h, o, cell)->aux & 0xff);
}

/* A value of the class's own. */
static inline value *
object_internal(const heap *h, ref o, unsigned i)
{
	return &CELL(h, o, cell_object)->v[i];
}

/* The shape of objects with that prototype and no properties. 0: no memory. The
 * prototype may move: *proto is a root. */
ref shape_root(heap *h, value *proto);
/* An object with room for so many properties inside. */
ref object_new(heap *h, object_class class, ref shape, unsigned room);
ref array_new(heap *h, ref shape, uint32_t len, uint32_t room);

/* A private name: a symbol that only instructions see. */
static inline bool
symbol_is_private(const heap *h, value key)
{
	return v_tag(key) == TAG_SYMBOL &&
	       CELL(h, v_ref(key), cell)->flags & CELL_PRIVATE;
}

/* An own property that is no element. */
place object_find(const heap *h, ref o, ref key);
value *object_slot(const heap *h, ref o, uint32_t index);
/* Adds one that is not there. False: no memory. */
bool object_add(heap *h, value *o, value *key, value *v, unsigned attr);
bool object_delete(heap *h, value *o, ref key);
bool object_set_attr(heap *h, value *o, place p, unsigned attr);
/* Named properties, deleted ones included; the key and attributes of one of
 * them, V_HOLE and 0 of one that was deleted. */
uint32_t object_count(const heap *h, ref o);
value object_key(const heap *h, ref o, uint32_t i, unsigned *attr);
/* Are these the n properties of a shape, all of them plain? pairs: n times a
 * key, and a value that is not looked at. */
bool shape_fits(const heap *h, ref shape, const value *pairs, uint32_t n);
/* A shape that no other object has, and that no cache knows. */
bool object_own_shape(heap *h, value *o);
/* No named property can be configured any more; frozen: nor written. */
bool object_restrict(heap *h, value *o, bool frozen);
ref object_proto(const heap *h, ref o);
bool object_set_proto(heap *h, value *o, value *proto);

/* An element; NULL: there is none. */
static inline value *
element_at(const heap *h, ref o, uint32_t i)
{
	const cell_object *c = CELL(h, o, cell_object);
	cell_values *e;

	if (c->elements == 0)
		return NULL;
	e = CELL(h, c->elements, cell_values);
	if (i >= e->len || e->v[e->start + i] == V_HOLE)
		return NULL;
	return &e->v[e->start + i];
}
/* Sets or makes one; the length of an array grows with it. */
bool element_put(heap *h, value *o, uint32_t i, value *v);
bool array_set_length(heap *h, value *o, uint32_t len);
/* Takes the first away: V_HOLE when there is none. */
value array_shift(heap *h, ref o);

#endif
