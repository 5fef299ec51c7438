/* SPDX-License-Identifier: MIT */
/*
 * seal.c -- names all tools at once, and makes the lookups of a sealed catalog.
 *
 * Spaces come first, because a tool without a space must not get the
 * identifier of one. Then the tools of each space are named. Lists are sorted
 * before anything is decided, so that the order of arrival does not matter.
 * Everything is made beside the catalog and moved in at the end, so that a
 * failure leaves the catalog as it was.
 */
#include "catalog.h"

#include "base/sort.h"
#include "tool_ident.h"

/* A copy of the list, and what is made for it. */
struct sealing {
	const cm_alloc *alloc;
	tool *list;
	size_t len;
	catalog_checks *checks; /* of tools that are not compiled yet */
	arena made;
	map by_name;
	map by_space;
};

/* ------------------------------------------------------------- spaces */

/* The spaces while they are named. */
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
name_spaces(struct spaces *s, const struct sealing *g)
{
	cm_status r = CM_OK;

	for (size_t i = 0; i < g->len && r == CM_OK; i++)
		r = add_space(s, g->list[i].space);
	if (r == CM_OK)
		r = ident_settle(s->alloc, s->claim, s->len, NULL);
	return r == CM_OK ? number_spaces(s) : r;
}

static text
ident_of_space(const struct spaces *s, text space)
{
	return space.len ? s->claim[map_get(&s->number, space)].ident
			 : TEXT_NONE;
}

/* -------------------------------------------------------------- tools */

/* Writes "space.name", or the name alone, into the arena; no text: no memory. */
static text
join(arena *made, text space, text name)
{
	size_t dot = space.len ? 1 : 0;
	text whole = {NULL, space.len + dot + name.len};
	char *at = arena_take(made, whole.len);

	if (!at)
		return TEXT_NONE;
	whole.ptr = at;
	if (space.len) {
		memcpy(at, space.ptr, space.len);
		at[space.len] = '.';
	}
	memcpy(at + space.len + dot, name.ptr, name.len);
	return whole;
}

static cm_status
set_path(arena *made, tool *t, text space, text ident)
{
	t->path = join(made, space, ident);
	if (!t->path.ptr)
		return CM_ENOMEM;
	t->space_ident = text_sub(t->path, 0, space.len);
	t->ident = text_sub(t->path, t->path.len - ident.len, t->path.len);
	return CM_OK;
}

/* The n tools of one space, sorted by name; so are the claims at the end. */
static cm_status
name_space(
    const struct spaces *s, arena *made, tool *t, size_t n, ident_claim *claim)
{
	text space = ident_of_space(s, t[0].space);
	cm_status r;

	for (size_t i = 0; i < n; i++)
		claim[i] = (ident_claim){.name = t[i].name};
	r = ident_settle(s->alloc, claim, n, space.len ? NULL : &s->idents);
	for (size_t i = 0; i < n && r == CM_OK; i++)
		r = set_path(made, &t[i], space, claim[i].ident);
	ident_release(s->alloc, claim, n);
	return r;
}

static size_t
tools_of_space(const tool *t, size_t left)
{
	size_t n = 1;

	while (n < left && text_eq(t[n].space, t[0].space))
		n++;
	return n;
}

static cm_status
name_tools(const struct spaces *s, struct sealing *g)
{
	size_t size = g->len * sizeof(ident_claim), n;
	ident_claim *claim = mem_new(s->alloc, size);
	cm_status r = CM_OK;

	if (!claim && size)
		return CM_ENOMEM;
	for (size_t i = 0; i < g->len && r == CM_OK; i += n) {
		n = tools_of_space(&g->list[i], g->len - i);
		r = name_space(s, &g->made, &g->list[i], n, claim);
	}
	mem_free(s->alloc, claim, size);
	return r;
}

static cm_status
name_all(struct sealing *g)
{
	struct spaces s = {.alloc = g->alloc,
	    .number = MAP_INIT(g->alloc),
	    .idents = MAP_INIT(g->alloc)};
	cm_status r = name_spaces(&s, g);

	if (r == CM_OK)
		r = name_tools(&s, g);
	spaces_fini(&s);
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

static cm_status
set_if_new(map *m, text key, size_t i)
{
	return map_get(m, key) == MAP_NONE ? map_set(m, key, (uint32_t)i)
					   : CM_OK;
}

/* The ways to write a tool, best first; each may be taken by another tool. */
enum { WRITE_PATH, WRITE_NAMES, WRITE_NAME, WRITE_SPACE, WRITINGS };

static text
writing_of(struct sealing *g, const tool *t, unsigned rank)
{
	text space = rank == WRITE_NAME ? t->space_ident : t->space;
	text name = rank == WRITE_SPACE ? t->ident : t->name;

	if (rank == WRITE_PATH || ident_is_reserved(t->name) ||
	    ident_is_reserved(t->space) ||
	    (text_eq(space, t->space_ident) && text_eq(name, t->ident)))
		return t->path;
	return join(&g->made, space, name);
}

/* All tools' writings of one rank before those of the next, so that no name
 * hides a path. */
static cm_status
list_writings(struct sealing *g)
{
	cm_status r = CM_OK;

	for (unsigned rank = 0; rank < WRITINGS; rank++)
		for (size_t i = 0; i < g->len && r == CM_OK; i++) {
			text key = writing_of(g, &g->list[i], rank);

			r = key.ptr ? set_if_new(&g->by_name, key, i)
				    : CM_ENOMEM;
		}
	return r;
}

static cm_status
list_spaces(struct sealing *g)
{
	cm_status r = CM_OK;

	for (size_t i = 0; i < g->len && r == CM_OK; i++) {
		const tool *t = &g->list[i];

		if (t->space.len == 0)
			continue;
		r = set_if_new(&g->by_space, t->space, i);
		if (r == CM_OK)
			r = set_if_new(&g->by_space, t->space_ident, i);
	}
	return r;
}

/* ------------------------------------------------------------ all together */

static cm_status
seal_copy(struct sealing *g)
{
	cm_status r;

	sort(g->list, g->len, sizeof(*g->list), by_space_and_name);
	if ((r = name_all(g)) != CM_OK)
		return r;
	sort(g->list, g->len, sizeof(*g->list), by_path);
	r = list_writings(g);
	return r == CM_OK ? list_spaces(g) : r;
}

/* Exchanges what was made with what the catalog has. */
static void
swap_sealing(catalog *c, struct sealing *g)
{
	struct sealing old = {.alloc = &c->alloc,
	    .list = c->list,
	    .len = c->len,
	    .made = c->made,
	    .by_name = c->by_name,
	    .by_space = c->by_space};

	catalog_drop_checks(c);
	catalog_drop_search(c);
	c->checks = g->checks;
	c->checks_len = g->len;
	c->list = g->list;
	c->made = g->made;
	c->by_name = g->by_name;
	c->by_space = g->by_space;
	*g = old;
}

cm_status
catalog_seal(catalog *c)
{
	size_t size = c->cap * sizeof(*c->list);
	struct sealing g = {.alloc = &c->alloc,
	    .len = c->len,
	    .made = ARENA_INIT(&c->alloc, SIZE_MAX / 2),
	    .by_name = MAP_INIT(&c->alloc),
	    .by_space = MAP_INIT(&c->alloc)};
	cm_status r;

	if (c->sealed || c->len == 0)
		return CM_OK;
	g.list = mem_new(&c->alloc, size);
	g.checks = mem_new(&c->alloc, c->len * sizeof(*g.checks));
	r = g.list && g.checks ? CM_OK : CM_ENOMEM;
	if (r == CM_OK) {
		memcpy(g.list, c->list, c->len * sizeof(*c->list));
		r = seal_copy(&g);
	}
	if (r == CM_OK) {
		swap_sealing(c, &g);
		c->sealed = true;
	}
	mem_free(&c->alloc, g.list, size);
	if (g.checks)
		mem_free(&c->alloc, g.checks, c->len * sizeof(*g.checks));
	map_fini(&g.by_name);
	map_fini(&g.by_space);
	arena_fini(&g.made);
	return r;
}
