/* SPDX-License-Identifier: MIT */
/* native_string.c -- String, but for what regular expressions do and for what
 * needs tables of Unicode (native_unicode.c). */
#include <math.h>

#include "builder.h"
#include "numbers.h"

/* RequireObjectCoercible and ToString of `this`, which is then flat. */
static bool
this_string(vm *m, value *a, value *end)
{
	if (v_is_nullish(a[-1])) {
		*end =
		    vm_throw(m, ERROR_TYPE, "null or undefined are forbidden");
		return false;
	}
	return arg_string(m, a, -1, end);
}

static value
string_result(vm *m, ref r)
{
	return r ? v_of_string(r) : vm_throw_memory(m);
}

static value
part_of_this(vm *m, value *a, double from, double to)
{
	return string_result(
	    m, str_sub(H(m), &a[-1], (uint32_t)from, (uint32_t)to));
}

static value
empty_string(vm *m)
{
	return string_result(m, str_of_latin1(H(m), "", 0));
}

value
native_argument_count(vm *m, value *a, uint32_t argc)
{
	(void)a, (void)argc;
	return v_of_int((int32_t)m->frames[m->depth - 1].argc);
}

value
native_string_of(vm *m, value *a, uint32_t argc)
{
	builder b = BUILDER_INIT(m);
	ref chars;

	if (v_tag(a[0]) != TAG_SYMBOL)
		return native_string_new(m, a, argc);
	chars = CELL(H(m), v_ref(a[0]), cell_symbol)->description;
	a[1] = chars ? v_of_string(chars) : V_UNDEFINED;
	if (chars != 0 && !str_flatten(H(m), &a[1]))
		return vm_throw_memory(m);
	builder_latin1(&b, "Symbol(", 7);
	if (chars != 0)
		builder_part(&b, STR(m, a[1]), 0, STR(m, a[1])->len);
	builder_latin1(&b, ")", 1);
	return builder_end(&b);
}

value
native_string_new(vm *m, value *a, uint32_t argc)
{
	value end;

	(void)argc;
	return arg_string(m, a, 0, &end) ? a[0] : end;
}

value
native_string_value(vm *m, value *a, uint32_t argc)
{
	(void)argc;
	if (v_is_string(a[-1]))
		return a[-1];
	if (v_is_class(m, a[-1], CLASS_STRING))
		return *object_internal(H(m), v_ref(a[-1]), 0);
	return vm_throw(m, ERROR_TYPE, "not a string");
}

value
native_string_from_units(vm *m, value *a, uint32_t argc)
{
	builder b = BUILDER_INIT(m);
	double d;
	value end;

	for (uint32_t i = 0; i < argc; i++)
		if (!arg_number(m, a, (int)i, &d, &end))
			return end;
	if (argc == 1)
		return string_result(
		    m, str_of_unit(H(m), (uint16_t)vm_int32(v_number(a[0]))));
	for (uint32_t i = 0; i < argc; i++)
		builder_unit(&b, (uint16_t)vm_int32(v_number(a[i])));
	return builder_end(&b);
}

value
native_string_from_points(vm *m, value *a, uint32_t argc)
{
	builder b = BUILDER_INIT(m);
	double d;
	value end;

	for (uint32_t i = 0; i < argc; i++) {
		if (!arg_number(m, a, (int)i, &d, &end))
			return end;
		if (!(d >= 0 && d <= 0x10ffff && d == trunc(d)))
			return vm_throw(m, ERROR_RANGE, "invalid code point");
	}
	for (uint32_t i = 0; i < argc; i++)
		builder_point(&b, (uint32_t)v_number(a[i]));
	return builder_end(&b);
}

/* ------------------------------------------------------------ single characters */

/* this.X(position): false: *end; position outside: *unit < 0. */
static bool
unit_of_this(vm *m, value *a, int32_t *code_unit, uint32_t *at, value *end)
{
	double d;

	if (!this_string(m, a, end) || !arg_integer(m, a, 0, &d, end))
		return false;
	*code_unit = -1;
	if (d >= 0 && d < STR(m, a[-1])->len) {
		*at = (uint32_t)d;
		*code_unit = str_unit(STR(m, a[-1]), *at);
	}
	return true;
}

value
native_string_at(vm *m, value *a, uint32_t argc)
{
	const cell_string *s;
	double d;
	value end;

	(void)argc;
	if (!this_string(m, a, &end) || !arg_integer(m, a, 0, &d, &end))
		return end;
	s = STR(m, a[-1]);
	if (d < 0)
		d += s->len;
	if (!(d >= 0 && d < s->len))
		return V_UNDEFINED;
	return string_result(m, str_of_unit(H(m), str_unit(s, (uint32_t)d)));
}

value
native_string_char_at(vm *m, value *a, uint32_t argc)
{
	int32_t code_unit;
	uint32_t at;
	value end;

	(void)argc;
	if (!unit_of_this(m, a, &code_unit, &at, &end))
		return end;
	if (code_unit < 0)
		return empty_string(m);
	return string_result(m, str_of_unit(H(m), (uint16_t)code_unit));
}

value
native_string_char_code_at(vm *m, value *a, uint32_t argc)
{
	int32_t code_unit;
	uint32_t at;
	value end;

	(void)argc;
	if (!unit_of_this(m, a, &code_unit, &at, &end))
		return end;
	return code_unit < 0 ? V_NAN : v_of_int(code_unit);
}

value
native_string_code_point_at(vm *m, value *a, uint32_t argc)
{
	int32_t code_unit;
	uint32_t at;
	value end;

	(void)argc;
	if (!unit_of_this(m, a, &code_unit, &at, &end))
		return end;
	if (code_unit < 0)
		return V_UNDEFINED;
	return v_of_int((int32_t)str_point(STR(m, a[-1]), &at));
}

/* -------------------------------------------------------------------- searching */

/* this.X(text, position). A text that is an object may be a regular expression:
 * JavaScript looks. */
static bool
search_arguments(vm *m, value *a, double absent, double *position, value *end)
{
	if (!this_string(m, a, end))
		return false;
	if (v_is_object(a[0])) {
		*end = V_FALLBACK;
		return false;
	}
	if (!arg_string(m, a, 0, end))
		return false;
	if (a[1] == V_UNDEFINED)
		*position = absent;
	else if (!arg_integer(m, a, 1, position, end))
		return false;
	*position = fmin(fmax(*position, 0), STR(m, a[-1])->len);
	return true;
}

static bool
stands_at(vm *m, const value *a, double at)
{
	const cell_string *s = STR(m, a[-1]), *part = STR(m, a[0]);

	if (at < 0 || at + part->len > s->len)
		return false;
	for (uint32_t i = 0; i < part->len; i++)
		if (str_unit(s, (uint32_t)at + i) != str_unit(part, i))
			return false;
	return true;
}

value
native_string_starts_with(vm *m, value *a, uint32_t argc)
{
	double at;
	value end;

	(void)argc;
	if (!search_arguments(m, a, 0, &at, &end))
		return end;
	return v_of_bool(stands_at(m, a, at));
}

value
native_string_ends_with(vm *m, value *a, uint32_t argc)
{
	double at;
	value end;

	(void)argc;
	if (!search_arguments(m, a, STR_MAX, &at, &end))
		return end;
	return v_of_bool(stands_at(m, a, at - STR(m, a[0])->len));
}

value
native_string_includes(vm *m, value *a, uint32_t argc)
{
	double at;
	value end;

	(void)argc;
	if (!search_arguments(m, a, 0, &at, &end))
		return end;
	return v_of_bool(str_search(STR(m, a[-1]), STR(m, a[0]),
			     (uint32_t)at) != UINT32_MAX);
}

value
native_string_index_of(vm *m, value *a, uint32_t argc)
{
	uint32_t found;
	double at;
	value end;

	(void)argc;
	if (!this_string(m, a, &end) || !arg_string(m, a, 0, &end) ||
	    !arg_integer(m, a, 1, &at, &end))
		return end;
	at = fmin(fmax(at, 0), STR(m, a[-1])->len);
	found = str_search(STR(m, a[-1]), STR(m, a[0]), (uint32_t)at);
	return found == UINT32_MAX ? v_of_int(-1) : v_of_number(found);
}

value
native_string_last_index_of(vm *m, value *a, uint32_t argc)
{
	double at;
	value end;

	(void)argc;
	if (!this_string(m, a, &end) || !arg_string(m, a, 0, &end) ||
	    !arg_number(m, a, 1, &at, &end))
		return end;
	at = isnan(at) ? INFINITY : fmax(vm_integer(at), 0);
	at = fmin(at, (double)STR(m, a[-1])->len - STR(m, a[0])->len);
	if (!vm_steps(m, (uint64_t)fmax(at, 0) / 64))
		return V_THROWN;
	while (at >= 0 && !stands_at(m, a, at))
		at--;
	return v_of_number(at < 0 ? -1 : at);
}

/* ------------------------------------------------------------------------ parts */

value
native_string_slice(vm *m, value *a, uint32_t argc)
{
	double from, to, len;
	value end;

	(void)argc;
	if (!this_string(m, a, &end))
		return end;
	len = STR(m, a[-1])->len;
	if (!arg_index(m, a, 0, len, 0, &from, &end) ||
	    !arg_index(m, a, 1, len, len, &to, &end))
		return end;
	return part_of_this(m, a, from, fmax(from, to));
}

value
native_string_substring(vm *m, value *a, uint32_t argc)
{
	double from, to, len;
	value end;

	(void)argc;
	if (!this_string(m, a, &end) || !arg_integer(m, a, 0, &from, &end))
		return end;
	to = len = STR(m, a[-1])->len;
	if (a[1] != V_UNDEFINED && !arg_integer(m, a, 1, &to, &end))
		return end;
	from = fmin(fmax(from, 0), len);
	to = fmin(fmax(to, 0), len);
	return part_of_this(m, a, fmin(from, to), fmax(from, to));
}

value
native_string_substr(vm *m, value *a, uint32_t argc)
{
	double from, count, len;
	value end;

	(void)argc;
	if (!this_string(m, a, &end))
		return end;
	count = len = STR(m, a[-1])->len;
	if (!arg_index(m, a, 0, len, 0, &from, &end) ||
	    (a[1] != V_UNDEFINED && !arg_integer(m, a, 1, &count, &end)))
		return end;
	count = fmin(fmax(count, 0), len - from);
	return part_of_this(m, a, from, from + count);
}

static value
trimmed(vm *m, value *a, bool start, bool finish)
{
	const cell_string *s;
	uint32_t from = 0, to;
	value end;

	if (!this_string(m, a, &end))
		return end;
	s = STR(m, a[-1]);
	to = s->len;
	while (start && from < to && unit_is_space(str_unit(s, from)))
		from++;
	while (finish && from < to && unit_is_space(str_unit(s, to - 1)))
		to--;
	return part_of_this(m, a, from, to);
}

value
native_string_trim(vm *m, value *a, uint32_t argc)
{
	(void)argc;
	return trimmed(m, a, true, true);
}

value
native_string_trim_start(vm *m, value *a, uint32_t argc)
{
	(void)argc;
	return trimmed(m, a, true, false);
}

value
native_string_trim_end(vm *m, value *a, uint32_t argc)
{
	(void)argc;
	return trimmed(m, a, false, true);
}

/* -------------------------------------------------------------------- put together */

value
native_string_concat(vm *m, value *a, uint32_t argc)
{
	value end;

	if (!this_string(m, a, &end))
		return end;
	for (uint32_t i = 0; i < argc; i++)
		if (!arg_string(m, a, (int)i, &end))
			return end;
	for (uint32_t i = 0; i < argc; i++) {
		a[-1] = vm_binary(m, OP_ADD, &a[-1], &a[i]);
		if (a[-1] == V_THROWN)
			return V_THROWN;
	}
	return a[-1];
}

/* n units of a text that begins again and again. */
static void
build_repeated(builder *b, const cell_string *s, uint32_t n)
{
	for (; n >= s->len; n -= s->len)
		builder_part(b, s, 0, s->len);
	builder_part(b, s, 0, n);
}

static value
refuse_length(vm *m)
{
	return vm_throw(m, ERROR_RANGE, "invalid string length");
}

static value
padded(vm *m, value *a, bool start)
{
	builder b = BUILDER_INIT(m);
	uint32_t len, fill;
	double want;
	value end;

	if (!this_string(m, a, &end) || !arg_integer(m, a, 0, &want, &end))
		return end;
	len = STR(m, a[-1])->len;
	if (want <= len)
		return a[-1];
	if (a[1] == V_UNDEFINED)
		a[1] = string_result(m, str_of_latin1(H(m), " ", 1));
	if (a[1] == V_THROWN || !arg_string(m, a, 1, &end))
		return a[1] == V_THROWN ? V_THROWN : end;
	if (STR(m, a[1])->len == 0)
		return a[-1];
	if (want > STR_MAX)
		return refuse_length(m);
	fill = (uint32_t)want - len;
	if (!vm_steps(m, fill / 64))
		return V_THROWN;
	if (start)
		build_repeated(&b, STR(m, a[1]), fill);
	builder_part(&b, STR(m, a[-1]), 0, len);
	if (!start)
		build_repeated(&b, STR(m, a[1]), fill);
	return builder_end(&b);
}

value
native_string_pad_start(vm *m, value *a, uint32_t argc)
{
	(void)argc;
	return padded(m, a, true);
}

value
native_string_pad_end(vm *m, value *a, uint32_t argc)
{
	(void)argc;
	return padded(m, a, false);
}

value
native_string_repeat(vm *m, value *a, uint32_t argc)
{
	builder b = BUILDER_INIT(m);
	double n, units;
	value end;

	(void)argc;
	if (!this_string(m, a, &end) || !arg_integer(m, a, 0, &n, &end))
		return end;
	if (n < 0 || isinf(n))
		return vm_throw(m, ERROR_RANGE, "invalid repeat count");
	units = n * STR(m, a[-1])->len;
	if (units > STR_MAX)
		return refuse_length(m);
	if (units == 0)
		return empty_string(m);
	if (!vm_steps(m, (uint64_t)units / 64))
		return V_THROWN;
	build_repeated(&b, STR(m, a[-1]), (uint32_t)units);
	return builder_end(&b);
}

/* ------------------------------------------------------------------ well formed */

/* The first lone surrogate; the length: there is none. */
static uint32_t
find_lone(const cell_string *s)
{
	uint32_t i = 0, at;

	if (!(s->head.flags & CELL_WIDE))
		return s->len;
	while (at = i, i < s->len)
		if ((str_point(s, &i) & 0xfffff800) == 0xd800)
			return at;
	return s->len;
}

value
native_string_is_well_formed(vm *m, value *a, uint32_t argc)
{
	value end;

	(void)argc;
	if (!this_string(m, a, &end))
		return end;
	return v_of_bool(find_lone(STR(m, a[-1])) == STR(m, a[-1])->len);
}

value
native_string_to_well_formed(vm *m, value *a, uint32_t argc)
{
	builder b = BUILDER_INIT(m);
	const cell_string *s;
	value end;

	(void)argc;
	if (!this_string(m, a, &end))
		return end;
	s = STR(m, a[-1]);
	if (find_lone(s) == s->len)
		return a[-1];
	for (uint32_t i = 0; i < s->len;) {
		uint32_t c = str_point(s, &i);

		builder_point(&b, (c & 0xfffff800) == 0xd800 ? 0xfffd : c);
	}
	return builder_end(&b);
}

/* --------------------------------------------------------------------- iterator */

value
native_string_next(vm *m, value *a, uint32_t argc)
{
	value *inner;
	uint32_t from, to;

	(void)argc;
	if (!v_is_class(m, a[-1], CLASS_ITERATOR) ||
	    OBJ(m, a[-1])->v[ITERATOR_BRAND] != v_of_int(BRAND_STRING))
		return vm_throw(m, ERROR_TYPE, "not a String Iterator");
	inner = OBJ(m, a[-1])->v;
	a[0] = inner[ITERATOR_OF];
	a[1] = V_UNDEFINED;
	if (a[0] == V_UNDEFINED)
		return iterator_result(m, &a[1], true);
	if (!str_flatten(H(m), &a[0]))
		return vm_throw_memory(m);
	from = to = (uint32_t)v_number(OBJ(m, a[-1])->v[ITERATOR_AT]);
	inner = OBJ(m, a[-1])->v;
	if (from == STR(m, a[0])->len) {
		inner[ITERATOR_OF] = V_UNDEFINED;
		return iterator_result(m, &a[1], true);
	}
	str_point(STR(m, a[0]), &to);
	inner[ITERATOR_AT] = v_of_number(to);
	a[1] = string_result(m, str_sub(H(m), &a[0], from, to));
	return a[1] == V_THROWN ? V_THROWN : iterator_result(m, &a[1], false);
}
