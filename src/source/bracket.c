/* SPDX-License-Identifier: MIT */
/* bracket.c -- see bracket.h. */
#include "bracket.h"

enum { OPEN_MAX = 512 };

typedef struct scan {
	text t;
	size_t at, to;
	size_t open[OPEN_MAX];
	size_t depth;
	char before; /* the last character that is no blank or comment */
} scan;

/* Behind the quote that ends it, or to the end of the line. */
static void
skip_string(scan *s, char quote)
{
	while (++s->at < s->to && s->t.ptr[s->at] != quote &&
	       s->t.ptr[s->at] != '\n')
		s->at += s->t.ptr[s->at] == '\\';
	s->at++;
}

static void
skip_comment(scan *s)
{
	bool line = s->t.ptr[s->at + 1] == '/';
	size_t end = text_find(s->t, line ? TEXT("\n") : TEXT("*/"), s->at + 2);

	s->at = end == SIZE_MAX ? s->to : end + (line ? 1 : 2);
}

static void
skip_regex(scan *s)
{
	bool in_class = false;

	while (++s->at < s->to && s->t.ptr[s->at] != '\n') {
		char c = s->t.ptr[s->at];

		if (c == '/' && !in_class)
			break;
		s->at += c == '\\';
		in_class = c == '[' || (in_class && c != ']');
	}
	s->at++;
}

static void
open(scan *s)
{
	if (s->depth < OPEN_MAX)
		s->open[s->depth] = s->at;
	s->depth++;
}

/* Text of a template up to its ${ or its end; it counts as a bracket. */
static void
skip_template(scan *s)
{
	for (; s->at < s->to; s->at++) {
		char c = s->t.ptr[s->at];

		if (c == '`') {
			s->depth -= s->depth > 0;
			s->at++;
			return;
		}
		if (c == '$' && s->at + 1 < s->to &&
		    s->t.ptr[s->at + 1] == '{') {
			s->at++;
			open(s);
			s->at++;
			return;
		}
		s->at += c == '\\';
	}
}

static bool
in_template(const scan *s)
{
	return s->depth > 0 && s->depth <= OPEN_MAX &&
	       s->t.ptr[s->open[s->depth - 1]] == '`';
}

static void
step(scan *s)
{
	char c = s->t.ptr[s->at];
	char after = s->at + 1 < s->t.len ? s->t.ptr[s->at + 1] : 0;

	if (c == '/' && (after == '/' || after == '*')) {
		skip_comment(s);
		return;
	}
	if (c == '"' || c == '\'') {
		skip_string(s, c);
	} else if (c == '/' &&
		   (!s->before || strchr("(,=:[!&|?{};+", s->before))) {
		skip_regex(s);
	} else if (c == '`') {
		open(s);
		s->at++;
		skip_template(s);
	} else if (c == '(' || c == '[' || c == '{') {
		open(s);
		s->at++;
	} else if (c == ')' || c == ']' || c == '}') {
		s->depth -= s->depth > 0;
		s->at++;
		if (in_template(s))
			skip_template(s);
	} else {
		s->at++;
	}
	if (c != ' ' && c != '\t' && c != '\n' && c != '\r')
		s->before = c;
}

size_t
bracket_open(text t, size_t at)
{
	scan s = {.t = t, .to = at < t.len ? at : t.len};

	while (s.at < s.to)
		step(&s);
	if (s.depth == 0 || s.depth > OPEN_MAX)
		return SIZE_MAX;
	return s.open[s.depth - 1];
}
