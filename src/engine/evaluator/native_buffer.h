/* SPDX-License-Identifier: MIT */
/*
 * native_buffer.h -- ArrayBuffer, typed arrays and DataView: their bytes, and
 * the elements of typed arrays as properties.
 *
 * The bytes are a CELL_BYTES, whose .len is the length of the buffer and whose
 * cell may have room for more. A view names its buffer, never the bytes, so a
 * buffer that is resized or detached takes its views along.
 */
#ifndef EVALUATOR_NATIVE_BUFFER_H
#define EVALUATOR_NATIVE_BUFFER_H

#include "vm.h"

/* Internal values of CLASS_BUFFER: the cell, V_NULL once detached; the largest
 * length of one that can be resized, or V_UNDEFINED. */
enum { BUFFER_BYTES, BUFFER_MAX };

/* Of CLASS_VIEW: the object of the buffer; bytes before the first element; how
 * many elements (of a DataView: bytes), V_UNDEFINED: up to the end of the
 * buffer; a view_kind. */
enum { VIEW_BUFFER, VIEW_OFFSET, VIEW_LENGTH, VIEW_KIND };

typedef enum view_kind {
	VIEW_INT8,
	VIEW_UINT8,
	VIEW_CLAMPED,
	VIEW_INT16,
	VIEW_UINT16,
	VIEW_INT32,
	VIEW_UINT32,
	VIEW_FLOAT16,
	VIEW_FLOAT32,
	VIEW_FLOAT64,
	VIEW_BIGINT64,
	VIEW_BIGUINT64,
	VIEW_DATA /* a DataView: an ordinary object */
} view_kind;

/* Is it a typed array? Only of one are the functions below asked. */
bool buffer_is_array(const vm *m, value o);
/* Elements; 0 while the buffer is detached or too short for the view. */
uint32_t buffer_length(const vm *m, value o);
/* PROP_DONE, PROP_ABSENT (as element i of all objects that have none: no
 * prototype is asked), PROP_THROWN (a BigInt without memory). */
prop_end buffer_get(vm *m, value *o, uint32_t i, value *out);
/* Converts the value and sets the element, where there is one: PROP_DONE in any
 * case. PROP_THROWN. PROP_SLOW: *v is an object; $view_set(o, i, v) does it. */
prop_end buffer_set(vm *m, value *o, uint32_t i, value *v);
bool buffer_has(const vm *m, value o, uint32_t i);
/* Is the key, an atom, a number in its canonical form ("-0", "1.5", "NaN")?
 * Typed arrays have no such property, and none can be made. */
bool buffer_numeric_key(vm *m, value key);

/* The double nearest to a binary16 and back (ties to even). */
double half_to_double(uint16_t bits);
uint16_t half_of_double(double d);

/* A Uint8Array of these bytes, which are outside of the heap. V_THROWN. */
value buffer_of_bytes(vm *m, const void *bytes, size_t len);
/* The bytes of a Uint8Array; they stay until the heap is reserved. */
text buffer_bytes(const vm *m, value o);

#endif
