/* SPDX-License-Identifier: MIT */
/*
 * type.c -- which TypeScript type a schema stands for.
 *
 * A schema is a conjunction: its own keywords, its $ref, its anyOf, oneOf and
 * each of its allOf must all hold. So each is written as a part of an
 * intersection, and a part that says nothing (unknown) is left out again.
 * Schemas come from servers that are not trusted: depth, the number of $refs followed, the size
 * of the type and the bytes looked at are bounded.
 */
#include "type_write.h"

#include "base/mem.h"

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

static void
take_back(typing *t, size_t at)
{
	if (!t->out->bad)
		t->out->len = at;
}

static type_shape
write_word(typing *t, const char *s)
{
	buf_str(t->out, s);
	return TS_ATOM;
}

/* ------------------------------------------------------------- unions */

type_union
type_union_start(const typing *t)
{
	return (type_union){.start = t->out->len};
}

size_t
type_union_open(typing *t, const type_union *u)
{
	if (u->len)
		buf_str(t->out, " | ");
	return t->out->len;
}

static bool
union_has(const typing *t, const type_union *u, text member)
{
	text all = buf_view(t->out);

	for (size_t i = 0; i < u->len; i++)
		if (text_eq(
			text_sub(all, u->list[i].from, u->list[i].to), member))
			return true;
	return false;
}

bool
type_union_close(typing *t, type_union *u, size_t from)
{
	text member = text_sub(buf_view(t->out), from, SIZE_MAX);

	if (text_eq(member, TEXT("unknown"))) {
		take_back(t, u->start);
		buf_str(t->out, "unknown");
		u->len = 1;
		return false;
	}
	if (union_has(t, u, member)) {
		take_back(t, from - (u->len ? 3 : 0));
		return true;
	}
	if (!mem_grow(t->out->alloc, (void **)&u->list, &u->cap, u->len,
		sizeof(*u->list))) {
		t->out->bad = CM_ENOMEM;
		return false;
	}
	u->list[u->len++] = (type_span){from, t->out->len};
	return true;
}

type_shape
type_union_end(typing *t, type_union *u)
{
	type_shape shape = u->len > 1 ? TS_OR : TS_ATOM;

	if (u->len == 0)
		buf_str(t->out, "never");
	mem_free(t->out->alloc, u->list, u->cap * sizeof(*u->list));
	return shape;
}

/* -------------------------------------------------------------- enums */

static type_shape
write_enum(typing *t, json values)
{
	json_iter it = json_each(values);
	type_union u = type_union_start(t);
	json v;

	while (!t->out->bad && json_next(&it, NULL, &v)) {
		size_t from = type_union_open(t, &u);

		type_literal(t->out, v);
		type_union_close(t, &u, from);
	}
	return type_union_end(t, &u);
}

/* ------------------------------------------------------------- arrays */

/* T[] for a plain word, Array<T> for the rest. */
static void
make_array(typing *t, size_t at)
{
	text item = text_sub(buf_view(t->out), at, SIZE_MAX);
	bool plain = true;

	for (size_t i = 0; i < item.len; i++)
		plain = plain && item.ptr[i] >= 'a' && item.ptr[i] <= 'z';
	if (plain) {
		buf_str(t->out, "[]");
		return;
	}
	type_insert(t, at, "Array<");
	buf_byte(t->out, '>');
}

static type_shape
write_list(typing *t, json items)
{
	size_t at = t->out->len;

	if (json_kind_of(items) == JSON_FALSE)
		return write_word(t, "[]");
	type_write(t, items);
	make_array(t, at);
	return TS_ATOM;
}

/* An element that may be missing: T?, with brackets where T needs them. */
static void
make_optional(typing *t, size_t at, type_shape shape)
{
	if (shape != TS_ATOM) {
		type_insert(t, at, "(");
		buf_byte(t->out, ')');
	}
	buf_byte(t->out, '?');
}

/* rest: what may follow the fixed elements; missing or false: nothing. */
static type_shape
write_tuple(typing *t, json schema, json fixed, json rest)
{
	int64_t least = INT64_MAX, n = 0;
	json_iter it = json_each(fixed);
	json item;

	json_int(json_get(schema, TEXT("minItems")), &least);
	buf_byte(t->out, '[');
	for (; !t->out->bad && json_next(&it, NULL, &item); n++) {
		size_t at;

		buf_str(t->out, n ? ", " : "");
		at = t->out->len;
		type_shape shape = type_write(t, item);
		if (n >= least)
			make_optional(t, at, shape);
	}
	if (rest.len && json_kind_of(rest) != JSON_FALSE) {
		buf_str(t->out, n ? ", ..." : "...");
		write_list(t, rest);
	}
	return write_word(t, "]");
}

/* Draft 2020-12 says prefixItems and items, earlier ones items (a list) and
 * additionalItems. */
static type_shape
write_array(typing *t, json schema)
{
	json items = json_get(schema, TEXT("items"));
	json prefix = json_get(schema, TEXT("prefixItems"));

	if (json_len(prefix) && json_kind_of(prefix) == JSON_ARRAY)
		return write_tuple(t, schema, prefix, items);
	if (json_kind_of(items) == JSON_ARRAY)
		return write_tuple(t, schema, items,
		    json_get(schema, TEXT("additionalItems")));
	return write_list(t, items);
}

/* ------------------------------------------------------- its own words */

static const struct {
	text name;
	const char *type; /* NULL: see write */
	type_shape (*write)(typing *, json);
} types[] = {
    {TEXT_INIT("string"), "string", NULL},
    {TEXT_INIT("number"), "number", NULL},
    {TEXT_INIT("integer"), "number", NULL},
    {TEXT_INIT("boolean"), "boolean", NULL},
    {TEXT_INIT("null"), "null", NULL},
    {TEXT_INIT("object"), NULL, type_object},
    {TEXT_INIT("array"), NULL, write_array},
};

static type_shape
write_named(typing *t, json schema, json name)
{
	for (size_t i = 0; i < sizeof(types) / sizeof(types[0]); i++)
		if (json_is(name, types[i].name))
			return types[i].type ? write_word(t, types[i].type)
					     : types[i].write(t, schema);
	return write_word(t, "unknown");
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
		return type_object(t, schema);
	if (type.len == 0 && has_any(schema, array_words))
		return write_array(t, schema);
	if (json_kind_of(type) != JSON_ARRAY || json_len(type) == 0)
		return write_word(t, "unknown");
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

/* A target that is being written already is not entered again: recursion ends
 * in unknown. */
static type_shape
write_ref(typing *t, json ref)
{
	json target = type_target(t->refs, ref);
	type_shape shape;

	if (target.len == 0 || t->refs_left == 0 || t->active == TS_REFS)
		return write_word(t, "unknown");
	for (size_t i = 0; i < t->active; i++)
		if (t->target[i] == target.ptr)
			return write_word(t, "unknown");
	t->refs_left--;
	t->target[t->active++] = target.ptr;
	shape = type_write(t, target);
	t->active--;
	return shape;
}

/* The parts written so far: A & B & ... */
struct parts {
	type_span first;
	size_t count;
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
	if (type_wrote(t, part.from, "unknown") || t->out->bad) {
		take_back(t, end);
		return;
	}
	if (p->count > 0)
		bracket_part(t, part, shape);
	if (p->count == 1)
		bracket_part(t, p->first, p->shape);
	if (p->count == 0) {
		p->first = part;
		p->shape = shape;
	}
	p->count++;
}

static type_shape
write_parts(typing *t, json schema)
{
	static const char *const unions[] = {"anyOf", "oneOf"};
	struct parts p = {.count = 0};
	json_iter it = json_each(json_get(schema, TEXT("allOf")));
	json ref = json_get(schema, TEXT("$ref")), branch;

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
	return TS_OR;
}

static type_shape
write_object_schema(typing *t, json schema)
{
	json constant = json_get(schema, TEXT("const"));
	json values = json_get(schema, TEXT("enum"));
	size_t at = t->out->len;
	type_shape shape = TS_ATOM;

	if (constant.len)
		type_literal(t->out, constant);
	else if (json_kind_of(values) == JSON_ARRAY)
		shape = write_enum(t, values);
	else
		shape = write_parts(t, schema);
	if (json_bool(json_get(schema, TEXT("nullable")), false))
		shape = add_null(t, at, shape);
	return shape;
}

type_shape
type_write(typing *t, json schema)
{
	json_kind kind = json_kind_of(schema);
	type_shape shape;

	if (kind == JSON_FALSE)
		return write_word(t, "never");
	if (kind != JSON_OBJECT || t->depth >= t->max_depth || t->out->bad ||
	    schema.len > t->bytes_left)
		return write_word(t, "unknown");
	t->bytes_left -= schema.len;
	t->depth++;
	shape = write_object_schema(t, schema);
	t->depth--;
	return shape;
}

/* ------------------------------------------------------------ from outside */

/* Tried in turn until the type is small enough. */
static const struct {
	type_notes notes;
	unsigned depth;
} details[] = {
    {TS_ALL_NOTES, TS_DEPTH},
    {TS_DESCRIPTIONS, TS_DEPTH},
    {TS_NO_NOTES, TS_DEPTH},
    {TS_NO_NOTES, 6},
    {TS_NO_NOTES, 4},
    {TS_NO_NOTES, 2},
};

static cm_status
try_detail(buf *out, json schema, type_refs *refs, uint32_t indent, size_t i)
{
	bool one_line = indent == TS_ONE_LINE;
	typing t = {.out = out,
	    .refs = refs,
	    .indent = one_line ? 0 : indent,
	    .notes = one_line ? TS_NO_NOTES : details[i].notes,
	    .max_depth = details[i].depth,
	    .bytes_left = TS_BYTES,
	    .refs_left = TS_REFS};

	buf_clear(out);
	refs->bytes_left = TS_REF_BYTES;
	type_write(&t, schema);
	return out->bad ? out->bad : refs->bad;
}

void
type_of_schema(buf *out, json schema, uint32_t indent)
{
	buf type = BUF_INIT(
	    out->alloc, indent == TS_ONE_LINE ? TS_LINE_MAX : TS_TYPE_MAX);
	cm_status r = CM_ELIMIT;
	type_refs refs;

	type_refs_init(&refs, out->alloc, schema);
	for (size_t i = 0; i < sizeof(details) / sizeof(details[0]); i++)
		if (r == CM_ELIMIT)
			r = try_detail(&type, schema, &refs, indent, i);
	if (r == CM_OK)
		buf_text(out, buf_view(&type));
	else if (r == CM_ELIMIT)
		buf_str(out, "unknown");
	else if (!out->bad)
		out->bad = r;
	type_refs_fini(&refs);
	buf_fini(&type);
}

bool
type_may_be_left_out(json schema)
{
	static const char *const others[] = {
	    "$ref", "const", "enum", "anyOf", "oneOf", "allOf", NULL};
	json type = json_get(schema, TEXT("type"));

	if (schema.len == 0)
		return true;
	return json_is(type, TEXT("object")) && !has_any(schema, others) &&
	       json_len(json_get(schema, TEXT("required"))) == 0;
}
