/* SPDX-License-Identifier: MIT */
/*
 * json_write.c -- JSON out: strings quoted, values laid out anew.
 *
 * Layout changes white space between tokens and nothing else, so numbers keep
 * their text and strings their escapes. It too trusts its input to be checked.
 * What is written may meet its buffer's maximum; the buffer remembers that.
 */
#include "json.h"

/* ------------------------------------------------------------ strings */

/* E2 80 A8 and E2 80 A9 are U+2028 and U+2029. */
static bool
is_separator(text s, size_t i)
{
	return s.len - i >= 3 && !memcmp(s.ptr + i, "\xe2\x80", 2) &&
	       ((unsigned char)s.ptr[i + 2] | 1) == 0xa9;
}

/* Must the byte at i be escaped? */
static bool
needs_escape(text s, size_t i)
{
	unsigned char c = (unsigned char)s.ptr[i];

	return c < 0x20 || c == '"' || c == '\\' ||
	       (c == 0xe2 && is_separator(s, i));
}

/* Writes the escape for what stands at i; returns how many bytes that was. */
static size_t
write_escape(buf *out, text s, size_t i)
{
	static const char plain[] = "\"\\\b\f\n\r\t", letter[] = "\"\\bfnrt";
	const char *known;

	if ((unsigned char)s.ptr[i] == 0xe2) {
		buf_str(out, s.ptr[i + 2] & 1 ? "\\u2029" : "\\u2028");
		return 3;
	}
	known = memchr(plain, s.ptr[i], sizeof(plain) - 1);
	if (known) {
		buf_byte(out, '\\');
		buf_byte(out, letter[known - plain]);
	} else {
		buf_printf(out, "\\u%04x", (unsigned)s.ptr[i]);
	}
	return 1;
}

void
json_string(buf *out, text s)
{
	size_t i = 0, from;

	buf_byte(out, '"');
	while (i < s.len) {
		from = i;
		while (i < s.len && !needs_escape(s, i))
			i++;
		buf_add(out, s.ptr + from, i - from);
		if (i < s.len)
			i += write_escape(out, s, i);
	}
	buf_byte(out, '"');
}

/* ------------------------------------------------------------ members */

static void
comma_unless_first(buf *out, char opening)
{
	if (out->len > 0 && out->ptr[out->len - 1] != opening)
		buf_byte(out, ',');
}

void
json_or_string(buf *out, text t)
{
	json v;

	if (json_check(t, JSON_DEPTH, &v, NULL))
		buf_text(out, v);
	else
		json_string(out, t);
}

void
json_element(buf *out)
{
	comma_unless_first(out, '[');
}

void
json_member(buf *out, const char *name)
{
	comma_unless_first(out, '{');
	buf_byte(out, '"');
	buf_str(out, name);
	buf_str(out, "\":");
}

void
json_member_text(buf *out, const char *name, text value)
{
	json_member(out, name);
	json_string(out, value);
}

void
json_member_json(buf *out, const char *name, json v)
{
	if (v.len == 0)
		return;
	json_member(out, name);
	buf_text(out, v);
}

void
json_member_uint(buf *out, const char *name, uint64_t value)
{
	char digits[20];
	size_t at = sizeof(digits);

	do
		digits[--at] = (char)('0' + value % 10);
	while ((value /= 10) > 0);
	json_member(out, name);
	buf_add(out, digits + at, sizeof(digits) - at);
}

void
json_member_bool(buf *out, const char *name, bool value)
{
	json_member(out, name);
	buf_str(out, value ? "true" : "false");
}

/* ------------------------------------------------------------- layout */

/* Takes the next token off *rest: a string, a number or word, or one of
 * []{}:, -- each step that returns true makes *rest shorter. */
static bool
next_token(text *rest, text *token)
{
	size_t i = 0;

	*rest = text_trim(*rest);
	if (rest->len == 0)
		return false;
	if (rest->ptr[0] == '"') {
		for (i = 1; i < rest->len && rest->ptr[i] != '"'; i++)
			i += rest->ptr[i] == '\\';
		i++;
	} else if (memchr("[]{}:,", rest->ptr[0], 6)) {
		i = 1;
	} else {
		while (i < rest->len && !memchr("]},: \t\r\n", rest->ptr[i], 8))
			i++;
	}
	*token = text_sub(*rest, 0, i);
	*rest = text_sub(*rest, i, rest->len);
	return true;
}

static void
new_line(buf *out, size_t depth)
{
	buf_byte(out, '\n');
	while (depth-- > 0 && !out->bad)
		buf_add(out, "  ", 2);
}

/* An empty array or object stays on its line: its end follows at once. */
static bool
ends_at_once(text rest)
{
	rest = text_trim(rest);
	return rest.len && (rest.ptr[0] == ']' || rest.ptr[0] == '}');
}

void
json_pretty(buf *out, json v)
{
	size_t depth = 0;
	text token;
	char last = 0;

	while (!out->bad && next_token(&v, &token)) {
		char c = token.ptr[0];

		if ((c == ']' || c == '}') && last != '[' && last != '{')
			new_line(out, depth -= depth > 0);
		buf_text(out, token);
		if ((c == '[' || c == '{') && !ends_at_once(v))
			new_line(out, ++depth);
		else if (c == ',')
			new_line(out, depth);
		else if (c == ':')
			buf_byte(out, ' ');
		last = c;
	}
}

void
json_compact(buf *out, json v)
{
	text token;

	while (!out->bad && next_token(&v, &token))
		buf_text(out, token);
}
