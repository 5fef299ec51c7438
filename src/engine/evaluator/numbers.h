/* SPDX-License-Identifier: MIT */
/*
 * numbers.h -- numbers as text, text as numbers, and BigInts.
 *
 * vm_number.c has what concerns doubles; no locale has a part in it.
 * vm_bigint.c has BigInts: those of 64 bits it computes itself, for the others
 * it asks libtommath.
 */
#ifndef EVALUATOR_NUMBERS_H
#define EVALUATOR_NUMBERS_H

#include "vm.h"

/* ----------------------------------------------------------------- doubles */

/* The fewest digits that are d and no other number (d > 0, finite), as text;
 * d = 0.DIGITS * 10 ^ *point. Their count. */
int number_digits(double d, char digits[18], int *point);
/* toString(radix) of a finite number; the length. */
size_t number_radix_text(double d, int radix, char out[2300]);
/* toFixed, toExponential and toPrecision of a finite number. */
size_t number_fixed_text(double d, int fraction, char out[512]);
/* fraction < 0: as many digits as are needed. */
size_t number_exponential_text(double d, int fraction, char out[512]);
size_t number_precision_text(double d, int precision, char out[512]);

/* x ** y */
double number_power(double x, double y);

/* White space and line ends of ECMA-262. */
bool unit_is_space(uint16_t unit);
/* Reads StrDecimalLiteral at *at, and moves *at behind it: parseFloat. False:
 * there is none. */
bool number_read(const cell_string *flat, uint32_t *at, double *out);
/* Digits in a radix from *at on, which moves behind them; none: NaN. */
double number_read_radix(const cell_string *flat, uint32_t *at, int radix);

/* ----------------------------------------------------------------- BigInts */

enum { BIGINT_BITS = 1 << 20 }; /* a longer one is a RangeError */

/* The absolute value, the lowest limb first; the highest one is not 0. */
typedef struct cell_bigint {
	cell head;
	uint32_t negative;
	uint32_t len;
	uint32_t limb[];
} cell_bigint;

#define BIGINT(m, v) CELL(H(m), v_ref(v), cell_bigint)

static inline bool
v_is_bigint(value v)
{
	return v_tag(v) == TAG_BIGINT;
}

/* All that return a value: V_THROWN when there is no memory. Pointers are to
 * roots. */
value bigint_of_int64(vm *m, int64_t i);
value bigint_of_uint64(vm *m, uint64_t u);
/* Modulo 2 ^ 64. */
uint64_t bigint_to_uint64(const cell_bigint *b);
/* A literal's text without its n. */
value bigint_of_literal(vm *m, text t);
/* StringToBigInt; V_UNDEFINED: it is none. */
value bigint_of_string(vm *m, const value *flat);
/* Of a number without a fraction. */
value bigint_of_double(vm *m, double d);
double bigint_to_double(const cell_bigint *b);
/* As a string of the machine. */
value bigint_text(vm *m, const value *b, int radix);
/* -1, 0, 1. */
int bigint_compare(const cell_bigint *a, const cell_bigint *b);
/* The same; 2: d is NaN. */
int bigint_compare_double(const cell_bigint *a, double d);
value bigint_binary(vm *m, op_code op, const value *a, const value *b);
value bigint_unary(vm *m, op_code op, const value *a);
/* BigInt.asIntN, BigInt.asUintN. */
value bigint_wrap(vm *m, const value *a, double bits, bool is_signed);
/* ToBigInt of a primitive. */
value bigint_of_value(vm *m, value *v);

#endif
