/* SPDX-License-Identifier: MIT */
/*
 * tool_ident.c -- which name gets which identifier.
 *
 * The claims are sorted by name first; whatever follows from there cannot
 * depend on the order they were added in. A suffix is made from the name it
 * belongs to, so that it stays the same when unrelated tools come and go.
 */
#include "tool_ident.h"

#include "base/letters.h"
#include "base/sort.h"

#include <stdio.h>

enum { SUFFIX_MAX = 1 + 16 + 1 + 10 + 1 };

size_t
ident_from(text name, char *out)
{
	size_t n = 0, at = 0;

	while (at < name.len) {
		uint32_t c = utf8_next(name, &at);

		if (n == 0 && continues_name(c) && !starts_name(c))
			out[n++] = '_';
		n += utf8_put(continues_name(c) ? c : '_', out + n);
	}
	if (n == 0)
		out[n++] = '_';
	return n;
}

bool
ident_ok(text name)
{
	size_t at = 0;

	if (name.len == 0 || !starts_name(utf8_next(name, &at)))
		return false;
	while (at < name.len)
		if (!continues_name(utf8_next(name, &at)))
			return false;
	return true;
}

static int
by_claim_name(const void *a, const void *b)
{
	const ident_claim *left = a, *right = b;

	return text_cmp(left->name, right->name);
}

/* Writes what the name comes out as; another name may come out the same. */
static bool
write_ident(const cm_alloc *alloc, ident_claim *c)
{
	c->size = c->name.len + SUFFIX_MAX;
	c->block = mem_new(alloc, c->size);
	if (!c->block)
		return false;
	c->ident = (text){c->block, ident_from(c->name, c->block)};
	return true;
}

/* How many claims come out as each identifier. */
static cm_status
count_claims(ident_claim *claim, size_t n, map *wanted)
{
	cm_status r = CM_OK;

	for (size_t i = 0; i < n && r == CM_OK; i++) {
		uint32_t others = map_get(wanted, claim[i].ident);

		if (others == MAP_NONE)
			others = 0;
		r = map_set(wanted, claim[i].ident, others + 1);
	}
	return r;
}

static bool
has_ident(const map *set, text ident)
{
	return set && map_get(set, ident) != MAP_NONE;
}

bool
ident_is_reserved(text name)
{
	return text_eq(name, TEXT("then"));
}

static bool
keeps_ident(const ident_claim *c, const map *wanted, const map *taken)
{
	if (has_ident(taken, c->ident) || ident_is_reserved(c->ident))
		return false;
	return text_eq(c->name, c->ident) || map_get(wanted, c->ident) == 1;
}

/* Tries suffixes until one is free; no two of them are equal. */
static void
add_suffix(ident_claim *c, const map *wanted, const map *taken)
{
	char *end = c->block + c->ident.len;
	size_t base = c->ident.len;
	unsigned turn = 0;
	int n;

	do {
		unsigned long long hash = text_hash(c->name, turn);

		n = turn == 0
			? snprintf(end, SUFFIX_MAX, "_%06llx", hash & 0xffffff)
			: snprintf(end, SUFFIX_MAX, "_%016llx_%u", hash, turn);
		c->ident.len = base + (size_t)n;
		turn++;
	} while (has_ident(wanted, c->ident) || has_ident(taken, c->ident));
}

/* An identifier that a name comes out as is not free, even if that name does
 * not get it: a suffix never makes one of them. */
static cm_status
assign_idents(ident_claim *claim, size_t n, map *wanted, const map *taken)
{
	cm_status r = count_claims(claim, n, wanted);

	for (size_t i = 0; i < n && r == CM_OK; i++) {
		if (keeps_ident(&claim[i], wanted, taken))
			continue;
		add_suffix(&claim[i], wanted, taken);
		r = map_set(wanted, claim[i].ident, 1);
	}
	return r;
}

cm_status
ident_settle(
    const cm_alloc *alloc, ident_claim *claim, size_t n, const map *taken)
{
	map wanted = MAP_INIT(alloc);
	cm_status r = CM_OK;

	sort(claim, n, sizeof(*claim), by_claim_name);
	for (size_t i = 0; i < n; i++)
		if (!write_ident(alloc, &claim[i]))
			r = CM_ENOMEM;
	if (r == CM_OK)
		r = assign_idents(claim, n, &wanted, taken);
	map_fini(&wanted);
	if (r != CM_OK)
		ident_release(alloc, claim, n);
	return r;
}

void
ident_release(const cm_alloc *alloc, ident_claim *claim, size_t n)
{
	for (size_t i = 0; i < n; i++) {
		mem_free(alloc, claim[i].block, claim[i].size);
		claim[i].block = NULL;
		claim[i].ident = TEXT_NONE;
	}
}
