/* SPDX-License-Identifier: MIT */
/*
 * config_edit.c -- insertions and cuts in a text, at places that its JSON
 * (config_text.h) knows.
 *
 * A place may be misjudged, for example in a file of an unusual shape. So the
 * caller reads the new text again and compares (config_add.c).
 */
#include "config_edit.h"

/* -------------------------------------------------------------------- JSON */

/* The bytes between the beginning of the line of at and its first other
 * character. */
static text
indent_of(text raw, size_t at)
{
	size_t from = at, to;

	while (from > 0 && raw.ptr[from - 1] != '\n')
		from--;
	for (to = from; to < raw.len; to++)
		if (raw.ptr[to] != ' ' && raw.ptr[to] != '\t')
			break;
	return text_sub(raw, from, to);
}

/* One level of indentation, as the file has it. */
static const char *
indent_unit(text raw)
{
	return text_find(raw, TEXT("\n\t"), 0) != SIZE_MAX ? "\t" : "  ";
}

/* What stands behind the last member of an object, up to its brace at close. */
typedef struct object_end {
	bool comma;  /* a trailing one */
	size_t line; /* where the line of the last value ends; SIZE_MAX: the
	                brace stands in the same line */
} object_end;

static object_end
look_behind_member(text raw, size_t at, size_t close)
{
	object_end end = {false, SIZE_MAX};

	while (at < close) {
		size_t next = json_comment_end(raw, at);

		if (next == at) {
			if (raw.ptr[at] == ',')
				end.comma = true;
			if (raw.ptr[at] == '\n' && end.line == SIZE_MAX)
				end.line = at;
			next++;
		}
		at = next;
	}
	return end;
}

/* The end of the last value in the object; *key: where its name begins. 0: the
 * object is empty. */
static size_t
last_member(const config_text *t, json object, size_t *key)
{
	json_iter it = json_each(object);
	json name, value;
	size_t end = 0;

	while (json_next(&it, &name, &value)) {
		end = (size_t)(value.ptr - t->base) + value.len;
		*key = (size_t)(name.ptr - t->base);
	}
	return end;
}

static void
put_member(buf *out, const char *name, const char *value)
{
	json_string(out, text_of(name));
	buf_printf(out, ": %s", value);
}

static void
add_to_empty(const config_text *t, json object, const char *name,
    const char *value, buf *out)
{
	size_t open = (size_t)(object.ptr - t->base);
	text indent = indent_of(t->raw, open);

	buf_text(out, text_sub(t->raw, 0, open + 1));
	buf_printf(out, "\n%.*s%s", TEXT_ARG(indent), indent_unit(t->raw));
	put_member(out, name, value);
	buf_printf(out, "\n%.*s", TEXT_ARG(indent));
	buf_text(out, text_sub(t->raw, open + object.len - 1, t->raw.len));
}

void
edit_json_add(const config_text *t, json object, const char *name,
    const char *value, buf *out)
{
	size_t key = 0, last = last_member(t, object, &key);
	size_t close = (size_t)(object.ptr - t->base) + object.len - 1, at;
	object_end end;

	if (last == 0) {
		add_to_empty(t, object, name, value, out);
		return;
	}
	end = look_behind_member(t->raw, last, close);
	at = end.line == SIZE_MAX ? last : end.line;
	buf_text(out, text_sub(t->raw, 0, last));
	if (!end.comma || at == last)
		buf_byte(out, ',');
	buf_text(out, text_sub(t->raw, last, at));
	if (end.line != SIZE_MAX)
		buf_printf(out, "\n%.*s", TEXT_ARG(indent_of(t->raw, key)));
	else
		buf_byte(out, ' ');
	put_member(out, name, value);
	if (end.comma && at != last)
		buf_byte(out, ',');
	buf_text(out, text_sub(t->raw, at, t->raw.len));
}

void
edit_json_replace(const config_text *t, json old, const char *value, buf *out)
{
	size_t at = (size_t)(old.ptr - t->base);

	buf_text(out, text_sub(t->raw, 0, at));
	buf_str(out, value);
	buf_text(out, text_sub(t->raw, at + old.len, t->raw.len));
}

/* -------------------------------------------------------------------- TOML */

static void
break_last_line(buf *out)
{
	if (out->len > 0 && !text_ends(buf_view(out), TEXT("\n")))
		buf_byte(out, '\n');
}

void
edit_toml_add(const config_text *t, const char *root, const char *name,
    const char *lines, buf *out)
{
	buf_text(out, t->raw);
	break_last_line(out);
	buf_printf(
	    out, "%s[%s.%s]\n%s", out->len > 0 ? "\n" : "", root, name, lines);
}

/* "[root.name]" or "[root.name.more]". */
static bool
is_table_of(text line, const char *root)
{
	size_t len = strlen(root);

	return line.len > len + 2 && line.ptr[0] == '[' &&
	       text_starts(text_sub(line, 1, line.len), text_of(root)) &&
	       line.ptr[len + 1] == '.';
}

void
edit_toml_cut(const config_text *t, const char *root, buf *out)
{
	text rest = t->raw;
	bool cut = false;

	while (rest.len > 0) {
		size_t end = text_find(rest, TEXT("\n"), 0);
		text line = text_sub(rest, 0, end == SIZE_MAX ? end : end + 1);
		text words = text_trim(line);

		if (words.len > 0 && words.ptr[0] == '[')
			cut = is_table_of(words, root);
		if (!cut)
			buf_text(out, line);
		rest = text_sub(rest, line.len, rest.len);
	}
}

/* -------------------------------------------------------------------- YAML */

/* The offset at which the next line begins (line 1 is the first). */
static size_t
behind_line(const config_text *t, unsigned line)
{
	size_t at = 0;

	while (line-- > 0 && at < t->raw.len) {
		at = text_find(t->raw, TEXT("\n"), at);
		at = at == SIZE_MAX ? t->raw.len : at + 1;
	}
	return at;
}

/* Where the line behind `root:` begins; 0: there is no such block. */
static size_t
behind_root(const config_text *t, const char *root)
{
	json_iter it = json_each(t->document);
	json name, value;

	while (json_next(&it, &name, &value))
		if (json_is(name, text_of(root)))
			return behind_line(t, config_text_line(t, name.ptr));
	return 0;
}

void
edit_yaml_add(const config_text *t, const char *root, const char *name,
    const char *lines, buf *out)
{
	size_t at = behind_root(t, root);
	text indent =
	    at > 0 && at < t->raw.len ? indent_of(t->raw, at) : TEXT("  ");
	text rest = text_of(lines), line;

	if (indent.len == 0)
		indent = TEXT("  ");
	buf_text(out, at > 0 ? text_sub(t->raw, 0, at) : t->raw);
	break_last_line(out);
	if (at == 0)
		buf_printf(out, "%s:\n", root);
	buf_printf(out, "%.*s%s:\n", TEXT_ARG(indent), name);
	while (text_line(&rest, &line))
		if (line.len > 0)
			buf_printf(out, "%.*s  %.*s\n", TEXT_ARG(indent),
			    TEXT_ARG(line));
	if (at > 0)
		buf_text(out, text_sub(t->raw, at, t->raw.len));
}

/* Does the line belong to a member whose key has a smaller indent? */
static bool
is_deeper(text line, size_t indent)
{
	size_t at = 0;

	while (at < line.len && line.ptr[at] == ' ')
		at++;
	return at > indent && text_trim(line).len > 0;
}

/* The end of the member whose key is in the line at `at`: behind the last line
 * with a larger indent. */
static size_t
end_of_yaml_member(text raw, size_t at)
{
	size_t indent = indent_of(raw, at).len, end = SIZE_MAX;

	for (;;) {
		size_t next = text_find(raw, TEXT("\n"), at);
		text line;

		next = next == SIZE_MAX ? raw.len : next + 1;
		line = text_sub(raw, at, next);
		if (end != SIZE_MAX && text_trim(line).len > 0 &&
		    !is_deeper(line, indent))
			return end;
		if (end == SIZE_MAX || is_deeper(line, indent))
			end = next;
		if (next == raw.len)
			return end;
		at = next;
	}
}

void
edit_yaml_cut(const config_text *t, const char *root,
    bool (*cut)(json name, json value), buf *out)
{
	json_iter it = json_each(json_get(t->document, text_of(root)));
	size_t block = behind_root(t, root), from = 0;
	json name, value;

	while (json_next(&it, &name, &value)) {
		size_t at = behind_line(t, config_text_line(t, name.ptr) - 1);

		if (at < block || at < from || !cut(name, value))
			continue;
		buf_text(out, text_sub(t->raw, from, at));
		from = end_of_yaml_member(t->raw, at);
	}
	buf_text(out, text_sub(t->raw, from, t->raw.len));
}
