/* SPDX-License-Identifier: MIT */
/*
 * normal_fence.c -- Markdown around a script.
 *
 * A fence is a line of three or more backticks or tildes, with the language
 * behind the first one; the last may be missing where an answer was cut off.
 */
#include "normal.h"

typedef struct fence_line {
	char mark; /* ` or ~; 0: it is no fence */
	size_t count;
	text info; /* what stands behind it */
} fence_line;

typedef struct block {
	text info;
	size_t start, end; /* its lines */
} block;

/* Walks the blocks of a text. */
typedef struct walk {
	text all, rest;
} walk;

static const char *const ours[] = {"js", "javascript", "mjs", "cjs", "jsx",
    "ts", "typescript", "mts", "tsx", "ecmascript", "node", "nodejs",
    "codemode", "code", NULL};

static bool
is_language(text a, const char *b)
{
	size_t i;

	for (i = 0; i < a.len && b[i]; i++)
		if ((a.ptr[i] | 0x20) != b[i])
			return false;
	return i == a.len && !b[i];
}

static text
language_word(text t)
{
	size_t i = 0;

	while (i < t.len && !strchr(" \t{,:=", t.ptr[i]))
		i++;
	return text_sub(t, 0, i);
}

/* Is the block a script? In a language of ours, or in none. */
static bool
is_our_language(text info, bool *named)
{
	text word = language_word(info);

	*named = false;
	for (const char *const *w = ours; *w; w++)
		*named = *named || is_language(word, *w);
	return *named || word.len == 0;
}

static fence_line
read_fence_line(text line)
{
	text t = text_trim(line);
	fence_line f = {0, 0, TEXT_NONE};

	if (t.len < 3 || (t.ptr[0] != '`' && t.ptr[0] != '~'))
		return f;
	while (f.count < t.len && t.ptr[f.count] == t.ptr[0])
		f.count++;
	f.info = text_trim(text_sub(t, f.count, t.len));
	if (f.count >= 3 && !memchr(f.info.ptr, t.ptr[0], f.info.len))
		f.mark = t.ptr[0];
	return f;
}

static bool
closes_fence(fence_line f, fence_line open)
{
	return f.mark == open.mark && f.count >= open.count && f.info.len == 0;
}

static size_t
walk_offset(const walk *w)
{
	return w->all.len - w->rest.len;
}

static bool
next_fenced_block(walk *w, block *out)
{
	fence_line open = {0, 0, TEXT_NONE};
	text line;

	while (!open.mark) {
		if (!text_line(&w->rest, &line))
			return false;
		open = read_fence_line(line);
	}
	*out = (block){open.info, walk_offset(w), w->all.len};
	for (;;) {
		size_t at = walk_offset(w);

		if (!text_line(&w->rest, &line))
			return true;
		if (closes_fence(read_fence_line(line), open)) {
			out->end = at;
			return true;
		}
	}
}

bool
fence_first(text t)
{
	text rest = t, line = TEXT_NONE;

	while (text_line(&rest, &line))
		if (text_trim(line).len > 0)
			return read_fence_line(line).mark != 0;
	return false;
}

size_t
fence_count(text t)
{
	walk w = {t, t};
	bool named;
	size_t n = 0;
	block b;

	while (next_fenced_block(&w, &b))
		n += is_our_language(b.info, &named);
	return n;
}

/* The one block that is meant: the only one, or the only one that says it is
 * JavaScript. */
static bool
find_script(text t, block *out)
{
	walk w = {t, t};
	size_t any = 0, sure = 0;
	bool named;
	block b, plain = {TEXT_NONE, 0, 0};

	while (next_fenced_block(&w, &b)) {
		if (!is_our_language(b.info, &named) ||
		    text_trim(text_sub(t, b.start, b.end)).len == 0)
			continue;
		any++;
		plain = b;
		if (named && sure++ == 0)
			*out = b;
	}
	if (sure == 0 && any == 1)
		*out = plain;
	return sure == 1 || (sure == 0 && any == 1);
}

bool
fence_foreign(text t, text *language, text *body)
{
	walk w = {t, t};
	bool named;
	block b;

	if (!next_fenced_block(&w, &b) || is_our_language(b.info, &named))
		return false;
	*language = language_word(b.info);
	*body = text_sub(t, b.start, b.end);
	return true;
}

static void
blank_lines(text t, buf *out)
{
	for (size_t i = 0; i < t.len; i++)
		buf_byte(
		    out, t.ptr[i] == '\n' || t.ptr[i] == '\r' ? t.ptr[i] : ' ');
}

/* Code whose opening fence got lost: a fence is all that its last line is. */
static bool
find_only_closing(text t, block *out)
{
	text body = text_trim(t), rest = body, line, last = TEXT_NONE;
	size_t fences = 0;

	while (text_line(&rest, &line)) {
		fences += read_fence_line(line).mark != 0;
		last = line;
	}
	if (fences != 1 || !read_fence_line(last).mark ||
	    read_fence_line(last).info.len)
		return false;
	*out = (block){TEXT_NONE, 0, (size_t)(last.ptr - t.ptr)};
	return out->end > 0;
}

/* ```js return 1``` on one line. */
static bool
find_one_line(text t, block *out)
{
	text body = text_trim(t), inside, word;
	bool named;

	if (body.len < 8 || !text_starts(body, TEXT("```")) ||
	    !text_ends(body, TEXT("```")) || memchr(body.ptr, '\n', body.len))
		return false;
	inside = text_sub(body, 3, body.len - 3);
	if (memchr(inside.ptr, '`', inside.len))
		return false;
	word = language_word(inside);
	if (is_our_language(word, &named) && named)
		inside = text_sub(inside, word.len, inside.len);
	out->start = (size_t)(inside.ptr - t.ptr);
	out->end = out->start + inside.len;
	return text_trim(inside).len > 0;
}

bool
fence_open(text t, buf *out)
{
	block b;

	if (!find_one_line(t, &b) && !find_only_closing(t, &b) &&
	    !find_script(t, &b))
		return false;
	blank_lines(text_sub(t, 0, b.start), out);
	buf_text(out, text_sub(t, b.start, b.end));
	blank_lines(text_sub(t, b.end, t.len), out);
	return true;
}
