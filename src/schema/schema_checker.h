/* SPDX-License-Identifier: MIT */
/*
 * schema_checker.h -- one check of one value: what the files that walk it
 * share.
 *
 * A check is made twice when the value does not fit: first to know, then, with
 * a report, to say where and why. Without a report it ends at the first fault.
 */
#ifndef SCHEMA_CHECKER_H
#define SCHEMA_CHECKER_H

#include "schema_parts.h"

/* The way to a value: the last step of it, on the stack of the check. */
typedef struct schema_path {
	const struct schema_path *up; /* NULL: the step is from the root */
	json key;                     /* missing: .index counts          */
	size_t index;
} schema_path;

/* The resources that were entered, for $dynamicRef. */
typedef struct schema_scope {
	const struct schema_scope *up;
	uint32_t resource;
} schema_scope;

enum { REPORT_FAULTS = 4 };

/* What does not fit, in words. */
typedef struct schema_report {
	buf words;
	unsigned faults; /* in words; REPORT_FAULTS at most, then .more */
	bool more;
	unsigned
	    deepest; /* steps to the fault that is farthest from the root */
	bool weak;   /* one tells of a "const", which may mark another form */
} schema_report;

/* Which items or members something has looked at. */
typedef struct schema_marks {
	uint64_t *bits;
	size_t words;
	uint64_t few[4];
} schema_marks;

typedef struct checker {
	const schema_program *s;
	const cm_alloc *alloc;
	int64_t steps; /* that are left; below 0: the check was given up */
	unsigned depth;
	bool doubt; /* what was checked contains something that is not known */
	const schema_path *path;
	const schema_scope *scope;
	schema_report *report; /* NULL: only whether it fits */
} checker;

/* marks may be NULL: nothing asks for them. */
bool fits_node(checker *c, const schema_node *n, json v, schema_marks *marks);
bool fits_array(checker *c, const schema_array *a, json v, schema_marks *marks);
bool fits_object(
    checker *c, const schema_object *o, json v, schema_marks *marks);
bool fits_unevaluated(
    checker *c, const schema_node *n, json v, schema_marks *marks);
/* The member or item one step down. */
bool fits_child(
    checker *c, const schema_node *n, json key, size_t index, json v);
/* Takes n steps off; false: none are left. */
bool check_spend(checker *c, uint64_t n);
/* Is one fault enough? */
static inline bool
check_is_quick(const checker *c)
{
	return c->report == NULL;
}

/* False, and the check is given up: there is no memory. n: items, members. */
bool marks_init(checker *c, schema_marks *m, size_t n);
void marks_fini(checker *c, schema_marks *m);
void marks_add(schema_marks *m, const schema_marks *more);
static inline void
marks_set(schema_marks *m, size_t i)
{
	if (m != NULL)
		m->bits[i / 64] |= UINT64_C(1) << i % 64;
}
static inline bool
marks_has(const schema_marks *m, size_t i)
{
	return (m->bits[i / 64] >> i % 64 & 1) != 0;
}

/* schema_say.c: each adds one fault to the report, if there is one, and gives
 * false. The format is for what follows the path. */
bool say_fault(checker *c, const char *format, ...)
    __attribute__((format(printf, 2, 3)));
bool say_kinds(checker *c, unsigned kinds, json v);
bool say_choice(checker *c, const schema_choice *choice, json v);
bool say_bound(checker *c, const char *what, const decimal *bound, json v);
bool say_pattern(checker *c, text source, json v);
bool say_missing(checker *c, const schema_object *o, text name, json v);
bool say_unknown_member(checker *c, const schema_object *o, json key);
/* The value fits none of these forms: tells of the one it is nearest to. */
bool say_none_fits(checker *c, const schema_nodes *forms, json v);
/* A value in a few characters. */
void say_schema_value(buf *out, json v);

/* The kinds that the value is of: one bit, or KIND_INTEGER. */
unsigned value_kind(json v);

#endif
