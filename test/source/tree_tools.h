/* SPDX-License-Identifier: MIT */
/*
 * tree_tools.h -- what only tests do with a tree: write it as a script again,
 * compare two of them, name its errors and their places.
 */
#ifndef TEST_SOURCE_TREE_TOOLS_H
#define TEST_SOURCE_TREE_TOOLS_H

#include "source/js.h"

const char *js_kind_fields(js_kind kind); /* "test then else?" */
const char *js_code_name(js_code code);   /* "REDECLARED" */

/* Where a byte is, in people's terms; all from 1. Scans from the start. */
typedef struct js_place {
	uint32_t line;
	uint32_t column;     /* UTF-16 code units: what engines count */
	uint32_t characters; /* code points: what people count */
} js_place;
js_place js_position(text source, size_t at);

/* The tree as a script again, in one fixed layout: parsing that gives the
 * same tree. Types are gone. */
void js_write(const js_tree *t, buf *out);
/* Do two trees say the same? Positions, parentheses and empty statements do
 * not count. On false *where is the first node of a that differs. */
bool js_same(const js_tree *a, const js_tree *b, const js_node **where);

#endif
