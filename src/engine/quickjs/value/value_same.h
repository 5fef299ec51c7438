/* SPDX-License-Identifier: MIT */
/*
 * value_same.h -- equal strings of one text are made once.
 */
#ifndef VALUE_SAME_H
#define VALUE_SAME_H

#include "value_make.h"

#define SAME_SLOTS 256u
#define SAME_LEN   200u /* bytes; longer strings are seldom equal */

/* All zero: empty. The text is borrowed until same_clear. */
typedef struct same_slot {
	text text;
	js string;
} same_slot;

/* The string of this ASCII text; one that was made before, if the table still
 * has it. A table has SAME_SLOTS slots. */
js same_ascii(engine *e, same_slot *table, text t);
void same_clear(engine *e, same_slot *table);

#endif
