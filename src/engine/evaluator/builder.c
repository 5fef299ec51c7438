/* SPDX-License-Identifier: MIT */
/* builder.c -- see builder.h. */
#ifndef _GNU_SOURCE
#define _GNU_SOURCE /* memmem */
#endif
#include "builder.h"

enum { BUILDER_FIRST = 64 };

static size_t
builder_bytes(uint32_t units, bool wide)
{
	return (size_t)units * (wide ? 2 : 1);
}

void
builder_fini(builder *b)
{
	mem_free(b->m->alloc, b->u.bytes, builder_bytes(b->cap, b->is_wide));
	b->u.bytes = NULL;
	b->len = b->cap = 0;
}

/* The same units in a room of another size and width. */
static bool
builder_resize(builder *b, uint32_t cap, bool wide)
{
	builder to = {.m = b->m, .len = b->len, .cap = cap, .is_wide = wide};

	if (wide == b->is_wide) {
		to.u.bytes = mem_resize(b->m->alloc, b->u.bytes,
		    builder_bytes(b->cap, wide), builder_bytes(cap, wide));
		if (to.u.bytes == NULL)
			return false;
		*b = to;
		return true;
	}
	to.u.bytes = mem_new(b->m->alloc, builder_bytes(cap, wide));
	if (to.u.bytes == NULL)
		return false;
	for (uint32_t i = 0; i < b->len; i++)
		to.u.wide[i] = b->u.narrow[i];
	builder_fini(b);
	*b = to;
	return true;
}

bool
builder_room(builder *b, size_t n, bool wide)
{
	uint64_t need = b->len + (uint64_t)n, cap = b->cap;

	wide |= b->is_wide;
	if (need <= cap && wide == b->is_wide)
		return !b->bad;
	while (cap < need)
		cap = cap ? cap * 2 : BUILDER_FIRST;
	if (cap > STR_MAX)
		cap = STR_MAX;
	b->bad |=
	    need > cap ||
	    builder_bytes((uint32_t)cap, wide) > (uint64_t)b->m->heap.max * 8 ||
	    !builder_resize(b, (uint32_t)cap, wide);
	return !b->bad;
}

void
builder_more(builder *b, uint16_t of_unit)
{
	if (builder_room(b, 1, of_unit > 0xff))
		builder_unit(b, of_unit);
}

void
builder_latin1(builder *b, const char *bytes, size_t n)
{
	if (n == 0 || !builder_room(b, n, false))
		return;
	if (b->is_wide)
		for (size_t i = 0; i < n; i++)
			b->u.wide[b->len + i] = (uint8_t)bytes[i];
	else
		memcpy(b->u.narrow + b->len, bytes, n);
	b->len += (uint32_t)n;
}

void
builder_part(builder *b, const cell_string *s, uint32_t from, uint32_t to)
{
	if (!(s->head.flags & CELL_WIDE)) {
		builder_latin1(b, (const char *)s->u.narrow + from, to - from);
	} else if (b->is_wide && builder_room(b, to - from, true)) {
		memcpy(b->u.wide + b->len, s->u.wide + from,
		    (size_t)(to - from) * 2);
		b->len += to - from;
	} else {
		while (from < to)
			builder_unit(b, s->u.wide[from++]);
	}
}

value
builder_end(builder *b)
{
	vm *m = b->m;
	ref r = 0;

	if (!b->bad && heap_reserve(H(m), str_bytes(b->len, b->is_wide))) {
		r = str_raw(H(m), b->len, b->is_wide);
		if (b->len > 0)
			memcpy(CELL(H(m), r, cell_string)->u.narrow, b->u.bytes,
			    builder_bytes(b->len, b->is_wide));
	}
	builder_fini(b);
	return r ? v_of_string(r) : vm_throw_memory(m);
}

/* ------------------------------------------------------------------ searching */

static bool
units_match(const cell_string *s, uint32_t at, const cell_string *needle)
{
	for (uint32_t i = 0; i < needle->len; i++)
		if (str_unit(s, at + i) != str_unit(needle, i))
			return false;
	return true;
}

static uint32_t
search_narrow(const cell_string *s, const cell_string *needle, uint32_t from)
{
	const uint8_t *at = memmem(
	    s->u.narrow + from, s->len - from, needle->u.narrow, needle->len);

	return at ? (uint32_t)(at - s->u.narrow) : UINT32_MAX;
}

/* What is found in the middle of a unit is passed over. */
static uint32_t
search_wide(const cell_string *s, const cell_string *needle, uint32_t from)
{
	size_t at = (size_t)from * 2, end = (size_t)s->len * 2;
	const uint8_t *bytes = (const uint8_t *)s->u.wide, *found;

	for (;; at++) {
		found = memmem(bytes + at, end - at, needle->u.wide,
		    (size_t)needle->len * 2);
		if (found == NULL)
			return UINT32_MAX;
		at = (size_t)(found - bytes);
		if (at % 2 == 0)
			return (uint32_t)(at / 2);
	}
}

uint32_t
str_search(const cell_string *s, const cell_string *needle, uint32_t from)
{
	bool wide = s->head.flags & CELL_WIDE;
	bool needle_wide = needle->head.flags & CELL_WIDE;

	if (from > s->len || needle->len > s->len - from)
		return UINT32_MAX;
	if (needle->len == 0)
		return from;
	if (!wide && !needle_wide)
		return search_narrow(s, needle, from);
	if (wide && needle_wide)
		return search_wide(s, needle, from);
	for (; from <= s->len - needle->len; from++)
		if (units_match(s, from, needle))
			return from;
	return UINT32_MAX;
}
