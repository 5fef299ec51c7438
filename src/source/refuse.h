/* SPDX-License-Identifier: MIT */
/*
 * refuse.h -- why a text is not run, in words that help to write it again.
 */
#ifndef SOURCE_REFUSE_H
#define SOURCE_REFUSE_H

#include "normal.h"

/* n->tree has errors: which of them is told, and how. */
void refuse_syntax(normal *n, source_refusal *f);
/* The same for what is no script at all; false: it may be one. */
bool refuse_foreign(normal *n, source_refusal *f);
/* Nothing but types: nothing would run. True: it is refused. */
bool refuse_types_only(normal *n, source_refusal *f);
/* let tools, const console: they are there already. True: it is refused. */
bool refuse_parameters(normal *n, source_refusal *f);

#endif
