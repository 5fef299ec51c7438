/* SPDX-License-Identifier: MIT */
/*
 * type_object.c -- the type of an object: its members and what else it takes.
 *
 * Members are sorted by name: servers that build schemas from hash tables send
 * them in another order each time, and what a model is shown should stay the
 * same to the byte. A name that is only required is a member of any type.
 */
#include "type_write.h"

#include "base/sort.h"
#include "tool_ident.h"

struct member {
	size_t from, len; /* its name in .names, while that grows */
	text name;
	size_t order;
	json schema; /* missing when it is only required */
	bool required;
	type_span type; /* in the output */
};

struct members {
	const cm_alloc *alloc;
	buf names;
	struct member *list;
	size_t len;
	size_t cap;
};

static void
members_fini(struct members *m)
{
	mem_free(m->alloc, m->list, m->cap * sizeof(*m->list));
	buf_fini(&m->names);
}

static bool
add_named(struct members *m, json name, json schema, bool required)
{
	size_t from = m->names.len;

	if (!json_unescape(name, &m->names))
		return true; /* not a name: ignored */
	if (m->names.bad || !mem_grow(m->alloc, (void **)&m->list, &m->cap,
				m->len, sizeof(*m->list)))
		return false;
	m->list[m->len] = (struct member){.from = from,
	    .len = m->names.len - from,
	    .order = m->len,
	    .schema = schema,
	    .required = required};
	m->len++;
	return true;
}

static int
by_name(const void *a, const void *b)
{
	const struct member *left = a, *right = b;
	int order = text_cmp(left->name, right->name);

	return order ? order
		     : (left->order > right->order) -
			   (left->order < right->order);
}

/* Several entries of one name become one: the last schema counts. */
static void
merge_equal_names(struct members *m)
{
	size_t n = 0;

	for (size_t i = 0; i < m->len; i++) {
		struct member *last = n ? &m->list[n - 1] : NULL;

		if (!last || !text_eq(last->name, m->list[i].name)) {
			m->list[n++] = m->list[i];
			continue;
		}
		last->required |= m->list[i].required;
		if (m->list[i].schema.len)
			last->schema = m->list[i].schema;
	}
	m->len = n;
}

static bool
load_members(struct members *m, json schema)
{
	json properties = json_get(schema, TEXT("properties"));
	json required = json_get(schema, TEXT("required"));
	json_iter it = json_each(properties);
	json name, value;

	while (it.object && json_next(&it, &name, &value))
		if (!add_named(m, name, value, false))
			return false;
	it = json_each(required);
	while (!it.object && json_next(&it, NULL, &name))
		if (!add_named(m, name, TEXT_NONE, true))
			return false;
	for (size_t i = 0; i < m->len; i++)
		m->list[i].name = text_sub(buf_view(&m->names), m->list[i].from,
		    m->list[i].from + m->list[i].len);
	sort(m->list, m->len, sizeof(*m->list), by_name);
	merge_equal_names(m);
	return true;
}

void
type_key(buf *out, text name)
{
	if (ident_ok(name))
		buf_text(out, name);
	else
		json_string(out, name);
}

void
type_line_break(typing *t)
{
	buf_byte(t->out, '\n');
	for (uint32_t i = 0; i < t->indent && !t->out->bad; i++)
		buf_byte(t->out, ' ');
}

/* ------------------------------------------------------------- members */

static bool
has_note(typing *t, json schema)
{
	size_t at = t->out->len;
	bool has;

	type_note(t, schema);
	has = t->out->len > at;
	if (!t->out->bad)
		t->out->len = at;
	return has;
}

static bool
have_notes(typing *t, const struct members *m)
{
	for (size_t i = 0; i < m->len && !t->out->bad; i++)
		if (has_note(t, m->list[i].schema))
			return true;
	return false;
}

static void
write_member(typing *t, struct member *m)
{
	type_key(t->out, m->name);
	buf_str(t->out, m->required ? ": " : "?: ");
	m->type.from = t->out->len;
	type_write(t, m->schema);
	m->type.to = t->out->len;
	buf_byte(t->out, ';');
}

/* ---------------------------------------------------- what else it takes */

enum { OTHERS_MAX = 120 };

/* Adds the type of each member too, because TypeScript wants them to fit the
 * index; one that may be missing may be undefined. False: it gets too long. */
static bool
add_members(typing *t, type_union *u, const struct members *m)
{
	bool missing = false;

	for (size_t i = 0; i < m->len && !t->out->bad; i++) {
		type_span type = m->list[i].type;
		size_t from = type_union_open(t, u);

		if (buf_room(t->out, type.to - type.from))
			buf_add(t->out, t->out->ptr + type.from,
			    type.to - type.from);
		t->width = 1;
		if (!type_union_close(t, u, from))
			return true; /* unknown: all else fits */
		if (t->out->len - u->start > OTHERS_MAX)
			return false;
		missing |= !m->list[i].required;
	}
	if (missing)
		buf_str(t->out, " | undefined");
	return true;
}

static bool
add_other(typing *t, type_union *u, json schema)
{
	size_t from = type_union_open(t, u);

	type_write(t, schema);
	return type_union_close(t, u, from);
}

/* The type of members that have no name here. */
static void
write_others(typing *t, json schema, const struct members *m)
{
	json patterns = json_get(schema, TEXT("patternProperties"));
	json more = json_get(schema, TEXT("additionalProperties"));
	json_iter it = json_each(patterns);
	type_union u = type_union_start(t);
	bool open = true;
	json value;

	if (json_kind_of(more) == JSON_OBJECT ||
	    json_kind_of(more) == JSON_TRUE)
		open = add_other(t, &u, more);
	while (
	    open && it.object && !t->out->bad && json_next(&it, NULL, &value))
		open = add_other(t, &u, value);
	if (open && (u.len == 0 || !add_members(t, &u, m))) {
		if (!t->out->bad)
			t->out->len = u.start;
		buf_str(t->out, "unknown");
		u.len = 1;
	}
	type_union_end(t, &u);
}

/* Without a word about others an object with members is taken as complete. */
static bool
takes_others(json schema, const struct members *m)
{
	json more = json_get(schema, TEXT("additionalProperties"));

	if (json_len(json_get(schema, TEXT("patternProperties"))))
		return true;
	if (more.len)
		return json_kind_of(more) != JSON_FALSE;
	return m->len == 0 && json_get(schema, TEXT("properties")).len == 0;
}

/* ---------------------------------------------------------- the whole */

/* The start of a member's line, or of a member on the only line. */
static void
begin_member(typing *t, bool lines)
{
	if (lines)
		type_line_break(t);
	else
		buf_byte(t->out, ' ');
}

/* Writes up to the members that the detail allows, required ones first; gives
 * how many are left. */
static size_t
write_shown_members(typing *t, struct members *m, bool lines)
{
	size_t required = 0, most = t->detail->members, left = m->len;

	for (size_t i = 0; i < m->len; i++)
		required += m->list[i].required;
	if (required > most)
		required = most;
	for (size_t i = 0, rest = most - required; i < m->len; i++) {
		size_t *room = m->list[i].required ? &required : &rest;

		if (*room == 0 || t->out->bad)
			continue;
		if (lines)
			type_note(t, m->list[i].schema);
		begin_member(t, lines);
		write_member(t, &m->list[i]);
		*room -= 1;
		left--;
	}
	return left;
}

static void
write_body(typing *t, json schema, struct members *m)
{
	json more = json_get(schema, TEXT("additionalProperties"));
	bool lines = have_notes(t, m) || has_note(t, more);
	size_t left;

	buf_byte(t->out, '{');
	t->indent += 2;
	left = write_shown_members(t, m, lines);
	if (left > 0) {
		begin_member(t, lines);
		buf_printf(t->out,
		    "[key: string]: unknown; /* \xe2\x80\xa6 %zu more */",
		    left);
	} else if (takes_others(schema, m)) {
		if (lines)
			type_note(t, more);
		begin_member(t, lines);
		buf_str(t->out, "[key: string]: ");
		write_others(t, schema, m);
		buf_byte(t->out, ';');
	}
	t->indent -= 2;
	begin_member(t, lines);
	buf_byte(t->out, '}');
}

type_shape
type_object(typing *t, json schema)
{
	struct members m = {.alloc = t->out->alloc,
	    .names = BUF_INIT(t->out->alloc, schema.len)};

	t->guards++;
	if (!load_members(&m, schema))
		t->out->bad = CM_ENOMEM;
	else if (m.len == 0 && !takes_others(schema, &m))
		buf_str(t->out, "{}");
	else
		write_body(t, schema, &m);
	members_fini(&m);
	t->guards--;
	t->width = 1;
	return TS_ATOM;
}
