/* SPDX-License-Identifier: MIT */
/* regexp_parts.h -- what the files that read regular expressions share. */
#ifndef EVALUATOR_REGEXP_PARTS_H
#define EVALUATOR_REGEXP_PARTS_H

#include "regexp.h"

#include "base/letters.h"

#define RX_NO_CHAR UINT32_MAX

typedef struct rx_reader {
	arena *arena;
	const uint16_t *at, *end;
	bool unicode, sets;            /* u or v; v */
	bool icase, multiline, dotall; /* as it is here */
	bool named;          /* a group has a name, so \k is no letter */
	uint32_t all_groups; /* those behind .at included; 1 without any */
	uint32_t max;        /* the last character */
	unsigned depth;
	const struct rx_branch *branch;
	rx_tree tree;
} rx_reader;

/* NULL. The first error stays; nothing more is read. */
void *rx_fail(rx_reader *r, const char *why);
uint32_t rx_peek(const rx_reader *r, size_t ahead); /* RX_NO_CHAR: the end */
bool rx_eat(rx_reader *r, char c);
bool rx_eat_text(rx_reader *r, const char *text);
uint32_t rx_next(rx_reader *r, bool pairs);
bool rx_eat_unicode(rx_reader *r, bool unicode, uint32_t *out);
uint32_t rx_char_escape(rx_reader *r, bool in_class);

rx_node *rx_make(rx_reader *r, rx_kind kind);
rx_node *rx_make_char(rx_reader *r, uint32_t c);
rx_node *rx_make_class(rx_reader *r, rx_set set);

/* At what follows the backslash: \d \D \s \S \w \W give a set, \p and \P a node;
 * anything else NULL and no set. */
rx_node *rx_class_escape(rx_reader *r, rx_set *set);
rx_node *rx_read_class(rx_reader *r);   /* behind [ */
void rx_add_lines(arena *a, rx_set *s); /* the ends of lines */
void rx_add_words(arena *a, rx_set *s); /* \w */

#endif
