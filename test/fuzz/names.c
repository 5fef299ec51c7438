/* SPDX-License-Identifier: MIT */
/*
 * names.c -- fuzz target: names as identifiers. Each line of the input is a
 * name, "space/name" is a tool in a space. Whatever they are: every tool has a
 * path of its own that leads back to it, a name that is an identifier keeps
 * it, and the order in which they came changes nothing.
 */
#include "fuzz.h"

#include "catalog/catalog.h"
#include "catalog/tool_ident.h"

enum { NAMES_MAX = 40 };

static size_t
split(text in, text *name)
{
	size_t n = 0;
	text line;

	while (n < NAMES_MAX && text_line(&in, &line))
		name[n++] = line;
	return n;
}

static void
add(catalog *c, text name)
{
	size_t slash = text_find(name, TEXT("/"), 0);
	tool_given t = {.name = name};
	cm_status s;

	if (slash != SIZE_MAX) {
		t.space = text_sub(name, 0, slash);
		t.name = text_sub(name, slash + 1, name.len);
	}
	s = catalog_add(c, &t);
	HOLDS(
	    s == CM_OK || s == CM_EEXISTS || s == CM_EINPUT || s == CM_ELIMIT);
}

static catalog *
filled(const text *name, size_t n, bool backwards)
{
	catalog *c;
	size_t i;

	HOLDS(catalog_new(NULL, &c) == CM_OK);
	for (i = 0; i < n; i++)
		add(c, name[backwards ? n - 1 - i : i]);
	HOLDS(catalog_seal(c) == CM_OK);
	return c;
}

static bool
is_path(text path)
{
	size_t dot = text_find(path, TEXT("."), 0);

	return dot == SIZE_MAX
		   ? ident_ok(path)
		   : ident_ok(text_sub(path, 0, dot)) &&
			 ident_ok(text_sub(path, dot + 1, path.len));
}

static void
look_at(const catalog *c, uint32_t i)
{
	const tool *t = catalog_at(c, i);
	size_t near[NEAREST_MAX];

	HOLDS(is_path(t->path));
	HOLDS(catalog_find(c, t->path) == i);
	if (i > 0)
		HOLDS(!text_eq(t->path, catalog_at(c, i - 1)->path));
	HOLDS(catalog_nearest(c, t->name, near) <= NEAREST_MAX);
}

/* One scope alone. */
static void
settle(const text *name, size_t n)
{
	ident_claim claim[NAMES_MAX];
	size_t i, j, claims = 0;

	for (i = 0; i < n; i++) {
		for (j = 0; j < claims && !text_eq(claim[j].name, name[i]); j++)
			;
		if (j == claims && utf8_bad(name[i]) == SIZE_MAX)
			claim[claims++] = (ident_claim){.name = name[i]};
	}
	HOLDS(ident_settle(NULL, claim, claims, NULL) == CM_OK);
	for (i = 0; i < claims; i++) {
		HOLDS(ident_ok(claim[i].ident));
		if (ident_ok(claim[i].name) &&
		    !ident_is_reserved(claim[i].name))
			HOLDS(text_eq(claim[i].ident, claim[i].name));
		for (j = 0; j < i; j++)
			HOLDS(!text_eq(claim[i].ident, claim[j].ident));
	}
	ident_release(NULL, claim, claims);
}

int
LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t len)
{
	text name[NAMES_MAX];
	size_t n = split((text){(const char *)bytes, len}, name);
	catalog *c = filled(name, n, false), *d = filled(name, n, true);
	uint32_t i;

	HOLDS(c->len == d->len);
	for (i = 0; i < c->len; i++) {
		look_at(c, i);
		HOLDS(text_eq(catalog_at(c, i)->path, catalog_at(d, i)->path));
		HOLDS(text_eq(catalog_at(c, i)->name, catalog_at(d, i)->name));
	}
	catalog_drop(c);
	catalog_drop(d);
	settle(name, n);
	return 0;
}
