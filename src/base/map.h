/* SPDX-License-Identifier: MIT */
/*
 * map.h -- text to number, open addressing. Keys are borrowed: they must live
 * as long as the map.
 *
 * Safe against chosen keys: the hash has a secret key of this process, so a
 * search looks at a few entries even where a script or a server chose the keys.
 */
#ifndef BASE_MAP_H
#define BASE_MAP_H

#include "mem.h"
#include "text.h"

typedef struct map_entry {
	text key; /* ptr NULL: free */
	uint64_t hash;
	uint32_t value;
} map_entry;

typedef struct map {
	const cm_alloc *alloc;
	map_entry *entry;
	size_t cap;      /* 0 or a power of two */
	size_t len;      /* entries in use */
	uint64_t key[2]; /* of the hash, since the first entry */
} map;

#define MAP_INIT(allocator) ((map){(allocator), NULL, 0, 0, {0, 0}})
#define MAP_NONE            UINT32_MAX

void map_fini(map *m);
/* The value under key, or MAP_NONE. */
uint32_t map_get(const map *m, text key);
/* Sets or replaces; CM_ENOMEM changes nothing. */
cm_status map_set(map *m, text key, uint32_t value);

/* SipHash-1-3: spreads keys that a stranger chose, if key is secret. */
uint64_t text_hash_keyed(text t, const uint64_t key[2]);

/* FNV-1a, 64 bits: for fingerprints, the same in every process. A stranger can
 * choose texts with equal hashes. */
uint64_t text_hash(text t, uint64_t seed);

#endif
