/* SPDX-License-Identifier: MIT */
/*
 * search_asked.h -- a question as an index understands it.
 */
#ifndef SEARCH_SEARCH_ASKED_H
#define SEARCH_SEARCH_ASKED_H

#include "search_index.h"

enum {
	FORMS_MAX = 32,
	WHOLE = 256 /* a factor of 1 */
};

/* A stem that a word of the question may stand for. */
typedef struct form {
	uint32_t stem;
	uint32_t factor; /* in 1/WHOLE */
} form;

typedef struct asked {
	form form[FORMS_MAX]; /* the word itself, if documents have it, first */
	unsigned forms;
	uint32_t mass; /* how much the word says: its rarity */
	word word;
} asked;

typedef struct question {
	asked asked[SEARCH_QUERY_WORDS];
	unsigned len;
	uint64_t mass; /* of all words */
} question;

/* q is empty. */
void ask_question(const search_index *s, text words, question *q);
/* Is it the word of the question itself, and no other form of it? */
bool is_asked_as_written(const asked *a);

#endif
