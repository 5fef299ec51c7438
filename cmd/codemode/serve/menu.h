/* SPDX-License-Identifier: MIT */
/*
 * menu.h -- what a model is told of the tools before it writes a script.
 */
#ifndef CMD_MENU_H
#define CMD_MENU_H

#include "base/buf.h"

#include <codemode/codemode.h>

enum {
	MENU_TOKENS = 2000,  /* a larger catalog is shown in part */
	MENU_TOKEN_BYTES = 4 /* an estimate: JSON and English have more */
};

/* Appends what a server says about its use. */
typedef void menu_about(void *ctx, text space, buf *out);

/*
 * Appends every server with the number of its tools and the first line of what
 * it says (about NULL: nothing), and the signatures of as many tools as fit into
 * so many tokens: of each server those that only read first and those that
 * destroy last, by name, one server after the other, so that a large server does
 * not push out a small one. The text says how much of the catalog it is, and
 * where a script finds the rest. The same catalog gives the same bytes.
 * CM_ENOMEM, or what cm_catalog_get returns.
 */
cm_status menu(
    cm_catalog *cat, uint64_t tokens, menu_about *about, void *ctx, buf *out);

#endif
