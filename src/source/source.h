/* SPDX-License-Identifier: MIT */
/*
 * source.h -- the text of a script before any engine sees it: is it text at
 * all, and what does its options line ask for?
 *
 *	// @options: {"timeout_ms": 30000}
 *
 * The options line is the first line that is not blank. The text that an
 * engine gets has an empty line in its place, so lines keep their numbers.
 */
#ifndef SOURCE_SOURCE_H
#define SOURCE_SOURCE_H

#include "base/json.h"

#define SOURCE_NONE UINT64_MAX

typedef struct source {
	text code;     /* what an engine is given; inside the text given */
	uint32_t line; /* lines of the text given that lie before code   */
	uint64_t timeout_ms;        /* SOURCE_NONE: not said */
	uint64_t output_tokens;     /* SOURCE_NONE: not said */
	const char *warning; /* about a line that asks for what it does not get;
			      * NULL: there is none */
	uint32_t warning_line; /* of the text given */
} source;

/* Why a text is no script: a code, a message that says what to do, a place. */
typedef struct source_fault {
	const char *code; /* NULL: it is one */
	char message[256];
	uint32_t line, column; /* from 1; 0: none */
} source_fault;

/* The texts that source_read takes, as a grammar in the language of Lark. */
extern const char source_grammar[];

/* limit: bytes. On a fault *out is not written. */
void source_read(text given, uint64_t limit, source *out, source_fault *fault);

#endif
