/* SPDX-License-Identifier: MIT */
/*
 * vm_ops.c -- conversions and operators on primitive values.
 *
 * What needs a root on the way uses m->temp from OPS_TEMP on.
 */
#include <math.h>
#include <stdio.h>

#include "numbers.h"

enum { OPS_TEMP = 24 };

/* ------------------------------------------------------------- conversions */

static value
latin1_value(vm *m, text t)
{
	ref r = str_of_latin1(H(m), t.ptr, (uint32_t)t.len);

	return r ? v_of_string(r) : vm_throw_memory(m);
}

static value
atom_value(vm *m, text t)
{
	ref r = atom_of_text(H(m), &m->atoms, t);

	return r ? v_of_string(r) : vm_throw_memory(m);
}

value
vm_string(vm *m, text t)
{
	ref r = str_of_utf8(H(m), t);

	return r ? v_of_string(r) : vm_throw_memory(m);
}

static value
flat_string(vm *m, value v)
{
	m->temp[OPS_TEMP] = v;
	return str_flatten(H(m), &m->temp[OPS_TEMP]) ? m->temp[OPS_TEMP]
						     : vm_throw_memory(m);
}

value
vm_to_string(vm *m, value v)
{
	char out[32];

	if (v_is_string(v))
		return flat_string(m, v);
	if (v_is_number(v))
		return latin1_value(
		    m, (text){out, vm_number_text(v_number(v), out)});
	switch (v) {
	case V_UNDEFINED:
		return atom_value(m, TEXT("undefined"));
	case V_NULL:
		return atom_value(m, TEXT("null"));
	case V_TRUE:
		return atom_value(m, TEXT("true"));
	case V_FALSE:
		return atom_value(m, TEXT("false"));
	default:
		break;
	}
	if (!v_is_bigint(v))
		return vm_throw(
		    m, ERROR_TYPE, "cannot convert symbol to string");
	m->temp[OPS_TEMP] = v;
	return bigint_text(m, &m->temp[OPS_TEMP], 10);
}

bool
vm_to_number(vm *m, value v, double *out)
{
	if (v_is_number(v)) {
		*out = v_number(v);
	} else if (v_is_string(v)) {
		v = flat_string(m, v);
		if (v == V_THROWN)
			return false;
		*out = vm_string_to_number(m, STR(m, v));
	} else if (v_has_cell(v)) {
		vm_throw(m, ERROR_TYPE, "cannot convert %s to number",
		    v_is_bigint(v) ? "BigInt" : "symbol");
		return false;
	} else {
		*out = v == V_UNDEFINED ? NAN : v == V_TRUE;
	}
	return true;
}

int32_t
vm_int32(double d)
{
	if (d >= -2147483648.0 && d <= 2147483647.0)
		return (int32_t)d;
	if (!isfinite(d))
		return 0;
	d = fmod(trunc(d), 4294967296.0);
	return (int32_t)(uint32_t)(int64_t)d;
}

double
vm_integer(double d)
{
	return isnan(d) ? 0 : trunc(d) + 0.0;
}

bool
vm_truthy(const vm *m, value v)
{
	if (v_is_int(v))
		return v_int(v) != 0;
	if (v_is_double(v))
		return v_bits_double(v) != 0 && v != V_NAN;
	if (v_is_string(v))
		return str_len(H(m), v_ref(v)) > 0;
	if (v_is_bigint(v))
		return BIGINT(m, v)->len > 0;
	return v == V_TRUE || v_has_cell(v);
}

value
vm_typeof(vm *m, value v)
{
	if (v_is_number(v))
		return atom_value(m, TEXT("number"));
	switch (v_tag(v)) {
	case TAG_OBJECT:
		return v_is_function(m, v) ? atom_value(m, TEXT("function"))
					   : atom_value(m, TEXT("object"));
	case TAG_STRING:
		return atom_value(m, TEXT("string"));
	case TAG_SYMBOL:
		return atom_value(m, TEXT("symbol"));
	case TAG_BIGINT:
		return atom_value(m, TEXT("bigint"));
	default:
		break;
	}
	if (v_is_bool(v))
		return atom_value(m, TEXT("boolean"));
	return v == V_NULL ? atom_value(m, TEXT("object"))
			   : atom_value(m, TEXT("undefined"));
}

void
vm_show(vm *m, value v, buf *out)
{
	char number[32];
	value s;

	if (v_is_number(v)) {
		buf_add(out, number, vm_number_text(v_number(v), number));
	} else if (v_is_object(v)) {
		buf_str(out, v_is_function(m, v) ? "function" : "object");
	} else if (v_tag(v) == TAG_SYMBOL) {
		ref chars = CELL(H(m), v_ref(v), cell_symbol)->description;

		buf_str(out, "Symbol(");
		if (chars != 0) {
			s = flat_string(m, v_of_string(chars));
			if (s != V_THROWN)
				str_put(STR(m, s), false, out);
		}
		buf_str(out, ")");
	} else {
		s = vm_to_string(m, v);
		if (s != V_THROWN)
			str_put(STR(m, s), false, out);
	}
}

/* --------------------------------------------------------------- arguments */

/* A primitive in a[slot]; false: *end. */
static bool
arg_primitive(vm *m, value *a, int slot, hint h, value *end)
{
	if (!v_is_object(a[slot]))
		return true;
	*end = vm_need(m, slot, h);
	return false;
}

static bool
arg_put(value *a, int slot, value v, value *end)
{
	if (v == V_THROWN) {
		*end = V_THROWN;
		return false;
	}
	a[slot] = v;
	return true;
}

bool
arg_string(vm *m, value *a, int slot, value *end)
{
	return arg_primitive(m, a, slot, HINT_STRING, end) &&
	       arg_put(a, slot, vm_to_string(m, a[slot]), end);
}

bool
arg_number(vm *m, value *a, int slot, double *out, value *end)
{
	if (!arg_primitive(m, a, slot, HINT_NUMBER, end))
		return false;
	if (!vm_to_number(m, a[slot], out)) {
		*end = V_THROWN;
		return false;
	}
	a[slot] = v_of_number(*out);
	return true;
}

bool
arg_integer(vm *m, value *a, int slot, double *out, value *end)
{
	if (!arg_number(m, a, slot, out, end))
		return false;
	*out = vm_integer(*out);
	return true;
}

bool
arg_index(vm *m, value *a, int slot, double len, double absent, double *out,
    value *end)
{
	if (a[slot] == V_UNDEFINED) {
		*out = absent;
		return true;
	}
	if (!arg_integer(m, a, slot, out, end))
		return false;
	if (*out < 0)
		*out = fmax(*out + len, 0);
	*out = fmin(*out, len);
	return true;
}

bool
arg_key(vm *m, value *a, int slot, value *end)
{
	return arg_primitive(m, a, slot, HINT_STRING, end) &&
	       arg_put(a, slot, vm_key(m, &a[slot]), end);
}

/* ---------------------------------------------------------------- equality */

static bool
same_strings(vm *m, value a, value b)
{
	if (v_ref(a) == v_ref(b))
		return true;
	if (STR(m, a)->len != STR(m, b)->len ||
	    STR(m, a)->head.flags & STR(m, b)->head.flags & CELL_ATOM)
		return false;
	m->temp[OPS_TEMP] = a;
	m->temp[OPS_TEMP + 1] = b;
	if (!str_flatten(H(m), &m->temp[OPS_TEMP]) ||
	    !str_flatten(H(m), &m->temp[OPS_TEMP + 1]))
		return false;
	return str_equal(
	    STR(m, m->temp[OPS_TEMP]), STR(m, m->temp[OPS_TEMP + 1]));
}

bool
vm_same(vm *m, value a, value b)
{
	if (v_is_number(a) && v_is_number(b))
		return v_number(a) == v_number(b);
	if (v_tag(a) != v_tag(b))
		return false;
	if (v_is_string(a))
		return same_strings(m, a, b);
	if (v_is_bigint(a))
		return bigint_compare(BIGINT(m, a), BIGINT(m, b)) == 0;
	return a == b;
}

bool
vm_same_value(vm *m, value a, value b, bool zero)
{
	double x, y;

	if (!v_is_number(a) || !v_is_number(b))
		return vm_same(m, a, b);
	x = v_number(a);
	y = v_number(b);
	if (isnan(x) || isnan(y))
		return isnan(x) && isnan(y);
	return x == y && (zero || x != 0 || signbit(x) == signbit(y));
}

static double
bool_or_number(value v)
{
	return v_is_bool(v) ? v == V_TRUE : v_number(v);
}

/* A BigInt and a string. */
static bool
bigint_is_string(vm *m, value b, value s)
{
	m->temp[OPS_TEMP + 1] = b;
	s = flat_string(m, s);
	if (s == V_THROWN)
		return false;
	m->temp[OPS_TEMP] = s;
	m->temp[OPS_TEMP] = bigint_of_string(m, &m->temp[OPS_TEMP]);
	return v_is_bigint(m->temp[OPS_TEMP]) &&
	       vm_same(m, m->temp[OPS_TEMP], m->temp[OPS_TEMP + 1]);
}

bool
vm_equal(vm *m, value *pa, value *pb)
{
	value a = *pa, b = *pb;
	double x, y;

	if (v_is_nullish(a) || v_is_nullish(b))
		return v_is_nullish(a) && v_is_nullish(b);
	if ((v_tag(a) == v_tag(b)) || (v_is_number(a) && v_is_number(b)))
		return vm_same(m, a, b);
	if (v_tag(a) == TAG_SYMBOL || v_tag(b) == TAG_SYMBOL ||
	    v_is_object(a) || v_is_object(b))
		return false;
	if (v_is_bigint(a) && v_is_string(b))
		return bigint_is_string(m, a, b);
	if (v_is_bigint(b) && v_is_string(a))
		return bigint_is_string(m, b, a);
	if (v_is_bigint(a))
		return bigint_compare_double(BIGINT(m, a), bool_or_number(b)) ==
		       0;
	if (v_is_bigint(b))
		return bigint_compare_double(BIGINT(m, b), bool_or_number(a)) ==
		       0;
	return vm_to_number(m, a, &x) && vm_to_number(m, *pb, &y) && x == y;
}

/* ---------------------------------------------------------------- less than */

static int
less_strings(vm *m, value a, value b)
{
	m->temp[OPS_TEMP] = a;
	m->temp[OPS_TEMP + 1] = b;
	if (!str_flatten(H(m), &m->temp[OPS_TEMP]) ||
	    !str_flatten(H(m), &m->temp[OPS_TEMP + 1])) {
		vm_throw_memory(m);
		return -1;
	}
	return str_compare(STR(m, m->temp[OPS_TEMP]),
		   STR(m, m->temp[OPS_TEMP + 1])) < 0;
}

/* A BigInt against what is none: -1, 0, 1; 2: undefined; -2: thrown. */
static int
bigint_against(vm *m, value b, value other)
{
	double d;

	m->temp[OPS_TEMP + 1] = b;
	if (v_is_string(other)) {
		other = flat_string(m, other);
		if (other == V_THROWN)
			return -2;
		m->temp[OPS_TEMP] = other;
		m->temp[OPS_TEMP] = bigint_of_string(m, &m->temp[OPS_TEMP]);
		if (m->temp[OPS_TEMP] == V_THROWN)
			return -2;
		if (m->temp[OPS_TEMP] == V_UNDEFINED)
			return 2;
		return bigint_compare(BIGINT(m, m->temp[OPS_TEMP + 1]),
		    BIGINT(m, m->temp[OPS_TEMP]));
	}
	if (!vm_to_number(m, other, &d))
		return -2;
	return bigint_compare_double(BIGINT(m, m->temp[OPS_TEMP + 1]), d);
}

int
vm_less(vm *m, value *a, value *b)
{
	double x, y;
	int c;

	if (v_is_string(*a) && v_is_string(*b))
		return less_strings(m, *a, *b);
	if (v_is_bigint(*a) && v_is_bigint(*b))
		return bigint_compare(BIGINT(m, *a), BIGINT(m, *b)) < 0;
	if (v_is_bigint(*a)) {
		c = bigint_against(m, *a, *b);
		return c == -2 ? -1 : c == 2 ? 2 : c < 0;
	}
	if (v_is_bigint(*b)) {
		c = bigint_against(m, *b, *a);
		return c == -2 ? -1 : c == 2 ? 2 : c > 0;
	}
	if (!vm_to_number(m, *a, &x) || !vm_to_number(m, *b, &y))
		return -1;
	return isnan(x) || isnan(y) ? 2 : x < y;
}

/* --------------------------------------------------------------- operators */

static value
add_strings(vm *m, value *a, value *b)
{
	value *left = &m->temp[OPS_TEMP + 1], *right = &m->temp[OPS_TEMP + 2];
	ref r;

	*left = *a;
	*right = *b;
	if (!v_is_string(*left))
		*left = vm_to_string(m, *left);
	if (*left == V_THROWN)
		return V_THROWN;
	if (!v_is_string(*right))
		*right = vm_to_string(m, *right);
	if (*right == V_THROWN)
		return V_THROWN;
	if ((uint64_t)STR(m, *left)->len + STR(m, *right)->len > STR_MAX)
		return vm_throw(m, ERROR_RANGE, "invalid string length");
	r = str_concat(H(m), left, right);
	*left = *right = V_UNDEFINED;
	return r ? v_of_string(r) : vm_throw_memory(m);
}

double
number_power(double x, double y)
{
	if (isnan(y) || (fabs(x) == 1 && isinf(y)))
		return NAN;
	return pow(x, y);
}

static value
number_binary(op_code op, double x, double y)
{
	uint32_t shift = (uint32_t)vm_int32(y) & 31;

	switch (op) {
	case OP_ADD:
		return v_of_number(x + y);
	case OP_SUB:
		return v_of_number(x - y);
	case OP_MUL:
		return v_of_number(x * y);
	case OP_DIV:
		return v_of_number(x / y);
	case OP_MOD:
		return v_of_number(fmod(x, y));
	case OP_POW:
		return v_of_number(number_power(x, y));
	case OP_BIT_AND:
		return v_of_int(vm_int32(x) & vm_int32(y));
	case OP_BIT_OR:
		return v_of_int(vm_int32(x) | vm_int32(y));
	case OP_BIT_XOR:
		return v_of_int(vm_int32(x) ^ vm_int32(y));
	case OP_SHL:
		return v_of_int((int32_t)((uint32_t)vm_int32(x) << shift));
	case OP_SHR:
		return v_of_int(vm_int32(x) >> shift);
	default: /* OP_USHR */
		return v_of_number((uint32_t)vm_int32(x) >> shift);
	}
}

value
vm_binary(vm *m, op_code op, value *a, value *b)
{
	double x, y;

	if (op == OP_ADD && (v_is_string(*a) || v_is_string(*b)))
		return add_strings(m, a, b);
	if (v_is_bigint(*a) && v_is_bigint(*b))
		return bigint_binary(m, op, a, b);
	if (v_is_bigint(*a) || v_is_bigint(*b)) {
		value *other = v_is_bigint(*a) ? b : a;

		if (v_tag(*other) == TAG_SYMBOL)
			return vm_throw(
			    m, ERROR_TYPE, "cannot convert symbol to number");
		return vm_throw(m, ERROR_TYPE,
		    "cannot mix BigInt and other types: convert with "
		    "BigInt() or Number()");
	}
	if (!vm_to_number(m, *a, &x) || !vm_to_number(m, *b, &y))
		return V_THROWN;
	return number_binary(op, x, y);
}

value
vm_unary(vm *m, op_code op, value *a)
{
	double x;

	if (v_is_bigint(*a) && op != OP_TO_NUMBER)
		return bigint_unary(m, op, a);
	if (!vm_to_number(m, *a, &x))
		return V_THROWN;
	switch (op) {
	case OP_NEGATE:
		return v_of_number(-x);
	case OP_INCREMENT:
		return v_of_number(x + 1);
	case OP_DECREMENT:
		return v_of_number(x - 1);
	case OP_BIT_NOT:
		return v_of_int(~vm_int32(x));
	default: /* OP_TO_NUMBER, OP_TO_NUMERIC */
		return v_of_number(x);
	}
}
