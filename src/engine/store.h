/* SPDX-License-Identifier: MIT */
/*
 * store.h -- what store() and load() keep between runs: keys and their JSON.
 *
 * Lives beside the engine, so that reading a key needs no round trip. It
 * starts from the host's values and remembers what the script changed; the
 * changes are reported when the script succeeds.
 */
#ifndef ENGINE_STORE_H
#define ENGINE_STORE_H

#include "base/json.h"
#include "base/map.h"

/* In UTF-16 units: of one value's JSON; of all keys and values together. A
 * deleted key counts until the end of the run, since it is reported. */
#define STORE_VALUE_MAX 262144u
#define STORE_TOTAL_MAX 1048576u

typedef struct store_entry {
	char *key, *json; /* json NULL: deleted      */
	size_t key_len, json_len;
	size_t units; /* what it counts         */
	bool written; /* by the script          */
} store_entry;

typedef struct store {
	const cm_alloc *alloc;
	store_entry *entry;
	size_t len, cap;
	size_t units;
	map index; /* key -> entry */
} store;

/* values: a checked JSON object, or empty. CM_ELIMIT: over the total. */
cm_status store_init(store *s, const cm_alloc *alloc, json values);
void store_fini(store *s);

/* The JSON under key; empty when there is none. Ends with the next set. */
json store_get(const store *s, text key);
/* value empty: deletes. CM_ELIMIT with the reason in *why (for the script). */
cm_status store_set(store *s, text key, json value, buf *why);
/* JSON array: [key, value] for each key set, [key] for each deleted, in the
 * order of their first writing. */
void store_writes(const store *s, buf *out);

#endif
