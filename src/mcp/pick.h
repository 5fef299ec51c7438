/* SPDX-License-Identifier: MIT */
/*
 * pick.h -- several members of an object in one pass.
 *
 * Finding a member scans the members before it, and one of them may be a result
 * of 10 MB: asking for five members one by one would scan it five times.
 */
#ifndef MCP_PICK_H
#define MCP_PICK_H

#include "base/json.h"

/* value[i] becomes the member key[i], the last one if it is there twice, or
 * missing; keys hold no characters that JSON would escape. */
void pick(json object, const char *const *key, json *value, size_t n);

#endif
