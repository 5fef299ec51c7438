/* SPDX-License-Identifier: MIT */
/* excerpt.c -- see excerpt.h. */
#include "excerpt.h"

#include <stdio.h>

enum { WIDTH = 120 }; /* bytes of a line that are shown */

static bool
inside_character(text line, size_t at)
{
	return at < line.len && ((unsigned char)line.ptr[at] & 0xc0) == 0x80;
}

/* The part of the line that is shown. */
static text
window(text line, size_t caret, bool has_caret)
{
	size_t from = 0, to;

	if (has_caret && caret > WIDTH * 2 / 3)
		from = caret - WIDTH * 2 / 3;
	while (from > 0 && inside_character(line, from))
		from--;
	to = from + WIDTH < line.len ? from + WIDTH : line.len;
	while (inside_character(line, to))
		to++;
	return text_sub(line, from, to);
}

/* A tab stays a tab, so that the caret stands right. */
static void
put_caret(text shown, size_t caret, buf *out)
{
	for (size_t at = 0; at < caret;) {
		char c = shown.ptr[at];

		utf8_next(shown, &at);
		buf_byte(out, c == '\t' ? '\t' : ' ');
	}
	buf_byte(out, '^');
}

uint32_t
excerpt_put(text line, uint32_t number, uint32_t column, buf *out)
{
	size_t caret = column > 0 ? column - 1 : 0;
	text shown;

	if (utf8_bad(line) != SIZE_MAX)
		return column;
	if (caret > line.len)
		caret = line.len;
	while (inside_character(line, caret))
		caret--;
	shown = window(line, caret, column > 0);
	buf_printf(out, "%u | %.*s", number, TEXT_ARG(shown));
	if (column == 0)
		return 0;
	buf_printf(out, "\n%*s | ", snprintf(NULL, 0, "%u", number), "");
	put_caret(
	    shown, shown.ptr ? caret - (size_t)(shown.ptr - line.ptr) : 0, out);
	return (uint32_t)utf16_len(text_sub(line, 0, caret)) + 1;
}
