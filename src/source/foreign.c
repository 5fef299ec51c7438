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
} kinds[] = {
#define FOREIGN(kind, looks, advice) {looks, advice},
#define BEGINS(kind, prefix)
#define LANGUAGES(kind, names)
#include "foreign.def"
#undef FOREIGN
#undef BEGINS
};

static const struct {
	foreign kind;
	const char *prefix;
} beginnings[] = {
#define FOREIGN(kind, looks, advice)
#define BEGINS(kind, prefix) {FOREIGN_##kind, prefix},
#include "foreign.def"
#undef BEGINS
#undef LANGUAGES
};

static const struct {
	foreign kind;
	const char *names;
} languages[] = {
#define BEGINS(kind, prefix)
#define LANGUAGES(kind, names) {FOREIGN_##kind, names},
#include "foreign.def"
#undef FOREIGN
#undef BEGINS
#undef LANGUAGES
};

/* ------------------------------------------------------------------ words */

static bool
is_ascii_letter(char c)
{
	return (c | 0x20) >= 'a' && (c | 0x20) <= 'z';
}

static bool
is_word_byte(char c)
{
	return is_ascii_letter(c) || (c >= '0' && c <= '9') || c == '_' ||
	       c == '-';
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

/* Does the list have the word? any_case: its letters may be large. */
static bool
is_listed(text word, const char *list, bool any_case)
{
	char key[20];
	size_t len = word.len;

	if (len == 0 || len + 2 > sizeof(key))
		return false;
	key[0] = key[len + 1] = ' ';
	for (size_t i = 0; i < len; i++)
		key[i + 1] =
		    (char)(any_case ? word.ptr[i] | 0x20 : word.ptr[i]);
	return text_find(text_of(list), (text){key, len + 2}, 0) != SIZE_MAX;
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
		n += is_ascii_letter(line.ptr[i]) &&
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

static foreign
look_shell(text line)
{
	static const char sure[] =
	    " ls cd pwd cat echo git npm npx pip pip3 python python3 curl wget "
	    "grep rg mkdir rm cp mv chmod sudo docker kubectl gh cargo sed awk "
	    "ssh tar apt apt-get brew bash sh ps whoami jq psql sqlite3 ";
	static const char unsure[] = " find make go head tail sort which cat "
				     "export source node env diff touch date ";
	text word = word_at_start(line), rest = text_behind(line, word);
	bool listed = is_listed(word, sure, false);

	if (rest.len == 0)
		return listed ? FOREIGN_SHELL : FOREIGN_NOT;
	if (line.ptr[word.len] != ' ' || strchr("=(:?", rest.ptr[0]) ||
	    (text_ends(rest, TEXT(";")) && has_part(rest, "(")))
		return FOREIGN_NOT;
	/* These words also begin sentences and programs. */
	if (is_listed(word, unsure, false))
		listed =
		    count_of(rest, "-/|*$~\"'&>") > 0 || words_in(rest) == 1;
	return listed ? FOREIGN_SHELL : FOREIGN_NOT;
}

static foreign
look_sql(text t)
{
	text rest = text_trim(t), word = word_at_start(rest);

	if (!is_listed(word,
		" select insert update delete create alter drop with explain "
		"pragma truncate ",
		true))
		return FOREIGN_NOT;
	rest = text_behind(rest, word);
	if (rest.len == 0 ||
	    (!is_ascii_letter(rest.ptr[0]) && !strchr("*\"`", rest.ptr[0])))
		return FOREIGN_NOT;
	for (size_t i = 0; i < 200 && rest.len > 0; i++) {
		word = word_at_start(rest);
		if (is_listed(word,
			" from into set table where values index view as ",
			true))
			return FOREIGN_SQL;
		rest = text_behind(
		    rest, word.len > 0 ? word : text_sub(rest, 0, 1));
	}
	return FOREIGN_NOT;
}

static bool
is_python_line(text line)
{
	text word = word_at_start(line), rest = text_behind(line, word);

	if (text_ends(line, TEXT(":")) &&
	    is_listed(word,
		" if elif else for while try except finally with def class "
		"async ",
		false))
		return true;
	if (text_eq(word, TEXT("import")))
		return rest.len > 0 && is_ascii_letter(rest.ptr[0]) &&
		       count_of(rest, "'\"") == 0 && !has_part(rest, " from ");
	if (text_eq(word, TEXT("from")))
		return has_part(rest, " import ");
	return text_starts(line, TEXT("print(f\"")) ||
	       text_starts(line, TEXT("print(f'")) ||
	       is_listed(word, " pass elif ", false);
}

static foreign
look_python(text t)
{
	text rest = t, line;
	int lines = 0;

	while (lines < LINES_MAX && text_line(&rest, &line)) {
		line = text_trim(line);
		lines += line.len > 0;
		if (is_python_line(line))
			return FOREIGN_PYTHON;
	}
	return FOREIGN_NOT;
}

static foreign
look_beginning(text line)
{
	if (line.len > 2 && line.ptr[0] == '<' &&
	    (is_ascii_letter(line.ptr[1]) || strchr("!?/|", line.ptr[1])))
		return text_starts(line, TEXT("<?php")) ? FOREIGN_OTHER
							: FOREIGN_MARKUP;
	for (size_t i = 0; i < sizeof(beginnings) / sizeof(*beginnings); i++)
		if (text_starts(line, text_of(beginnings[i].prefix)))
			return beginnings[i].kind;
	return FOREIGN_NOT;
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
	    (!is_ascii_letter(bare.ptr[0]) &&
		!((unsigned char)bare.ptr[0] & 0x80)))
		return FOREIGN_NOT;
	if (!text_ends(bare, TEXT(".")) && !text_ends(bare, TEXT(":")) &&
	    is_listed(word_at_start(bare),
		" const let var function async await return if for while class "
		"try throw switch type interface export import ",
		false))
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
	kind = kind ? kind : look_sql(t);
	kind = kind ? kind : look_python(t);
	kind = kind ? kind : look_shell(line);
	return kind ? kind : look_prose(t);
}

foreign
foreign_language(text language)
{
	for (size_t i = 0; i < sizeof(languages) / sizeof(*languages); i++)
		if (is_listed(language, languages[i].names, true))
			return languages[i].kind;
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
	return name.len > 0 && is_ascii_letter(name.ptr[0]) &&
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
