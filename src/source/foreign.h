/* SPDX-License-Identifier: MIT */
/*
 * foreign.h -- text that is no script at all, and what it looks like.
 *
 * Asked only about text that does not parse, or whose first name does not
 * exist: a guess is allowed then, and helps more than "unexpected name".
 */
#ifndef SOURCE_FOREIGN_H
#define SOURCE_FOREIGN_H

#include "base/json.h"

typedef enum foreign {
#define FOREIGN(kind, looks, advice, languages, words) FOREIGN_##kind,
#define BEGINS(kind, prefix)
#include "foreign.def"
#undef FOREIGN
#undef BEGINS
	FOREIGN_KINDS
} foreign;

/* FOREIGN_NOT: it looks like JavaScript, or like nothing known. */
foreign foreign_look(text t);
/* The same of a fenced block that names its language. */
foreign foreign_language(text language);
/* Appends what it looks like and the form to write. */
void foreign_tell(foreign kind, text t, buf *out);

#endif
