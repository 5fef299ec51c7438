/* SPDX-License-Identifier: MIT */
/*
 * prepare.h -- from the text that a model wrote to the text that an engine
 * runs. Every script goes through source_prepare.
 *
 * The text is read as what it was meant to be (normal.h says how: fences,
 * quotes, types, a lone function, a last expression ...), parsed whole, and
 * refused when it certainly is no script. The engine's text has the same lines
 * as .text, so that a line is a line everywhere; where something had to be put
 * before code on its line, source_origin takes it off again.
 *
 *	source_prepare(given, &(source_options){.limit = 1 << 20}, NULL, &p);
 *	if (p.fault.code != NULL)
 *		it is no script: p.fault says why and where
 *	else
 *		the engine gets p.code; options of the script are in p.head
 *	...
 *	source_prepared_fini(&p);
 *
 * The tree is not kept: check.h and explain.h parse again, which costs less than
 * holding it through a run.
 */
#ifndef SOURCE_PREPARE_H
#define SOURCE_PREPARE_H

#include "source/js.h"
#include "source/source.h"

typedef struct source_options {
	uint64_t budget; /* steps that reading may take: tokens, also those that
			  * are read twice; 0: no bound */
	uint64_t limit;  /* bytes of the text given */
	bool raw;        /* the text is the script, letter for letter */
	bool plain_last; /* the last expression is not the value */
} source_options;

/* len bytes of the engine's text at that offset are not the script's. */
typedef struct source_shift {
	uint32_t at, len;
} source_shift;

/* A budget that no script of a megabyte reaches: some seconds of work. */
#define SOURCE_STEPS ((uint64_t)20000000)

enum { SOURCE_SHIFTS = 8, SOURCE_MESSAGE = 640 };

/* Why a text is not run. */
typedef struct source_refusal {
	const char *code; /* NULL: it is; else "SyntaxError", "NotText" ... */
	char message[SOURCE_MESSAGE];
	uint32_t line, column; /* of .text, from 1, column in bytes; 0: none */
	bool foreign; /* it is no JavaScript at all */
} source_refusal;

typedef struct source_prepared {
	source head;   /* what the options line asks; .code and .line: unused */
	text text;     /* what lines and columns refer to: as given, or, when
			* the whole script came as one JSON string, that */
	text code;     /* for the engine */
	bool changed;  /* code is not what was given */
	uint64_t steps; /* that reading took */
	bool raw;
	source_shift shift[SOURCE_SHIFTS];
	size_t shifts;
	source_refusal fault;
	buf own_text, own_code; /* hold .text and .code when they are new */
} source_prepared;

/* given must live as long as *out. CM_ENOMEM: *out is empty. Otherwise CM_OK,
 * also for what is no script. */
cm_status source_prepare(text given, const source_options *options,
    const cm_alloc *alloc, source_prepared *out);
void source_prepared_fini(source_prepared *p);

/* From a place in .code to the place in .text; columns in bytes, from 1. */
void source_origin(const source_prepared *p, uint32_t line, uint32_t *column);
/* The same for bytes. */
uint32_t source_offset(const source_prepared *p, uint32_t at);
/* Parses p->text again, as it was for p, into a: for all of its errors. */
cm_status source_parse(const source_prepared *p, arena *a, js_tree *out);

#endif
