/* SPDX-License-Identifier: MIT */
/*
 * vm_prop.c -- properties: the internal methods of ECMA-262 §10, as far as they
 * call no script.
 *
 * 'find_own' says where an object has a property, and moves nothing; what is
 * done with it then goes by that. Elements whose attributes are not the plain
 * ones, and indices far from the others, are named properties (CELL_SPARSE).
 */
#include "native_buffer.h"
#include "vm.h"

#include <stddef.h>
#include <stdio.h>

enum {
	TEMP_HOME = 16,
	TEMP_FUNCTION,
	TEMP_MADE,
	TEMP_KEY,
	TEMP_VALUE,
	TEMP_ROOT,
	TEMP_LIST,
	TEMP_ITEM
};

enum {
	DENSE_GAP = 64, /* holes that elements may always have */
	DENSE_GAP_ARRAY = 1024,
	DENSE_LENGTH = 1 << 22, /* new Array(n) up to that is made as it is */
	UNITS_KEPT = 256
};

typedef enum found_kind {
	AT_NOWHERE,
	AT_SLOT,
	AT_ELEMENT,
	AT_LENGTH,    /* of an array or a string */
	AT_UNIT,      /* of a string */
	AT_VIEW,      /* an element of a typed array */
	AT_VIEW_NONE, /* a number that is none: no prototype is asked */
	AT_PROXY,
	AT_LAZY, /* the function has to get its properties first */
	AT_FAULT /* thrown */
} found_kind;

typedef struct found {
	found_kind kind;
	unsigned attr;
	uint32_t index;
} found;

/* ------------------------------------------------------------------ finding */

/* The atom of an index, if there is one. */
static ref
index_atom(const vm *m, uint32_t index)
{
	union {
		cell_string s;
		uint8_t room[sizeof(cell_string) + 8];
	} u;
	char digits[16];
	int n = 0;

	do
		digits[n++] = (char)('0' + index % 10);
	while (index /= 10);
	memset(&u, 0, sizeof(u));
	u.s.len = (uint32_t)n;
	for (int i = 0; i < n; i++)
		u.room[offsetof(cell_string, u) + (size_t)i] =
		    (uint8_t)digits[n - 1 - i];
	return atom_lookup(H(m), &m->atoms, &u.s);
}

static value
wrapped_string(const vm *m, ref o)
{
	return *object_internal(H(m), o, 0);
}

static found
find_under_name(const vm *m, ref o, ref key)
{
	place p = object_find(H(m), o, key);

	if (!p.found)
		return (found){.kind = AT_NOWHERE};
	return (found){AT_SLOT, p.attr, p.index};
}

static found
find_index(vm *m, ref o, uint32_t i)
{
	unsigned flags = CELL(H(m), o, cell)->flags;
	ref key;

	if (element_at(H(m), o, i) != NULL)
		return (found){
		    AT_ELEMENT, flags & CELL_FROZEN ? P_ENUM : P_PLAIN, i};
	if (flags & CELL_EXOTIC) {
		object_class class = object_class_of(H(m), o);

		if (class == CLASS_PROXY)
			return (found){.kind = AT_PROXY};
		if (class == CLASS_STRING &&
		    i < str_len(H(m), v_ref(wrapped_string(m, o))))
			return (found){AT_UNIT, P_ENUM, i};
		if (class == CLASS_VIEW && buffer_is_array(m, v_of_object(o)))
			return buffer_has(m, v_of_object(o), i)
				   ? (found){AT_VIEW, P_PLAIN, i}
				   : (found){.kind = AT_VIEW_NONE};
	}
	if (flags & CELL_SPARSE && (key = index_atom(m, i)) != 0)
		return find_under_name(m, o, key);
	return (found){.kind = AT_NOWHERE};
}

/* Is it one that functions get late? */
static bool
is_late_key(const vm *m, value key)
{
	return key == m->realm[R_key_length] || key == m->realm[R_key_name] ||
	       key == m->realm[R_key_prototype];
}

static found
find_own(vm *m, ref o, value key)
{
	unsigned flags = CELL(H(m), o, cell)->flags;

	if (v_is_int(key))
		return find_index(m, o, (uint32_t)v_int(key));
	if (flags & CELL_EXOTIC && !symbol_is_private(H(m), key)) {
		object_class class = object_class_of(H(m), o);

		if (class == CLASS_PROXY)
			return (found){.kind = AT_PROXY};
		if (class == CLASS_STRING && key == m->realm[R_key_length])
			return (found){AT_LENGTH, 0, 0};
		if (class == CLASS_VIEW && v_is_string(key) &&
		    buffer_is_array(m, v_of_object(o)) &&
		    buffer_numeric_key(m, key))
			return (found){.kind = AT_VIEW_NONE};
	} else if (flags & CELL_ARRAY) {
		if (key == m->realm[R_key_length])
			return (found){
			    AT_LENGTH, flags & CELL_FIXED ? 0 : P_WRITE, 0};
	} else if (flags & CELL_LAZY && is_late_key(m, key)) {
		return (found){.kind = AT_LAZY};
	}
	return find_under_name(m, o, v_ref(key));
}

/* ------------------------------------------- properties that functions get late */

static bool
has_prototype(const code *c)
{
	if (c->flags & CODE_GENERATOR)
		return true;
	return !(c->flags & (CODE_ASYNC | CODE_ARROW | CODE_METHOD |
				CODE_CLASS | CODE_MAKES));
}

static bool
add_prototype(vm *m, value *f, const code *c)
{
	unsigned proto = !(c->flags & CODE_GENERATOR) ? R_object
			 : c->flags & CODE_ASYNC      ? R_async_generator
						      : R_generator;

	m->temp[TEMP_MADE] = object_make(m, &m->realm[proto], CLASS_OBJECT, 1);
	if (m->temp[TEMP_MADE] == V_THROWN)
		return false;
	if (!(c->flags & CODE_GENERATOR) &&
	    !object_add(H(m), &m->temp[TEMP_MADE], &m->realm[R_key_constructor],
		f, P_WRITE | P_CONFIG))
		return false;
	return object_add(
	    H(m), f, &m->realm[R_key_prototype], &m->temp[TEMP_MADE], P_WRITE);
}

/* length, name and prototype become properties. False: thrown. */
static bool
fill_function(vm *m, ref r)
{
	value *f = &m->temp[TEMP_FUNCTION], *v = &m->temp[TEMP_MADE];
	const code *c;
	text name = TEXT("");

	*f = v_of_object(r);
	OBJ(m, *f)->head.flags &= (uint8_t)~CELL_LAZY;
	c = function_code_of(m, *f);
	if (c->name != UINT32_MAX)
		name = m->unit[c->unit].unit->constant[c->name].text;
	*v = v_of_int(c->length);
	if (!object_add(H(m), f, &m->realm[R_key_length], v, P_CONFIG))
		goto full;
	r = str_of_utf8(H(m), name);
	*v = v_of_string(r);
	if (r == 0 || !object_add(H(m), f, &m->realm[R_key_name], v, P_CONFIG))
		goto full;
	if (!has_prototype(c) || add_prototype(m, f, c))
		return true;
full:
	vm_throw_memory(m);
	return false;
}

static bool
fill_if_lazy(vm *m, value *o)
{
	const cell *c = &OBJ(m, *o)->head;

	if (!(c->flags & CELL_LAZY) || c->flags & CELL_ARRAY)
		return true;
	return fill_function(m, v_ref(*o));
}

/* Where the property is, along the prototypes of an object. */
static found
find_along(vm *m, value *from, value *key, ref *holder)
{
	found f = {.kind = AT_NOWHERE};
	ref o = v_ref(*from);

	while (o != 0) {
		f = find_own(m, o, *key);
		if (f.kind == AT_LAZY) {
			if (!fill_function(m, o))
				return (found){.kind = AT_FAULT};
			o = v_ref(*from);
			continue;
		}
		if (f.kind != AT_NOWHERE)
			break;
		o = object_proto(H(m), o);
	}
	*holder = o;
	return f;
}

static found
find_here(vm *m, value *o, value *key)
{
	found f = find_own(m, v_ref(*o), *key);

	if (f.kind != AT_LAZY)
		return f;
	if (!fill_function(m, v_ref(*o)))
		return (found){.kind = AT_FAULT};
	return find_own(m, v_ref(*o), *key);
}

/* The prototypes that caches passed are not as they were. */
static void
note_change(vm *m, value o)
{
	if (OBJ(m, o)->extra != 0 || OBJ(m, o)->head.flags & CELL_ARRAY)
		m->shapes_changed++;
}

/* ------------------------------------------------------------------ strings */

/* Object.prototype and Function.prototype: objects of lib/ need them before it
 * has run. */
static bool
make_first_objects(vm *m)
{
	m->temp[0] = V_NULL;
	m->realm[R_object] = object_make(m, &m->temp[0], CLASS_OBJECT, 16);
	if (m->realm[R_object] == V_THROWN)
		return false;
	m->realm[R_function] =
	    object_make(m, &m->realm[R_object], CLASS_NATIVE, 12);
	if (m->realm[R_function] == V_THROWN)
		return false;
	*object_internal(H(m), v_ref(m->realm[R_function]), 0) =
	    v_of_int(N_nothing);
	return true;
}

bool
prop_init(vm *m)
{
	static const struct {
		unsigned at;
		const char *name;
	} keys[] = {{R_key_length, "length"}, {R_key_name, "name"},
	    {R_key_prototype, "prototype"}, {R_key_constructor, "constructor"}};
	ref r;

	for (size_t i = 0; i < sizeof(keys) / sizeof(*keys); i++) {
		r = atom_of_text(H(m), &m->atoms,
		    (text){keys[i].name, strlen(keys[i].name)});
		if (r == 0)
			return false;
		m->realm[keys[i].at] = v_of_string(r);
	}
	if (!heap_reserve(H(m), sizeof(cell_values) + UNITS_KEPT * 8))
		return false;
	r = heap_new(H(m), CELL_VALUES, sizeof(cell_values) + UNITS_KEPT * 8);
	CELL(H(m), r, cell_values)->len = UNITS_KEPT;
	CELL(H(m), r, cell_values)->start = 0;
	for (int i = 0; i < UNITS_KEPT; i++)
		CELL(H(m), r, cell_values)->v[i] = V_UNDEFINED;
	m->realm[R_units] = v_of_ref(TAG_CELL, r);
	return make_first_objects(m);
}

value
vm_unit(vm *m, uint16_t code_unit)
{
	value v = V_UNDEFINED;
	ref r;

	if (code_unit < UNITS_KEPT)
		v = CELL(H(m), v_ref(m->realm[R_units]), cell_values)
			->v[code_unit];
	if (v != V_UNDEFINED)
		return v;
	r = str_of_unit(H(m), code_unit);
	if (r == 0)
		return vm_throw_memory(m);
	m->temp[TEMP_MADE] = v_of_string(r);
	if (code_unit >= UNITS_KEPT)
		return m->temp[TEMP_MADE];
	r = atom_of(H(m), &m->atoms, &m->temp[TEMP_MADE]);
	if (r == 0)
		return vm_throw_memory(m);
	v = v_of_string(r);
	CELL(H(m), v_ref(m->realm[R_units]), cell_values)->v[code_unit] = v;
	return v;
}

/* Unit i of the string that is a root. */
static prop_end
unit_at(vm *m, value *s, uint32_t i, value *out)
{
	value code_unit;

	if (!str_flatten(H(m), s)) {
		vm_throw_memory(m);
		return PROP_THROWN;
	}
	code_unit = vm_unit(m, str_unit(STR(m, *s), i));
	if (code_unit == V_THROWN)
		return PROP_THROWN;
	*out = code_unit;
	return PROP_DONE;
}

/* Has a primitive string the property itself? */
static bool
is_own_of_string(const vm *m, value s, value key)
{
	if (v_is_int(key))
		return (uint32_t)v_int(key) < str_len(H(m), v_ref(s));
	return key == m->realm[R_key_length];
}

static prop_end
get_of_string(vm *m, value *s, value key, value *out)
{
	if (v_is_int(key)) {
		m->temp[TEMP_VALUE] = *s;
		return unit_at(
		    m, &m->temp[TEMP_VALUE], (uint32_t)v_int(key), out);
	}
	*out = v_of_int((int32_t)str_len(H(m), v_ref(*s)));
	return PROP_DONE;
}

/* ------------------------------------------------------------------ reading */

/* What was found, as it stands: the pair of an accessor. */
static prop_end
value_of_found(vm *m, ref holder, const found *f, value *out)
{
	switch (f->kind) {
	case AT_SLOT:
		*out = *object_slot(H(m), holder, f->index);
		return PROP_DONE;
	case AT_ELEMENT:
		*out = *element_at(H(m), holder, f->index);
		return PROP_DONE;
	case AT_LENGTH:
		*out = CELL(H(m), holder, cell)->flags & CELL_ARRAY
			   ? v_of_number(CELL(H(m), holder, cell_object)->extra)
			   : v_of_int((int32_t)str_len(
				 H(m), v_ref(wrapped_string(m, holder))));
		return PROP_DONE;
	case AT_UNIT:
		m->temp[TEMP_VALUE] = wrapped_string(m, holder);
		return unit_at(m, &m->temp[TEMP_VALUE], f->index, out);
	case AT_VIEW:
		m->temp[TEMP_VALUE] = v_of_object(holder);
		return buffer_get(m, &m->temp[TEMP_VALUE], f->index, out);
	case AT_NOWHERE:
	case AT_VIEW_NONE:
		*out = V_UNDEFINED;
		return PROP_ABSENT;
	case AT_PROXY:
		return PROP_SLOW;
	case AT_LAZY:
	case AT_FAULT:
		break;
	}
	return PROP_THROWN;
}

static value
half_of_pair(const vm *m, value pair, int which)
{
	return CELL(H(m), v_ref(pair), cell_values)->v[which];
}

value
prop_home(vm *m, value v)
{
	switch (v_tag(v)) {
	case TAG_OBJECT:
		return v;
	case TAG_STRING:
		return m->realm[R_string];
	case TAG_SYMBOL:
		return m->realm[R_symbol];
	case TAG_BIGINT:
		return m->realm[R_bigint];
	default:
		return v_is_number(v) ? m->realm[R_number]
		       : v_is_bool(v) ? m->realm[R_boolean]
				      : V_UNDEFINED;
	}
}

/* Is a name found for that key never to be cached? Some objects have the name
 * themselves without a sign of it in their shapes. */
static bool
is_never_cached(const vm *m, value key)
{
	const cell_string *s;
	uint16_t c;

	if (is_late_key(m, key))
		return true;
	if (!v_is_string(key))
		return false;
	s = STR(m, key);
	c = s->len > 0 ? str_unit(s, 0) : 0;
	return (c >= '0' && c <= '9') || c == '-';
}

static void
fill_cache(vm *m, cache *c, ref start, ref holder, value key, uint32_t index)
{
	ref shape = CELL(H(m), start, cell_object)->shape;

	if (v_is_int(key))
		return;
	if (start != holder &&
	    (CELL(H(m), shape, cell_shape)->own || is_never_cached(m, key)))
		return;
	*c = (cache){
	    shape, start == holder ? 0 : holder, index, m->shapes_changed};
}

prop_end
prop_get(vm *m, value *on, value *key, value *out, cache *c)
{
	value *start = on;
	prop_end end;
	ref holder = 0;
	found f;

	if (!v_is_object(*on)) {
		if (v_is_string(*on) && is_own_of_string(m, *on, *key))
			return get_of_string(m, on, *key, out);
		start = &m->temp[TEMP_HOME];
		*start = prop_home(m, *on);
		if (*start == V_UNDEFINED) {
			vm_throw(m, ERROR_TYPE,
			    "cannot read property '%V' of %V", key, on);
			return PROP_THROWN;
		}
	}
	f = find_along(m, start, key, &holder);
	if (f.kind == AT_SLOT && !(f.attr & P_ACCESSOR) && c != NULL)
		fill_cache(m, c, v_ref(*start), holder, *key, f.index);
	end = value_of_found(m, holder, &f, out);
	if (end != PROP_DONE || !(f.attr & P_ACCESSOR))
		return end;
	*out = half_of_pair(m, *out, 0);
	return *out == V_UNDEFINED ? PROP_DONE : PROP_CALL;
}

prop_end
prop_own(vm *m, value *o, value key, value *out, unsigned *attr)
{
	found f;

	m->temp[TEMP_KEY] = key;
	f = find_here(m, o, &m->temp[TEMP_KEY]);
	*attr = f.attr;
	return value_of_found(m, v_ref(*o), &f, out);
}

prop_end
prop_has(vm *m, value *o, value *key)
{
	ref holder = 0;
	found f = find_along(m, o, key, &holder);

	switch (f.kind) {
	case AT_NOWHERE:
	case AT_VIEW_NONE:
		return PROP_ABSENT;
	case AT_PROXY:
		return PROP_SLOW;
	case AT_FAULT:
		return PROP_THROWN;
	default:
		return PROP_DONE;
	}
}

prop_end
prop_stops(vm *m, value *o, value *key)
{
	switch (find_here(m, o, key).kind) {
	case AT_NOWHERE:
		return PROP_ABSENT;
	case AT_FAULT:
		return PROP_THROWN;
	default:
		return PROP_DONE;
	}
}

/* ------------------------------------------------------------------- adding */

/* An array's length is beyond every index that it has. */
static void
cover_index(vm *m, value o, uint32_t i)
{
	cell_object *c = OBJ(m, o);

	if (c->head.flags & CELL_ARRAY && i >= c->extra)
		c->extra = i + 1;
}

/* Is that index, which there is no element of, one of the dense ones? */
static bool
is_dense(const vm *m, value o, uint32_t i)
{
	const cell_object *c = OBJ(m, o);
	uint32_t len =
	    c->elements ? CELL(H(m), c->elements, cell_values)->len : 0;

	/* One leap; after it there are holes, and steps are small. */
	if (i < DENSE_GAP || i < len ||
	    (i / 4 < len &&
		!(CELL(H(m), c->elements, cell)->flags & VALUES_HOLES)))
		return true;
	return c->head.flags & CELL_ARRAY &&
	       (i < len + DENSE_GAP_ARRAY ||
		   (c->extra <= DENSE_LENGTH && i < c->extra));
}

/* The key of a property that is named in any case. False: no memory. */
static bool
named_key(vm *m, value *key, value *out)
{
	char digits[16];
	int n;
	ref r;

	*out = *key;
	if (!v_is_int(*key))
		return true;
	n = snprintf(digits, sizeof(digits), "%d", v_int(*key));
	r = atom_of_text(H(m), &m->atoms, (text){digits, (size_t)n});
	*out = v_of_string(r);
	return r != 0;
}

/* Adds one that is not there, whether the object is closed or not. False:
 * thrown. */
static bool
put_new_property(vm *m, value *o, value *key, value *v, unsigned attr)
{
	uint32_t i;

	if (!fill_if_lazy(m, o))
		return false;
	note_change(m, *o);
	if (v_is_int(*key)) {
		i = (uint32_t)v_int(*key);
		if (attr == P_PLAIN &&
		    !(OBJ(m, *o)->head.flags & CELL_FROZEN) &&
		    is_dense(m, *o, i)) {
			if (!element_put(H(m), o, i, v))
				goto full;
			return true;
		}
		if (!named_key(m, key, &m->temp[TEMP_KEY]) ||
		    !object_add(H(m), o, &m->temp[TEMP_KEY], v, attr))
			goto full;
		OBJ(m, *o)->head.flags |= CELL_SPARSE;
		cover_index(m, *o, i);
		return true;
	}
	if (!object_add(H(m), o, key, v, attr))
		goto full;
	if (v_is_string(*key) && str_index(STR(m, *key), &i)) {
		OBJ(m, *o)->head.flags |= CELL_SPARSE;
		cover_index(m, *o, i);
	}
	return true;
full:
	vm_throw_memory(m);
	return false;
}

/* May the object get that property, which it has not? */
static bool
may_add(const vm *m, value o, value key)
{
	const cell_object *c = OBJ(m, o);
	uint32_t i;

	if (c->head.flags & CELL_CLOSED)
		return false;
	if (!(c->head.flags & CELL_ARRAY) || !(c->head.flags & CELL_FIXED))
		return true;
	if (v_is_int(key))
		return (uint32_t)v_int(key) < c->extra;
	return !v_is_string(key) || !str_index(STR(m, key), &i) || i < c->extra;
}

/* ------------------------------------------------------------------- length */

static bool
sparse_index(const vm *m, value key, uint32_t *i)
{
	return v_is_string(key) && str_index(STR(m, key), i);
}

/* The least length that elements which cannot be deleted leave the array. */
static uint32_t
least_length(const vm *m, value o, uint32_t want)
{
	uint32_t i;
	unsigned attr;

	for (uint32_t k = object_count(H(m), v_ref(o)); k-- > 0;) {
		value key = object_key(H(m), v_ref(o), k, &attr);

		if (!(attr & P_CONFIG) && sparse_index(m, key, &i) && i >= want)
			want = i + 1;
	}
	return want;
}

static bool
delete_sparse(vm *m, value *o, uint32_t from)
{
	uint32_t i;
	unsigned attr;

	for (uint32_t k = object_count(H(m), v_ref(*o)); k-- > 0;) {
		value key = object_key(H(m), v_ref(*o), k, &attr);

		if (sparse_index(m, key, &i) && i >= from &&
		    !object_delete(H(m), o, v_ref(key)))
			return false;
	}
	return true;
}

static prop_end
change_length(vm *m, value *o, uint32_t n)
{
	unsigned flags = OBJ(m, *o)->head.flags;
	uint32_t least = n;

	if (n == OBJ(m, *o)->extra)
		return PROP_DONE;
	if (flags & CELL_FIXED)
		return PROP_REFUSED;
	if (n < OBJ(m, *o)->extra && flags & CELL_SPARSE) {
		least = least_length(m, *o, n);
		if (!delete_sparse(m, o, least)) {
			vm_throw_memory(m);
			return PROP_THROWN;
		}
	}
	array_set_length(H(m), o, least);
	return least == n ? PROP_DONE : PROP_REFUSED;
}

prop_end
prop_set_length(vm *m, value *o, value number)
{
	double d = v_number(number);

	if (!(d >= 0 && d <= UINT32_MAX) || d != (double)(uint32_t)d) {
		vm_throw(m, ERROR_RANGE, "invalid array length");
		return PROP_THROWN;
	}
	return change_length(m, o, (uint32_t)d);
}

static prop_end
set_length(vm *m, value *o, value *v)
{
	double d;

	if (v_is_object(*v))
		return PROP_SLOW;
	if (!vm_to_number(m, *v, &d))
		return PROP_THROWN;
	return prop_set_length(m, o, v_of_number(d));
}

/* ------------------------------------------------------------------ setting */

/* The value of one that is there and may be written. */
static prop_end
write_found(vm *m, value *o, const found *f, value *v)
{
	switch (f->kind) {
	case AT_SLOT:
		*object_slot(H(m), v_ref(*o), f->index) = *v;
		return PROP_DONE;
	case AT_ELEMENT:
		*element_at(H(m), v_ref(*o), f->index) = *v;
		return PROP_DONE;
	case AT_LENGTH:
		return set_length(m, o, v);
	case AT_VIEW:
		return buffer_set(m, o, f->index, v);
	default:
		return PROP_REFUSED;
	}
}

/* Sets the receiver's own property, as the prototypes let it. */
static prop_end
set_on_receiver(vm *m, value *receiver, value *key, value *v)
{
	found f;

	if (!v_is_object(*receiver))
		return PROP_REFUSED;
	f = find_here(m, receiver, key);
	switch (f.kind) {
	case AT_FAULT:
		return PROP_THROWN;
	case AT_PROXY:
		return PROP_SLOW;
	case AT_NOWHERE:
		if (!may_add(m, *receiver, *key))
			return PROP_REFUSED;
		return put_new_property(m, receiver, key, v, P_PLAIN)
			   ? PROP_DONE
			   : PROP_THROWN;
	default:
		if (f.attr & P_ACCESSOR || !(f.attr & P_WRITE))
			return PROP_REFUSED;
		return write_found(m, receiver, &f, v);
	}
}

/* The same of an object that has none, with a look at what a cache may know. */
static prop_end
add_by_set(vm *m, value *o, value *key, value *v, cache *c)
{
	ref before;
	uint32_t count;

	if (!may_add(m, *o, *key))
		return PROP_REFUSED;
	before = OBJ(m, *o)->shape;
	count = object_count(H(m), v_ref(*o));
	m->temp[TEMP_ROOT] = v_of_ref(TAG_CELL, before);
	if (!put_new_property(m, o, key, v, P_PLAIN))
		return PROP_THROWN;
	before = v_ref(m->temp[TEMP_ROOT]);
	if (c == NULL || v_is_int(*key) || is_never_cached(m, *key) ||
	    object_count(H(m), v_ref(*o)) != count + 1 ||
	    CELL(H(m), OBJ(m, *o)->shape, cell_shape)->own)
		return PROP_DONE;
	*c = (cache){before, OBJ(m, *o)->shape, count, m->shapes_changed};
	return PROP_DONE;
}

static prop_end
set_found(vm *m, value *on, ref holder, const found *f, value *key, value *v,
    value *receiver, value *out, cache *c)
{
	bool same = v_is_object(*receiver) && *receiver == *on;
	bool here = holder != 0 && *receiver == v_of_object(holder);

	if (f->kind == AT_NOWHERE)
		return same ? add_by_set(m, receiver, key, v, c)
			    : set_on_receiver(m, receiver, key, v);
	if (f->kind == AT_VIEW_NONE)
		return here ? buffer_set(m, receiver, UINT32_MAX, v)
			    : PROP_DONE;
	if (f->attr & P_ACCESSOR) {
		*out = half_of_pair(m, *object_slot(H(m), holder, f->index), 1);
		return *out == V_UNDEFINED ? PROP_REFUSED : PROP_CALL;
	}
	if (!(f->attr & P_WRITE))
		return PROP_REFUSED;
	if (!here)
		return set_on_receiver(m, receiver, key, v);
	if (f->kind == AT_SLOT && c != NULL && same)
		fill_cache(m, c, holder, holder, *key, f->index);
	return write_found(m, receiver, f, v);
}

prop_end
prop_set(vm *m, value *on, value *key, value *v, value *receiver, value *out,
    cache *c)
{
	value *start = on;
	ref holder = 0;
	found f;

	if (!v_is_object(*on)) {
		start = &m->temp[TEMP_HOME];
		*start = prop_home(m, *on);
		if (*start == V_UNDEFINED) {
			vm_throw(m, ERROR_TYPE,
			    "cannot set property '%V' of %V", key, on);
			return PROP_THROWN;
		}
		if (v_is_string(*on) && is_own_of_string(m, *on, *key))
			return PROP_REFUSED;
	}
	f = find_along(m, start, key, &holder);
	if (f.kind == AT_FAULT)
		return PROP_THROWN;
	if (f.kind == AT_PROXY)
		return PROP_SLOW;
	return set_found(m, on, holder, &f, key, v, receiver, out, c);
}

value
prop_refused(vm *m, value *on, value *key)
{
	ref holder = 0;
	found f;

	if (!v_is_object(*on))
		return vm_throw(m, ERROR_TYPE, "not an object");
	if (v_is_class(m, *on, CLASS_PROXY))
		return vm_throw(m, ERROR_TYPE, "proxy: cannot set property");
	f = find_along(m, on, key, &holder);
	if (f.kind == AT_FAULT)
		return V_THROWN;
	if (f.kind == AT_NOWHERE || f.kind == AT_PROXY)
		return vm_throw(m, ERROR_TYPE, "object is not extensible");
	if (f.attr & P_ACCESSOR)
		return vm_throw(
		    m, ERROR_TYPE, "no setter for property '%V'", key);
	if (f.attr & P_WRITE)
		return vm_throw(m, ERROR_TYPE, "not configurable");
	return vm_throw(m, ERROR_TYPE, "'%V' is read-only", key);
}

/* ----------------------------------------------------------------- defining */

value
prop_pair(vm *m, value *getter, value *setter)
{
	cell_values *pair;
	ref r;

	if (!heap_reserve(H(m), sizeof(cell_values) + 16))
		return vm_throw_memory(m);
	r = heap_new(H(m), CELL_VALUES, sizeof(cell_values) + 16);
	pair = CELL(H(m), r, cell_values);
	pair->len = 2;
	pair->start = 0;
	pair->v[0] = *getter;
	pair->v[1] = *setter;
	return v_of_ref(TAG_CELL, r);
}

/* An element becomes a named property, with other attributes. */
static bool
name_element(vm *m, value *o, value *key, value *v, unsigned attr)
{
	*element_at(H(m), v_ref(*o), (uint32_t)v_int(*key)) = V_HOLE;
	CELL(H(m), OBJ(m, *o)->elements, cell)->flags |= VALUES_HOLES;
	return put_new_property(m, o, key, v, attr);
}

static bool
put_slot(vm *m, value *o, value *v, const found *f, unsigned attr)
{
	place p = {f->index, (uint8_t)attr, false, true};

	if (f->attr != attr) {
		note_change(m, *o);
		if (!object_set_attr(H(m), o, p, attr)) {
			vm_throw_memory(m);
			return false;
		}
	}
	*object_slot(H(m), v_ref(*o), f->index) = *v;
	return true;
}

bool
prop_put(vm *m, value *o, value *key, value *v, unsigned attr)
{
	found f = find_here(m, o, key);

	switch (f.kind) {
	case AT_NOWHERE:
		return put_new_property(m, o, key, v, attr);
	case AT_SLOT:
		return put_slot(m, o, v, &f, attr);
	case AT_ELEMENT:
		if (attr != P_PLAIN)
			return name_element(m, o, key, v, attr);
		*element_at(H(m), v_ref(*o), f.index) = *v;
		return true;
	case AT_LENGTH:
		if (OBJ(m, *o)->head.flags & CELL_ARRAY) {
			if (prop_set_length(m, o, *v) == PROP_THROWN)
				return false;
			if (!(attr & P_WRITE))
				OBJ(m, *o)->head.flags |= CELL_FIXED;
		}
		return true;
	case AT_VIEW:
		return buffer_set(m, o, f.index, v) != PROP_THROWN;
	case AT_FAULT:
		return false;
	default:
		return true;
	}
}

/* What the definition makes of a property with these attributes. */
static unsigned
defined_attr(unsigned old, unsigned has, unsigned attr)
{
	unsigned all = (old & ~has & P_PLAIN) | (attr & has & P_PLAIN);
	bool accessor = old & P_ACCESSOR;

	if (has & (HAS_GET | HAS_SET))
		accessor = true;
	else if (has & (HAS_VALUE | P_WRITE))
		accessor = false;
	if (accessor)
		return (all & ~(unsigned)P_WRITE) | P_ACCESSOR;
	if (old & P_ACCESSOR && !(has & P_WRITE))
		all &= ~(unsigned)P_WRITE;
	return all;
}

/* ValidateAndApplyPropertyDescriptor, steps 5 and on, of a property that cannot
 * be configured. */
static bool
may_redefine(
    vm *m, value now, unsigned old, value *v, unsigned has, unsigned attr)
{
	if (has & P_CONFIG && attr & P_CONFIG)
		return false;
	if (has & P_ENUM && (attr ^ old) & P_ENUM)
		return false;
	if (!(has & (HAS_VALUE | HAS_GET | HAS_SET | P_WRITE)))
		return true;
	if (((old & P_ACCESSOR) != 0) != ((has & (HAS_GET | HAS_SET)) != 0))
		return false;
	if (old & P_ACCESSOR)
		return (!(has & HAS_GET) || v[1] == half_of_pair(m, now, 0)) &&
		       (!(has & HAS_SET) || v[2] == half_of_pair(m, now, 1));
	if (old & P_WRITE)
		return true;
	return !(has & P_WRITE && attr & P_WRITE) &&
	       (!(has & HAS_VALUE) || vm_same_value(m, v[0], now, false));
}

/* The value that the property gets, in TEMP_ITEM. False: thrown. */
static bool
defined_value(
    vm *m, value *now, unsigned old, value *v, unsigned has, unsigned result)
{
	value *item = &m->temp[TEMP_ITEM];

	if (!(result & P_ACCESSOR)) {
		*item = has & HAS_VALUE    ? v[0]
			: old & P_ACCESSOR ? V_UNDEFINED
					   : *now;
		return true;
	}
	m->temp[TEMP_ROOT] = m->temp[TEMP_VALUE] = V_UNDEFINED;
	if (old & P_ACCESSOR) {
		m->temp[TEMP_ROOT] = half_of_pair(m, *now, 0);
		m->temp[TEMP_VALUE] = half_of_pair(m, *now, 1);
	}
	if (has & HAS_GET)
		m->temp[TEMP_ROOT] = v[1];
	if (has & HAS_SET)
		m->temp[TEMP_VALUE] = v[2];
	*item = prop_pair(m, &m->temp[TEMP_ROOT], &m->temp[TEMP_VALUE]);
	return *item != V_THROWN;
}

static prop_end
define_new(vm *m, value *o, value *key, value *v, unsigned has, unsigned attr)
{
	unsigned result = defined_attr(0, has, attr);

	if (!may_add(m, *o, *key))
		return PROP_REFUSED;
	m->temp[TEMP_LIST] = V_UNDEFINED;
	if (!defined_value(m, &m->temp[TEMP_LIST], 0, v, has, result) ||
	    !put_new_property(m, o, key, &m->temp[TEMP_ITEM], result))
		return PROP_THROWN;
	return PROP_DONE;
}

static prop_end
define_length(vm *m, value *o, value *v, unsigned has, unsigned attr)
{
	prop_end end = PROP_DONE;

	if (has & HAS_VALUE)
		end = prop_set_length(m, o, v[0]);
	if (end != PROP_THROWN && has & P_WRITE && !(attr & P_WRITE))
		OBJ(m, *o)->head.flags |= CELL_FIXED;
	return end;
}

prop_end
prop_define(vm *m, value *o, value *key, value *v, unsigned has, unsigned attr)
{
	found f = find_here(m, o, key);
	value *now = &m->temp[TEMP_LIST];
	unsigned result;

	if (f.kind == AT_FAULT)
		return PROP_THROWN;
	if (f.kind == AT_PROXY)
		return PROP_SLOW;
	if (f.kind == AT_VIEW_NONE)
		return PROP_REFUSED;
	if (f.kind == AT_NOWHERE)
		return define_new(m, o, key, v, has, attr);
	if (f.kind == AT_VIEW) {
		if (has & ~attr & P_PLAIN || has & (HAS_GET | HAS_SET))
			return PROP_REFUSED;
		return has & HAS_VALUE ? buffer_set(m, o, f.index, v)
				       : PROP_DONE;
	}
	if (value_of_found(m, v_ref(*o), &f, now) == PROP_THROWN)
		return PROP_THROWN;
	if (!(f.attr & P_CONFIG) &&
	    !may_redefine(m, *now, f.attr, v, has, attr))
		return PROP_REFUSED;
	if (f.kind == AT_UNIT)
		return PROP_DONE;
	if (f.kind == AT_LENGTH)
		return OBJ(m, *o)->head.flags & CELL_ARRAY
			   ? define_length(m, o, v, has, attr)
			   : PROP_DONE;
	result = defined_attr(f.attr, has, attr);
	if (!defined_value(m, now, f.attr, v, has, result) ||
	    !prop_put(m, o, key, &m->temp[TEMP_ITEM], result))
		return PROP_THROWN;
	return PROP_DONE;
}

prop_end
prop_delete(vm *m, value *o, value *key)
{
	value *name = &m->temp[TEMP_KEY];
	found f;

	if (!v_is_object(*o)) {
		if (v_is_nullish(*o)) {
			vm_throw(m, ERROR_TYPE, "cannot convert to object");
			return PROP_THROWN;
		}
		return v_is_string(*o) && is_own_of_string(m, *o, *key)
			   ? PROP_REFUSED
			   : PROP_DONE;
	}
	f = find_here(m, o, key);
	switch (f.kind) {
	case AT_FAULT:
		return PROP_THROWN;
	case AT_PROXY:
		return PROP_SLOW;
	case AT_NOWHERE:
	case AT_VIEW_NONE:
		return PROP_DONE;
	default:
		break;
	}
	if (!(f.attr & P_CONFIG) || f.kind == AT_VIEW)
		return PROP_REFUSED;
	note_change(m, *o);
	if (f.kind == AT_ELEMENT) {
		*element_at(H(m), v_ref(*o), f.index) = V_HOLE;
		CELL(H(m), OBJ(m, *o)->elements, cell)->flags |= VALUES_HOLES;
		return PROP_DONE;
	}
	if (!named_key(m, key, name) || !object_delete(H(m), o, v_ref(*name))) {
		vm_throw_memory(m);
		return PROP_THROWN;
	}
	return PROP_DONE;
}

/* --------------------------------------------------------------------- keys */

/* The indices of an object's sparse elements, ascending. NULL and *n 0: none.
 * NULL and *n not 0: no memory. */
static uint32_t *
sparse_indices(const vm *m, value o, unsigned which, uint32_t *n)
{
	uint32_t count = object_count(H(m), v_ref(o)), i, *list;
	unsigned attr;

	*n = 0;
	if (!(OBJ(m, o)->head.flags & CELL_SPARSE) || count == 0)
		return NULL;
	list = mem_new(m->alloc, count * sizeof(*list));
	if (list == NULL) {
		*n = 1;
		return NULL;
	}
	for (uint32_t k = 0; k < count; k++) {
		value key = object_key(H(m), v_ref(o), k, &attr);

		if (!sparse_index(m, key, &i) ||
		    (which & KEYS_ENUMERABLE && !(attr & P_ENUM)))
			continue;
		list[(*n)++] = i;
	}
	/* Shell's sort: mostly they are in order already. */
	for (uint32_t gap = *n / 2; gap > 0; gap /= 2)
		for (uint32_t k = gap; k < *n; k++) {
			uint32_t j = k, moved = list[k];

			for (; j >= gap && list[j - gap] > moved; j -= gap)
				list[j] = list[j - gap];
			list[j] = moved;
		}
	return list;
}

static bool
push_index(vm *m, uint32_t i)
{
	char digits[16];
	int n = snprintf(digits, sizeof(digits), "%u", i);
	ref r = str_of_latin1(H(m), digits, (uint32_t)n);

	m->temp[TEMP_ITEM] = v_of_string(r);
	if (r == 0) {
		vm_throw_memory(m);
		return false;
	}
	return array_push_value(m, &m->temp[TEMP_LIST], &m->temp[TEMP_ITEM]);
}

/* Indices below that are looked at one by one. */
static uint32_t
dense_indices(const vm *m, value o)
{
	object_class class = object_class_of(H(m), v_ref(o));
	ref e = OBJ(m, o)->elements;

	if (class == CLASS_STRING) {
		uint32_t n = str_len(H(m), v_ref(wrapped_string(m, v_ref(o))));
		uint32_t len = e ? CELL(H(m), e, cell_values)->len : 0;

		return n > len ? n : len;
	}
	if (class == CLASS_VIEW && buffer_is_array(m, o))
		return buffer_length(m, o);
	return e ? CELL(H(m), e, cell_values)->len : 0;
}

static bool
push_indices(vm *m, value *o, unsigned which)
{
	uint32_t n, k = 0, dense = dense_indices(m, *o);
	uint32_t *sparse = sparse_indices(m, *o, which, &n);
	bool good = sparse != NULL || n == 0;

	if (!good) {
		vm_throw_memory(m);
		return false;
	}
	for (uint32_t i = 0; good && i < dense; i++) {
		for (; good && k < n && sparse[k] < i; k++)
			good = push_index(m, sparse[k]);
		if (good &&
		    (element_at(H(m), v_ref(*o), i) != NULL ||
			(OBJ(m, *o)->head.flags & CELL_EXOTIC &&
			    find_index(m, v_ref(*o), i).kind >= AT_UNIT)))
			good = push_index(m, i);
	}
	for (; good && k < n; k++)
		good = push_index(m, sparse[k]);
	if (sparse != NULL)
		mem_free(m->alloc, sparse,
		    object_count(H(m), v_ref(*o)) * sizeof(*sparse));
	return good;
}

static bool
push_names(vm *m, value *o, unsigned which, bool symbols)
{
	bool has_length = OBJ(m, *o)->head.flags & CELL_ARRAY ||
			  v_is_class(m, *o, CLASS_STRING);
	uint32_t i;
	unsigned attr;

	if (!symbols && has_length && !(which & KEYS_ENUMERABLE) &&
	    !array_push_value(m, &m->temp[TEMP_LIST], &m->realm[R_key_length]))
		return false;
	for (uint32_t k = 0; k < object_count(H(m), v_ref(*o)); k++) {
		value key = object_key(H(m), v_ref(*o), k, &attr);

		if (key == V_HOLE || (v_tag(key) == TAG_SYMBOL) != symbols ||
		    symbol_is_private(H(m), key) ||
		    (which & KEYS_ENUMERABLE && !(attr & P_ENUM)) ||
		    (OBJ(m, *o)->head.flags & CELL_SPARSE &&
			sparse_index(m, key, &i)))
			continue;
		m->temp[TEMP_ITEM] = key;
		if (!array_push_value(
			m, &m->temp[TEMP_LIST], &m->temp[TEMP_ITEM]))
			return false;
	}
	return true;
}

value
prop_keys(vm *m, value *o, unsigned which)
{
	if (!fill_if_lazy(m, o))
		return V_THROWN;
	m->temp[TEMP_LIST] = array_make(
	    m, 0, object_count(H(m), v_ref(*o)) + dense_indices(m, *o));
	if (m->temp[TEMP_LIST] == V_THROWN ||
	    (which & KEYS_STRINGS && (!push_indices(m, o, which) ||
					 !push_names(m, o, which, false))) ||
	    (which & KEYS_SYMBOLS && !push_names(m, o, which, true)))
		return V_THROWN;
	return m->temp[TEMP_LIST];
}

value
vm_key(vm *m, value *p)
{
	value chars;
	uint32_t i;
	ref r;

	if (v_is_key(m, *p))
		return *p;
	if (!v_is_string(*p)) {
		chars = vm_to_string(m, *p);
		if (chars == V_THROWN)
			return V_THROWN;
		m->temp[TEMP_KEY] = chars;
	} else {
		m->temp[TEMP_KEY] = *p;
	}
	if (v_is_key(m, m->temp[TEMP_KEY]))
		return m->temp[TEMP_KEY];
	if (!str_flatten(H(m), &m->temp[TEMP_KEY]))
		return vm_throw_memory(m);
	if (str_index(STR(m, m->temp[TEMP_KEY]), &i) && i <= INT32_MAX)
		return v_of_int((int32_t)i);
	r = atom_of(H(m), &m->atoms, &m->temp[TEMP_KEY]);
	return r ? v_of_string(r) : vm_throw_memory(m);
}

value
vm_key_text(vm *m, const char *latin1)
{
	ref r = atom_of_text(H(m), &m->atoms, (text){latin1, strlen(latin1)});

	return r ? v_of_string(r) : vm_throw_memory(m);
}

value
vm_key_string(vm *m, value key)
{
	return v_is_int(key) ? vm_to_string(m, key) : key;
}

/* ------------------------------------------------------------------ objects */

/* Where the shape of new objects with that prototype stands, as a root; NULL:
 * thrown. */
static value *
root_shape(vm *m, value *proto)
{
	value *kept = &m->temp[TEMP_ROOT];
	ref r;

	if (!v_is_object(*proto))
		kept = &m->realm[R_null_shape];
	else if (*proto == m->realm[R_array])
		kept = &m->realm[R_array_shape];
	if (kept != &m->temp[TEMP_ROOT] && v_tag(*kept) == TAG_CELL &&
	    (!v_is_object(*proto) ||
		CELL(H(m), v_ref(*kept), cell_shape)->proto == v_ref(*proto)))
		return kept;
	r = shape_root(H(m), proto);
	if (r == 0) {
		vm_throw_memory(m);
		return NULL;
	}
	*kept = v_of_ref(TAG_CELL, r);
	return kept;
}

static unsigned
class_flags(object_class class)
{
	switch (class) {
	case CLASS_FUNCTION:
	case CLASS_NATIVE:
	case CLASS_BOUND:
		return CELL_FUNCTION;
	case CLASS_STRING:
	case CLASS_VIEW:
	case CLASS_PROXY:
		return CELL_EXOTIC;
	case CLASS_ARRAY:
		return CELL_ARRAY;
	default:
		return 0;
	}
}

value
object_make(vm *m, value *proto, object_class class, unsigned room)
{
	value *shape = root_shape(m, proto);
	ref r;

	if (shape == NULL)
		return V_THROWN;
	if (!heap_reserve(
		H(m), sizeof(cell_object) + (class_internal[class] + room) * 8))
		return vm_throw_memory(m);
	r = object_new(H(m), class, v_ref(*shape), room);
	CELL(H(m), r, cell)->flags |= (uint8_t)class_flags(class);
	return v_of_object(r);
}

value
array_make(vm *m, uint32_t len, uint32_t room)
{
	value *shape = root_shape(m, &m->realm[R_array]);

	if (shape == NULL)
		return V_THROWN;
	if (!heap_reserve(H(m),
		sizeof(cell_object) + sizeof(cell_values) + (size_t)room * 8))
		return vm_throw_memory(m);
	return v_of_object(array_new(H(m), v_ref(*shape), len, room));
}

bool
array_push_value(vm *m, value *array, value *v)
{
	if (!element_put(H(m), array, OBJ(m, *array)->extra, v)) {
		vm_throw_memory(m);
		return false;
	}
	return true;
}

/* Are all elements there? What was looked at once is not looked at again. */
static bool
is_full(const vm *m, const cell_object *c)
{
	cell_values *e;

	if (c->extra == 0)
		return true;
	if (c->elements == 0)
		return false;
	e = CELL(H(m), c->elements, cell_values);
	if (e->len != c->extra)
		return false;
	if (!(e->head.flags & VALUES_HOLES))
		return true;
	for (uint32_t i = 0; i < e->len; i++)
		if (e->v[e->start + i] == V_HOLE)
			return false;
	e->head.flags &= (uint8_t)~VALUES_HOLES;
	return true;
}

bool
array_is_plain(const vm *m, value v)
{
	const unsigned not =
	    CELL_CLOSED | CELL_FROZEN | CELL_FIXED | CELL_SPARSE | CELL_EXOTIC;

	return v_is_object(v) && OBJ(m, v)->head.flags & CELL_ARRAY &&
	       !(OBJ(m, v)->head.flags & not ) && is_full(m, OBJ(m, v));
}

value *
array_values(const vm *m, value v, uint32_t *len)
{
	const cell_object *c = OBJ(m, v);
	cell_values *e;

	*len = 0;
	if (c->elements == 0)
		return NULL;
	e = CELL(H(m), c->elements, cell_values);
	*len = e->len;
	return e->v + e->start;
}

/* ------------------------------------------------------- closing, prototypes */

/* All elements become named properties of these attributes. */
static bool
name_all_elements(vm *m, value *o, unsigned attr)
{
	const cell_values *e;

	for (uint32_t i = 0; OBJ(m, *o)->elements != 0; i++) {
		value key = v_of_int((int32_t)i), *v;

		e = CELL(H(m), OBJ(m, *o)->elements, cell_values);
		if (i >= e->len)
			break;
		v = element_at(H(m), v_ref(*o), i);
		if (v == NULL)
			continue;
		m->temp[TEMP_ITEM] = *v;
		m->temp[TEMP_LIST] = key;
		if (!name_element(
			m, o, &m->temp[TEMP_LIST], &m->temp[TEMP_ITEM], attr))
			return false;
	}
	OBJ(m, *o)->elements = 0;
	return true;
}

bool
prop_close(vm *m, value *o, int level)
{
	unsigned flags = CELL_CLOSED;

	if (!fill_if_lazy(m, o))
		return false;
	note_change(m, *o);
	if (level == 1 && !(OBJ(m, *o)->head.flags & CELL_FROZEN) &&
	    !name_all_elements(m, o, P_WRITE | P_ENUM))
		return false;
	/* Also for level 0: a cache that adds goes by the shape. */
	if (level == 0 ? !object_own_shape(H(m), o)
		       : !object_restrict(H(m), o, level == 2)) {
		vm_throw_memory(m);
		return false;
	}
	if (level == 2)
		flags |= CELL_FROZEN |
			 (OBJ(m, *o)->head.flags & CELL_ARRAY ? CELL_FIXED : 0);
	OBJ(m, *o)->head.flags |= (uint8_t)flags;
	return true;
}

/* Does a property say that the object is not closed so far? */
static bool
is_open(unsigned attr, int level)
{
	return attr & P_CONFIG ||
	       (level == 2 && attr & P_WRITE && !(attr & P_ACCESSOR));
}

value
prop_is_closed(vm *m, value *o, int level)
{
	unsigned flags, attr;
	uint32_t n;

	if (!fill_if_lazy(m, o))
		return V_THROWN;
	flags = OBJ(m, *o)->head.flags;
	if (!(flags & CELL_CLOSED))
		return V_FALSE;
	if (level == 0)
		return V_TRUE;
	if (flags & CELL_ARRAY && level == 2 && !(flags & CELL_FIXED))
		return V_FALSE;
	n = v_is_class(m, *o, CLASS_STRING) ? 0 : dense_indices(m, *o);
	for (uint32_t i = 0; i < n && !(flags & CELL_FROZEN); i++)
		if (find_index(m, v_ref(*o), i).kind != AT_NOWHERE)
			return V_FALSE;
	for (uint32_t k = object_count(H(m), v_ref(*o)); k-- > 0;) {
		value key = object_key(H(m), v_ref(*o), k, &attr);

		if (key != V_HOLE && !symbol_is_private(H(m), key) &&
		    is_open(attr, level))
			return V_FALSE;
	}
	return V_TRUE;
}

prop_end
prop_set_proto(vm *m, value *o, value *proto)
{
	ref now = object_proto(H(m), v_ref(*o));
	ref new = v_is_object(*proto) ? v_ref(*proto) : 0;

	if (now == new)
		return PROP_DONE;
	if (OBJ(m, *o)->head.flags & CELL_CLOSED || *o == m->realm[R_object])
		return PROP_REFUSED;
	for (ref p = new; p != 0; p = object_proto(H(m), p)) {
		if (p == v_ref(*o))
			return PROP_REFUSED;
		if (object_class_of(H(m), p) == CLASS_PROXY)
			break;
	}
	note_change(m, *o);
	if (!object_set_proto(H(m), o, proto)) {
		vm_throw_memory(m);
		return PROP_THROWN;
	}
	return PROP_DONE;
}
