/* SPDX-License-Identifier: MIT */
/*
 * json_write.c -- JSON out: strings quoted, values laid out anew.
 *
 * Layout changes white space between tokens and nothing else, so numbers keep
 * their text and strings their escapes. It too trusts its input to be checked.
 * What is written may meet its buffer's maximum; the buffer remembers that.
 */
#include "json.h"

#include "swar.h"

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
	char c[] = {'\\', 'u', '0', '0', '0', '0'};
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
		c[4] = s.ptr[i] & 0x10 ? '1' : '0';
		c[5] = "0123456789abcdef"[s.ptr[i] & 0xf];
		buf_add(out, c, sizeof(c));
	}
	return 1;
}

/* The offset of the first byte at or after i that must be escaped. */
static size_t
next_escape(text s, size_t i)
{
	uint64_t stops = 0;

	while (s.len - i >= 8 &&
	       !(stops = swar_string_stops(swar_load(s.ptr + i))))
		i += 8;
	if (stops)
		i += swar_first(stops);
	while (i < s.len && !needs_escape(s, i))
		i++;
	return i;
}

/* Copies a string without escapes; false: there is no room. */
static bool
copy_plain_string(buf *out, text s)
{
	char *to = buf_room(out, s.len + 2);

	if (!to)
		return false;
	to[0] = to[s.len + 1] = '"';
	if (s.len)
		memcpy(to + 1, s.ptr, s.len);
	out->len += s.len + 2;
	return true;
}

void
json_string(buf *out, text s)
{
	size_t from = 0, to = next_escape(s, 0);

	if (to == s.len && copy_plain_string(out, s))
		return;
	buf_byte(out, '"');
	for (; to < s.len; to = next_escape(s, from)) {
		buf_text(out, text_sub(s, from, to));
		from = to + write_escape(out, s, to);
	}
	buf_text(out, text_sub(s, from, to));
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

/* Appends "name": and returns where `more` bytes can be written behind it; NULL:
 * there is no room. */
static char *
put_member_name(buf *out, const char *name, size_t more)
{
	const size_t len = strlen(name);
	char *to;

	comma_unless_first(out, '{');
	to = buf_room(out, len + 3 + more);
	if (!to)
		return NULL;
	*to++ = '"';
	memcpy(to, name, len);
	memcpy(to + len, "\":", 2);
	out->len += len + 3;
	return to + len + 2;
}

void
json_member(buf *out, const char *name)
{
	put_member_name(out, name, 0);
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
	char digits[20], *to;
	size_t at = sizeof(digits);

	do
		digits[--at] = (char)('0' + value % 10);
	while ((value /= 10) > 0);
	to = put_member_name(out, name, sizeof(digits) - at);
	if (!to)
		return;
	memcpy(to, digits + at, sizeof(digits) - at);
	out->len += sizeof(digits) - at;
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
	size_t from = 0;
	bool inside = false;

	for (size_t i = 0; i < v.len; i++) {
		if (v.ptr[i] == '"') {
			inside = !inside;
		} else if (v.ptr[i] == '\\') {
			i++;
		} else if (!inside && json_is_space(v.ptr[i])) {
			buf_text(out, text_sub(v, from, i));
			from = i + 1;
		}
	}
	buf_text(out, text_sub(v, from, v.len));
}
