/* SPDX-License-Identifier: MIT */
/*
 * regex_class.c -- [ ] in a regular expression: ranges, and with the flag v
 * sets that nest, intersect and subtract.
 */
#include "regex.h"

/* ------------------------------------------------------- without flag v */

/* A character beyond U+FFFF is two of a pattern without u: first its high
 * half is read, then the low one is left in *low. */
static uint32_t
halves(const regex *r, uint32_t c, uint32_t *low)
{
	*low = 0;
	if (r->unicode || c < 0x10000 || c >= REGEX_SET)
		return c;
	*low = 0xdc00 + (c & 0x3ff);
	return 0xd800 + ((c - 0x10000) >> 10);
}

static uint32_t
class_atom(regex *r, uint32_t *low)
{
	uint32_t c = *low;

	*low = 0;
	if (c)
		return c;
	if (!regex_at(r, '\\'))
		return halves(r, regex_char(r), low);
	r->at++;
	if (r->at >= r->end)
		return 0;
	if (regex_eat(r, 'b'))
		return '\b';
	return regex_escape(r, true);
}

static bool
class_ends(regex *r)
{
	if (r->at >= r->end)
		regex_fail(r, "a [ is not closed");
	return r->failed || regex_at(r, ']');
}

static void
plain_class(regex *r)
{
	uint32_t low = 0, from, to;

	while (low || !class_ends(r)) {
		from = class_atom(r, &low);
		if (low || !regex_at(r, '-') || regex_peek(r, 1) == ']')
			continue;
		r->at++;
		if (class_ends(r))
			break;
		to = class_atom(r, &low);
		if (from >= REGEX_SET || to >= REGEX_SET) {
			if (r->unicode)
				regex_fail(r, "a range in [ ] must go from a "
					      "character to a character");
		} else if (from > to) {
			regex_fail(r, "a range in [ ] is in the wrong order");
		}
	}
	regex_eat(r, ']');
}

/* ---------------------------------------------------------- with flag v */

/* What an operand of a set is. */
typedef struct operand {
	bool character; /* one, so that a range may begin here */
	bool strings;   /* may hold strings of other lengths than one */
	uint32_t c;
} operand;

static bool set_class(regex *r);

static bool
at_double(const regex *r)
{
	static const char doubles[] = "&!#$%*+,.:;<=>?@^`~";
	char c = regex_peek(r, 0);

	return c && c == regex_peek(r, 1) &&
	       memchr(doubles, c, sizeof(doubles) - 1);
}

static uint32_t
set_character(regex *r)
{
	static const char syntax[] = "()[]{}/-\\|";

	if (regex_at(r, '\\')) {
		r->at++;
		if (regex_eat(r, 'b'))
			return '\b';
		return r->at < r->end ? regex_escape(r, true) : 0;
	}
	if (at_double(r) || memchr(syntax, *r->at, sizeof(syntax) - 1)) {
		regex_fail(
		    r, "with the flag v this must be written with \\ in [ ]");
		return 0;
	}
	return regex_char(r);
}

/* \q{abc|d}, at the brace: may it hold strings that are not one long? */
static bool
quoted_strings(regex *r)
{
	bool strings = false;
	unsigned len = 0;

	if (!regex_eat(r, '{')) {
		regex_fail(r, "\\q must be followed by {...}");
		return false;
	}
	while (r->at < r->end && *r->at != '}') {
		if (regex_eat(r, '|')) {
			strings |= len != 1;
			len = 0;
		} else if (set_character(r) >= REGEX_SET) {
			regex_fail(r, "\\q{...} takes characters only");
		} else {
			len++;
		}
	}
	if (!regex_eat(r, '}'))
		regex_fail(r, "\\q{ is not closed");
	return strings || len != 1;
}

static operand
set_operand(regex *r)
{
	operand o = {false, false, 0};

	if (regex_at(r, '[')) {
		if (regex_enter(r))
			o.strings = set_class(r);
		r->depth--;
		return o;
	}
	if (regex_at(r, '\\') && regex_peek(r, 1) == 'q') {
		r->at += 2;
		o.strings = quoted_strings(r);
		return o;
	}
	o.c = set_character(r);
	o.character = o.c < REGEX_SET;
	o.strings = o.c == REGEX_STRINGS;
	return o;
}

static bool
at_operator(const regex *r, char c)
{
	return regex_at(r, c) && regex_peek(r, 1) == c;
}

/* a&&b&&c, a--b--c: one kind of operator only. */
static bool
set_operation(regex *r, char op, bool strings)
{
	while (!class_ends(r)) {
		operand o;

		if (!at_operator(r, op)) {
			regex_fail(r, "&& and -- in [ ] cannot be mixed with "
				      "anything else");
			break;
		}
		r->at += 2;
		if (class_ends(r)) {
			regex_fail(r, "something must follow && or -- in [ ]");
			break;
		}
		if (op == '&' && regex_at(r, '&')) {
			regex_fail(r, "&&& is no operator in [ ]");
			break;
		}
		o = set_operand(r);
		if (op == '&')
			strings = strings && o.strings;
	}
	return strings;
}

static bool
set_range(regex *r, operand from)
{
	operand to;

	r->at++;
	if (class_ends(r)) {
		regex_fail(r, "a range in [ ] has no end");
		return false;
	}
	to = set_operand(r);
	if (!from.character || !to.character)
		regex_fail(r,
		    "a range in [ ] must go from a character to a character");
	else if (from.c > to.c)
		regex_fail(r, "a range in [ ] is in the wrong order");
	return false;
}

static bool
set_contents(regex *r)
{
	bool strings = false, first = true;

	for (; !class_ends(r); first = false) {
		operand o = set_operand(r);

		if (first && at_operator(r, '&'))
			return set_operation(r, '&', o.strings);
		if (first && at_operator(r, '-'))
			return set_operation(r, '-', o.strings);
		if (regex_at(r, '-') && !at_operator(r, '-'))
			set_range(r, o);
		strings |= o.strings;
	}
	return strings;
}

/* At [; may it hold strings? */
static bool
set_class(regex *r)
{
	bool negated, strings;

	r->at++;
	negated = regex_eat(r, '^');
	strings = set_contents(r);
	regex_eat(r, ']');
	if (negated && strings)
		regex_fail(r, "[^ ] cannot hold strings");
	return strings && !negated;
}

void
regex_class(regex *r)
{
	if (r->sets) {
		set_class(r);
		return;
	}
	r->at++;
	regex_eat(r, '^');
	plain_class(r);
}
