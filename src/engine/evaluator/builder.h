/* SPDX-License-Identifier: MIT */
/*
 * builder.h -- a string that is written from its beginning: bytes until a unit
 * needs two of them. It is outside of the heap, so nothing moves.
 */
#ifndef EVALUATOR_BUILDER_H
#define EVALUATOR_BUILDER_H

#include "vm.h"

typedef struct builder {
	vm *m;
	union {
		char *bytes;
		uint8_t *narrow;
		uint16_t *wide;
	} u;
	uint32_t len, cap; /* units; of two bytes when .is_wide */
	bool is_wide;
	bool bad; /* no memory, or longer than STR_MAX: the rest is dropped */
} builder;

#define BUILDER_INIT(machine) ((builder){.m = (machine)})

void builder_fini(builder *b);
/* Room for n more units, of two bytes when wide or when it is so already. */
bool builder_room(builder *b, size_t n, bool wide);
void builder_latin1(builder *b, const char *bytes, size_t n);
/* Units [from, to) of a flat string. */
void builder_part(builder *b, const cell_string *s, uint32_t from, uint32_t to);
void builder_more(builder *b, uint16_t code_unit);
/* The string; the builder is done. V_THROWN. */
value builder_end(builder *b);

static inline void
builder_unit(builder *b, uint16_t code_unit)
{
	if (b->len < b->cap && (b->is_wide || code_unit <= 0xff)) {
		if (b->is_wide)
			b->u.wide[b->len++] = code_unit;
		else
			b->u.narrow[b->len++] = (uint8_t)code_unit;
	} else {
		builder_more(b, code_unit);
	}
}

static inline void
builder_point(builder *b, uint32_t c)
{
	if (c >= 0x10000) {
		builder_unit(b, (uint16_t)(0xd7c0 + (c >> 10)));
		c = 0xdc00 + (c & 0x3ff);
	}
	builder_unit(b, (uint16_t)c);
}

/* The code point at i of a flat string, which moves behind it; a lone surrogate
 * is itself. */
static inline uint32_t
str_point(const cell_string *s, uint32_t *i)
{
	uint32_t c = str_unit(s, (*i)++), d;

	if ((c & 0xfc00) != 0xd800 || *i == s->len)
		return c;
	d = str_unit(s, *i);
	if ((d & 0xfc00) != 0xdc00)
		return c;
	++*i;
	return 0x10000 + ((c - 0xd800) << 10) + (d - 0xdc00);
}

/* Where needle is first found from `from` on; UINT32_MAX: nowhere. Flat. */
uint32_t str_search(
    const cell_string *s, const cell_string *needle, uint32_t from);

#endif
