/* SPDX-License-Identifier: MIT */
/*
 * type.h -- the TypeScript type that a JSON Schema stands for.
 *
 * What a model reads has to be right first and short second: it is valid
 * TypeScript whatever the schema is, and what TypeScript cannot say is left
 * out or becomes a comment (ranges, patterns, defaults). An object with named
 * members and no word about others is taken as complete. What several $refs
 * lead to, and what contains itself, becomes a type with a name.
 */
#ifndef CATALOG_TYPE_H
#define CATALOG_TYPE_H

#include "base/arena.h"
#include "base/json.h"
#include "base/map.h"

/* A type larger than this, with those that it names, is written with less and
 * less detail: without tags, without descriptions, with a part of each enum,
 * with fewer levels. What is left in the end is the kind of its values. */
enum { TS_TYPE_MAX = 16000, TS_LINE_MAX = 2000 /* on one line */ };

/* The types that a declaration names, one of each. */
typedef struct type_names {
	buf text; /* "\n  type NAME = ...;" for each */
	arena made;
	map number; /* name -> place in list */
	struct type_named {
		size_t from; /* in text */
		size_t to;
	} * list;
	size_t len;
	size_t cap;
} type_names;

void type_names_init(type_names *n, const cm_alloc *alloc);
void type_names_fini(type_names *n);

/* Appends the type; its further lines begin with `indent` blanks and more. The
 * types that it refers to as tools.NAME are added to names; what is the name
 * of the type as a whole, should it need one. A missing schema is unknown.
 * schema is checked JSON. */
void type_of_schema(
    buf *out, json schema, uint32_t indent, type_names *names, text what);
/* The same on one line, without descriptions and names. */
void type_on_one_line(buf *out, json schema);

/* Is {} a value of the schema? Then a parameter may be left out. Writes nothing;
 * out->bad is set when there is no memory. */
bool type_may_be_left_out(buf *out, json schema);

/* Appends a JSON value as a literal type (a very long one as its kind). */
void type_literal(buf *out, json value);
/* The type of all values of v's kind. */
const char *type_wide(json v);

/* Appends name, in quotes if it is no identifier. */
void type_key(buf *out, text name);

#endif
