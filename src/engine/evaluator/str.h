/* SPDX-License-Identifier: MIT */
/*
 * str.h -- strings: Latin-1 where that is enough, UTF-16 otherwise, and ropes
 * that become flat when their units are looked at.
 *
 * Functions that make a string reserve room for it and so may move cells; 0:
 * no memory, or longer than STR_MAX. Arguments are read again after that.
 */
#ifndef EVALUATOR_STR_H
#define EVALUATOR_STR_H

#include "heap.h"

#include "base/buf.h"

#define STR_MAX ((1u << 29) - 25) /* code units, as V8 has it */

/* The strings of which there is only one of each text: names of properties. */
typedef struct atoms {
	ref *at;           /* by hash; 0: free */
	uint32_t len, cap; /* len: those that died included */
} atoms;

/* Of a string that is flat. */
static inline uint16_t
str_unit(const cell_string *s, uint32_t i)
{
	return s->head.flags & CELL_WIDE ? s->u.wide[i] : s->u.narrow[i];
}

static inline uint32_t
str_len(const heap *h, ref s)
{
	return CELL(h, s, cell_string)->len;
}

/* A string of so many units that are not set yet. Room is reserved already:
 * str_bytes of them. */
ref str_raw(heap *h, uint32_t len, bool wide);
static inline size_t
str_bytes(uint32_t len, bool wide)
{
	return 16 + (size_t)len * (wide ? 2 : 1) + 8;
}

ref str_of_utf8(heap *h, text t); /* WTF-8: lone surrogates, too */
ref str_of_latin1(heap *h, const char *bytes, uint32_t len);
ref str_of_unit(heap *h, uint16_t unit);
/* Both must be roots, or in them: they may move. */
ref str_concat(heap *h, value *left, value *right);
/* Units [from, to) of a flat string. */
ref str_sub(heap *h, value *s, uint32_t from, uint32_t to);
/* The same string with its units in one place. False: no memory. */
bool str_flatten(heap *h, value *s);

uint32_t str_hash(cell_string *flat);
bool str_equal(const cell_string *a, const cell_string *b); /* flat */
int str_compare(const cell_string *a, const cell_string *b);
/* Is it the canonical text of an array index? */
bool str_index(const cell_string *flat, uint32_t *index);
/* Appends it as UTF-8; a lone surrogate as U+FFFD, or with wtf8 as it is. */
void str_put(const cell_string *flat, bool wtf8, buf *out);

/* The atom of a string. 0: no memory. */
ref atom_of(heap *h, atoms *all, value *s);
/* The atom of that text if there is one; moves nothing. 0: none. */
ref atom_lookup(const heap *h, const atoms *all, cell_string *flat);
/* The same of Latin-1 bytes, if there is one already; otherwise 0. */
ref atom_known(
    const heap *h, const atoms *all, const uint8_t *bytes, uint32_t len);
ref atom_of_text(heap *h, atoms *all, text latin1);
void atoms_sweep(heap *h, atoms *all);
void atoms_fini(heap *h, atoms *all);

#endif
