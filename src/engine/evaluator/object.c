/* SPDX-License-Identifier: MIT */
/*
 * object.c -- see object.h.
 *
 * The keys of a shape are a CELL_VALUES: a table, then a key and its attributes
 * for each property, in the order in which they were added. A shape that adds
 * one to another uses the same list, unless another shape has already done so.
 * The table, of places in the list by the hash of a key, is made when there are
 * more than a few; it is about all keys of the list, so what it finds behind
 * .count is none of the shape's.
 */
#include "object.h"

enum {
	LINEAR = 8,     /* so many keys are compared one by one */
	OWN_FROM = 128, /* properties from which a shape is the object's own */
	CHILDREN_MAX = 128,
	HOLES_MIN = 16, /* deleted keys of a list that are left in it */
	KEYS_FIRST = 4,
	ELEMENTS_FIRST = 4
};

const uint8_t class_internal[CLASSES] = {
    [CLASS_FUNCTION] = 5,
    [CLASS_NATIVE] = 2,
    [CLASS_BOUND] = 3,
    [CLASS_ERROR] = 1,
    [CLASS_BOOLEAN] = 1,
    [CLASS_NUMBER] = 1,
    [CLASS_STRING] = 1,
    [CLASS_SYMBOL] = 1,
    [CLASS_BIGINT] = 1,
    [CLASS_PROMISE] = 4,
    [CLASS_COROUTINE] = 9,
    [CLASS_MAP] = 2,
    [CLASS_SET] = 2,
    [CLASS_WEAK] = 2,
    [CLASS_DATE] = 1,
    [CLASS_REGEXP] = 4,
    [CLASS_BUFFER] = 2,
    [CLASS_VIEW] = 4,
    [CLASS_PROXY] = 2,
    [CLASS_ITERATOR] = 4,
};

#define KEYS_TABLE(k)   ((k)->v[0])
#define KEYS_KEY(k, i)  ((k)->v[1 + 2 * (size_t)(i)])
#define KEYS_ATTR(k, i) ((k)->v[2 + 2 * (size_t)(i)])

/* ------------------------------------------------------------------ values */

/* A list with room for n; those behind .len are holes. Room is reserved. */
static ref
values_raw(heap *h, uint32_t n)
{
	ref r = heap_new(h, CELL_VALUES, 16 + (size_t)n * 8);
	cell_values *c = CELL(h, r, cell_values);

	c->len = c->start = 0;
	for (uint32_t i = 0; i < n; i++)
		c->v[i] = V_HOLE;
	return r;
}

static uint32_t
values_room(const cell_values *c)
{
	return c->head.size - 2;
}

static size_t
values_bytes(uint32_t n)
{
	return 16 + (size_t)n * 8;
}

/* -------------------------------------------------------------------- keys */

static uint32_t
key_hash(const heap *h, value key)
{
	return v_is_string(key) ? str_hash(CELL(h, v_ref(key), cell_string))
				: CELL(h, v_ref(key), cell_symbol)->hash;
}

static uint32_t
keys_len(const cell_values *k)
{
	return (k->len - 1) / 2;
}

/* The table has twice as many places as the list has room, a power of two; each
 * is the number of a key from 1, or 0. */
static uint32_t
key_table_places(uint32_t room)
{
	uint32_t n = 16;

	while (n < 2 * room)
		n *= 2;
	return n;
}

static void
key_table_put(const heap *h, cell_bytes *t, value key, uint32_t number)
{
	uint32_t *at = (uint32_t *)(void *)t->b;
	uint32_t mask = (uint32_t)(t->len / 4) - 1;
	uint32_t k = key_hash(h, key) & mask;

	while (at[k] != 0)
		k = (k + 1) & mask;
	at[k] = number;
}

/* Makes the table of that list; room for it is reserved. */
static void
make_key_table(heap *h, ref keys)
{
	uint32_t places =
	    key_table_places((values_room(CELL(h, keys, cell_values)) - 1) / 2);
	ref r = heap_new(h, CELL_BYTES, sizeof(cell_bytes) + places * 4);
	cell_bytes *t = CELL(h, r, cell_bytes);
	cell_values *k = CELL(h, keys, cell_values);

	t->len = places * 4;
	memset(t->b, 0, t->len);
	for (uint32_t i = 0; i < keys_len(k); i++)
		if (KEYS_KEY(k, i) != V_HOLE)
			key_table_put(h, t, KEYS_KEY(k, i), i + 1);
	KEYS_TABLE(k) = v_of_ref(TAG_CELL, r);
}

static size_t
key_table_bytes(uint32_t room)
{
	return sizeof(cell_bytes) + (size_t)key_table_places(room) * 4;
}

static uint32_t
keys_find(const heap *h, const cell_values *k, uint32_t count, ref key)
{
	const cell_bytes *t;
	const uint32_t *at;
	uint32_t mask, i;

	if (v_tag(KEYS_TABLE(k)) != TAG_CELL) {
		for (i = 0; i < count; i++)
			if (v_ref(KEYS_KEY(k, i)) == key &&
			    KEYS_KEY(k, i) != V_HOLE)
				return i;
		return UINT32_MAX;
	}
	t = CELL(h, v_ref(KEYS_TABLE(k)), cell_bytes);
	at = (const uint32_t *)(const void *)t->b;
	mask = (uint32_t)(t->len / 4) - 1;
	i = (CELL(h, key, cell)->kind == CELL_SYMBOL
		    ? CELL(h, key, cell_symbol)->hash
		    : str_hash(CELL(h, key, cell_string))) &
	    mask;
	for (; at[i] != 0; i = (i + 1) & mask)
		if (v_ref(KEYS_KEY(k, at[i] - 1)) == key &&
		    KEYS_KEY(k, at[i] - 1) != V_HOLE)
			return at[i] - 1 < count ? at[i] - 1 : UINT32_MAX;
	return UINT32_MAX;
}

/* ------------------------------------------------------------------ shapes */

static ref
shape_raw(heap *h, ref proto, ref keys, uint32_t count)
{
	ref r = heap_new(h, CELL_SHAPE, sizeof(cell_shape));
	cell_shape *s = CELL(h, r, cell_shape);

	s->proto = proto;
	s->keys = keys;
	s->count = count;
	s->child = s->next = 0;
	s->own = 0;
	return r;
}

ref
shape_root(heap *h, value *proto)
{
	ref r;

	if (v_is_object(*proto) &&
	    !(CELL(h, v_ref(*proto), cell)->flags & CELL_ARRAY) &&
	    CELL(h, v_ref(*proto), cell_object)->extra != 0)
		return CELL(h, v_ref(*proto), cell_object)->extra;
	if (!heap_reserve(h, sizeof(cell_shape)))
		return 0;
	r = shape_raw(h, v_is_object(*proto) ? v_ref(*proto) : 0, 0, 0);
	if (v_is_object(*proto) &&
	    !(CELL(h, v_ref(*proto), cell)->flags & CELL_ARRAY))
		CELL(h, v_ref(*proto), cell_object)->extra = r;
	return r;
}

/* The list of keys with one more; room for a new list and table is reserved. */
static ref
keys_with(heap *h, ref old, uint32_t count, value key, unsigned attr)
{
	cell_values *k = old ? CELL(h, old, cell_values) : NULL, *n;
	uint32_t room = KEYS_FIRST;
	ref r = old;

	if (k == NULL || keys_len(k) != count || k->len + 2 > values_room(k)) {
		while (room < count + 1)
			room *= 2;
		r = values_raw(h, 1 + 2 * room);
		n = CELL(h, r, cell_values);
		n->len = 1 + 2 * count;
		if (old != 0)
			memcpy(n->v, CELL(h, old, cell_values)->v,
			    (size_t)n->len * 8);
		n->v[0] = V_UNDEFINED;
	}
	n = CELL(h, r, cell_values);
	KEYS_KEY(n, count) = key;
	KEYS_ATTR(n, count) = v_of_int((int32_t)attr);
	n->len += 2;
	if (v_tag(KEYS_TABLE(n)) == TAG_CELL)
		key_table_put(h, CELL(h, v_ref(KEYS_TABLE(n)), cell_bytes), key,
		    count + 1);
	else if (count + 1 > LINEAR)
		make_key_table(h, r);
	return r;
}

static size_t
keys_bytes(uint32_t count)
{
	uint32_t room = KEYS_FIRST;

	while (room < count + 1)
		room *= 2;
	return values_bytes(1 + 2 * room) + key_table_bytes(room);
}

/* That one of the shapes made from s which adds key; 0: there is none. *many:
 * so many were made that objects which add another get shapes of their own. */
static ref
find_child(const heap *h, ref s, ref key, unsigned attr, bool *many)
{
	ref c = CELL(h, s, cell_shape)->child;
	uint32_t n = 0;

	for (; c != 0; c = CELL(h, c, cell_shape)->next) {
		const cell_shape *shape = CELL(h, c, cell_shape);
		const cell_values *k = CELL(h, shape->keys, cell_values);
		uint32_t last = shape->count - 1;

		if (v_ref(KEYS_KEY(k, last)) == key &&
		    v_int(KEYS_ATTR(k, last)) == (int32_t)attr)
			return c;
		n++;
	}
	*many = n >= CHILDREN_MAX;
	return 0;
}

/* ----------------------------------------------------------------- objects */

ref
object_new(heap *h, object_class class, ref shape, unsigned room)
{
	unsigned inside = class_internal[class];
	ref r =
	    heap_new(h, CELL_OBJECT, sizeof(cell_object) + (inside + room) * 8);
	cell_object *o = CELL(h, r, cell_object);

	o->head.aux = (uint16_t)(class | room << 8);
	o->shape = shape;
	o->elements = o->slots = 0;
	o->extra = 0;
	for (unsigned i = 0; i < inside + room; i++)
		o->v[i] = V_UNDEFINED;
	return r;
}

ref
array_new(heap *h, ref shape, uint32_t len, uint32_t room)
{
	ref r = object_new(h, CLASS_ARRAY, shape, 0);
	ref e = room ? values_raw(h, room) : 0;
	cell_object *o = CELL(h, r, cell_object);

	o->head.flags |= CELL_ARRAY;
	o->extra = len;
	o->elements = e;
	if (e != 0) {
		CELL(h, e, cell_values)->len = len < room ? len : room;
		CELL(h, e, cell)->flags = len > 0 ? VALUES_HOLES : 0;
	}
	return r;
}

place
object_find(const heap *h, ref o, ref key)
{
	const cell_shape *s =
	    CELL(h, CELL(h, o, cell_object)->shape, cell_shape);
	const cell_values *k;
	place p = {.found = false};

	if (s->count == 0)
		return p;
	k = CELL(h, s->keys, cell_values);
	p.index = keys_find(h, k, s->count, key);
	p.found = p.index != UINT32_MAX;
	if (p.found)
		p.attr = (uint8_t)v_int(KEYS_ATTR(k, p.index));
	return p;
}

value *
object_slot(const heap *h, ref r, uint32_t index)
{
	cell_object *o = CELL(h, r, cell_object);
	uint32_t room = o->head.aux >> 8;

	if (index < room)
		return &o->v[class_internal[o->head.aux & 0xff] + index];
	return &CELL(h, o->slots, cell_values)->v[index - room];
}

/* Room for property number index; room for the list is reserved. */
static void
make_slot(heap *h, ref r, uint32_t index)
{
	cell_object *o = CELL(h, r, cell_object);
	uint32_t room = o->head.aux >> 8, have, want = KEYS_FIRST;
	ref more;

	if (index < room)
		return;
	have = o->slots ? values_room(CELL(h, o->slots, cell_values)) : 0;
	if (index - room < have)
		return;
	while (want <= index - room)
		want *= 2;
	more = values_raw(h, want);
	o = CELL(h, r, cell_object);
	if (have > 0)
		memcpy(CELL(h, more, cell_values)->v,
		    CELL(h, o->slots, cell_values)->v, (size_t)have * 8);
	o->slots = more;
}

static size_t
slot_bytes(uint32_t index)
{
	uint32_t want = KEYS_FIRST;

	while (want <= index)
		want *= 2;
	return values_bytes(want);
}

/* A shape of the object's own, with a list of its own. */
static void
own_shape(heap *h, ref o)
{
	cell_shape *s = CELL(h, CELL(h, o, cell_object)->shape, cell_shape);
	uint32_t count = s->count, room = KEYS_FIRST;
	ref keys, shape, old = s->keys, proto = s->proto;
	cell_values *k;

	while (room < count + 1)
		room *= 2;
	keys = values_raw(h, 1 + 2 * room);
	k = CELL(h, keys, cell_values);
	if (old != 0)
		memcpy(k->v, CELL(h, old, cell_values)->v,
		    (1 + 2 * (size_t)count) * 8);
	k->v[0] = V_UNDEFINED;
	k->len = 1 + 2 * count;
	if (count > LINEAR)
		make_key_table(h, keys);
	shape = shape_raw(h, proto, keys, count);
	CELL(h, shape, cell_shape)->own = 1;
	CELL(h, o, cell_object)->shape = shape;
}

/* The shape, which is the object's own, gets the key. */
static void
add_own_key(heap *h, ref shape, value key, unsigned attr)
{
	cell_shape *s = CELL(h, shape, cell_shape);
	ref keys = keys_with(h, s->keys, s->count, key, attr);

	s = CELL(h, shape, cell_shape);
	s->keys = keys;
	s->count++;
}

bool
object_add(heap *h, value *o, value *key, value *v, unsigned attr)
{
	uint32_t count = object_count(h, v_ref(*o));
	ref shape, child = 0, keys;
	bool many = false;

	if (!heap_reserve(h, 2 * keys_bytes(count) + slot_bytes(count) +
				 2 * sizeof(cell_shape)))
		return false;
	shape = CELL(h, v_ref(*o), cell_object)->shape;
	if (!CELL(h, shape, cell_shape)->own) {
		child = find_child(h, shape, v_ref(*key), attr, &many);
		if (count >= OWN_FROM || (child == 0 && many)) {
			own_shape(h, v_ref(*o));
			shape = CELL(h, v_ref(*o), cell_object)->shape;
		}
	}
	make_slot(h, v_ref(*o), count);
	*object_slot(h, v_ref(*o), count) = *v;
	if (CELL(h, shape, cell_shape)->own) {
		add_own_key(h, shape, *key, attr);
		return true;
	}
	if (child == 0) {
		keys = keys_with(
		    h, CELL(h, shape, cell_shape)->keys, count, *key, attr);
		child = shape_raw(
		    h, CELL(h, shape, cell_shape)->proto, keys, count + 1);
		CELL(h, child, cell_shape)->next =
		    CELL(h, shape, cell_shape)->child;
		CELL(h, shape, cell_shape)->child = child;
	}
	CELL(h, v_ref(*o), cell_object)->shape = child;
	return true;
}

/* Gives the object a shape of its own that no cache knows; may move cells. */
static bool
take_shape(heap *h, value *o)
{
	const cell_shape *s =
	    CELL(h, CELL(h, v_ref(*o), cell_object)->shape, cell_shape);
	ref r;

	if (!s->own) {
		if (!heap_reserve(
			h, 2 * keys_bytes(s->count) + sizeof(cell_shape)))
			return false;
		own_shape(h, v_ref(*o));
		return true;
	}
	if (!heap_reserve(h, sizeof(cell_shape)))
		return false;
	s = CELL(h, CELL(h, v_ref(*o), cell_object)->shape, cell_shape);
	r = shape_raw(h, s->proto, s->keys, s->count);
	s = CELL(h, CELL(h, v_ref(*o), cell_object)->shape, cell_shape);
	CELL(h, r, cell_shape)->own = s->own;
	CELL(h, v_ref(*o), cell_object)->shape = r;
	return true;
}

bool
object_own_shape(heap *h, value *o)
{
	return take_shape(h, o);
}

bool
shape_fits(const heap *h, ref shape, const value *pairs, uint32_t n)
{
	const cell_shape *s = CELL(h, shape, cell_shape);
	const cell_values *k;

	if (s->count != n || s->own)
		return false;
	k = CELL(h, s->keys, cell_values);
	for (uint32_t i = 0; i < n; i++)
		if (KEYS_KEY(k, i) != pairs[2 * (size_t)i] ||
		    KEYS_ATTR(k, i) != v_of_int(P_PLAIN))
			return false;
	return true;
}

uint32_t
object_count(const heap *h, ref o)
{
	return CELL(h, CELL(h, o, cell_object)->shape, cell_shape)->count;
}

value
object_key(const heap *h, ref o, uint32_t i, unsigned *attr)
{
	const cell_shape *s =
	    CELL(h, CELL(h, o, cell_object)->shape, cell_shape);
	const cell_values *k = CELL(h, s->keys, cell_values);

	*attr = (unsigned)v_int(KEYS_ATTR(k, i));
	return KEYS_KEY(k, i);
}

bool
object_restrict(heap *h, value *o, bool frozen)
{
	const cell_shape *s;
	cell_values *k;

	if (!take_shape(h, o))
		return false;
	s = CELL(h, CELL(h, v_ref(*o), cell_object)->shape, cell_shape);
	if (s->keys == 0)
		return true;
	k = CELL(h, s->keys, cell_values);
	for (uint32_t i = 0; i < s->count; i++) {
		int32_t attr = v_int(KEYS_ATTR(k, i));

		if (symbol_is_private(h, KEYS_KEY(k, i)))
			continue;
		attr &= ~P_CONFIG;
		if (frozen && !(attr & P_ACCESSOR))
			attr &= ~P_WRITE;
		KEYS_ATTR(k, i) = v_of_int(attr);
	}
	return true;
}

/* What is left of the properties moves up, in its order. */
static void
close_holes(heap *h, ref o)
{
	cell_shape *s = CELL(h, CELL(h, o, cell_object)->shape, cell_shape);
	cell_values *k = CELL(h, s->keys, cell_values);
	uint32_t to = 0;

	for (uint32_t i = 0; i < s->count; i++) {
		if (KEYS_KEY(k, i) == V_HOLE)
			continue;
		KEYS_KEY(k, to) = KEYS_KEY(k, i);
		KEYS_ATTR(k, to) = KEYS_ATTR(k, i);
		*object_slot(h, o, to++) = *object_slot(h, o, i);
	}
	for (uint32_t i = to; i < s->count; i++)
		*object_slot(h, o, i) = V_UNDEFINED;
	s->count = to;
	s->own = 1;
	k->len = 1 + 2 * to;
	if (v_tag(KEYS_TABLE(k)) == TAG_CELL)
		make_key_table(h, s->keys);
}

/* The key becomes a hole of the list (object_key gives V_HOLE); when there are
 * many, they are closed. */
bool
object_delete(heap *h, value *o, ref key)
{
	place p = object_find(h, v_ref(*o), key);
	cell_shape *s;

	if (!p.found)
		return true;
	if (!take_shape(h, o) ||
	    !heap_reserve(h, keys_bytes(object_count(h, v_ref(*o)))))
		return false;
	s = CELL(h, CELL(h, v_ref(*o), cell_object)->shape, cell_shape);
	KEYS_KEY(CELL(h, s->keys, cell_values), p.index) = V_HOLE;
	KEYS_ATTR(CELL(h, s->keys, cell_values), p.index) = v_of_int(0);
	*object_slot(h, v_ref(*o), p.index) = V_UNDEFINED;
	s->own++;
	if (v_tag(KEYS_TABLE(CELL(h, s->keys, cell_values))) != TAG_CELL ||
	    (s->own > HOLES_MIN && s->own > s->count / 2))
		close_holes(h, v_ref(*o));
	return true;
}

bool
object_set_attr(heap *h, value *o, place p, unsigned attr)
{
	const cell_shape *s;

	if (!take_shape(h, o))
		return false;
	s = CELL(h, CELL(h, v_ref(*o), cell_object)->shape, cell_shape);
	KEYS_ATTR(CELL(h, s->keys, cell_values), p.index) =
	    v_of_int((int32_t)attr);
	return true;
}

ref
object_proto(const heap *h, ref o)
{
	return CELL(h, CELL(h, o, cell_object)->shape, cell_shape)->proto;
}

/* The same keys on another prototype: a shape of the object's own. The new
 * prototype gets a shape for its objects, which tells that it is one. */
bool
object_set_proto(heap *h, value *o, value *proto)
{
	ref root = shape_root(h, proto);

	if (root == 0)
		return false;
	if (object_count(h, v_ref(*o)) == 0) {
		CELL(h, v_ref(*o), cell_object)->shape = root;
		return true;
	}
	if (!take_shape(h, o))
		return false;
	CELL(h, CELL(h, v_ref(*o), cell_object)->shape, cell_shape)->proto =
	    v_is_object(*proto) ? v_ref(*proto) : 0;
	return true;
}

/* ---------------------------------------------------------------- elements */

static bool
grow_elements(heap *h, value *o, uint32_t need)
{
	const cell_object *c = CELL(h, v_ref(*o), cell_object);
	const cell_values *old =
	    c->elements ? CELL(h, c->elements, cell_values) : NULL;
	uint64_t room = old ? values_room(old) : ELEMENTS_FIRST;
	cell_values *e;
	ref r;

	if (old != NULL && old->start + (uint64_t)need <= values_room(old))
		return true;
	/* What shift() left in front is given up with some room to spare, or a
	 * queue would be copied for each element. */
	while (room < need + (old && old->start ? (uint64_t)need / 4 : 0))
		room += room / 2 + 4;
	if (!heap_reserve(h, values_bytes((uint32_t)room)))
		return false;
	r = values_raw(h, (uint32_t)room);
	e = CELL(h, r, cell_values);
	c = CELL(h, v_ref(*o), cell_object);
	if (c->elements != 0) {
		old = CELL(h, c->elements, cell_values);
		memcpy(e->v, old->v + old->start, (size_t)old->len * 8);
		e->len = old->len;
		e->head.flags = old->head.flags;
	}
	CELL(h, v_ref(*o), cell_object)->elements = r;
	return true;
}

bool
element_put(heap *h, value *o, uint32_t i, value *v)
{
	value *have = element_at(h, v_ref(*o), i);
	cell_object *c;
	cell_values *e;

	if (have != NULL) {
		*have = *v;
		return true;
	}
	if (!grow_elements(h, o, i + 1))
		return false;
	c = CELL(h, v_ref(*o), cell_object);
	e = CELL(h, c->elements, cell_values);
	e->v[e->start + i] = *v;
	if (i > e->len)
		e->head.flags |= VALUES_HOLES;
	if (i >= e->len)
		e->len = i + 1;
	if (c->head.flags & CELL_ARRAY && i >= c->extra)
		c->extra = i + 1;
	return true;
}

bool
array_set_length(heap *h, value *o, uint32_t len)
{
	cell_object *c = CELL(h, v_ref(*o), cell_object);
	cell_values *e = c->elements ? CELL(h, c->elements, cell_values) : NULL;

	for (uint32_t i = e ? e->len : 0; i > len; i--)
		e->v[e->start + i - 1] = V_HOLE;
	if (e != NULL && e->len > len)
		e->len = len;
	c->extra = len;
	return true;
}

value
array_shift(heap *h, ref o)
{
	cell_object *c = CELL(h, o, cell_object);
	cell_values *e = c->elements ? CELL(h, c->elements, cell_values) : NULL;
	value first = V_HOLE;

	if (c->extra == 0)
		return first;
	c->extra--;
	if (e == NULL || e->len == 0)
		return first;
	first = e->v[e->start];
	e->v[e->start++] = V_HOLE;
	e->len--;
	return first;
}
