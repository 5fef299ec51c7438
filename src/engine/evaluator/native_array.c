/* SPDX-License-Identifier: MIT */
/*
 * native_array.c -- methods of arrays for the case that nearly all arrays are:
 * every element there, each with the plain attributes. The others are lib/array.js's,
 * and so are arguments that have to be converted.
 */
#include "vm.h"

#include <math.h>

/* ------------------------------------------------------------------- helpers */

/* Has no object behind that array an element? Then a new one is just made. */
static bool
prototypes_are_bare(const vm *m, value v)
{
	ref p = object_proto(H(m), v_ref(v));

	for (; p != 0; p = object_proto(H(m), p)) {
		const cell_object *o = CELL(H(m), p, cell_object);
		const cell_values *e =
		    o->elements ? CELL(H(m), o->elements, cell_values) : NULL;

		if ((e != NULL && e->len > 0) ||
		    o->head.flags & (CELL_EXOTIC | CELL_SPARSE))
			return false;
	}
	return true;
}

/* May elements be added and taken at its end? */
static bool
array_has_end(const vm *m, value v)
{
	const unsigned not =
	    CELL_CLOSED | CELL_FROZEN | CELL_FIXED | CELL_SPARSE | CELL_EXOTIC;
	const cell_object *o;
	const cell_values *e;

	if (!v_is_object(v))
		return false;
	o = OBJ(m, v);
	if (!(o->head.flags & CELL_ARRAY) || o->head.kind != CELL_OBJECT ||
	    object_class_of(H(m), v_ref(v)) != CLASS_ARRAY ||
	    o->head.flags & not )
		return false;
	e = o->elements ? CELL(H(m), o->elements, cell_values) : NULL;
	return (e ? e->len : 0) == o->extra;
}

static bool
is_fast_array(const vm *m, value v)
{
	return v_is_class(m, v, CLASS_ARRAY) && array_is_plain(m, v);
}

static uint32_t
array_length(const vm *m, value v)
{
	return OBJ(m, v)->extra;
}

static value *
array_items(const vm *m, value v)
{
	uint32_t len;

	return array_values(m, v, &len);
}

/* An own property of an object of the realm; NULL: there is none. */
static const value *
realm_slot(const vm *m, realm_value on, value key)
{
	place p;

	if (!v_is_object(m->realm[on]) || !v_has_cell(key))
		return NULL;
	p = object_find(H(m), v_ref(m->realm[on]), v_ref(key));
	return p.found ? object_slot(H(m), v_ref(m->realm[on]), p.index) : NULL;
}

/* Does ArraySpeciesCreate give an ordinary array for that one? */
static bool
has_species(const vm *m, value v)
{
	const value *made, *species;

	if (!v_is_class(m, v, CLASS_ARRAY) ||
	    v_of_object(object_proto(H(m), v_ref(v))) != m->realm[R_array] ||
	    object_count(H(m), v_ref(v)) != 0 || !prototypes_are_bare(m, v))
		return false;
	made = realm_slot(m, R_array, m->realm[R_key_constructor]);
	species =
	    realm_slot(m, R_array_constructor, m->realm[R_symbol_species]);
	return made != NULL && species != NULL &&
	       *made == m->realm[R_array_constructor] &&
	       v_tag(*species) == TAG_CELL &&
	       CELL(H(m), v_ref(*species), cell_values)->v[0] ==
		   m->realm[R_array_species];
}

/* A relative index among len, where that is a number. */
static bool
plain_index(value v, double len, double absent, uint32_t *out)
{
	double d = absent;

	if (v != V_UNDEFINED) {
		if (!v_is_number(v))
			return false;
		d = vm_integer(v_number(v));
		d = d < 0 ? fmax(d + len, 0) : fmin(d, len);
	}
	*out = (uint32_t)d;
	return true;
}

/* An array of n values from item `from` of another one, which is a root. */
static value
array_part(vm *m, value *of, uint32_t from, uint32_t n)
{
	value v = vm_steps(m, n / 32) ? array_make(m, n, n) : V_THROWN;

	if (v == V_THROWN || n == 0)
		return v;
	memcpy(array_items(m, v), array_items(m, *of) + from,
	    (size_t)n * sizeof(value));
	CELL(H(m), OBJ(m, v)->elements, cell)->flags = 0;
	return v;
}

value
iterator_result(vm *m, value *v, bool done)
{
	ref r;

	if (!heap_reserve(H(m), sizeof(cell_object) + 2 * sizeof(value)))
		return vm_throw_memory(m);
	r = object_new(
	    H(m), CLASS_OBJECT, OBJ(m, m->realm[R_iterator_result])->shape, 2);
	*object_internal(H(m), r, 0) = *v;
	*object_internal(H(m), r, 1) = v_of_bool(done);
	return v_of_object(r);
}

/* ----------------------------------------------------------------- for lib/ */

value
native_array_make(vm *m, value *a, uint32_t argc)
{
	uint32_t len = (uint32_t)v_number(a[1]);
	value v;

	(void)argc;
	if (v_number(a[1]) > UINT32_MAX)
		return vm_throw(m, ERROR_RANGE, "invalid array length");
	v = array_make(m, len, len <= 1 << 16 ? len : 0);
	if (v == V_THROWN || a[0] == m->realm[R_array])
		return v;
	a[2] = v;
	return object_set_proto(H(m), &a[2], &a[0]) ? a[2] : vm_throw_memory(m);
}

value
native_array_has_species(vm *m, value *a, uint32_t argc)
{
	(void)argc;
	return v_of_bool(has_species(m, a[0]));
}

value
native_array_copy(vm *m, value *a, uint32_t argc)
{
	(void)argc;
	if (!is_fast_array(m, a[0]) || array_length(m, a[0]) != v_number(a[1]))
		return V_UNDEFINED;
	return array_part(m, &a[0], 0, array_length(m, a[0]));
}

value
native_array_iterates(vm *m, value *a, uint32_t argc)
{
	value next;
	const value *now;

	if (a[1] != m->realm[R_array_values] || !is_fast_array(m, a[0]))
		return V_FALSE;
	next = vm_key_text(m, "next");
	if (next == V_THROWN)
		return next;
	now = realm_slot(m, R_array_iterator, next);
	(void)argc;
	return v_of_bool(now != NULL && *now == m->realm[R_array_next]);
}

/* Numbers [from, end) of `order`, by the strings of these numbers; a merge of
 * [from, middle) and [middle, end), which are sorted. */
static void
merge_order(const vm *m, const value *texts, const uint32_t *order,
    uint32_t *to, uint32_t from, uint32_t middle, uint32_t end)
{
	uint32_t i = from, j = middle;

	for (uint32_t k = from; k < end; k++)
		if (j == end ||
		    (i < middle && str_compare(STR(m, texts[order[i]]),
				       STR(m, texts[order[j]])) <= 0))
			to[k] = order[i++];
		else
			to[k] = order[j++];
}

static uint32_t *
sort_order(const vm *m, const value *texts, uint32_t *order, uint32_t *other,
    uint32_t n)
{
	for (uint32_t i = 0; i < n; i++)
		order[i] = i;
	for (uint64_t width = 1; width < n; width *= 2) {
		uint32_t *was = order;

		for (uint64_t from = 0; from < n; from += 2 * width) {
			uint64_t middle = from + width < n ? from + width : n;
			uint64_t end = middle + width < n ? middle + width : n;

			merge_order(m, texts, order, other, (uint32_t)from,
			    (uint32_t)middle, (uint32_t)end);
		}
		order = other;
		other = was;
	}
	return order;
}

value
native_array_order(vm *m, value *a, uint32_t argc)
{
	uint32_t n = array_length(m, a[1]), *order;
	value *items, *copy;
	size_t bytes = (size_t)n * (2 * sizeof(uint32_t) + sizeof(value));
	ref r;

	(void)argc;
	if (n < 2)
		return V_UNDEFINED;
	if (!vm_steps(m, (uint64_t)n * (uint64_t)(log2(n) + 1) / 8))
		return V_THROWN;
	for (uint32_t i = 0; i < n; i++) {
		a[2] = array_items(m, a[1])[i];
		if (!str_flatten(H(m), &a[2]))
			return vm_throw_memory(m);
		array_items(m, a[1])[i] = a[2];
	}
	if (!heap_reserve(H(m), sizeof(cell_bytes) + bytes))
		return vm_throw_memory(m);
	r = heap_new(H(m), CELL_BYTES, sizeof(cell_bytes) + bytes);
	CELL(H(m), r, cell_bytes)->len = bytes;
	copy = (value *)(void *)CELL(H(m), r, cell_bytes)->b;
	order = (uint32_t *)(void *)(copy + n);
	order = sort_order(m, array_items(m, a[1]), order, order + n, n);
	items = array_items(m, a[0]);
	memcpy(copy, items, n * sizeof(value));
	for (uint32_t i = 0; i < n; i++)
		items[i] = copy[order[i]];
	return V_UNDEFINED;
}

/* ------------------------------------------------------------------ iterators */

/* The next value of an array's iterator; V_DONE; V_FALLBACK. */
static value
array_step(vm *m, value *iterator)
{
	value *it = object_internal(H(m), v_ref(*iterator), 0), pair, *item;
	uint32_t i;
	int kind;

	if (it[ITERATOR_OF] == V_UNDEFINED)
		return V_DONE;
	if (!v_is_class(m, it[ITERATOR_OF], CLASS_ARRAY) ||
	    !v_is_int(it[ITERATOR_AT]))
		return V_FALLBACK;
	i = (uint32_t)v_int(it[ITERATOR_AT]);
	if (i >= array_length(m, it[ITERATOR_OF])) {
		it[ITERATOR_OF] = V_UNDEFINED;
		return V_DONE;
	}
	kind = v_int(it[ITERATOR_MORE]);
	item = element_at(H(m), v_ref(it[ITERATOR_OF]), i);
	if (i >= INT32_MAX - 1 || (item == NULL && kind != 0))
		return V_FALLBACK;
	if (kind == 2) {
		pair = array_make(m, 2, 2);
		if (pair == V_THROWN)
			return pair;
		it = object_internal(H(m), v_ref(*iterator), 0);
		item = element_at(H(m), v_ref(it[ITERATOR_OF]), i);
		array_items(m, pair)[0] = v_of_int((int32_t)i);
		array_items(m, pair)[1] = *item;
		item = &pair;
	}
	it[ITERATOR_AT] = v_of_int((int32_t)i + 1);
	return kind == 0 ? v_of_int((int32_t)i) : *item;
}

value
iterator_step(vm *m, value *it, value *next)
{
	value brand;

	if (!v_is_class(m, *next, CLASS_NATIVE) ||
	    !v_is_class(m, *it, CLASS_ITERATOR))
		return V_FALLBACK;
	brand = *object_internal(H(m), v_ref(*it), ITERATOR_BRAND);
	switch (v_int(*object_internal(H(m), v_ref(*next), 0))) {
	case N_array_next:
		return brand == v_of_int(BRAND_ARRAY) ? array_step(m, it)
						      : V_FALLBACK;
	case N_map_next:
		return brand == v_of_int(BRAND_MAP) ? table_step(m, it)
						    : V_FALLBACK;
	case N_set_next:
		return brand == v_of_int(BRAND_SET) ? table_step(m, it)
						    : V_FALLBACK;
	default:
		return V_FALLBACK;
	}
}

/* What iterator_step gave, as next() returns it. */
static value
step_result(vm *m, value v, value *root)
{
	if (v == V_THROWN || v == V_FALLBACK)
		return v;
	*root = v == V_DONE ? V_UNDEFINED : v;
	return iterator_result(m, root, v == V_DONE);
}

value
native_array_next(vm *m, value *a, uint32_t argc)
{
	return step_result(m, iterator_step(m, &a[-1], &a[-2]), &a[argc]);
}

value
native_iterator_is_table(vm *m, value *a, uint32_t argc)
{
	value brand;

	(void)argc;
	if (!v_is_class(m, a[0], CLASS_ITERATOR) ||
	    !v_is_class(m, a[1], CLASS_NATIVE))
		return V_FALSE;
	brand = *object_internal(H(m), v_ref(a[0]), ITERATOR_BRAND);
	switch (v_int(*object_internal(H(m), v_ref(a[1]), 0))) {
	case N_map_next:
		return v_of_bool(brand == v_of_int(BRAND_MAP));
	case N_set_next:
		return v_of_bool(brand == v_of_int(BRAND_SET));
	default:
		return V_FALSE;
	}
}

value
native_iterator_step(vm *m, value *a, uint32_t argc)
{
	(void)argc;
	return iterator_step(m, &a[0], &a[1]);
}

/* Of an array that has just so many elements: it gets one more. */
value
native_array_append(vm *m, value *a, uint32_t argc)
{
	(void)argc;
	if (!array_has_end(m, a[0]) || !v_is_int(a[1]) ||
	    (uint32_t)v_int(a[1]) != array_length(m, a[0]))
		return V_FALSE;
	return array_push_value(m, &a[0], &a[2]) ? V_TRUE : V_THROWN;
}

/* ------------------------------------------------------- reading and searching */

value
native_array_at(vm *m, value *a, uint32_t argc)
{
	double i, n;

	(void)argc;
	if (!is_fast_array(m, a[-1]) ||
	    !(a[0] == V_UNDEFINED || v_is_number(a[0])))
		return V_FALLBACK;
	n = array_length(m, a[-1]);
	i = a[0] == V_UNDEFINED ? 0 : vm_integer(v_number(a[0]));
	if (i < 0)
		i += n;
	return i < 0 || i >= n ? V_UNDEFINED
			       : array_items(m, a[-1])[(uint32_t)i];
}

/* Is item i of a[-1] the value a[0]? -1: thrown. */
static int
is_item(vm *m, value *a, uint32_t argc, uint32_t i, bool nan)
{
	value v = array_items(m, a[-1])[i], *root = &a[argc];

	if (v == a[0])
		return nan || !v_is_double(v) || v_number(v) == v_number(v);
	if (v_is_number(v))
		return v_is_number(a[0]) && v_number(v) == v_number(a[0]);
	if (v_tag(v) != v_tag(a[0]))
		return 0;
	if (v_is_string(v)) {
		if (str_len(H(m), v_ref(v)) != str_len(H(m), v_ref(a[0])))
			return 0;
		*root = v;
		if (!str_flatten(H(m), root) || !str_flatten(H(m), &a[0])) {
			vm_throw_memory(m);
			return -1;
		}
		return str_equal(STR(m, *root), STR(m, a[0]));
	}
	return v_tag(v) == TAG_BIGINT && vm_same(m, v, a[0]);
}

/* The first, or from from the last, item that is a[0]; -1: none; -2: thrown. */
static int64_t
find_array_item(
    vm *m, value *a, uint32_t argc, int64_t from, int step, bool nan)
{
	int64_t n = array_length(m, a[-1]), i = from;

	if (!vm_steps(m, (uint64_t)(step > 0 ? n - from : from + 1) / 32))
		return -2;
	for (; i >= 0 && i < n; i += step)
		switch (is_item(m, a, argc, (uint32_t)i, nan)) {
		case 1:
			return i;
		case -1:
			return -2;
		default:
			break;
		}
	return -1;
}

value
native_array_includes(vm *m, value *a, uint32_t argc)
{
	uint32_t from;
	int64_t i;

	if (!is_fast_array(m, a[-1]) ||
	    !plain_index(a[1], array_length(m, a[-1]), 0, &from))
		return V_FALLBACK;
	i = find_array_item(m, a, argc + 2, from, 1, true);
	return i == -2 ? V_THROWN : v_of_bool(i >= 0);
}

value
native_array_index_of(vm *m, value *a, uint32_t argc)
{
	uint32_t from;
	int64_t i;

	if (!is_fast_array(m, a[-1]) ||
	    !plain_index(a[1], array_length(m, a[-1]), 0, &from))
		return V_FALLBACK;
	i = find_array_item(m, a, argc + 2, from, 1, false);
	return i == -2 ? V_THROWN : v_of_number((double)i);
}

value
native_array_last_index_of(vm *m, value *a, uint32_t argc)
{
	double n, from;
	int64_t i;

	if (!is_fast_array(m, a[-1]) || (argc > 1 && !v_is_number(a[1])))
		return V_FALLBACK;
	n = array_length(m, a[-1]);
	from = argc > 1 ? vm_integer(v_number(a[1])) : n - 1;
	from = from < 0 ? from + n : fmin(from, n - 1);
	if (from < 0)
		return v_of_int(-1);
	i = find_array_item(m, a, argc + 2, (int64_t)from, -1, false);
	return i == -2 ? V_THROWN : v_of_number((double)i);
}

/* -------------------------------------------------------------------- join */

/* The text of v, a root, in its place; nothing: V_UNDEFINED. 0: JavaScript has
 * to do it; -1: thrown. */
static int
join_text(vm *m, value *v)
{
	if (v_is_nullish(*v)) {
		*v = V_UNDEFINED;
		return 1;
	}
	if (v_is_object(*v) || v_tag(*v) == TAG_SYMBOL)
		return 0;
	if (v_is_string(*v)) {
		if (!str_flatten(H(m), v)) {
			vm_throw_memory(m);
			return -1;
		}
		return 1;
	}
	*v = vm_to_string(m, *v);
	return *v == V_THROWN ? -1 : 1;
}

static uint32_t
put_units(cell_string *to, uint32_t at, const cell_string *from)
{
	if (!(to->head.flags & CELL_WIDE)) {
		memcpy(to->u.narrow + at, from->u.narrow, from->len);
		return at + from->len;
	}
	for (uint32_t i = 0; i < from->len; i++)
		to->u.wide[at + i] = str_unit(from, i);
	return at + from->len;
}

/* The texts of a list, and one between each two, as one string. */
static value
join_item_texts(vm *m, value *list, value *between, uint32_t n)
{
	uint64_t len = (uint64_t)str_len(H(m), v_ref(*between)) * (n - 1);
	bool wide = n > 1 && STR(m, *between)->head.flags & CELL_WIDE;
	const value *v = array_items(m, *list);
	uint32_t at = 0;
	cell_string *s;
	ref r;

	for (uint32_t i = 0; i < n; i++)
		if (v[i] != V_UNDEFINED) {
			len += STR(m, v[i])->len;
			wide = wide || STR(m, v[i])->head.flags & CELL_WIDE;
		}
	if (len > STR_MAX)
		return vm_throw(m, ERROR_RANGE, "invalid string length");
	if (!vm_steps(m, len / 256))
		return V_THROWN;
	if (!heap_reserve(H(m), str_bytes((uint32_t)len, wide)))
		return vm_throw_memory(m);
	r = str_raw(H(m), (uint32_t)len, wide);
	s = CELL(H(m), r, cell_string);
	v = array_items(m, *list);
	for (uint32_t i = 0; i < n; i++) {
		if (i > 0)
			at = put_units(s, at, STR(m, *between));
		if (v[i] != V_UNDEFINED)
			at = put_units(s, at, STR(m, v[i]));
	}
	return v_of_string(r);
}

value
native_array_join(vm *m, value *a, uint32_t argc)
{
	value *list, *item;
	uint32_t n;
	int r;

	argc = argc ? argc : 1;
	if (!is_fast_array(m, a[-1]))
		return V_FALLBACK;
	n = array_length(m, a[-1]);
	if (a[0] == V_UNDEFINED)
		a[0] = vm_unit(m, ',');
	else if (!v_is_string(a[0]))
		return V_FALLBACK;
	if (a[0] == V_THROWN || !vm_steps(m, n / 16))
		return V_THROWN;
	if (!str_flatten(H(m), &a[0]))
		return vm_throw_memory(m);
	if (n == 0)
		return vm_string(m, (text){"", 0});
	list = &a[argc];
	item = &a[argc + 1];
	*list = array_make(m, n, n);
	if (*list == V_THROWN)
		return V_THROWN;
	for (uint32_t i = 0; i < n; i++) {
		*item = array_items(m, a[-1])[i];
		r = join_text(m, item);
		if (r <= 0)
			return r < 0 ? V_THROWN : V_FALLBACK;
		array_items(m, *list)[i] = *item;
	}
	return join_item_texts(m, list, &a[0], n);
}

/* ------------------------------------------------------------------- changing */

value
native_array_push(vm *m, value *a, uint32_t argc)
{
	if (!array_has_end(m, a[-1]) || !prototypes_are_bare(m, a[-1]) ||
	    (uint64_t)array_length(m, a[-1]) + argc > UINT32_MAX)
		return V_FALLBACK;
	for (uint32_t i = 0; i < argc; i++)
		if (!array_push_value(m, &a[-1], &a[i]))
			return V_THROWN;
	return v_of_number(array_length(m, a[-1]));
}

value
native_array_pop(vm *m, value *a, uint32_t argc)
{
	uint32_t n;
	value v;

	(void)argc;
	if (!array_has_end(m, a[-1]))
		return V_FALLBACK;
	n = array_length(m, a[-1]);
	if (n == 0)
		return V_UNDEFINED;
	v = array_items(m, a[-1])[n - 1];
	if (v == V_HOLE)
		return V_FALLBACK;
	array_set_length(H(m), &a[-1], n - 1);
	return v;
}

value
native_array_shift(vm *m, value *a, uint32_t argc)
{
	value v;

	(void)argc;
	if (!is_fast_array(m, a[-1]))
		return V_FALLBACK;
	v = array_shift(H(m), v_ref(a[-1]));
	return v == V_HOLE ? V_UNDEFINED : v;
}

value
native_array_reverse(vm *m, value *a, uint32_t argc)
{
	value *v;
	uint32_t n;

	(void)argc;
	if (!is_fast_array(m, a[-1]))
		return V_FALLBACK;
	n = array_length(m, a[-1]);
	if (!vm_steps(m, n / 32))
		return V_THROWN;
	v = array_items(m, a[-1]);
	for (uint32_t i = 0, j = n; i + 1 < j; i++) {
		value w = v[i];

		v[i] = v[--j];
		v[j] = w;
	}
	return a[-1];
}

value
native_array_to_reversed(vm *m, value *a, uint32_t argc)
{
	if (!is_fast_array(m, a[-1]))
		return V_FALLBACK;
	a[-1] = array_part(m, &a[-1], 0, array_length(m, a[-1]));
	return a[-1] == V_THROWN ? V_THROWN : native_array_reverse(m, a, argc);
}

value
native_array_fill(vm *m, value *a, uint32_t argc)
{
	uint32_t n, from, to;

	(void)argc;
	if (!is_fast_array(m, a[-1]))
		return V_FALLBACK;
	n = array_length(m, a[-1]);
	if (!plain_index(a[1], n, 0, &from) || !plain_index(a[2], n, n, &to))
		return V_FALLBACK;
	if (!vm_steps(m, n / 32))
		return V_THROWN;
	for (uint32_t i = from; i < to; i++)
		array_items(m, a[-1])[i] = a[0];
	return a[-1];
}

value
native_array_slice(vm *m, value *a, uint32_t argc)
{
	uint32_t n, from, to;

	(void)argc;
	if (!is_fast_array(m, a[-1]) || !has_species(m, a[-1]))
		return V_FALLBACK;
	n = array_length(m, a[-1]);
	if (!plain_index(a[0], n, 0, &from) || !plain_index(a[1], n, n, &to))
		return V_FALLBACK;
	return array_part(m, &a[-1], from, to > from ? to - from : 0);
}

/* Elements that are read one after the other, and their number; 0: a value. */
static bool
concat_part(const vm *m, value v, uint64_t *n)
{
	if (!v_is_object(v)) {
		*n = 1;
		return true;
	}
	if (!is_fast_array(m, v) || object_count(H(m), v_ref(v)) != 0 ||
	    v_of_object(object_proto(H(m), v_ref(v))) != m->realm[R_array])
		return false;
	*n = array_length(m, v);
	return true;
}

value
native_array_concat(vm *m, value *a, uint32_t argc)
{
	value spreadable = m->realm[R_symbol_spreadable], v;
	uint64_t len = 0, n;
	uint32_t at = 0;

	if (!v_is_object(a[-1]) || !has_species(m, a[-1]) ||
	    v_tag(spreadable) != TAG_SYMBOL ||
	    realm_slot(m, R_array, spreadable) != NULL ||
	    realm_slot(m, R_object, spreadable) != NULL)
		return V_FALLBACK;
	for (int64_t i = -1; i < (int64_t)argc; i++) {
		if (!concat_part(m, a[i], &n))
			return V_FALLBACK;
		len += n;
	}
	if (len > UINT32_MAX)
		return V_FALLBACK;
	v = vm_steps(m, len / 32) ? array_make(m, (uint32_t)len, (uint32_t)len)
				  : V_THROWN;
	if (v == V_THROWN || len == 0)
		return v;
	for (int64_t i = -1; i < (int64_t)argc; i++) {
		value *to = array_items(m, v) + at;

		if (!v_is_object(a[i])) {
			*to = a[i];
			at++;
		} else if ((n = array_length(m, a[i])) > 0) {
			memcpy(to, array_items(m, a[i]), n * sizeof(value));
			at += (uint32_t)n;
		}
	}
	CELL(H(m), OBJ(m, v)->elements, cell)->flags = 0;
	return v;
}

/* Elements `from` to `from + count` of a plain array become `add` ones that are
 * not set yet; what is shorter moves. False: thrown. */
static bool
replace_items(vm *m, value *array, uint32_t from, uint32_t count, uint32_t add)
{
	uint32_t n = array_length(m, *array), len = n - count + add, room;
	uint32_t after = n - from - count, start = 0, at = 0;
	cell_object *o = OBJ(m, *array);
	cell_values *e = o->elements ? CELL(H(m), o->elements, cell_values)
				     : NULL,
		    *to;
	ref r;

	if (e != NULL) {
		room = e->head.size - 2;
		start = e->start;
		at = start;
		if (from < after && (uint64_t)start + count >= add)
			at = start + count - add;
		/* No room; or what is longer would have to move. */
		if (at == start && ((uint64_t)start + len > room ||
				       (add > count && from < after)))
			e = NULL;
		else if (at != start)
			memmove(e->v + at, e->v + start, from * sizeof(value));
		else
			memmove(e->v + start + from + add,
			    e->v + start + from + count, after * sizeof(value));
	}
	if (e == NULL) {
		room = len + len / 2 + 4;
		at = from < after ? len / 4 : 0;
		if (!heap_reserve(
			H(m), sizeof(cell_values) + (size_t)room * 8)) {
			vm_throw_memory(m);
			return false;
		}
		r = heap_new(
		    H(m), CELL_VALUES, sizeof(cell_values) + (size_t)room * 8);
		to = CELL(H(m), r, cell_values);
		for (uint32_t i = 0; i < room; i++)
			to->v[i] = V_HOLE;
		o = OBJ(m, *array);
		if (n > 0) {
			e = CELL(H(m), o->elements, cell_values);
			memcpy(
			    to->v + at, e->v + e->start, from * sizeof(value));
			memcpy(to->v + at + from + add,
			    e->v + e->start + from + count,
			    after * sizeof(value));
		}
		o->elements = r;
		e = to;
	} else {
		for (uint32_t i = start; i < at; i++)
			e->v[i] = V_HOLE;
		for (uint32_t i = at + len; i < start + n; i++)
			e->v[i] = V_HOLE;
	}
	e->start = at;
	e->len = len;
	o->extra = len;
	return true;
}

value
native_array_unshift(vm *m, value *a, uint32_t argc)
{
	uint32_t n;

	if (!is_fast_array(m, a[-1]) || !prototypes_are_bare(m, a[-1]))
		return V_FALLBACK;
	n = array_length(m, a[-1]);
	if (argc == 0)
		return v_of_number(n);
	if ((uint64_t)n + argc > UINT32_MAX / 4)
		return V_FALLBACK;
	if (!replace_items(m, &a[-1], 0, 0, argc))
		return V_THROWN;
	memcpy(array_items(m, a[-1]), a, argc * sizeof(value));
	return v_of_number(array_length(m, a[-1]));
}

value
native_array_splice(vm *m, value *a, uint32_t argc)
{
	uint32_t n, from, count = 0, add = argc > 2 ? argc - 2 : 0;
	value *out = &a[argc < 2 ? 2 : argc];

	if (!is_fast_array(m, a[-1]) || !has_species(m, a[-1]))
		return V_FALLBACK;
	n = array_length(m, a[-1]);
	if (!plain_index(a[0], n, 0, &from))
		return V_FALLBACK;
	if (argc == 1) {
		count = n - from;
	} else if (argc > 1) {
		double d;

		if (!v_is_number(a[1]))
			return V_FALLBACK;
		d = fmin(fmax(vm_integer(v_number(a[1])), 0), n - from);
		count = (uint32_t)d;
	}
	if ((uint64_t)n + add > UINT32_MAX / 4)
		return V_FALLBACK;
	*out = array_part(m, &a[-1], from, count);
	if (*out == V_THROWN ||
	    !vm_steps(m, (from < n - from ? from : n - from) / 64))
		return V_THROWN;
	if (add != count && !replace_items(m, &a[-1], from, count, add))
		return V_THROWN;
	if (add > 0)
		memcpy(
		    array_items(m, a[-1]) + from, a + 2, add * sizeof(value));
	return *out;
}
