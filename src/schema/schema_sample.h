/* SPDX-License-Identifier: MIT */
/*
 * schema_sample.h -- a value that a JSON Schema describes.
 */
#ifndef SCHEMA_SCHEMA_SAMPLE_H
#define SCHEMA_SCHEMA_SAMPLE_H

#include "base/json.h"

/*
 * Appends a small value: what the schema names (const, default, an example, the
 * first of enum), otherwise the least of its type, with the members that are
 * required. Patterns and conditions are not read, so the value may not fit; in
 * doubt it is null. schema missing: null. Bounded in depth and in steps.
 */
void schema_sample(json schema, buf *out);

#endif
