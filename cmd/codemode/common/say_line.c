/* SPDX-License-Identifier: MIT */
/*
 * say_line.c -- lines for people on stderr.
 *
 * The live line is written without a line break and wiped before anything else
 * is written, so that it is not part of the terminal's history.
 */
#include "say_line.h"

#include <stdlib.h>
#include <sys/ioctl.h>
#include <unistd.h>

enum { LINE_MAX_BYTES = 64 * 1024 };

void
say_init(say *s)
{
	const char *term = getenv("TERM");

	*s = (say){.to = stderr, .shown = isatty(STDERR_FILENO) == 1};
	s->terminal = s->shown && term != NULL && strcmp(term, "dumb") != 0;
}

/* Code points that a terminal acts on: C0 and DEL but for LF and tab, C1, and
 * those that turn the direction of text. */
static bool
acts_on_terminal(uint32_t cp)
{
	if (cp < 0x20)
		return cp != '\n' && cp != '\t';
	return (cp >= 0x7f && cp < 0xa0) || cp == 0x61c || cp == 0x200e ||
	       cp == 0x200f || (cp >= 0x202a && cp <= 0x202e) ||
	       (cp >= 0x2066 && cp <= 0x2069);
}

void
say_text(FILE *to, bool shown, text t)
{
	size_t from = 0, at = 0;

	while (shown && at < t.len) {
		size_t begin = at, len = utf8_one(t, at);
		uint32_t cp = (unsigned char)t.ptr[at];

		/* A byte that is not UTF-8 counts as that code point of C1. */
		if (len == 0)
			at++;
		else
			cp = utf8_next(t, &at);
		if (len > 0 && !acts_on_terminal(cp))
			continue;
		fwrite(t.ptr + from, 1, begin - from, to);
		if (cp < 0x80)
			fprintf(to, "^%c", (char)(cp ^ 0x40));
		else
			fprintf(to, "<U+%04X>", (unsigned)cp);
		from = at;
	}
	if (from < t.len)
		fwrite(t.ptr + from, 1, t.len - from, to);
}

void
say_clear(say *s)
{
	if (s->live)
		fputs("\r\033[K", s->to);
	s->live = false;
}

void
say_format(buf *out, const char *format, va_list args)
{
	va_list again;
	int len;
	char *room;

	va_copy(again, args);
	len = vsnprintf(NULL, 0, format, args);
	room = len < 0 ? NULL : buf_room(out, (size_t)len + 1);
	if (room != NULL) {
		vsnprintf(room, (size_t)len + 1, format, again);
		out->len += (size_t)len;
	}
	va_end(again);
}

static void
keep_said(say *s, text line)
{
	size_t bad;

	for (size_t i = 0; i <= line.len && s->kept_len < SAY_KEPT_MAX; i++)
		s->kept[s->kept_len++] = i < line.len ? line.ptr[i] : '\n';
	/* Not UTF-8 (a file's name), or cut in the middle of a character. */
	while ((bad = utf8_bad((text){s->kept, s->kept_len})) != SIZE_MAX)
		s->kept[bad] = '?';
}

void
say_line(say *s, const char *format, ...)
{
	buf line = BUF_INIT(NULL, LINE_MAX_BYTES);
	va_list args;

	va_start(args, format);
	say_format(&line, format, args);
	va_end(args);
	say_clear(s);
	fputs("codemode: ", s->to);
	say_text(s->to, s->shown, buf_view(&line));
	fputc('\n', s->to);
	keep_said(s, buf_view(&line));
	buf_fini(&line);
}

text
say_kept(const say *s)
{
	return text_trim((text){s->kept, s->kept_len});
}

void
say_lines(say *s, text lines)
{
	text line;

	say_clear(s);
	while (text_line(&lines, &line)) {
		say_text(s->to, s->shown, line);
		fputc('\n', s->to);
	}
}

static size_t
terminal_columns(void)
{
	struct winsize size;

	if (ioctl(STDERR_FILENO, TIOCGWINSZ, &size) != 0 || size.ws_col < 20)
		return 80;
	return size.ws_col;
}

void
say_live(say *s, const char *format, ...)
{
	buf line = BUF_INIT(NULL, LINE_MAX_BYTES);
	va_list args;

	if (!s->terminal || s->quiet)
		return;
	va_start(args, format);
	say_format(&line, format, args);
	va_end(args);
	say_clear(s);
	say_text(
	    s->to, true, text_sub(buf_view(&line), 0, terminal_columns() - 1));
	fflush(s->to);
	s->live = true;
	buf_fini(&line);
}
