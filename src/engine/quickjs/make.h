/* SPDX-License-Identifier: MIT */
/*
 * make.h -- values made in the linear memory by our own hand.
 *
 * JS_EXCEPTION (or 0) means out of memory: the error is thrown, and what was
 * passed in is still the caller's.
 */
#ifndef QUICKJS_MAKE_H
#define QUICKJS_MAKE_H

#include "vm.h"

/* A string of ASCII. */
js make_ascii(engine *e, const char *p, size_t len);
/* What stands between the quotes of a checked JSON string. */
js make_string(engine *e, text raw);
/* A number as JSON.parse gives it. */
js make_double(double d);
/* An array of these values, which it takes. */
js make_array(engine *e, const js *value, uint32_t len);
/* The same of values that are in a block of js_malloc with room for cap. */
js make_array_of(engine *e, uint32_t values, uint32_t len, uint32_t cap);

/* What a further object with the same members needs of the first one. */
typedef struct make_shape {
	uint32_t at;   /* 0: such objects cannot be made */
	uint32_t room; /* entries of their property table */
} make_shape;

/* Of an object that has just got `members` members, one after the other. */
make_shape make_shape_of(engine *e, js object, uint32_t members);
/* An object of that shape; its values, which it takes, in order. The shape
 * must be alive: some object has it. */
js make_object(engine *e, make_shape shape, const js *value, uint32_t len);

/* Called before and after `bytes` bytes of JSON became values, in place of
 * the collections that the module would have made meanwhile. */
void make_begin(engine *e, size_t bytes);
void make_end(engine *e);

#endif
