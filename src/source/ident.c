/* SPDX-License-Identifier: MIT */
/*
 * ident.c -- words that are more than ASCII letters: with escapes, or with
 * letters of other scripts.
 */
#include "lex.h"

static bool
braced_escape(const char **at, const char *end, uint32_t *out)
{
	const char *p = *at + 2;
	uint32_t c = 0;

	if (p >= end || *p == '}')
		return false;
	for (; p < end && *p != '}'; p++) {
		int digit = js_hex_digit(*p);

		if (digit < 0)
			return false;
		c = c * 16 + (uint32_t)digit;
		if (c > 0x10ffff)
			return false;
	}
	if (p >= end)
		return false;
	*at = p + 1;
	*out = c;
	return true;
}

bool
js_unicode_escape(const char **at, const char *end, uint32_t *out)
{
	const char *p = *at + 1;
	uint32_t c = 0;

	if (p < end && *p == '{')
		return braced_escape(at, end, out);
	if (end - p < 4)
		return false;
	for (int i = 0; i < 4; i++) {
		int digit = js_hex_digit(p[i]);

		if (digit < 0)
			return false;
		c = c * 16 + (uint32_t)digit;
	}
	*at = p + 4;
	*out = c;
	return true;
}

/* The next code point of a word at l->at, moving behind it; 0: the word is
 * over, or it was a bad escape. */
static uint32_t
word_next(lexer *l, bool first)
{
	text rest = {l->at, (size_t)(l->end - l->at)};
	const char *p = l->at;
	size_t len = 0;
	uint32_t c = 0, at = lex_offset(l, l->at);
	bool escape = rest.len > 0 && *p == '\\';

	if (rest.len == 0)
		return 0;
	if (escape) {
		p++;
		if (*p != 'u' || !js_unicode_escape(&p, l->end, &c))
			c = 0;
		l->tok.flags |= TOK_ESCAPED;
	} else {
		c = utf8_next(rest, &len);
		p += len;
	}
	if (first ? starts_name(c) : continues_name(c)) {
		l->at = p;
		return c;
	}
	if (escape)
		lex_fault(l, JS_E_IDENTIFIER_ESCAPE, at, at + 2, NULL, 0);
	return 0;
}

/* The word from [from] as it is spelled without escapes. An escape is never
 * shorter than what it stands for. */
static text
plain_word(lexer *l, const char *from)
{
	char *out = arena_take(l->arena, (size_t)(l->at - from));
	const char *end = l->at;
	text t = {out, 0};

	if (!out)
		return TEXT_NONE;
	for (l->at = from; l->at < end;)
		t.len += utf8_put(word_next(l, false), out + t.len);
	return t;
}

void
lex_word(lexer *l, const char *from)
{
	text t;

	l->at = from;
	l->tok.kind = T_BAD;
	if (!word_next(l, true))
		return;
	while (word_next(l, false))
		;
	if (l->dead)
		return;
	t = (text){from, (size_t)(l->at - from)};
	if (l->tok.flags & TOK_ESCAPED)
		t = plain_word(l, from);
	l->tok.name = lex_name(l, t);
	l->tok.kind = l->tok.name ? l->tok.name->word : T_NAME;
	if (l->tok.flags & TOK_ESCAPED)
		l->tok.kind = l->tok.kind > T_ESCAPED ? T_ESCAPED : T_NAME;
}
