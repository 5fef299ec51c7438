/* SPDX-License-Identifier: MIT */
/*
 * type.h -- the TypeScript type that a JSON Schema stands for.
 *
 * What a model reads has to be right first and short second: it is valid
 * TypeScript whatever the schema is, and what TypeScript cannot say is left
 * out or becomes a comment (ranges, patterns, defaults). An object with named
 * members and no word about others is taken as complete.
 */
#ifndef CATALOG_TYPE_H
#define CATALOG_TYPE_H

#include "base/json.h"

/* A type larger than this is written with fewer comments, then with fewer
 * levels; in the end it is unknown. */
enum { TS_TYPE_MAX = 16000, TS_LINE_MAX = 2000 /* on one line */ };

/* One line, no comments. */
#define TS_ONE_LINE UINT32_MAX

/* Appends the type; its further lines begin with `indent` blanks and more.
 * A missing schema is unknown. schema is checked JSON. */
void type_of_schema(buf *out, json schema, uint32_t indent);

/* Can the schema do without a value, as a parameter that may be left out? */
bool type_may_be_left_out(json schema);

/* Appends a JSON value as a literal type (a very long one as its kind). */
void type_literal(buf *out, json value);

/* Appends name, in quotes if it is no identifier. */
void type_key(buf *out, text name);

#endif
