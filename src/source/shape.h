/* SPDX-License-Identifier: MIT */
/*
 * shape.h -- what a value is, as far as the answers of tools tell: its JSON.
 */
#ifndef SOURCE_SHAPE_H
#define SOURCE_SHAPE_H

#include "check_parts.h"
#include "explain.h"

typedef struct shape {
	bool known;
	json value; /* empty: undefined, when it is known */
	bool
	    one_of_many; /* value is that of one of a list; others may differ */
} shape;

/* What the shapes are read from. */
typedef struct shaper {
	analysis *a;
	const source_seen *seen; /* may be NULL */
	buf *mended;             /* holds JSON that was cut off */
} shaper;

/* What an expression gives, at its end; what a pattern is applied to. */
shape shape_of(shaper *s, const js_node *n);
/* Does the method call its callback once for each element of a list? */
bool shape_walks(text method);
/* Appends "an object with keys items, total". */
void shape_tell(json value, buf *out);
/* Appends what leads from a value to the list that is meant: ".items", its first
 * list, or ".content.split("\n")", its only text. False: nothing does. */
bool shape_to_list(json value, buf *out);

/* JSON that was cut off anywhere, closed again; empty: hopeless. The result
 * lives in *out, or is t itself. */
json shape_mend(text t, buf *out);

#endif
