/* SPDX-License-Identifier: MIT */
/*
 * map.c -- open addressing with linear probing; at most three quarters full,
 * so that every search ends at a free entry.
 *
 * The hash is SipHash-1-3 with a key that the kernel made for this process
 * (AT_RANDOM). A script or a server that chooses the keys of a map does not
 * know it, so it cannot choose keys whose entries are all in one place.
 */
#include "map.h"

#include <sys/auxv.h>

enum { FIRST_CAP = 16 };

uint64_t
text_hash(text t, uint64_t seed)
{
	uint64_t h = UINT64_C(0xcbf29ce484222325) ^ seed;

	for (size_t i = 0; i < t.len; i++)
		h = (h ^ (unsigned char)t.ptr[i]) * UINT64_C(0x100000001b3);
	return h;
}

/* ------------------------------------------------------------ the hash */

static uint64_t
rotate_left(uint64_t v, int by)
{
	return v << by | v >> (64 - by);
}

static void
sip_round(uint64_t v[4])
{
	v[0] += v[1];
	v[1] = rotate_left(v[1], 13) ^ v[0];
	v[0] = rotate_left(v[0], 32);
	v[2] += v[3];
	v[3] = rotate_left(v[3], 16) ^ v[2];
	v[0] += v[3];
	v[3] = rotate_left(v[3], 21) ^ v[0];
	v[2] += v[1];
	v[1] = rotate_left(v[1], 17) ^ v[2];
	v[2] = rotate_left(v[2], 32);
}

static void
sip_word(uint64_t v[4], uint64_t word)
{
	v[3] ^= word;
	sip_round(v);
	v[0] ^= word;
}

uint64_t
text_hash_keyed(text t, const uint64_t key[2])
{
	uint64_t v[4] = {key[0] ^ UINT64_C(0x736f6d6570736575),
	    key[1] ^ UINT64_C(0x646f72616e646f6d),
	    key[0] ^ UINT64_C(0x6c7967656e657261),
	    key[1] ^ UINT64_C(0x7465646279746573)};
	uint64_t word, last = (uint64_t)t.len << 56;
	size_t at;

	for (at = 0; t.len - at >= 8; at += 8) {
		memcpy(&word, t.ptr + at, 8);
		sip_word(v, word);
	}
	for (int shift = 0; at < t.len; at++, shift += 8)
		last |= (uint64_t)(unsigned char)t.ptr[at] << shift;
	sip_word(v, last);
	v[2] ^= 0xff;
	for (int i = 0; i < 3; i++)
		sip_round(v);
	return v[0] ^ v[1] ^ v[2] ^ v[3];
}

/* Without AT_RANDOM: the map's address, which the kernel chooses at random. */
static void
make_key(const map *m, uint64_t key[2])
{
	const void *random = (const void *)getauxval(AT_RANDOM);

	key[0] = key[1] = (uintptr_t)m;
	if (random)
		memcpy(key, random, 16);
}

/* ------------------------------------------------------------- entries */

void
map_fini(map *m)
{
	mem_free(m->alloc, m->entry, m->cap * sizeof(*m->entry));
	*m = MAP_INIT(m->alloc);
}

/* The entry that holds key, or the free one where it would go. */
static map_entry *
find_entry(map_entry *entry, size_t cap, text key, uint64_t hash)
{
	size_t i = (size_t)hash & (cap - 1);

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
	e = find_entry(m->entry, m->cap, key, text_hash_keyed(key, m->key));
	return e->key.ptr ? e->value : MAP_NONE;
}

/* Makes room for one more entry. */
static bool
grow_map(map *m)
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
			*find_entry(larger, cap, e->key, e->hash) = *e;
	}
	mem_free(m->alloc, m->entry, m->cap * sizeof(*m->entry));
	if (m->cap == 0)
		make_key(m, m->key);
	m->entry = larger;
	m->cap = cap;
	return true;
}

cm_status
map_set(map *m, text key, uint32_t value)
{
	uint64_t hash;
	map_entry *e;

	if (!grow_map(m))
		return CM_ENOMEM;
	if (!key.ptr)
		key = TEXT(""); /* the empty key; NULL would mean free */
	hash = text_hash_keyed(key, m->key);
	e = find_entry(m->entry, m->cap, key, hash);
	m->len += !e->key.ptr;
	*e = (map_entry){key, hash, value};
	return CM_OK;
}
