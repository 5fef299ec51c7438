/* SPDX-License-Identifier: MIT */
/*
 * search_make.h -- an index while it is made.
 */
#ifndef SEARCH_SEARCH_MAKE_H
#define SEARCH_SEARCH_MAKE_H

#include "search_index.h"

enum {
	TIMES_BITS = 5, /* of how often a word stands in a field */
	TIMES_MAX = 31,
	SEEN = 4096
};

/* That a stem stands in a document: the entries of one document stand
 * together, in the order of documents. */
typedef struct entry {
	uint32_t stem;
	uint32_t doc;
	uint32_t times; /* TIMES_BITS for each field */
} entry;

typedef struct field_lengths {
	uint16_t words[FIELDS];
} field_lengths;

typedef struct making {
	search_index *s;
	entry *entry;
	size_t len, cap;
	field_lengths *length;  /* of each document */
	uint64_t total[FIELDS]; /* words of all documents */
	buf unescaped;
	uint32_t doc;        /* the one that is read */
	size_t first;        /* its first entry */
	unsigned words;      /* of it so far */
	uint32_t seen[SEEN]; /* numbers of spellings, by a quick hash */
	cm_status bad;
} making;

/* Makes the postings of the entries. */
void weigh_entries(making *m);

#endif
