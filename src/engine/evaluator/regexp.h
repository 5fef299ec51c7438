/* SPDX-License-Identifier: MIT */
/*
 * regexp.h -- regular expressions: JavaScript's syntax is read into a tree
 * (regexp_parse.c), which is written down again as patterns of PCRE2
 * (regexp_translate.c); native_regexp.c compiles and runs those.
 *
 * Where PCRE2 would do something else than JavaScript, the pattern calls back
 * ((?C)): at the beginning and the end of a repetition, and for a lookbehind
 * that is not of one length, which is a pattern of its own that is matched
 * against the reversed subject.
 */
#ifndef EVALUATOR_REGEXP_H
#define EVALUATOR_REGEXP_H

#include "base/arena.h"
#include "base/text.h"

#include <stdbool.h>
#include <stdint.h>

enum {                  /* flags, in the order of their letters in `flags` */
	RX_INDICES = 1, /* d */
	RX_GLOBAL = 2,
	RX_ICASE = 4,
	RX_MULTILINE = 8,
	RX_DOTALL = 16,
	RX_UNICODE = 32,
	RX_SETS = 64, /* v */
	RX_STICKY = 128,
	RX_NARROW = 256 /* a translation for subjects of Latin-1 */
};

#define RX_INFINITE UINT32_MAX

/* --------------------------------------------------------------------- sets */

typedef struct rx_range {
	uint32_t low, high;
} rx_range;

/* Code points, or code units without u and v: rows in order, none touching the
 * next. Lives in an arena. */
typedef struct rx_set {
	rx_range *r;
	size_t len, cap;
} rx_set;

void rx_add(arena *a, rx_set *s, uint32_t low, uint32_t high);
void rx_add_set(arena *a, rx_set *s, const rx_set *more);
bool rx_has(const rx_set *s, uint32_t c);
bool rx_same(const rx_set *s, const rx_set *t);
/* What s lacks of 0 .. max. */
rx_set rx_complement(arena *a, const rx_set *s, uint32_t max);
rx_set rx_intersect(arena *a, const rx_set *s, const rx_set *t);
/* With all characters that the flag i takes for the same. */
rx_set rx_fold(arena *a, const rx_set *s, bool unicode);
/* The one that stands for all that are the same. */
uint32_t rx_canonical(uint32_t c, bool unicode);
/* Those of 0 .. max that have a property, given as PCRE2 writes it (\p{Lu}).
 * False: PCRE2 does not know it. */
bool rx_property_set(arena *a, const char *property, uint32_t max, rx_set *s);

/* Memory for PCRE2, which is given a pool. */
typedef struct rx_pool {
	const cm_alloc *alloc;
	size_t used; /* bytes */
} rx_pool;

void *rx_memory(size_t size, void *pool);
void rx_memory_free(void *block, void *pool);

/* --------------------------------------------------------------------- tree */

typedef enum rx_kind {
	RX_SEQUENCE,
	RX_CHOICE,
	RX_CHAR,     /* .c */
	RX_CLASS,    /* .set, .properties */
	RX_GROUP,    /* captures as group .c */
	RX_MODIFIED, /* .icase: how it is inside */
	RX_LOOK,     /* .ahead, .negated */
	RX_BACK,     /* .c: a group, or 0: those with .name */
	RX_START,    /* .multiline */
	RX_END,
	RX_WORD,  /* .negated, .icase */
	RX_REPEAT /* .min, .max, .lazy */
} rx_kind;

typedef struct rx_units {
	const uint16_t *at;
	size_t len;
} rx_units;

typedef struct rx_node {
	uint8_t kind;
	bool negated, ahead, lazy, icase, multiline;
	uint32_t c;
	uint32_t first, last; /* the groups inside are first .. last - 1 */
	uint32_t min, max;
	rx_set set;
	const char *properties; /* more members, as PCRE2 writes them; NULL */
	rx_units name;
	struct rx_node *child, *next;
} rx_node;

typedef struct rx_name {
	rx_units name;
	uint32_t group;
	const struct rx_branch *branch; /* where it stands */
	struct rx_name *next;
} rx_name;

typedef struct rx_tree {
	rx_node *root;
	uint32_t groups; /* the whole match, number 0, included */
	rx_name *names;  /* in the order of the pattern */
	bool has_back;   /* back references */
	bool modifies_case;
	const char *error; /* NULL: none */
} rx_tree;

/* Reads a pattern. All of the tree lives in the arena. */
rx_tree rx_parse(arena *a, rx_units pattern, unsigned flags);
/* The flags of a text; -1: they are wrong. */
int rx_flags(rx_units text);

/* What is wrong with a literal, in UTF-8; NULL: nothing. */
const char *rx_check(const cm_alloc *alloc, text pattern, text flags);

/* -------------------------------------------------------------- translation */

typedef enum rx_call_kind {
	RX_CALL_STEP,  /* at the beginning: the run may have to stop */
	RX_CALL_RESET, /* groups first .. last - 1 are not set */
	RX_CALL_MOVED, /* fails where .mark was set: an empty repetition */
	RX_CALL_LOOK,  /* matches .part at this place, the other way */
	RX_CALL_OUTER  /* groups have the values that they have outside */
} rx_call_kind;

typedef struct rx_call {
	uint8_t kind;
	bool negated;
	uint16_t part;        /* that it matches */
	uint32_t first, last; /* groups; MOVED: first is the mark's number */
	uint32_t base;        /* LOOK: PCRE2's number of the first of them */
} rx_call;

/* One pattern of PCRE2. */
typedef struct rx_part {
	char *text;
	size_t len, cap;
	uint32_t *owner; /* of each of its groups, from 1: ours; 0: a mark */
	size_t groups, owner_cap;
	bool backward;    /* for the reversed subject */
	uint16_t outside; /* the part that calls it */
	const rx_node *body;
} rx_part;

enum { RX_CALLS = 255, RX_PARTS = 64 };

typedef struct rx_translation {
	rx_part part[RX_PARTS];
	size_t parts;
	rx_call call[RX_CALLS];
	size_t calls;
	bool utf;
	bool folds; /* the subject must be folded, unless it is ASCII */
	const char *error;
} rx_translation;

/* flags: with RX_NARROW or without. */
void rx_translate(
    arena *a, const rx_tree *tree, unsigned flags, rx_translation *out);

/* In patterns and subjects in UTF-16, a lone surrogate stands here: PCRE2 has no
 * place for it. */
enum { RX_LONE = 0x50000 };

#endif
