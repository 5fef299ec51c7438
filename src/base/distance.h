/* SPDX-License-Identifier: MIT */
/*
 * distance.h -- how many slips of the keyboard lie between two texts.
 */
#ifndef BASE_DISTANCE_H
#define BASE_DISTANCE_H

#include "text.h"

enum { TEXT_DISTANCE_MAX = 96 };

/*
 * The number of edits that turn a into b, or most + 1 when it takes more than
 * most: a byte added, dropped or changed, or two neighbours swapped (no byte
 * is edited twice). Takes at most (2 * most + 1) * a.len steps. Different
 * texts of more than TEXT_DISTANCE_MAX bytes are most + 1 apart.
 */
size_t text_distance(text a, text b, size_t most);

#endif
