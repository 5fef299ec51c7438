/* SPDX-License-Identifier: MIT */
/*
 * split.h -- a command written as one line, taken apart into its words.
 */
#ifndef CMD_SPLIT_H
#define CMD_SPLIT_H

#include "pool.h"

/*
 * Blanks separate words; '...', "..." and \ keep blanks, as in a shell. There
 * are no variables, pipes or patterns. The list ends with NULL, *n is its
 * length; it lives in p. NULL: *why says what is wrong (static).
 */
char **split_words(text line, pool *p, size_t *n, const char **why);

#endif
