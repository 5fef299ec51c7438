/* SPDX-License-Identifier: MIT */
/*
 * direct.h -- tools that `serve` offers under names of their own, beside the
 * one that runs scripts: those of servers with expose "direct" or "both".
 *
 * A call of one is a script of one line, so everything that holds for calls of
 * scripts holds for it; what its server answered is passed on as it stands.
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

/* Makes d the tools of cat, and appends each as tools/list shows it, with a comma
 * before it. A name is SERVER_TOOL, with _ for what some clients refuse (all but
 * A-Z, a-z, 0-9, _ and -); one that is longer than 64 bytes, or that two tools
 * would have, ends with a hash. The order of servers makes no difference. */
cm_status direct_make(direct *d, cm_catalog *cat, buf *out);

/* The path of the tool that clients call so; false: there is none. Until
 * direct_make. */
bool direct_find(const direct *d, text name, text *path);

/* Appends the script of a call; its data are the arguments. */
void direct_script(text path, buf *out);

#endif
