/* SPDX-License-Identifier: MIT */
/*
 * menu.h -- the part of the description that shows the tools to a model.
 */
#ifndef CMD_MENU_H
#define CMD_MENU_H

#include "base/buf.h"

#include <codemode/codemode.h>

enum {
	MENU_ABOUT_MAX = 160, /* bytes of what a server says about its use */
	MENU_TOKENS = 2000,  /* by default; a larger catalog is shown in part */
	MENU_TEN_TOKENS = 36 /* bytes; signatures have 37 and more */
};

/* Facts about servers and tools that the catalog does not have; each function
 * may be NULL. */
typedef struct menu_facts {
	void *ctx;
	/* Appends what a server says about its use. */
	void (*about)(void *ctx, text space, buf *out);
	/* How often a tool was called. */
	uint32_t (*used)(void *ctx, const cm_tool *t);
} menu_facts;

/*
 * Appends every server with the number of its tools and the first line of its
 * instructions, and the signatures of as many tools as fit into so many tokens.
 * Of each server, tools that only read come first and tools that destroy last;
 * among them the most used come first, then the order is by name. Servers take
 * turns, so a large server leaves room for a small one. A tool with a long line
 * keeps its turn: the type of its result is left out, or everything but its
 * name. The text says how many tools it shows, and where a script finds the
 * others. The same catalog and facts give the same bytes. CM_ENOMEM, or what
 * cm_catalog_get returns.
 */
cm_status menu(
    cm_catalog *cat, uint64_t tokens, const menu_facts *facts, buf *out);

/*
 * Appends a call of a tool of that catalog: "tools.hub.get_issue({ number: 1
 * })". The tool is the first one, by path, that only reads and takes few
 * arguments of plain types. Without such a tool, the form of a call is
 * appended.
 */
cm_status menu_example(cm_catalog *cat, buf *out);

#endif
