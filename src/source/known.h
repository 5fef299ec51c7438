/* SPDX-License-Identifier: MIT */
/*
 * known.h -- what stands around a script, and what models expect there that
 * does not (known.def is the list).
 */
#ifndef SOURCE_KNOWN_H
#define SOURCE_KNOWN_H

#include "base/buf.h"

/* Has the environment it, or the language? */
bool known_global(text name);
bool known_ours(text name);
/* What to use instead of a name that is not there; NULL: not a known one. */
const char *known_absent(text name);
/* Does console or codemode lack that method? False for any other object. */
bool known_lacks(text object, text method);
/* Appends the methods of console or codemode: "log, info, warn". */
void known_put_methods(buf *out, text object);

#endif
