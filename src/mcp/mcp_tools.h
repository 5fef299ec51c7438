/* SPDX-License-Identifier: MIT */
/*
 * mcp_tools.h -- the tools that a server named, page by page.
 */
#ifndef MCP_TOOLS_H
#define MCP_TOOLS_H

#include "client.h"

#include "base/map.h"

enum {
	TOOLS_MAX = 10000, /* of one server; further ones are left out */
	TOOLS_PAGES_MAX = 1000,
	TOOLS_NAME_MAX = 1024,   /* bytes; what a catalog takes */
	TOOLS_TEXT_MAX = 1 << 20 /* bytes of a description or schema */
};

/* One tool, and the block that holds its texts. */
typedef struct tool_block {
	char *ptr;
	size_t size;
	bool odd;        /* its results were warned about already */
	bool needs_task; /* it can only be called as a task (2025-11-25) */
	bool reads;      /* it is ours, and reads a resource of the server */
} tool_block;

typedef struct tools {
	const cm_alloc *alloc;
	mcp_tool *tool;
	tool_block *block; /* as many, in the same order */
	size_t len;
	size_t tool_cap;
	size_t block_cap;
	map by_name;
	uint64_t *cursor; /* hashes of the cursors that were followed */
	size_t cursors;
	size_t cursor_cap;
} tools;

/* What one entry of the list turned out to be. */
typedef enum tools_verdict {
	TOOLS_ADDED,
	TOOLS_TWICE,    /* its name is there already */
	TOOLS_NAMELESS, /* or no object at all */
	TOOLS_TOO_MANY,
	TOOLS_HIDDEN,     /* it is for apps, not for models */
	TOOLS_ODD_HEADER, /* its arguments cannot be made headers, see param.h */
	TOOLS_LONG_NAME,
	TOOLS_LARGE_SCHEMA, /* added, without the schema that was too large */
	TOOLS_ODD_SCHEMA,   /* added, without the schema that was none */
	TOOLS_NO_MEMORY,
	TOOLS_VERDICTS /* how many there are */
} tools_verdict;

void tools_init(tools *t, const cm_alloc *alloc);
void tools_fini(tools *t);
/* headers: some arguments are to be headers of HTTP. */
tools_verdict tools_add(tools *t, json entry, bool headers);
/* Do both hold the same tools in the same order, each with the same texts? */
bool tools_same(const tools *a, const tools *b);
/* Appends them as an array that tools_add reads, entry by entry. */
void tools_write(const tools *t, buf *out);
/* Index, or MAP_NONE. */
uint32_t tools_find(const tools *t, text name);
/* May this cursor be followed? Not twice, and not for ever. */
bool tools_follow(tools *t, json cursor);

#endif
