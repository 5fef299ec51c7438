/* SPDX-License-Identifier: MIT */
/*
 * type_def.c -- which $refs become types with a name.
 *
 * Each target is written once to count the $refs in it, the root first and the
 * others in the order they are met; a $ref is not followed while counting. A
 * target that has two uses or more gets a name, unless it is so short that the
 * name would save nothing. What contains itself has two uses always: one from
 * outside and its own.
 *
 * TypeScript refuses a type that is defined as itself, "type A = A | B": such
 * a cycle has no object or array on its way. Its types get no name.
 */
#include "type_write.h"

#include "base/letters.h"
#include "base/mem.h"

#include <stdio.h>

enum {
	NAME_MAX = 64,     /* bytes of a name before its suffix */
	IN_PLACE_MAX = 60, /* a type of so many bytes needs no name */
};

type_def *
type_def_of(const type_refs *r, json target)
{
	for (size_t i = 0; i < r->defs; i++)
		if (r->def[i].schema.ptr == target.ptr)
			return &r->def[i];
	return NULL;
}

/* -------------------------------------------------------------- names */

/* "create_issue.args" becomes CreateIssueArgs: each letter behind something
 * that is none is a capital, so that no word of TypeScript comes out. */
static text
camel_case(text from, char out[NAME_MAX + 8])
{
	size_t n = 0, at = 0;
	bool first = true;

	while (at < from.len && n < NAME_MAX) {
		uint32_t c = utf8_next(from, &at);

		if (c == '_' || c == '$' || !continues_name(c)) {
			first = true;
			continue;
		}
		if (n == 0 && !starts_name(c))
			out[n++] = 'T';
		n += utf8_put(first && c - 'a' < 26 ? c - 32 : c, out + n);
		first = false;
	}
	if (n == 0)
		out[n++] = 'T';
	return (text){out, n};
}

static bool
is_name_free(const type_refs *r, text name)
{
	for (size_t i = 0; i < r->defs; i++)
		if (text_eq(r->def[i].name, name))
			return false;
	return !text_eq(name, TEXT("Array")) && !text_eq(name, TEXT("Promise"));
}

static text
keep_name(type_refs *r, text name)
{
	char *copy = arena_take(&r->made, name.len);

	if (!copy) {
		r->bad = CM_ENOMEM;
		return TEXT_NONE;
	}
	memcpy(copy, name.ptr, name.len);
	return (text){copy, name.len};
}

/* name, with the first number behind it that makes it free. */
static text
free_name(type_refs *r, text name)
{
	char storage[NAME_MAX + 32];
	buf b = BUF_INIT(NULL, sizeof(storage));

	b.ptr = storage;
	b.cap = sizeof(storage);
	buf_text(&b, name);
	for (unsigned n = 2; !is_name_free(r, buf_view(&b)); n++) {
		b.len = name.len;
		buf_printf(&b, "%u", n);
	}
	return keep_name(r, buf_view(&b));
}

/* ------------------------------------------------------------ counting */

static type_def *
add_def(type_refs *r, json schema, json base, text what)
{
	char storage[NAME_MAX + 8];

	if (r->defs == TS_DEFS)
		return NULL;
	if (!mem_grow(r->alloc, (void **)&r->def, &r->def_cap, r->defs,
		sizeof(*r->def))) {
		r->bad = CM_ENOMEM;
		return NULL;
	}
	r->def[r->defs] = (type_def){.schema = schema,
	    .base = base,
	    .circular = true,
	    .name = free_name(r, camel_case(what, storage))};
	return &r->def[r->defs++];
}

static void
add_def_edge(type_refs *r, uint32_t from, uint32_t to)
{
	if (!mem_grow(r->alloc, (void **)&r->edge, &r->edge_cap, r->edges,
		sizeof(*r->edge))) {
		r->bad = CM_ENOMEM;
		return;
	}
	r->edge[r->edges++] = (type_edge){from, to};
}

/* The last step of a pointer; ~1 and %20 in it are letters that separate. */
static text
last_step(json ref)
{
	size_t from = ref.len;

	while (from > 0 && ref.ptr[from - 1] != '/')
		from--;
	return text_sub(ref, from, ref.len);
}

type_shape
type_def_use(typing *t, json target, json ref)
{
	type_refs *r = t->refs;
	type_def *def = type_def_of(r, target), *from;

	if (!def)
		def = add_def(r, target, t->base, last_step(ref));
	if (def) {
		from = &r->def[t->current];
		def->uses++;
		from->refers = true;
		if (t->guards == 0) {
			from->spreads = true;
			add_def_edge(r, t->current, (uint32_t)(def - r->def));
		}
	}
	return type_word(t, "T");
}

/* A type is circular unless all types that it needs as a whole are not. */
static void
find_circular(type_refs *r)
{
	bool changed = true;

	while (changed) {
		changed = false;
		for (size_t i = 0; i < r->defs; i++)
			r->def[i].wanted = false; /* needs a circular one */
		for (size_t i = 0; i < r->edges; i++)
			if (r->def[r->edge[i].to].circular)
				r->def[r->edge[i].from].wanted = true;
		for (size_t i = 0; i < r->defs; i++) {
			type_def *def = &r->def[i];

			if (def->circular && !def->wanted) {
				def->circular = false;
				changed = true;
			}
		}
	}
}

static size_t
count_refs_of(typing *t, uint32_t i)
{
	type_refs *r = t->refs;

	buf_clear(t->out);
	t->current = i;
	t->base = r->def[i].base;
	t->guards = 0;
	t->width = 1;
	type_write(t, r->def[i].schema);
	if (t->out->bad == CM_ENOMEM)
		r->bad = CM_ENOMEM;
	/* The width of a type that it spreads is not known yet. */
	r->def[i].width = t->width * (r->def[i].spreads ? 32 : 1);
	return t->out->bad ? SIZE_MAX : t->out->len;
}

size_t
type_defs_count(typing *t, text what)
{
	type_refs *r = t->refs;
	type_def *root = add_def(r, r->root, r->root, what);
	size_t least = 0;

	if (!root)
		return 0;
	root->uses = 1;
	t->counting = true;
	for (uint32_t i = 0; i < r->defs && !r->bad; i++) {
		size_t size = count_refs_of(t, i);

		least = i == 0 ? size : least;
		r->def[i].named = size > IN_PLACE_MAX || r->def[i].refers;
	}
	t->counting = false;
	find_circular(r);
	for (size_t i = 0; i < r->defs; i++)
		r->def[i].named &= r->def[i].uses > 1 && !r->def[i].circular;
	return least;
}

/* ------------------------------------------------------------- writing */

type_shape
type_def_name(typing *t, type_def *def)
{
	type_refs *r = t->refs;
	uint32_t number = (uint32_t)(def - r->def);
	bool wanted = false;

	for (size_t i = 0; i < r->wants; i++)
		wanted |= r->want[i] == number;
	if (!wanted)
		r->want[r->wants++] = number;
	buf_str(t->out, "tools.");
	buf_text(t->out, def->name);
	t->width = def->width;
	return TS_ATOM;
}

/* Writing one may make others wanted. */
void
type_defs_write(typing *t)
{
	type_refs *r = t->refs;

	t->indent = 2;
	for (size_t i = 0; i < r->wants && !t->out->bad; i++) {
		type_def *def = &r->def[r->want[i]];

		def->text.from = t->out->len;
		t->base = def->base;
		type_note(t, def->schema);
		type_line_break(t);
		buf_str(t->out, "type ");
		buf_text(t->out, def->name);
		buf_str(t->out, " = ");
		type_write(t, def->schema);
		buf_byte(t->out, ';');
		def->text.to = t->out->len;
	}
}

/* --------------------------------------------------- one of each, for all */

void
type_names_init(type_names *n, const cm_alloc *alloc)
{
	*n = (type_names){.text = BUF_INIT(alloc, SIZE_MAX / 4),
	    .made = ARENA_INIT(alloc, SIZE_MAX / 4),
	    .number = MAP_INIT(alloc)};
}

void
type_names_fini(type_names *n)
{
	mem_free(n->text.alloc, n->list, n->cap * sizeof(*n->list));
	map_fini(&n->number);
	arena_fini(&n->made);
	buf_fini(&n->text);
}

static text
text_of_def(const type_def *def, const buf *defs)
{
	return text_sub(buf_view(defs), def->text.from, def->text.to);
}

bool
type_defs_fit(const type_refs *r, const buf *defs, const type_names *names)
{
	for (size_t i = 0; i < r->wants; i++) {
		const type_def *def = &r->def[r->want[i]];
		uint32_t number = map_get(&names->number, def->name);
		const struct type_named *same;

		if (number == MAP_NONE)
			continue;
		same = &names->list[number];
		if (!text_eq(
			text_sub(buf_view(&names->text), same->from, same->to),
			text_of_def(def, defs)))
			return false;
	}
	return true;
}

void
type_defs_rename(type_refs *r, const buf *defs, unsigned turn)
{
	uint64_t hash = text_hash(buf_view(defs), turn);

	for (size_t i = 0; i < r->defs; i++) {
		type_def *def = &r->def[i];
		char storage[NAME_MAX + 64];
		int n = snprintf(storage, sizeof(storage), "%.*s_%06x",
		    TEXT_ARG(def->name), (unsigned)(hash & 0xffffff));

		def->name = keep_name(r, (text){storage, (size_t)n});
	}
}

cm_status
type_defs_add(const type_refs *r, const buf *defs, type_names *names)
{
	for (size_t i = 0; i < r->wants; i++) {
		const type_def *def = &r->def[r->want[i]];
		size_t from = names->text.len;
		char *name;

		if (map_get(&names->number, def->name) != MAP_NONE)
			continue;
		name = arena_take(&names->made, def->name.len);
		if (!name || !mem_grow(names->text.alloc, (void **)&names->list,
				 &names->cap, names->len, sizeof(*names->list)))
			return CM_ENOMEM;
		memcpy(name, def->name.ptr, def->name.len);
		buf_text(&names->text, text_of_def(def, defs));
		names->list[names->len] =
		    (struct type_named){from, names->text.len};
		if (names->text.bad ||
		    map_set(&names->number, (text){name, def->name.len},
			(uint32_t)names->len) != CM_OK)
			return CM_ENOMEM;
		names->len++;
	}
	return CM_OK;
}
