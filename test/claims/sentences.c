/* SPDX-License-Identifier: MIT */
/* sentences.c -- see sentences.h. */
#include "sentences.h"

/* A comment's text on one line. */
static void
flatten(text comment, buf *out)
{
	text line;

	while (text_line(&comment, &line)) {
		text inner = text_trim(line);

		if (text_starts(inner, TEXT("*")))
			inner = text_sub(inner, 1, inner.len);
		if (text_starts(inner, TEXT("\t")))
			continue;
		inner = text_trim(inner);
		if (inner.len && out->len)
			buf_byte(out, ' ');
		for (size_t i = 0; i < inner.len; i++)
			if (inner.ptr[i] == '\t')
				buf_byte(out, ' ');
			else if (inner.ptr[i] != ' ' || i == 0 ||
				 inner.ptr[i - 1] != ' ')
				buf_byte(out, inner.ptr[i]);
	}
}

static bool
ends_here(text t, size_t i)
{
	char c = t.ptr[i], next = i + 2 < t.len ? t.ptr[i + 2] : 0;

	if (i + 1 == t.len)
		return true;
	return (c == '.' || c == '!' || c == '?') && t.ptr[i + 1] == ' ' &&
	       next >= 'A' && next <= 'Z' &&
	       !(i > 0 && t.ptr[i - 1] >= '0' && t.ptr[i - 1] <= '9');
}

static bool
has_line(text lines, text wanted)
{
	text line;

	while (text_line(&lines, &line))
		if (text_eq(line, wanted))
			return true;
	return false;
}

static void
split(text flat, buf *out)
{
	size_t from = 0;

	for (size_t i = 0; i < flat.len; i++) {
		text one;

		if (!ends_here(flat, i))
			continue;
		one = text_trim(text_sub(flat, from, i + 1));
		from = i + 1;
		if (one.len == 0 || has_line(buf_view(out), one))
			continue;
		buf_text(out, one);
		buf_byte(out, '\n');
	}
}

void
sentences(text source, buf *out)
{
	size_t from = 0, end;

	while ((from = text_find(source, TEXT("/*"), from)) != SIZE_MAX) {
		buf flat = BUF_INIT(NULL, 1 << 20);
		text comment;

		end = text_find(source, TEXT("*/"), from + 2);
		comment = text_trim(text_sub(source, from + 2, end));
		if (!text_starts(comment, TEXT("---")) &&
		    !text_starts(comment, TEXT("SPDX")))
			flatten(comment, &flat);
		split(buf_view(&flat), out);
		buf_fini(&flat);
		from = end;
	}
}
