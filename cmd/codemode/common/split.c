/* SPDX-License-Identifier: MIT */
/*
 * split.c -- one pass over the line. Words only get shorter by losing their
 * quotes, so a copy of the line is room enough for all of them.
 */
#include "split.h"

static bool
is_word_break(char c)
{
	return c == ' ' || c == '\t' || c == '\n' || c == '\r';
}

/* Copies the quoted text at *at to *to. False: the quote never ends. */
static bool
copy_quoted(text line, size_t *at, char **to)
{
	char quote = line.ptr[(*at)++];

	while (*at < line.len && line.ptr[*at] != quote) {
		char c = line.ptr[(*at)++];
		char next = *at < line.len ? line.ptr[*at] : '\0';

		if (quote == '"' && c == '\\' &&
		    (next == '"' || next == '\\')) {
			c = next;
			(*at)++;
		}
		*(*to)++ = c;
	}
	return (*at)++ < line.len;
}

/* Copies the word at *at to *to and ends it with NUL. */
static bool
copy_word(text line, size_t *at, char **to)
{
	while (*at < line.len && !is_word_break(line.ptr[*at])) {
		char c = line.ptr[*at];

		if (c == '\'' || c == '"') {
			if (!copy_quoted(line, at, to))
				return false;
			continue;
		}
		if (c == '\\' && *at + 1 < line.len)
			c = line.ptr[++*at];
		*(*to)++ = c;
		++*at;
	}
	*(*to)++ = '\0';
	return true;
}

char **
split_words(text line, pool *p, size_t *n, const char **why)
{
	/* Two bytes of line at least for each word but the last. */
	char **list = pool_new(p, (line.len / 2 + 2) * sizeof(*list));
	char *to = pool_new(p, line.len + 2);
	size_t at = 0;

	*n = 0;
	for (;;) {
		while (at < line.len && is_word_break(line.ptr[at]))
			at++;
		if (at >= line.len)
			break;
		list[*n] = to;
		if (!copy_word(line, &at, &to)) {
			*why = "a quote is opened and never closed";
			return NULL;
		}
		++*n;
	}
	if (*n == 0) {
		*why = "is empty";
		return NULL;
	}
	return list;
}
