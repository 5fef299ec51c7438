/* SPDX-License-Identifier: MIT */
/*
 * type_write.h -- what the parts of the type writer share: type.c (which rule
 * applies), type_object.c, type_note.c (comments) and type_ref.c ($ref).
 */
#ifndef CATALOG_TS_WRITE_H
#define CATALOG_TS_WRITE_H

#include "type.h"

enum { TS_DEPTH = 24, TS_REFS = 64, TS_BYTES = 8 << 20 };

/* How a type binds: what must be bracketed inside another. */
typedef enum type_shape { TS_ATOM, TS_AND, TS_OR } type_shape;

typedef enum type_notes { TS_NO_NOTES, TS_DESCRIPTIONS, TS_ALL_NOTES } type_notes;

/* A part of the output: offsets, since the buffer moves. */
typedef struct type_span {
	size_t from;
	size_t to;
} type_span;

/* Types that are already in a union: at most one of each. */
typedef struct type_union {
	type_span *list;
	size_t len;
	size_t cap;
	size_t start; /* where the union begins in the output */
} type_union;

typedef struct typing {
	buf *out;
	json root; /* what # means in a $ref */
	uint32_t indent;
	type_notes notes;
	unsigned depth;
	unsigned max_depth;
	size_t bytes_left;  /* of schemas that may still be looked at */
	unsigned refs_left; /* $refs that may still be followed */
	size_t active;      /* those being followed: the way back up */
	const char *target[TS_REFS];
} typing;

/* Writes the type of any schema. */
type_shape type_write(typing *t, json schema);
type_shape type_object(typing *t, json schema);

/* Is what was written from `at` on exactly this? */
bool type_wrote(const typing *t, size_t at, const char *word);
/* Puts s before what was written from `at` on. */
void type_insert(typing *t, size_t at, const char *s);

/* A union grows by: open, (write a type, close it) ..., end. type_union_open
 * returns where the member begins. type_union_close is false when the union is
 * unknown now: nothing can be added to it. */
type_union type_union_start(const typing *t);
size_t type_union_open(typing *t, const type_union *u);
bool type_union_close(typing *t, type_union *u, size_t from);
type_shape type_union_end(typing *t, type_union *u);

/* The schema that $ref names, or missing. */
json type_target(json root, json ref);
/* schema's member, or that of what it refers to, or that of the only branch
 * that is not null: descriptions and bounds are found at any of them. */
json type_facet(json root, json schema, const char *key);

/* Comment lines, each after a line break, for a member with this schema;
 * writes nothing when there is nothing to say. */
void type_note(typing *t, json schema);
void type_line_break(typing *t);

#endif
