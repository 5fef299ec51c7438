/* SPDX-License-Identifier: MIT */
/* native_object.c -- what lib/object.js, lib/function.js, lib/symbol.js,
 * lib/proxy.js and lib/slow.js are written with. */
#include "vm.h"

#include <math.h>

/* a[i], a primitive, becomes a key. */
static bool
key_argument(vm *m, value *a, int i)
{
	a[i] = vm_key(m, &a[i]);
	return a[i] != V_THROWN;
}

static value
success_of(prop_end end)
{
	switch (end) {
	case PROP_DONE:
		return V_TRUE;
	case PROP_REFUSED:
	case PROP_ABSENT:
		return V_FALSE;
	case PROP_THROWN:
		return V_THROWN;
	default:
		return V_UNDEFINED;
	}
}

value
native_home(vm *m, value *a, uint32_t argc)
{
	(void)argc;
	return prop_home(m, a[0]);
}

/* ----------------------------------------------------------------- properties */

/* Adds a field to the record in a[2]; its value is in a[3]. */
static bool
put_field(vm *m, value *a, const char *name)
{
	a[4] = vm_key_text(m, name);
	return a[4] != V_THROWN && prop_put(m, &a[2], &a[4], &a[3], P_PLAIN);
}

value
native_own(vm *m, value *a, uint32_t argc)
{
	unsigned attr;
	prop_end end;
	value set;

	(void)argc;
	if (!key_argument(m, a, 1))
		return V_THROWN;
	end = prop_own(m, &a[0], a[1], &a[3], &attr);
	if (end != PROP_DONE)
		return end == PROP_THROWN ? V_THROWN : V_UNDEFINED;
	a[5] = a[3];
	a[2] = V_NULL;
	a[2] = object_make(m, &a[2], CLASS_OBJECT, 4);
	if (a[2] == V_THROWN)
		return V_THROWN;
	if (attr & P_ACCESSOR) {
		a[3] = CELL(H(m), v_ref(a[5]), cell_values)->v[0];
		if (!put_field(m, a, "get"))
			return V_THROWN;
		set = CELL(H(m), v_ref(a[5]), cell_values)->v[1];
		a[3] = set;
		if (!put_field(m, a, "set"))
			return V_THROWN;
	} else {
		a[3] = a[5];
		if (!put_field(m, a, "value"))
			return V_THROWN;
		a[3] = v_of_bool(attr & P_WRITE);
		if (!put_field(m, a, "writable"))
			return V_THROWN;
	}
	a[3] = v_of_bool(attr & P_ENUM);
	if (!put_field(m, a, "enumerable"))
		return V_THROWN;
	a[3] = v_of_bool(attr & P_CONFIG);
	return put_field(m, a, "configurable") ? a[2] : V_THROWN;
}

value
native_own_attr(vm *m, value *a, uint32_t argc)
{
	unsigned attr;

	(void)argc;
	if (!key_argument(m, a, 1))
		return V_THROWN;
	switch (prop_own(m, &a[0], a[1], &a[2], &attr)) {
	case PROP_THROWN:
		return V_THROWN;
	case PROP_DONE:
		return v_of_int((int32_t)attr);
	default:
		return v_of_int(-1);
	}
}

value
native_own_keys(vm *m, value *a, uint32_t argc)
{
	(void)argc;
	return prop_keys(m, &a[0], (unsigned)v_int(a[1]));
}

/* The field of the record in a[2] into *out: 1, 0: it is not given, -1: thrown. */
static int
take_field(vm *m, value *a, const char *name, value *out)
{
	unsigned attr;

	a[3] = vm_key_text(m, name);
	if (a[3] == V_THROWN)
		return -1;
	switch (prop_own(m, &a[2], a[3], out, &attr)) {
	case PROP_THROWN:
		return -1;
	case PROP_DONE:
		return 1;
	default:
		return 0;
	}
}

value
native_define_own(vm *m, value *a, uint32_t argc)
{
	static const struct {
		const char *name;
		int slot; /* 0: an attribute */
		unsigned bit;
	} fields[] = {{"value", 4, HAS_VALUE}, {"get", 5, HAS_GET},
	    {"set", 6, HAS_SET}, {"writable", 0, P_WRITE},
	    {"enumerable", 0, P_ENUM}, {"configurable", 0, P_CONFIG}};
	unsigned has = 0, attr = 0;

	(void)argc;
	if (!key_argument(m, a, 1))
		return V_THROWN;
	for (size_t i = 0; i < sizeof(fields) / sizeof(*fields); i++) {
		value *to = &a[fields[i].slot ? fields[i].slot : 7];
		int there = take_field(m, a, fields[i].name, to);

		if (there < 0)
			return V_THROWN;
		if (there == 0)
			continue;
		has |= fields[i].bit;
		if (fields[i].slot == 0 && *to == V_TRUE)
			attr |= fields[i].bit;
	}
	return success_of(prop_define(m, &a[0], &a[1], &a[4], has, attr));
}

value
native_has(vm *m, value *a, uint32_t argc)
{
	(void)argc;
	if (!key_argument(m, a, 1))
		return V_THROWN;
	return success_of(prop_has(m, &a[0], &a[1]));
}

value
native_get(vm *m, value *a, uint32_t argc)
{
	(void)argc;
	if (!key_argument(m, a, 1))
		return V_THROWN;
	switch (prop_get(m, &a[0], &a[1], &a[3], NULL)) {
	case PROP_THROWN:
		return V_THROWN;
	case PROP_CALL:
		a[-2] = a[3];
		a[-1] = a[2];
		return vm_tail(m, 0);
	default:
		return a[3];
	}
}

value
native_set(vm *m, value *a, uint32_t argc)
{
	prop_end end;

	(void)argc;
	if (!key_argument(m, a, 1))
		return V_THROWN;
	end = prop_set(m, &a[0], &a[1], &a[2], &a[3], &a[4], NULL);
	return end == PROP_CALL ? a[4] : success_of(end);
}

value
native_throw_refused(vm *m, value *a, uint32_t argc)
{
	(void)argc;
	return key_argument(m, a, 1) ? prop_refused(m, &a[0], &a[1]) : V_THROWN;
}

value
native_delete(vm *m, value *a, uint32_t argc)
{
	(void)argc;
	if (!key_argument(m, a, 1))
		return V_THROWN;
	return success_of(prop_delete(m, &a[0], &a[1]));
}

value
native_proxy_before(vm *m, value *a, uint32_t argc)
{
	(void)argc;
	if (!key_argument(m, a, 1))
		return V_THROWN;
	for (a[2] = a[0]; v_is_object(a[2]);) {
		ref proto;

		if (v_is_class(m, a[2], CLASS_PROXY))
			return a[2];
		switch (prop_stops(m, &a[2], &a[1])) {
		case PROP_THROWN:
			return V_THROWN;
		case PROP_DONE:
			return V_UNDEFINED;
		default:
			break;
		}
		proto = object_proto(H(m), v_ref(a[2]));
		a[2] = proto ? v_of_object(proto) : V_NULL;
	}
	return V_UNDEFINED;
}

value
native_set_proto(vm *m, value *a, uint32_t argc)
{
	(void)argc;
	return success_of(prop_set_proto(m, &a[0], &a[1]));
}

value
native_close(vm *m, value *a, uint32_t argc)
{
	(void)argc;
	return prop_close(m, &a[0], v_int(a[1])) ? V_TRUE : V_THROWN;
}

value
native_is_closed(vm *m, value *a, uint32_t argc)
{
	(void)argc;
	return prop_is_closed(m, &a[0], v_int(a[1]));
}

value
native_same(vm *m, value *a, uint32_t argc)
{
	(void)argc;
	return v_of_bool(vm_same_value(m, a[0], a[1], false));
}

value
native_truncate(vm *m, value *a, uint32_t argc)
{
	(void)m;
	(void)argc;
	/* 0 + : there is no -0 */
	return v_is_int(a[0]) ? a[0] : v_of_number(0 + trunc(v_number(a[0])));
}

value
native_proxy(vm *m, value *a, uint32_t argc)
{
	(void)argc;
	a[2] = V_NULL;
	a[2] = object_make(m, &a[2], CLASS_PROXY, 0);
	if (a[2] == V_THROWN)
		return V_THROWN;
	*object_internal(H(m), v_ref(a[2]), 0) = a[0];
	*object_internal(H(m), v_ref(a[2]), 1) = a[1];
	if (v_is_function(m, a[0]))
		OBJ(m, a[2])->head.flags |= CELL_FUNCTION;
	return a[2];
}

/* -------------------------------------------------------------------- symbols */

value
symbol_make(vm *m, value *description, bool is_private)
{
	cell_symbol *s;
	ref r;

	if (!heap_reserve(H(m), sizeof(cell_symbol)))
		return vm_throw_memory(m);
	r = heap_new(H(m), CELL_SYMBOL, sizeof(cell_symbol));
	s = CELL(H(m), r, cell_symbol);
	s->description = v_is_string(*description) ? v_ref(*description) : 0;
	if (is_private)
		s->head.flags |= CELL_PRIVATE;
	s->hash = ++m->symbol_count * 2654435761u;
	return v_of_ref(TAG_SYMBOL, r);
}

value
native_symbol(vm *m, value *a, uint32_t argc)
{
	(void)argc;
	return symbol_make(m, &a[0], false);
}

value
native_symbol_description(vm *m, value *a, uint32_t argc)
{
	ref r = CELL(H(m), v_ref(a[0]), cell_symbol)->description;

	(void)argc;
	return r ? v_of_string(r) : V_UNDEFINED;
}

/* ------------------------------------------------------------------ operators */

value
native_op(vm *m, value *a, uint32_t argc)
{
	const cell_string *s = STR(m, a[0]);

	(void)argc;
	for (int i = 0; i < OPS; i++)
		if (strlen(op_names[i]) == s->len &&
		    memcmp(op_names[i], s->u.narrow, s->len) == 0)
			return v_of_int(i);
	return V_UNDEFINED;
}

value
native_binary(vm *m, value *a, uint32_t argc)
{
	(void)argc;
	return vm_binary(m, (op_code)v_int(a[0]), &a[1], &a[2]);
}

value
native_unary(vm *m, value *a, uint32_t argc)
{
	(void)argc;
	return vm_unary(m, (op_code)v_int(a[0]), &a[1]);
}

value
native_compare(vm *m, value *a, uint32_t argc)
{
	op_code op = (op_code)v_int(a[0]);
	bool swaps = op == OP_GT || op == OP_LE;
	int less;

	(void)argc;
	if (op == OP_EQ)
		return v_of_bool(vm_equal(m, &a[1], &a[2]));
	less = vm_less(m, &a[1 + swaps], &a[2 - swaps]);
	if (less < 0)
		return V_THROWN;
	/* a <= b is not b < a, unless one is NaN. */
	return v_of_bool(op == OP_LE || op == OP_GE ? less == 0 : less == 1);
}

/* ------------------------------------------------------------------ functions */

value
native_nothing(vm *m, value *a, uint32_t argc)
{
	(void)m;
	(void)a;
	(void)argc;
	return V_UNDEFINED;
}

value
native_function_call(vm *m, value *a, uint32_t argc)
{
	if (!v_is_function(m, a[-1]))
		return vm_throw(m, ERROR_TYPE, "not a function");
	a[-2] = a[-1];
	a[-1] = a[0];
	for (uint32_t i = 1; i < argc; i++)
		a[i - 1] = a[i];
	return vm_tail(m, argc > 0 ? argc - 1 : 0);
}

value
native_function_apply(vm *m, value *a, uint32_t argc)
{
	uint32_t n = 0;
	value *list;

	(void)argc;
	if (!v_is_function(m, a[-1]))
		return vm_throw(m, ERROR_TYPE, "not a function");
	if (!v_is_nullish(a[1]) && !array_is_plain(m, a[1]))
		return V_FALLBACK;
	if (!v_is_nullish(a[1])) {
		n = OBJ(m, a[1])->extra;
		a = vm_arguments(m, a, n);
		if (a == NULL)
			return V_THROWN;
	}
	a[-2] = a[-1];
	a[-1] = a[0];
	if (n > 0) {
		list = array_values(m, a[1], &n);
		for (uint32_t i = 0; i < n; i++)
			a[i] = list[i];
	}
	return vm_tail(m, n);
}

/* The name of a function without code, with which it is shown. */
static bool
add_own_name(vm *m, value *a, buf *out)
{
	unsigned attr;

	a[1] = vm_key_text(m, "name");
	if (a[1] == V_THROWN)
		return false;
	if (prop_own(m, &a[0], a[1], &a[2], &attr) != PROP_DONE ||
	    attr & P_ACCESSOR || !v_is_string(a[2]))
		return true;
	if (!str_flatten(H(m), &a[2])) {
		vm_throw_memory(m);
		return false;
	}
	str_put(STR(m, a[2]), false, out);
	return true;
}

value
native_function_text(vm *m, value *a, uint32_t argc)
{
	buf b = BUF_INIT(m->alloc, STR_MAX);
	const code *c;
	value v = V_THROWN;

	(void)argc;
	if (v_is_class(m, a[0], CLASS_FUNCTION)) {
		c = function_code_of(m, a[0]);
		if (!(c->flags & CODE_LIB))
			return vm_string(
			    m, text_sub(m->unit[c->unit].unit->source, c->start,
				   c->end));
	}
	buf_str(&b, "function ");
	if ((v_is_class(m, a[0], CLASS_FUNCTION) ||
		v_is_class(m, a[0], CLASS_NATIVE)) &&
	    !add_own_name(m, a, &b))
		goto out;
	buf_str(&b, "() {\n    [native code]\n}");
	v = b.bad == CM_OK ? vm_string(m, buf_view(&b)) : vm_throw_memory(m);
out:
	buf_fini(&b);
	return v;
}

/* -------------------------------------------------------------------- objects */

/* An object whose own members can be read without calling anything. */
static bool
is_simple(const vm *m, value v)
{
	unsigned attr;

	if (!v_is_object(v) || OBJ(m, v)->head.flags & CELL_EXOTIC)
		return false;
	for (uint32_t i = object_count(H(m), v_ref(v)); i-- > 0;) {
		object_key(H(m), v_ref(v), i, &attr);
		if (attr & P_ACCESSOR)
			return false;
	}
	return true;
}

value
native_object_keys(vm *m, value *a, uint32_t argc)
{
	(void)argc;
	if (!v_is_object(a[0]) || v_is_class(m, a[0], CLASS_PROXY))
		return V_FALLBACK;
	return prop_keys(m, &a[0], KEYS_STRINGS | KEYS_ENUMERABLE);
}

/* The value of key number i of the list in a[1], into a[3]. */
static bool
listed_member(vm *m, value *a, uint32_t i)
{
	unsigned attr;

	a[2] = *element_at(H(m), v_ref(a[1]), i);
	a[2] = vm_key(m, &a[2]);
	return a[2] != V_THROWN &&
	       prop_own(m, &a[0], a[2], &a[3], &attr) != PROP_THROWN;
}

value
native_object_values(vm *m, value *a, uint32_t argc)
{
	(void)argc;
	if (!is_simple(m, a[0]))
		return V_FALLBACK;
	a[1] = prop_keys(m, &a[0], KEYS_STRINGS | KEYS_ENUMERABLE);
	if (a[1] == V_THROWN)
		return V_THROWN;
	for (uint32_t i = 0; i < OBJ(m, a[1])->extra; i++) {
		if (!listed_member(m, a, i))
			return V_THROWN;
		*element_at(H(m), v_ref(a[1]), i) = a[3];
	}
	return a[1];
}

value
native_object_entries(vm *m, value *a, uint32_t argc)
{
	cell_values *pair;

	(void)argc;
	if (!is_simple(m, a[0]))
		return V_FALLBACK;
	a[1] = prop_keys(m, &a[0], KEYS_STRINGS | KEYS_ENUMERABLE);
	if (a[1] == V_THROWN)
		return V_THROWN;
	for (uint32_t i = 0; i < OBJ(m, a[1])->extra; i++) {
		if (!listed_member(m, a, i))
			return V_THROWN;
		a[4] = array_make(m, 2, 2);
		if (a[4] == V_THROWN)
			return V_THROWN;
		pair = CELL(H(m), OBJ(m, a[4])->elements, cell_values);
		pair->v[0] = *element_at(H(m), v_ref(a[1]), i);
		pair->v[1] = a[3];
		*element_at(H(m), v_ref(a[1]), i) = a[4];
	}
	return a[1];
}

/* All own enumerable members of the simple object a[argc] go to a[0]: 1; 0: a
 * setter is in the way; -1: thrown. a[argc + 1] and on are free. */
static int
assign_from(vm *m, value *a, value *r)
{
	unsigned attr;
	uint32_t n;

	r[1] =
	    prop_keys(m, &r[0], KEYS_STRINGS | KEYS_SYMBOLS | KEYS_ENUMERABLE);
	if (r[1] == V_THROWN)
		return -1;
	n = OBJ(m, r[1])->extra;
	for (uint32_t i = 0; i < n; i++) {
		r[2] = *element_at(H(m), v_ref(r[1]), i);
		r[2] = vm_key(m, &r[2]);
		if (r[2] == V_THROWN ||
		    prop_own(m, &r[0], r[2], &r[3], &attr) == PROP_THROWN)
			return -1;
		switch (prop_set(m, &a[0], &r[2], &r[3], &a[0], &r[4], NULL)) {
		case PROP_DONE:
			break;
		case PROP_THROWN:
			return -1;
		case PROP_REFUSED:
			prop_refused(m, &a[0], &r[2]);
			return -1;
		default:
			return 0;
		}
	}
	return 1;
}

value
native_object_assign(vm *m, value *a, uint32_t argc)
{
	if (!v_is_object(a[0]) || OBJ(m, a[0])->head.flags & CELL_EXOTIC)
		return V_FALLBACK;
	for (uint32_t i = 1; i < argc; i++)
		if (!v_is_nullish(a[i]) && !is_simple(m, a[i]))
			return V_FALLBACK;
	for (uint32_t i = 1; i < argc; i++) {
		if (v_is_nullish(a[i]))
			continue;
		/* What was set before is set again, to the same value. */
		a[argc] = a[i];
		switch (assign_from(m, a, &a[argc])) {
		case 0:
			return V_FALLBACK;
		case 1:
			break;
		default:
			return V_THROWN;
		}
	}
	return a[0];
}

/* ----------------------------------------------------------------------- URIs */

static bool
is_letter_or_digit(uint32_t c)
{
	return (c >= '0' && c <= '9') || (c >= 'A' && c <= 'Z') ||
	       (c >= 'a' && c <= 'z');
}

static bool
is_kept_unit(const cell_string *units, uint32_t c)
{
	for (uint32_t i = 0; i < units->len; i++)
		if (str_unit(units, i) == c)
			return true;
	return false;
}

static value
malformed(vm *m)
{
	return vm_throw(m, ERROR_URI, "URI malformed");
}

/* The code point at unit *i, which goes on; UINT32_MAX: half of a pair. */
static uint32_t
point_at(const cell_string *s, uint32_t *i)
{
	uint32_t c = str_unit(s, (*i)++), d;

	if (c < 0xd800 || c > 0xdfff)
		return c;
	d = *i < s->len ? str_unit(s, *i) : 0;
	if (c > 0xdbff || d < 0xdc00 || d > 0xdfff)
		return UINT32_MAX;
	(*i)++;
	return 0x10000 + ((c - 0xd800) << 10) + (d - 0xdc00);
}

static bool
take_flat(vm *m, value *a, int i)
{
	if (str_flatten(H(m), &a[i]))
		return true;
	vm_throw_memory(m);
	return false;
}

static void
put_uri_point(uint32_t c, buf *out)
{
	char bytes[4];
	size_t n = utf8_put(c, bytes);

	for (size_t i = 0; i < n; i++)
		buf_printf(out, "%%%02X", (unsigned char)bytes[i]);
}

value
native_uri_encode(vm *m, value *a, uint32_t argc)
{
	buf b = BUF_INIT(m->alloc, STR_MAX);
	bool escapes = a[2] == v_of_int(1), good = true;
	const cell_string *s;
	value v;

	(void)argc;
	if (!take_flat(m, a, 0) || !take_flat(m, a, 1))
		return V_THROWN;
	s = STR(m, a[0]);
	for (uint32_t i = 0; i < s->len && good;) {
		uint32_t c = escapes ? str_unit(s, i++) : point_at(s, &i);

		good = c != UINT32_MAX;
		if (is_letter_or_digit(c) || is_kept_unit(STR(m, a[1]), c))
			buf_byte(&b, (char)c);
		else if (!escapes && good)
			put_uri_point(c, &b);
		else if (good)
			buf_printf(&b, c < 256 ? "%%%02X" : "%%u%04X", c);
	}
	v = !good            ? malformed(m)
	    : b.bad != CM_OK ? vm_throw(m, ERROR_RANGE, "invalid string length")
			     : vm_string(m, buf_view(&b));
	buf_fini(&b);
	return v;
}

/* The number that n hexadecimal digits at unit i are; -1: they are none. */
static int32_t
hex_at(const cell_string *s, uint32_t i, uint32_t n)
{
	int32_t v = 0;

	if (i + n > s->len)
		return -1;
	for (; n > 0; n--, i++) {
		uint32_t c = str_unit(s, i);

		if (c >= '0' && c <= '9')
			v = v * 16 + (int32_t)(c - '0');
		else if ((c | 32) >= 'a' && (c | 32) <= 'f')
			v = v * 16 + (int32_t)((c | 32) - 'a' + 10);
		else
			return -1;
	}
	return v;
}

static void
put_uri_unit(uint32_t c, buf *out)
{
	uint16_t code_unit = (uint16_t)c;

	buf_add(out, &code_unit, sizeof(code_unit));
}

/* A string of the units in the buffer, which is done with. */
static value
string_of_units(vm *m, buf *b)
{
	uint32_t n = (uint32_t)(b->len / 2);
	const uint16_t *units = (const uint16_t *)(const void *)b->ptr;
	bool wide = false;
	cell_string *s;
	value v;
	ref r;

	for (uint32_t i = 0; i < n; i++)
		wide |= units[i] > 0xff;
	if (b->bad != CM_OK || !heap_reserve(H(m), str_bytes(n, wide))) {
		v = vm_throw_memory(m);
	} else {
		r = str_raw(H(m), n, wide);
		s = CELL(H(m), r, cell_string);
		for (uint32_t i = 0; i < n; i++)
			if (wide)
				s->u.wide[i] = units[i];
			else
				s->u.narrow[i] = (uint8_t)units[i];
		v = v_of_string(r);
	}
	buf_fini(b);
	return v;
}

/* The code point whose first byte is encoded at unit *i; UINT32_MAX: none is. */
static uint32_t
encoded_point(const cell_string *s, uint32_t *i)
{
	static const uint32_t least[] = {0, 0, 0x80, 0x800, 0x10000};
	int32_t byte = hex_at(s, *i + 1, 2);
	uint32_t c = (uint32_t)byte, n;

	*i += 3;
	if (byte < 0)
		return UINT32_MAX;
	if (byte < 0x80)
		return c;
	n = byte >= 0xf8   ? 0
	    : byte >= 0xf0 ? 4
	    : byte >= 0xe0 ? 3
	    : byte >= 0xc0 ? 2
			   : 0;
	if (n == 0)
		return UINT32_MAX;
	c &= 0x7fu >> n;
	for (uint32_t k = 1; k < n; k++, *i += 3) {
		byte = *i < s->len && str_unit(s, *i) == '%'
			   ? hex_at(s, *i + 1, 2)
			   : -1;
		if (byte < 0 || (byte & 0xc0) != 0x80)
			return UINT32_MAX;
		c = c << 6 | ((uint32_t)byte & 0x3f);
	}
	if (c < least[n] || c > 0x10ffff || (c >= 0xd800 && c <= 0xdfff))
		return UINT32_MAX;
	return c;
}

value
native_uri_decode(vm *m, value *a, uint32_t argc)
{
	buf b = BUF_INIT(m->alloc, (size_t)STR_MAX * 2);
	const cell_string *s;

	(void)argc;
	if (!take_flat(m, a, 0) || !take_flat(m, a, 1))
		return V_THROWN;
	s = STR(m, a[0]);
	for (uint32_t i = 0, from; i < s->len;) {
		uint32_t c = str_unit(s, i);

		if (c != '%') {
			put_uri_unit(c, &b);
			i++;
			continue;
		}
		from = i;
		c = encoded_point(s, &i);
		if (c == UINT32_MAX) {
			buf_fini(&b);
			return malformed(m);
		}
		if (c < 0x80 && is_kept_unit(STR(m, a[1]), c)) {
			while (from < i)
				put_uri_unit(str_unit(s, from++), &b);
		} else if (c > 0xffff) {
			put_uri_unit(0xd800 + ((c - 0x10000) >> 10), &b);
			put_uri_unit(0xdc00 + ((c - 0x10000) & 0x3ff), &b);
		} else {
			put_uri_unit(c, &b);
		}
	}
	return string_of_units(m, &b);
}

value
native_uri_unescape(vm *m, value *a, uint32_t argc)
{
	buf b = BUF_INIT(m->alloc, (size_t)STR_MAX * 2);
	const cell_string *s;

	(void)argc;
	if (!take_flat(m, a, 0))
		return V_THROWN;
	s = STR(m, a[0]);
	for (uint32_t i = 0; i < s->len;) {
		uint32_t c = str_unit(s, i);
		bool wide =
		    c == '%' && i + 1 < s->len && str_unit(s, i + 1) == 'u';
		int32_t v = c != '%' ? -1
			    : wide   ? hex_at(s, i + 2, 4)
				     : hex_at(s, i + 1, 2);

		put_uri_unit(v < 0 ? c : (uint32_t)v, &b);
		i += v < 0 ? 1 : wide ? 6 : 3;
	}
	return string_of_units(m, &b);
}
