/* SPDX-License-Identifier: MIT */
/*
 * explain.h -- an engine's error, told in terms of the script.
 *
 * An engine says "not a function" and a place. The script has the expression
 * that stands there, what its names were bound to, and (through source_seen)
 * what tools have answered: enough to say which thing is not a function, what
 * it is instead, and mostly what to write.
 */
#ifndef SOURCE_EXPLAIN_H
#define SOURCE_EXPLAIN_H

#include "source/check.h"

/* The beginning of what a tool last answered: JSON, perhaps cut off anywhere.
 * Empty: nothing is known. */
typedef struct source_seen {
	void *ctx;
	text (*result)(void *ctx, text path);
} source_seen;

typedef struct source_error {
	text name;     /* "TypeError" */
	text message;  /* "not a function" */
	text native;   /* the built-in it was thrown in: "map"; or empty */
	uint32_t line, column; /* of .text, column in bytes; 0: not known */
} source_error;

/* The built-in function on top of a stack: "at map (native)"; or empty. */
text source_native(text stack);

/*
 * Appends the message that should stand there instead; appends nothing when
 * there is nothing better to say, or when the script made the error itself.
 * tools and seen may be NULL. line and column are moved to the expression at
 * fault when it is known.
 */
void source_explain(const source_prepared *p, const source_tools *tools,
    const source_seen *seen, source_error *e, buf *out);

/*
 * The same for a script that waits for what nothing can settle: line and column
 * are set to the await, as far as the script itself tells which one it is.
 */
void source_explain_stall(const source_prepared *p, const source_tools *tools,
    source_error *e, buf *out);

/*
 * A value that is no Error has no stack. line and column are set to the throw
 * that it comes from, if the script has only one and nothing else can throw
 * such a value.
 */
void source_place_thrown(const source_prepared *p, source_error *e);

#endif
