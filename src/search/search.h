/* SPDX-License-Identifier: MIT */
/*
 * search.h -- which tools fit a question in words.
 *
 * An index is made once of all tools and then only read: many threads may ask
 * one index at the same time. Scores are integers, and equal scores stand in
 * the order of the documents, so the answer is the same on every machine.
 */
#ifndef SEARCH_SEARCH_H
#define SEARCH_SEARCH_H

#include "base/json.h"
#include "base/mem.h"

/* What is read of a tool. The texts live as long as the index. */
typedef struct search_doc {
	text space; /* the server; may be empty */
	text name;
	text description;
	json input; /* its JSON Schema, or missing */
	bool reads; /* it says that it changes nothing */
} search_doc;

typedef search_doc search_doc_at(const void *docs, size_t i);

typedef struct search_index search_index;

/* Bounds on what is read of a tool, and of a question; the rest is not looked
 * at. */
enum {
	SEARCH_TOOL_WORDS = 600, /* words, each time that they occur */
	SEARCH_QUERY_WORDS = 32, /* words of a question, of those that count */
	SEARCH_QUERY_BYTES = 4096
};

typedef struct search_hit {
	uint32_t doc;
	uint32_t score; /* in 1/65536 */
} search_hit;

/* Reads documents 0 to n - 1, most of 2^24; CM_ENOMEM. */
cm_status search_new(const cm_alloc *alloc, search_doc_at *at, const void *docs,
    size_t n, search_index **out);
void search_free(search_index *s);

/*
 * Stores the best of the documents [first, first + n), best first, at most
 * limit, and in *found how many. None: no document has enough of what the
 * question asks for. A question without a word that counts finds nothing;
 * an empty one lists the documents in their order. CM_ENOMEM.
 */
cm_status search_query(const search_index *s, text words, size_t first,
    size_t n, search_hit *out, size_t limit, size_t *found);

/* Appends the words of the index that are nearest to those of the question
 * that it does not have, separated by ", "; nothing: none is near. */
void search_nearest_words(const search_index *s, text words, buf *out);

#endif
