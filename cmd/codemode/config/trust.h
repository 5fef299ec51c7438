/* SPDX-License-Identifier: MIT */
/*
 * trust.h -- which texts of project files may start servers.
 *
 * The file $XDG_STATE_HOME/codemode/trusted (~/.local/state without the
 * variable) has a secret key and, for each text that was trusted, its keyed
 * hash. Only its owner can read it, so no project can make a text that fits.
 */
#ifndef CMD_TRUST_H
#define CMD_TRUST_H

#include "common/pool.h"

/* Was exactly this text trusted at this path? */
bool trust_has(const char *path, text content, pool *p);
/* NULL, or why that cannot be kept. */
const char *trust_add(const char *path, text content, pool *p);

#endif
