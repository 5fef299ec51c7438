/* SPDX-License-Identifier: MIT */
/*
 * search_words.h -- text taken apart into words, and words reduced to stems.
 */
#ifndef SEARCH_SEARCH_WORDS_H
#define SEARCH_SEARCH_WORDS_H

#include "base/text.h"

enum { WORD_MAX = 40 }; /* bytes of a word; longer ones are cut */

/* A word in lower case. */
typedef struct word {
	size_t len;
	char bytes[WORD_MAX];
} word;

static inline text
word_text(const word *w)
{
	return (text){w->bytes, w->len};
}

/* Reads the words of a text: runs of letters and digits of any script, cut
 * where camelCase begins a new part, without single Latin letters. Of Chinese,
 * Japanese and Korean each two neighbours are a word. */
typedef struct word_reader {
	text src; /* valid UTF-8 */
	size_t at;
	size_t run;   /* where the run of letters began */
	unsigned cut; /* parts of that run so far */
	bool whole;   /* give a run that was cut as one word, too */
	bool joined;  /* the word last given was such a run */
} word_reader;

bool search_word_next(word_reader *r, word *out);

/* The same for all forms of an English word: "creates", "creating" and
 * "creation" give "creat". Words with other letters than a to z stay. */
void word_stem(word *w);

#endif
