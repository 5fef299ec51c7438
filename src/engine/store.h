/* SPDX-License-Identifier: MIT */
/*
 * store.h -- what store() and load() keep between runs: keys and their JSON.
 *
 * It lies beside the engine, so reading a key needs no round trip. It begins
 * with the owner's values and remembers what the script changed; the changes
 * are reported when the script succeeds.
 *
 * The limits hold for writing. Two runs that end at the same time can together
 * fill a store beyond them, so a store of any size can be opened, read, and made
 * smaller.
 */
#ifndef ENGINE_STORE_H
#define ENGINE_STORE_H

#include "base/json.h"
#include "base/map.h"

/* In UTF-16 units: of one value's JSON; of all keys and values together. A
 * deleted key counts until the end of the run, since it is reported. */
#define STORE_VALUE_MAX 262144u
#define STORE_TOTAL_MAX 1048576u
/* Levels of nesting of the object of all keys, written and read. */
#define STORE_DEPTH JSON_DEPTH

typedef struct store_entry {
	char *key, *json; /* owned; json NULL: deleted */
	size_t key_len, json_len;
	size_t units; /* UTF-16 units of key and JSON */
	bool written; /* by the script, in this run */
} store_entry;

typedef struct store {
	const cm_alloc *alloc;
	store_entry *entry;
	size_t len, cap;
	size_t units; /* the sum of those of all entries */
	map index;    /* key -> entry */
} store;

/* values: a checked JSON object, or empty. CM_ENOMEM: nothing is kept. */
cm_status store_init(store *s, const cm_alloc *alloc, json values);
void store_fini(store *s);

/* The JSON under key; empty when there is none. Valid until the next set. */
json store_get(const store *s, text key);
/* value empty: deletes. CM_ELIMIT with the reason in *why (for the script):
 * the value is too large or too deep, or the store is full and would grow. */
cm_status store_set(store *s, text key, json value, buf *why);
/* JSON array: [key, value] for each key set, [key] for each deleted, in the
 * order of their first writing. */
void store_writes(const store *s, buf *out);

#endif
