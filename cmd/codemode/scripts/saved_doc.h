/* SPDX-License-Identifier: MIT */
/*
 * saved_doc.h -- the comment in front of a saved script, as a tool: what it is
 * for, its input schema, its output schema, and whether clients of `serve` are
 * offered it directly.
 *
 *	Issues without an answer, oldest first.
 *	@param {string} repo owner/name
 *	@param {integer} [days=7] how long ago at least
 *	@returns {{ number: integer, title: string }[]}
 *	@expose both
 *
 * Types are those of JSDoc and TypeScript that JSON can hold: string, number,
 * integer, boolean, null, object, any, unknown, literals, T[], Array<T>,
 * Record<string, T>, { a: T, b?: T }, unions, ?T. Without any @param the script
 * takes any object. Pure.
 */
#ifndef CMD_SAVED_DOC_H
#define CMD_SAVED_DOC_H

#include "base/json.h"

#define SAVED_DOC_MAX   (64u << 10) /* bytes of each text made from a comment */
#define SAVED_DOC_DEPTH 32          /* of a type */

typedef struct saved_doc {
	buf description;
	buf input;       /* a JSON Schema of an object */
	buf output;      /* a JSON Schema; empty: the comment does not say */
	buf defaults;    /* a JSON object: the defaults of parameters */
	unsigned expose; /* EXPOSE_* */
} saved_doc;

/* Reads the comment before the first statement of code, if there is one. False:
 * *line (from 1) and why say what is wrong. saved_doc_fini is due in any
 * case. */
bool saved_doc_read(text code, saved_doc *out, unsigned *line, buf *why);
void saved_doc_fini(saved_doc *d);

#endif
