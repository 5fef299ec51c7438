/* SPDX-License-Identifier: MIT */
/*
 * ts_write.h -- what the parts of the type writer share: ts.c (which rule
 * applies), ts_object.c, ts_note.c (comments) and ts_ref.c ($ref).
 */
#ifndef CATALOG_TS_WRITE_H
#define CATALOG_TS_WRITE_H

#include "ts.h"

enum { TS_DEPTH = 24, TS_REFS = 64, TS_BYTES = 8 << 20 };

/* How a type binds: what must be bracketed inside another. */
typedef enum ts_shape { TS_ATOM, TS_AND, TS_OR } ts_shape;

typedef enum ts_notes { TS_NO_NOTES, TS_DESCRIPTIONS, TS_ALL_NOTES } ts_notes;

/* A part of the output: offsets, since the buffer moves. */
typedef struct ts_span {
	size_t from;
	size_t to;
} ts_span;

/* Types that are already in a union: at most one of each. */
typedef struct ts_union {
	ts_span *list;
	size_t len;
	size_t cap;
	size_t start; /* where the union begins in the output */
} ts_union;

typedef struct ts {
	buf *out;
	json root; /* what # means in a $ref */
	uint32_t indent;
	ts_notes notes;
	unsigned depth;
	unsigned max_depth;
	size_t bytes_left;  /* of schemas that may still be looked at */
	unsigned refs_left; /* $refs that may still be followed */
	size_t active;      /* those being followed: the way back up */
	const char *target[TS_REFS];
} ts;

/* Writes the type of any schema. */
ts_shape ts_write(ts *t, json schema);
ts_shape ts_object(ts *t, json schema);

/* Is what was written from `at` on exactly this? */
bool ts_wrote(const ts *t, size_t at, const char *word);
/* Puts s before what was written from `at` on. */
void ts_insert(ts *t, size_t at, const char *s);

/* A union grows by: open, (write a type, close it) ..., end. ts_union_open
 * returns where the member begins. ts_union_close is false when the union is
 * unknown now: nothing can be added to it. */
ts_union ts_union_start(const ts *t);
size_t ts_union_open(ts *t, const ts_union *u);
bool ts_union_close(ts *t, ts_union *u, size_t from);
ts_shape ts_union_end(ts *t, ts_union *u);

/* The schema that $ref names, or missing. */
json ts_target(json root, json ref);
/* schema's member, or that of what it refers to, or that of the only branch
 * that is not null: descriptions and bounds are found at any of them. */
json ts_facet(json root, json schema, const char *key);

/* Comment lines, each after a line break, for a member with this schema;
 * writes nothing when there is nothing to say. */
void ts_note(ts *t, json schema);
void ts_line_break(ts *t);

#endif
