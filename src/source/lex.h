/* SPDX-License-Identifier: MIT */
/*
 * lex.h -- text becomes tokens, one at a time, when the parser asks.
 *
 * Only the parser knows whether / divides or begins a regular expression, and
 * whether } closes a block or a template's ${: so the lexer always takes them
 * for operators, and lex_regex or lex_template read again from where the
 * token began. After the first fault every token is the end of the script;
 * that is how a parse comes to its end without a check after each step.
 */
#ifndef SOURCE_LEX_H
#define SOURCE_LEX_H

#include "js.h"

#include "base/letters.h"
#include "base/stack.h"

/* Bytes of stack that are enough between two looks at it. */
enum { JS_STACK_RESERVE = 16 << 10 };

enum { /* .flags of a token */
	TOK_LINE = 1 << 0,    /* a line break stands before it */
	TOK_ESCAPED = 1 << 1, /* written with escapes */
	TOK_BAD_ESCAPE = 1 << 2, /* template: only a tag may see it */
	TOK_TAIL = 1 << 3     /* template: ends with `, not with ${ */
};

typedef struct js_token {
	uint8_t kind; /* js_token_kind */
	uint8_t flags;
	uint32_t start, end;
	js_name *name; /* of words and private names */
} js_token;

/* A bracket that is open where the lexer is. Never changed once it is made, so
 * that going back is to take an older one. */
typedef struct open_bracket {
	struct open_bracket *outer;
	uint32_t at;
} open_bracket;

typedef struct lexer {
	js_token tok;      /* what the parser looks at */
	uint32_t prev_end; /* where the token before it ended */
	const char *base;  /* the text; zeros behind it */
	const char *at;
	const char *end;
	uint64_t *steps;   /* tokens that may still be read; NULL: no bound */
	bool html;         /* HTML comments are comments */
	bool dead;         /* after a fault: only T_EOF comes */
	struct open_bracket *open; /* the innermost that was read */
	arena *arena;
	js_name **names;   /* table of chains */
	size_t name_cap, name_count;
	uint32_t hash_key;
	uintptr_t stack_floor; /* lex_has_room refuses below it */
	js_error *errors;  /* room for JS_ERRORS */
	size_t error_count;
} lexer;

/* False: no memory. The text has at least 8 zeros behind it. */
bool lex_init(lexer *l, text t, arena *a);
/* Reads the next token into l->tok. */
void lex_next(lexer *l);
/* The token after l->tok, without moving. */
js_token lex_peek(lexer *l);
/* l->tok begins with /: makes it T_REGEX. */
void lex_regex(lexer *l);
/* l->tok is }: makes it the T_TEMPLATE that goes on behind it. */
void lex_template(lexer *l);
/* l->tok begins with > or <: makes it that one character, as kind. */
void lex_split(lexer *l, unsigned kind);

/* Notes an error; what is a printf argument of the code's message or NULL. */
void lex_error(lexer *l, js_code code, uint32_t start, uint32_t end,
    const char *what, size_t what_len);
/* The same, and nothing more can be read. */
void lex_fault(lexer *l, js_code code, uint32_t start, uint32_t end,
    const char *what, size_t what_len);

/* lex_names.c: the name with this text, made when new; NULL: no memory. */
js_name *lex_name(lexer *l, text t);
/* The same for a text whose hash is known. */
js_name *lex_intern(lexer *l, text t, uint32_t hash);
/* An empty table. False: no memory. */
bool lex_names_init(lexer *l);

/* The hash of a text with c behind it; that of no text is l->hash_key. The key
 * is an address, which the author of the script does not know: names that all
 * fall into one chain cannot be written on purpose. */
static inline uint32_t
lex_hash_step(const lexer *l, uint32_t h, char c)
{
	return (h ^ (unsigned char)c) * l->hash_key;
}

/* Parts of the lexer with files of their own. */
/* string.c: l->at is behind the quote, behind ` or }, at the backslash. */
void lex_string(lexer *l, char quote);
void lex_chunk(lexer *l);
/* number.c: l->at is at a digit, or at a dot before one. */
void lex_number(lexer *l);
/* ident.c: word with escapes or letters beyond ASCII; l->at is where the
 * plain part of it ended, from is where it began. */
void lex_word(lexer *l, const char *from);
/* Reads \uXXXX or \u{X...}, *at at the u; *at goes behind it. False: it is
 * none. At most end is read. */
bool js_unicode_escape(const char **at, const char *end, uint32_t *out);
/* regex.c: checks a pattern; reports to l. start: where the pattern begins. */
void lex_regex_check(lexer *l, text pattern, text flags, uint32_t start);

/* White space and line ends beyond ASCII. */
static inline bool
js_is_high_space(uint32_t c)
{
	return c == 0xa0 || c == 0xfeff || c == 0x1680 ||
	       (c >= 0x2000 && c <= 0x200a) || c == 0x2028 || c == 0x2029 ||
	       c == 0x202f || c == 0x205f || c == 0x3000;
}

/* Is there stack for one more call of a function that may call itself? */
static inline bool
lex_has_room(const lexer *l)
{
	return stack_here() > l->stack_floor;
}

static inline uint32_t
lex_offset(const lexer *l, const char *at)
{
	return (uint32_t)(at - l->base);
}

static inline int
js_hex_digit(char c)
{
	if (c >= '0' && c <= '9')
		return c - '0';
	c = (char)(c | 0x20);
	return c >= 'a' && c <= 'f' ? c - 'a' + 10 : -1;
}

/* U+2028 or U+2029 at p? There are zeros behind the text. */
static inline bool
js_is_separator(const char *p)
{
	return p[0] == '\xe2' && p[1] == '\x80' &&
	       (p[2] == '\xa8' || p[2] == '\xa9');
}

#endif
