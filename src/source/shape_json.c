/* SPDX-License-Identifier: MIT */
/*
 * shape_json.c -- the shape of JSON in words, also of JSON that was cut off.
 *
 * To mend a cut text it is read once; the last place where it could be closed
 * is remembered, with the brackets that were open there.
 */
#include "shape.h"

enum { DEPTH_MAX = 64, KEYS_SHOWN = 8, TEXT_SHOWN = 30 };

typedef struct mend {
	text t;
	char open[DEPTH_MAX], safe_open[DEPTH_MAX];
	size_t depth, safe_depth;
	size_t safe; /* up to here it can be kept */
} mend;

static void
note_safe(mend *m, size_t at)
{
	m->safe = at;
	m->safe_depth = m->depth;
	memcpy(m->safe_open, m->open, m->depth);
}

static size_t
skip_cut_string(text t, size_t at)
{
	while (++at < t.len && t.ptr[at] != '"')
		at += t.ptr[at] == '\\';
	return at + 1;
}

static void
scan_json(mend *m)
{
	size_t at = 0;

	while (at < m->t.len) {
		char c = m->t.ptr[at];

		if (c == '"') {
			at = skip_cut_string(m->t, at);
			continue;
		}
		if (c == ',')
			note_safe(m, at);
		at++;
		if (c == '{' || c == '[') {
			if (m->depth == DEPTH_MAX)
				return;
			m->open[m->depth++] = c == '{' ? '}' : ']';
			note_safe(m, at);
		} else if ((c == '}' || c == ']') && m->depth > 0) {
			m->depth--;
			note_safe(m, at);
		}
	}
}

json
shape_mend(text t, buf *out)
{
	mend m = {.t = t};
	json v;

	if (json_check(t, JSON_DEPTH, &v, NULL))
		return v;
	scan_json(&m);
	if (m.safe == 0)
		return TEXT_NONE;
	buf_clear(out);
	buf_text(out, text_sub(t, 0, m.safe));
	while (m.safe_depth > 0)
		buf_byte(out, m.safe_open[--m.safe_depth]);
	return json_check(buf_view(out), JSON_DEPTH, &v, NULL) ? v : TEXT_NONE;
}

/* ------------------------------------------------------------------- words */

static void
put_keys(json v, buf *out)
{
	json_iter it = json_each(v);
	json key, value;
	size_t n = 0;

	if (json_len(v) == 0) {
		buf_str(out, "an empty object");
		return;
	}
	buf_str(out, json_len(v) == 1 ? "an object with the key "
				      : "an object with keys ");
	while (json_next(&it, &key, &value) && n < KEYS_SHOWN) {
		buf_str(out, n++ > 0 ? ", " : "");
		json_unescape(key, out);
	}
	if (json_len(v) > KEYS_SHOWN)
		buf_str(out, " ...");
}

static void
put_array(json v, buf *out)
{
	size_t n = json_len(v);
	json first = json_at(v, 0);

	if (n == 0) {
		buf_str(out, "an empty array");
		return;
	}
	buf_str(out, "an array");
	if (json_kind_of(first) != JSON_OBJECT)
		return;
	buf_str(out, " whose first element is ");
	put_keys(first, out);
}

static void
put_quoted(json v, buf *out)
{
	text inner = text_sub(v, 1, v.len - 1);

	buf_str(out, "the string \"");
	buf_text(out, text_head(inner, TEXT_SHOWN));
	buf_str(out, inner.len > TEXT_SHOWN ? "...\"" : "\"");
}

void
shape_tell(json v, buf *out)
{
	switch (json_kind_of(v)) {
	case JSON_OBJECT:
		put_keys(v, out);
		break;
	case JSON_ARRAY:
		put_array(v, out);
		break;
	case JSON_STRING:
		put_quoted(v, out);
		break;
	case JSON_NUMBER:
		buf_printf(out, "the number %.*s", TEXT_ARG(v));
		break;
	case JSON_MISSING:
		buf_str(out, "undefined");
		break;
	case JSON_NULL:
	case JSON_FALSE:
	case JSON_TRUE:
		buf_text(out, v);
		break;
	}
}

static bool
is_text_of_lines(json v)
{
	return json_kind_of(v) == JSON_STRING &&
	       text_find(v, TEXT("\\n"), 0) != SIZE_MAX;
}

bool
shape_to_list(json v, buf *out)
{
	bool is_object = json_kind_of(v) == JSON_OBJECT, found = false;
	json_iter it = json_each(v);
	json key, value = v;

	while (is_object && !found && json_next(&it, &key, &value))
		found = json_kind_of(value) == JSON_ARRAY;
	if (!found &&
	    (!is_text_of_lines(value) || (is_object && json_len(v) != 1)))
		return false;
	if (is_object)
		buf_printf(
		    out, ".%.*s", TEXT_ARG(text_sub(key, 1, key.len - 1)));
	if (!found)
		buf_str(out, ".split(\"\\n\")");
	return true;
}
