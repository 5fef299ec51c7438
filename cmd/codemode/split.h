/* SPDX-License-Identifier: MIT */
/*
 * split.h -- a command written as one line, taken apart into its words.
 */
#ifndef CMD_SPLIT_H
#define CMD_SPLIT_H

#include "pool.h"

/*
 * Blanks separate; '...', "..." and \ keep them, as in a shell. Nothing else
 * of a shell exists here: no variables, no pipes, no patterns. The list ends
 * with NULL; NULL instead of it: *why says what is wrong.
 */
char **split_words(text line, pool *p, size_t *n, const char **why);

#endif
