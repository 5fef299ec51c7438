/* SPDX-License-Identifier: MIT */
/*
 * nearest.h -- which tools were probably meant by a path that does not exist.
 */
#ifndef CATALOG_NEAREST_H
#define CATALOG_NEAREST_H

#include "base/text.h"

enum { NEAREST_MAX = 5 };

/* Name i of those that exist. */
typedef text nearest_name(const void *names, size_t i);

/*
 * Stores the numbers of the names that were most likely meant, likeliest
 * first, and returns how many (0 to NEAREST_MAX). Equal but for case and
 * punctuation comes first, then equal behind the last dot, then a few slips of
 * the keyboard, then a part of the other. Takes some milliseconds at most: of
 * tens of thousands of names the last may not be looked at.
 */
size_t nearest(text wanted, nearest_name *name, const void *names, size_t n,
    size_t out[NEAREST_MAX]);

#endif
