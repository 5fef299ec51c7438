/* SPDX-License-Identifier: MIT */
/*
 * shrink.h -- a value that is too long, cut so that it stays JSON of the same
 * shape.
 *
 * The largest parts are cut first: of an object's members and of a few items
 * only those that are longer than the others; of many items alike the last
 * ones are left out. A string ends early, between two characters. Numbers,
 * true, false and null are kept or left out whole.
 */
#ifndef SHRINK_SHRINK_H
#define SHRINK_SHRINK_H

#include "base/json.h"

/*
 * Appends v, or what is left of it in max bytes, to out, and to notes what was
 * cut and how much: "items: 940 of 1000 items; items[2].body: 512 of 9000
 * bytes". At most SHRINK_NOTES places are named. Nothing is appended where not
 * even "" or [] fits. Returns how many bytes of v are left out; 0: none.
 */
size_t json_shrink(buf *out, json v, size_t max, buf *notes);

/* The same of a text for a reader: an object or array stays one, any other text
 * ends early, behind a line or between two characters. */
size_t text_shrink(buf *out, text t, size_t max, buf *notes);

enum { SHRINK_NOTES = 8 };

#endif
