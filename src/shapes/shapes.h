/* SPDX-License-Identifier: MIT */
/*
 * shapes.h -- the shape of what a tool returns, learned from values.
 *
 * A shape is a JSON Schema of few words: type, properties, required, items and
 * additionalProperties. It has the kinds of values and the names of members,
 * never a value. A member name that looks like data (shapes_is_name) makes its
 * object a map, whose members have one shape and no names; so do too many
 * members, and too many that are not always there.
 *
 * Each shape that is given is read with all bounds below; it may come from a
 * file that another program wrote.
 */
#ifndef SHAPES_SHAPES_H
#define SHAPES_SHAPES_H

#include "base/buf.h"
#include "base/json.h"

enum {
	SHAPES_DEPTH = 8,         /* values further inside may be anything    */
	SHAPES_MEMBERS = 128,     /* of an object that is no map              */
	SHAPES_OPTIONAL = 24,     /* of them, that are not always there       */
	SHAPES_NAME_MAX = 40,     /* bytes of a member's name                 */
	SHAPES_NODES = 500,       /* of a shape; beyond, its levels get fewer */
	SHAPES_TEXT_MAX = 1 << 20 /* bytes of a value or a shape           */
};

/* May a member be called so, as it stands between the quotes? Letters of ASCII,
 * digits, _ and -, behind one of @ $ # or none; it does not begin with a digit,
 * has no - before one, at most four digits, and no two groups of digits that a
 * letter follows. So dates, numbers, most ids, addresses and paths are none. */
bool shapes_is_name(text raw);

/* Appends the shape of what fits `shape` (missing: nothing does) or is value.
 * CM_EINPUT: shape is none; CM_ELIMIT: one of them is too large; CM_ENOMEM. In
 * each case nothing was appended. */
cm_status shapes_add(json shape, json value, buf *out);

/* Appends the shape of what fits one of the two; missing: nothing does. The
 * order of many makes no difference, as long as they have at most SHAPES_NODES
 * together. The same returns. */
cm_status shapes_merge(json a, json b, buf *out);

#endif
