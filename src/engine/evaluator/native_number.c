/* SPDX-License-Identifier: MIT */
/* native_number.c -- Number, Boolean, and the global functions about numbers. */
#include <math.h>

#include "numbers.h"

static value
latin1_result(vm *m, const char *chars, size_t len)
{
	ref r = str_of_latin1(H(m), chars, (uint32_t)len);

	return r ? v_of_string(r) : vm_throw_memory(m);
}

/* What a primitive or its object is; V_HOLE: `this` is neither. */
static value
this_primitive(const vm *m, value this, object_class class)
{
	if (v_is_class(m, this, class))
		return *object_internal(H(m), v_ref(this), 0);
	if (class == CLASS_NUMBER ? v_is_number(this) : v_is_bool(this))
		return this;
	return V_HOLE;
}

static bool
this_number(vm *m, const value *a, double *out)
{
	value v = this_primitive(m, a[-1], CLASS_NUMBER);

	if (v == V_HOLE) {
		vm_throw(m, ERROR_TYPE, "not a number");
		return false;
	}
	*out = v_number(v);
	return true;
}

value
native_number_as(vm *m, value *a, uint32_t argc)
{
	double d;

	(void)argc;
	if (v_is_number(a[0]))
		return a[0];
	if (v_is_object(a[0]))
		return vm_need(m, 0, HINT_NUMBER);
	if (v_is_bigint(a[0]))
		return v_of_number(bigint_to_double(BIGINT(m, a[0])));
	return vm_to_number(m, a[0], &d) ? v_of_number(d) : V_THROWN;
}

value
native_number_value(vm *m, value *a, uint32_t argc)
{
	double d;

	(void)argc;
	return this_number(m, a, &d) ? v_of_number(d) : V_THROWN;
}

value
native_number_text(vm *m, value *a, uint32_t argc)
{
	char out[2300];
	double d, radix = 10;
	value end;

	(void)argc;
	if (!this_number(m, a, &d))
		return V_THROWN;
	if (a[0] != V_UNDEFINED && !arg_integer(m, a, 0, &radix, &end))
		return end;
	if (!(radix >= 2 && radix <= 36))
		return vm_throw(m, ERROR_RANGE,
		    "toString() radix argument must be between 2 and 36");
	if (radix == 10 || !isfinite(d))
		return latin1_result(m, out, vm_number_text(d, out));
	return latin1_result(m, out, number_radix_text(d, (int)radix, out));
}

/* toFixed and its like have the number, then the digits, then look at both. */
static bool
this_and_digits(vm *m, value *a, double *d, double *digits, value *end)
{
	*end = V_THROWN;
	return this_number(m, a, d) && arg_integer(m, a, 0, digits, end);
}

value
native_number_fixed(vm *m, value *a, uint32_t argc)
{
	char out[512];
	double d, digits;
	value end;

	(void)argc;
	if (!this_and_digits(m, a, &d, &digits, &end))
		return end;
	if (!(digits >= 0 && digits <= 100))
		return vm_throw(m, ERROR_RANGE,
		    "toFixed() digits argument must be between 0 and 100");
	if (!(fabs(d) < 1e21))
		return latin1_result(m, out, vm_number_text(d, out));
	return latin1_result(m, out, number_fixed_text(d, (int)digits, out));
}

value
native_number_exponential(vm *m, value *a, uint32_t argc)
{
	bool all = a[0] == V_UNDEFINED;
	char out[512];
	double d, digits;
	value end;

	(void)argc;
	if (!this_and_digits(m, a, &d, &digits, &end))
		return end;
	if (!isfinite(d))
		return latin1_result(m, out, vm_number_text(d, out));
	if (!(digits >= 0 && digits <= 100))
		return vm_throw(m, ERROR_RANGE,
		    "toExponential() argument must be between 0 and 100");
	return latin1_result(
	    m, out, number_exponential_text(d, all ? -1 : (int)digits, out));
}

value
native_number_precision(vm *m, value *a, uint32_t argc)
{
	bool all = a[0] == V_UNDEFINED;
	char out[512];
	double d, digits = 0;
	value end;

	(void)argc;
	if (!this_number(m, a, &d))
		return V_THROWN;
	if (!all && !arg_integer(m, a, 0, &digits, &end))
		return end;
	if (all || !isfinite(d))
		return latin1_result(m, out, vm_number_text(d, out));
	if (!(digits >= 1 && digits <= 100))
		return vm_throw(m, ERROR_RANGE,
		    "toPrecision() argument must be between 1 and 100");
	return latin1_result(
	    m, out, number_precision_text(d, (int)digits, out));
}

/* ------------------------------------------------------------------ questions */

static bool
is_integer(value v)
{
	double d = v_is_number(v) ? v_number(v) : NAN;

	return isfinite(d) && d == trunc(d);
}

value
native_number_is_finite(vm *m, value *a, uint32_t argc)
{
	(void)m, (void)argc;
	return v_of_bool(v_is_number(a[0]) && isfinite(v_number(a[0])));
}

value
native_number_is_integer(vm *m, value *a, uint32_t argc)
{
	(void)m, (void)argc;
	return v_of_bool(is_integer(a[0]));
}

value
native_number_is_nan(vm *m, value *a, uint32_t argc)
{
	(void)m, (void)argc;
	return v_of_bool(a[0] == V_NAN);
}

value
native_number_is_safe(vm *m, value *a, uint32_t argc)
{
	(void)m, (void)argc;
	return v_of_bool(
	    is_integer(a[0]) && fabs(v_number(a[0])) <= 9007199254740991.0);
}

value
native_is_finite(vm *m, value *a, uint32_t argc)
{
	double d;
	value end;

	(void)argc;
	return arg_number(m, a, 0, &d, &end) ? v_of_bool(isfinite(d)) : end;
}

value
native_is_nan(vm *m, value *a, uint32_t argc)
{
	double d;
	value end;

	(void)argc;
	return arg_number(m, a, 0, &d, &end) ? v_of_bool(isnan(d)) : end;
}

/* ----------------------------------------------------------------- from text */

static uint32_t
first_unit(const cell_string *s)
{
	uint32_t i = 0;

	while (i < s->len && unit_is_space(str_unit(s, i)))
		i++;
	return i;
}

value
native_parse_float(vm *m, value *a, uint32_t argc)
{
	uint32_t at;
	double d;
	value end;

	(void)argc;
	if (!arg_string(m, a, 0, &end))
		return end;
	at = first_unit(STR(m, a[0]));
	return number_read(STR(m, a[0]), &at, &d) ? v_of_number(d) : V_NAN;
}

static bool
starts_as_hex(const cell_string *s, uint32_t at)
{
	return s->len - at >= 2 && str_unit(s, at) == '0' &&
	       (str_unit(s, at + 1) | 0x20) == 'x';
}

value
native_parse_int(vm *m, value *a, uint32_t argc)
{
	const cell_string *s;
	bool negative;
	int32_t radix;
	uint32_t at;
	double d;
	value end;

	(void)argc;
	if (v_is_int(a[0]) && a[1] == V_UNDEFINED)
		return a[0];
	if (!arg_string(m, a, 0, &end) || !arg_number(m, a, 1, &d, &end))
		return end;
	s = STR(m, a[0]);
	at = first_unit(s);
	radix = vm_int32(d);
	negative = at < s->len && str_unit(s, at) == '-';
	if (negative || (at < s->len && str_unit(s, at) == '+'))
		at++;
	if ((radix == 0 || radix == 16) && starts_as_hex(s, at)) {
		at += 2;
		radix = 16;
	}
	if (radix == 0)
		radix = 10;
	if (radix < 2 || radix > 36)
		return V_NAN;
	d = number_read_radix(s, &at, radix);
	return v_of_number(negative ? -d : d);
}

/* ------------------------------------------------------------------- Boolean */

value
native_boolean_value(vm *m, value *a, uint32_t argc)
{
	value v = this_primitive(m, a[-1], CLASS_BOOLEAN);

	(void)argc;
	return v == V_HOLE ? vm_throw(m, ERROR_TYPE, "not a boolean") : v;
}

value
native_boolean_text(vm *m, value *a, uint32_t argc)
{
	value v = native_boolean_value(m, a, argc);

	return v == V_THROWN ? v : vm_to_string(m, v);
}
