/* SPDX-License-Identifier: MIT */
/*
 * data_words.h -- the words name=value of a command line as a JSON object.
 */
#ifndef CMD_DATA_WORDS_H
#define CMD_DATA_WORDS_H

#include "base/buf.h"

/* Is it name=value, with a name? */
bool is_data_word(const char *word);

/* Appends the object of n such words to out. A value that is JSON is that JSON
 * (5, true, null, [1]), every other one is a text. NULL, or the name that is
 * there twice or is not UTF-8. */
const char *data_of_words(int n, char **words, buf *out);

#endif
