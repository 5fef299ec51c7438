/* SPDX-License-Identifier: MIT */
/*
 * string.c -- the inside of quotes and of template literals: where it ends,
 * whether its escapes are valid, and what it stands for.
 */
#include "lex.h"

typedef enum escape_kind {
	ESCAPE_OK,
	ESCAPE_OCTAL, /* \1, \08, \8: for sloppy strings only */
	ESCAPE_BAD
} escape_kind;

/* One escape, decoded. */
typedef struct escape {
	escape_kind kind;
	bool nothing; /* a line break behind the backslash: no character */
	uint32_t c;
} escape;

static escape
octal_escape(const char **at, const char *end)
{
	const char *p = *at;
	uint32_t c = 0;
	int most = *p <= '3' ? 3 : 2;

	if (*p == '0' && (p + 1 >= end || p[1] < '0' || p[1] > '9')) {
		*at = p + 1;
		return (escape){ESCAPE_OK, false, 0};
	}
	if (*p >= '8') {
		*at = p + 1;
		return (escape){ESCAPE_OCTAL, false, (unsigned char)*p};
	}
	for (int i = 0; i < most && p < end && *p >= '0' && *p <= '7'; i++)
		c = c * 8 + (uint32_t)(*p++ - '0');
	*at = p;
	return (escape){ESCAPE_OCTAL, false, c};
}

static escape
hex_escape(const char **at, const char *end)
{
	const char *p = *at + 1;
	int high, low;

	if (end - p < 2 || (high = js_hex_digit(p[0])) < 0 ||
	    (low = js_hex_digit(p[1])) < 0)
		return (escape){ESCAPE_BAD, false, 0};
	*at = p + 2;
	return (escape){ESCAPE_OK, false, (uint32_t)(high * 16 + low)};
}

/* b f n r t v, and all that stand for themselves. */
static uint32_t
single_escape(uint32_t c)
{
	static const char from[] = "bfnrtv", to[] = "\b\f\n\r\t\v";
	const char *hit = c < 0x80 && c ? memchr(from, (int)c, 6) : NULL;

	return hit ? (unsigned char)to[hit - from] : c;
}

/* *at is behind the backslash and before end; goes behind the escape. */
static escape
read_escape(const char **at, const char *end)
{
	text rest = {*at, (size_t)(end - *at)};
	escape e = {ESCAPE_OK, false, 0};
	size_t len = 0;

	switch (**at) {
	case 'u':
		if (!js_unicode_escape(at, end, &e.c))
			e.kind = ESCAPE_BAD;
		return e;
	case 'x':
		return hex_escape(at, end);
	case '0':
	case '1':
	case '2':
	case '3':
	case '4':
	case '5':
	case '6':
	case '7':
	case '8':
	case '9':
		return octal_escape(at, end);
	default:
		break;
	}
	e.c = utf8_next(rest, &len);
	*at += len;
	e.nothing =
	    e.c == '\n' || e.c == '\r' || e.c == 0x2028 || e.c == 0x2029;
	if (e.c == '\r' && *at < end && **at == '\n')
		++*at;
	e.c = single_escape(e.c);
	return e;
}

/* ------------------------------------------------------------- scanning */

static void
bad_escape(lexer *l, const char *backslash)
{
	uint32_t at = lex_offset(l, backslash);

	lex_fault(l, JS_E_ESCAPE, at, at + 2, backslash, 2);
}

static void
string_open(lexer *l)
{
	lex_fault(l, JS_E_STRING_OPEN, l->tok.start, l->tok.start + 1, NULL, 0);
}

/* l->at is at the backslash; false after a fault. */
static bool
string_escape(lexer *l)
{
	const char *backslash = l->at++;
	escape e;

	if (l->at >= l->end) {
		string_open(l);
		return false;
	}
	l->tok.flags |= TOK_ESCAPED;
	e = read_escape(&l->at, l->end);
	if (e.kind == ESCAPE_BAD)
		bad_escape(l, backslash);
	return e.kind != ESCAPE_BAD;
}

void
lex_string(lexer *l, char quote)
{
	const char *p = l->at;

	for (;;) {
		while (*p != quote && *p != '\\' && *p != '\n' && *p != '\r' &&
		       p < l->end)
			p++;
		l->at = p;
		if (p >= l->end || *p == '\n' || *p == '\r') {
			string_open(l);
			return;
		}
		if (*p == quote)
			break;
		if (!string_escape(l))
			return;
		p = l->at;
	}
	l->at = p + 1;
	l->tok.kind = T_STRING;
}

static void
chunk_escape(lexer *l)
{
	escape e;

	l->at++;
	l->tok.flags |= TOK_ESCAPED;
	if (l->at >= l->end)
		return;
	e = read_escape(&l->at, l->end);
	if (e.kind != ESCAPE_OK)
		l->tok.flags |= TOK_BAD_ESCAPE;
}

void
lex_chunk(lexer *l)
{
	l->tok.kind = T_TEMPLATE;
	l->tok.flags &= TOK_LINE;
	while (l->at < l->end) {
		if (*l->at == '`') {
			l->at++;
			l->tok.flags |= TOK_TAIL;
			return;
		}
		if (*l->at == '$' && l->at[1] == '{') {
			l->at += 2;
			return;
		}
		if (*l->at == '\\')
			chunk_escape(l);
		else
			l->at++;
	}
	lex_fault(
	    l, JS_E_TEMPLATE_OPEN, l->tok.start, l->tok.start + 1, NULL, 0);
}

/* ---------------------------------------------------------------- value */

/* Like utf8_put, surrogates too. */
static void
put_code_point(buf *out, uint32_t c)
{
	char bytes[4] = {(char)(0xe0 | (c >> 12 & 0x0f)),
	    (char)(0x80 | (c >> 6 & 0x3f)), (char)(0x80 | (c & 0x3f)), 0};
	size_t len = 3;

	if (c < 0xd800 || c > 0xdfff)
		len = utf8_put(c, bytes);
	buf_add(out, bytes, len);
}

/* A code unit from an escape: the second half of a pair joins the first. */
static void
put_unit(buf *out, uint32_t c, uint32_t *high)
{
	if (*high && c >= 0xdc00 && c <= 0xdfff) {
		out->len -= 3;
		c = 0x10000 + ((*high - 0xd800) << 10) + (c - 0xdc00);
		*high = 0;
	} else {
		*high = c >= 0xd800 && c <= 0xdbff ? c : 0;
	}
	put_code_point(out, c);
}

/* A template has LF for every line end. */
static size_t
plain_run(const char *p, const char *end, bool template)
{
	const char *from = p;

	while (p < end && *p != '\\' && !(template && *p == '\r'))
		p++;
	return (size_t)(p - from);
}

static void
decode_string(text raw, bool template, buf *out)
{
	const char *p = raw.ptr, *end = p + raw.len;
	uint32_t high = 0;

	while (p < end && out->bad == CM_OK) {
		size_t run = plain_run(p, end, template);
		escape e;

		if (run)
			high = 0;
		buf_add(out, p, run);
		if ((p += run) >= end)
			break;
		if (*p == '\r') {
			p += p + 1 < end && p[1] == '\n' ? 2 : 1;
			buf_byte(out, '\n');
			continue;
		}
		if (++p >= end)
			break;
		e = read_escape(&p, end);
		if (e.kind == ESCAPE_BAD)
			break;
		if (!e.nothing)
			put_unit(out, e.c, &high);
	}
}

void
js_string(const js_tree *t, const js_node *n, buf *out)
{
	text raw = js_text(t, n);

	if (n->kind == JS_STRING)
		decode_string(text_sub(raw, 1, raw.len - 1), false, out);
	else if (n->kind == JS_CHUNK)
		decode_string(raw, true, out);
	else
		buf_text(out, n->name ? n->name->text : raw);
}
