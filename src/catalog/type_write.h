/* SPDX-License-Identifier: MIT */
/*
 * type_write.h -- what the parts of the type writer share: type.c (which rule
 * applies), type_fit.c (how much detail fits), type_list.c (arrays),
 * type_object.c, type_union.c, type_note.c (comments), type_ref.c ($ref) and
 * type_def.c (types that get a name).
 */
#ifndef CATALOG_TS_WRITE_H
#define CATALOG_TS_WRITE_H

#include "type.h"

enum {
	TS_DEPTH = 24,
	TS_CUT = 3,   /* levels of unions and $refs below the last objects */
	TS_REFS = 64, /* $refs written in place though their target is shared */
	TS_BYTES = 8 << 20,
	TS_REF_MAX = 512,        /* bytes of a $ref */
	TS_REF_BYTES = 16 << 20, /* that following $refs may scan */
	TS_DEFS = 512,           /* targets that may get a name */
};

/* How a type binds: what must be bracketed inside another. */
typedef enum type_shape { TS_ATOM, TS_AND, TS_OR } type_shape;

typedef enum type_notes {
	TS_NO_NOTES,
	TS_DESCRIPTIONS,
	TS_ALL_NOTES
} type_notes;

/* How much is written: what does not fit in one detail is tried in the next. */
typedef struct type_detail {
	type_notes notes;
	bool names; /* targets that are shared are types of their own */
	unsigned depth;
	size_t enums;   /* values of an enum; the others are counted */
	size_t members; /* of an object; the others are counted */
} type_detail;

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
	size_t width; /* alternatives, those of its members counted */
} type_union;

/* What a $ref leads to. */
typedef struct type_def {
	json schema;
	json base; /* what # means in it */
	text name; /* in type_refs.made */
	size_t uses;
	size_t width;
	bool refers;   /* there are $refs in it */
	bool spreads;  /* ... some of them outside of objects and arrays */
	bool circular; /* it needs its own type to say what it is */
	bool named;
	bool wanted;    /* something written refers to it by its name */
	type_span text; /* its declaration */
} type_def;

/* A def whose type needs that of another as a whole. */
typedef struct type_edge {
	uint32_t from;
	uint32_t to;
} type_edge;

/* Follows the $refs of one schema. */
typedef struct type_refs {
	const cm_alloc *alloc;
	json root;
	bool lone;         /* drafts up to 7: beside $ref nothing counts */
	size_t bytes_left; /* that may still be scanned */
	cm_status bad;     /* CM_ENOMEM once there was no memory */

	/* The object that the last $ref pointed into, and its members. */
	bool kept;
	char prefix[TS_REF_MAX]; /* its pointer, e.g. "/$defs" */
	size_t prefix_len;
	const char *base; /* where prefix begins */
	json holder;
	bool escaped; /* some keys have escapes and are not in the map */
	map number;   /* key -> index of its value in member */
	json *member;
	size_t len;
	size_t cap;

	/* Targets, the root first; in the order they are met. */
	arena made;
	type_def *def;
	size_t defs;
	size_t def_cap;
	type_edge *edge;
	size_t edges;
	size_t edge_cap;
	uint32_t want[TS_DEFS]; /* those that are wanted, in that order */
	size_t wants;
} type_refs;

typedef struct typing {
	buf *out;
	type_refs *refs;
	const type_detail *detail;
	uint32_t indent;
	unsigned depth;
	json base;          /* what # means here */
	size_t width;       /* alternatives of the type written last */
	size_t bytes_left;  /* of schemas that may still be looked at */
	unsigned refs_left; /* $refs that may still be written in place */
	size_t active;      /* those being written: the way back up */
	const char *target[TS_REFS];

	/* While $refs are counted. */
	bool counting;
	uint32_t current; /* the def that is written */
	unsigned guards;  /* objects and arrays around the place */
} typing;

/* Writes the type of any schema. */
type_shape type_write(typing *t, json schema);
type_shape type_object(typing *t, json schema);
type_shape type_array(typing *t, json schema);
type_shape type_enum(typing *t, json values);
type_shape type_word(typing *t, const char *s);

/* Is what was written from `at` on exactly this? */
bool type_wrote(const typing *t, size_t at, const char *word);
/* Puts s before what was written from `at` on. */
void type_insert(typing *t, size_t at, const char *s);
/* Takes back what was written from `at` on. */
void type_take_back(typing *t, size_t at);

/* A union grows by: open, (write a type, close it) ..., end. type_union_open
 * returns where the member begins. type_union_close is false when the union is
 * unknown now: nothing can be added to it. */
type_union type_union_start(const typing *t);
size_t type_union_open(typing *t, const type_union *u);
bool type_union_close(typing *t, type_union *u, size_t from);
type_shape type_union_end(typing *t, type_union *u);

void type_refs_init(type_refs *r, const cm_alloc *alloc, json root);
void type_refs_fini(type_refs *r);
/* The schema that $ref names in base; missing: none, no memory, or too much
 * was scanned already. */
json type_target(type_refs *r, json base, json ref);
/* schema's member, or that of what it refers to, or that of the only branch
 * that is not null: descriptions and bounds are found at any of them. What has
 * a name of its own has its comments there. */
json type_facet(typing *t, json schema, const char *key);

/* Counts the uses of all targets, and decides which get a name; what is the
 * root's. Gives the bytes that the root takes in this detail. */
size_t type_defs_count(typing *t, text what);
/* The def that begins there; NULL: none. */
type_def *type_def_of(const type_refs *r, json target);
/* Counts one use. */
type_shape type_def_use(typing *t, json target, json ref);
/* Writes the name of a def. */
type_shape type_def_name(typing *t, type_def *def);
/* Writes the declarations of all that is wanted. */
void type_defs_write(typing *t);
/* False: one of them has the name of another type in names. */
bool type_defs_fit(
    const type_refs *r, const buf *defs, const type_names *names);
void type_defs_rename(type_refs *r, const buf *defs, unsigned turn);
cm_status type_defs_add(const type_refs *r, const buf *defs, type_names *names);

/* Comment lines, each after a line break, for a member with this schema;
 * writes nothing when there is nothing to say. */
void type_note(typing *t, json schema);
void type_line_break(typing *t);

#endif
