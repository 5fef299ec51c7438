/* SPDX-License-Identifier: MIT */
/*
 * serve_cut.c -- a value that is too long for an answer, cut so that it stays
 * JSON: strings end early, lists and objects end after the members that fit.
 */
#include "serve_tool.h"

enum {
	CUT_DEPTH = 16, /* levels of lists in lists that are cut into */
	CUT_LEAST = 40  /* bytes: less of a member is not worth showing */
};

/* The beginning of a string, without half an escape. */
static void
cut_string(buf *out, json v, size_t max)
{
	text raw = text_sub(v, 1, v.len - 1);
	size_t at = 0, next = 0;

	while (next + 2 <= max && next < raw.len) {
		at = next;
		json_char(raw, &next);
	}
	buf_byte(out, '"');
	buf_text(out, text_sub(raw, 0, at));
	buf_byte(out, '"');
}

static bool
can_be_cut(json v)
{
	json_kind kind = json_kind_of(v);

	return kind == JSON_STRING || kind == JSON_ARRAY || kind == JSON_OBJECT;
}

/* Whole members while they fit, then the beginning of the next one. */
static void
cut_members(buf *out, json v, size_t max, unsigned depth)
{
	json_iter it = json_each(v);
	size_t end = out->len + max - 1; /* where the last bracket may stand */
	json key, value;

	buf_byte(out, v.ptr[0]);
	while (!out->bad && json_next(&it, &key, &value)) {
		bool first = out->ptr[out->len - 1] == v.ptr[0];
		size_t head = !first + (key.len ? key.len + 1 : 0);
		size_t room = end - out->len;
		bool fits = head + value.len <= room;

		if (!fits && (head + CUT_LEAST > room || depth == CUT_DEPTH ||
				 !can_be_cut(value)))
			break;
		if (!first)
			buf_byte(out, ',');
		buf_text(out, key);
		if (key.len)
			buf_byte(out, ':');
		if (fits) {
			buf_text(out, value);
			continue;
		}
		if (json_kind_of(value) == JSON_STRING)
			cut_string(out, value, room - head);
		else
			cut_members(out, value, room - head, depth + 1);
		break;
	}
	buf_byte(out, v.ptr[0] == '[' ? ']' : '}');
}

size_t
serve_cut_value(buf *out, json v, size_t max)
{
	size_t from = out->len;

	if (v.len <= max)
		buf_text(out, v);
	else if (max >= 2 && json_kind_of(v) == JSON_STRING)
		cut_string(out, v, max);
	else if (max >= 2 && can_be_cut(v))
		cut_members(out, v, max, 0);
	return v.len - (out->len - from);
}
