/* SPDX-License-Identifier: MIT */
/*
 * learned.h -- a set of tools with what --learn knows of them: how often each
 * was called, and the shape of results that it does not declare.
 *
 * Sets can be added in any order. So each process keeps its own set and adds it
 * to the file, and the sets of other processes stay. Another program may have
 * written the file: invalid entries are left out.
 */
#ifndef SHAPES_LEARNED_H
#define SHAPES_LEARNED_H

#include "base/buf.h"
#include "base/json.h"
#include "base/map.h"

enum {
	LEARNED_DAYS = 30, /* days after which a count or a shape is dropped */
	LEARNED_TOOLS_MAX = 4000,
	LEARNED_FILE_MAX = 8
			   << 20 /* bytes; the latest tools are written first */
};

/* The identity of a tool: a changed definition makes another tool. */
typedef struct learned_key {
	text server, tool;
	uint64_t definition; /* a hash of it */
} learned_key;

typedef struct learned_tool {
	learned_key key; /* its texts are in .block */
	uint32_t used;   /* calls */
	uint32_t used_day;
	uint32_t observed;     /* results that .shape describes */
	uint32_t observed_day; /* of the latest; days since 1970-01-01 */
	buf shape;             /* as shapes.h has it; empty: none */
	char *block;
	size_t size;
} learned_tool;

typedef struct learned {
	const cm_alloc *alloc;
	learned_tool *tool; /* in the order of insertion */
	size_t len, cap;
	map by_key;
} learned;

#define LEARNED_INIT(allocator) \
	((learned){(allocator), NULL, 0, 0, MAP_INIT(allocator)})
void learned_fini(learned *l);

/* NULL: the set does not have the tool. Valid until the set changes. */
const learned_tool *learned_find(const learned *l, const learned_key *key);

/* CM_ENOMEM, CM_ELIMIT (the set is full, or the value is too large): the set is
 * unchanged. */
cm_status learned_use(learned *l, const learned_key *key, uint32_t day);
cm_status learned_result(
    learned *l, const learned_key *key, json value, uint32_t day);

/* Adds the tools of from. If two shapes of a tool cannot be joined, that of l
 * stays. CM_ENOMEM: some tools were added. */
cm_status learned_merge(learned *l, const learned *from);

/* Adds the content of a file, without entries older than LEARNED_DAYS on that
 * day. CM_EINPUT: it is not such a file. CM_ENOMEM: some tools were added. */
cm_status learned_read(learned *l, text file, uint32_t today);
/* Appends the content of a file. If the set is too large, only its latest
 * tools. */
cm_status learned_write(const learned *l, buf *out);

/* Appends "2026-11-30". */
void learned_put_day(buf *out, uint32_t day);

#endif
