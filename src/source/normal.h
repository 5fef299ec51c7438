/* SPDX-License-Identifier: MIT */
/*
 * normal.h -- what a model wrote, put as a script.
 *
 * Two halves. The first looks at the text: it takes off what was put around a
 * script (a Markdown fence, a JSON string) until something parses. The second
 * looks at the tree and makes the script give its result: it takes off export,
 * calls a function that is all there is, returns the last expression.
 *
 * No line moves: what is taken off becomes blanks, and what is put in goes to
 * the end of a line where that is possible. Doing it twice changes nothing. A
 * text that can be meant in two ways stays as it is.
 */
#ifndef SOURCE_NORMAL_H
#define SOURCE_NORMAL_H

#include "source/prepare.h"

/* What is said of an import; %.*s: what should be imported. */
#define NORMAL_NO_MODULE                                                  \
	"import does not work here: there is no module %.*s. Everything " \
	"outside of the script is reached through tools, e.g. "           \
	"const r = await tools.name({ ... }); what a script has anyway "  \
	"(tools, text, store, JSON, Math ...) needs no import"

/* The bytes [at, end) are blanked and .put begins there; lines stay. */
typedef struct edit {
	uint32_t at, end;
	text put;
} edit;

typedef struct edits {
	arena *arena;
	edit *item; /* in the order of the text; made by edits_add */
	size_t len, cap;
} edits;

void edits_add(edits *e, uint32_t at, uint32_t end, text put);

/* A script in the making: the text that is parsed, and what came of it. */
typedef struct normal {
	const source_options *options;
	arena *arena;    /* of the trees */
	uint64_t *steps; /* see js_options */
	text text;       /* what positions refer to */
	text base;       /* what is parsed: as long as text */
	js_tree tree;    /* of base */
	buf *own_text, *own_base;
	bool changed;          /* base is not what was given */
	bool unescaped;        /* it came as HTML writes it */
	bool fenced;           /* it parses, but only because fences do */
	source_refusal *fault; /* set: it is no script */
} normal;

/* ---------------------------------------------------------- normal_text.c */

/* Parses n->base, as JavaScript, or else with types. */
cm_status normal_parse(normal *n);
/* Takes off what is around the script until it parses or nothing is left to
 * take off; n->tree is that of the last try. */
cm_status normal_unwrap(normal *n);

/* --------------------------------------------------------- normal_fence.c */

/* Does the text begin with a fence? */
bool fence_first(text t);
/* Appends t with everything blanked but the one fenced script in it; false:
 * there is not exactly one. */
bool fence_open(text t, buf *out);
/* The fenced block that is in no language of ours, and its language. */
bool fence_foreign(text t, text *language, text *body);
/* How many fenced scripts there are. */
size_t fence_count(text t);

/* --------------------------------------------------------- normal_quote.c */

/* The script that n->base quotes, as one JSON string or as an object with one;
 * appended to out. sure: it is no script as it stands. */
bool quote_open(const normal *n, bool sure, buf *out);
/* A script on one line with \n and \" written out. */
bool escapes_open(const normal *n, buf *out);
/* A script whose <, >, & and quotes came as HTML writes them. */
bool entities_open(const normal *n, buf *out);
/* The number of the HTML entity that t begins with; SIZE_MAX: none of those that
 * code is escaped with. */
size_t entity_at(text t);

/* -------------------------------------------------------- normal_module.c */

/* The function or expression that an export makes the script's own. */
typedef struct exported {
	const js_node *value; /* NULL: none */
	text name;            /* what it can be called by at the end */
} exported;

/* Blanks export and harmless imports. False: n->fault says what not. */
bool module_edit(normal *n, edits *e, exported *out);

/* ---------------------------------------------------------- normal_main.c */

/* Makes the script give its value. */
void main_edit(normal *n, edits *e, const exported *x);
/* What a function is called with, such as "(tools)"; false: it
 * wants something that is not known here. */
bool main_arguments(const js_tree *t, const js_node *function, text *out);
/* Does a return stand in the script itself? */
bool main_returns(const js_node *root);
/* function () {...} without a name, and nothing else, is read as a value that
 * is called: the edits that do it. False: the text is not that. */
bool main_unnamed(normal *n, edits *e);

/* --------------------------------------------------------------- normal.c */

/* The end of an expression's statement, without its semicolon and without the
 * types that a semicolon would be written into. */
uint32_t normal_end(const normal *n, const js_node *statement);
/* n->base, its types blanked and e made, goes to out->code. */
void normal_write(normal *n, const edits *e, source_prepared *out);

#endif
