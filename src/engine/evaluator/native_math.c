/* SPDX-License-Identifier: MIT */
/* native_math.c -- Math: the functions of the C library, where they differ from
 * ECMA-262 put right. */
#include <math.h>

#include "numbers.h"

#define MATH(name, result)                                       \
	value native_math_##name(vm *m, value *a, uint32_t argc) \
	{                                                        \
		double x;                                        \
		value end;                                       \
                                                                 \
		(void)argc;                                      \
		if (!arg_number(m, a, 0, &x, &end))              \
			return end;                              \
		return v_of_number(result);                      \
	}

#define MATH2(name, result)                                      \
	value native_math_##name(vm *m, value *a, uint32_t argc) \
	{                                                        \
		double x, y;                                     \
		value end;                                       \
                                                                 \
		(void)argc;                                      \
		if (!arg_number(m, a, 0, &x, &end) ||            \
		    !arg_number(m, a, 1, &y, &end))              \
			return end;                              \
		return v_of_number(result);                      \
	}

static double
round_half_up(double x)
{
	double whole = floor(x);

	return copysign(x - whole >= 0.5 ? whole + 1 : whole, x);
}

static double
round_half_precision(double x)
{
	int exponent;
	double step, r;

	if (x == 0 || !isfinite(x))
		return x;
	frexp(x, &exponent);
	step = ldexp(1, exponent < -13 ? -24 : exponent - 11);
	r = copysign(rint(x / step) * step, x);
	return fabs(r) > 65504 ? copysign(INFINITY, x) : r;
}

/* The C library's may be wrong by one in the last digit, even of cubes. */
static double
cube_root(double x)
{
	double r = cbrt(x);

	if (!isfinite(x) || fabs(x) < 1e-290)
		return r;
	return r - (r * r * r - x) / (3 * r * r);
}

static int
leading_zeros(uint32_t u)
{
	return u ? __builtin_clz(u) : 32;
}

MATH(abs, fabs(x))
MATH(acos, acos(x))
MATH(acosh, acosh(x))
MATH(asin, asin(x))
MATH(asinh, asinh(x))
MATH(atan, atan(x))
MATH(atanh, atanh(x))
MATH(cbrt, cube_root(x))
MATH(ceil, ceil(x))
MATH(clz32, leading_zeros((uint32_t)vm_int32(x)))
MATH(cos, cos(x))
MATH(cosh, cosh(x))
MATH(exp, exp(x))
MATH(expm1, expm1(x))
MATH(f16round, round_half_precision(x))
MATH(floor, floor(x))
MATH(fround, (double)(float)x)
MATH(log, log(x))
MATH(log10, log10(x))
MATH(log1p, log1p(x))
MATH(log2, log2(x))
MATH(round, round_half_up(x))
MATH(sign, x > 0 ? 1 : x < 0 ? -1 : x)
MATH(sin, sin(x))
MATH(sinh, sinh(x))
MATH(sqrt, sqrt(x))
MATH(tan, tan(x))
MATH(tanh, tanh(x))
MATH(trunc, trunc(x))
MATH2(atan2, atan2(x, y))
MATH2(pow, number_power(x, y))
MATH2(imul, (int32_t)((uint32_t)vm_int32(x) * (uint32_t)vm_int32(y)))

/* ------------------------------------------------------------ many arguments */

static bool
all_numbers(vm *m, value *a, uint32_t argc, value *end)
{
	double x;

	for (uint32_t i = 0; i < argc; i++)
		if (!arg_number(m, a, (int)i, &x, end))
			return false;
	return true;
}

/* sign 1: the greatest; -1: the least. */
static value
extreme(vm *m, value *a, uint32_t argc, int sign)
{
	double best = -INFINITY;
	value end;

	if (!all_numbers(m, a, argc, &end))
		return end;
	for (uint32_t i = 0; i < argc; i++) {
		double x = sign * v_number(a[i]);

		if (isnan(x) || isnan(best))
			best = NAN;
		else if (x > best || (x == best && !signbit(x)))
			best = x;
	}
	return v_of_number(sign * best);
}

value
native_math_max(vm *m, value *a, uint32_t argc)
{
	return extreme(m, a, argc, 1);
}

value
native_math_min(vm *m, value *a, uint32_t argc)
{
	return extreme(m, a, argc, -1);
}

/* The sum of squares in units of the greatest, and what its roundings lost. */
value
native_math_hypot(vm *m, value *a, uint32_t argc)
{
	double most = 0, sum = 0, lost = 0;
	bool nan = false;
	value end;

	if (!all_numbers(m, a, argc, &end))
		return end;
	for (uint32_t i = 0; i < argc; i++) {
		nan |= isnan(v_number(a[i]));
		most = fmax(most, fabs(v_number(a[i])));
	}
	if (isinf(most) || most == 0 || nan)
		return v_of_number(isinf(most) ? most : nan ? NAN : 0);
	for (uint32_t i = 0; i < argc; i++) {
		double part = v_number(a[i]) / most;
		double square = part * part - lost, next = sum + square;

		lost = (next - sum) - square;
		sum = next;
	}
	return v_of_number(sqrt(sum) * most);
}

/* ----------------------------------------------------------------- exact sums */

enum { SUM_LIMBS = 68, SUM_LOW = 1074 };

/* 32 bits in each, from 2 ^ -1074 on; above them what is not yet carried. */
typedef struct exact_sum {
	int64_t limb[SUM_LIMBS];
} exact_sum;

static void
sum_add(exact_sum *s, double d)
{
	int exponent;
	uint64_t mantissa = (uint64_t)ldexp(frexp(fabs(d), &exponent), 53);
	int shift = exponent - 53 + SUM_LOW, sign = d < 0 ? -1 : 1;

	if (shift < 0) { /* subnormal: its lowest bits are 0 */
		mantissa >>= -shift;
		shift = 0;
	}
	for (int i = shift / 32, part = shift % 32; mantissa != 0; i++) {
		s->limb[i] += sign * (int64_t)((mantissa << part) & 0xffffffff);
		mantissa >>= 32 - part;
		part = 0;
	}
}

/* Returns the sign; the limbs are of the absolute value. */
static int
sum_carry(exact_sum *s)
{
	for (int pass = 1;; pass = -1) {
		int64_t carry = 0;

		for (int i = 0; i < SUM_LIMBS; i++) {
			carry += s->limb[i];
			s->limb[i] = carry & 0xffffffff;
			carry >>= 32;
		}
		if (carry == 0)
			return pass;
		for (int i = 0; i < SUM_LIMBS; i++)
			s->limb[i] = -s->limb[i];
		s->limb[SUM_LIMBS - 1] -= carry * ((int64_t)1 << 32);
	}
}

static double
sum_value(exact_sum *s)
{
	int sign = sum_carry(s), top = SUM_LIMBS - 1, empty;
	uint64_t bits;

	while (top > 1 && s->limb[top] == 0)
		top--;
	bits = (uint64_t)s->limb[top] << 32 | (uint64_t)s->limb[top - 1];
	if (bits == 0)
		return 0;
	/* 64 bits, the lowest of which says whether more are set. */
	empty = __builtin_clzll(bits);
	bits <<= empty;
	if (top >= 2 && empty > 0) {
		bits |= (uint64_t)s->limb[top - 2] >> (32 - empty);
		bits |= (s->limb[top - 2] << empty & 0xffffffff) != 0;
	} else if (top >= 2) {
		bits |= s->limb[top - 2] != 0;
	}
	for (int i = top - 3; i >= 0; i--)
		bits |= s->limb[i] != 0;
	return sign * ldexp((double)bits, 32 * (top - 1) - empty - SUM_LOW);
}

value
native_math_sum(vm *m, value *a, uint32_t argc)
{
	exact_sum s = {{0}};
	double odd = 0;
	bool zero = true; /* only -0 so far */
	uint32_t len;
	const value *v = array_values(m, a[0], &len);

	(void)argc;
	for (uint32_t i = 0; i < len; i++) {
		double d = v_number(v[i]);

		zero &= d == 0 && signbit(d);
		if (!isfinite(d))
			odd += d;
		else if (d != 0)
			sum_add(&s, d);
	}
	if (odd != 0)
		return v_of_number(odd);
	return v_of_number(zero ? -0.0 : sum_value(&s));
}

/* --------------------------------------------------------------------- random */

/* xorshift128+ (Vigna), whose state is the run's. */
value
native_math_random(vm *m, value *a, uint32_t argc)
{
	uint64_t x = m->random[0], y = m->random[1];

	(void)a, (void)argc;
	if ((x | y) == 0)
		x = 0x9e3779b97f4a7c15;
	m->random[0] = y;
	x ^= x << 23;
	x ^= x >> 17 ^ y ^ y >> 26;
	m->random[1] = x;
	return v_of_number((double)((x + y) >> 11) / 9007199254740992.0);
}
