/* SPDX-License-Identifier: MIT */
/*
 * excerpt.h -- a line of a script with a caret under the place:
 *
 *	12 | return prs.filter((x) => x)
 *	   |            ^
 */
#ifndef SOURCE_EXCERPT_H
#define SOURCE_EXCERPT_H

#include "base/buf.h"

/* number: that of the line. column: in bytes, from 1; 0: no caret. Of a long
 * line a window around the caret is shown. Appends nothing for a line that is
 * not UTF-8. Returns the column in UTF-16 units, as engines and editors count
 * them; 0: there was none. */
uint32_t excerpt_put(text line, uint32_t number, uint32_t column, buf *out);

#endif
