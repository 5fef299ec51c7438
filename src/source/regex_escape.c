/* SPDX-License-Identifier: MIT */
/*
 * regex_escape.c -- what a backslash begins in a regular expression, and the
 * names that \p{...} and groups have.
 */
#include "regex.h"

/* ------------------------------------------------------------ properties */

static const char *const categories[] =
    {
#define CATEGORY(name) name,
#define SCRIPT(name)
#define BINARY(name)
#define SEQUENCE(name)
#include "property.def"
#undef CATEGORY
#undef SCRIPT
#undef BINARY
#undef SEQUENCE
},
			 *const scripts[] =
			     {
#define CATEGORY(name)
#define SCRIPT(name) name,
#define BINARY(name)
#define SEQUENCE(name)
#include "property.def"
#undef CATEGORY
#undef SCRIPT
#undef BINARY
#undef SEQUENCE
},
			 *const binaries[] =
			     {
#define CATEGORY(name)
#define SCRIPT(name)
#define BINARY(name) name,
#define SEQUENCE(name)
#include "property.def"
#undef CATEGORY
#undef SCRIPT
#undef BINARY
#undef SEQUENCE
},
			 *const sequences[] = {
#define CATEGORY(name)
#define SCRIPT(name)
#define BINARY(name)
#define SEQUENCE(name) name,
#include "property.def"
#undef CATEGORY
#undef SCRIPT
#undef BINARY
#undef SEQUENCE
};

#define IN(list, t) is_in(list, sizeof(list) / sizeof(*(list)), t)

static bool
is_in(const char *const *list, size_t count, text t)
{
	size_t low = 0, high = count;

	while (low < high) {
		size_t middle = (low + high) / 2;
		int order = text_cmp(t, text_of(list[middle]));

		if (order == 0)
			return true;
		if (order < 0)
			high = middle;
		else
			low = middle + 1;
	}
	return false;
}

static bool
is_named(text t, text name, text alias)
{
	return text_eq(t, name) || text_eq(t, alias);
}

static bool
has_value(text name, text value)
{
	if (is_named(name, TEXT("General_Category"), TEXT("gc")))
		return IN(categories, value);
	return (is_named(name, TEXT("Script"), TEXT("sc")) ||
		   is_named(name, TEXT("Script_Extensions"), TEXT("scx"))) &&
	       IN(scripts, value);
}

/* At the brace behind \p or \P. */
static uint32_t
unicode_property(regex *r, bool negated)
{
	const char *close, *equals;
	text name;

	if (!regex_at(r, '{') ||
	    !(close = memchr(r->at, '}', (size_t)(r->end - r->at)))) {
		regex_fail(r, "\\p must be followed by {Property}");
		return REGEX_SET;
	}
	name = (text){r->at + 1, (size_t)(close - r->at - 1)};
	equals = name.len ? memchr(name.ptr, '=', name.len) : NULL;
	if (r->sets && !negated && IN(sequences, name)) {
		r->at = close + 1;
		return REGEX_STRINGS;
	}
	if (equals ? !has_value((text){name.ptr, (size_t)(equals - name.ptr)},
			 (text){equals + 1, (size_t)(close - equals - 1)})
		   : !IN(categories, name) && !IN(binaries, name))
		regex_fail(r, "\\p{...} names no property that there is");
	else
		r->at = close + 1;
	return REGEX_SET;
}

/* ----------------------------------------------------------- group names */

/* The next character of a group's name, escaped or not; 0: it ends. */
static uint32_t
name_char(regex *r, bool first)
{
	const char *from = r->at;
	uint32_t c, low;

	if (r->at >= r->end)
		return 0;
	c = regex_char(r);
	if (c == '\\' &&
	    (!regex_at(r, 'u') || !js_unicode_escape(&r->at, r->end, &c)))
		return 0;
	if (c >= 0xd800 && c <= 0xdbff && regex_at(r, '\\') &&
	    regex_peek(r, 1) == 'u') {
		r->at++;
		if (js_unicode_escape(&r->at, r->end, &low) && low >= 0xdc00 &&
		    low <= 0xdfff)
			c = 0x10000 + ((c - 0xd800) << 10) + (low - 0xdc00);
	}
	if (first ? js_id_start(c) : js_id_part(c))
		return c;
	r->at = from;
	return 0;
}

js_name *
regex_group_name(regex *r)
{
	size_t room = (size_t)(r->end - r->at), len = 0;
	const char *close = memchr(r->at, '>', room);
	char *out;
	uint32_t c;

	if (close)
		room = (size_t)(close - r->at) + 4;
	out = close ? arena_take(r->l->arena, room) : NULL;
	if (out) {
		r->at++;
		while ((c = name_char(r, len == 0)) && len + 4 <= room)
			len += utf8_put(c, out + len);
	}
	if (len == 0 || !regex_eat(r, '>')) {
		regex_fail(r, "a group's name is <letters>");
		return NULL;
	}
	return lex_name(r->l, (text){out, len});
}

void
regex_want(regex *r, js_name *name)
{
	if (!name)
		return;
	if (r->wanted_count == r->wanted_cap) {
		size_t cap = r->wanted_cap ? r->wanted_cap * 2 : 8;
		js_name **larger =
		    arena_take(r->l->arena, cap * sizeof(js_name *));

		if (!larger)
			return;
		if (r->wanted_count)
			memcpy(larger, r->wanted,
			    r->wanted_count * sizeof(js_name *));
		r->wanted = larger;
		r->wanted_cap = cap;
	}
	r->wanted[r->wanted_count++] = name;
}

/* --------------------------------------------------------------- escapes */

/* \1 and up, \0, and the old octals. */
static uint32_t
decimal(regex *r, bool in_class)
{
	const char *from = r->at;
	uint32_t value = 0, c = 0;

	if (*from == '0' &&
	    !(r->end - from > 1 && from[1] >= '0' && from[1] <= '9')) {
		r->at++;
		return 0;
	}
	for (const char *p = from; p < r->end && *p >= '0' && *p <= '9'; p++)
		if (value <= r->captures)
			value = value * 10 + (uint32_t)(*p - '0');
	if (!in_class && *from != '0' && value <= r->captures) {
		while (regex_peek(r, 0) >= '0' && regex_peek(r, 0) <= '9')
			r->at++;
		return REGEX_SET;
	}
	if (r->unicode) {
		regex_fail(
		    r, "\\ and a number ask for a group that there is not");
		return 0;
	}
	if (*from >= '8') {
		r->at++;
		return (unsigned char)*from;
	}
	for (int i = 0; i < (*from <= '3' ? 3 : 2) && regex_peek(r, 0) >= '0' &&
			regex_peek(r, 0) <= '7';
	     i++)
		c = c * 8 + (uint32_t)(*r->at++ - '0');
	return c;
}

static uint32_t
control(regex *r, bool in_class)
{
	char c = regex_peek(r, 1);
	bool letter = (c | 0x20) >= 'a' && (c | 0x20) <= 'z';
	bool digit = (c >= '0' && c <= '9') || c == '_';

	if (letter || (digit && in_class && !r->unicode)) {
		r->at += 2;
		return (uint32_t)c & 31;
	}
	if (r->unicode)
		regex_fail(r, "\\c must be followed by a letter");
	return '\\'; /* and c stands for itself */
}

static uint32_t
regex_hex_escape(regex *r)
{
	int high = js_hex_digit(regex_peek(r, 1));
	int low = high < 0 ? -1 : js_hex_digit(regex_peek(r, 2));

	if (low >= 0) {
		r->at += 3;
		return (uint32_t)(high * 16 + low);
	}
	if (r->unicode)
		regex_fail(r, "\\x must be followed by two hexadecimal digits");
	else
		r->at++;
	return 'x';
}

/* \uD83D\uDE00 is one character when it is about characters. */
static uint32_t
unicode(regex *r)
{
	const char *p = r->at;
	uint32_t c, low;

	if ((!r->unicode && regex_peek(r, 1) == '{') ||
	    !js_unicode_escape(&p, r->end, &c)) {
		if (r->unicode)
			regex_fail(r, "\\u must be followed by four "
				      "hexadecimal digits or {...}");
		else
			r->at++;
		return 'u';
	}
	r->at = p;
	if (!r->unicode || c < 0xd800 || c > 0xdbff ||
	    regex_peek(r, 0) != '\\' || regex_peek(r, 1) != 'u' ||
	    regex_peek(r, 2) == '{')
		return c;
	p = r->at + 1;
	if (!js_unicode_escape(&p, r->end, &low) || low < 0xdc00 ||
	    low > 0xdfff)
		return c;
	r->at = p;
	return 0x10000 + ((c - 0xd800) << 10) + (low - 0xdc00);
}

static uint32_t
group_reference(regex *r, bool in_class)
{
	r->at++;
	if (!r->named)
		return 'k';
	if (in_class || !regex_at(r, '<'))
		regex_fail(r, "\\k must be followed by <name>");
	else
		regex_want(r, regex_group_name(r));
	return REGEX_SET;
}

static uint32_t
identity(regex *r, bool in_class)
{
	static const char syntax[] = "^$\\.*+?()[]{}|/";
	static const char sets[] = "&-!#%,:;<=>@`~";
	char c = *r->at;

	if (r->unicode && !memchr(syntax, c, sizeof(syntax) - 1) &&
	    !(in_class && c == '-') &&
	    !(in_class && r->sets && memchr(sets, c, sizeof(sets) - 1))) {
		regex_fail(r, "with the flag u or v, \\ must not stand before "
			      "a character that needs none");
		return 0;
	}
	return regex_char(r);
}

uint32_t
regex_escape(regex *r, bool in_class)
{
	static const char single[] = "fnrtv", means[] = "\f\n\r\t\v";
	char c = *r->at;
	const char *hit = c ? memchr(single, c, 5) : NULL;

	if (hit) {
		r->at++;
		return (unsigned char)means[hit - single];
	}
	if (c && memchr("dDsSwW", c, 6)) {
		r->at++;
		return REGEX_SET;
	}
	if ((c == 'p' || c == 'P') && r->unicode) {
		r->at++;
		return unicode_property(r, c == 'P');
	}
	if (c >= '0' && c <= '9')
		return decimal(r, in_class);
	if (c == 'c')
		return control(r, in_class);
	if (c == 'x')
		return regex_hex_escape(r);
	if (c == 'u')
		return unicode(r);
	if (c == 'k')
		return group_reference(r, in_class);
	return identity(r, in_class);
}
