/* SPDX-License-Identifier: MIT */
/*
 * json_config.c -- JSON as people write it in configuration files.
 *
 * Comments, trailing commas and the byte order mark become blanks in a copy of
 * the same length, which the strict reader then reads; every offset it reports
 * is one in the file. What is not finished (a comment, a string) stays as it
 * is, so that the reader points at it.
 */
#include "json.h"

size_t
json_comment_end(text t, size_t i)
{
	text rest = text_sub(t, i, t.len);
	size_t end;

	if (text_starts(rest, TEXT("//"))) {
		end = text_find(rest, TEXT("\n"), 2);
		return end == SIZE_MAX ? t.len : i + end;
	}
	if (text_starts(rest, TEXT("/*"))) {
		end = text_find(rest, TEXT("*/"), 2);
		return end == SIZE_MAX ? i : i + end + 2;
	}
	return i;
}

static size_t
string_end(text t, size_t i)
{
	for (i++; i < t.len && t.ptr[i] != '"'; i++)
		i += t.ptr[i] == '\\';
	return i < t.len ? i + 1 : t.len;
}

static void
blank_bytes(char *p, size_t from, size_t to)
{
	for (size_t i = from; i < to; i++)
		if (p[i] != '\n')
			p[i] = ' ';
}

/* The last two bytes that are neither space nor comment. */
struct seen {
	size_t comma; /* offset of a comma that has a value before it */
	char last;
};

static void
see_byte(struct seen *seen, char *p, size_t i)
{
	char c = p[i];

	if ((c == ']' || c == '}') && seen->last == ',' &&
	    seen->comma != SIZE_MAX)
		p[seen->comma] = ' ';
	if (c == ',')
		seen->comma =
		    seen->last && !memchr("[{,:", seen->last, 4) ? i : SIZE_MAX;
	seen->last = c;
}

static void
blank_all(char *p, size_t len)
{
	text t = {p, len};
	struct seen seen = {SIZE_MAX, 0};
	size_t i = 0, end;

	if (text_starts(t, TEXT("\xef\xbb\xbf")))
		blank_bytes(p, 0, 3);
	while (i < len) {
		end = json_comment_end(t, i);
		if (end > i) {
			blank_bytes(p, i, end);
			i = end;
			continue;
		}
		if (!memchr(" \t\r\n", p[i], 4))
			see_byte(&seen, p, i);
		i = p[i] == '"' ? string_end(t, i) : i + 1;
	}
}

void
json_blank_comments(text src, buf *out)
{
	char *copy = buf_room(out, src.len);

	if (!copy || src.len == 0)
		return;
	memcpy(copy, src.ptr, src.len);
	blank_all(copy, src.len);
	out->len += src.len;
}

void
text_position(text src, size_t at, unsigned *line, unsigned *column)
{
	*line = *column = 1;
	for (size_t i = 0; i < at && i < src.len; i++) {
		++*column;
		if (src.ptr[i] == '\n') {
			++*line;
			*column = 1;
		}
	}
}
