/* SPDX-License-Identifier: MIT */
/*
 * regex.c -- the common mistakes in a regular expression, with their places.
 *
 * The engine reads each pattern in full and refuses what is wrong with it, but
 * does not say where. So this reader looks for the mistakes that people make:
 * brackets, quantifiers, what follows (?, ranges and flags. It never refuses a
 * pattern that is valid; a rarer mistake is left to the engine.
 */
#include "lex.h"

typedef struct regex {
	lexer *l;
	const char *base, *at, *end;
	uint32_t start;  /* where base is in the script */
	bool unicode;    /* flag u or v */
	bool sets;       /* flag v */
	bool failed;     /* since the first error; at == end then */
	bool repeatable; /* a quantifier may stand at 'at' */
	size_t depth;    /* groups that are open at 'at' */
} regex;

static void
regex_fail(regex *r, const char *why)
{
	uint32_t at = r->start + (uint32_t)(r->at - r->base);

	if (!r->failed)
		lex_error(r->l, JS_E_REGEX, at, at + 1, why, strlen(why));
	r->failed = true;
	r->at = r->end;
}

static char
regex_peek(const regex *r, size_t ahead)
{
	return (size_t)(r->end - r->at) > ahead ? r->at[ahead] : '\0';
}

/* The next code point. */
static uint32_t
regex_char(regex *r)
{
	text rest = {r->at, (size_t)(r->end - r->at)};
	size_t len = 0;
	uint32_t c = utf8_next(rest, &len);

	r->at += len;
	return c;
}

/* ------------------------------------------------------------ quantifiers */

/* The digits at p; *p goes behind them, *value is cut where it would not fit. */
static bool
regex_number(const regex *r, const char **p, uint64_t *value)
{
	const char *from = *p;

	for (*value = 0; *p < r->end && **p >= '0' && **p <= '9'; ++*p)
		if (*value < UINT64_MAX / 256)
			*value = *value * 10 + (uint64_t)(**p - '0');
	return *p > from;
}

/* {n}, {n,} or {n,m} at r->at: where it ends; NULL: it is none. */
static const char *
regex_braces(const regex *r, bool *ordered)
{
	const char *p = r->at + 1;
	uint64_t low, high;

	*ordered = true;
	if (!regex_number(r, &p, &low))
		return NULL;
	if (p < r->end && *p == ',') {
		p++;
		if (regex_number(r, &p, &high))
			*ordered = low <= high;
	}
	return p < r->end && *p == '}' ? p + 1 : NULL;
}

static void
read_braces(regex *r)
{
	bool ordered;
	const char *end = regex_braces(r, &ordered);

	if (end && !r->repeatable) {
		regex_fail(r, "nothing stands before { that could be repeated");
	} else if (end && !ordered) {
		regex_fail(r, "the numbers in { } are in the wrong order");
	} else if (end) {
		r->at =
		    regex_peek(r, (size_t)(end - r->at)) == '?' ? end + 1 : end;
		r->repeatable = false;
	} else if (r->unicode) {
		regex_fail(r, "{ must begin {n}, {n,} or {n,m}, or be written "
			      "\\{");
	} else {
		r->at++;
		r->repeatable = true;
	}
}

static void
read_quantifier(regex *r)
{
	if (!r->repeatable) {
		regex_fail(
		    r, "nothing stands before * + or ? that could be repeated");
		return;
	}
	r->at += regex_peek(r, 1) == '?' ? 2 : 1;
	r->repeatable = false;
}

/* ----------------------------------------------------------------- groups */

/* At (; goes behind what says which kind of group it is. */
static void
open_group(regex *r)
{
	bool flags = false;

	r->at++;
	r->depth++;
	r->repeatable = false;
	if (regex_peek(r, 0) != '?')
		return;
	for (r->at++; r->at < r->end && memchr("ims-", *r->at, 4); r->at++)
		flags = true;
	if (r->at < r->end && memchr(":=!<", *r->at, 4))
		r->at++;
	else if (regex_peek(r, 0) == 'P')
		regex_fail(r, "a group with a name begins with (?<name>");
	else if (flags)
		regex_fail(r, "flags stand behind the last /, or in (?i: )");
	else
		regex_fail(r, "(? must be followed by : = ! <= <! or <name>");
}

static void
close_group(regex *r)
{
	if (r->depth == 0) {
		regex_fail(r, "a ) closes nothing");
		return;
	}
	r->at++;
	r->depth--;
	r->repeatable = true;
}

/* ---------------------------------------------------------------- escapes */

/* At the backslash. Braces behind \u, \p and \P are no quantifier with u. */
static void
read_regex_escape(regex *r)
{
	char c = regex_peek(r, 1);
	const char *close;

	r->at++;
	if (r->at >= r->end) {
		regex_fail(r, "\\ at its end");
		return;
	}
	r->repeatable = c != 'b' && c != 'B';
	regex_char(r);
	if (!r->unicode || regex_peek(r, 0) != '{' || !memchr("upP", c, 3))
		return;
	close = memchr(r->at, '}', (size_t)(r->end - r->at));
	r->at = close ? close + 1 : r->end;
}

/* ---------------------------------------------------------------- classes */

/* The character at r->at in a class; 0: one that is not compared here. */
static uint32_t
class_char(regex *r)
{
	uint32_t c = 0;

	if (*r->at == '\\')
		read_regex_escape(r);
	else
		c = regex_char(r);
	/* Without u a character beyond U+FFFF is two of the pattern. */
	return c < 0x10000 || r->unicode ? c : 0;
}

static void
plain_class(regex *r)
{
	while (r->at < r->end && *r->at != ']') {
		uint32_t from = class_char(r), to;

		if (regex_peek(r, 0) != '-' || r->end - r->at < 2 ||
		    r->at[1] == ']')
			continue;
		r->at++;
		to = class_char(r);
		if (from && to && from > to)
			regex_fail(r, "a range in [ ] is in the wrong order");
	}
}

/* With v, classes stand in classes. */
static void
nested_class(regex *r)
{
	for (size_t depth = 1; r->at < r->end; r->at++) {
		if (*r->at == '\\')
			r->at += r->at + 1 < r->end;
		else if (*r->at == '[')
			depth++;
		else if (*r->at == ']' && --depth == 0)
			return;
	}
}

static void
read_class(regex *r)
{
	r->at++;
	if (r->sets)
		nested_class(r);
	else
		plain_class(r);
	if (r->at >= r->end)
		regex_fail(r, "a [ is not closed");
	else
		r->at++;
	r->repeatable = true;
}

/* ------------------------------------------------------------------ terms */

static void
read_term(regex *r)
{
	switch (*r->at) {
	case '(':
		open_group(r);
		return;
	case ')':
		close_group(r);
		return;
	case '[':
		read_class(r);
		return;
	case '\\':
		read_regex_escape(r);
		return;
	case '*':
	case '+':
	case '?':
		read_quantifier(r);
		return;
	case '{':
		read_braces(r);
		return;
	case ']':
	case '}':
		if (r->unicode)
			regex_fail(r, "with the flag u or v, ] and } alone are "
				      "written \\] and \\}");
		break;
	default:
		break;
	}
	r->repeatable = r->at < r->end && !memchr("|^$", *r->at, 3);
	r->at += r->at < r->end;
}

static bool
flags_are_valid(text flags)
{
	static const char known[] = "dgimsuvy";
	unsigned seen = 0;

	for (size_t i = 0; i < flags.len; i++) {
		const char *hit = memchr(known, flags.ptr[i], 8);
		unsigned bit = hit ? 1u << (hit - known) : 0;

		if (!bit || (seen & bit))
			return false;
		seen |= bit;
	}
	return (seen & 0x60) != 0x60; /* u and v */
}

void
lex_regex_check(lexer *l, text pattern, text flags, uint32_t start)
{
	regex r = {.l = l,
	    .base = pattern.ptr,
	    .at = pattern.ptr,
	    .end = pattern.ptr + pattern.len,
	    .start = start,
	    .sets = text_find(flags, TEXT("v"), 0) != SIZE_MAX};

	if (!flags_are_valid(flags)) {
		lex_error(l, JS_E_REGEX_FLAGS,
		    start + (uint32_t)pattern.len + 1, l->tok.end, NULL, 0);
		return;
	}
	r.unicode = r.sets || text_find(flags, TEXT("u"), 0) != SIZE_MAX;
	while (r.at < r.end)
		read_term(&r);
	if (r.depth > 0)
		regex_fail(&r, "a ( is not closed");
}
