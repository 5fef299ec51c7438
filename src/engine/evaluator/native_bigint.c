/* SPDX-License-Identifier: MIT */
/* native_bigint.c -- BigInt. */
#include <math.h>

#include "numbers.h"

value
native_bigint_of(vm *m, value *a, uint32_t argc)
{
	double d;

	(void)argc;
	if (v_is_object(a[0]))
		return vm_need(m, 0, HINT_NUMBER);
	if (!v_is_number(a[0]))
		return bigint_of_value(m, &a[0]);
	d = v_number(a[0]);
	if (!isfinite(d) || d != trunc(d))
		return vm_throw(
		    m, ERROR_RANGE, "cannot convert to BigInt: not an integer");
	return bigint_of_double(m, d);
}

static bool
arg_bigint(vm *m, value *a, int slot, value *end)
{
	if (v_is_object(a[slot]))
		*end = vm_need(m, slot, HINT_NUMBER);
	else if ((*end = bigint_of_value(m, &a[slot])) != V_THROWN)
		a[slot] = *end;
	return v_is_bigint(a[slot]);
}

value
native_bigint_as(vm *m, value *a, uint32_t argc)
{
	value end;

	(void)argc;
	return arg_bigint(m, a, 0, &end) ? a[0] : end;
}

value
native_bigint_value(vm *m, value *a, uint32_t argc)
{
	(void)argc;
	if (v_is_bigint(a[-1]))
		return a[-1];
	if (v_is_class(m, a[-1], CLASS_BIGINT))
		return *object_internal(H(m), v_ref(a[-1]), 0);
	return vm_throw(m, ERROR_TYPE, "not a BigInt");
}

value
native_bigint_text(vm *m, value *a, uint32_t argc)
{
	double radix = 10;
	value end;

	a[1] = native_bigint_value(m, a, argc);
	if (a[1] == V_THROWN)
		return V_THROWN;
	if (a[0] != V_UNDEFINED && !arg_integer(m, a, 0, &radix, &end))
		return end;
	if (!(radix >= 2 && radix <= 36))
		return vm_throw(m, ERROR_RANGE,
		    "toString() radix argument must be between 2 and 36");
	return bigint_text(m, &a[1], (int)radix);
}

static value
wrap_arguments(vm *m, value *a, bool is_signed)
{
	double bits;
	value end;

	if (!arg_integer(m, a, 0, &bits, &end))
		return end;
	if (!(bits >= 0 && bits <= 9007199254740991.0))
		return vm_throw(m, ERROR_RANGE, "invalid array index");
	if (!arg_bigint(m, a, 1, &end))
		return end;
	return bigint_wrap(m, &a[1], bits, is_signed);
}

value
native_bigint_int(vm *m, value *a, uint32_t argc)
{
	(void)argc;
	return wrap_arguments(m, a, true);
}

value
native_bigint_uint(vm *m, value *a, uint32_t argc)
{
	(void)argc;
	return wrap_arguments(m, a, false);
}
