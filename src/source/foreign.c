/* SPDX-License-Identifier: MIT */
/*
 * foreign.c -- see foreign.h. Each kind has a function that looks for what only
 * that kind has; the first that finds it wins. A list of words is one text with
 * a blank around each word.
 */
#include "foreign.h"

#include <stdio.h>

enum { LINES_MAX = 30, CALL_SHOWN = 200 };

static const struct {
	const char *looks, *advice;
	const char *languages, *words; /* each with a blank around it */
} kinds[] = {
#define FOREIGN(kind, looks, advice, languages, words) \
	{looks, advice, languages, words},
#define BEGINS(kind, prefix)
#include "foreign.def"
#undef FOREIGN
#undef BEGINS
};

static const struct {
	foreign kind;
	const char *prefix;
} beginnings[] = {
#define FOREIGN(kind, looks, advice, languages, words)
#define BEGINS(kind, prefix) {FOREIGN_##kind, prefix},
#include "foreign.def"
#undef FOREIGN
#undef BEGINS
};

/* ------------------------------------------------------------------ words */

static bool
is_latin_letter(char c)
{
	return (c | 0x20) >= 'a' && (c | 0x20) <= 'z';
}

static bool
is_word_byte(char c)
{
	return is_ascii_word((unsigned char)c) || c == '-';
}

static text
word_at_start(text t)
{
	size_t n = 0;

	while (n < t.len && is_word_byte(t.ptr[n]))
		n++;
	return text_sub(t, 0, n);
}

static text
text_behind(text t, text word)
{
	return text_trim(text_sub(t, word.len, t.len));
}

static bool
is_listed(text word, const char *list)
{
	char key[20];
	int len = snprintf(key, sizeof(key), " %.*s ", TEXT_ARG(word));

	return len > 2 && (size_t)len < sizeof(key) &&
	       text_find(text_of(list), text_of(key), 0) != SIZE_MAX;
}

static bool
has_part(text t, const char *part)
{
	return text_find(t, text_of(part), 0) != SIZE_MAX;
}

static text
first_line_of(text t)
{
	text rest = text_trim(t), line = TEXT_NONE;

	text_line(&rest, &line);
	return text_trim(line);
}

static size_t
words_in(text line)
{
	size_t n = 0;

	for (size_t i = 0; i < line.len; i++)
		n += is_latin_letter(line.ptr[i]) &&
		     (i == 0 || line.ptr[i - 1] == ' ');
	return n;
}

static size_t
count_of(text line, const char *characters)
{
	size_t n = 0;

	for (size_t i = 0; i < line.len; i++)
		n += line.ptr[i] && strchr(characters, line.ptr[i]);
	return n;
}

/* ------------------------------------------------------------------- JSON */

/* The first member of v that one of the names has. */
static json
first_member(json v, const char *const *names)
{
	json found = TEXT_NONE;

	for (; *names && found.len == 0; names++)
		found = json_get(v, text_of(*names));
	return found;
}

/* The name and the arguments of a call in one of the forms in use. */
static bool
read_call(json v, json *name, json *arguments)
{
	static const char *const names[] = {
	    "tool", "name", "tool_name", "toolName", "recipient_name", NULL};
	static const char *const values[] = {"arguments", "args", "parameters",
	    "input", "params", "tool_input", NULL};
	static const char *const inner[] = {"tool_calls", "tool_uses", "calls",
	    "function", "tool_call", "params", NULL};

	for (int depth = 0; depth < 4 && v.len > 0; depth++) {
		if (json_kind_of(v) == JSON_ARRAY)
			v = json_at(v, 0);
		*name = first_member(v, names);
		*arguments = first_member(v, values);
		if (json_kind_of(*name) == JSON_STRING && arguments->len > 0)
			return true;
		v = first_member(v, inner);
	}
	return false;
}

static foreign
look_json(text t)
{
	json v, name, arguments;

	if (!json_check(t, JSON_DEPTH, &v, NULL) ||
	    json_kind_of(v) < JSON_ARRAY)
		return FOREIGN_NOT;
	return read_call(v, &name, &arguments) ? FOREIGN_CALL : FOREIGN_JSON;
}

/* --------------------------------------------------------- other languages */

/* A word of the kind, and then no operator and no call. */
static bool
begins_with_word(text line, foreign kind)
{
	text word = word_at_start(line), rest = text_behind(line, word);

	if (!is_listed(word, kinds[kind].words))
		return false;
	if (rest.len == 0)
		return kind == FOREIGN_SHELL;
	if (kind == FOREIGN_SHELL && text_ends(rest, TEXT(";")) &&
	    has_part(rest, "("))
		return false;
	return line.ptr[word.len] == ' ' && !strchr("=(:?", rest.ptr[0]);
}

/* A line that only Python has. */
static bool
is_python_line(text line)
{
	text word = word_at_start(line);

	if (text_starts(line, TEXT("import ")))
		return count_of(line, "'\"{(*") == 0;
	if (text_starts(line, TEXT("from ")))
		return has_part(line, " import ");
	return text_ends(line, TEXT(":")) &&
	       is_listed(word, kinds[FOREIGN_PYTHON].words);
}

static bool
has_python_line(text t)
{
	text line;

	for (int i = 0; i < LINES_MAX && text_line(&t, &line); i++)
		if (is_python_line(text_trim(line)))
			return true;
	return false;
}

static foreign
look_beginning(text line)
{
	for (size_t i = 0; i < sizeof(beginnings) / sizeof(*beginnings); i++)
		if (text_starts(line, text_of(beginnings[i].prefix)))
			return beginnings[i].kind;
	return line.len > 2 && line.ptr[0] == '<' &&
		       (is_latin_letter(line.ptr[1]) ||
			   strchr("!?/|", line.ptr[1]))
		   ? FOREIGN_MARKUP
		   : FOREIGN_NOT;
}

/* Words with spaces between, and hardly a sign that code needs. */
static foreign
look_prose(text t)
{
	text line = first_line_of(t), bare;

	/* A heading, and then a sentence. */
	if (text_starts(line, TEXT("#")) && words_in(line) < 3)
		line = first_line_of(text_behind(text_trim(t), line));
	bare = line;
	while (bare.len > 0 && strchr("#*->123456789. ", bare.ptr[0]))
		bare = text_sub(bare, 1, bare.len);
	if (words_in(bare) < 3 || bare.len == 0 ||
	    (!is_latin_letter(bare.ptr[0]) &&
		!((unsigned char)bare.ptr[0] & 0x80)))
		return FOREIGN_NOT;
	if (!text_ends(bare, TEXT(".")) && !text_ends(bare, TEXT(":")) &&
	    is_listed(word_at_start(bare),
		" const let var function async await return if for while class "
		"try throw switch type interface export import "))
		return FOREIGN_NOT;
	if (count_of(line, "={};()[]<>+&|\\$") > 1 || has_part(line, "=>") ||
	    has_part(line, "://"))
		return FOREIGN_NOT;
	return FOREIGN_PROSE;
}

foreign
foreign_look(text t)
{
	text line = first_line_of(t);
	foreign kind = look_json(t);

	kind = kind ? kind : look_beginning(line);
	if (kind != FOREIGN_NOT)
		return kind;
	if (begins_with_word(line, FOREIGN_SQL))
		return FOREIGN_SQL;
	if (has_python_line(t))
		return FOREIGN_PYTHON;
	if (begins_with_word(line, FOREIGN_SHELL))
		return FOREIGN_SHELL;
	return look_prose(t);
}

foreign
foreign_language(text language)
{
	for (unsigned kind = 0; kind < FOREIGN_KINDS; kind++)
		if (is_listed(language, kinds[kind].languages))
			return (foreign)kind;
	return FOREIGN_OTHER;
}

/* ------------------------------------------------------------------ telling */

/* Can the name stand behind "tools."? */
static bool
is_path(text name)
{
	for (size_t i = 0; i < name.len; i++)
		if (!is_word_byte(name.ptr[i]) && name.ptr[i] != '.')
			return false;
	return name.len > 0 && is_latin_letter(name.ptr[0]) &&
	       !memchr(name.ptr, '-', name.len);
}

static void
tell_call(text t, buf *out)
{
	buf name = BUF_INIT(out->alloc, 4096);
	json v, tool, arguments;

	buf_str(out, "return await tools");
	if (json_check(t, JSON_DEPTH, &v, NULL) &&
	    read_call(v, &tool, &arguments) && json_unescape(tool, &name)) {
		if (is_path(buf_view(&name)))
			buf_printf(out, ".%.*s", TEXT_ARG(buf_view(&name)));
		else
			buf_printf(out, "[%.*s]", TEXT_ARG(tool));
		if (arguments.len <= CALL_SHOWN)
			buf_printf(out, "(%.*s)", TEXT_ARG(arguments));
		else
			buf_str(out, "({ ... })");
	} else {
		buf_str(out, ".name({ ... })");
	}
	buf_fini(&name);
}

void
foreign_tell(foreign kind, text t, buf *out)
{
	buf_printf(out, "this is not JavaScript: it looks like %s. %s",
	    kinds[kind].looks, kinds[kind].advice);
	if (kind == FOREIGN_CALL) {
		buf_str(out, ": ");
		tell_call(t, out);
		return;
	}
	buf_str(out, ". A script is the body of an async function, e.g. "
		     "const r = await tools.name({ ... }); return r");
}
