/* SPDX-License-Identifier: MIT */
/*
 * direct.h -- tools that `serve` offers under names of their own, beside the
 * one that runs scripts: those of servers with expose "direct" or "both", and
 * saved scripts with such an @expose.
 *
 * A call of one is a script of one line, so it follows the same rules as calls
 * of scripts; the JSON of its arguments and of the server's answer is passed on
 * unchanged.
 */
#ifndef CMD_DIRECT_H
#define CMD_DIRECT_H

#include "base/buf.h"
#include "base/json.h"

#include <codemode/codemode.h>

typedef struct direct {
	buf names; /* lines: the name that clients use, a blank, the path */
} direct;

#define DIRECT_INIT ((direct){BUF_INIT(NULL, 16 << 20)})
void direct_fini(direct *d);

/* Fills d with the tools of cat, and appends each as an element of tools/list,
 * with a comma before it. A name is SERVER_TOOL; characters other than A-Z,
 * a-z, 0-9, _ and - become _, because some clients refuse them. A name that is
 * longer than 64 bytes, or that two tools share, ends with a hash. The names do
 * not depend on the order of servers. */
cm_status direct_make(direct *d, cm_catalog *cat, buf *out);

/* Finds the path of the tool with that client name; false: there is none. The
 * path is valid until the next direct_make. */
bool direct_find(const direct *d, text name, text *path);

/* Appends the script of a call; the arguments are the data of that script. */
void direct_script(text path, buf *out);
/* Is the script of a call of a tool of that namespace? */
bool direct_is_within(text code, text space);

#endif
