/* SPDX-License-Identifier: MIT */
/*
 * number.c -- numeric literals: all bases, separators, BigInt, and the octal
 * forms that only sloppy code has.
 */
#include "lex.h"

#include "base/json.h"

static bool
is_digit(char c, int base)
{
	int digit = js_hex_digit(c);

	return digit >= 0 && digit < base;
}

static void
bad_number(lexer *l, const char *why)
{
	uint32_t at = lex_offset(l, l->at);

	lex_fault(l, JS_E_NUMBER, l->tok.start, at > l->tok.start ? at : at + 1,
	    why, strlen(why));
}

/* Digits with single _ between them, at least one; false after a fault. */
static bool
read_digits(lexer *l, int base)
{
	const char *p = l->at;

	for (;;) {
		const char *from = p;

		while (is_digit(*p, base))
			p++;
		l->at = p;
		if (p == from) {
			bad_number(l, p[-1] == '_'
					  ? "_ must stand between two digits"
					  : "digits are missing");
			return false;
		}
		if (*p != '_')
			return true;
		p++;
	}
}

static bool
read_number_exponent(lexer *l)
{
	if ((*l->at | 0x20) != 'e')
		return true;
	l->at++;
	if (*l->at == '+' || *l->at == '-')
		l->at++;
	return read_digits(l, 10);
}

/* A BigInt's n, and that nothing grows out of the number's end. */
static void
finish_number(lexer *l, bool may_be_big)
{
	text rest;
	size_t len = 0;
	uint32_t c;

	l->tok.kind = T_NUMBER;
	if (may_be_big && *l->at == 'n') {
		l->tok.kind = T_BIGINT;
		l->at++;
	}
	rest = (text){l->at, (size_t)(l->end - l->at)};
	if (rest.len == 0)
		return;
	c = utf8_next(rest, &len);
	if (continues_name(c) || c == '\\')
		lex_fault(l, JS_E_NUMBER_TAIL, lex_offset(l, l->at),
		    lex_offset(l, l->at) + (uint32_t)len, NULL, 0);
}

static int
base_of(char letter)
{
	switch (letter | 0x20) {
	case 'x':
		return 16;
	case 'o':
		return 8;
	case 'b':
		return 2;
	default:
		return 0;
	}
}

/* 017, 089 and, since 8 is no octal digit, 08.5 too. */
static void
lex_old_octal(lexer *l)
{
	bool decimal = false;

	for (; is_digit(*l->at, 10); l->at++)
		decimal |= *l->at >= '8';
	if (decimal && *l->at == '.') {
		l->at++;
		if (is_digit(*l->at, 10) && !read_digits(l, 10))
			return;
	}
	if (decimal && !read_number_exponent(l))
		return;
	if (*l->at == '_')
		bad_number(l, "_ is not allowed after a leading 0");
	else
		finish_number(l, false);
}

static void
lex_decimal(lexer *l)
{
	bool whole = true;

	if (*l->at != '.' && !read_digits(l, 10))
		return;
	if (*l->at == '.') {
		whole = false;
		l->at++;
		if (is_digit(*l->at, 10) && !read_digits(l, 10))
			return;
	}
	if ((*l->at | 0x20) == 'e')
		whole = false;
	if (read_number_exponent(l))
		finish_number(l, whole);
}

void
lex_number(lexer *l)
{
	int base = *l->at == '0' ? base_of(l->at[1]) : 0;

	if (base) {
		l->at += 2;
		if (read_digits(l, base))
			finish_number(l, true);
	} else if (*l->at == '0' && is_digit(l->at[1], 10)) {
		lex_old_octal(l);
	} else if (*l->at == '0' && l->at[1] == '_') {
		bad_number(l, "_ is not allowed after a leading 0");
	} else {
		lex_decimal(l);
	}
}

/* ---------------------------------------------------------------- value */

/* Bits beyond the 53 that a double has are rounded by hand: to even, and a
 * bit that was shifted out decides a tie. */
static double
binary_value(text t, int base)
{
	unsigned shift = base == 16 ? 4 : base == 8 ? 3 : 1;
	uint64_t top = 0;
	bool lost = false;
	double scale = 1;

	for (size_t i = 0; i < t.len; i++) {
		if (t.ptr[i] == '_')
			continue;
		if (top >> 59) {
			lost |= t.ptr[i] != '0';
			scale *= (double)(1u << shift);
			continue;
		}
		top = top << shift | (uint64_t)js_hex_digit(t.ptr[i]);
	}
	return (double)(top | lost) * scale;
}

/* As JSON writes it: no _, a digit on both sides of the dot, no leading 0. */
static double
decimal_value(text t, const cm_alloc *alloc)
{
	buf b = BUF_INIT(alloc, t.len + 8);
	double value = 0;

	while (t.len > 1 && t.ptr[0] == '0' && is_digit(t.ptr[1], 10))
		t = text_sub(t, 1, t.len);
	if (t.len && t.ptr[0] == '.')
		buf_byte(&b, '0');
	for (size_t i = 0; i < t.len; i++) {
		if (t.ptr[i] == '_')
			continue;
		buf_byte(&b, t.ptr[i]);
		if (t.ptr[i] == '.' &&
		    (i + 1 == t.len || !is_digit(t.ptr[i + 1], 10)))
			buf_byte(&b, '0');
	}
	json_double(buf_view(&b), &value);
	buf_fini(&b);
	return value;
}

double
js_number(const js_tree *t, const js_node *n)
{
	text raw = js_text(t, n);
	int base = raw.len > 1 && raw.ptr[0] == '0' ? base_of(raw.ptr[1]) : 0;

	if (base)
		return binary_value(text_sub(raw, 2, raw.len), base);
	if (raw.len > 1 && raw.ptr[0] == '0' && is_digit(raw.ptr[1], 10) &&
	    !memchr(raw.ptr, '8', raw.len) && !memchr(raw.ptr, '9', raw.len))
		return binary_value(text_sub(raw, 1, raw.len), 8);
	return decimal_value(raw, t->arena->alloc);
}
