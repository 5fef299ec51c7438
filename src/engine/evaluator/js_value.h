/* SPDX-License-Identifier: MIT */
/*
 * js_value.h -- a value of a script in 64 bits.
 *
 * A double is itself. Everything else is a NaN that arithmetic never makes: the
 * upper 16 bits say what it is, the lower 32 hold an int32 or the place of a
 * cell in the run's heap (heap.h), counted in units of 8 bytes from its
 * beginning. So a heap can be moved, written to a file and read elsewhere.
 */
#ifndef EVALUATOR_JS_VALUE_H
#define EVALUATOR_JS_VALUE_H

#include <stdbool.h>
#include <stdint.h>
#include <string.h>

typedef uint64_t value;
typedef uint32_t ref; /* of a cell; 0: none */

#define V_TAG(name) ((value)(name) << 48)

enum {
	TAG_INT = 0xfff9,
	TAG_OBJECT = 0xfffa,
	TAG_STRING = 0xfffb,
	TAG_SYMBOL = 0xfffc,
	TAG_BIGINT = 0xfffd,
	TAG_CELL = 0xfffe, /* a cell that no script sees: a scope ... */
	TAG_MISC = 0xffff
};

#define V_UNDEFINED (V_TAG(TAG_MISC) | 0)
#define V_NULL      (V_TAG(TAG_MISC) | 1)
#define V_FALSE     (V_TAG(TAG_MISC) | 2)
#define V_TRUE      (V_TAG(TAG_MISC) | 3)
#define V_HOLE      (V_TAG(TAG_MISC) | 4) /* no element; a let not yet set */
#define V_NAN       0x7ff8000000000000u

static inline unsigned
v_tag(value v)
{
	return (unsigned)(v >> 48);
}

static inline bool
v_is_double(value v)
{
	return v <= V_TAG(0xfff8);
}

static inline bool
v_is_int(value v)
{
	return v_tag(v) == TAG_INT;
}

static inline bool
v_is_number(value v)
{
	return v < V_TAG(TAG_OBJECT);
}

static inline bool
v_is_object(value v)
{
	return v_tag(v) == TAG_OBJECT;
}

static inline bool
v_is_string(value v)
{
	return v_tag(v) == TAG_STRING;
}

/* undefined or null */
static inline bool
v_is_nullish(value v)
{
	return (v | 1) == V_NULL;
}

static inline bool
v_is_bool(value v)
{
	return (v | 1) == V_TRUE;
}

/* Of a cell that collection keeps and moves. */
static inline bool
v_has_cell(value v)
{
	return v_tag(v) - TAG_OBJECT <= TAG_CELL - TAG_OBJECT;
}

static inline int32_t
v_int(value v)
{
	return (int32_t)(uint32_t)v;
}

static inline ref
v_ref(value v)
{
	return (ref)v;
}

static inline value
v_of_int(int32_t i)
{
	return V_TAG(TAG_INT) | (uint32_t)i;
}

static inline value
v_of_bool(bool b)
{
	return b ? V_TRUE : V_FALSE;
}

static inline value
v_of_ref(unsigned tag, ref r)
{
	return V_TAG(tag) | r;
}

static inline value
v_of_object(ref r)
{
	return v_of_ref(TAG_OBJECT, r);
}

static inline value
v_of_string(ref r)
{
	return v_of_ref(TAG_STRING, r);
}

/* A value that is a double, and as a double. */
static inline double
v_bits_double(value v)
{
	double d;

	memcpy(&d, &v, sizeof(d));
	return d;
}

static inline value
v_of_double_bits(double d)
{
	value v;

	if (d != d)
		return V_NAN;
	memcpy(&v, &d, sizeof(v));
	return v;
}

/* An int32 where it is one, but not for -0. */
static inline value
v_of_number(double d)
{
	int32_t i = d >= -2147483648.0 && d <= 2147483647.0 ? (int32_t)d : 0;
	value v = v_of_double_bits(d);

	return v == v_of_double_bits((double)i) ? v_of_int(i) : v;
}

/* Of a number. */
static inline double
v_number(value v)
{
	return v_is_int(v) ? (double)v_int(v) : v_bits_double(v);
}

#endif
