/* SPDX-License-Identifier: MIT */
/*
 * seal.c -- what every tool is called, settled for all of them at once.
 *
 * Spaces come first, because their identifiers are not free for tools that
 * have none. Then each space is settled by itself. Lists are sorted before
 * anything is decided, so that the order of arrival leaves no trace.
 */
#include "seal.h"

#include "base/sort.h"
#include "ident.h"

#include <stdio.h>

/* ------------------------------------------------------------- spaces */

struct spaces {
	const cm_alloc *alloc;
	ident_claim *claim; /* one for each space that is not empty */
	size_t len;
	size_t cap;
	map number; /* the space -> its place in claim */
	map idents; /* their identifiers: no tool beside them gets one */
};

static void
spaces_fini(struct spaces *s)
{
	ident_release(s->alloc, s->claim, s->len);
	mem_free(s->alloc, s->claim, s->cap * sizeof(*s->claim));
	map_fini(&s->number);
	map_fini(&s->idents);
}

static cm_status
add_space(struct spaces *s, text space)
{
	if (space.len == 0 || map_get(&s->number, space) != MAP_NONE)
		return CM_OK;
	if (!mem_grow(s->alloc, (void **)&s->claim, &s->cap, s->len,
		sizeof(*s->claim)))
		return CM_ENOMEM;
	s->claim[s->len++] = (ident_claim){.name = space};
	return map_set(&s->number, space, 0);
}

/* Settling sorts the claims: number them only then. */
static cm_status
number_spaces(struct spaces *s)
{
	cm_status r = CM_OK;

	for (size_t i = 0; i < s->len && r == CM_OK; i++) {
		r = map_set(&s->number, s->claim[i].name, (uint32_t)i);
		if (r == CM_OK)
			r = map_set(&s->idents, s->claim[i].ident, 1);
	}
	return r;
}

static cm_status
settle_spaces(struct spaces *s, const catalog *c)
{
	cm_status r = CM_OK;

	for (size_t i = 0; i < c->len && r == CM_OK; i++)
		r = add_space(s, c->list[i].space);
	if (r == CM_OK)
		r = ident_settle(s->alloc, s->claim, s->len, NULL);
	return r == CM_OK ? number_spaces(s) : r;
}

static text
space_ident(const struct spaces *s, text space)
{
	return space.len ? s->claim[map_get(&s->number, space)].ident
			 : TEXT_NONE;
}

/* -------------------------------------------------------------- tools */

/* Writes "space.name", or the name alone; *at moves behind it. */
static text
join(char **at, text space, text name)
{
	text whole = {*at, 0};

	if (space.len) {
		memcpy(*at, space.ptr, space.len);
		(*at)[space.len] = '.';
		*at += space.len + 1;
	}
	memcpy(*at, name.ptr, name.len);
	*at += name.len;
	whole.len = (size_t)(*at - whole.ptr);
	return whole;
}

/* All ways to write a tool: the path first, then the others by rank. */
static cm_status
make_writings(const cm_alloc *alloc, tool *t, text space, text ident)
{
	size_t size =
	    2 * (space.len + 1 + t->space.len + 1 + ident.len + t->name.len);
	char *at = mem_new(alloc, size);

	if (!at)
		return CM_ENOMEM;
	mem_free(alloc, t->made, t->made_size);
	t->made = at;
	t->made_size = size;
	t->path = t->writing[0] = join(&at, space, ident);
	t->writing[1] = join(&at, t->space, t->name);
	t->writing[2] = join(&at, space, t->name);
	t->writing[3] = join(&at, t->space, ident);
	t->space_ident = text_sub(t->path, 0, space.len);
	t->ident = text_sub(t->path, t->path.len - ident.len, t->path.len);
	return CM_OK;
}

/* The n tools of one space, sorted by name; so are the claims at the end. */
static cm_status
settle_space(const struct spaces *s, tool *t, size_t n, ident_claim *claim)
{
	text space = space_ident(s, t[0].space);
	cm_status r;

	for (size_t i = 0; i < n; i++)
		claim[i] = (ident_claim){.name = t[i].name};
	r = ident_settle(s->alloc, claim, n, space.len ? NULL : &s->idents);
	for (size_t i = 0; i < n && r == CM_OK; i++)
		r = make_writings(s->alloc, &t[i], space, claim[i].ident);
	ident_release(s->alloc, claim, n);
	return r;
}

static size_t
run_of_space(const tool *t, size_t left)
{
	size_t n = 1;

	while (n < left && text_eq(t[n].space, t[0].space))
		n++;
	return n;
}

static cm_status
settle_tools(const struct spaces *s, catalog *c)
{
	size_t size = c->len * sizeof(ident_claim), n;
	ident_claim *claim = mem_new(s->alloc, size);
	cm_status r = CM_OK;

	if (!claim && size)
		return CM_ENOMEM;
	for (size_t i = 0; i < c->len && r == CM_OK; i += n) {
		n = run_of_space(&c->list[i], c->len - i);
		r = settle_space(s, &c->list[i], n, claim);
	}
	mem_free(s->alloc, claim, size);
	return r;
}

/* ------------------------------------------------------ order and lookup */

static int
by_space_and_name(const void *a, const void *b)
{
	const tool *left = a, *right = b;
	int order = text_cmp(left->space, right->space);

	return order ? order : text_cmp(left->name, right->name);
}

static int
by_path(const void *a, const void *b)
{
	const tool *left = a, *right = b;

	return text_cmp(left->path, right->path);
}

/* By rank of the writing first, so that no name hides a path. */
static cm_status
make_lookup(catalog *c)
{
	cm_status r = CM_OK;

	for (size_t rank = 0; rank < TOOL_WRITINGS; rank++)
		for (size_t i = 0; i < c->len && r == CM_OK; i++) {
			text writing = c->list[i].writing[rank];

			if (map_get(&c->by_name, writing) == MAP_NONE)
				r = map_set(&c->by_name, writing, (uint32_t)i);
		}
	return r;
}

/* Each text with its length, so that none runs into the next. */
static uint64_t
hash_tool(const tool *t, uint64_t h)
{
	const text parts[] = {
	    t->space, t->name, t->description, t->input, t->output};
	char number[32];

	for (size_t i = 0; i < sizeof(parts) / sizeof(parts[0]); i++) {
		snprintf(number, sizeof(number), "%zu:", parts[i].len);
		h = text_hash(parts[i], text_hash(text_of(number), h));
	}
	snprintf(number, sizeof(number), "%u", t->flags);
	return text_hash(text_of(number), h);
}

cm_status
seal(catalog *c)
{
	struct spaces s = {.alloc = &c->alloc,
	    .number = MAP_INIT(&c->alloc),
	    .idents = MAP_INIT(&c->alloc)};
	cm_status r;

	map_fini(&c->by_name); /* its keys lie in blocks that go */
	sort(c->list, c->len, sizeof(*c->list), by_space_and_name);
	if ((r = settle_spaces(&s, c)) != CM_OK)
		goto out;
	if ((r = settle_tools(&s, c)) != CM_OK)
		goto out;
	sort(c->list, c->len, sizeof(*c->list), by_path);
	if ((r = make_lookup(c)) != CM_OK)
		goto out;
	c->hash = 0;
	for (size_t i = 0; i < c->len; i++)
		c->hash = hash_tool(&c->list[i], c->hash);
out:
	spaces_fini(&s);
	return r;
}
