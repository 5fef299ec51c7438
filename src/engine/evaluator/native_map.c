/* SPDX-License-Identifier: MIT */
/*
 * native_map.c -- tables of keys in the order in which they were added, for Map,
 * Set, WeakMap and WeakSet.
 *
 * The entries stand one behind the other in a CELL_VALUES: the key (V_HOLE once
 * it was deleted), in maps its value, and the number of the next entry with the
 * same hash. The head is a CELL_BYTES with the first entry of each hash.
 *
 * When there is no room, the entries that are left go to a new CELL_VALUES. The
 * old one is not changed but for its first entry, which then names the new one:
 * so an iterator that stands in it finds out where it would be.
 *
 * The hash of an object is its place, which a collection changes: then all are
 * hashed anew, when the table is asked the next time. Entries of weak tables
 * whose key has died are deleted by the collection (VALUES_WEAK).
 */
#include "vm.h"

enum { TABLE_ENTRIES, TABLE_HEAD }; /* internal values of the objects */
enum { ENTRIES_FIRST = 4, LAST = -1 };

typedef struct table_head {
	uint32_t parts;    /* values of an entry: 2 or 3 */
	uint32_t size;     /* keys */
	uint32_t first;    /* no entry before it has a key */
	uint32_t by_place; /* there is a key whose hash is its place */
	uint64_t epoch;    /* collections when the places were these */
	uint32_t mask;     /* hashes, less one */
	int32_t bucket[];
} table_head;

/* ------------------------------------------------------------------- access */

static table_head *
head_of(const vm *m, value o)
{
	value head = *object_internal(H(m), v_ref(o), TABLE_HEAD);

	return (table_head *)(void *)CELL(H(m), v_ref(head), cell_bytes)->b;
}

static cell_values *
entries_of(const vm *m, value o)
{
	value e = *object_internal(H(m), v_ref(o), TABLE_ENTRIES);

	return CELL(H(m), v_ref(e), cell_values);
}

static uint32_t
entry_count(const cell_values *e, uint32_t parts)
{
	return e->len / parts;
}

static value *
entry_next(cell_values *e, uint32_t parts, uint32_t i)
{
	return &e->v[(size_t)i * parts + parts - 1];
}

/* --------------------------------------------------------------------- keys */

/* The same key has the same bits, but for strings and BigInts. False: no
 * memory. */
static bool
normal_key(vm *m, value *key)
{
	if (v_is_number(*key))
		*key = v_of_number(v_number(*key) + 0.0);
	else if (v_is_string(*key) && !str_flatten(H(m), key))
		return vm_throw_memory(m), false;
	return true;
}

static uint32_t
mix(uint64_t x)
{
	x *= 0x9e3779b97f4a7c15u;
	return (uint32_t)(x >> 32) ^ (uint32_t)(x >> 17);
}

static uint32_t
hash_key(const vm *m, value key)
{
	if (v_is_string(key))
		return mix(str_hash(STR(m, key)));
	if (v_tag(key) == TAG_SYMBOL)
		return mix(CELL(H(m), v_ref(key), cell_symbol)->hash);
	if (v_tag(key) == TAG_BIGINT)
		return CELL(H(m), v_ref(key), cell)->size;
	return mix(key);
}

static bool
is_same_key(vm *m, value a, value b)
{
	if (a == b)
		return true;
	if (v_is_string(a))
		return v_is_string(b) &&
		       str_hash(STR(m, a)) == str_hash(STR(m, b)) &&
		       str_equal(STR(m, a), STR(m, b));
	return v_tag(a) == TAG_BIGINT && v_tag(b) == TAG_BIGINT &&
	       vm_same(m, a, b);
}

/* -------------------------------------------------------------------- tables */

static void
link_entry(const vm *m, table_head *t, cell_values *e, uint32_t i)
{
	value key = e->v[(size_t)i * t->parts];
	int32_t *bucket = &t->bucket[hash_key(m, key) & t->mask];

	*entry_next(e, t->parts, i) = v_of_int(*bucket);
	*bucket = (int32_t)i;
	t->by_place |= v_is_object(key);
}

static void
link_all(const vm *m, table_head *t, cell_values *e)
{
	memset(t->bucket, 0xff, ((size_t)t->mask + 1) * sizeof(*t->bucket));
	for (uint32_t i = t->first; i < entry_count(e, t->parts); i++)
		if (e->v[(size_t)i * t->parts] != V_HOLE)
			link_entry(m, t, e, i);
	t->epoch = H(m)->collections;
}

static uint32_t
buckets_for(uint32_t room)
{
	uint32_t n = ENTRIES_FIRST;

	while (n < room)
		n *= 2;
	return n;
}

static size_t
entries_bytes(uint32_t parts, uint32_t room)
{
	return sizeof(cell_values) + (size_t)room * parts * sizeof(value);
}

static size_t
head_bytes(uint32_t room)
{
	return sizeof(cell_bytes) + sizeof(table_head) +
	       buckets_for(room) * sizeof(int32_t);
}

/* An empty table with room for so many; memory for it is reserved. */
static void
give_table(vm *m, value o, uint32_t parts, uint32_t room)
{
	ref r = heap_new(H(m), CELL_VALUES, entries_bytes(parts, room));
	ref h = heap_new(H(m), CELL_BYTES, head_bytes(room));
	cell_values *e = CELL(H(m), r, cell_values);
	table_head *t;

	e->len = e->start = 0;
	if (v_is_class(m, o, CLASS_WEAK)) {
		e->head.flags = VALUES_WEAK;
		e->start = parts;
	}
	for (uint32_t i = 0; i < room * parts; i++)
		e->v[i] = V_HOLE;
	CELL(H(m), h, cell_bytes)->len = head_bytes(room) - sizeof(cell_bytes);
	*object_internal(H(m), v_ref(o), TABLE_ENTRIES) = v_of_ref(TAG_CELL, r);
	*object_internal(H(m), v_ref(o), TABLE_HEAD) = v_of_ref(TAG_CELL, h);
	t = head_of(m, o);
	*t = (table_head){.parts = parts, .mask = buckets_for(room) - 1};
	link_all(m, t, e);
}

/* The entries go to a new table, with room for more of them. */
static bool
renew_table(vm *m, value *o)
{
	table_head *t = head_of(m, *o), *to;
	uint32_t parts = t->parts, room = 0, n = 0;
	cell_values *old = entries_of(m, *o), *e;

	/* .size counts keys that died, too. */
	for (uint32_t i = t->first; i < entry_count(old, parts); i++)
		room += old->v[(size_t)i * parts] != V_HOLE ? 2 : 0;
	if (room < ENTRIES_FIRST)
		room = ENTRIES_FIRST;
	if (room > INT32_MAX / 4 ||
	    !heap_reserve(
		H(m), entries_bytes(parts, room) + head_bytes(room) + 32))
		return vm_throw_memory(m), false;
	if (!vm_steps(m, room / 16))
		return false;
	old = entries_of(m, *o);
	t = head_of(m, *o);
	give_table(m, *o, parts, room);
	e = entries_of(m, *o);
	to = head_of(m, *o);
	for (uint32_t i = t->first; i < entry_count(old, parts); i++)
		if (old->v[(size_t)i * parts] != V_HOLE)
			memcpy(e->v + (size_t)n++ * parts,
			    old->v + (size_t)i * parts, parts * sizeof(value));
	e->len = n * parts;
	to->size = n;
	link_all(m, to, e);
	if (old->len > 0)
		*entry_next(old, parts, 0) =
		    *object_internal(H(m), v_ref(*o), TABLE_ENTRIES);
	return true;
}

/* Number of the entry with that key, which is normal; -1. */
static int32_t
find_table_entry(vm *m, value o, value key)
{
	table_head *t = head_of(m, o);
	cell_values *e = entries_of(m, o);
	int32_t i;

	if (t->by_place && t->epoch != H(m)->collections)
		link_all(m, t, e);
	i = t->bucket[hash_key(m, key) & t->mask];
	while (i >= 0 && !is_same_key(m, e->v[(size_t)i * t->parts], key))
		i = v_int(*entry_next(e, t->parts, (uint32_t)i));
	return i;
}

/* Arguments are roots. */
static bool
table_put(vm *m, value *o, value *key, value *v)
{
	cell_values *e;
	table_head *t;
	int32_t i;
	uint32_t n;

	if (!normal_key(m, key))
		return false;
	i = find_table_entry(m, *o, *key);
	if (i < 0) {
		t = head_of(m, *o);
		e = entries_of(m, *o);
		if (e->len + t->parts > e->head.size - 2) {
			if (!renew_table(m, o))
				return false;
			t = head_of(m, *o);
			e = entries_of(m, *o);
		}
		n = entry_count(e, t->parts);
		e->len += t->parts;
		e->v[(size_t)n * t->parts] = *key;
		link_entry(m, t, e, n);
		t->size++;
		i = (int32_t)n;
	}
	t = head_of(m, *o);
	if (t->parts == 3)
		entries_of(m, *o)->v[(size_t)i * 3 + 1] = *v;
	return true;
}

static bool
table_remove(vm *m, value o, value key)
{
	int32_t i = find_table_entry(m, o, key), *bucket, k;
	table_head *t = head_of(m, o);
	cell_values *e = entries_of(m, o);
	value after;

	if (i < 0)
		return false;
	after = *entry_next(e, t->parts, (uint32_t)i);
	bucket = &t->bucket[hash_key(m, key) & t->mask];
	if (*bucket == i) {
		*bucket = v_int(after);
	} else {
		k = *bucket;
		while (v_int(*entry_next(e, t->parts, (uint32_t)k)) != i)
			k = v_int(*entry_next(e, t->parts, (uint32_t)k));
		*entry_next(e, t->parts, (uint32_t)k) = after;
	}
	e->v[(size_t)i * t->parts] = V_HOLE;
	if (t->parts == 3)
		e->v[(size_t)i * 3 + 1] = V_UNDEFINED;
	t->size--;
	while (t->first < entry_count(e, t->parts) &&
	       e->v[(size_t)t->first * t->parts] == V_HOLE)
		t->first++;
	return true;
}

static bool
table_clear(vm *m, value *o)
{
	uint32_t parts = head_of(m, *o)->parts;
	cell_values *old;

	if (!heap_reserve(H(m), entries_bytes(parts, ENTRIES_FIRST) +
				    head_bytes(ENTRIES_FIRST) + 32))
		return vm_throw_memory(m), false;
	old = entries_of(m, *o);
	give_table(m, *o, parts, ENTRIES_FIRST);
	for (uint32_t i = 0; i < entry_count(old, parts); i++)
		old->v[(size_t)i * parts] = V_HOLE;
	if (old->len > 0)
		*entry_next(old, parts, 0) =
		    *object_internal(H(m), v_ref(*o), TABLE_ENTRIES);
	return true;
}

/* ------------------------------------------------------------------ for lib/ */

value
native_table_make(vm *m, value *a, uint32_t argc)
{
	uint32_t parts = (uint32_t)v_int(a[1]);

	(void)argc;
	if (!heap_reserve(H(m), entries_bytes(parts, ENTRIES_FIRST) +
				    head_bytes(ENTRIES_FIRST) + 32))
		return vm_throw_memory(m);
	give_table(m, a[0], parts, ENTRIES_FIRST);
	return a[0];
}

value
native_table_parts(vm *m, value *a, uint32_t argc)
{
	(void)argc;
	return v_of_int((int32_t)head_of(m, a[0])->parts);
}

value
native_table_size(vm *m, value *a, uint32_t argc)
{
	(void)argc;
	return v_of_int((int32_t)head_of(m, a[0])->size);
}

/* o[key]; a set has V_TRUE for all of its keys. */
static value
look_up(vm *m, value *o, value *key, value absent)
{
	int32_t i;

	if (!normal_key(m, key))
		return V_THROWN;
	i = find_table_entry(m, *o, *key);
	if (i < 0)
		return absent;
	return head_of(m, *o)->parts == 3 && absent == V_UNDEFINED
		   ? entries_of(m, *o)->v[(size_t)i * 3 + 1]
		   : V_TRUE;
}

value
native_table_get(vm *m, value *a, uint32_t argc)
{
	(void)argc;
	return look_up(m, &a[0], &a[1], V_UNDEFINED);
}

value
native_table_has(vm *m, value *a, uint32_t argc)
{
	(void)argc;
	return look_up(m, &a[0], &a[1], V_FALSE);
}

value
native_table_set(vm *m, value *a, uint32_t argc)
{
	(void)argc;
	return table_put(m, &a[0], &a[1], &a[2]) ? V_UNDEFINED : V_THROWN;
}

value
native_table_delete(vm *m, value *a, uint32_t argc)
{
	(void)argc;
	if (!normal_key(m, &a[1]))
		return V_THROWN;
	return v_of_bool(table_remove(m, a[0], a[1]));
}

value
native_table_copy(vm *m, value *a, uint32_t argc)
{
	uint32_t parts = head_of(m, a[1])->parts;

	for (uint32_t i = 0; i < entry_count(entries_of(m, a[1]), parts); i++) {
		a[argc] = entries_of(m, a[1])->v[(size_t)i * parts];
		if (a[argc] == V_HOLE)
			continue;
		a[argc + 1] = entries_of(m, a[1])->v[(size_t)i * parts + 1];
		if (!table_put(m, &a[0], &a[argc], &a[argc + 1]))
			return V_THROWN;
	}
	return a[0];
}

/* ----------------------------------------------------------------- iterators */

/* Of an iterator: the entries in which it stands (V_UNDEFINED: it is over), the
 * next one's number, the kind, the brand. */
static value
table_iterator(vm *m, value *o, int kind)
{
	bool map = v_is_class(m, *o, CLASS_MAP);
	value it =
	    object_make(m, &m->realm[map ? R_map_iterator : R_set_iterator],
		CLASS_ITERATOR, 0);
	value *v;

	if (it == V_THROWN)
		return it;
	v = object_internal(H(m), v_ref(it), 0);
	v[ITERATOR_OF] = *object_internal(H(m), v_ref(*o), TABLE_ENTRIES);
	v[ITERATOR_AT] = v_of_int((int32_t)head_of(m, *o)->first);
	v[ITERATOR_MORE] = v_of_int(kind);
	v[ITERATOR_BRAND] = v_of_int(map ? BRAND_MAP : BRAND_SET);
	return it;
}

static uint32_t
parts_of_iterator(const value *it)
{
	return it[ITERATOR_BRAND] == v_of_int(BRAND_MAP) ? 3 : 2;
}

/* Goes to the entries that came after those in which the iterator stands. */
static void
follow_renewal(const vm *m, value *it, uint32_t parts)
{
	cell_values *e = CELL(H(m), v_ref(it[ITERATOR_OF]), cell_values);

	while (e->len > 0 && v_tag(*entry_next(e, parts, 0)) == TAG_CELL) {
		uint32_t at = (uint32_t)v_int(it[ITERATOR_AT]), n = 0;

		for (uint32_t i = 0; i < at; i++)
			n += e->v[(size_t)i * parts] != V_HOLE;
		it[ITERATOR_AT] = v_of_int((int32_t)n);
		it[ITERATOR_OF] = *entry_next(e, parts, 0);
		e = CELL(H(m), v_ref(it[ITERATOR_OF]), cell_values);
	}
}

/* The next entry, and the iterator stands behind it; NULL: it is over. */
static const value *
next_entry(const vm *m, value iterator)
{
	value *it = object_internal(H(m), v_ref(iterator), 0);
	uint32_t parts = parts_of_iterator(it), i;
	cell_values *e;

	if (it[ITERATOR_OF] == V_UNDEFINED)
		return NULL;
	follow_renewal(m, it, parts);
	e = CELL(H(m), v_ref(it[ITERATOR_OF]), cell_values);
	i = (uint32_t)v_int(it[ITERATOR_AT]);
	while (i < entry_count(e, parts) && e->v[(size_t)i * parts] == V_HOLE)
		i++;
	if (i == entry_count(e, parts)) {
		it[ITERATOR_OF] = V_UNDEFINED;
		return NULL;
	}
	it[ITERATOR_AT] = v_of_int((int32_t)i + 1);
	return &e->v[(size_t)i * parts];
}

value
native_table_iterator(vm *m, value *a, uint32_t argc)
{
	(void)argc;
	return table_iterator(m, &a[0], v_int(a[1]));
}

value
native_table_step(vm *m, value *a, uint32_t argc)
{
	const value *entry = next_entry(m, a[0]);

	(void)argc;
	return entry ? entry[0] : a[0];
}

/* Right behind a step, before anything else has happened. */
value
native_table_value(vm *m, value *a, uint32_t argc)
{
	const value *it = object_internal(H(m), v_ref(a[0]), 0);
	uint32_t i = (uint32_t)v_int(it[ITERATOR_AT]) - 1;

	(void)argc;
	return CELL(H(m), v_ref(it[ITERATOR_OF]), cell_values)
	    ->v[(size_t)i * 3 + 1];
}

value
table_step(vm *m, value *iterator)
{
	const value *it = object_internal(H(m), v_ref(*iterator), 0);
	bool map = it[ITERATOR_BRAND] == v_of_int(BRAND_MAP);
	int kind = v_int(it[ITERATOR_MORE]);
	value pair = V_UNDEFINED, *items;
	const value *entry;
	uint32_t len;

	if (kind == 2)
		pair = array_make(m, 2, 2);
	if (pair == V_THROWN)
		return pair;
	entry = next_entry(m, *iterator);
	if (entry == NULL)
		return V_DONE;
	if (kind == 2) {
		items = array_values(m, pair, &len);
		items[0] = entry[0];
		items[1] = entry[map];
		return pair;
	}
	return entry[map && kind == 1];
}

static value
next_result(
    vm *m, value *a, uint32_t argc, iterator_brand brand, const char *refusal)
{
	value *root = &a[argc], v;

	if (!v_is_class(m, a[-1], CLASS_ITERATOR) ||
	    *object_internal(H(m), v_ref(a[-1]), ITERATOR_BRAND) !=
		v_of_int(brand))
		return vm_throw(m, ERROR_TYPE, "%s", refusal);
	v = table_step(m, &a[-1]);
	if (v == V_THROWN)
		return v;
	*root = v == V_DONE ? V_UNDEFINED : v;
	return iterator_result(m, root, v == V_DONE);
}

value
native_map_next(vm *m, value *a, uint32_t argc)
{
	return next_result(m, a, argc, BRAND_MAP, "not a Map Iterator");
}

value
native_set_next(vm *m, value *a, uint32_t argc)
{
	return next_result(m, a, argc, BRAND_SET, "not a Set Iterator");
}

/* -------------------------------------------------------------------- methods */

/* Is `this` of that class? The rest is thrown. */
static bool
is_table(vm *m, value this, object_class class)
{
	if (v_is_class(m, this, class))
		return true;
	vm_throw(m, ERROR_TYPE, class == CLASS_MAP ? "not a Map" : "not a Set");
	return false;
}

static value
delete_key(vm *m, value *a, object_class class)
{
	if (!is_table(m, a[-1], class) || !normal_key(m, &a[0]))
		return V_THROWN;
	return v_of_bool(table_remove(m, a[-1], a[0]));
}

static value
clear_table(vm *m, value *a, object_class class)
{
	return is_table(m, a[-1], class) && table_clear(m, &a[-1]) ? V_UNDEFINED
								   : V_THROWN;
}

static value
iterator_method(vm *m, value *a, object_class class, int kind)
{
	return is_table(m, a[-1], class) ? table_iterator(m, &a[-1], kind)
					 : V_THROWN;
}

value
native_map_get(vm *m, value *a, uint32_t argc)
{
	(void)argc;
	return is_table(m, a[-1], CLASS_MAP)
		   ? look_up(m, &a[-1], &a[0], V_UNDEFINED)
		   : V_THROWN;
}

value
native_map_set(vm *m, value *a, uint32_t argc)
{
	(void)argc;
	return is_table(m, a[-1], CLASS_MAP) &&
		       table_put(m, &a[-1], &a[0], &a[1])
		   ? a[-1]
		   : V_THROWN;
}

value
native_map_has(vm *m, value *a, uint32_t argc)
{
	(void)argc;
	return is_table(m, a[-1], CLASS_MAP)
		   ? look_up(m, &a[-1], &a[0], V_FALSE)
		   : V_THROWN;
}

value
native_map_delete(vm *m, value *a, uint32_t argc)
{
	(void)argc;
	return delete_key(m, a, CLASS_MAP);
}

value
native_map_clear(vm *m, value *a, uint32_t argc)
{
	(void)argc;
	return clear_table(m, a, CLASS_MAP);
}

value
native_map_keys(vm *m, value *a, uint32_t argc)
{
	(void)argc;
	return iterator_method(m, a, CLASS_MAP, 0);
}

value
native_map_values(vm *m, value *a, uint32_t argc)
{
	(void)argc;
	return iterator_method(m, a, CLASS_MAP, 1);
}

value
native_map_entries(vm *m, value *a, uint32_t argc)
{
	(void)argc;
	return iterator_method(m, a, CLASS_MAP, 2);
}

value
native_set_add(vm *m, value *a, uint32_t argc)
{
	(void)argc;
	return is_table(m, a[-1], CLASS_SET) &&
		       table_put(m, &a[-1], &a[0], &a[0])
		   ? a[-1]
		   : V_THROWN;
}

value
native_set_has(vm *m, value *a, uint32_t argc)
{
	(void)argc;
	return is_table(m, a[-1], CLASS_SET)
		   ? look_up(m, &a[-1], &a[0], V_FALSE)
		   : V_THROWN;
}

value
native_set_delete(vm *m, value *a, uint32_t argc)
{
	(void)argc;
	return delete_key(m, a, CLASS_SET);
}

value
native_set_clear(vm *m, value *a, uint32_t argc)
{
	(void)argc;
	return clear_table(m, a, CLASS_SET);
}

value
native_set_values(vm *m, value *a, uint32_t argc)
{
	(void)argc;
	return iterator_method(m, a, CLASS_SET, 1);
}

value
native_set_entries(vm *m, value *a, uint32_t argc)
{
	(void)argc;
	return iterator_method(m, a, CLASS_SET, 2);
}
