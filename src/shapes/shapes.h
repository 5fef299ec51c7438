/* SPDX-License-Identifier: MIT */
/*
 * shapes.h -- the shape of the results of a tool, made from values.
 *
 * A shape is a JSON Schema of few words: type, properties, required, items and
 * additionalProperties. It has the kinds of values and the names of members,
 * but no values. An object becomes a map, whose members have one shape and no
 * names, if a name looks like data (see shapes_is_name), if it has too many
 * members, or too many optional ones.
 *
 * Every shape that a caller passes is read with the bounds below: it may come
 * from a file that another program wrote.
 */
#ifndef SHAPES_SHAPES_H
#define SHAPES_SHAPES_H

#include "base/buf.h"
#include "base/json.h"

enum {
	SHAPES_DEPTH = 8,     /* levels; deeper values may be anything */
	SHAPES_MEMBERS = 128, /* members of an object that is no map */
	SHAPES_OPTIONAL = 24, /* optional members among them */
	SHAPES_NAME_MAX = 40, /* bytes of a member's name                 */
	SHAPES_NODES = 500,   /* nodes of a shape; a larger one loses levels */
	SHAPES_TEXT_MAX = 1 << 20 /* bytes of a value or a shape           */
};

/* Is it the name of a member, and not data? name: as it stands between the
 * quotes. A name has ASCII letters, digits, _ and -, after at most one of @ $
 * #. It does not begin with a digit, has no - before a digit, at most four
 * digits, and at most one group of digits before a letter. So dates, numbers,
 * most ids, addresses and paths are data. */
bool shapes_is_name(text raw);

/* Appends the shape that describes value and all that `shape` describes
 * (missing: nothing). CM_EINPUT: shape is invalid; CM_ELIMIT: one of them is
 * too large; CM_ENOMEM. In each case nothing was appended. */
cm_status shapes_add(json shape, json value, buf *out);

/* Appends the shape that describes all that either of the two describes;
 * missing: nothing. The order of joining many shapes makes no difference as
 * long as they have at most SHAPES_NODES together. Returns as above. */
cm_status shapes_merge(json a, json b, buf *out);

#endif
