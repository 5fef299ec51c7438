/* SPDX-License-Identifier: MIT */
/*
 * kept.h -- whole results of scripts whose answers were cut, for later scripts:
 * codemode.result(id).
 *
 * They lie beside the store: in the memory of `serve`, or in a file. The oldest
 * go when there are too many or too old ones.
 */
#ifndef CMD_KEPT_H
#define CMD_KEPT_H

#include "base/json.h"
#include "common/say_line.h"

enum {
	KEPT_RESULTS = 16,
	KEPT_BYTES = 8 << 20, /* of all */
	KEPT_SECONDS = 3600
};

typedef struct kept_result {
	uint32_t id;
	int64_t at_s; /* seconds since 1970 */
	buf value;    /* JSON */
} kept_result;

typedef struct kept {
	kept_result result[KEPT_RESULTS]; /* oldest first */
	size_t len;
	uint32_t last; /* the highest id so far */
} kept;

void kept_fini(kept *k);
/* Keeps a copy of value. Returns its id; 0: it is too large, or there is no
 * memory. */
uint32_t kept_add(kept *k, json value, int64_t now_s);
/* Removes the values that are too old. */
void kept_drop_old(kept *k, int64_t now_s);
/* Appends the object store with the results that are young enough as further
 * members, as a run is given it. */
void kept_write_store(kept *k, json store, int64_t now_s, buf *out);

/* The file that belongs to the store at path holds them between runs. What
 * cannot be read is printed and counts as empty. */
void kept_load(kept *k, const char *path, say *s);
/* NULL, or why it was not written. */
const char *kept_save(const kept *k, const char *path);

#endif
