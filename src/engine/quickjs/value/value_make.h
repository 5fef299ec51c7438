/* SPDX-License-Identifier: MIT */
/*
 * value_make.h -- new values, written into the linear memory.
 *
 * JS_EXCEPTION (or 0) means out of memory: the error is thrown, and the values
 * that were passed in still belong to the caller.
 */
#ifndef VALUE_MAKE_H
#define VALUE_MAKE_H

#include "engine/quickjs/qjs.h"

/* A string of ASCII. */
js make_ascii(engine *e, const char *p, size_t len);
/* raw: the text between the quotes of a checked JSON string. */
js make_string(engine *e, text raw);
/* A number as JSON.parse gives it. */
js make_double(double d);
/* An array of these values; they become the array's. */
js make_array_from(engine *e, const js *value, uint32_t len);
/* The same. The values are in a block of js_malloc with room for cap, and the
 * block becomes the array's. */
js make_array_of(engine *e, uint32_t values, uint32_t len, uint32_t cap);

/* The shape of an object, for more objects with the same members. */
typedef struct make_shape {
	uint32_t at;   /* JSShape; 0: such objects cannot be made */
	uint32_t room; /* entries of their property table */
} make_shape;

/* The shape of an object that has just got `members` members, one after the
 * other. */
make_shape make_shape_of(engine *e, js object, uint32_t members);
/* An object of that shape with these values, in order; they become the
 * object's. The shape must be alive: some object has it. */
js make_object(engine *e, make_shape shape, const js *value, uint32_t len);

/* Cycles are not collected while values are made. make_collect runs before
 * `bytes` bytes of JSON become values, and collects if the module would have
 * done so meanwhile; make_collected runs after it. */
void make_collect(engine *e, size_t bytes);
void make_collected(engine *e);

#endif
