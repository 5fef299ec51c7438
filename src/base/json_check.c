/* SPDX-License-Identifier: MIT */
/*
 * json_check.c -- is this JSON? One pass, no recursion, no memory.
 *
 * Apart from json.c because it is the only part that trusts nothing. What it
 * lets through is strict RFC 8259 in valid UTF-8; the readers behind it never
 * look again. Nesting costs one bit a level (object or array), kept on the
 * stack. Each scanner takes the place where its piece begins and returns the
 * place behind it, or NULL after it has noted the fault.
 */
#include "json.h"

#include "swar.h"

enum { MOST_LEVELS = 65536 };

typedef unsigned char byte;

/* What may come next; the order is that of unfinished[]. */
enum want {
	WANT_VALUE,
	WANT_VALUE_OR_END, /* just behind [ */
	WANT_KEY,
	WANT_KEY_OR_END, /* just behind { */
	WANT_MORE        /* behind a value inside of something */
};

struct scan {
	const byte *begin;
	const byte *end;
	json_fault fault;
	enum want want;
	unsigned depth;
	unsigned max_depth;
	uint64_t object[MOST_LEVELS / 64]; /* bit i: level i is an object */
};

static const char *const unfinished[] = {
    [WANT_VALUE] = "the text ends where a value must follow",
    [WANT_VALUE_OR_END] = "the text ends inside an array",
    [WANT_KEY] = "the text ends where a key must follow",
    [WANT_KEY_OR_END] = "the text ends inside an object",
    [WANT_MORE] = "the text ends before all brackets are closed",
};

static const byte *
scan_failed(struct scan *s, const byte *p, const char *why)
{
	s->fault = (json_fault){(size_t)(p - s->begin), why};
	return NULL;
}

static bool
is_digit_byte(byte c)
{
	return (byte)(c - '0') < 10;
}

static bool
is_hex_byte(byte c)
{
	return is_digit_byte(c) || (byte)((c | 0x20) - 'a') < 6;
}

static const byte *
scan_space(const byte *p, const byte *end)
{
	for (;;) {
		while (end - p >= 8 && swar_load(p) == SWAR_ONES * ' ')
			p += 8;
		if (p == end || *p > ' ')
			return p;
		if (!json_is_space((char)*p))
			return p;
		p++;
	}
}

/* p is behind the backslash. */
static const byte *
scan_escape(struct scan *s, const byte *p)
{
	if (p == s->end)
		return scan_failed(s, p, "the text ends inside a string");
	if (*p != 'u')
		return memchr("\"\\/bfnrt", *p, 8)
			   ? p + 1
			   : scan_failed(
				 s, p - 1, "a string has an unknown escape");
	for (int i = 1; i <= 4; i++)
		if (s->end - p <= i || !is_hex_byte(p[i]))
			return scan_failed(
			    s, p - 1, "\\u needs four hex digits");
	return p + 5;
}

/* p is at a byte of a string that does not stand for itself. */
static const byte *
string_stop(struct scan *s, const byte *p)
{
	size_t n;

	if (*p == '\\')
		return scan_escape(s, p + 1);
	if (*p < 0x20)
		return scan_failed(s, p,
		    "a string has a control character that is not escaped");
	n = utf8_one((text){(const char *)p, (size_t)(s->end - p)}, 0);
	return n ? p + n : scan_failed(s, p, "a string is not valid UTF-8");
}

/* The next byte of a string at which something has to be done. */
static const byte *
string_run(const byte *p, const byte *end)
{
	uint64_t stops;

	for (; end - p >= 8; p += 8) {
		stops = swar_string_stops(swar_load(p));
		if (stops)
			return p + swar_first(stops);
	}
	while (p < end && *p >= 0x20 && *p < 0x80 && *p != '"' && *p != '\\')
		p++;
	return p;
}

static const byte *
scan_string(struct scan *s, const byte *p)
{
	for (p++; p;) {
		p = string_run(p, s->end);
		if (p == s->end)
			return scan_failed(
			    s, p, "the text ends inside a string");
		if (*p == '"')
			return p + 1;
		do {
			p = string_stop(s, p);
		} while (p && p < s->end && *p >= 0x80);
	}
	return NULL;
}

/* At least one digit. */
static const byte *
scan_digits(struct scan *s, const byte *p)
{
	if (p == s->end || !is_digit_byte(*p))
		return scan_failed(s, p, "a number lacks a digit");
	while (p < s->end && is_digit_byte(*p))
		p++;
	return p;
}

static const byte *
scan_exponent(struct scan *s, const byte *p)
{
	p++;
	if (p < s->end && (*p == '+' || *p == '-'))
		p++;
	return scan_digits(s, p);
}

static const byte *
scan_number(struct scan *s, const byte *p)
{
	if (*p == '-')
		p++;
	if (s->end - p >= 2 && p[0] == '0' && is_digit_byte(p[1]))
		return scan_failed(s, p, "a number must not begin with 0");
	p = scan_digits(s, p);
	if (p && p < s->end && *p == '.')
		p = scan_digits(s, p + 1);
	if (p && p < s->end && (*p | 0x20) == 'e')
		p = scan_exponent(s, p);
	return p;
}

static const byte *
scan_word(struct scan *s, const byte *p, text w)
{
	if ((size_t)(s->end - p) < w.len || memcmp(p, w.ptr, w.len))
		return scan_failed(s, p, "a value must start here");
	return p + w.len;
}

static const byte *
open_bracket(struct scan *s, const byte *p, bool object)
{
	uint64_t bit = UINT64_C(1) << s->depth % 64;
	uint64_t *level = &s->object[s->depth / 64];

	if (s->depth >= s->max_depth)
		return scan_failed(s, p, "it is nested too deeply");
	*level = object ? *level | bit : *level & ~bit;
	s->depth++;
	s->want = object ? WANT_KEY_OR_END : WANT_VALUE_OR_END;
	return p + 1;
}

static const byte *
close_bracket(struct scan *s, const byte *p)
{
	s->depth--;
	s->want = WANT_MORE;
	return p + 1;
}

static const byte *
value(struct scan *s, const byte *p)
{
	s->want = WANT_MORE;
	switch (*p) {
	case '"':
		return scan_string(s, p);
	case '{':
		return open_bracket(s, p, true);
	case '[':
		return open_bracket(s, p, false);
	case 't':
		return scan_word(s, p, TEXT("true"));
	case 'f':
		return scan_word(s, p, TEXT("false"));
	case 'n':
		return scan_word(s, p, TEXT("null"));
	default:
		return *p == '-' || is_digit_byte(*p)
			   ? scan_number(s, p)
			   : scan_failed(s, p, "a value must start here");
	}
}

static const byte *
scan_key(struct scan *s, const byte *p)
{
	if (*p != '"')
		return scan_failed(
		    s, p, "a key in double quotes must start here");
	p = scan_string(s, p);
	if (!p)
		return NULL;
	p = scan_space(p, s->end);
	if (p == s->end || *p != ':')
		return scan_failed(s, p, "a colon must follow the key");
	s->want = WANT_VALUE;
	return p + 1;
}

static bool
in_object(const struct scan *s)
{
	unsigned level = s->depth - 1;

	return s->object[level / 64] >> level % 64 & 1;
}

static const byte *
more(struct scan *s, const byte *p)
{
	bool object = in_object(s);

	if (*p == (object ? '}' : ']'))
		return close_bracket(s, p);
	if (*p != ',')
		return scan_failed(s, p,
		    object ? "a comma or } must follow"
			   : "a comma or ] must follow");
	s->want = object ? WANT_KEY : WANT_VALUE;
	return p + 1;
}

static const byte *
scan_step(struct scan *s, const byte *p)
{
	switch (s->want) {
	case WANT_MORE:
		return more(s, p);
	case WANT_KEY:
		return scan_key(s, p);
	case WANT_KEY_OR_END:
		return *p == '}' ? close_bracket(s, p) : scan_key(s, p);
	case WANT_VALUE_OR_END:
		return *p == ']' ? close_bracket(s, p) : value(s, p);
	case WANT_VALUE:
		break;
	}
	return value(s, p);
}

static const byte *
scan_document(struct scan *s, const byte *p)
{
	do {
		p = scan_space(p, s->end);
		p = p == s->end ? scan_failed(s, p, unfinished[s->want])
				: scan_step(s, p);
	} while (p && (s->depth > 0 || s->want != WANT_MORE));
	return p;
}

bool
json_check(text src, unsigned max_depth, json *value_out, json_fault *fault)
{
	struct scan
	    s; /* 8 KiB of bits; a level's is written before it is read */
	const byte *from, *to, *rest;

	s.begin = (const byte *)(src.ptr ? src.ptr : "");
	s.end = s.begin + src.len;
	s.want = WANT_VALUE;
	s.depth = 0;
	s.max_depth = max_depth < MOST_LEVELS ? max_depth : MOST_LEVELS;
	from = scan_space(s.begin, s.end);
	to = scan_document(&s, from);
	rest = to ? scan_space(to, s.end) : NULL;
	if (rest && rest < s.end)
		rest = scan_failed(&s, rest, "nothing may follow the value");
	if (!rest) {
		if (fault)
			*fault = s.fault;
		return false;
	}
	*value_out = (json){(const char *)from, (size_t)(to - from)};
	return true;
}
