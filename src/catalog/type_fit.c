/* SPDX-License-Identifier: MIT */
/*
 * type_fit.c -- a type in as much detail as fits.
 */
#include "type_write.h"

#define ALL SIZE_MAX

/* Tried in turn until the type is small enough. */
static const type_detail details[] = {
    {TS_ALL_NOTES, true, TS_DEPTH, ALL, ALL},
    {TS_DESCRIPTIONS, true, TS_DEPTH, ALL, ALL},
    {TS_NO_NOTES, true, TS_DEPTH, ALL, ALL},
    {TS_NO_NOTES, true, TS_DEPTH, 64, ALL},
    {TS_NO_NOTES, true, TS_DEPTH, 12, ALL},
    {TS_NO_NOTES, true, 6, 12, ALL},
    {TS_NO_NOTES, false, 4, 12, ALL},
    {TS_NO_NOTES, false, 3, 6, ALL},
    {TS_NO_NOTES, false, 2, 6, 256},
    {TS_NO_NOTES, false, 2, 6, 64},
    {TS_NO_NOTES, false, 1, 3, 16},
    {TS_NO_NOTES, false, 0, 3, 0},
};
enum { DETAILS = sizeof(details) / sizeof(details[0]) };

/* Values of each enum while $refs are counted. */
enum { COUNTED = 16 };

/* Where a type is written before it is known to fit. */
struct fitting {
	json schema;
	uint32_t indent;
	type_names *names; /* NULL: all on one line */
	type_refs refs;
	buf type;
	buf defs;
	size_t max;   /* of both together */
	size_t least; /* what it takes with COUNTED values of each enum */
};

static typing
typing_of(struct fitting *f, const type_detail *detail)
{
	return (typing){.out = &f->type,
	    .refs = &f->refs,
	    .detail = detail,
	    .indent = f->indent,
	    .base = f->schema,
	    .width = 1,
	    .bytes_left = TS_BYTES,
	    .refs_left = TS_REFS};
}

static cm_status
try_detail(struct fitting *f, const type_detail *detail)
{
	typing t = typing_of(f, detail);
	cm_status r;

	buf_clear(&f->type);
	buf_clear(&f->defs);
	f->refs.bytes_left = TS_REF_BYTES;
	f->refs.wants = 0;
	if (f->refs.defs && f->refs.def[0].named && detail->names)
		type_def_name(&t, &f->refs.def[0]);
	else
		type_write(&t, f->schema);
	t.out = &f->defs;
	type_defs_write(&t);
	if ((r = f->refs.bad) == CM_OK && (r = f->type.bad) == CM_OK)
		r = f->defs.bad;
	if (r == CM_OK && f->type.len + f->defs.len > f->max)
		r = CM_ELIMIT;
	return r;
}

/* A name may be that of another tool's type: then all of them get a suffix
 * that is made from what they say. */
static cm_status
try_names(struct fitting *f, const type_detail *detail)
{
	cm_status r = try_detail(f, detail);

	for (unsigned turn = 0; r == CM_OK && turn < 3; turn++) {
		if (f->refs.wants == 0)
			return CM_OK;
		if (type_defs_fit(&f->refs, &f->defs, f->names))
			return type_defs_add(&f->refs, &f->defs, f->names);
		type_defs_rename(&f->refs, &f->defs, turn);
		r = try_detail(f, detail);
	}
	return r == CM_OK ? CM_ELIMIT : r;
}

/* Without names and comments where all is on one line. */
static cm_status
fit_type(struct fitting *f)
{
	cm_status r = CM_ELIMIT;

	for (size_t i = 0; i < DETAILS && r == CM_ELIMIT; i++) {
		type_detail detail = details[i];

		if ((f->names == NULL && detail.notes != TS_NO_NOTES) ||
		    (f->least > f->max && detail.enums > COUNTED))
			continue;
		detail.names = detail.names && f->names != NULL;
		r = try_names(f, &detail);
	}
	return r;
}

static void
count_defs(struct fitting *f, text what)
{
	static const type_detail detail = {
	    TS_NO_NOTES, true, TS_DEPTH, COUNTED, ALL};
	typing t = typing_of(f, &detail);

	f->refs.bytes_left = TS_REF_BYTES;
	f->type.max = TS_BYTES;
	f->least = type_defs_count(&t, what);
	f->type.max = f->max;
}

static void
write_fitting(
    buf *out, json schema, uint32_t indent, type_names *names, text what)
{
	size_t max = names ? TS_TYPE_MAX : TS_LINE_MAX;
	struct fitting f = {.schema = schema,
	    .indent = indent,
	    .names = names,
	    .type = BUF_INIT(out->alloc, max),
	    .defs = BUF_INIT(out->alloc, max),
	    .max = max};
	cm_status r;

	type_refs_init(&f.refs, out->alloc, schema);
	count_defs(&f, what);
	r = f.refs.bad ? f.refs.bad : fit_type(&f);
	if (r == CM_OK)
		buf_text(out, buf_view(&f.type));
	else if (r == CM_ELIMIT)
		buf_str(out, "unknown");
	else if (!out->bad)
		out->bad = r;
	type_refs_fini(&f.refs);
	buf_fini(&f.type);
	buf_fini(&f.defs);
}

void
type_of_schema(
    buf *out, json schema, uint32_t indent, type_names *names, text what)
{
	write_fitting(out, schema, indent, names, what);
}

void
type_on_one_line(buf *out, json schema)
{
	write_fitting(out, schema, 0, NULL, TEXT_NONE);
}

/* ------------------------------------------------------- left out or not */

enum { EMPTY_DEPTH = 16 };

static size_t branches_with_empty(type_refs *r, json branches, unsigned depth);

static bool
allows_objects(json type)
{
	json_iter it = json_each(type);
	json name;

	if (json_kind_of(type) != JSON_ARRAY)
		return type.len == 0 || json_is(type, TEXT("object"));
	while (json_next(&it, NULL, &name))
		if (json_is(name, TEXT("object")))
			return true;
	return false;
}

static bool
allows_empty(type_refs *r, json schema, unsigned depth)
{
	json ref = json_get(schema, TEXT("$ref"));
	json any = json_get(schema, TEXT("anyOf"));
	json one = json_get(schema, TEXT("oneOf"));
	json all = json_get(schema, TEXT("allOf"));
	int64_t least = 0;

	if (json_kind_of(schema) != JSON_OBJECT || depth == 0 ||
	    schema.len > r->bytes_left)
		return json_kind_of(schema) == JSON_TRUE;
	r->bytes_left -= schema.len;
	json_int(json_get(schema, TEXT("minProperties")), &least);
	return json_get(schema, TEXT("const")).len == 0 &&
	       json_get(schema, TEXT("enum")).len == 0 &&
	       allows_objects(json_get(schema, TEXT("type"))) && least <= 0 &&
	       json_len(json_get(schema, TEXT("required"))) == 0 &&
	       (!ref.len ||
		   allows_empty(r, type_target(r, r->root, ref), depth - 1)) &&
	       (!any.len || branches_with_empty(r, any, depth) > 0) &&
	       (!one.len || branches_with_empty(r, one, depth) == 1) &&
	       branches_with_empty(r, all, depth) == json_len(all);
}

static size_t
branches_with_empty(type_refs *r, json branches, unsigned depth)
{
	json_iter it = json_each(branches);
	json branch;
	size_t n = 0;

	while (!it.object && json_next(&it, NULL, &branch))
		n += allows_empty(r, branch, depth - 1);
	return n;
}

bool
type_may_be_left_out(buf *out, json schema)
{
	type_refs refs;
	bool empty;

	if (schema.len == 0)
		return true;
	type_refs_init(&refs, out->alloc, schema);
	refs.bytes_left = TS_REF_BYTES;
	empty = allows_empty(&refs, schema, EMPTY_DEPTH);
	if (refs.bad && !out->bad)
		out->bad = refs.bad;
	type_refs_fini(&refs);
	return empty;
}
