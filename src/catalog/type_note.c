/* SPDX-License-Identifier: MIT */
/*
 * type_note.c -- what a type cannot say, said in comments: the description, and
 * one line of tags for ranges, patterns and defaults.
 *
 * Everything here comes from a server and ends up in a line comment; so control
 * characters and line terminators are removed.
 */
#include "type_write.h"

enum { TAG_MAX = 80 };

/* ------------------------------------------------------- descriptions */

/* The length of the line terminator at i; 0: none. U+2028 and U+2029 end a
 * comment too. */
static size_t
terminator(text s, size_t i)
{
	if (s.ptr[i] == '\n' || s.ptr[i] == '\r')
		return 1;
	if (s.len - i >= 3 && !memcmp(s.ptr + i, "\xe2\x80", 2) &&
	    ((unsigned char)s.ptr[i + 2] | 1) == 0xa9)
		return 3;
	return 0;
}

/* Control characters do nothing good in a source or on a terminal. */
static void
add_clean(buf *out, text s)
{
	for (size_t i = 0; i < s.len; i++) {
		unsigned char c = (unsigned char)s.ptr[i];

		buf_byte(out, c < 0x20 || c == 0x7f ? ' ' : s.ptr[i]);
	}
}

static void
note_line(typing *t, const char *before, text line)
{
	line = text_trim(line);
	if (line.len == 0)
		return;
	type_line_break(t);
	buf_str(t->out, "// ");
	buf_str(t->out, before);
	add_clean(t->out, line);
}

static void
note_text(typing *t, const char *before, text s)
{
	size_t from = 0, i = 0, n;

	while (i < s.len && !t->out->bad) {
		n = terminator(s, i);
		if (n) {
			note_line(t, before, text_sub(s, from, i));
			from = i + n;
		}
		i += n ? n : 1;
	}
	note_line(t, before, text_sub(s, from, s.len));
}

/* Ends a scratch buffer. That something was too long for it is no fault, that
 * there was no memory is one of the whole type. */
static void
scratch_fini(typing *t, buf *s)
{
	if (s->bad == CM_ENOMEM && !t->out->bad)
		t->out->bad = CM_ENOMEM;
	buf_fini(s);
}

static void
note_description(typing *t, const char *before, json schema)
{
	json description = type_facet(t, schema, "description");
	buf s = BUF_INIT(t->out->alloc, TS_TYPE_MAX);

	if (json_unescape(description, &s) && !s.bad)
		note_text(t, before, buf_view(&s));
	scratch_fini(t, &s);
}

/* --------------------------------------------------------------- tags */

static const char *const bounds[] = {"minimum", "exclusiveMinimum", "maximum",
    "exclusiveMaximum", "multipleOf", "minLength", "maxLength", "pattern",
    "format", "minItems", "maxItems"};

static bool
has_controls(text s)
{
	for (size_t i = 0; i < s.len; i++)
		if ((unsigned char)s.ptr[i] < 0x20 || terminator(s, i))
			return true;
	return false;
}

/* " @name value", unless it is too long to help. */
static void
add_tag(buf *tags, const char *name, text value)
{
	if (strlen(name) + value.len + 2 > TAG_MAX || has_controls(value))
		return;
	buf_str(tags, " @");
	buf_str(tags, name);
	if (value.len)
		buf_byte(tags, ' ');
	buf_text(tags, value);
}

/* In draft 4 exclusiveMinimum is true and the bound is in minimum. */
static const char *
exclusive_name(typing *t, json schema, const char *name)
{
	static const char *const pairs[][2] = {
	    {"minimum", "exclusiveMinimum"}, {"maximum", "exclusiveMaximum"}};

	for (size_t i = 0; i < 2; i++)
		if (!strcmp(name, pairs[i][0]) &&
		    json_bool(type_facet(t, schema, pairs[i][1]), false))
			return pairs[i][1];
	return name;
}

static void
add_bound(typing *t, buf *tags, json schema, const char *name)
{
	json value = type_facet(t, schema, name);
	buf s = BUF_INIT(tags->alloc, TAG_MAX);

	if (json_kind_of(value) == JSON_NUMBER) {
		add_tag(tags, exclusive_name(t, schema, name), value);
	} else if (json_unescape(value, &s) && !s.bad && s.len) {
		add_tag(tags, name, buf_view(&s));
	}
	scratch_fini(t, &s);
}

static void
add_default(typing *t, buf *tags, json schema)
{
	json value = type_facet(t, schema, "default");
	buf s = BUF_INIT(tags->alloc, TAG_MAX);

	if (value.len && json_kind_of(value) != JSON_NULL) {
		json_compact(&s, value);
		if (!s.bad)
			add_tag(tags, "default", buf_view(&s));
	}
	scratch_fini(t, &s);
}

static void
note_tags(typing *t, json schema)
{
	buf tags = BUF_INIT(t->out->alloc, TS_TYPE_MAX);

	if (json_is(type_facet(t, schema, "type"), TEXT("integer")))
		add_tag(&tags, "integer", TEXT_NONE);
	for (size_t i = 0; i < sizeof(bounds) / sizeof(bounds[0]); i++)
		add_bound(t, &tags, schema, bounds[i]);
	if (json_bool(type_facet(t, schema, "uniqueItems"), false))
		add_tag(&tags, "uniqueItems", TEXT_NONE);
	add_default(t, &tags, schema);
	if (json_bool(type_facet(t, schema, "deprecated"), false))
		add_tag(&tags, "deprecated", TEXT_NONE);
	note_line(t, "", buf_view(&tags));
	scratch_fini(t, &tags);
}

void
type_note(typing *t, json schema)
{
	json items = json_get(schema, TEXT("items"));

	if (t->detail->notes == TS_NO_NOTES ||
	    json_kind_of(schema) != JSON_OBJECT)
		return;
	note_description(t, "", schema);
	note_description(t, "each: ", items);
	if (t->detail->notes == TS_ALL_NOTES)
		note_tags(t, schema);
}
