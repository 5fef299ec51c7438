/* SPDX-License-Identifier: MIT */
/*
 * value_array.c -- unshift and splice of plain arrays, with one move.
 *
 * The module moves each element by a lookup of its own, some 50 ns, so a list
 * of 20,000 that is taken apart from the front takes many seconds. Here the
 * elements are moved where they lie (value_layout.h). Plain is an array with the
 * shape of a new one and without holes, as long as nothing that the language
 * would ask on the way is the script's: a setter of an index that Array.prototype
 * or Object.prototype has, another constructor or species. Every other case goes
 * to the module's own function.
 *
 * Nothing is allocated between the first word that changes and the last.
 */
#include "value_layout.h"
#include "value_make.h"

#define ELEMENTS_MAX (1u << 28)

static bool
is_plain_array(engine *e, js v)
{
	uint32_t at = (uint32_t)v, count;

	if (js_tag(v) != TAG_OBJECT ||
	    (get32(e, at + OBJECT_HEAD) & HEAD_BITS) != HEAD_ARRAY ||
	    get32(e, at + OBJECT_SHAPE) != e->array_shape)
		return false;
	count = get32(e, at + ARRAY_COUNT);
	return count <= ELEMENTS_MAX &&
	       qjs_read64(e, get32(e, at + OBJECT_PROPS)) == JS_INT(count);
}

/* Does the object have a property whose name is an index? */
static bool
has_index(engine *e, uint32_t object)
{
	uint32_t shape = get32(e, object + OBJECT_SHAPE);
	uint32_t count = get32(e, shape + SHAPE_COUNT);
	uint32_t prop =
	    shape + SHAPE_PROPS + (get32(e, shape + SHAPE_MASK) + 1) * 4;

	for (; count > 0; count--, prop += 8)
		if ((get32(e, prop + PROP_ATOM) & ATOM_INDEX) != 0)
			return true;
	return false;
}

/* Would an element behind the last one be a plain property? */
static bool
may_grow(engine *e)
{
	uint32_t proto = get32(e, e->array_shape + SHAPE_PROTOTYPE);
	uint32_t shape = get32(e, proto + OBJECT_SHAPE);

	return (get32(e, proto + OBJECT_HEAD) & HEAD_BITS) == HEAD_ARRAY &&
	       get32(e, proto + ARRAY_COUNT) == 0 &&
	       get32(e, shape + SHAPE_PROTOTYPE) == e->object_prototype &&
	       !has_index(e, e->object_prototype);
}

/* Adds n elements at the end; false: something was thrown. */
static bool
grow_array(engine *e, js array, uint32_t n)
{
	uint32_t count = get32(e, (uint32_t)array + ARRAY_COUNT);

	for (; n > 0; n--, count++)
		if ((int32_t)CALL(e, JS_SetPropertyUint32, e->ctx, array, count,
			JS_UNDEFINED) < 0)
			return false;
	return true;
}

static void
shrink_array(engine *e, js array, uint32_t n)
{
	uint32_t at = (uint32_t)array, count = get32(e, at + ARRAY_COUNT) - n;

	set32(e, at + ARRAY_COUNT, count);
	qjs_write64(e, get32(e, at + OBJECT_PROPS), JS_INT(count));
}

/* Makes room for `room` elements at `start`, where `gone` elements were, whose
 * references are the caller's; then fills it with the values at argv. */
static bool
replace_elements(engine *e, js array, uint32_t start, uint32_t gone,
    uint32_t room, uint32_t argv)
{
	uint32_t count = get32(e, (uint32_t)array + ARRAY_COUNT), i;
	uint8_t *from;

	if (room > gone && !grow_array(e, array, room - gone))
		return false;
	from =
	    e->wall.base + get32(e, (uint32_t)array + ARRAY_VALUES) + start * 8;
	module_move(from + room * 8, from + gone * 8,
	    (size_t)(count - start - gone) * 8);
	for (i = 0; i < room; i++) {
		js v = qjs_dup(e, qjs_read64(e, argv + i * 8));

		memcpy(from + i * 8, &v, sizeof(v));
	}
	if (room < gone)
		shrink_array(e, array, gone - room);
	return true;
}

bool
qjs_unshift(engine *e, js this, uint32_t argc, uint32_t argv, js *result)
{
	if (!is_plain_array(e, this) || !may_grow(e))
		return false;
	*result = JS_EXCEPTION;
	if (replace_elements(e, this, 0, 0, argc, argv))
		*result = JS_INT(get32(e, (uint32_t)this + ARRAY_COUNT));
	return true;
}

/* Is it an int; then between 0 and most, a negative one from there back. */
static bool
read_index(js v, uint32_t most, uint32_t *index)
{
	int64_t n = (int32_t)(uint32_t)v;

	if (js_tag(v) != TAG_INT)
		return false;
	n = n < 0 ? n + most : n;
	*index = n < 0 ? 0 : n > most ? most : (uint32_t)n;
	return true;
}

static bool
read_gone(js v, uint32_t most, uint32_t *count)
{
	return js_tag(v) == TAG_INT &&
	       ((int32_t)(uint32_t)v >= 0 ? read_index(v, most, count)
					  : read_index(JS_INT(0), 0, count));
}

/* Is what splice returns an ordinary array? */
static bool
makes_arrays(engine *e, js array)
{
	js class = CALL(e, JS_GetProperty, e->ctx, array, e->constructor_atom);
	js species;
	bool is = class == e->array_class;

	if (is) {
		species =
		    CALL(e, JS_GetProperty, e->ctx, class, e->species_atom);
		is = species == e->array_class;
		qjs_free(e, species);
	}
	qjs_free(e, class);
	return is;
}

bool
qjs_splice(engine *e, js this, uint32_t argc, uint32_t argv, js *result)
{
	uint32_t count, start, gone, values;

	if (argc < 2 || !is_plain_array(e, this))
		return false;
	count = get32(e, (uint32_t)this + ARRAY_COUNT);
	if (!read_index(qjs_read64(e, argv), count, &start) ||
	    !read_gone(qjs_read64(e, argv + 8), count - start, &gone) ||
	    (argc - 2 > gone && !may_grow(e)) || !makes_arrays(e, this) ||
	    !is_plain_array(e, this) ||
	    get32(e, (uint32_t)this + ARRAY_COUNT) != count)
		return false;
	values = get32(e, (uint32_t)this + ARRAY_VALUES) + start * 8;
	*result = make_array_from(
	    e, (const js *)(const void *)(e->wall.base + values), gone);
	if (*result == JS_EXCEPTION ||
	    replace_elements(e, this, start, gone, argc - 2, argv + 16))
		return true;
	shrink_array(e, *result, gone); /* they still belong to the first */
	qjs_free(e, *result);
	*result = JS_EXCEPTION;
	return true;
}
