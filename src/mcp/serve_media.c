/* SPDX-License-Identifier: MIT */
/*
 * serve_media.c -- see serve_media.h.
 *
 * A model reads base64 as text, at a token for three characters, and sees
 * nothing. As a block it sees the picture.
 */
#include "serve_media.h"

enum { WALK_DEPTH = 100 }; /* deeper ones are left as they are */

static const char *const replaced = "(a block of this answer)";

static bool
is_base64_string(json string)
{
	for (size_t i = 1; i + 1 < string.len; i++) {
		char c = string.ptr[i];

		if (!is_ascii_word((unsigned char)c) && c != '+' && c != '/' &&
		    c != '=')
			return false;
	}
	return string.len > 2;
}

static bool
is_media_block(json v)
{
	json type = json_get(v, TEXT("type"));
	json mime = json_get(v, TEXT("mimeType"));
	json data = json_get(v, TEXT("data"));

	return json_kind_of(data) == JSON_STRING && is_base64_string(data) &&
	       ((json_is(type, TEXT("image")) &&
		    text_starts(mime, TEXT("\"image/"))) ||
		   (json_is(type, TEXT("audio")) &&
		       text_starts(mime, TEXT("\"audio/"))));
}

static void
put_without_data(buf *out, json block)
{
	json_iter it = json_each(block);
	json key, member;

	buf_byte(out, '{');
	while (json_next(&it, &key, &member)) {
		if (out->len > 0 && out->ptr[out->len - 1] != '{')
			buf_byte(out, ',');
		buf_text(out, key);
		buf_byte(out, ':');
		if (json_is(key, TEXT("data")))
			json_string(out, text_of(replaced));
		else
			buf_text(out, member);
	}
	buf_byte(out, '}');
}

static void
put_replacing_media(buf *out, json v, serve_media *found, unsigned depth)
{
	json_iter it = json_each(v);
	bool object = json_kind_of(v) == JSON_OBJECT, comma = false;
	json key, member;

	if ((!object && json_kind_of(v) != JSON_ARRAY) || depth == WALK_DEPTH) {
		buf_text(out, v);
		return;
	}
	if (found->len < SERVE_MEDIA_MAX && is_media_block(v)) {
		found->block[found->len++] = v;
		put_without_data(out, v);
		return;
	}
	buf_byte(out, object ? '{' : '[');
	while (json_next(&it, &key, &member)) {
		buf_str(out, comma ? "," : "");
		buf_text(out, key);
		buf_str(out, object ? ":" : "");
		put_replacing_media(out, member, found, depth + 1);
		comma = true;
	}
	buf_byte(out, object ? '}' : ']');
}

void
serve_take_media(buf *out, json value, serve_media *found)
{
	found->len = 0;
	if (text_find(value, TEXT("\"mimeType\""), 0) == SIZE_MAX)
		buf_text(out, value);
	else
		put_replacing_media(out, value, found, 0);
}
