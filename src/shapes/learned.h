/* SPDX-License-Identifier: MIT */
/*
 * learned.h -- what calls taught about tools: how often each was used, and what
 * those return that do not say it. A set that is kept in a file.
 *
 * Sets are added to each other, in any order; so each process keeps what it saw
 * itself and adds that to the file, and no other one's is lost. The file may be
 * another program's work: what is wrong in it is left out.
 */
#ifndef SHAPES_LEARNED_H
#define SHAPES_LEARNED_H

#include "base/buf.h"
#include "base/json.h"
#include "base/map.h"

enum {
	LEARNED_DAYS = 30, /* after that a count, or a shape, is forgotten */
	LEARNED_TOOLS_MAX = 4000,
	LEARNED_FILE_MAX = 8 << 20 /* bytes; the latest are written first */
};

/* Which tool. The same name with another definition is another tool. */
typedef struct learned_key {
	text server, tool;
	uint64_t definition; /* a hash of it */
} learned_key;

typedef struct learned_tool {
	learned_key key; /* its texts are in .block */
	uint32_t used;   /* calls */
	uint32_t used_day;
	uint32_t observed;     /* results that are in .shape */
	uint32_t observed_day; /* of the latest; days since 1970-01-01 */
	buf shape;             /* as shapes.h has it; empty: none */
	char *block;
	size_t size;
} learned_tool;

typedef struct learned {
	const cm_alloc *alloc;
	learned_tool *tool; /* in the order in which they came */
	size_t len, cap;
	map by_key;
} learned;

#define LEARNED_INIT(allocator) \
	((learned){(allocator), NULL, 0, 0, MAP_INIT(allocator)})
void learned_fini(learned *l);

/* NULL: nothing is known of it. Until the set changes. */
const learned_tool *learned_find(const learned *l, const learned_key *key);

/* CM_ENOMEM, CM_ELIMIT (the set is full, or the value too large): as if that
 * had not been seen. */
cm_status learned_use(learned *l, const learned_key *key, uint32_t day);
cm_status learned_result(
    learned *l, const learned_key *key, json value, uint32_t day);

/* Adds what is in from. Where one tool's two shapes cannot become one, the one
 * in l stays. CM_ENOMEM: a part was added. */
cm_status learned_merge(learned *l, const learned *from);

/* Adds what a file holds, without what is older than LEARNED_DAYS on that day.
 * CM_EINPUT: it is none of ours. CM_ENOMEM: a part was added. */
cm_status learned_read(learned *l, text file, uint32_t today);
/* Appends the file. Of a set that is too large for one, the latest. */
cm_status learned_write(const learned *l, buf *out);

/* Appends "2026-11-30". */
void learned_put_day(buf *out, uint32_t day);

#endif
