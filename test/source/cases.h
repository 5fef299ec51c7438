/* SPDX-License-Identifier: MIT */
/*
 * cases.h -- files of cases: blocks that begin with "=== title", and parts of a
 * block that begin with "--- name".
 */
#ifndef TEST_SOURCE_CASES_H
#define TEST_SOURCE_CASES_H

#include "files.h"

/* The lines up to one that begins with mark. */
static inline text
cases_until(text *rest, text mark)
{
	text from = *rest, line;
	size_t len = 0;

	while (rest->len > 0 && !text_starts(*rest, mark)) {
		text_line(rest, &line);
		len = rest->len > 0 ? (size_t)(rest->ptr - from.ptr) : from.len;
	}
	return text_sub(from, 0, len);
}

/* Without the line end that the next mark stands behind. */
static inline text
cases_inner(text t)
{
	return text_ends(t, TEXT("\n")) ? text_sub(t, 0, t.len - 1) : t;
}

/* The next block: its title, and the rest of it. */
static inline bool
cases_block(text *rest, text *title, text *body)
{
	text line;

	cases_until(rest, TEXT("=== "));
	if (!text_line(rest, &line))
		return false;
	*title = text_sub(line, 4, line.len);
	*body = cases_until(rest, TEXT("=== "));
	return true;
}

/* What stands before the first part. */
static inline text
cases_given(text *body)
{
	return cases_inner(cases_until(body, TEXT("--- ")));
}

/* The next part: its name, and its lines. */
static inline bool
cases_part(text *body, text *name, text *lines)
{
	text line;

	if (!text_line(body, &line) || !text_starts(line, TEXT("--- ")))
		return false;
	*name = text_sub(line, 4, line.len);
	*lines = cases_inner(cases_until(body, TEXT("--- ")));
	return true;
}

#endif
