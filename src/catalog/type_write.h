/* SPDX-License-Identifier: MIT */
/*
 * type_write.h -- what the parts of the type writer share: type.c (which rule
 * applies), type_object.c, type_note.c (comments) and type_ref.c ($ref).
 */
#ifndef CATALOG_TS_WRITE_H
#define CATALOG_TS_WRITE_H

#include "type.h"

#include "base/map.h"

enum {
	TS_DEPTH = 24,
	TS_REFS = 64,
	TS_BYTES = 8 << 20,
	TS_REF_MAX = 512,        /* bytes of a $ref */
	TS_REF_BYTES = 16 << 20, /* that following $refs may scan */
};

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

/* Follows the $refs of one schema. */
typedef struct type_refs {
	const cm_alloc *alloc;
	json root;         /* what # means in a $ref */
	size_t bytes_left; /* that may still be scanned */
	cm_status bad;     /* CM_ENOMEM once there was no memory */

	/* The object that the last $ref pointed into, and its members. */
	bool kept;
	char prefix[TS_REF_MAX]; /* its pointer, e.g. "/$defs" */
	size_t prefix_len;
	json holder;
	bool escaped; /* some keys have escapes and are not in the map */
	map number;   /* key -> index of its value in member */
	json *member;
	size_t len;
	size_t cap;
} type_refs;

typedef struct typing {
	buf *out;
	type_refs *refs;
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

void type_refs_init(type_refs *r, const cm_alloc *alloc, json root);
void type_refs_fini(type_refs *r);
/* The schema that $ref names; missing: none, no memory, or too much was
 * scanned already. */
json type_target(type_refs *r, json ref);
/* schema's member, or that of what it refers to, or that of the only branch
 * that is not null: descriptions and bounds are found at any of them. */
json type_facet(typing *t, json schema, const char *key);

/* Comment lines, each after a line break, for a member with this schema;
 * writes nothing when there is nothing to say. */
void type_note(typing *t, json schema);
void type_line_break(typing *t);

#endif
