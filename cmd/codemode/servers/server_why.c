/* SPDX-License-Identifier: MIT */
/*
 * server_why.c -- how the end of a server is told.
 */
#include "server_why.h"

enum { LINE_SHOWN = 400 }; /* bytes of a line of stderr */

static char
to_lower(char c)
{
	return c >= 'A' && c <= 'Z' ? (char)(c - 'A' + 'a') : c;
}

/* Is word, which is in lower case, part of t in any case? */
static bool
line_has(text t, text word)
{
	for (size_t i = 0; i + word.len <= t.len; i++) {
		size_t n = 0;

		while (n < word.len && to_lower(t.ptr[i + n]) == word.ptr[n])
			n++;
		if (n == word.len)
			return true;
	}
	return false;
}

static bool
line_has_any(text t, const char *const *words)
{
	for (size_t i = 0; words[i] != NULL; i++)
		if (line_has(t, text_of(words[i])))
			return true;
	return false;
}

/* Does a line tell of an error? Lines of a stack are indented. */
static bool
tells_of_error(text line)
{
	static const char *const words[] = {"error", "fatal", "cannot", "can't",
	    "could not", "failed", "not found", "no such", "denied", "refused",
	    "exception", "panic", "missing", "required", "invalid", "not set",
	    NULL};
	static const char *const noise[] = {"warn", "deprecated", NULL};

	return line.len > 0 && line.ptr[0] != ' ' && line.ptr[0] != '\t' &&
	       line_has_any(line, words) && !line_has_any(line, noise);
}

typedef struct told_lines {
	text cause; /* the first that tells of an error; empty: none does */
	text last;  /* the last that is not empty */
} told_lines;

static told_lines
find_lines(text said)
{
	told_lines found = {TEXT_NONE, TEXT_NONE};
	text line;

	while (text_line(&said, &line)) {
		if (text_trim(line).len == 0)
			continue;
		found.last = text_head(text_trim(line), LINE_SHOWN);
		if (found.cause.len == 0 && tells_of_error(line))
			found.cause = found.last;
	}
	return found;
}

void
why_write(buf *out, text reason, text said)
{
	told_lines found = find_lines(said);

	buf_text(out, reason);
	if (found.last.len == 0)
		return;
	if (found.cause.len == 0 || text_eq(found.cause, found.last))
		buf_printf(out, " (its last words on stderr: %.*s)",
		    TEXT_ARG(found.last));
	else if (tells_of_error(found.last))
		buf_printf(out, " (on stderr: %.*s; at its end: %.*s)",
		    TEXT_ARG(found.cause), TEXT_ARG(found.last));
	else
		buf_printf(out, " (on stderr: %.*s)", TEXT_ARG(found.cause));
}
