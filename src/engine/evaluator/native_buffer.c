/* SPDX-License-Identifier: MIT */
/* native_buffer.c -- see native_buffer.h. */
#include "native_buffer.h"

#include "numbers.h"

#include <math.h>

enum { BUFFER_MOST = INT32_MAX };

static const uint8_t width_of[] = {1, 1, 1, 2, 2, 4, 4, 2, 4, 8, 8, 8, 1};

/* -------------------------------------------------------------- binary16 */

double
half_to_double(uint16_t bits)
{
	unsigned exponent = bits >> 10 & 31, part = bits & 1023;
	double d;

	if (exponent == 31)
		d = part ? NAN : INFINITY;
	else if (exponent == 0)
		d = ldexp(part, -24);
	else
		d = ldexp(part + 1024, (int)exponent - 25);
	return bits >> 15 ? -d : d;
}

uint16_t
half_of_double(double d)
{
	uint16_t sign = signbit(d) ? 0x8000 : 0;
	int exponent;

	d = fabs(d);
	if (d != d)
		return 0x7e00;
	if (d >= 65520)
		return sign | 0x7c00;
	if (d < 0x1p-14)
		return (uint16_t)(sign | (unsigned)rint(d * 0x1p24));
	frexp(d, &exponent);
	/* Rounded up to 2,048, it carries into the exponent. */
	return (uint16_t)(sign + ((unsigned)(exponent + 13) << 10) +
			  (unsigned)rint(ldexp(d, 11 - exponent)));
}

/* -------------------------------------------------------------- elements */

static bool
is_big(view_kind k)
{
	return k == VIEW_BIGINT64 || k == VIEW_BIGUINT64;
}

static bool
is_float(view_kind k)
{
	return k >= VIEW_FLOAT16 && k <= VIEW_FLOAT64;
}

static bool
is_signed(view_kind k)
{
	return k == VIEW_INT8 || k == VIEW_INT16 || k == VIEW_INT32 ||
	       k == VIEW_BIGINT64;
}

/* An element as the bits it has, and back. */
static uint64_t
load_bits(view_kind k, const uint8_t *p)
{
	uint16_t two;
	uint32_t four;
	uint64_t eight;

	switch (width_of[k]) {
	case 1:
		return *p;
	case 2:
		memcpy(&two, p, 2);
		return two;
	case 4:
		memcpy(&four, p, 4);
		return four;
	default:
		memcpy(&eight, p, 8);
		return eight;
	}
}

static void
store_bits(view_kind k, uint8_t *p, uint64_t bits)
{
	uint16_t two = (uint16_t)bits;
	uint32_t four = (uint32_t)bits;

	switch (width_of[k]) {
	case 1:
		*p = (uint8_t)bits;
		return;
	case 2:
		memcpy(p, &two, 2);
		return;
	case 4:
		memcpy(p, &four, 4);
		return;
	default:
		memcpy(p, &bits, 8);
	}
}

static double
bits_number(view_kind k, uint64_t bits)
{
	uint32_t four = (uint32_t)bits;
	float f;

	switch (k) {
	case VIEW_INT8:
		return (int8_t)bits;
	case VIEW_INT16:
		return (int16_t)bits;
	case VIEW_INT32:
		return (int32_t)four;
	case VIEW_FLOAT16:
		return half_to_double((uint16_t)bits);
	case VIEW_FLOAT32:
		memcpy(&f, &four, 4);
		return f;
	case VIEW_FLOAT64:
		return v_bits_double(bits);
	default:
		return (double)four;
	}
}

static uint64_t
number_bits(view_kind k, double d)
{
	uint32_t four;
	uint64_t eight;
	float f;

	switch (k) {
	case VIEW_CLAMPED:
		return d > 0 ? d < 255 ? (uint64_t)rint(d) : 255 : 0;
	case VIEW_FLOAT16:
		return half_of_double(d);
	case VIEW_FLOAT32:
		f = (float)d;
		memcpy(&four, &f, 4);
		return four;
	case VIEW_FLOAT64:
		memcpy(&eight, &d, 8);
		return eight;
	default:
		return (uint32_t)vm_int32(d);
	}
}

/* May move cells. V_THROWN. */
static value
bits_value(vm *m, view_kind k, uint64_t bits)
{
	if (k == VIEW_BIGINT64)
		return bigint_of_int64(m, (int64_t)bits);
	if (k == VIEW_BIGUINT64)
		return bigint_of_uint64(m, bits);
	return v_of_number(bits_number(k, bits));
}

/* Of what 'convert' made. */
static uint64_t
value_bits(const vm *m, view_kind k, value v)
{
	return is_big(k) ? bigint_to_uint64(BIGINT(m, v))
			 : number_bits(k, v_number(v));
}

/* Makes a primitive, which is a root, what elements of the kind are made from.
 * False: thrown. */
static bool
number_of_element(vm *m, view_kind k, value *v)
{
	double d;

	if (is_big(k)) {
		value b = bigint_of_value(m, v);

		if (b == V_THROWN)
			return false;
		*v = b;
		return true;
	}
	if (v_is_number(*v))
		return true;
	if (!vm_to_number(m, *v, &d))
		return false;
	*v = v_of_number(d);
	return true;
}

static bool
arg_element(vm *m, value *a, int slot, view_kind k, value *end)
{
	if (v_is_object(a[slot])) {
		*end = vm_need(m, slot, HINT_NUMBER);
		return false;
	}
	*end = V_THROWN;
	return number_of_element(m, k, &a[slot]);
}

/* ----------------------------------------------------------------- views */

static cell_bytes *
bytes_of(const vm *m, value buffer)
{
	value b = *object_internal(H(m), v_ref(buffer), BUFFER_BYTES);

	return v_tag(b) == TAG_CELL ? CELL(H(m), v_ref(b), cell_bytes) : NULL;
}

static view_kind
view_kind_of(const vm *m, value view)
{
	return (view_kind)v_int(*object_internal(H(m), v_ref(view), VIEW_KIND));
}

/* Where the elements are. False: the buffer is detached or too short. */
static bool
view_span(const vm *m, value view, uint8_t **at, uint32_t *len)
{
	const value *in = object_internal(H(m), v_ref(view), 0);
	unsigned width = width_of[v_int(in[VIEW_KIND])];
	uint64_t offset = (uint64_t)v_number(in[VIEW_OFFSET]);
	cell_bytes *b = bytes_of(m, in[VIEW_BUFFER]);
	uint64_t n;

	*len = 0;
	*at = NULL;
	if (b == NULL || offset > b->len)
		return false;
	n = in[VIEW_LENGTH] == V_UNDEFINED
		? (b->len - offset) / width
		: (uint64_t)v_number(in[VIEW_LENGTH]);
	if (offset + n * width > b->len)
		return false;
	*at = b->b + offset;
	*len = (uint32_t)n;
	return true;
}

bool
buffer_is_array(const vm *m, value o)
{
	return v_is_class(m, o, CLASS_VIEW) && view_kind_of(m, o) != VIEW_DATA;
}

uint32_t
buffer_length(const vm *m, value o)
{
	uint8_t *at;
	uint32_t len;

	view_span(m, o, &at, &len);
	return len;
}

prop_end
buffer_get(vm *m, value *o, uint32_t i, value *out)
{
	view_kind k = view_kind_of(m, *o);
	uint8_t *at;
	uint32_t len;

	*out = V_UNDEFINED;
	if (!view_span(m, *o, &at, &len) || i >= len)
		return PROP_ABSENT;
	*out = bits_value(m, k, load_bits(k, at + (size_t)i * width_of[k]));
	return *out == V_THROWN ? PROP_THROWN : PROP_DONE;
}

static void
store_element(vm *m, value o, double i, value v)
{
	view_kind k = view_kind_of(m, o);
	uint8_t *at;
	uint32_t len;

	if (view_span(m, o, &at, &len) && i >= 0 && i < len && i == floor(i))
		store_bits(
		    k, at + (size_t)i * width_of[k], value_bits(m, k, v));
}

prop_end
buffer_set(vm *m, value *o, uint32_t i, value *v)
{
	if (v_is_object(*v))
		return PROP_SLOW;
	m->temp[15] = *v;
	if (!number_of_element(m, view_kind_of(m, *o), &m->temp[15]))
		return PROP_THROWN;
	store_element(m, *o, i, m->temp[15]);
	return PROP_DONE;
}

bool
buffer_has(const vm *m, value o, uint32_t i)
{
	return i < buffer_length(m, o);
}

bool
buffer_numeric_key(vm *m, value key)
{
	const cell_string *s;
	char number[32];
	uint16_t first;
	size_t len;

	if (!v_is_string(key) || (s = STR(m, key))->len == 0)
		return false;
	first = str_unit(s, 0);
	if (first != '-' && first != 'I' && first != 'N' &&
	    (first < '0' || first > '9'))
		return false;
	if (s->len == 2 && first == '-' && str_unit(s, 1) == '0')
		return true;
	len = vm_number_text(vm_string_to_number(m, s), number);
	if (len != s->len)
		return false;
	for (size_t i = 0; i < len; i++)
		if ((unsigned char)number[i] != str_unit(s, (uint32_t)i))
			return false;
	return true;
}

/* --------------------------------------------------------------- buffers */

/* Sets the bytes of a buffer, whose first `keep` stay; the others are 0. */
static bool
set_bytes(vm *m, value *buffer, uint64_t len, uint64_t keep, uint64_t room)
{
	ref r;
	cell_bytes *b, *old;

	if (len > BUFFER_MOST || !heap_reserve(H(m), sizeof(*b) + room)) {
		vm_throw_memory(m);
		return false;
	}
	r = heap_new(H(m), CELL_BYTES, sizeof(*b) + room);
	b = CELL(H(m), r, cell_bytes);
	old = bytes_of(m, *buffer);
	b->len = len;
	if (keep > 0)
		memcpy(b->b, old->b, keep);
	memset(b->b + keep, 0, len - keep);
	*object_internal(H(m), v_ref(*buffer), BUFFER_BYTES) =
	    v_of_ref(TAG_CELL, r);
	return true;
}

value
native_buffer_init(vm *m, value *a, uint32_t argc)
{
	double len = v_number(a[1]), max = 0;

	if (a[2] != V_UNDEFINED)
		max = v_number(a[2]);
	if (len > BUFFER_MOST || max > BUFFER_MOST)
		return vm_throw(m, ERROR_RANGE, "invalid array buffer length");
	if (!vm_steps(m, (uint64_t)len / 256))
		return V_THROWN;
	*object_internal(H(m), v_ref(a[0]), BUFFER_BYTES) = V_NULL;
	*object_internal(H(m), v_ref(a[0]), BUFFER_MAX) = a[2];
	return set_bytes(m, &a[0], (uint64_t)len, 0, (uint64_t)len)
		   ? V_UNDEFINED
		   : V_THROWN;
}

value
native_buffer_size(vm *m, value *a, uint32_t argc)
{
	const cell_bytes *b = bytes_of(m, a[0]);

	return v_of_number(b ? (double)b->len : -1);
}

value
native_buffer_max(vm *m, value *a, uint32_t argc)
{
	return *object_internal(H(m), v_ref(a[0]), BUFFER_MAX);
}

value
native_buffer_resize(vm *m, value *a, uint32_t argc)
{
	cell_bytes *b = bytes_of(m, a[0]);
	uint64_t len = (uint64_t)v_number(a[1]), most, room;

	if (len <= (uint64_t)b->head.size * 8 - sizeof(*b)) {
		if (len > b->len)
			memset(b->b + b->len, 0, len - b->len);
		b->len = len;
		return V_UNDEFINED;
	}
	most =
	    (uint64_t)v_number(*object_internal(H(m), v_ref(a[0]), BUFFER_MAX));
	room = len + len / 2 < most ? len + len / 2 : most;
	return set_bytes(m, &a[0], len, b->len, room) ? V_UNDEFINED : V_THROWN;
}

value
native_buffer_detach(vm *m, value *a, uint32_t argc)
{
	*object_internal(H(m), v_ref(a[0]), BUFFER_BYTES) = V_NULL;
	return V_UNDEFINED;
}

value
native_buffer_copy(vm *m, value *a, uint32_t argc)
{
	size_t n = (size_t)v_number(a[4]);

	if (n > 0)
		memmove(bytes_of(m, a[0])->b + (size_t)v_number(a[1]),
		    bytes_of(m, a[2])->b + (size_t)v_number(a[3]), n);
	return V_UNDEFINED;
}

value
buffer_of_bytes(vm *m, const void *bytes, size_t len)
{
	value *buffer = &m->temp[14], *view = &m->temp[15], *in;

	*buffer = object_make(m, &m->realm[R_buffer], CLASS_BUFFER, 0);
	if (*buffer == V_THROWN)
		return V_THROWN;
	*object_internal(H(m), v_ref(*buffer), BUFFER_BYTES) = V_NULL;
	if (!set_bytes(m, buffer, len, 0, len))
		return V_THROWN;
	*view = object_make(m, &m->realm[R_uint8_array], CLASS_VIEW, 0);
	if (*view == V_THROWN)
		return V_THROWN;
	if (len > 0)
		memcpy(bytes_of(m, *buffer)->b, bytes, len);
	in = object_internal(H(m), v_ref(*view), 0);
	in[VIEW_BUFFER] = *buffer;
	in[VIEW_OFFSET] = v_of_int(0);
	in[VIEW_LENGTH] = v_of_int((int32_t)len);
	in[VIEW_KIND] = v_of_int(VIEW_UINT8);
	return *view;
}

text
buffer_bytes(const vm *m, value o)
{
	uint8_t *at;
	uint32_t len;

	view_span(m, o, &at, &len);
	return (text){(const char *)at, len};
}

/* ----------------------------------------------------- natives of views */

value
native_view_init(vm *m, value *a, uint32_t argc)
{
	value *in = object_internal(H(m), v_ref(a[0]), 0);

	in[VIEW_BUFFER] = a[1];
	in[VIEW_OFFSET] = a[2];
	in[VIEW_LENGTH] = a[3];
	in[VIEW_KIND] = a[4];
	return V_UNDEFINED;
}

value
native_view_kind(vm *m, value *a, uint32_t argc)
{
	return v_of_int(
	    v_is_class(m, a[0], CLASS_VIEW) ? (int)view_kind_of(m, a[0]) : -1);
}

value
native_view_buffer(vm *m, value *a, uint32_t argc)
{
	return *object_internal(H(m), v_ref(a[0]), VIEW_BUFFER);
}

value
native_view_length(vm *m, value *a, uint32_t argc)
{
	uint8_t *at;
	uint32_t len;

	return view_span(m, a[0], &at, &len) ? v_of_number(len) : v_of_int(-1);
}

value
native_view_tracks(vm *m, value *a, uint32_t argc)
{
	return v_of_bool(
	    *object_internal(H(m), v_ref(a[0]), VIEW_LENGTH) == V_UNDEFINED);
}

value
native_view_offset(vm *m, value *a, uint32_t argc)
{
	uint8_t *at;
	uint32_t len;

	return view_span(m, a[0], &at, &len)
		   ? *object_internal(H(m), v_ref(a[0]), VIEW_OFFSET)
		   : v_of_int(0);
}

value
native_view_value(vm *m, value *a, uint32_t argc)
{
	value end;

	return arg_element(m, a, 1, view_kind_of(m, a[0]), &end) ? a[1] : end;
}

value
native_view_set(vm *m, value *a, uint32_t argc)
{
	value end;

	if (!arg_element(m, a, 2, view_kind_of(m, a[0]), &end))
		return end;
	if (v_is_number(a[1]))
		store_element(m, a[0], v_number(a[1]), a[2]);
	return V_UNDEFINED;
}

value
native_view_fill(vm *m, value *a, uint32_t argc)
{
	view_kind k = view_kind_of(m, a[0]);
	uint32_t len, from = (uint32_t)v_number(a[2]),
		      to = (uint32_t)v_number(a[3]);
	uint64_t bits = value_bits(m, k, a[1]);
	uint8_t *at;

	if (!view_span(m, a[0], &at, &len))
		return V_UNDEFINED;
	if (to > len)
		to = len;
	if (from < to && !vm_steps(m, (to - from) / 64))
		return V_THROWN;
	if (from < to && width_of[k] == 1)
		memset(at + from, (int)bits, to - from);
	else
		for (; from < to; from++)
			store_bits(k, at + (size_t)from * width_of[k], bits);
	return V_UNDEFINED;
}

value
native_view_move(vm *m, value *a, uint32_t argc)
{
	size_t width = width_of[view_kind_of(m, a[0])];
	uint8_t *at;
	uint32_t len;

	if (view_span(m, a[0], &at, &len))
		memmove(at + (size_t)v_number(a[1]) * width,
		    at + (size_t)v_number(a[2]) * width,
		    (size_t)v_number(a[3]) * width);
	return V_UNDEFINED;
}

/* Elements of another kind are converted one by one; where both have the same
 * bytes, from a copy of those. */
value
native_view_copy(vm *m, value *a, uint32_t argc)
{
	view_kind to = view_kind_of(m, a[0]), from = view_kind_of(m, a[2]);
	size_t at = (size_t)v_number(a[1]), start = (size_t)v_number(a[3]);
	size_t n = (size_t)v_number(a[4]);
	uint8_t *p, *q;
	uint32_t len, other;
	ref copy;

	if (!vm_steps(m, n / 64) || !heap_reserve(H(m), n * width_of[from] + 8))
		return m->stop ? V_THROWN : vm_throw_memory(m);
	if (n == 0 || !view_span(m, a[0], &p, &len) ||
	    !view_span(m, a[2], &q, &other))
		return V_UNDEFINED;
	p += at * width_of[to];
	q += start * width_of[from];
	if (to == from) {
		memmove(p, q, n * width_of[to]);
		return V_UNDEFINED;
	}
	if (native_view_buffer(m, a, 1) == native_view_buffer(m, a + 2, 1)) {
		copy = heap_new(H(m), CELL_BYTES, 8 + n * width_of[from]);
		memcpy(CELL(H(m), copy, char) + 8, q, n * width_of[from]);
		q = (uint8_t *)CELL(H(m), copy, char) + 8;
	}
	for (size_t i = 0; i < n; i++) {
		uint64_t bits = load_bits(from, q + i * width_of[from]);

		store_bits(to, p + i * width_of[to],
		    is_big(to) ? bits
			       : number_bits(to, bits_number(from, bits)));
	}
	return V_UNDEFINED;
}

value
native_view_take(vm *m, value *a, uint32_t argc)
{
	view_kind k = view_kind_of(m, a[0]);
	uint32_t at = (uint32_t)v_number(a[1]), n, len;
	const value *v;
	uint8_t *p;

	if (is_big(k) || !array_is_plain(m, a[2]) ||
	    !view_span(m, a[0], &p, &len))
		return V_FALSE;
	v = array_values(m, a[2], &n);
	if (n > len || at > len - n)
		return V_FALSE;
	for (uint32_t i = 0; i < n; i++)
		if (!v_is_number(v[i]))
			return V_FALSE;
	if (!vm_steps(m, n / 64))
		return V_THROWN;
	for (uint32_t i = 0; i < n; i++)
		store_bits(k, p + (size_t)(at + i) * width_of[k],
		    number_bits(k, v_number(v[i])));
	return V_TRUE;
}

/* Can an element be a[1]? *bits are those of the BigInt. */
static bool
can_find(vm *m, value *a, view_kind k, uint64_t *bits)
{
	if (!is_big(k))
		return v_is_number(a[1]);
	if (v_tag(a[1]) != TAG_BIGINT)
		return false;
	*bits = bigint_to_uint64(BIGINT(m, a[1]));
	a[5] = bits_value(m, k, *bits);
	return a[5] != V_THROWN && vm_same(m, a[5], a[1]);
}

value
native_view_find(vm *m, value *a, uint32_t argc)
{
	view_kind k = view_kind_of(m, a[0]);
	double from = v_number(a[2]), to = v_number(a[3]), d = 0;
	bool zero = a[4] == V_TRUE;
	int step = from <= to ? 1 : -1;
	uint64_t bits = 0;
	uint8_t *at;
	uint32_t len;

	if (!can_find(m, a, k, &bits) || !view_span(m, a[0], &at, &len))
		return v_of_int(-1);
	if (!vm_steps(m, (uint64_t)fabs(to - from) / 64))
		return V_THROWN;
	if (!is_big(k))
		d = v_number(a[1]);
	for (double i = from; i != to; i += step) {
		uint64_t have;
		double x;

		if (i >= len)
			continue;
		have = load_bits(k, at + (size_t)i * width_of[k]);
		x = is_big(k) ? 0 : bits_number(k, have);
		if (is_big(k) ? have == bits
			      : x == d || (zero && x != x && d != d))
			return v_of_number(i);
	}
	return v_of_int(-1);
}

value
native_view_reverse(vm *m, value *a, uint32_t argc)
{
	view_kind k = view_kind_of(m, a[0]);
	size_t w = width_of[k];
	uint8_t *at;
	uint32_t len;

	if (!view_span(m, a[0], &at, &len))
		return a[0];
	if (!vm_steps(m, len / 64))
		return V_THROWN;
	for (size_t i = 0, j = len; i + 1 < j; i++) {
		uint64_t low = load_bits(k, at + i * w);

		j--;
		store_bits(k, at + i * w, load_bits(k, at + j * w));
		store_bits(k, at + j * w, low);
	}
	return a[0];
}

/* --------------------------------------------------------------- sorting */

/* Bits of elements as numbers that are ordered as the elements are: -0 before
 * 0, NaN at the end. It is its own inverse but for the sign of a NaN. */
static uint64_t
order_of(view_kind k, uint64_t bits, bool back)
{
	uint64_t sign = (uint64_t)1 << (8 * width_of[k] - 1);
	uint64_t all = sign | (sign - 1);
	double d;

	if (!is_float(k))
		return is_signed(k) ? bits ^ sign : bits;
	if (back)
		return bits & sign ? bits ^ sign : ~bits & all;
	d = bits_number(k, bits);
	if (d != d)
		return all;
	return bits & sign ? ~bits & all : bits | sign;
}

static void
sift_down(uint64_t *v, size_t i, size_t n)
{
	uint64_t moved = v[i];
	size_t child;

	while ((child = 2 * i + 1) < n) {
		if (child + 1 < n && v[child + 1] > v[child])
			child++;
		if (v[child] <= moved)
			break;
		v[i] = v[child];
		i = child;
	}
	v[i] = moved;
}

static void
sort_bits(uint64_t *v, size_t n)
{
	for (size_t i = n / 2; i-- > 0;)
		sift_down(v, i, n);
	while (n > 1) {
		uint64_t last = v[--n];

		v[n] = v[0];
		v[0] = last;
		sift_down(v, 0, n);
	}
}

value
native_view_sort(vm *m, value *a, uint32_t argc)
{
	view_kind k = view_kind_of(m, a[0]);
	uint32_t len = buffer_length(m, a[0]);
	size_t w = width_of[k];
	uint64_t *order;
	uint8_t *at;
	ref r;

	if (!vm_steps(m, len))
		return V_THROWN;
	if (!heap_reserve(H(m), 8 + (size_t)len * 8))
		return vm_throw_memory(m);
	r = heap_new(H(m), CELL_BYTES, 8 + (size_t)len * 8);
	order = (uint64_t *)(void *)(CELL(H(m), r, char) + 8);
	view_span(m, a[0], &at, &len);
	for (size_t i = 0; i < len; i++)
		order[i] = order_of(k, load_bits(k, at + i * w), false);
	sort_bits(order, len);
	for (size_t i = 0; i < len; i++)
		store_bits(k, at + i * w, order_of(k, order[i], true));
	return a[0];
}

/* -------------------------------------------------------------- DataView */

static uint64_t
swap_bits(view_kind k, uint64_t bits)
{
	return __builtin_bswap64(bits) >> (64 - 8 * width_of[k]);
}

static bool
must_swap(const vm *m, value little)
{
	return vm_truthy(m, little) !=
	       (__BYTE_ORDER__ == __ORDER_LITTLE_ENDIAN__);
}

/* ToIndex of a[1], of a DataView a[0]. */
static bool
arg_offset(vm *m, value *a, double *at, value *end)
{
	*end = V_THROWN;
	if (!v_is_class(m, a[0], CLASS_VIEW) ||
	    view_kind_of(m, a[0]) != VIEW_DATA) {
		vm_throw(m, ERROR_TYPE, "not a DataView");
		return false;
	}
	if (!arg_integer(m, a, 1, at, end))
		return false;
	if (*at >= 0 && *at <= 9007199254740991.0)
		return true;
	*end = vm_throw(m, ERROR_RANGE, "invalid index");
	return false;
}

/* The bytes of such an element; NULL: thrown. */
static uint8_t *
data_at(vm *m, value view, view_kind k, double at)
{
	uint8_t *p;
	uint32_t len;

	if (!view_span(m, view, &p, &len))
		vm_throw(m, ERROR_TYPE, "out of bound");
	else if (at + width_of[k] > len)
		vm_throw(m, ERROR_RANGE, "out of bound");
	else
		return p + (size_t)at;
	return NULL;
}

value
native_data_get(vm *m, value *a, uint32_t argc)
{
	view_kind k = (view_kind)v_int(a[3]);
	uint64_t bits;
	uint8_t *p;
	double at;
	value end;

	if (!arg_offset(m, a, &at, &end))
		return end;
	if ((p = data_at(m, a[0], k, at)) == NULL)
		return V_THROWN;
	bits = load_bits(k, p);
	return bits_value(m, k, must_swap(m, a[2]) ? swap_bits(k, bits) : bits);
}

value
native_data_set(vm *m, value *a, uint32_t argc)
{
	view_kind k = (view_kind)v_int(a[4]);
	uint64_t bits;
	uint8_t *p;
	double at;
	value end;

	if (!arg_offset(m, a, &at, &end) || !arg_element(m, a, 2, k, &end))
		return end;
	if ((p = data_at(m, a[0], k, at)) == NULL)
		return V_THROWN;
	bits = value_bits(m, k, a[2]);
	store_bits(k, p, must_swap(m, a[3]) ? swap_bits(k, bits) : bits);
	return V_UNDEFINED;
}

/* ------------------------------------------------- bytes as text, and back */

enum { AS_HEX, AS_BASE64, AS_BASE64URL, AS_LATIN1, NO_PADDING = 4 };

static const char base64_digits[] =
    "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/"
    "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_";

static void
write_base64(buf *out, const uint8_t *p, uint32_t len, bool url, bool padded)
{
	const char *digit = base64_digits + (url ? 64 : 0);

	for (uint32_t i = 0; i < len; i += 3) {
		uint32_t n = len - i < 3 ? len - i : 3, bits = 0;

		for (uint32_t k = 0; k < 3; k++)
			bits = bits << 8 | (k < n ? p[i + k] : 0u);
		for (uint32_t k = 0; k < 4; k++)
			if (k <= n)
				buf_byte(out, digit[bits >> (18 - 6 * k) & 63]);
			else if (padded)
				buf_byte(out, '=');
	}
}

value
native_bytes_text(vm *m, value *a, uint32_t argc)
{
	static const char hex[] = "0123456789abcdef";
	int how = v_int(a[1]) & 3;
	buf b = BUF_INIT(m->alloc, SIZE_MAX / 2);
	uint8_t *p;
	uint32_t len;
	ref r;

	view_span(m, a[0], &p, &len);
	if (!vm_steps(m, len / 64))
		return V_THROWN;
	if (how == AS_HEX)
		for (uint32_t i = 0; i < len; i++) {
			buf_byte(&b, hex[p[i] >> 4]);
			buf_byte(&b, hex[p[i] & 15]);
		}
	else if (how == AS_LATIN1)
		buf_add(&b, p, len);
	else
		write_base64(&b, p, len, how == AS_BASE64URL,
		    !(v_int(a[1]) & NO_PADDING));
	r = b.bad == CM_OK ? str_of_latin1(H(m), b.ptr, (uint32_t)b.len) : 0;
	buf_fini(&b);
	return r ? v_of_string(r) : vm_throw_memory(m);
}

/* FromBase64 of ECMA-262, and FromHex. */
typedef struct bytes_reader {
	const cell_string *s;
	uint32_t at, read;
	unsigned chunk, bits; /* digits of the last chunk, and their bits */
	bool url, bad;
	int last;
	double most;
	buf out;
} bytes_reader;

static int
base64_value(const bytes_reader *r, uint16_t c)
{
	const char *digit = base64_digits + (r->url ? 64 : 0), *at;

	at = c < 0x80 && c != 0 ? memchr(digit, (int)c, 64) : NULL;
	return at != NULL ? (int)(at - digit) : -1;
}

static uint16_t
next_digit(bytes_reader *r)
{
	while (r->at < r->s->len) {
		uint16_t c = str_unit(r->s, r->at);

		if (c != ' ' && c != '\t' && c != '\n' && c != '\f' &&
		    c != '\r')
			return c;
		r->at++;
	}
	return 0;
}

/* The bytes of the chunk; strict: no bit is left over. */
static bool
end_chunk(bytes_reader *r, bool strict)
{
	unsigned n = r->chunk, bits = r->bits << 6 * (4 - n);

	if (strict && n < 4 && bits & (n == 2 ? 0xffffu : 0xffu))
		return false;
	for (unsigned k = 1; k < n; k++)
		buf_byte(&r->out, (char)(bits >> (24 - 8 * k)));
	r->chunk = r->bits = 0;
	return true;
}

/* Behind the last digit. */
static bool
base64_end(bytes_reader *r)
{
	if (r->chunk > 0) {
		if (r->last == 2)
			return true;
		if (r->last == 1 || r->chunk == 1 || !end_chunk(r, false))
			return false;
	}
	r->read = r->s->len;
	return true;
}

/* At the first "=". */
static bool
base64_padding(bytes_reader *r)
{
	uint16_t c;

	if (r->chunk < 2)
		return false;
	r->at++;
	c = next_digit(r);
	if (r->chunk == 2) {
		if (r->at == r->s->len)
			return r->last == 2;
		if (c == '=') {
			r->at++;
			next_digit(r);
		}
	}
	if (r->at < r->s->len || !end_chunk(r, r->last == 1))
		return false;
	r->read = r->s->len;
	return true;
}

static bool
read_base64(bytes_reader *r)
{
	while ((double)r->out.len < r->most) {
		uint16_t c = next_digit(r);
		double left = r->most - (double)r->out.len;
		int v;

		if (r->at == r->s->len)
			return base64_end(r);
		if (c == '=')
			return base64_padding(r);
		if ((v = base64_value(r, c)) < 0)
			return false;
		if ((left == 1 && r->chunk == 2) ||
		    (left == 2 && r->chunk == 3))
			return true;
		r->at++;
		r->bits = r->bits << 6 | (unsigned)v;
		if (++r->chunk == 4) {
			end_chunk(r, false);
			r->read = r->at;
		}
	}
	return true;
}

static int
hex_digit_value(uint16_t c)
{
	if (c >= '0' && c <= '9')
		return c - '0';
	c |= 0x20;
	return c >= 'a' && c <= 'f' ? c - 'a' + 10 : -1;
}

static bool
read_hex_digits(bytes_reader *r)
{
	if (r->s->len % 2 != 0)
		return false;
	for (; r->read < r->s->len && (double)r->out.len < r->most;
	     r->read += 2) {
		int high = hex_digit_value(str_unit(r->s, r->read));
		int low = hex_digit_value(str_unit(r->s, r->read + 1));

		if (high < 0 || low < 0)
			return false;
		buf_byte(&r->out, (char)(high << 4 | low));
	}
	return true;
}

value
native_bytes_read(vm *m, value *a, uint32_t argc)
{
	bytes_reader r = {.last = v_int(a[2]),
	    .url = v_int(a[1]) == AS_BASE64URL,
	    .most = v_number(a[3]),
	    .out = BUF_INIT(m->alloc, SIZE_MAX / 2)};
	bool good;
	value end;

	if (!arg_string(m, a, 0, &end))
		return end;
	r.s = STR(m, a[0]);
	if (!vm_steps(m, r.s->len / 64))
		return V_THROWN;
	good = v_int(a[1]) == AS_HEX ? read_hex_digits(&r) : read_base64(&r);
	a[1] = buffer_of_bytes(m, r.out.ptr, r.out.len);
	good = good && r.out.bad == CM_OK;
	buf_fini(&r.out);
	if (a[1] == V_THROWN)
		return V_THROWN;
	a[0] = v_of_number(r.read);
	a[2] = v_of_bool(!good);
	a[4] = array_make(m, 0, 3);
	for (int i = 0; a[4] != V_THROWN && i < 3; i++)
		if (!array_push_value(m, &a[4], &a[i]))
			return vm_throw_memory(m);
	return a[4];
}
