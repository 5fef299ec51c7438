/* SPDX-License-Identifier: MIT */
/*
 * map.c -- open addressing with linear probing; at most three quarters full,
 * so that every search ends at a free entry.
 */
#include "map.h"

enum { FIRST_CAP = 16 };

uint64_t
text_hash(text t, uint64_t seed)
{
	uint64_t h = UINT64_C(0xcbf29ce484222325) ^ seed;

	for (size_t i = 0; i < t.len; i++)
		h = (h ^ (unsigned char)t.ptr[i]) * UINT64_C(0x100000001b3);
	return h;
}

void
map_fini(map *m)
{
	mem_free(m->alloc, m->entry, m->cap * sizeof(*m->entry));
	*m = MAP_INIT(m->alloc);
}

/* The entry that holds key, or the free one where it would go. */
static map_entry *
seat(map_entry *entry, size_t cap, text key, uint64_t hash)
{
	size_t i = (size_t)(hash ^ hash >> 32) & (cap - 1);

	while (entry[i].key.ptr &&
	       (entry[i].hash != hash || !text_eq(entry[i].key, key)))
		i = (i + 1) & (cap - 1);
	return &entry[i];
}

uint32_t
map_get(const map *m, text key)
{
	const map_entry *e;

	if (m->len == 0)
		return MAP_NONE;
	e = seat(m->entry, m->cap, key, text_hash(key, 0));
	return e->key.ptr ? e->value : MAP_NONE;
}

static bool
grow(map *m)
{
	size_t cap = m->cap ? m->cap * 2 : FIRST_CAP;
	map_entry *larger;

	if (m->len < m->cap / 4 * 3)
		return true;
	if (cap > SIZE_MAX / sizeof(*larger))
		return false;
	larger = mem_new(m->alloc, cap * sizeof(*larger));
	if (!larger)
		return false;
	for (size_t i = 0; i < m->cap; i++) {
		const map_entry *e = &m->entry[i];

		if (e->key.ptr)
			*seat(larger, cap, e->key, e->hash) = *e;
	}
	mem_free(m->alloc, m->entry, m->cap * sizeof(*m->entry));
	m->entry = larger;
	m->cap = cap;
	return true;
}

cm_status
map_set(map *m, text key, uint32_t value)
{
	uint64_t hash = text_hash(key, 0);
	map_entry *e;

	if (!grow(m))
		return CM_ENOMEM;
	if (!key.ptr)
		key = TEXT(""); /* the empty key; NULL would mean free */
	e = seat(m->entry, m->cap, key, hash);
	m->len += !e->key.ptr;
	*e = (map_entry){key, hash, value};
	return CM_OK;
}
