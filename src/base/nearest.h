/* SPDX-License-Identifier: MIT */
/*
 * nearest.h -- which names were probably meant by one that does not exist.
 */
#ifndef BASE_NEAREST_H
#define BASE_NEAREST_H

#include "text.h"

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
