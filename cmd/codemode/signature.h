/* SPDX-License-Identifier: MIT */
/*
 * signature.h -- a tool in one line, for lists that people read. The exact
 * types are what cm_catalog_declare writes; here they are cut where they get
 * long.
 */
#ifndef CMD_SIGNATURE_H
#define CMD_SIGNATURE_H

#include "base/json.h"

#include <codemode/codemode.h>

/* "files.read({ path: string, head?: number }): Promise<string>" */
void signature(const cm_tool *tool, text path, buf *out);

/* The same with all that a caller must know: only what is nested very deep or
 * has very many members is cut. */
void signature_whole(const cm_tool *tool, text path, buf *out);

#endif
