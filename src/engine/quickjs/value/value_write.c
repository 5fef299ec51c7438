/* SPDX-License-Identifier: MIT */
/*
 * value_write.c -- plain values out of the engine, as JSON.
 *
 * The arguments of a call are mostly a small object of numbers and words, and
 * the module needs longer to write them than all the rest of the call takes. A
 * plain value is read where it lies (value_layout.h). For any other value
 * qjs_write returns false, and environment/convert.js writes it.
 *
 * Plain is only what is listed here, without a cycle:
 *
 *	number     an int, a finite double, or a BigInt, which is its digits
 *	string     without half of a surrogate pair
 *	array      extensible, fast, with the shape of a new array, without holes
 *	object     class Object, extensible, prototype Object.prototype or null;
 *	           each property is enumerable and holds a value; each name is a
 *	           string and no array index
 *	           true, false, null; undefined as a member or an element
 *
 * The toJSON of a built-in prototype does not count (doc/guide/values.md), and
 * a function that is an own property makes its object not plain.
 */
#include "value_layout.h"

#include "base/json.h"

#include <math.h>

/* A deadline cannot interrupt this code (W2), so it polls. */
#define VALUES_PER_POLL 4096u

/* Up to here each whole number is a double of its own. */
#define WHOLE_MAX 9007199254740992.0

/* Digits of the indices above INT32_MAX. Smaller ones are no strings. */
#define INDEX_DIGITS 10u

/* The objects and arrays around a value. */
typedef struct around {
	const struct around *up;
	uint32_t object;
} around;

typedef struct writer {
	buf *out;
	const around *around;
	unsigned values, depth;
} writer;

static bool write_value(engine *e, writer *w, js v);

/* --------------------------------------------------------------- numbers */

static void
write_whole(buf *out, int64_t n)
{
	char digits[24], *p = digits + sizeof(digits);
	uint64_t rest = n < 0 ? -(uint64_t)n : (uint64_t)n;

	do
		*--p = (char)('0' + rest % 10);
	while ((rest /= 10) > 0);
	if (n < 0)
		*--p = '-';
	buf_add(out, p, (size_t)(digits + sizeof(digits) - p));
}

/* Digits that the module finds: the shortest that make this double again, or
 * all of a BigInt. */
static bool
write_digits(engine *e, writer *w, js v)
{
	js string = CALL(e, JS_ToString, e->ctx, v);
	text t;

	if (string == JS_EXCEPTION)
		return false;
	t = qjs_text(e, string);
	buf_text(w->out, t);
	qjs_text_free(e, t);
	qjs_free(e, string);
	return t.ptr != NULL;
}

static bool
write_double(engine *e, writer *w, js v)
{
	uint64_t bits = v + ((uint64_t)DOUBLE_ADDEND << 32);
	double d;

	memcpy(&d, &bits, sizeof(d));
	if (!isfinite(d))
		return false;
	if (d > -WHOLE_MAX && d < WHOLE_MAX && d == (double)(int64_t)d)
		write_whole(w->out, (int64_t)d);
	else
		return write_digits(e, w, v);
	return true;
}

/* --------------------------------------------------------------- strings */

static bool
is_ascii(const uint8_t *p, uint32_t len)
{
	uint8_t all = 0;

	while (len > 0)
		all |= p[--len];
	return all < 0x80;
}

/* Of the kind 0, 8-bit units, ASCII. */
static bool
write_ascii(engine *e, writer *w, uint32_t at)
{
	uint32_t len = get32(e, at);
	const uint8_t *p;

	if ((len & STRING_WIDE) ||
	    (get32(e, at + STRING_HASH) >> STRING_KIND & 3))
		return false;
	p = wall_bytes(&e->wall, at + STRING_UNITS, len);
	if (p == NULL || !is_ascii(p, len))
		return false;
	json_string(w->out, (text){(const char *)p, len});
	return true;
}

/* Any string, also a rope. */
static bool
write_string(engine *e, writer *w, js v)
{
	text t;

	if (js_tag(v) == TAG_STRING && write_ascii(e, w, (uint32_t)v))
		return true;
	t = qjs_text(e, v);
	if (t.ptr != NULL && !e->mended)
		json_string(w->out, t);
	qjs_text_free(e, t);
	return t.ptr != NULL && !e->mended;
}

/* --------------------------------------------------- arrays and objects */

static bool
write_elements(engine *e, writer *w, uint32_t at)
{
	uint32_t count = get32(e, at + ARRAY_COUNT), i;
	uint32_t values = get32(e, at + ARRAY_VALUES);
	js length = qjs_read64(e, get32(e, at + OBJECT_PROPS));

	if (length != JS_INT(count))
		return false; /* there are holes at its end */
	buf_byte(w->out, '[');
	for (i = 0; i < count; i++) {
		js v = qjs_read64(e, values + i * 8);

		if (i > 0)
			buf_byte(w->out, ',');
		if (!write_value(e, w, v == JS_UNDEFINED ? JS_NULL : v))
			return false;
	}
	buf_byte(w->out, ']');
	return true;
}

/* Could the name be an array index above INT32_MAX? Indices come first. */
static bool
may_be_index(engine *e, uint32_t string)
{
	return get32(e, string) == INDEX_DIGITS &&
	       e->wall.base[string + STRING_UNITS] <= '9';
}

static bool
write_member_name(engine *e, writer *w, uint32_t atom)
{
	uint32_t string;

	if ((atom & ATOM_INDEX) != 0)
		return false;
	string = get32(e, get32(e, e->rt + RT_ATOMS) + atom * 4);
	if (get32(e, string + STRING_HASH) >> STRING_ATOM != ATOM_STRING ||
	    may_be_index(e, string) ||
	    !write_string(e, w, JS_TAGGED(TAG_STRING, string)))
		return false;
	buf_byte(w->out, ':');
	return true;
}

static bool
write_object(engine *e, writer *w, uint32_t at)
{
	uint32_t shape = get32(e, at + OBJECT_SHAPE);
	uint32_t values = get32(e, at + OBJECT_PROPS);
	uint32_t count = get32(e, shape + SHAPE_COUNT), i;
	uint32_t prop =
	    shape + SHAPE_PROPS + (get32(e, shape + SHAPE_MASK) + 1) * 4;
	uint32_t prototype = get32(e, shape + SHAPE_PROTOTYPE);
	const char *between = "{";

	if (prototype != e->object_prototype && prototype != 0)
		return false;
	for (i = 0; i < count; i++, prop += 8) {
		uint32_t flags = get32(e, prop) >> PROP_FLAGS;
		uint32_t atom = get32(e, prop + PROP_ATOM);
		js v = qjs_read64(e, values + i * 8);

		if (atom == 0) /* it was deleted */
			continue;
		if ((flags & ~(JS_CONFIGURABLE | JS_WRITABLE)) != JS_ENUMERABLE)
			return false;
		if (v == JS_UNDEFINED)
			continue;
		buf_str(w->out, between);
		if (!write_member_name(e, w, atom) || !write_value(e, w, v))
			return false;
		between = ",";
	}
	buf_str(w->out, *between == '{' ? "{}" : "}");
	return true;
}

static bool
is_around(const writer *w, uint32_t at)
{
	const around *a;

	for (a = w->around; a != NULL; a = a->up)
		if (a->object == at)
			return true;
	return false;
}

static bool
write_members(engine *e, writer *w, uint32_t at)
{
	uint32_t head = get32(e, at + OBJECT_HEAD) & HEAD_BITS;
	around here = {w->around, at};
	bool plain = false;

	if (w->depth == JSON_DEPTH || is_around(w, at))
		return false;
	w->depth++;
	w->around = &here;
	if (head == HEAD_OBJECT)
		plain = write_object(e, w, at);
	else if (head == HEAD_ARRAY &&
		 get32(e, at + OBJECT_SHAPE) == e->array_shape)
		plain = write_elements(e, w, at);
	w->around = here.up;
	w->depth--;
	return plain;
}

/* ---------------------------------------------------------------- values */

static bool
write_value(engine *e, writer *w, js v)
{
	int32_t tag = js_tag(v);

	if (++w->values % VALUES_PER_POLL == 0 && qjs_poll(e))
		return false;
	switch (tag) {
	case TAG_OBJECT:
		return write_members(e, w, (uint32_t)v);
	case TAG_STRING:
	case TAG_ROPE:
		return write_string(e, w, v);
	case TAG_INT:
		write_whole(w->out, (int32_t)(uint32_t)v);
		return true;
	case TAG_BOOL:
		buf_str(w->out, (uint32_t)v != 0 ? "true" : "false");
		return true;
	case TAG_NULL:
		buf_str(w->out, "null");
		return true;
	case TAG_BIG_INT:
	case TAG_SHORT_BIG_INT:
		return write_digits(e, w, v);
	}
	return (tag < TAG_FIRST || tag >= TAG_DOUBLE) && write_double(e, w, v);
}

bool
qjs_write(engine *e, js v, text *out)
{
	writer w = {.out = qjs_buf(e)};

	if (!write_value(e, &w, v) || w.out->bad != CM_OK)
		return false;
	*out = buf_view(w.out);
	return true;
}
