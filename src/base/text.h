/* SPDX-License-Identifier: MIT */
/*
 * text.h -- borrowed text: a pointer and a length, never freed by its reader.
 */
#ifndef BASE_TEXT_H
#define BASE_TEXT_H

#include <codemode/words.h>

#include <stdbool.h>
#include <string.h>

typedef cm_text text;

#define TEXT(literal) ((text){"" literal, sizeof(literal) - 1})
#define TEXT_INIT(literal)                      \
	{                                       \
		"" literal, sizeof(literal) - 1 \
	} /* in tables */
#define TEXT_NONE ((text){NULL, 0})

/* For printf: printf("%.*s", TEXT_ARG(t)). */
#define TEXT_ARG(t) (int)(t).len, ((t).ptr ? (t).ptr : "")

static inline text
text_of(const char *cstr)
{
	return (text){cstr, cstr ? strlen(cstr) : 0};
}

/* An ASCII letter or digit, or an underscore, in every locale. */
static inline bool
is_ascii_word(uint32_t c)
{
	return (c >= '0' && c <= '9') || (c >= 'A' && c <= 'Z') || c == '_' ||
	       (c >= 'a' && c <= 'z');
}

/* Bytes [from, to) of t; both are clamped to its length. */
text text_sub(text t, size_t from, size_t to);
bool text_eq(text a, text b);
/* Byte order, shorter first: <0, 0, >0. */
int text_cmp(text a, text b);
bool text_starts(text t, text prefix);
bool text_ends(text t, text suffix);
/* Offset of the first occurrence at or after from; SIZE_MAX when there is none. */
size_t text_find(text t, text needle, size_t from);
/* Without ASCII white space at both ends. */
text text_trim(text t);
/* The beginning of t, at most max bytes, cut between two characters. */
text text_head(text t, size_t max);
/* Does all of t fit the pattern, in which * stands for any characters? */
bool text_glob(text pattern, text t);
/* The decimal number at t.ptr[*at], at most UINT64_MAX; *at moves behind its
 * digits, and stays (with 0) when there are none. */
uint64_t text_decimal(text t, size_t *at);
/* Takes the next line off *rest (without its LF or CRLF); false at the end. */
bool text_line(text *rest, text *line);

/* Offset of the first byte that is not part of valid UTF-8 (RFC 3629: no
 * overlong forms, no surrogates, at most U+10FFFF); SIZE_MAX when all is. */
size_t utf8_bad(text t);
/* Length of the valid sequence at that offset; 0 when there is none. */
size_t utf8_one(text t, size_t at);
/* Decodes the code point at t.ptr[*at] and moves *at behind it. t is valid. */
uint32_t utf8_next(text t, size_t *at);
/* Writes cp (a scalar value) to out, 1 to 4 bytes; returns how many. */
size_t utf8_put(uint32_t cp, char out[4]);
/* Length in UTF-16 code units of valid UTF-8. */
size_t utf16_len(text t);

#endif
