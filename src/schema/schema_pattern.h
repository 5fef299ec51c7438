/* SPDX-License-Identifier: MIT */
/*
 * schema_pattern.h -- regular expressions of schemas, matched in linear time.
 *
 * What ECMAScript's dialect has, but for what no automaton can do
 * (backreferences, lookaround), what needs Unicode's tables (\p{...}), and
 * modifiers. The work is the length of the text times that of the pattern.
 */
#ifndef SCHEMA_PATTERN_H
#define SCHEMA_PATTERN_H

#include "base/arena.h"
#include "base/json.h"

typedef struct pattern pattern;

/* NULL: *why says what is not known (static), or a->bad is set. The source is
 * UTF-8. */
const pattern *pattern_compile(arena *a, text source, const char **why);
/* How much longer than the text itself the work for it is. */
size_t pattern_len(const pattern *p);
/* Does it match anywhere in raw, the inside of a JSON string? */
bool pattern_matches(const pattern *p, text raw);

#endif
