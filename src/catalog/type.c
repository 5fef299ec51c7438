/* SPDX-License-Identifier: MIT */
/*
 * type.c -- which TypeScript type a schema stands for.
 *
 * A schema is a conjunction: its own keywords, its $ref, its anyOf, oneOf and
 * each of its allOf must all hold. So each is written as a part of an
 * intersection, and a part that says nothing (unknown) is left out again.
 * Schemas come from servers that are not trusted: depth, the number of $refs
 * written in place, the size of the type and the bytes looked at are bounded.
 */
#include "type_write.h"

/* ------------------------------------------------------ small writing */

bool
type_wrote(const typing *t, size_t at, const char *word)
{
	return text_eq(text_sub(buf_view(t->out), at, SIZE_MAX), text_of(word));
}

void
type_insert(typing *t, size_t at, const char *s)
{
	size_t n = strlen(s);
	char *end = buf_room(t->out, n);

	if (!end)
		return;
	memmove(t->out->ptr + at + n, t->out->ptr + at, t->out->len - at);
	memcpy(t->out->ptr + at, s, n);
	t->out->len += n;
}

void
type_take_back(typing *t, size_t at)
{
	if (!t->out->bad)
		t->out->len = at;
}

type_shape
type_word(typing *t, const char *s)
{
	buf_str(t->out, s);
	t->width = 1;
	return TS_ATOM;
}

/* ------------------------------------------------------- its own words */

static const struct {
	text name;
	const char *type;
	type_shape (*write)(typing *, json); /* NULL: type says all */
} types[] = {
    {TEXT_INIT("string"), "string", NULL},
    {TEXT_INIT("number"), "number", NULL},
    {TEXT_INIT("integer"), "number", NULL},
    {TEXT_INIT("boolean"), "boolean", NULL},
    {TEXT_INIT("null"), "null", NULL},
    {TEXT_INIT("object"), "{ [key: string]: unknown; }", type_object},
    {TEXT_INIT("array"), "unknown[]", type_array},
};

/* At the deepest level what is inside of objects and arrays is left out. */
static type_shape
write_named(typing *t, json schema, json name)
{
	bool deepest = t->depth > t->detail->depth;

	for (size_t i = 0; i < sizeof(types) / sizeof(types[0]); i++)
		if (json_is(name, types[i].name))
			return types[i].write && !deepest
				   ? types[i].write(t, schema)
				   : type_word(t, types[i].type);
	return type_word(t, "unknown");
}

static bool
has_any(json schema, const char *const *keys)
{
	for (; *keys; keys++)
		if (json_get(schema, text_of(*keys)).len)
			return true;
	return false;
}

static const char *const object_words[] = {"properties", "additionalProperties",
    "patternProperties", "required", NULL};
static const char *const array_words[] = {"items", "prefixItems", NULL};

/* What type, properties, items and their like say. */
static type_shape
write_own(typing *t, json schema)
{
	json type = json_get(schema, TEXT("type")), name;
	json_iter it = json_each(type);
	type_union u;

	if (json_kind_of(type) == JSON_STRING)
		return write_named(t, schema, type);
	if (type.len == 0 && has_any(schema, object_words))
		return write_named(t, schema, TEXT("\"object\""));
	if (type.len == 0 && has_any(schema, array_words))
		return write_named(t, schema, TEXT("\"array\""));
	if (json_kind_of(type) != JSON_ARRAY || json_len(type) == 0)
		return type_word(t, "unknown");
	u = type_union_start(t);
	while (!t->out->bad && json_next(&it, NULL, &name)) {
		size_t from = type_union_open(t, &u);

		write_named(t, schema, name);
		if (!type_union_close(t, &u, from))
			break;
	}
	return type_union_end(t, &u);
}

/* Do its own words say more than "type"? Beside anyOf and the like only then
 * are they worth a part of their own. */
static bool
has_structure(json schema)
{
	json more = json_get(schema, TEXT("additionalProperties"));

	return json_len(json_get(schema, TEXT("properties"))) ||
	       json_len(json_get(schema, TEXT("required"))) ||
	       json_len(json_get(schema, TEXT("patternProperties"))) ||
	       json_kind_of(more) == JSON_OBJECT ||
	       has_any(schema, array_words);
}

/* ------------------------------------------------------------- $ref */

/* Writes what the $ref leads to. A target that is being written already is not
 * entered again: such recursion ends in unknown. */
static type_shape
write_in_place(typing *t, json target, json base, bool charged)
{
	json outside = t->base;
	type_shape shape;

	if ((charged && t->refs_left == 0) || t->active == TS_REFS)
		return type_word(t, "unknown");
	for (size_t i = 0; i < t->active; i++)
		if (t->target[i] == target.ptr)
			return type_word(t, "unknown");
	if (charged)
		t->refs_left--;
	t->target[t->active++] = target.ptr;
	t->base = base;
	shape = type_write(t, target);
	t->base = outside;
	t->active--;
	return shape;
}

static type_shape
write_ref(typing *t, json ref)
{
	json target = type_target(t->refs, t->base, ref);
	type_def *def;

	if (target.len == 0)
		return type_word(t, "unknown");
	if (t->counting)
		return type_def_use(t, target, ref);
	def = type_def_of(t->refs, target);
	if (!def)
		return write_in_place(t, target, t->base, true);
	if (def->named && t->detail->names)
		return type_def_name(t, def);
	return write_in_place(
	    t, target, def->base, def->circular || def->named);
}

/* ------------------------------------------------------ conjunction */

static type_shape
write_any(typing *t, json branches)
{
	json_iter it = json_each(branches);
	type_union u = type_union_start(t);
	json branch;

	while (!t->out->bad && json_next(&it, NULL, &branch)) {
		size_t from = type_union_open(t, &u);

		type_write(t, branch);
		if (!type_union_close(t, &u, from))
			break;
	}
	return type_union_end(t, &u);
}

/* A compiler multiplies unions out: what has more alternatives than this is
 * left without a part of its conjunction. */
enum { WIDTH_MAX = 1000 };

/* The parts written so far: A & B & ... */
struct parts {
	type_span first;
	size_t count;
	size_t width;
	type_shape shape; /* of the first one */
};

static void
bracket_part(typing *t, type_span part, type_shape shape)
{
	if (shape != TS_OR)
		return;
	type_insert(t, part.to, ")");
	type_insert(t, part.from, "(");
}

static void
add_part(typing *t, struct parts *p, type_shape (*write)(typing *, json),
    json schema)
{
	type_span part;
	size_t end = t->out->len;
	type_shape shape;

	if (t->out->bad)
		return;
	buf_str(t->out, p->count ? " & " : "");
	part.from = t->out->len;
	shape = write(t, schema);
	part.to = t->out->len;
	if (type_wrote(t, part.from, "unknown") || t->out->bad ||
	    (p->count > 0 && t->width > WIDTH_MAX / p->width)) {
		type_take_back(t, end);
		return;
	}
	if (p->count > 0)
		bracket_part(t, part, shape);
	if (p->count == 1)
		bracket_part(t, p->first, p->shape);
	if (p->count == 0) {
		p->first = part;
		p->shape = shape;
		p->width = 1;
	}
	p->count++;
	p->width *= t->width;
}

static type_shape
write_parts(typing *t, json schema)
{
	static const char *const unions[] = {"anyOf", "oneOf"};
	struct parts p = {.count = 0};
	json_iter it = json_each(json_get(schema, TEXT("allOf")));
	json ref = json_get(schema, TEXT("$ref")), branch;

	if (ref.len && t->refs->lone)
		return write_ref(t, ref);
	if (has_structure(schema))
		add_part(t, &p, write_own, schema);
	if (ref.len)
		add_part(t, &p, write_ref, ref);
	for (size_t i = 0; i < 2; i++) {
		branch = json_get(schema, text_of(unions[i]));
		if (json_kind_of(branch) == JSON_ARRAY && json_len(branch))
			add_part(t, &p, write_any, branch);
	}
	while (!it.object && json_next(&it, NULL, &branch))
		add_part(t, &p, type_write, branch);
	if (p.count == 0)
		return write_own(t, schema);
	t->width = p.width;
	return p.count > 1 ? TS_AND : p.shape;
}

/* OpenAPI's way to say "or null". */
static type_shape
add_null(typing *t, size_t at, type_shape shape)
{
	if (type_wrote(t, at, "unknown") || type_wrote(t, at, "null") ||
	    text_ends(
		text_sub(buf_view(t->out), at, SIZE_MAX), TEXT(" | null")))
		return shape;
	buf_str(t->out, " | null");
	t->width++;
	return TS_OR;
}

static type_shape
write_object_schema(typing *t, json schema)
{
	json constant = json_get(schema, TEXT("const"));
	json values = json_get(schema, TEXT("enum"));
	size_t at = t->out->len;
	type_shape shape = TS_ATOM;

	t->width = 1;
	if (constant.len)
		type_literal(t->out, constant);
	else if (json_kind_of(values) == JSON_ARRAY)
		shape = type_enum(t, values);
	else if (t->depth > t->detail->depth + TS_CUT)
		shape = write_own(t, schema);
	else
		shape = write_parts(t, schema);
	if (json_bool(json_get(schema, TEXT("nullable")), false))
		shape = add_null(t, at, shape);
	return shape;
}

/* A schema with an $id of its own is what # means in it; not where it stands
 * beside a $ref that counts alone. */
static json
base_inside(const typing *t, json schema)
{
	json id = json_get(schema, TEXT("$id"));

	if (json_kind_of(id) != JSON_STRING || id.len <= 2 ||
	    id.ptr[1] == '#' ||
	    (t->refs->lone && json_get(schema, TEXT("$ref")).len))
		return t->base;
	return schema;
}

type_shape
type_write(typing *t, json schema)
{
	json_kind kind = json_kind_of(schema);
	json outside = t->base;
	type_shape shape;

	if (kind == JSON_FALSE)
		return type_word(t, "never");
	if (kind != JSON_OBJECT || t->out->bad || schema.len > t->bytes_left)
		return type_word(t, "unknown");
	t->bytes_left -= schema.len;
	t->base = base_inside(t, schema);
	t->depth++;
	shape = write_object_schema(t, schema);
	t->depth--;
	t->base = outside;
	return shape;
}
