/* SPDX-License-Identifier: MIT */
/*
 * foreign.c -- see foreign.h. Each kind has a function that looks for what only
 * that kind has; the first that finds it wins.
 */
#include "foreign.h"

#include <stdio.h>

enum { LINES_MAX = 30, CALL_SHOWN = 200 };

static const struct {
	const char *looks, *advice;
} kinds[] = {
#define FOREIGN(kind, looks, advice) {looks, advice},
#include "foreign.def"
#undef FOREIGN
};

/* ------------------------------------------------------------------ words */

static bool
is_ascii_letter(char c)
{
	return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z');
}

static bool
is_word_char(char c)
{
	return is_ascii_letter(c) || (c >= '0' && c <= '9') || c == '_' ||
	       c == '-';
}

static text
word_at_start(text t)
{
	size_t n = 0;

	while (n < t.len && is_word_char(t.ptr[n]))
		n++;
	return text_sub(t, 0, n);
}

static text
text_behind(text t, text word)
{
	return text_trim(text_sub(t, word.len, t.len));
}

static bool
same_word_in_any_case(text a, const char *b)
{
	size_t i;

	for (i = 0; i < a.len && b[i]; i++)
		if (a.ptr[i] != b[i] && (a.ptr[i] | 0x20) != b[i])
			return false;
	return i == a.len && !b[i];
}

/* Is it one of them? In any case of letters. */
static bool
is_word_of(text word, const char *const *list)
{
	for (; *list; list++)
		if (same_word_in_any_case(word, *list))
			return true;
	return false;
}

/* The same, but only as it stands in the list. */
static bool
is_exactly_one_of(text word, const char *const *list)
{
	for (; *list; list++)
		if (text_eq(word, text_of(*list)))
			return true;
	return false;
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

static json
first_member(json v, const char *const *keys)
{
	json found = TEXT_NONE;

	for (; *keys && found.len == 0; keys++)
		found = json_get(v, text_of(*keys));
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

	for (int depth = 0; depth < 4; depth++) {
		if (json_kind_of(v) == JSON_ARRAY)
			v = json_at(v, 0);
		*name = first_member(v, names);
		*arguments = first_member(v, values);
		if (json_kind_of(*name) == JSON_STRING && arguments->len > 0)
			return true;
		v = first_member(v, inner);
		if (v.len == 0)
			break;
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

/* ------------------------------------------------------------------ shell */

static const char *const commands[] = {"ls", "cd", "pwd", "cat", "echo", "git",
    "npm", "npx", "pnpm", "yarn", "pip", "pip3", "python", "python3", "node",
    "curl", "wget", "grep", "rg", "find", "mkdir", "rm", "rmdir", "cp", "mv",
    "touch", "chmod", "chown", "sudo", "docker", "kubectl", "gh", "make",
    "cargo", "go", "head", "tail", "sed", "awk", "wc", "sort", "which",
    "export", "source", "ps", "kill", "ssh", "scp", "tar", "unzip", "apt",
    "apt-get", "brew", "bash", "sh", "zsh", "env", "df", "du", "man", "whoami",
    "date", "uname", "jq", "psql", "sqlite3", "systemctl", "tree", "xargs",
    "tee", "diff", "less", "clear", "exit", "set", NULL};

/* Words that also begin sentences and programs. */
static const char *const common[] = {"find", "make", "go", "head", "tail",
    "sort", "which", "export", "source", "kill", "date", "tree", "man", "set",
    "exit", "clear", "less", "touch", "cat", "node", "env", "diff", NULL};

static bool
is_shell_line(text line)
{
	text word, rest;

	if (text_starts(line, TEXT("$ ")) ||
	    text_starts(line, TEXT("#!/bin")) ||
	    text_starts(line, TEXT("#!/usr/bin/env bash")))
		return true;
	word = word_at_start(line);
	if (!is_exactly_one_of(word, commands))
		return false;
	rest = text_sub(line, word.len, line.len);
	if (rest.len > 0 && rest.ptr[0] != ' ')
		return false;
	rest = text_trim(rest);
	if (rest.len == 0)
		return !is_exactly_one_of(word, common) || line.len == word.len;
	if (strchr("=(:?", rest.ptr[0]) ||
	    (text_ends(rest, TEXT(";")) && has_part(rest, "(")))
		return false;
	if (!is_exactly_one_of(word, common))
		return true;
	return count_of(rest, "-/|*$~\"'&>") > 0 || words_in(rest) == 1;
}

static foreign
look_shell(text t)
{
	return is_shell_line(first_line_of(t)) ? FOREIGN_SHELL : FOREIGN_NOT;
}

/* -------------------------------------------------------------------- SQL */

static foreign
look_sql(text t)
{
	static const char *const verbs[] = {"select", "insert", "update",
	    "delete", "create", "alter", "drop", "with", "explain", "pragma",
	    "truncate", NULL};
	static const char *const marks[] = {"from", "into", "set", "table",
	    "where", "values", "index", "view", "as", NULL};
	text line = text_trim(t), word = word_at_start(line), rest;

	if (!is_word_of(word, verbs))
		return FOREIGN_NOT;
	rest = text_behind(line, word);
	if (rest.len == 0 ||
	    (!is_ascii_letter(rest.ptr[0]) && !strchr("*\"`", rest.ptr[0])))
		return FOREIGN_NOT;
	for (size_t i = 0; i < 200 && rest.len > 0; i++) {
		word = word_at_start(rest);
		if (is_word_of(word, marks))
			return FOREIGN_SQL;
		rest = text_behind(
		    rest, word.len > 0 ? word : text_sub(rest, 0, 1));
	}
	return FOREIGN_NOT;
}

/* ----------------------------------------------------------------- Python */

static bool
is_python_line(text line)
{
	static const char *const blocks[] = {"if", "elif", "else", "for",
	    "while", "try", "except", "finally", "with", "def", "class",
	    "async", NULL};
	text word = word_at_start(line), rest = text_behind(line, word);

	if (is_exactly_one_of(word, blocks) && text_ends(line, TEXT(":")))
		return true;
	if (text_eq(word, TEXT("import")))
		return rest.len > 0 && is_ascii_letter(rest.ptr[0]) &&
		       !has_part(rest, "'") && !has_part(rest, "\"") &&
		       !has_part(rest, " from ");
	if (text_eq(word, TEXT("from")))
		return has_part(rest, " import ");
	return text_starts(line, TEXT("print(f\"")) ||
	       text_starts(line, TEXT("print(f'")) ||
	       text_eq(word, TEXT("pass")) || text_eq(word, TEXT("elif"));
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

/* ------------------------------------------------------------------ others */

static foreign
look_markup(text t)
{
	text body = text_trim(t);

	if (body.len < 3 || body.ptr[0] != '<')
		return FOREIGN_NOT;
	return is_ascii_letter(body.ptr[1]) || body.ptr[1] == '!' ||
		       body.ptr[1] == '?' || body.ptr[1] == '/' ||
		       body.ptr[1] == '|'
		   ? FOREIGN_MARKUP
		   : FOREIGN_NOT;
}

static foreign
look_diff(text t)
{
	text line = first_line_of(t);

	return text_starts(line, TEXT("--- a/")) ||
		       text_starts(line, TEXT("diff --git ")) ||
		       text_starts(line, TEXT("*** Begin Patch")) ||
		       text_starts(line, TEXT("@@ -"))
		   ? FOREIGN_DIFF
		   : FOREIGN_NOT;
}

static foreign
look_other(text t)
{
	text line = first_line_of(t);

	return text_starts(line, TEXT("package ")) ||
		       text_starts(line, TEXT("#include ")) ||
		       text_starts(line, TEXT("using System")) ||
		       text_starts(line, TEXT("<?php")) ||
		       text_starts(line, TEXT("fn main()")) ||
		       text_starts(line, TEXT("require '"))
		   ? FOREIGN_OTHER
		   : FOREIGN_NOT;
}

/* Words with spaces between, and hardly a sign that code needs. */
static foreign
look_prose(text t)
{
	static const char *const openers[] = {"const", "let", "var", "function",
	    "async", "await", "return", "if", "for", "while", "class", "try",
	    "throw", "switch", "type", "interface", "export", "import", NULL};
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
	if (is_exactly_one_of(word_at_start(bare), openers) &&
	    !text_ends(bare, TEXT(".")) && !text_ends(bare, TEXT(":")))
		return FOREIGN_NOT;
	if (count_of(line, "={};()[]<>+&|\\$") > 1 || has_part(line, "=>") ||
	    has_part(line, "://"))
		return FOREIGN_NOT;
	return FOREIGN_PROSE;
}

foreign
foreign_look(text t)
{
	static foreign (*const looks[])(text) = {look_json, look_markup,
	    look_diff, look_other, look_sql, look_python, look_shell,
	    look_prose};
	foreign kind = FOREIGN_NOT;

	for (size_t i = 0; i < sizeof(looks) / sizeof(*looks) && !kind; i++)
		kind = looks[i](t);
	return kind;
}

foreign
foreign_language(text language)
{
	static const char *const shell[] = {
	    "bash", "sh", "shell", "zsh", "console", "powershell", NULL};
	static const char *const python[] = {"python", "py", "python3", NULL};
	static const char *const markup[] = {"html", "xml", NULL};

	if (is_word_of(language, shell))
		return FOREIGN_SHELL;
	if (is_word_of(language, python))
		return FOREIGN_PYTHON;
	if (is_word_of(language, markup))
		return FOREIGN_MARKUP;
	if (same_word_in_any_case(language, "sql"))
		return FOREIGN_SQL;
	if (same_word_in_any_case(language, "json"))
		return FOREIGN_JSON;
	return same_word_in_any_case(language, "diff") ? FOREIGN_DIFF
						       : FOREIGN_OTHER;
}

/* ------------------------------------------------------------------ telling */

/* Can the name stand behind "tools."? */
static bool
is_path(text name)
{
	for (size_t i = 0; i < name.len; i++)
		if (!is_word_char(name.ptr[i]) && name.ptr[i] != '.')
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
