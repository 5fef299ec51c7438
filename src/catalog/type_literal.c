/* SPDX-License-Identifier: MIT */
/*
 * type_literal.c -- const and enum: JSON values as literal types.
 *
 * The tokens stay as they were sent. Two things that JSON allows and
 * TypeScript does not are mended: line separators in strings, and keys that
 * are there twice.
 */
#include "type.h"

enum { LITERAL_MAX = 1000 };

/* A raw JSON string is a TypeScript string, but for two line separators. */
static void
literal_string(buf *out, json s)
{
	size_t at;

	while ((at = text_find(s, TEXT("\xe2\x80"), 0)) != SIZE_MAX) {
		unsigned char last = (unsigned char)s.ptr[at + 2];

		buf_text(out, text_sub(s, 0, at));
		if ((last | 1) == 0xa9)
			buf_str(out, last & 1 ? "\\u2029" : "\\u2028");
		else
			buf_add(out, s.ptr + at, 3);
		s = text_sub(s, at + 3, s.len);
	}
	buf_text(out, s);
}

static void literal(buf *out, json v);

/* Of two equal keys only the last one counts; two would not compile. */
static bool
is_last(json object, json key, json value)
{
	json_iter it = json_each(object);
	json k, v;
	bool last = true;

	while (json_next(&it, &k, &v))
		if (v.ptr > value.ptr && text_eq(k, key))
			last = false;
	return last;
}

static void
literal_nested(buf *out, json v)
{
	json_iter it = json_each(v);
	json key, member;
	size_t n = 0;

	buf_byte(out, it.object ? '{' : '[');
	while (json_next(&it, &key, &member)) {
		if (it.object && !is_last(v, key, member))
			continue;
		buf_str(out, n++ ? ", " : it.object ? " " : "");
		if (it.object) {
			literal_string(out, key);
			buf_str(out, ": ");
		}
		literal(out, member);
	}
	buf_str(out, !it.object ? "]" : n ? " }" : "}");
}

static void
literal(buf *out, json v)
{
	json_kind kind = json_kind_of(v);

	if (kind == JSON_STRING)
		literal_string(out, v);
	else if (kind == JSON_ARRAY || kind == JSON_OBJECT)
		literal_nested(out, v);
	else
		buf_text(out, v);
}

const char *
type_wide(json v)
{
	static const char *const wide[] = {
	    [JSON_MISSING] = "unknown",
	    [JSON_NULL] = "null",
	    [JSON_FALSE] = "boolean",
	    [JSON_TRUE] = "boolean",
	    [JSON_NUMBER] = "number",
	    [JSON_STRING] = "string",
	    [JSON_ARRAY] = "unknown[]",
	    [JSON_OBJECT] = "{ [key: string]: unknown; }",
	};

	return wide[json_kind_of(v)];
}

void
type_literal(buf *out, json value)
{
	if (value.len == 0 || value.len > LITERAL_MAX)
		buf_str(out, type_wide(value));
	else
		literal(out, value);
}
