/* SPDX-License-Identifier: MIT */
/*
 * named_servers.c -- looks for "tools." and an identifier behind it.
 *
 * The script is not parsed: comments and strings are looked through as if they
 * were code. Any other use of tools (tools[x], passing it on), and every word
 * through which code could get at tools unseen, means that the script may
 * reach whatever there is.
 */
#include "named_servers.h"

/* Each of them can lead to tools without the word "tools.". */
static const char *const back_doors[] = {"ALL_TOOLS", "codemode", "globalThis",
    "this", "eval", "Function", "constructor", "\\u", NULL};

static bool
in_identifier(char c)
{
	return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') ||
	       (c >= '0' && c <= '9') || c == '_' || c == '$' ||
	       (unsigned char)c >= 0x80;
}

/* The word (whole, not part of a longer one) at or after from. */
static size_t
find_word(text script, text word, size_t from)
{
	for (;;) {
		size_t at = text_find(script, word, from), end;

		if (at == SIZE_MAX)
			return SIZE_MAX;
		end = at + word.len;
		from = at + 1;
		if (at > 0 && in_identifier(script.ptr[at - 1]) &&
		    in_identifier(word.ptr[0]))
			continue;
		if (end < script.len && in_identifier(script.ptr[end]) &&
		    word.ptr[0] != '\\')
			continue;
		return at;
	}
}

static size_t
skip_white_space(text script, size_t at)
{
	while (at < script.len && strchr(" \t\r\n", script.ptr[at]) != NULL)
		at++;
	return at;
}

/* The identifier behind "tools." at the place behind "tools"; empty: tools is
 * used in another way. */
static text
member_at(text script, size_t at)
{
	size_t from;

	at = skip_white_space(script, at);
	if (at >= script.len || script.ptr[at] != '.')
		return TEXT_NONE;
	from = at = skip_white_space(script, at + 1);
	while (at < script.len && in_identifier(script.ptr[at]))
		at++;
	return text_sub(script, from, at);
}

/* Is id what name becomes in a script: odd characters are _, and a clash with
 * another name puts _ and more behind it? */
static bool
stands_for(text id, text name)
{
	size_t i = 0;

	for (size_t at = 0; at < name.len; i++) {
		size_t first = at;
		uint32_t cp = utf8_next(name, &at);
		bool same = cp < 0x80 && in_identifier((char)cp) &&
			    !(first == 0 && cp >= '0' && cp <= '9');

		if (i >= id.len || id.ptr[i] != (same ? (char)cp : '_'))
			return false;
	}
	return i == id.len || id.ptr[i] == '_';
}

static bool
has_back_door(text script)
{
	for (size_t i = 0; back_doors[i] != NULL; i++)
		if (find_word(script, text_of(back_doors[i]), 0) != SIZE_MAX)
			return true;
	return false;
}

/* Marks those that id stands for; false: there is none. */
static bool
mark(text id, const text *servers, size_t n, bool *needed)
{
	bool known = false;

	for (size_t i = 0; i < n; i++) {
		bool same = stands_for(id, servers[i]);

		needed[i] = needed[i] || same;
		known = known || same;
	}
	return known;
}

void
names_needed(text script, const text *servers, size_t n, bool *needed)
{
	text word = TEXT("tools");
	/* Without "tools", what is awaited is mostly a tool by another name,
	 * and the error is to tell the right one. */
	bool all = has_back_door(script) ||
		   (find_word(script, word, 0) == SIZE_MAX &&
		       find_word(script, TEXT("await"), 0) != SIZE_MAX);
	size_t at = 0;

	for (size_t i = 0; i < n; i++)
		needed[i] = false;
	while (!all && (at = find_word(script, word, at)) != SIZE_MAX) {
		text id = member_at(script, at + word.len);

		all = id.len == 0 || !mark(id, servers, n, needed);
		at += word.len;
	}
	for (size_t i = 0; i < n; i++)
		needed[i] = needed[i] || all;
}
