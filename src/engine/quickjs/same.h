/* SPDX-License-Identifier: MIT */
/*
 * same.h -- strings that a text has again and again are made once.
 */
#ifndef QUICKJS_SAME_H
#define QUICKJS_SAME_H

#include "make.h"

#define SAME_SLOTS 256u
#define SAME_LEN   200u /* longer ones are seldom the same */

/* All zero: empty. Its texts are borrowed until same_clear. */
typedef struct same_slot {
	text text;
	js string;
} same_slot;

/* The string of this ASCII text, maybe one that was made before. A table has
 * SAME_SLOTS slots. */
js same_string(engine *e, same_slot *table, text t);
void same_clear(engine *e, same_slot *table);

#endif
