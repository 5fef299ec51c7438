/* SPDX-License-Identifier: MIT */
/*
 * shape.h -- what a value is, as far as the text of a script and the answers of
 * its tools tell: a kind, and its keys or its JSON where they are known.
 */
#ifndef SOURCE_SHAPE_H
#define SOURCE_SHAPE_H

#include "check_parts.h"
#include "explain.h"

typedef enum thing_kind {
#define THING(kind, called) THING_##kind,
#include "shape.def"
#undef THING
	THING_KINDS
} thing_kind;

typedef struct thing {
	thing_kind kind;
	json value;             /* its JSON; empty: not known */
	const js_node *literal; /* { } or [ ] in the script, or NULL */
	bool one_of_many;       /* value is that of the first of a list */
} thing;

/* What the shapes are read from. */
typedef struct shaper {
	analysis *a;
	const source_seen *seen; /* may be NULL */
	buf *mended;             /* holds JSON that was cut off */
} shaper;

/* What an expression gives, at its end. */
thing shape_of(shaper *s, const js_node *n);
/* What a pattern is applied to. */
thing shape_of_pattern(shaper *s, const js_node *pattern);
/* Appends "an object with keys items, total"; false: nothing is known. */
bool shape_tell(shaper *s, const thing *t, buf *out);
/* The names of its keys that hold a list, for "did you mean": or empty. */
text shape_list_key(shaper *s, const thing *t);

/* JSON that was cut off anywhere, closed again; empty: hopeless. The result
 * lives in *out, or is t itself. */
json shape_mend(text t, buf *out);

#endif
