/* SPDX-License-Identifier: MIT */
/*
 * search_index.h -- what an index holds; for the files of this room.
 */
#ifndef SEARCH_SEARCH_INDEX_H
#define SEARCH_SEARCH_INDEX_H

#include "base/arena.h"
#include "base/map.h"
#include "search.h"
#include "search_words.h"

/* Where a word stands in a tool. */
typedef enum search_field {
	FIELD_NAME,
	FIELD_SPACE,
	FIELD_HEAD,  /* the first sentence of the description */
	FIELD_BODY,  /* the rest of it */
	FIELD_PARAM, /* names of parameters */
	FIELD_ABOUT, /* their descriptions and the values of their enums */
	FIELDS
} search_field;

/* That a stem occurs in a document. */
typedef struct posting {
	uint32_t doc;
	uint16_t weight; /* 0 to 4095: how much the document is about it */
	uint16_t named;  /* it is a part of the tool's name (1), of its
	                    server's (2) */
} posting;

enum { NAMED_TOOL = 1, NAMED_SPACE = 2 };

/* What all forms of a word have in common. */
typedef struct stem {
	uint32_t from; /* its postings, in the order of documents */
	uint32_t len;
	uint32_t
	    rarity;    /* log2 of (documents / those that have it), in 1/256 */
	uint32_t last; /* while the index is made: its last entry, or posting */
} stem;

/* A word as it stands in a document. */
typedef struct spelling {
	text text;
	uint32_t stem; /* STEM_NOISE: a word that says nothing */
	uint32_t mask; /* the letters that it has: bit 0 is a */
} spelling;

/* A word that belongs to a group of ALIKE; a word may be in several. */
typedef struct alike {
	uint32_t stem;
	uint16_t group;
	uint16_t percent;
} alike;

#define STEM_NOISE (MAP_NONE - 1)
#define STEM_SHORT (MAP_NONE - 2) /* stands for other words: SHORT */

struct search_index {
	cm_alloc alloc;
	size_t docs;
	uint8_t *names; /* how many different stems each tool's name has */
	uint8_t *reads; /* 1: the tool says that it changes nothing */
	arena made;     /* texts of words and stems */
	map spellings;  /* word -> its number in spelling */
	map stems;      /* stem -> its number in stem */
	spelling *spelling;
	size_t spelling_len, spelling_cap;
	stem *stem;
	size_t stem_len, stem_cap;
	posting *posting;
	size_t posting_len;
	uint32_t rarest; /* of a stem that a single document has */
	alike *alike;
	size_t alike_len, alike_cap;
};

/* The letters of t as bits. */
uint32_t letter_mask(text t);
/* The words that the word t stands for (SHORT), or an empty text. */
text words_for(text t);

#endif
