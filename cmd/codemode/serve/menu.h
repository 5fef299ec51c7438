/* SPDX-License-Identifier: MIT */
/*
 * menu.h -- what a model is told of the tools before it writes a script.
 */
#ifndef CMD_MENU_H
#define CMD_MENU_H

#include "base/buf.h"

#include <codemode/codemode.h>

enum {
	MENU_ABOUT_MAX = 160, /* bytes of what a server says about its use */
	MENU_TOKENS = 2000,   /* a larger catalog is shown in part */
	MENU_TEN_TOKENS =
	    36 /* bytes; signatures have 37 and more (doc/value.md) */
};

/* What is known beside the catalog; each may be NULL: nothing. */
typedef struct menu_facts {
	void *ctx;
	/* Appends what a server says about its use. */
	void (*about)(void *ctx, text space, buf *out);
	/* How often a tool was used. */
	uint32_t (*used)(void *ctx, const cm_tool *t);
} menu_facts;

/*
 * Appends every server with the number of its tools and the first line of what
 * it says, and the signatures of as many tools as fit into so many tokens: of
 * each server those that only read first and those that destroy last, of them
 * those that are used most, by name; one server after the other, so that a large
 * server does not push out a small one. A tool is never passed over because its
 * line is long: the type of its result is left out, or all but its name. The
 * text says how much of the catalog it is, and where a script finds the rest.
 * The same catalog and facts give the same bytes. CM_ENOMEM, or what
 * cm_catalog_get returns.
 */
cm_status menu(
    cm_catalog *cat, uint64_t tokens, const menu_facts *facts, buf *out);

/*
 * Appends a call of a tool of that catalog: "tools.hub.get_issue({ number: 1 })".
 * It is one that only reads, if there is one, and takes few arguments of plain
 * types, in the order of the paths. Without such a tool: the form of a call.
 */
cm_status menu_example(cm_catalog *cat, buf *out);

#endif
