/* SPDX-License-Identifier: MIT */
/*
 * schema.h -- does a JSON value fit a JSON Schema, and where not?
 *
 * A schema is compiled once and is never changed afterwards, so that any number
 * of threads may check values with it. Values stay text: no tree is built.
 *
 * 2020-12 and draft-07, which "$schema" tells apart; without it, 2020-12.
 * References lead to places in the schema itself; what lies elsewhere fits
 * every value. Formats, contents and patterns that schema_pattern.h does not
 * know assert nothing. See doc/guide/schemas.md.
 */
#ifndef SCHEMA_SCHEMA_H
#define SCHEMA_SCHEMA_H

#include "base/json.h"

typedef struct schema_program schema_program;

/* CM_ENOMEM or CM_OK. What is no valid schema compiles to one that fits every
 * value (schema_why). source is borrowed until schema_free. */
cm_status schema_compile(
    const cm_alloc *alloc, json source, schema_program **out);
/* NULL is allowed. */
void schema_free(schema_program *s);

/* Why it is no valid schema: "$.properties.a.type: is no type". Empty: it is.
 * Lives as long as s. */
text schema_why(const schema_program *s);
/* The first reference or pattern in it that is not checked, with the reason;
 * empty: there is none. Lives as long as s. */
text schema_gap(const schema_program *s);

typedef enum schema_verdict {
	SCHEMA_FITS,
	SCHEMA_MISFIT,
	SCHEMA_UNKNOWN /* the check took too many steps, or went too deep */
} schema_verdict;

/* Takes a number of steps that is linear in the length of the value. */
schema_verdict schema_check(const schema_program *s, json value);
/* Appends where and why the value does not fit, in one line: "title must be a
 * string, not 5; labls is not known: did you mean labels?". Nothing where
 * schema_check does not say SCHEMA_MISFIT. */
void schema_explain(const schema_program *s, json value, buf *out);

#endif
