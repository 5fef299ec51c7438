/* SPDX-License-Identifier: MIT */
/*
 * regex.c -- is a regular expression one? Alternatives, terms, groups and
 * quantifiers, with what Annex B allows when there is neither u nor v.
 */
#include "regex.h"

void
regex_fail(regex *r, const char *why)
{
	uint32_t at = r->start + (uint32_t)(r->at - r->base);

	if (!r->failed)
		lex_error(r->l, JS_E_REGEX, at, at + 1, why, strlen(why));
	r->failed = true;
	r->at = r->end;
}

bool
regex_eat(regex *r, char c)
{
	if (!regex_at(r, c))
		return false;
	r->at++;
	return true;
}

bool
regex_enter(regex *r)
{
	if (++r->depth <= JS_DEPTH && lex_has_room(r->l))
		return true;
	regex_fail(r, "it is nested too deeply");
	return false;
}

uint32_t
regex_char(regex *r)
{
	text rest = {r->at, (size_t)(r->end - r->at)};
	size_t len = 0;
	uint32_t c = utf8_next(rest, &len);

	r->at += len;
	return c;
}

/* --------------------------------------------------------------- counting */

/* Behind the [ of a class, to behind its ]. */
static const char *
skip_class(const regex *r, const char *p)
{
	unsigned depth = 1;

	for (; p < r->end && depth; p++) {
		if (*p == '\\' && p + 1 < r->end)
			p++;
		else if (*p == '[' && r->sets)
			depth++;
		else if (*p == ']')
			depth--;
	}
	return p;
}

static void
count_group(regex *r, const char *p)
{
	bool name = p + 3 < r->end && p[1] == '?' && p[2] == '<' &&
		    p[3] != '=' && p[3] != '!';

	if (name)
		r->named = true;
	if (name || !(p + 1 < r->end && p[1] == '?'))
		r->captures++;
}

static void
count_groups(regex *r)
{
	const char *p = r->base;

	while (p < r->end) {
		if (*p == '\\') {
			p += p + 1 < r->end ? 2 : 1;
		} else if (*p == '[') {
			p = skip_class(r, p + 1);
		} else {
			if (*p == '(')
				count_group(r, p);
			p++;
		}
	}
}

/* ----------------------------------------------------------- quantifiers */

/* Digits at p; where they end. */
static const char *
regex_digits(const regex *r, const char *p)
{
	while (p < r->end && *p >= '0' && *p <= '9')
		p++;
	return p;
}

/* Compares numbers of any length by their digits. */
static bool
is_less(const char *a, const char *a_end, const char *b, const char *b_end)
{
	while (a < a_end && *a == '0')
		a++;
	while (b < b_end && *b == '0')
		b++;
	if (a_end - a != b_end - b)
		return a_end - a < b_end - b;
	return memcmp(a, b, (size_t)(a_end - a)) < 0;
}

/* {n}, {n,}, {n,m} at r->at: where it ends; NULL: it is none. */
static const char *
braces(const regex *r, bool *ordered)
{
	const char *low = r->at + 1, *low_end = regex_digits(r, low);
	const char *high, *high_end;

	*ordered = true;
	if (low_end == low || low_end >= r->end)
		return NULL;
	if (*low_end == '}')
		return low_end + 1;
	if (*low_end != ',')
		return NULL;
	high = low_end + 1;
	high_end = regex_digits(r, high);
	if (high_end >= r->end || *high_end != '}')
		return NULL;
	if (high_end > high)
		*ordered = !is_less(high, high_end, low, low_end);
	return high_end + 1;
}

static void
quantifier(regex *r)
{
	const char *end;
	bool ordered;

	if (regex_at(r, '{')) {
		end = braces(r, &ordered);
		if (!end) {
			if (r->unicode)
				regex_fail(r, "{ must begin {n}, {n,} or "
					      "{n,m}, or be written \\{");
			return;
		}
		if (!ordered) {
			regex_fail(
			    r, "the numbers in { } are in the wrong order");
			return;
		}
		r->at = end;
	} else if (!regex_eat(r, '*') && !regex_eat(r, '+') &&
		   !regex_eat(r, '?')) {
		return;
	}
	regex_eat(r, '?');
}

/* ---------------------------------------------------------------- groups */

static void
set_active(group *g, bool active)
{
	if (g->active == active)
		return;
	g->active = active;
	if (active)
		g->name->groups++;
	else
		g->name->groups--;
}

static void
add_group(regex *r, js_name *name)
{
	group *list;

	if (!name)
		return;
	if (name->groups > 0) {
		regex_fail(r, "two groups with one name can match together");
		return;
	}
	list = arena_grow(r->l->arena, r->groups, &r->group_cap, r->group_count,
	    sizeof(*list));
	if (!list)
		return;
	r->groups = list;
	r->groups[r->group_count] = (group){name, false};
	set_active(&r->groups[r->group_count++], true);
}

/* (?ims-ims: behind the question mark. */
static void
group_modifiers(regex *r)
{
	static const char letters[] = "ims";
	unsigned seen = 0, count = 0;
	bool minus = false;

	for (; !regex_at(r, ':') && !r->failed; count++) {
		char c = regex_peek(r, 0);
		const char *hit = c ? memchr(letters, c, 3) : NULL;
		unsigned bit = hit ? 1u << (hit - letters) : 0;

		if (c == '-' && !minus) {
			minus = true;
		} else if (!bit || (seen & bit)) {
			regex_fail(r, "(? must be followed by : = ! <= <! "
				      "<name> or flags from i, m, s");
			return;
		}
		seen |= bit;
		r->at++;
	}
	if (count == 1 && minus)
		regex_fail(r, "(?-: has no flags");
	regex_eat(r, ':');
}

/* Behind the parenthesis; may a quantifier follow the group? */
static bool
group_head(regex *r)
{
	char next;

	if (!regex_eat(r, '?'))
		return true;
	next = regex_peek(r, 1);
	if (regex_eat(r, '=') || regex_eat(r, '!'))
		return !r->unicode;
	if (regex_at(r, '<') && (next == '=' || next == '!')) {
		r->at += 2;
		return false;
	}
	if (regex_at(r, '<'))
		add_group(r, regex_group_name(r));
	else
		group_modifiers(r);
	return true;
}

static void disjunction(regex *r);

static bool
parenthesis(regex *r)
{
	bool repeats;

	r->at++;
	repeats = group_head(r);
	if (regex_enter(r))
		disjunction(r);
	r->depth--;
	if (!regex_eat(r, ')'))
		regex_fail(r, "a ( is not closed");
	return repeats;
}

/* ----------------------------------------------------------------- terms */

/* Behind a backslash; may a quantifier follow? */
static bool
escape(regex *r)
{
	r->at++;
	if (r->at >= r->end) {
		regex_fail(r, "\\ at its end");
		return false;
	}
	if (regex_eat(r, 'b') || regex_eat(r, 'B'))
		return false;
	regex_escape(r, false);
	return true;
}

static bool
brace(regex *r)
{
	bool ordered;

	if (r->unicode || braces(r, &ordered)) {
		regex_fail(r, "nothing stands before { that could be repeated");
		return false;
	}
	r->at++;
	return true;
}

/* One term without its quantifier; may one follow? */
static bool
term(regex *r)
{
	switch (*r->at) {
	case '^':
	case '$':
		r->at++;
		return false;
	case '(':
		return parenthesis(r);
	case '[':
		regex_class(r);
		return true;
	case '\\':
		return escape(r);
	case '*':
	case '+':
	case '?':
		regex_fail(
		    r, "nothing stands before * + or ? that could be repeated");
		return false;
	case '{':
		return brace(r);
	case '}':
	case ']':
		if (r->unicode)
			regex_fail(r, "with the flag u or v, ] and } alone are "
				      "written \\] and \\}");
		else
			r->at++;
		return true;
	default:
		regex_char(r);
		return true;
	}
}

static void
alternative(regex *r)
{
	while (r->at < r->end && *r->at != '|' && *r->at != ')') {
		if (term(r))
			quantifier(r);
		else if (r->at < r->end && memchr("*+?", *r->at, 3))
			regex_fail(r, "this cannot be repeated");
	}
}

/* Groups of one alternative never match together with those of another. */
static void
disjunction(regex *r)
{
	size_t first = r->group_count, from = first;

	alternative(r);
	while (regex_eat(r, '|')) {
		for (size_t i = from; i < r->group_count; i++)
			set_active(&r->groups[i], false);
		from = r->group_count;
		alternative(r);
	}
	for (size_t i = first; i < r->group_count; i++)
		set_active(&r->groups[i], true);
}

/* ------------------------------------------------------------------ lex_regex_check */

static bool
check_flags(text flags)
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

static void
check_wanted(regex *r)
{
	for (size_t i = 0; i < r->wanted_count && !r->failed; i++)
		if (r->wanted[i]->groups == 0)
			regex_fail(r, "\\k asks for a group that there is not");
	for (size_t i = 0; i < r->group_count; i++)
		r->groups[i].name->groups = 0;
}

void
lex_regex_check(lexer *l, text pattern, text flags, uint32_t start)
{
	regex r = {.l = l, .base = pattern.ptr, .at = pattern.ptr};

	if (!check_flags(flags)) {
		lex_error(l, JS_E_REGEX_FLAGS,
		    start + (uint32_t)pattern.len + 1, l->tok.end, NULL, 0);
		return;
	}
	r.end = pattern.ptr + pattern.len;
	r.start = start;
	r.sets = flags.len && memchr(flags.ptr, 'v', flags.len);
	r.unicode = r.sets || (flags.len && memchr(flags.ptr, 'u', flags.len));
	r.named = r.unicode;
	count_groups(&r);
	disjunction(&r);
	if (regex_at(&r, ')'))
		regex_fail(&r, "a ) closes nothing");
	check_wanted(&r);
}
