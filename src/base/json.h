/* SPDX-License-Identifier: MIT */
/*
 * json.h -- JSON as spans of the bytes that were read.
 *
 * A document is checked once, in one pass (json_check). From then on a value
 * is a `json`: the span of text that it is, in the original bytes. Reading a
 * member scans the members before it. No tree is built, so the text of
 * numbers, the order of keys and every escape stay as they were sent.
 *
 * The type of a parameter says what it may be. A `text` may be anything. A
 * `json` was checked by json_check, or written by a function that writes JSON,
 * and has no white space around it; json_trim makes one of a checked text that
 * may have some. Given a text that is not JSON, a reader gives a meaningless
 * value, but it ends, and reads nothing outside the text.
 */
#ifndef BASE_JSON_H
#define BASE_JSON_H

#include "buf.h"

typedef text json; /* one checked value, trimmed; empty: missing */

typedef enum json_kind {
	JSON_MISSING,
	JSON_NULL,
	JSON_FALSE,
	JSON_TRUE,
	JSON_NUMBER,
	JSON_STRING,
	JSON_ARRAY,
	JSON_OBJECT
} json_kind;

#define JSON_DEPTH 1024 /* the default bound on nesting */

/* Where and why text is not JSON. */
typedef struct json_fault {
	size_t at;       /* byte offset */
	const char *why; /* static, e.g. "a comma or } must follow" */
} json_fault;

/*
 * Is src exactly one JSON value (RFC 8259, strict: valid UTF-8, no duplicates
 * check, white space around allowed), nested at most max_depth deep? The value
 * without white space around it goes to *value. fault may be NULL. Uses no
 * recursion and no memory.
 * Lone surrogates in escapes (\ud800) are allowed, as in JavaScript.
 */
bool json_check(text src, unsigned max_depth, json *value, json_fault *fault);

/* The value in a text that is known to be JSON, without white space around it:
 * what json_check would give. */
json json_trim(text checked);

json_kind json_kind_of(json v);
/* Is there a value, and is it not null? */
bool json_present(json v);

/* The member named key (unescaped UTF-8), the last one if it is there twice;
 * missing when v is no object or has no such member. */
json json_get(json v, text key);
/* The same along a path: json_path(v, "result", "content", NULL). */
json json_path(json v, ...);
/* Element i of an array; missing when there is none. */
json json_at(json v, size_t i);
/* Appends the path from v to the value whose text holds the byte *at: "$.a[3]". */
void json_path_to(json v, const char *at, buf *out);
/* Number of elements or members; 0 for anything else. */
size_t json_len(json v);

/* Walks an array or an object; anything else has no elements. */
typedef struct json_iter {
	text rest;
	bool object;
} json_iter;
json_iter json_each(json v);
/* key is the raw string with quotes (missing in arrays); may be NULL. */
bool json_next(json_iter *it, json *key, json *value);

/* White space between tokens, as JSON has it. */
static inline bool
json_is_space(char c)
{
	return c == ' ' || c == '\n' || c == '\r' || c == '\t';
}

/* The next character of raw, the inside of a string: what stands at *at (below
 * raw.len), or what the escape there stands for; *at moves behind it, at least
 * by 1. Escaped surrogates come one by one. */
uint32_t json_char(text raw, size_t *at);
/* The same, but a pair of escaped surrogates is one code point. */
uint32_t json_code_point(text raw, size_t *at);
/* Does a string value hold exactly this text? False for other kinds. */
bool json_is(json v, text s);
/* Appends what a string value stands for, as UTF-8; a lone surrogate becomes
 * U+FFFD. False (nothing appended) when v is no string. */
bool json_unescape(json v, buf *out);
/* True and *out when v is a number that is a whole int64. */
bool json_int(json v, int64_t *out);
bool json_double(json v, double *out);
/* JSON_TRUE and JSON_FALSE by value, anything else: otherwise. */
bool json_bool(json v, bool otherwise);

/* Writes s (valid UTF-8) as a JSON string with its quotes. U+2028 and U+2029
 * are escaped too: readers of lines exist that break on them. */
void json_string(buf *out, text s);

/* Writes t as it is if it is JSON, otherwise as a string: what people write on a
 * line or in a comment. */
void json_or_string(buf *out, text t);

/*
 * Members of an object and elements of an array that are being written: each
 * function writes the comma first, unless the last byte of out is the bracket
 * that opens. The brackets are the caller's.
 */
/* Before an element. */
void json_element(buf *out);
/* "name": -- name needs no escapes. The caller writes the value. */
void json_member(buf *out, const char *name);
void json_member_text(buf *out, const char *name, text value);
/* Copies v as it is; writes nothing when v is missing. */
void json_member_json(buf *out, const char *name, json v);
void json_member_uint(buf *out, const char *name, uint64_t value);
void json_member_bool(buf *out, const char *name, bool value);

/* Writes v with line breaks and two blanks a level, keeping every token. */
void json_pretty(buf *out, json v);
/* Writes v without any white space between tokens. */
void json_compact(buf *out, json v);

/* Where the comment that begins at t.ptr[at] ends; at: none begins there. */
size_t json_comment_end(text t, size_t at);
/*
 * JSON with comments, trailing commas and a byte order mark, as people write
 * configuration: src is copied to out with those blanked (LF stay), so that
 * offsets and lines are those of src.
 */
void json_blank_comments(text src, buf *out);

/* Line and column (from 1, in bytes) of an offset. */
void text_position(text src, size_t at, unsigned *line, unsigned *column);

#endif
