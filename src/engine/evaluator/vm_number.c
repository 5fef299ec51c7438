/* SPDX-License-Identifier: MIT */
/*
 * vm_number.c -- numbers as text and text as numbers.
 *
 * printf and strtod round correctly, so they do the arithmetic; they are given
 * and asked for digits and an exponent, never a decimal point, which a locale
 * may change.
 */
#include <float.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>

#include "numbers.h"

/* --------------------------------------------------------------- as digits */

/* d > 0 in n digits, correctly rounded; d = 0.DIGITS * 10 ^ *point. */
static void
round_digits(double d, int n, char *digits, int *point)
{
	char chars[128];
	const char *p = chars;
	int i = 0;

	snprintf(chars, sizeof(chars), "%.*e", n - 1, d);
	for (; *p != 'e'; p++)
		if (*p >= '0' && *p <= '9')
			digits[i++] = *p;
	digits[i] = '\0';
	*point = atoi(p + 1) + 1;
}

static double
digits_number(const char *digits, int n, int point)
{
	char chars[64], *p = chars + n;
	int exponent = point - n;
	char back[8];
	int len = 0;

	memcpy(chars, digits, (size_t)n);
	*p++ = 'e';
	if (exponent < 0)
		*p++ = '-';
	exponent = abs(exponent);
	do
		back[len++] = (char)('0' + exponent % 10);
	while ((exponent /= 10) > 0);
	while (len > 0)
		*p++ = back[--len];
	*p = '\0';
	return strtod(chars, NULL);
}

/* The next digits of the same count: 1.29 is 1.30. False: they are all 9. */
static bool
next_digits(char *digits, int n)
{
	while (n > 0 && digits[n - 1] == '9')
		digits[--n] = '0';
	if (n == 0)
		return false;
	digits[n - 1]++;
	return true;
}

/* Is that the number? At a power of two the numbers below are closer than those
 * above, so the digits next to d may be nearer to another number, and those
 * after them not. */
static bool
digits_suffice(double d, int n, char *digits, int point)
{
	int two;

	if (digits_number(digits, n, point) == d)
		return true;
	return frexp(d, &two) == 0.5 && next_digits(digits, n) &&
	       digits_number(digits, n, point) == d;
}

/* From 17 digits to 16; false: what is behind them decides. */
static bool
drop_digit(char *digits, int *point)
{
	char last = digits[16];

	if (last == '5')
		return false;
	digits[16] = '\0';
	if (last < '5' || next_digits(digits, 16))
		return true;
	digits[0] = '1'; /* they were all 9 */
	++*point;
	return true;
}

/* Of a number that needs more than 15 digits, or of a subnormal one. */
static int
long_digits(double d, char digits[18], int *point)
{
	char all[18];
	int n = 1;

	for (; d < DBL_MIN && n < 16; n++) {
		round_digits(d, n, digits, point);
		if (digits_suffice(d, n, digits, *point))
			return n;
	}
	round_digits(d, 17, all, point);
	memcpy(digits, all, sizeof(all));
	n = *point;
	if (!drop_digit(digits, &n))
		round_digits(d, 16, digits, &n);
	if (digits_suffice(d, 16, digits, n)) {
		*point = n;
		return 16;
	}
	memcpy(digits, all, sizeof(all));
	return 17;
}

static const double power_of_ten[] = {1e0, 1e1, 1e2, 1e3, 1e4, 1e5, 1e6, 1e7,
    1e8, 1e9, 1e10, 1e11, 1e12, 1e13, 1e14, 1e15, 1e16, 1e17, 1e18, 1e19, 1e20,
    1e21, 1e22};

/*
 * An integer of 15 digits and a power of ten of at most 22 are exact, so their
 * quotient is the number that the text means. When no such integer gives d, no
 * text of 15 digits does: d times the power is wrong by less than a half.
 * Returns its digits, 0: there are none.
 */
static int
short_digits(double d, char digits[18], int *point)
{
	for (int k = 0; k <= 22; k++) {
		double n = rint(d * power_of_ten[k]);
		uint64_t u = (uint64_t)n;
		int len = 0;

		if (n >= 1e15)
			return 0;
		if (n == 0 || n / power_of_ten[k] != d)
			continue;
		for (uint64_t v = u; v > 0; v /= 10)
			len++;
		for (int i = len; i-- > 0; u /= 10)
			digits[i] = (char)('0' + u % 10);
		*point = len - k;
		return len;
	}
	return 0;
}

static int
trim_zeros(const char *digits, int n)
{
	while (n > 1 && digits[n - 1] == '0')
		n--;
	return n;
}

int
number_digits(double d, char digits[18], int *point)
{
	int n = 0;

	if (d < 1e15 && d > 1e-7)
		n = short_digits(d, digits, point);
	else if (d >= DBL_MIN) {
		round_digits(d, 15, digits, point);
		n = digits_suffice(d, 15, digits, *point) ? 15 : 0;
	}
	if (n == 0)
		n = long_digits(d, digits, point);
	return trim_zeros(digits, n);
}

/* ------------------------------------------------------------------ as text */

static size_t
put_zeros(char *out, int n)
{
	if (n <= 0)
		return 0;
	memset(out, '0', (size_t)n);
	return (size_t)n;
}

/* 0.DIGITS * 10 ^ point without an exponent. */
static size_t
text_without_exponent(const char *digits, int n, int point, char *out)
{
	size_t len = 0;
	int whole = point < n ? point : n;

	if (point <= 0) {
		out[len++] = '0';
	} else {
		memcpy(out, digits, (size_t)whole);
		len = (size_t)whole;
		len += put_zeros(out + len, point - n);
	}
	if (n <= point)
		return len;
	out[len++] = '.';
	if (point < 0)
		len += put_zeros(out + len, -point);
	if (whole < 0)
		whole = 0;
	memcpy(out + len, digits + whole, (size_t)(n - whole));
	return len + (size_t)(n - whole);
}

static size_t
text_with_exponent(const char *digits, int n, int point, char *out)
{
	size_t len = 0;

	out[len++] = digits[0];
	if (n > 1) {
		out[len++] = '.';
		memcpy(out + len, digits + 1, (size_t)n - 1);
		len += (size_t)n - 1;
	}
	return len + (size_t)snprintf(out + len, 8, "e%+d", point - 1);
}

static size_t
int_text(uint32_t u, char *out)
{
	char back[10];
	size_t n = 0;

	do
		back[n++] = (char)('0' + u % 10);
	while ((u /= 10) != 0);
	for (size_t i = 0; i < n; i++)
		out[i] = back[n - 1 - i];
	return n;
}

/* The minus sign of a number below 0, and *d loses it. */
static size_t
put_sign(double *d, char *out)
{
	bool negative = *d < 0;

	*d = fabs(*d);
	out[0] = '-';
	return negative;
}

size_t
vm_number_text(double d, char out[32])
{
	char digits[18];
	size_t sign;
	int n, point;

	if (isnan(d))
		return (size_t)sprintf(out, "NaN");
	sign = put_sign(&d, out);
	if (isinf(d))
		return sign + (size_t)sprintf(out + sign, "Infinity");
	if (d < 4294967296.0 && d == (uint32_t)d)
		return sign + int_text((uint32_t)d, out + sign);
	n = number_digits(d, digits, &point);
	if (point > 21 || point < -5)
		return sign + text_with_exponent(digits, n, point, out + sign);
	return sign + text_without_exponent(digits, n, point, out + sign);
}

/* --------------------------------------------------- so and so many digits */

/*
 * Of two texts that are equally near the standard wants the greater one, printf
 * the even one. Such a d has exactly one more bit behind the point than places
 * are kept: then the number after it is printed, which cannot be halfway.
 */
static double
round_up_halves(double d, int places)
{
	double scaled;
	bool half;

	if (places >= 0) {
		scaled = ldexp(d, places + 1);
		half = scaled < 9007199254740992.0 && scaled == trunc(scaled) &&
		       fmod(scaled, 2) == 1;
	} else if (places < -22) {
		half = false; /* 5 ^ 23 is no factor of a mantissa */
	} else {
		half = fmod(d, pow(10, -places)) == 5 * pow(10, -places - 1);
	}
	return half ? nextafter(d, INFINITY) : d;
}

size_t
number_fixed_text(double d, int fraction, char out[512])
{
	size_t sign = put_sign(&d, out), len;
	char *point;

	len = sign + (size_t)snprintf(out + sign, 512 - sign, "%.*f", fraction,
			 round_up_halves(d, fraction));
	point = out + len - fraction - 1;
	if (fraction > 0)
		*point = '.';
	return len;
}

/* d > 0 in n digits, halves up. */
static void
precise_digits(double d, int n, char *digits, int *point)
{
	round_digits(d, n, digits, point);
	round_digits(round_up_halves(d, n - *point), n, digits, point);
}

size_t
number_exponential_text(double d, int fraction, char out[512])
{
	char digits[128];
	size_t sign = put_sign(&d, out);
	int point = 1, n = fraction < 0 ? 1 : fraction + 1;

	if (d == 0)
		put_zeros(digits, n);
	else if (fraction < 0)
		n = number_digits(d, digits, &point);
	else
		precise_digits(d, n, digits, &point);
	return sign + text_with_exponent(digits, n, point, out + sign);
}

size_t
number_precision_text(double d, int n, char out[512])
{
	char digits[128];
	size_t sign = put_sign(&d, out);
	int point = 1;

	if (d == 0)
		put_zeros(digits, n);
	else
		precise_digits(d, n, digits, &point);
	if (point < -5 || point > n)
		return sign + text_with_exponent(digits, n, point, out + sign);
	return sign + text_without_exponent(digits, n, point, out + sign);
}

/* --------------------------------------------------------------- in a radix */

static const char radix_digits[] = "0123456789abcdefghijklmnopqrstuvwxyz";

static int
radix_value(uint16_t code_unit)
{
	if (code_unit >= '0' && code_unit <= '9')
		return code_unit - '0';
	if ((code_unit | 0x20) >= 'a' && (code_unit | 0x20) <= 'z' &&
	    code_unit < 0x80)
		return (code_unit | 0x20) - 'a' + 10;
	return 99;
}

/* Digits behind the point until no other number is as near; returns 1 when
 * they round up to 1. */
static int
fraction_text(double f, double half_step, int radix, char *out, size_t *len)
{
	size_t n = 0;
	int up = 0;

	do {
		int digit;

		f *= radix;
		half_step *= radix;
		digit = (int)f;
		f -= digit;
		out[n++] = (char)digit;
		up = f > 0.5 || (f == 0.5 && digit % 2 != 0);
		if (up && f + half_step > 1)
			break;
		up = 0;
	} while (f >= half_step);
	while (up && n > 0) {
		up = ++out[n - 1] == radix;
		if (up)
			n--;
	}
	for (size_t i = 0; i < n; i++)
		out[i] = radix_digits[(int)out[i]];
	*len = n;
	return up;
}

size_t
number_radix_text(double d, int radix, char out[2300])
{
	char fraction[1100], back[1100];
	size_t len = put_sign(&d, out), n = 0, digits = 0;
	double whole = floor(d), half_step;

	half_step = fmax(0.5 * (nextafter(d, INFINITY) - d), 4.9e-324);
	if (d - whole >= half_step)
		whole += fraction_text(
		    d - whole, half_step, radix, fraction, &digits);
	while (whole >= 9007199254740992.0) {
		double rest = fmod(whole, radix);

		/* Digits that the number does not say are 0. */
		if (ldexp(1, ilogb(whole) - 52) >= radix)
			rest = 0;
		back[n++] = radix_digits[(int)rest];
		whole = floor((whole - rest) / radix);
	}
	do {
		double rest = fmod(whole, radix);

		back[n++] = radix_digits[(int)rest];
		whole = (whole - rest) / radix;
	} while (whole > 0);
	while (n > 0)
		out[len++] = back[--n];
	if (digits > 0) {
		out[len++] = '.';
		memcpy(out + len, fraction, digits);
		len += digits;
	}
	return len;
}

/* --------------------------------------------------------------- from text */

bool
unit_is_space(uint16_t c)
{
	if (c < 0x80)
		return c == ' ' || (c >= 9 && c <= 13);
	return c == 0xa0 || c == 0x1680 || (c >= 0x2000 && c <= 0x200a) ||
	       c == 0x2028 || c == 0x2029 || c == 0x202f || c == 0x205f ||
	       c == 0x3000 || c == 0xfeff;
}

/* The unit at i; 0 behind the end. */
static uint16_t
peek_unit(const cell_string *s, uint32_t i)
{
	return i < s->len ? str_unit(s, i) : 0;
}

static bool
is_digit_unit(uint16_t c)
{
	return c >= '0' && c <= '9';
}

/* More digits than these cannot change the double next to a number, except by
 * not being zero: a last 1 stands for that. */
enum { SIGNIFICANT = 800 };

typedef struct decimal_digits {
	char text[SIGNIFICANT + 32];
	int n;
	int64_t exponent; /* of the last digit */
	bool any, more;
} decimal_digits;

static void
gather_digits(decimal_digits *d, const cell_string *s, uint32_t *at, bool whole)
{
	for (uint16_t c; is_digit_unit(c = peek_unit(s, *at)); ++*at) {
		d->any = true;
		if (d->n < SIGNIFICANT) {
			if (d->n > 0 || c != '0')
				d->text[d->n++] = (char)c;
			d->exponent -= !whole;
		} else {
			d->more |= c != '0';
			d->exponent += whole;
		}
	}
}

static int64_t
read_decimal_exponent(const cell_string *s, uint32_t *at)
{
	uint32_t i = *at;
	uint16_t sign;
	int64_t e = 0;

	if ((peek_unit(s, i) | 0x20) != 'e')
		return 0;
	sign = peek_unit(s, ++i);
	if (sign == '+' || sign == '-')
		i++;
	if (!is_digit_unit(peek_unit(s, i)))
		return 0;
	for (uint16_t c; is_digit_unit(c = peek_unit(s, i)); i++)
		if (e < INT32_MAX * (int64_t)8)
			e = e * 10 + (c - '0');
	*at = i;
	return sign == '-' ? -e : e;
}

static bool
read_infinity(const cell_string *s, uint32_t *at)
{
	static const char word[] = "Infinity";

	for (uint32_t i = 0; i < sizeof(word) - 1; i++)
		if (peek_unit(s, *at + i) != (uint16_t)word[i])
			return false;
	*at += sizeof(word) - 1;
	return true;
}

static double
value_of_digits(decimal_digits *d)
{
	uint64_t u = 0;

	if (d->n == 0)
		return 0;
	/* Both are exact, so one rounding is right. */
	if (d->n <= 15 && d->exponent >= -22 && d->exponent <= 22) {
		for (int i = 0; i < d->n; i++)
			u = u * 10 + (uint64_t)(d->text[i] - '0');
		return d->exponent < 0 ? (double)u / power_of_ten[-d->exponent]
				       : (double)u * power_of_ten[d->exponent];
	}
	if (d->more) {
		d->text[d->n++] = '1';
		d->exponent--;
	}
	if (d->exponent > 1000000000)
		return INFINITY;
	if (d->exponent < -1000000000)
		return 0;
	sprintf(d->text + d->n, "e%d", (int)d->exponent);
	return strtod(d->text, NULL);
}

bool
number_read(const cell_string *s, uint32_t *at, double *out)
{
	decimal_digits d = {.n = 0};
	uint32_t i = *at;
	bool negative = peek_unit(s, i) == '-';

	if (negative || peek_unit(s, i) == '+')
		i++;
	if (read_infinity(s, &i)) {
		*out = INFINITY;
	} else {
		gather_digits(&d, s, &i, true);
		if (peek_unit(s, i) == '.' &&
		    (d.any || is_digit_unit(peek_unit(s, i + 1)))) {
			i++;
			gather_digits(&d, s, &i, false);
		}
		if (!d.any)
			return false;
		d.exponent += read_decimal_exponent(s, &i);
		*out = value_of_digits(&d);
	}
	if (negative)
		*out = -*out;
	*at = i;
	return true;
}

/* Digits whose radix is a power of two: the bits behind the first 64 only say
 * whether the rest is 0. */
static double
read_bits(const cell_string *s, uint32_t *at, int bits)
{
	uint64_t u = 0;
	int over = 0, digit;

	for (; (digit = radix_value(peek_unit(s, *at))) < 1 << bits; ++*at) {
		if (over == 0 && u >> (64 - bits) == 0) {
			u = u << bits | (uint64_t)digit;
		} else {
			u |= digit != 0;
			over += over < 100000 ? bits : 0;
		}
	}
	return ldexp((double)u, over);
}

static double
read_decimal(const cell_string *s, uint32_t *at)
{
	decimal_digits d = {.n = 0};

	gather_digits(&d, s, at, true);
	return value_of_digits(&d);
}

double
number_read_radix(const cell_string *s, uint32_t *at, int radix)
{
	double d = 0;
	int digit;

	if (radix_value(peek_unit(s, *at)) >= radix)
		return NAN;
	if (radix == 10)
		return read_decimal(s, at);
	if ((radix & (radix - 1)) == 0)
		return read_bits(s, at, __builtin_ctz((unsigned)radix));
	for (; (digit = radix_value(peek_unit(s, *at))) < radix; ++*at)
		d = d * radix + digit;
	return d;
}

static int
prefix_radix(const cell_string *s, uint32_t at)
{
	if (peek_unit(s, at) != '0')
		return 0;
	switch (peek_unit(s, at + 1) | 0x20) {
	case 'x':
		return 16;
	case 'o':
		return 8;
	case 'b':
		return 2;
	default:
		return 0;
	}
}

double
vm_string_to_number(vm *m, const cell_string *s)
{
	uint32_t from = 0, to = s->len;
	int radix;
	double d;

	(void)m;
	while (to > 0 && unit_is_space(str_unit(s, to - 1)))
		to--;
	while (from < to && unit_is_space(str_unit(s, from)))
		from++;
	if (from == to)
		return 0;
	radix = prefix_radix(s, from);
	if (radix != 0) {
		from += 2;
		d = number_read_radix(s, &from, radix);
		return from == to ? d : NAN;
	}
	return number_read(s, &from, &d) && from == to ? d : NAN;
}
