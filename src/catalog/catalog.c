/* SPDX-License-Identifier: MIT */
/*
 * catalog.c -- tools are added one by one and checked one by one: a bad one is
 * refused and does not affect the others.
 *
 * Each tool keeps its texts in a single block. What sealing makes (paths and
 * lookups) is in seal.c.
 */
#include "catalog.h"

cm_status
catalog_new(const cm_alloc *alloc, catalog **out)
{
	catalog *c = mem_new(alloc, sizeof(*c));

	if (!c)
		return CM_ENOMEM;
	c->alloc = alloc ? *alloc : mem_system;
	c->given = MAP_INIT(&c->alloc);
	c->by_name = MAP_INIT(&c->alloc);
	c->by_space = MAP_INIT(&c->alloc);
	c->made = ARENA_INIT(&c->alloc, SIZE_MAX / 2);
	atomic_init(&c->holds, 1);
	*out = c;
	return CM_OK;
}

void
catalog_hold(catalog *c)
{
	atomic_fetch_add_explicit(&c->holds, 1, memory_order_relaxed);
}

void
catalog_drop(catalog *c)
{
	cm_alloc alloc;

	if (!c)
		return;
	if (atomic_fetch_sub_explicit(&c->holds, 1, memory_order_acq_rel) > 1)
		return;
	alloc = c->alloc;
	for (size_t i = 0; i < c->len; i++)
		mem_free(&alloc, c->list[i].given, c->list[i].given_size);
	mem_free(&alloc, c->list, c->cap * sizeof(*c->list));
	catalog_drop_checks(c);
	catalog_drop_search(c);
	map_fini(&c->given);
	map_fini(&c->by_name);
	map_fini(&c->by_space);
	arena_fini(&c->made);
	mem_free(&alloc, c, sizeof(*c));
}

/* ---------------------------------------------------------------- adding */

static cm_status
check_text(text t, size_t max)
{
	if (t.len > max)
		return CM_ELIMIT;
	return utf8_bad(t) == SIZE_MAX ? CM_OK : CM_EINPUT;
}

/* Empty is missing, anything else must be JSON; *value is its span. */
static cm_status
check_schema(text src, json *value)
{
	*value = TEXT_NONE;
	if (src.len > CATALOG_SCHEMA_MAX)
		return CM_ELIMIT;
	if (src.len && !json_check(src, JSON_DEPTH, value, NULL))
		return CM_EINPUT;
	return CM_OK;
}

static cm_status
check_given(const tool_given *g, tool *t)
{
	cm_status r;

	if (g->name.len == 0)
		return CM_EINPUT;
	if ((r = check_text(g->space, CATALOG_NAME_MAX)) != CM_OK ||
	    (r = check_text(g->name, CATALOG_NAME_MAX)) != CM_OK ||
	    (r = check_text(g->description, CATALOG_DESCRIPTION_MAX)) !=
		CM_OK ||
	    (r = check_schema(g->input_schema, &t->input)) != CM_OK ||
	    (r = check_schema(g->output_schema, &t->output)) != CM_OK ||
	    (r = check_text(g->signature, CATALOG_SCHEMA_MAX)) != CM_OK)
		return r;
	t->space = g->space;
	t->name = g->name;
	t->description = g->description;
	t->flags = g->flags;
	t->unchecked = g->unchecked;
	t->signature = g->signature;
	t->global = g->global;
	t->spread = g->spread;
	t->observed = g->observed;
	t->reads = g->reads;
	return CM_OK;
}

/* The length before the space keeps ("a", "bc") and ("ab", "c") apart. */
static text
write_key(char *at, text space, text name)
{
	at[0] = (char)(unsigned char)(space.len & 0xff);
	at[1] = (char)(unsigned char)(space.len >> 8);
	if (space.len)
		memcpy(at + 2, space.ptr, space.len);
	memcpy(at + 2 + space.len, name.ptr, name.len);
	return (text){at, 2 + space.len + name.len};
}

/* Copies t to *at, which moves behind it. */
static text
append_copy(char **at, text t)
{
	text copy = {*at, t.len};

	if (t.len)
		memcpy(*at, t.ptr, t.len);
	*at += t.len;
	return copy;
}

/* Copies all texts of t into one block; its key comes first and holds the
 * space and the name. */
static text
copy_given(const cm_alloc *alloc, tool *t)
{
	text key;
	char *at;

	t->given_size = 2 + t->space.len + t->name.len + t->description.len +
			t->input.len + t->output.len + t->signature.len;
	t->given = at = mem_new(alloc, t->given_size);
	if (!at)
		return TEXT_NONE;
	key = write_key(at, t->space, t->name);
	t->space = text_sub(key, 2, 2 + t->space.len);
	t->name = text_sub(key, 2 + t->space.len, key.len);
	at += key.len;
	t->description = append_copy(&at, t->description);
	t->input = append_copy(&at, t->input);
	t->output = append_copy(&at, t->output);
	t->signature = append_copy(&at, t->signature);
	return key;
}

static bool
has_given(const catalog *c, const tool_given *g)
{
	char key[2 + 2 * CATALOG_NAME_MAX];

	return map_get(&c->given, write_key(key, g->space, g->name)) !=
	       MAP_NONE;
}

static cm_status
add_tool(catalog *c, tool *t)
{
	text key;

	if (!mem_grow(&c->alloc, (void **)&c->list, &c->cap, c->len,
		sizeof(*c->list)))
		return CM_ENOMEM;
	key = copy_given(&c->alloc, t);
	if (!key.ptr)
		return CM_ENOMEM;
	if (map_set(&c->given, key, 1) != CM_OK) {
		mem_free(&c->alloc, t->given, t->given_size);
		return CM_ENOMEM;
	}
	c->list[c->len++] = *t;
	c->globals += t->global;
	c->sealed = false;
	return CM_OK;
}

/* A global and a namespace cannot both have the name. */
static bool
hides_global(const catalog *c, const tool_given *g)
{
	for (size_t i = 0; i < c->len; i++) {
		const tool *t = &c->list[i];

		if ((g->space.len == 0 && g->global &&
			text_eq(t->space, g->name)) ||
		    (t->space.len == 0 && t->global &&
			text_eq(g->space, t->name)))
			return true;
	}
	return false;
}

cm_status
catalog_add(catalog *c, const tool_given *given)
{
	tool t = {.flags = 0};
	cm_status r;

	if (atomic_load(&c->holds) > 1)
		return CM_EMISUSE;
	if ((r = check_given(given, &t)) != CM_OK)
		return r;
	if (has_given(c, given) ||
	    ((given->global || c->globals > 0) && hides_global(c, given)))
		return CM_EEXISTS;
	if (c->len >= CATALOG_TOOLS_MAX)
		return CM_ELIMIT;
	return add_tool(c, &t);
}

/* --------------------------------------------------------------- reading */

const tool *
catalog_at(const catalog *c, size_t i)
{
	must(i < c->len);
	return &c->list[i];
}

uint32_t
catalog_find(const catalog *c, text written)
{
	return map_get(&c->by_name, written);
}

static text
path_of(const void *names, size_t i)
{
	const catalog *c = names;

	return c->list[i].path;
}

size_t
catalog_nearest(const catalog *c, text written, size_t out[NEAREST_MAX])
{
	return nearest(written, path_of, c, c->len, out);
}

/* No name of a space is the identifier of another: a name that is one keeps
 * it. So at most one space fits. */
size_t
catalog_space(const catalog *c, text space, size_t *first)
{
	uint32_t i = map_get(&c->by_space, space);
	size_t n = 0;

	*first = i == MAP_NONE ? c->len : i;
	while (*first + n < c->len &&
	       text_eq(c->list[*first + n].space, c->list[*first].space))
		n++;
	return n;
}

bool
catalog_global_at(const catalog *c, size_t i)
{
	size_t first = i, n = 1;

	if (c->globals == 0)
		return false;
	if (c->list[i].space.len > 0)
		n = catalog_space(c, c->list[i].space, &first);
	while (n > 0 && !c->list[first + n - 1].global)
		n--;
	return n > 0;
}

bool
catalog_global(const catalog *c, text ident)
{
	size_t first;
	uint32_t i;

	if (c->globals == 0)
		return false;
	if (catalog_space(c, ident, &first) > 0)
		return text_eq(c->list[first].space_ident, ident) &&
		       catalog_global_at(c, first);
	i = catalog_find(c, ident);
	return i != CATALOG_NONE && text_eq(c->list[i].path, ident) &&
	       catalog_global_at(c, i);
}
