/* SPDX-License-Identifier: MIT */
/*
 * menu.h -- what a model is told of the tools before it writes a script.
 */
#ifndef CMD_MENU_H
#define CMD_MENU_H

#include "base/buf.h"

#include <codemode/codemode.h>

/* About 2,000 tokens: a larger catalog is shown in part. */
enum { MENU_MAX = 8000 };

/* Appends what a server says about its use. */
typedef void menu_about(void *ctx, text space, buf *out);

/*
 * Appends every server with the number of its tools and the first
 * line of what it says (about NULL: nothing), and the signatures of as
 * many tools as fit into MENU_MAX bytes: the shortest of each server first, one
 * server after the other, so that a large server does not push out a small one.
 * The text says what is left out and where a script finds it. The same catalog
 * gives the same bytes. CM_ENOMEM, or what cm_catalog_get returns.
 */
cm_status menu(cm_catalog *cat, menu_about *about, void *ctx, buf *out);

#endif
