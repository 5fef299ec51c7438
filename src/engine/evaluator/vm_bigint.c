/* SPDX-License-Identifier: MIT */
/*
 * vm_bigint.c -- BigInts.
 *
 * What fits 64 bits is computed here. The rest goes through libtommath: cells
 * are read into its numbers, and the result is written to a new cell.
 */
#include <limits.h>
#include <math.h>
#include <stdlib.h>

#include <tommath.h>

#include "numbers.h"

/* ------------------------------------------------------------------- cells */

static size_t
bigint_bytes(uint32_t limbs)
{
	return sizeof(cell_bigint) + (size_t)limbs * 4;
}

/* Room is reserved. */
static cell_bigint *
bigint_raw(vm *m, uint32_t limbs, bool negative, value *out)
{
	ref r = heap_new(H(m), CELL_BIGINT, bigint_bytes(limbs));
	cell_bigint *b = CELL(H(m), r, cell_bigint);

	b->negative = negative;
	b->len = limbs;
	*out = v_of_ref(TAG_BIGINT, r);
	return b;
}

static value
bigint_of_magnitude(vm *m, uint64_t u, bool negative)
{
	uint32_t limbs = u > UINT32_MAX ? 2 : u > 0;
	cell_bigint *b;
	value out;

	if (!heap_reserve(H(m), bigint_bytes(2)))
		return vm_throw_memory(m);
	b = bigint_raw(m, limbs, negative && u != 0, &out);
	for (uint32_t i = 0; i < limbs; i++)
		b->limb[i] = (uint32_t)(u >> 32 * i);
	return out;
}

value
bigint_of_uint64(vm *m, uint64_t u)
{
	return bigint_of_magnitude(m, u, false);
}

value
bigint_of_int64(vm *m, int64_t i)
{
	return bigint_of_magnitude(
	    m, i < 0 ? -(uint64_t)i : (uint64_t)i, i < 0);
}

uint64_t
bigint_to_uint64(const cell_bigint *b)
{
	uint64_t u = 0;

	if (b->len > 0)
		u = b->limb[0];
	if (b->len > 1)
		u |= (uint64_t)b->limb[1] << 32;
	return b->negative ? -u : u;
}

/* False: it does not fit. */
static bool
bigint_small(const cell_bigint *b, int64_t *out)
{
	*out = (int64_t)bigint_to_uint64(b);
	return b->len < 2 || (b->len == 2 && b->limb[1] <= INT32_MAX);
}

static uint64_t
bigint_bits(const cell_bigint *b)
{
	if (b->len == 0)
		return 0;
	return (uint64_t)b->len * 32 -
	       (uint64_t)__builtin_clz(b->limb[b->len - 1]);
}

static value
too_large(vm *m)
{
	return vm_throw(m, ERROR_RANGE, "BigInt is too large");
}

/* -------------------------------------------------------------- libtommath */

/* Its digits have MP_DIGIT_BIT bits: mp_unpack and mp_pack do the same byte by
 * byte, and for each of them shift all. */
static bool
read_big(const cell_bigint *b, mp_int *out)
{
	uint64_t bits = 0;
	int have = 0;

	if (mp_grow(out, (int)(b->len * 32 / MP_DIGIT_BIT) + 1) != MP_OKAY)
		return false;
	out->used = 0;
	for (uint32_t i = 0; i < b->len; i++) {
		uint64_t limb = b->limb[i];

		bits |= limb << have;
		have += 32;
		if (have < MP_DIGIT_BIT)
			continue;
		out->dp[out->used++] = bits & MP_MASK;
		have -= MP_DIGIT_BIT;
		bits = limb >> (32 - have);
	}
	if (bits != 0)
		out->dp[out->used++] = bits;
	mp_clamp(out);
	out->sign = b->negative ? MP_NEG : MP_ZPOS;
	return true;
}

/* The 32 bits of its absolute value from bit `at` on. */
static uint32_t
big_limb(const mp_int *big, int at)
{
	int i = at / MP_DIGIT_BIT, part = at % MP_DIGIT_BIT;
	uint64_t bits = i < big->used ? big->dp[i] >> part : 0;

	if (part > MP_DIGIT_BIT - 32 && i + 1 < big->used)
		bits |= big->dp[i + 1] << (MP_DIGIT_BIT - part);
	return (uint32_t)bits;
}

static value
big_value(vm *m, const mp_int *big)
{
	int bits = mp_iszero(big) ? 0 : mp_count_bits(big);
	uint32_t limbs = ((uint32_t)bits + 31) / 32;
	cell_bigint *b;
	value out;

	if (bits > BIGINT_BITS)
		return too_large(m);
	if (!heap_reserve(H(m), bigint_bytes(limbs)))
		return vm_throw_memory(m);
	b = bigint_raw(m, limbs, mp_isneg(big), &out);
	for (uint32_t i = 0; i < limbs; i++)
		b->limb[i] = big_limb(big, (int)i * 32);
	return out;
}

/* The exponent and the shift fit an int: the callers look. */
static mp_err
big_operate(op_code op, mp_int *a, mp_int *b, int n, mp_int *c)
{
	switch (op) {
	case OP_ADD:
		return mp_add(a, b, c);
	case OP_SUB:
		return mp_sub(a, b, c);
	case OP_MUL:
		return mp_mul(a, b, c);
	case OP_DIV:
		return mp_div(a, b, c, NULL);
	case OP_MOD:
		return mp_div(a, b, NULL, c);
	case OP_POW:
		return mp_expt_u32(a, (uint32_t)n, c);
	case OP_BIT_AND:
		return mp_and(a, b, c);
	case OP_BIT_OR:
		return mp_or(a, b, c);
	case OP_BIT_XOR:
		return mp_xor(a, b, c);
	case OP_SHL:
		return mp_mul_2d(a, n, c);
	default: /* OP_SHR */
		return mp_signed_rsh(a, n, c);
	}
}

static value
big_binary(vm *m, op_code op, const value *a, const value *b, int n)
{
	mp_int x, y, z;
	value out = V_THROWN;

	if (mp_init_multi(&x, &y, &z, NULL) != MP_OKAY)
		return vm_throw_memory(m);
	if (read_big(BIGINT(m, *a), &x) && read_big(BIGINT(m, *b), &y) &&
	    big_operate(op, &x, &y, n, &z) == MP_OKAY)
		out = big_value(m, &z);
	else
		vm_throw_memory(m);
	mp_clear_multi(&x, &y, &z, NULL);
	return out;
}

/* --------------------------------------------------------------- operators */

/* Of two that fit 64 bits; false: the result may not, or it is no such
 * operator. */
static bool
small_binary(op_code op, int64_t x, int64_t y, int64_t *out)
{
	switch (op) {
	case OP_ADD:
		return !__builtin_add_overflow(x, y, out);
	case OP_SUB:
		return !__builtin_sub_overflow(x, y, out);
	case OP_MUL:
		return !__builtin_mul_overflow(x, y, out);
	case OP_DIV:
		*out = x / y;
		return true;
	case OP_MOD:
		*out = x % y;
		return true;
	case OP_BIT_AND:
		*out = x & y;
		return true;
	case OP_BIT_OR:
		*out = x | y;
		return true;
	case OP_BIT_XOR:
		*out = x ^ y;
		return true;
	default:
		return false;
	}
}

static value
bigint_power(vm *m, const value *a, const value *b)
{
	const cell_bigint *base = BIGINT(m, *a), *e = BIGINT(m, *b);
	uint64_t n = bigint_to_uint64(e);

	if (e->negative)
		return vm_throw(m, ERROR_RANGE, "BigInt negative exponent");
	if (e->len == 0)
		return bigint_of_int64(m, 1);
	if (base->len == 0)
		return *a;
	if (base->len == 1 && base->limb[0] == 1)
		return bigint_of_int64(
		    m, base->negative && e->limb[0] & 1 ? -1 : 1);
	if (e->len > 1 || (bigint_bits(base) - 1) * n >= BIGINT_BITS)
		return too_large(m);
	if (!vm_steps(m, bigint_bits(base) * n / 64))
		return V_THROWN;
	return big_binary(m, OP_POW, a, b, (int)n);
}

static value
bigint_shift(vm *m, bool left, const value *a, const value *b)
{
	const cell_bigint *x = BIGINT(m, *a), *by = BIGINT(m, *b);
	bool far = by->len > 1 || (by->len == 1 && by->limb[0] > BIGINT_BITS);

	if (x->len == 0 || by->len == 0)
		return *a;
	if (by->negative)
		left = !left;
	if (far && left)
		return too_large(m);
	if (far)
		return bigint_of_int64(m, x->negative ? -1 : 0);
	return big_binary(m, left ? OP_SHL : OP_SHR, a, b, (int)by->limb[0]);
}

value
bigint_binary(vm *m, op_code op, const value *a, const value *b)
{
	const cell_bigint *x = BIGINT(m, *a), *y = BIGINT(m, *b);
	int64_t i, j, out;

	if ((op == OP_DIV || op == OP_MOD) && y->len == 0)
		return vm_throw(m, ERROR_RANGE, "BigInt division by zero");
	if (op == OP_POW)
		return bigint_power(m, a, b);
	if (op == OP_SHL || op == OP_SHR)
		return bigint_shift(m, op == OP_SHL, a, b);
	if (op == OP_USHR)
		return vm_throw(
		    m, ERROR_TYPE, "BigInt operands are forbidden for >>>");
	if (bigint_small(x, &i) && bigint_small(y, &j) &&
	    small_binary(op, i, j, &out))
		return bigint_of_int64(m, out);
	if (op == OP_MUL && bigint_bits(x) + bigint_bits(y) > BIGINT_BITS + 1)
		return too_large(m);
	if (!vm_steps(m, ((uint64_t)x->len + y->len) / 4))
		return V_THROWN;
	return big_binary(m, op, a, b, 0);
}

static value
bigint_negated(vm *m, const value *a)
{
	uint32_t limbs = BIGINT(m, *a)->len;
	cell_bigint *b;
	value out;

	if (!heap_reserve(H(m), bigint_bytes(limbs)))
		return vm_throw_memory(m);
	b = bigint_raw(m, limbs, limbs > 0 && !BIGINT(m, *a)->negative, &out);
	memcpy(b->limb, BIGINT(m, *a)->limb, (size_t)limbs * 4);
	return out;
}

value
bigint_unary(vm *m, op_code op, const value *a)
{
	value *one = &m->temp[27];

	if (op == OP_TO_NUMERIC)
		return *a;
	if (op == OP_NEGATE)
		return bigint_negated(m, a);
	*one = bigint_of_int64(m, -1);
	if (*one == V_THROWN)
		return V_THROWN;
	return bigint_binary(m,
	    op == OP_DECREMENT ? OP_ADD
	    : op == OP_BIT_NOT ? OP_BIT_XOR
			       : OP_SUB,
	    a, one);
}

int
bigint_compare(const cell_bigint *a, const cell_bigint *b)
{
	int sign = a->negative ? -1 : 1;

	if (a->negative != b->negative)
		return sign;
	if (a->len != b->len)
		return a->len < b->len ? -sign : sign;
	for (uint32_t i = a->len; i-- > 0;)
		if (a->limb[i] != b->limb[i])
			return a->limb[i] < b->limb[i] ? -sign : sign;
	return 0;
}

value
bigint_wrap(vm *m, const value *a, double bits, bool is_signed)
{
	mp_int x, power;
	value out = V_THROWN;
	int n;

	if (bits == 0)
		return bigint_of_int64(m, 0);
	/* What is shorter by a bit stays, except below 0 without a sign. */
	if (bits > (double)bigint_bits(BIGINT(m, *a)) &&
	    (is_signed || !BIGINT(m, *a)->negative))
		return *a;
	if (bits > BIGINT_BITS)
		return too_large(m);
	n = (int)bits;
	if (mp_init_multi(&x, &power, NULL) != MP_OKAY)
		return vm_throw_memory(m);
	if (!read_big(BIGINT(m, *a), &x) || mp_2expt(&power, n) != MP_OKAY ||
	    mp_mod(&x, &power, &x) != MP_OKAY ||
	    (is_signed && mp_count_bits(&x) == n &&
		mp_sub(&x, &power, &x) != MP_OKAY))
		vm_throw_memory(m);
	else
		out = big_value(m, &x);
	mp_clear_multi(&x, &power, NULL);
	return out;
}

/* ----------------------------------------------------------------- doubles */

/* The highest 64 bits, and in the lowest of them whether others are set. */
static uint64_t
top_bits(const cell_bigint *b)
{
	uint64_t top = 0;
	uint64_t bits = bigint_bits(b), shift = bits > 64 ? bits - 64 : 0;
	uint32_t from = (uint32_t)(shift / 32);
	unsigned part = shift % 32;

	for (uint32_t i = 0; from + i < b->len; i++)
		top |= i == 0 ? (uint64_t)b->limb[from] >> part
			      : (uint64_t)b->limb[from + i] << (32 * i - part);
	if (part > 0 && b->limb[from] << (32 - part))
		top |= 1;
	while (from > 0)
		top |= b->limb[--from] != 0;
	return top;
}

double
bigint_to_double(const cell_bigint *b)
{
	uint64_t bits = bigint_bits(b);
	double d;

	if (bits > 1024)
		return b->negative ? -INFINITY : INFINITY;
	d = ldexp((double)top_bits(b), bits > 64 ? (int)bits - 64 : 0);
	return b->negative ? -d : d;
}

value
bigint_of_double(vm *m, double d)
{
	int shift;
	uint64_t mantissa;
	uint32_t limbs, at;
	cell_bigint *b;
	value out;

	if (fabs(d) < 18446744073709551616.0)
		return bigint_of_magnitude(m, (uint64_t)fabs(d), d < 0);
	mantissa = (uint64_t)ldexp(frexp(fabs(d), &shift), 53);
	shift -= 53;
	limbs = ((uint32_t)shift + 53 + 31) / 32;
	if (!heap_reserve(H(m), bigint_bytes(limbs)))
		return vm_throw_memory(m);
	b = bigint_raw(m, limbs, d < 0, &out);
	memset(b->limb, 0, (size_t)limbs * 4);
	at = (uint32_t)shift / 32;
	for (unsigned part = (unsigned)shift % 32; at < limbs;
	     at++, mantissa >>= 32 - part, part = 0)
		b->limb[at] = (uint32_t)(mantissa << part);
	return out;
}

int
bigint_compare_double(const cell_bigint *b, double d)
{
	int sign = b->negative ? -1 : b->len > 0;
	int d_sign = d < 0 ? -1 : d > 0;
	int exponent;
	uint64_t bits = bigint_bits(b), top, whole;
	double size = fabs(d), fraction;

	if (isnan(d))
		return 2;
	if (sign != d_sign)
		return sign < d_sign ? -1 : 1;
	if (sign == 0)
		return 0;
	if (isinf(d))
		return -sign;
	fraction = frexp(size, &exponent); /* 2^(exponent-1) <= size */
	if (exponent < 1 || bits != (uint64_t)exponent)
		return exponent >= 1 && bits < (uint64_t)exponent ? -sign
								  : sign;
	if (bits > 64) {
		top = top_bits(b);
		whole = (uint64_t)ldexp(fraction, 64);
		return top == whole ? 0 : top < whole ? -sign : sign;
	}
	top = top_bits(b);
	whole = (uint64_t)size;
	if (top != whole)
		return top < whole ? -sign : sign;
	return size > floor(size) ? -sign : 0;
}

/* -------------------------------------------------------------------- text */

/* So many digits of a radix fit a limb; *power: that power of it. */
static int
digits_of_limb(uint32_t radix, uint32_t *power)
{
	int n = 0;

	for (*power = 1; (uint64_t)*power * radix <= UINT32_MAX; n++)
		*power *= radix;
	return n;
}

static uint32_t
divide_limbs(uint32_t *limb, uint32_t len, uint32_t by)
{
	uint64_t rest = 0;

	for (uint32_t i = len; i-- > 0;) {
		rest = rest << 32 | limb[i];
		limb[i] = (uint32_t)(rest / by);
		rest %= by;
	}
	return (uint32_t)rest;
}

/* Writes digits from the end of a room; limb is spent. */
static char *
write_limbs(uint32_t *limb, uint32_t len, uint32_t radix, char *end)
{
	uint32_t power;
	int n = digits_of_limb(radix, &power);

	while (len > 0) {
		uint32_t rest = divide_limbs(limb, len, power);

		while (len > 0 && limb[len - 1] == 0)
			len--;
		for (int i = 0; len > 0 ? i < n : rest > 0; i++) {
			*--end = "0123456789abcdefghijklmnopqrstuvwxyz"[rest %
									radix];
			rest /= radix;
		}
	}
	return end;
}

value
bigint_text(vm *m, const value *v, int radix)
{
	const cell_bigint *b = BIGINT(m, *v);
	size_t digits = (size_t)((double)bigint_bits(b) / log2(radix)) + 4;
	size_t limb_bytes = (size_t)b->len * 4, bytes = limb_bytes + digits;
	char *room, *end, *from;
	ref r;

	if (!vm_steps(m, (uint64_t)b->len * b->len / 256))
		return V_THROWN;
	room = mem_new(m->alloc, bytes);
	if (room == NULL)
		return vm_throw_memory(m);
	end = room + bytes;
	memcpy(room, b->limb, limb_bytes);
	from =
	    write_limbs((uint32_t *)(void *)room, b->len, (uint32_t)radix, end);
	if (from == end)
		*--from = '0';
	if (b->negative)
		*--from = '-';
	r = str_of_latin1(H(m), from, (uint32_t)(end - from));
	mem_free(m->alloc, room, bytes);
	return r ? v_of_string(r) : vm_throw_memory(m);
}

static int
digit_of(uint16_t c)
{
	if (c >= '0' && c <= '9')
		return c - '0';
	if (c < 0x80 && (c | 0x20) >= 'a' && (c | 0x20) <= 'z')
		return (c | 0x20) - 'a' + 10;
	return 99;
}

/* Appends digits to a number: limb = limb * power + more. */
static uint32_t
append_limb(uint32_t *limb, uint32_t len, uint32_t power, uint32_t more)
{
	uint64_t carry = more;

	for (uint32_t i = 0; i < len; i++) {
		carry += (uint64_t)limb[i] * power;
		limb[i] = (uint32_t)carry;
		carry >>= 32;
	}
	if (carry > 0)
		limb[len++] = (uint32_t)carry;
	return len;
}

/* Digits [from, to) of a flat string. V_UNDEFINED: others are among them. The
 * room in the heap is what they need at most; _ is left out. */
static value
digits_value(vm *m, const value *flat, uint32_t from, uint32_t to,
    uint32_t radix, bool negative)
{
	uint32_t most, len = 0, power = 1, part = 0;
	cell_bigint *b;
	value out;

	while (from + 1 < to && str_unit(STR(m, *flat), from) == '0')
		from++;
	if ((double)(to - from - 1) * log2(radix) > BIGINT_BITS)
		return too_large(m);
	most = (uint32_t)((double)(to - from) * log2(radix) / 32) + 2;
	if (!vm_steps(m, (uint64_t)most * most / 256))
		return V_THROWN;
	if (!heap_reserve(H(m), bigint_bytes(most)))
		return vm_throw_memory(m);
	b = bigint_raw(m, most, negative, &out);
	for (uint32_t i = from; i < to; i++) {
		int digit = digit_of(str_unit(STR(m, *flat), i));

		if (digit >= (int)radix)
			return V_UNDEFINED;
		part = part * radix + (uint32_t)digit;
		power *= radix;
		if (i + 1 == to || (uint64_t)power * radix > UINT32_MAX) {
			len = append_limb(b->limb, len, power, part);
			power = 1;
			part = 0;
		}
	}
	b->len = len;
	b->negative = negative && len > 0;
	return out;
}

static uint32_t
radix_of_prefix(const cell_string *s, uint32_t at, uint32_t to)
{
	if (to - at < 3 || str_unit(s, at) != '0')
		return 10;
	switch (str_unit(s, at + 1) | 0x20) {
	case 'x':
		return 16;
	case 'o':
		return 8;
	case 'b':
		return 2;
	default:
		return 10;
	}
}

value
bigint_of_string(vm *m, const value *flat)
{
	const cell_string *s = STR(m, *flat);
	uint32_t from = 0, to = s->len, radix;
	bool negative = false;

	while (to > 0 && unit_is_space(str_unit(s, to - 1)))
		to--;
	while (from < to && unit_is_space(str_unit(s, from)))
		from++;
	if (from == to)
		return bigint_of_int64(m, 0);
	radix = radix_of_prefix(s, from, to);
	if (radix != 10) {
		from += 2;
	} else if (str_unit(s, from) == '-' || str_unit(s, from) == '+') {
		negative = str_unit(s, from++) == '-';
		if (from == to)
			return V_UNDEFINED;
	}
	return digits_value(m, flat, from, to, radix, negative);
}

value
bigint_of_literal(vm *m, text t)
{
	char *plain = mem_new(m->alloc, t.len + 1);
	size_t n = 0;
	ref r;

	if (plain == NULL)
		return vm_throw_memory(m);
	for (size_t i = 0; i < t.len; i++)
		if (t.ptr[i] != '_')
			plain[n++] = t.ptr[i];
	r = str_of_latin1(H(m), plain, (uint32_t)n);
	mem_free(m->alloc, plain, t.len + 1);
	if (r == 0)
		return vm_throw_memory(m);
	m->temp[27] = v_of_string(r);
	return bigint_of_string(m, &m->temp[27]);
}

value
bigint_of_value(vm *m, value *v)
{
	value out;

	if (v_is_bigint(*v))
		return *v;
	if (v_is_bool(*v))
		return bigint_of_int64(m, *v == V_TRUE);
	if (!v_is_string(*v))
		return vm_throw(m, ERROR_TYPE, "cannot convert to BigInt");
	if (!str_flatten(H(m), v))
		return vm_throw_memory(m);
	out = bigint_of_string(m, v);
	return out == V_UNDEFINED
		   ? vm_throw(m, ERROR_SYNTAX, "invalid BigInt literal")
		   : out;
}
