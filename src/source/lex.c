/* SPDX-License-Identifier: MIT */
/*
 * lex.c -- blanks, comments, operators and words; see lex.h.
 *
 * The text has zeros behind it, so looking a few bytes ahead needs no check of
 * the end: no token continues with a zero. A zero inside the text is simply a
 * character without meaning.
 */
#include "lex.h"

#include <stdio.h>

/* What a byte can begin. */
enum { BAD, SPACE, LINE, WORD, DIGIT, QUOTE, HIGH, OTHER };

#define B BAD
#define S SPACE
#define L LINE
#define W WORD
#define D DIGIT
#define Q QUOTE
#define H HIGH
#define O OTHER
static const uint8_t class_of[256] = {
    B, B, B, B, B, B, B, B, B, S, L, S, S, L, B, B, /* 00 */
    B, B, B, B, B, B, B, B, B, B, B, B, B, B, B, B, /* 10 */
    S, O, Q, O, W, O, O, Q, O, O, O, O, O, O, O, O, /* blank to / */
    D, D, D, D, D, D, D, D, D, D, O, O, O, O, O, O, /* 0 to ? */
    O, W, W, W, W, W, W, W, W, W, W, W, W, W, W, W, /* @ to O */
    W, W, W, W, W, W, W, W, W, W, W, O, O, O, O, W, /* P to _ */
    Q, W, W, W, W, W, W, W, W, W, W, W, W, W, W, W, /* ` to o */
    W, W, W, W, W, W, W, W, W, W, W, O, O, O, O, B, /* p to DEL */
    H, H, H, H, H, H, H, H, H, H, H, H, H, H, H, H, /* 80 */
    H, H, H, H, H, H, H, H, H, H, H, H, H, H, H, H, /* 90 */
    H, H, H, H, H, H, H, H, H, H, H, H, H, H, H, H, /* a0 */
    H, H, H, H, H, H, H, H, H, H, H, H, H, H, H, H, /* b0 */
    H, H, H, H, H, H, H, H, H, H, H, H, H, H, H, H, /* c0 */
    H, H, H, H, H, H, H, H, H, H, H, H, H, H, H, H, /* d0 */
    H, H, H, H, H, H, H, H, H, H, H, H, H, H, H, H, /* e0 */
    H, H, H, H, H, H, H, H, H, H, H, H, H, H, H, H, /* f0 */
};
#undef B
#undef S
#undef L
#undef W
#undef D
#undef Q
#undef H
#undef O

/* --------------------------------------------------------------- errors */

static const char *const messages[] = {
#define ERROR(code, message) message,
#include "error.def"
#undef ERROR
};

static void
append_text(char *to, size_t *len, text t)
{
	if (t.len)
		memcpy(to + *len, t.ptr, t.len);
	*len += t.len;
}

static text
message_of(lexer *l, js_code code, const char *what, size_t what_len)
{
	enum { LONGEST = 60 }; /* of what is quoted */
	text message = text_of(messages[code]), quoted = {what, what_len};
	size_t from = 0, slot;
	char *copy =
	    arena_take(l->arena, message.len + (size_t)2 * (LONGEST + 3));
	text out = {copy, 0};

	if (!copy)
		return TEXT_NONE;
	quoted = text_head(quoted, LONGEST);
	while ((slot = text_find(message, TEXT("%s"), from)) != SIZE_MAX) {
		append_text(copy, &out.len, text_sub(message, from, slot));
		append_text(copy, &out.len, quoted);
		if (quoted.len < what_len)
			append_text(copy, &out.len, TEXT("..."));
		from = slot + 2;
	}
	append_text(copy, &out.len, text_sub(message, from, SIZE_MAX));
	return out;
}

void
lex_error(lexer *l, js_code code, uint32_t start, uint32_t end,
    const char *what, size_t what_len)
{
	if (l->dead || l->error_count == JS_ERRORS)
		return;
	l->errors[l->error_count++] = (js_error){.code = code,
	    .start = start,
	    .end = end,
	    .open = l->open ? l->open->at : JS_NO_OPEN,
	    .found = l->tok.kind,
	    .on_new_line = l->tok.flags & TOK_LINE,
	    .message = message_of(l, code, what, what_len)};
}

void
lex_fault(lexer *l, js_code code, uint32_t start, uint32_t end,
    const char *what, size_t what_len)
{
	if (l->dead)
		return;
	if (l->error_count == JS_ERRORS)
		l->error_count--;
	lex_error(l, code, start, end, what, what_len);
	l->dead = true;
	l->at = l->end;
	l->tok = (js_token){T_EOF, TOK_LINE, start, start, NULL};
}

/* ----------------------------------------------------------------- start */

bool
lex_init(lexer *l, text t, arena *a)
{
	*l = (lexer){0};
	l->base = l->at = t.ptr;
	l->end = t.ptr + t.len;
	l->arena = a;
	l->errors = arena_take(a, JS_ERRORS * sizeof(*l->errors));
	if (!l->errors || !lex_names_init(l))
		return false;
	l->stack_floor = stack_floor() + JS_STACK_RESERVE;
	l->tok.flags = TOK_LINE;
	return true;
}

/* ------------------------------------------------- blanks and comments */

static void
skip_line(lexer *l)
{
	const char *p = l->at;

	while (p < l->end && class_of[(unsigned char)*p] != LINE &&
	       !js_is_separator(p))
		p++;
	l->at = p;
}

/* A block comment; l->at is behind its slash and star. */
static void
skip_block(lexer *l)
{
	const char *from = l->at - 2, *p = l->at;

	for (; p < l->end; p++) {
		if (*p == '*' && p[1] == '/') {
			l->at = p + 2;
			return;
		}
		if (*p == '\n' || *p == '\r' || js_is_separator(p))
			l->tok.flags |= TOK_LINE;
	}
	lex_fault(l, JS_E_COMMENT_OPEN, lex_offset(l, from),
	    lex_offset(l, from) + 2, NULL, 0);
}

/* White space and line ends beyond ASCII; false: something else. */
static bool
skip_high(lexer *l)
{
	text rest = {l->at, (size_t)(l->end - l->at)};
	size_t len = 0;
	uint32_t c = utf8_next(rest, &len);

	if (!js_is_high_space(c))
		return false;
	if (c == 0x2028 || c == 0x2029)
		l->tok.flags |= TOK_LINE;
	l->at += len;
	return true;
}

/* <!-- anywhere and --> at the start of a line; len bytes at l->at. */
static bool
skip_html(lexer *l, uint32_t len)
{
	uint32_t at = lex_offset(l, l->at);

	if (!l->html) {
		lex_fault(l, JS_E_HTML_COMMENT, at, at + len, l->at, len);
		return false;
	}
	skip_line(l);
	return true;
}

/* What begins with / < - and may be a comment; false: it is a token. */
static bool
skip_comment(lexer *l)
{
	const char *p = l->at;

	if (p[0] == '/' && p[1] == '/') {
		skip_line(l);
		return true;
	}
	if (p[0] == '/' && p[1] == '*') {
		l->at += 2;
		skip_block(l);
		return true;
	}
	if (p[0] == '<' && p[1] == '!' && p[2] == '-' && p[3] == '-')
		return skip_html(l, 4);
	if (p[0] == '-' && p[1] == '-' && p[2] == '>' &&
	    (l->tok.flags & TOK_LINE))
		return skip_html(l, 3);
	return false;
}

/* Goes to the next token and says of which class its first byte is. */
static unsigned
skip_blanks(lexer *l)
{
	for (;;) {
		unsigned char c = (unsigned char)*l->at;

		switch (class_of[c]) {
		case SPACE:
			l->at++;
			break;
		case LINE:
			l->tok.flags |= TOK_LINE;
			l->at++;
			break;
		case HIGH:
			if (!skip_high(l))
				return HIGH;
			break;
		case OTHER:
			if ((c == '/' || c == '<' || c == '-') &&
			    skip_comment(l))
				break;
			return OTHER;
		default:
			return class_of[c];
		}
	}
}

/* ------------------------------------------------------------ operators */

/* The longest operator at p and its length. */
typedef struct op {
	uint8_t kind, len;
} op;

static op
op_assign(const char *p, uint8_t plain, uint8_t assign)
{
	return p[1] == '=' ? (op){assign, 2} : (op){plain, 1};
}

static op
op_double(const char *p, uint8_t plain, uint8_t assign, uint8_t twice,
    uint8_t twice_assign)
{
	if (p[1] != p[0])
		return op_assign(p, plain, assign);
	if (twice_assign && p[2] == '=')
		return (op){twice_assign, 3};
	return (op){twice, 2};
}

static op
op_greater(const char *p)
{
	if (p[1] == '>' && p[2] == '>')
		return p[3] == '=' ? (op){T_SET_USHR, 4} : (op){T_USHR, 3};
	return op_double(p, T_GT, T_GE, T_SHR, T_SET_SHR);
}

static op
op_equal(const char *p)
{
	if (p[1] == '>')
		return (op){T_ARROW, 2};
	if (p[1] == '=')
		return p[2] == '=' ? (op){T_SAME, 3} : (op){T_EQ, 2};
	return (op){T_SET, 1};
}

static op
op_not(const char *p)
{
	if (p[1] == '=')
		return p[2] == '=' ? (op){T_NOT_SAME, 3} : (op){T_NE, 2};
	return (op){T_NOT, 1};
}

static op
op_question(const char *p)
{
	if (p[1] == '?')
		return p[2] == '=' ? (op){T_SET_COALESCE, 3}
				   : (op){T_COALESCE, 2};
	if (p[1] == '.' && class_of[(unsigned char)p[2]] != DIGIT)
		return (op){T_CHAIN, 2};
	return (op){T_QUESTION, 1};
}

/* Characters that are a whole token. */
static const uint8_t alone[128] = {
    ['{'] = T_LBRACE,
    ['}'] = T_RBRACE,
    ['('] = T_LPAREN,
    [')'] = T_RPAREN,
    ['['] = T_LBRACKET,
    [']'] = T_RBRACKET,
    [';'] = T_SEMICOLON,
    [','] = T_COMMA,
    [':'] = T_COLON,
    ['~'] = T_TILDE,
    ['@'] = T_AT,
};

/* p is at an ASCII character that begins neither word nor number. */
static op
op_at(const char *p)
{
	uint8_t kind = alone[(unsigned char)p[0]];

	if (kind)
		return (op){kind, 1};
	switch (p[0]) {
	case '.':
		return p[1] == '.' && p[2] == '.' ? (op){T_ELLIPSIS, 3}
						  : (op){T_DOT, 1};
	case '=':
		return op_equal(p);
	case '!':
		return op_not(p);
	case '?':
		return op_question(p);
	case '>':
		return op_greater(p);
	case '<':
		return op_double(p, T_LT, T_LE, T_SHL, T_SET_SHL);
	case '+':
		return op_double(p, T_PLUS, T_SET_PLUS, T_INC, 0);
	case '-':
		return op_double(p, T_MINUS, T_SET_MINUS, T_DEC, 0);
	case '*':
		return op_double(p, T_MUL, T_SET_MUL, T_POW, T_SET_POW);
	case '&':
		return op_double(p, T_BIT_AND, T_SET_BIT_AND, T_AND, T_SET_AND);
	case '|':
		return op_double(p, T_BIT_OR, T_SET_BIT_OR, T_OR, T_SET_OR);
	case '/':
		return op_assign(p, T_DIV, T_SET_DIV);
	case '%':
		return op_assign(p, T_MOD, T_SET_MOD);
	case '^':
		return op_assign(p, T_BIT_XOR, T_SET_BIT_XOR);
	default:
		return (op){T_BAD, 0};
	}
}

/* ---------------------------------------------------------------- tokens */

static void
bad_character(lexer *l)
{
	text rest = {l->at, (size_t)(l->end - l->at)};
	size_t len = 1;
	uint32_t at = lex_offset(l, l->at);
	char shown[24];

	if ((unsigned char)*l->at >= 0x80)
		len = utf8_one(rest, 0);
	if ((unsigned char)*l->at < ' ' || *l->at == 0x7f)
		snprintf(shown, sizeof(shown), "U+%04X",
		    (unsigned)(unsigned char)*l->at);
	else
		snprintf(shown, sizeof(shown), "%.*s", (int)len, l->at);
	lex_fault(
	    l, JS_E_CHARACTER, at, at + (uint32_t)len, shown, strlen(shown));
}

static void
lex_private(lexer *l)
{
	const char *from = l->at++;

	lex_word(l, l->at);
	if (!l->dead && l->tok.kind < T_NAME)
		lex_fault(l, JS_E_PRIVATE_NAME, lex_offset(l, from),
		    lex_offset(l, from) + 1, NULL, 0);
	if (!l->dead)
		l->tok.kind = T_PRIVATE;
}

static void
lex_other(lexer *l)
{
	op o;

	if (*l->at == '.' && class_of[(unsigned char)l->at[1]] == DIGIT) {
		lex_number(l);
		return;
	}
	if (*l->at == '\\') {
		lex_word(l, l->at);
		return;
	}
	if (*l->at == '#') {
		lex_private(l);
		return;
	}
	o = op_at(l->at);
	if (o.kind == T_BAD) {
		bad_character(l);
		return;
	}
	l->tok.kind = o.kind;
	l->at += o.len;
}

static void
lex_plain_word(lexer *l)
{
	const char *from = l->at, *p = from;
	uint32_t h = l->hash_key;
	unsigned class;

	do {
		h = lex_hash_step(l, h, *p++);
		class = class_of[(unsigned char)*p];
	} while (class == WORD || class == DIGIT);
	l->at = p;
	if (class == HIGH || *p == '\\') {
		lex_word(l, from);
		return;
	}
	l->tok.name = lex_intern(l, (text){from, (size_t)(p - from)}, h);
	l->tok.kind = l->tok.name ? l->tok.name->word : T_NAME;
}

static void
lex_quote(lexer *l)
{
	char quote = *l->at++;

	if (quote == '`')
		lex_chunk(l);
	else
		lex_string(l, quote);
}

static void
lex_end_or_bad(lexer *l)
{
	if (l->at >= l->end)
		l->tok.kind = T_EOF;
	else
		bad_character(l);
}

static void
lex_high(lexer *l)
{
	lex_word(l, l->at);
	if (!l->dead && l->tok.kind < T_NAME)
		bad_character(l);
}

static void
open_at(lexer *l, uint32_t at)
{
	open_bracket *b = arena_take(l->arena, sizeof(*b));

	if (!b)
		return;
	*b = (open_bracket){l->open, at};
	l->open = b;
}

static void
close_one(lexer *l)
{
	if (l->open)
		l->open = l->open->outer;
}

/* The token is behind the lexer now: keeps the list of open brackets. */
static void
keep_brackets(lexer *l)
{
	const js_token *tok = &l->tok;

	switch (tok->kind) {
	case T_LPAREN:
	case T_LBRACKET:
	case T_LBRACE:
		open_at(l, tok->start);
		break;
	case T_RPAREN:
	case T_RBRACKET:
	case T_RBRACE:
		close_one(l);
		break;
	case T_TEMPLATE:
		if (l->base[tok->start] == '}')
			close_one(l);
		if (!(tok->flags & TOK_TAIL))
			open_at(l, tok->end - 1);
		break;
	default:
		break;
	}
}

/* Counts a token; false: it is one too many. */
static bool
count_token(lexer *l)
{
	if (!l->steps)
		return true;
	if (*l->steps == 0) {
		lex_fault(l, JS_E_STEPS, l->tok.end, l->tok.end, NULL, 0);
		return false;
	}
	--*l->steps;
	return true;
}

void
lex_next(lexer *l)
{
	unsigned class;

	l->prev_end = l->tok.end;
	if (l->dead || !count_token(l))
		return;
	keep_brackets(l);
	l->tok.flags = l->at == l->base ? TOK_LINE : 0;
	l->tok.name = NULL;
	class = skip_blanks(l);
	if (l->dead)
		return;
	l->tok.start = lex_offset(l, l->at);
	if (class == WORD)
		lex_plain_word(l);
	else if (class == OTHER)
		lex_other(l);
	else if (class == QUOTE)
		lex_quote(l);
	else if (class == DIGIT)
		lex_number(l);
	else if (class == HIGH)
		lex_high(l);
	else
		lex_end_or_bad(l);
	if (!l->dead)
		l->tok.end = lex_offset(l, l->at);
}

js_token
lex_peek(lexer *l)
{
	js_token tok = l->tok, peeked;
	uint32_t prev_end = l->prev_end;
	const char *at = l->at;
	size_t errors = l->error_count;
	bool dead = l->dead;
	open_bracket *open = l->open;

	lex_next(l);
	peeked = l->tok;
	l->tok = tok;
	l->prev_end = prev_end;
	l->at = at;
	l->error_count = errors;
	l->dead = dead;
	l->open = open;
	return peeked;
}

void
lex_template(lexer *l)
{
	if (l->dead)
		return;
	l->at = l->base + l->tok.start + 1;
	lex_chunk(l);
	if (!l->dead)
		l->tok.end = lex_offset(l, l->at);
}

void
lex_split(lexer *l, unsigned kind)
{
	char c = l->base[l->tok.start];

	if (l->dead || l->tok.kind == kind || c != (kind == T_GT ? '>' : '<'))
		return;
	l->tok.kind = (uint8_t)kind;
	l->tok.end = l->tok.start + 1;
	l->at = l->base + l->tok.end;
}

/* -------------------------------------------------- regular expressions */

/* From behind the first slash to the last; NULL: the line ends first. */
static const char *
regex_end(const lexer *l)
{
	const char *p = l->base + l->tok.start + 1;
	bool in_class = false;

	for (; p < l->end; p++) {
		if (*p == '\n' || *p == '\r' || js_is_separator(p))
			return NULL;
		if (*p == '\\' && p[1] != '\n' && p[1] != '\r' &&
		    !js_is_separator(p + 1))
			p++;
		else if (*p == '[')
			in_class = true;
		else if (*p == ']')
			in_class = false;
		else if (*p == '/' && !in_class)
			return p < l->end ? p : NULL;
	}
	return NULL;
}

void
lex_regex(lexer *l)
{
	uint32_t start = l->tok.start;
	const char *close;
	text pattern, flags;

	if (l->dead)
		return;
	close = regex_end(l);
	if (!close) {
		lex_fault(l, JS_E_REGEX_OPEN, start, start + 1, NULL, 0);
		return;
	}
	pattern = (text){l->base + start + 1, 0};
	pattern.len = (size_t)(close - pattern.ptr);
	l->at = close + 1;
	l->tok.kind = T_REGEX;
	l->tok.end = lex_offset(l, l->at);
	if (class_of[(unsigned char)*l->at] == WORD || *l->at == '\\' ||
	    class_of[(unsigned char)*l->at] == HIGH)
		lex_word(l, l->at);
	if (l->dead)
		return;
	flags = (text){close + 1, (size_t)(l->at - close - 1)};
	l->tok.kind = T_REGEX;
	l->tok.name = NULL;
	l->tok.end = lex_offset(l, l->at);
	lex_regex_check(l, pattern, flags, start + 1);
}
