/* SPDX-License-Identifier: MIT */
/*
 * port_json.c -- JSON becomes values, plain values become JSON: see port.h.
 *
 * Plain is only what is listed here, without a cycle; for all else the
 * environment asks and converts (environment/convert.js):
 *
 *	number     finite
 *	string     without half of a surrogate pair
 *	array      no property but its elements, no holes, of Array.prototype
 *	object     of Object.prototype or without one, not closed; each property is
 *	           enumerable, no accessor, and its name no array index, no symbol
 *	           true, false, null; undefined as a member or an element
 */
#include "port.h"

#include <math.h>

/* ------------------------------------------------------------------- reading */

enum { STACK, TOP, KEY, ITEM, RESULT, SPARE }; /* of a[] */

typedef struct reader {
	vm *m;
	value *a;
	const char *p, *end;
	uint32_t depth; /* containers around, in a[STACK] */
	port_integers integers;
	text *rounded;
} reader;

static void
skip_space(reader *r)
{
	while (r->p < r->end && json_is_space(*r->p))
		r->p++;
}

/* The string at the place, with its quotes; *plain: ASCII without escapes. */
static json
string_token(reader *r, bool *plain)
{
	const char *begin = r->p++;
	unsigned char all = 0;

	*plain = true;
	for (; *r->p != '"'; r->p++) {
		if (*r->p == '\\') {
			*plain = false;
			r->p++;
		}
		all |= (unsigned char)*r->p;
	}
	r->p++;
	if (all >= 0x80)
		*plain = false;
	return (text){begin, (size_t)(r->p - begin)};
}

/* With its escapes undone, surrogates one by one. */
static value
escaped_string(vm *m, text raw)
{
	buf b = BUF_INIT(m->alloc, 4 * (raw.len + 1));
	value v;
	size_t at = 0;

	while (at < raw.len) {
		uint32_t c;
		char bytes[4];

		if (raw.ptr[at] != '\\') {
			buf_byte(&b, raw.ptr[at++]);
			continue;
		}
		c = json_code_point(raw, &at);
		if (c >= 0xd800 && c < 0xe000) {
			buf_byte(&b, (char)0xed);
			buf_byte(&b, (char)(0x80 | (c >> 6 & 0x3f)));
			buf_byte(&b, (char)(0x80 | (c & 0x3f)));
		} else {
			buf_add(&b, bytes, utf8_put(c, bytes));
		}
	}
	v = b.bad == CM_OK ? vm_string(m, buf_view(&b)) : vm_throw_memory(m);
	buf_fini(&b);
	return v;
}

static value
read_json_string(reader *r)
{
	bool plain;
	json t = string_token(r, &plain);
	text raw = {t.ptr + 1, t.len - 2};
	ref s;

	if (!plain)
		return escaped_string(r->m, raw);
	s = str_of_latin1(H(r->m), raw.ptr, (uint32_t)raw.len);
	return s ? v_of_string(s) : vm_throw_memory(r->m);
}

/* The name of a member, and the colon; into a[KEY]. */
static bool
read_port_key(reader *r)
{
	skip_space(r);
	r->a[KEY] = read_json_string(r);
	if (r->a[KEY] == V_THROWN)
		return false;
	r->a[KEY] = vm_key(r->m, &r->a[KEY]);
	skip_space(r);
	r->p++;
	return r->a[KEY] != V_THROWN;
}

/* An integer of more digits than a double holds: does a number show them? */
static value
long_integer(reader *r, text digits, double d)
{
	char shown[32];
	size_t len = vm_number_text(d, shown);
	bool same = len == digits.len && memcmp(shown, digits.ptr, len) == 0;
	bool first = r->rounded != NULL && r->rounded->len == 0;

	if (r->integers == PORT_ROUND) {
		if (!same && first)
			*r->rounded = digits;
		return v_of_number(d);
	}
	if (same && r->integers == PORT_KEEP)
		return v_of_number(d);
	r->a[SPARE] = vm_string(r->m, digits);
	return r->a[SPARE] == V_THROWN ? V_THROWN
				       : bigint_of_value(r->m, &r->a[SPARE]);
}

static value
read_json_number(reader *r)
{
	static const double power[] = {1e0, 1e1, 1e2, 1e3, 1e4, 1e5, 1e6, 1e7,
	    1e8, 1e9, 1e10, 1e11, 1e12, 1e13, 1e14, 1e15, 1e16, 1e17, 1e18,
	    1e19, 1e20, 1e21, 1e22};
	const char *begin = r->p, *whole;
	uint64_t n = 0;
	unsigned count = 0, behind = 0;
	double d = 0;

	if (*r->p == '-')
		r->p++;
	for (; r->p < r->end && *r->p >= '0' && *r->p <= '9'; r->p++, count++)
		n = n * 10 + (uint64_t)(*r->p - '0');
	whole = r->p;
	if (r->p < r->end && *r->p == '.')
		for (r->p++; r->p < r->end && *r->p >= '0' && *r->p <= '9';
		     r->p++, count++, behind++)
			n = n * 10 + (uint64_t)(*r->p - '0');
	if (r->p < r->end && (*r->p | 0x20) == 'e') {
		count = UINT32_MAX;
		while (r->p < r->end && strchr("eE+-0123456789", *r->p) != NULL)
			r->p++;
	}
	/* Both are exact doubles, so the quotient is rounded once. */
	if (count < 20 && n <= (uint64_t)1 << 53) {
		d = (double)n / power[behind];
		return v_of_number(*begin == '-' ? -d : d);
	}
	json_double((text){begin, (size_t)(r->p - begin)}, &d);
	return r->p == whole
		   ? long_integer(r, (text){begin, (size_t)(r->p - begin)}, d)
		   : v_of_number(d);
}

static value
read_scalar(reader *r)
{
	switch (*r->p) {
	case '"':
		return read_json_string(r);
	case 't':
		r->p += 4;
		return V_TRUE;
	case 'f':
		r->p += 5;
		return V_FALSE;
	case 'n':
		r->p += 4;
		return V_NULL;
	default:
		return read_json_number(r);
	}
}

/* a[ITEM] goes to where it belongs. */
static bool
place_item(reader *r)
{
	value *a = r->a;

	if (r->depth == 0) {
		a[RESULT] = a[ITEM];
		return true;
	}
	if (OBJ(r->m, a[TOP])->head.flags & CELL_ARRAY)
		return array_push_value(r->m, &a[TOP], &a[ITEM]);
	return prop_put(r->m, &a[TOP], &a[KEY], &a[ITEM], P_PLAIN);
}

/* a[ITEM] is the container that what follows goes to. */
static bool
open_container(reader *r, bool array)
{
	vm *m = r->m;
	value *a = r->a;

	a[ITEM] = array ? array_make(m, 0, 4)
			: object_make(m, &m->realm[R_object], CLASS_OBJECT, 4);
	if (a[ITEM] == V_THROWN || !place_item(r))
		return false;
	a[TOP] = a[ITEM];
	if (element_put(H(m), &a[STACK], r->depth++, &a[TOP]))
		return true;
	vm_throw_memory(m);
	return false;
}

static void
close_container(reader *r)
{
	r->depth--;
	if (r->depth > 0)
		r->a[TOP] =
		    *element_at(H(r->m), v_ref(r->a[STACK]), r->depth - 1);
}

static bool
top_is_array(const reader *r)
{
	return OBJ(r->m, r->a[TOP])->head.flags & CELL_ARRAY;
}

/* Behind an item: closes what ends here. *over: all of it. */
static bool
read_behind(reader *r, bool *over)
{
	for (; r->depth > 0; close_container(r)) {
		skip_space(r);
		if (*r->p++ == ',')
			return top_is_array(r) || read_port_key(r);
	}
	*over = true;
	return true;
}

static bool
read_item(reader *r, bool *over)
{
	bool array;

	skip_space(r);
	if (*r->p != '{' && *r->p != '[') {
		r->a[ITEM] = read_scalar(r);
		return r->a[ITEM] != V_THROWN && place_item(r) &&
		       read_behind(r, over);
	}
	array = *r->p++ == '[';
	if (!open_container(r, array))
		return false;
	skip_space(r);
	if (*r->p == (array ? ']' : '}'))
		return read_behind(r, over);
	return array || read_port_key(r);
}

value
port_parse(vm *m, value *a, json t, port_integers integers, text *rounded)
{
	reader r = {.m = m,
	    .a = a,
	    .p = t.ptr,
	    .end = t.ptr + t.len,
	    .integers = integers,
	    .rounded = rounded};
	uint64_t items = 0;
	bool over = false;

	if (rounded != NULL)
		*rounded = TEXT_NONE;
	if (t.len == 0)
		return V_UNDEFINED;
	a[STACK] = array_make(m, 0, 8);
	if (a[STACK] == V_THROWN)
		return V_THROWN;
	while (!over) {
		if (++items % 256 == 0 && !vm_steps(m, 64))
			return V_THROWN;
		if (!read_item(&r, &over)) {
			if (m->thrown == V_HOLE && m->stop == VM_GOES_ON)
				vm_throw_memory(m);
			return V_THROWN;
		}
	}
	return a[RESULT];
}

/* ------------------------------------------------------------------- writing */

typedef struct around {
	const struct around *up;
	ref object;
} around;

typedef struct writer {
	vm *m;
	buf *out;
	const around *around;
	unsigned depth, values;
	ref rope; /* one that must be made flat first; 0: none */
} writer;

static bool write_plain_value(writer *w, value v);

static bool
write_number(writer *w, value v)
{
	double d = v_number(v);
	char shown[32];

	if (!isfinite(d))
		return false;
	buf_add(w->out, shown, vm_number_text(d, shown));
	return true;
}

static bool
is_ascii_string(const cell_string *s)
{
	uint8_t all = 0;

	if (s->head.flags & CELL_WIDE)
		return false;
	for (uint32_t i = 0; i < s->len; i++)
		all |= s->u.narrow[i];
	return all < 0x80;
}

/* Is each surrogate one of a pair? */
static bool
is_well_formed(const cell_string *s)
{
	for (uint32_t i = 0; s->head.flags & CELL_WIDE && i < s->len; i++) {
		uint16_t c = s->u.wide[i];

		if (c < 0xd800 || c >= 0xe000)
			continue;
		if (c >= 0xdc00 || i + 1 == s->len ||
		    (s->u.wide[i + 1] & 0xfc00) != 0xdc00)
			return false;
		i++;
	}
	return true;
}

/* The rope as a flat string, if no cell has to move for it. */
static const cell_string *
flat_now(writer *w, ref rope)
{
	heap *h = H(w->m);
	const cell_string *s = CELL(h, rope, cell_string);
	value v = v_of_string(rope);

	if (h->top + str_bytes(s->len, s->head.flags & CELL_WIDE) / 8 + 2 >
		h->limit ||
	    !str_flatten(h, &v)) {
		w->rope = rope;
		return NULL;
	}
	return CELL(h, v_ref(v), cell_string);
}

static bool
write_plain_string(writer *w, ref r)
{
	const cell_string *s = CELL(H(w->m), r, cell_string);
	buf b = BUF_INIT(w->m->alloc, SIZE_MAX / 2);

	if (s->head.kind == CELL_ROPE && s->u.rope.right == 0)
		s = CELL(H(w->m), s->u.rope.left, cell_string);
	if (s->head.kind == CELL_ROPE && (s = flat_now(w, r)) == NULL)
		return false;
	if (is_ascii_string(s)) {
		json_string(w->out, (text){(const char *)s->u.narrow, s->len});
		return true;
	}
	if (!is_well_formed(s))
		return false;
	str_put(s, false, &b);
	json_string(w->out, buf_view(&b));
	if (b.bad != CM_OK)
		w->out->bad = b.bad;
	buf_fini(&b);
	return true;
}

static bool
write_plain_array(writer *w, value v)
{
	uint32_t len;
	const value *at;

	if (!array_is_plain(w->m, v) || object_count(H(w->m), v_ref(v)) > 0 ||
	    OBJ(w->m, v)->head.flags & CELL_CLOSED ||
	    object_proto(H(w->m), v_ref(v)) != v_ref(w->m->realm[R_array]))
		return false;
	at = array_values(w->m, v, &len);
	buf_byte(w->out, '[');
	for (uint32_t i = 0; i < len; i++) {
		if (i > 0)
			buf_byte(w->out, ',');
		if (!write_plain_value(
			w, at[i] == V_UNDEFINED ? V_NULL : at[i]))
			return false;
	}
	buf_byte(w->out, ']');
	return true;
}

static bool
write_plain_object(writer *w, value v)
{
	const heap *h = H(w->m);
	const cell_object *o = OBJ(w->m, v);
	ref proto = object_proto(h, v_ref(v));
	uint32_t n = object_count(h, v_ref(v));
	const char *between = "{";

	if (o->head.flags &
		(CELL_CLOSED | CELL_EXOTIC | CELL_FUNCTION | CELL_LAZY) ||
	    o->elements != 0 ||
	    (proto != 0 && proto != v_ref(w->m->realm[R_object])))
		return false;
	for (uint32_t i = 0; i < n; i++) {
		unsigned attr;
		value key = object_key(h, v_ref(v), i, &attr);
		value member = *object_slot(h, v_ref(v), i);

		if (!v_is_string(key) ||
		    (attr & (P_ENUM | P_ACCESSOR)) != P_ENUM)
			return false;
		if (member == V_UNDEFINED)
			continue;
		buf_str(w->out, between);
		between = ",";
		if (!write_plain_string(w, v_ref(key)))
			return false;
		buf_byte(w->out, ':');
		if (!write_plain_value(w, member))
			return false;
	}
	buf_str(w->out, *between == '{' ? "{}" : "}");
	return true;
}

static bool
write_container(writer *w, value v)
{
	around here = {w->around, v_ref(v)};
	bool plain = false;

	if (w->depth == JSON_DEPTH)
		return false;
	for (const around *a = w->around; a != NULL; a = a->up)
		if (a->object == here.object)
			return false;
	w->depth++;
	w->around = &here;
	if (v_is_class(w->m, v, CLASS_ARRAY))
		plain = write_plain_array(w, v);
	else if (v_is_class(w->m, v, CLASS_OBJECT))
		plain = write_plain_object(w, v);
	w->around = here.up;
	w->depth--;
	return plain;
}

static bool
write_plain_value(writer *w, value v)
{
	if (++w->values % 4096 == 0 && !vm_steps(w->m, 4096))
		return false;
	if (v_is_object(v))
		return write_container(w, v);
	if (v_is_string(v))
		return write_plain_string(w, v_ref(v));
	if (v_is_number(v))
		return write_number(w, v);
	if (v != V_NULL && v != V_TRUE && v != V_FALSE)
		return false;
	buf_str(w->out, v == V_NULL ? "null" : v == V_TRUE ? "true" : "false");
	return true;
}

/* A rope is made flat at once if that moves nothing; otherwise all is written
 * again after it. */
bool
port_write(vm *m, value *v, buf *out)
{
	size_t begin = out->len;
	writer w = {.m = m, .out = out};

	while (!write_plain_value(&w, *v)) {
		out->len = begin;
		if (w.rope == 0 || out->bad != CM_OK)
			return false;
		m->temp[10] = v_of_string(w.rope);
		if (!str_flatten(H(m), &m->temp[10]))
			return false;
		w = (writer){.m = m, .out = out};
	}
	m->temp[10] = V_UNDEFINED;
	return out->bad == CM_OK;
}
