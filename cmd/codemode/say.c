/* SPDX-License-Identifier: MIT */
/*
 * say.c -- lines for people on stderr.
 *
 * The live line is drawn without a line break and wiped before anything else
 * is written, so that a terminal's history holds only what stays true.
 */
#include "say.h"

#include <stdlib.h>
#include <sys/ioctl.h>
#include <unistd.h>

enum { LINE_MAX_BYTES = 64 * 1024 };

void
say_init(say *s, bool quiet)
{
	const char *term = getenv("TERM");

	*s = (say){stderr, false, quiet, false};
	s->terminal =
	    isatty(STDERR_FILENO) && term != NULL && strcmp(term, "dumb") != 0;
}

static bool
harmless(unsigned char c)
{
	return (c >= 0x20 && c != 0x7f) || c == '\n' || c == '\t';
}

/* C1 controls are U+0080 ... U+009F: bytes C2 80 ... C2 9F. */
static bool
c1_control(text t, size_t i)
{
	return (unsigned char)t.ptr[i] == 0xc2 && i + 1 < t.len &&
	       (unsigned char)t.ptr[i + 1] < 0xa0;
}

void
say_text(FILE *to, bool shown, text t)
{
	size_t from = 0;

	for (size_t i = 0; shown && i < t.len; i++) {
		unsigned char c = (unsigned char)t.ptr[i];
		bool c1 = c1_control(t, i);

		if (harmless(c) && !c1)
			continue;
		fwrite(t.ptr + from, 1, i - from, to);
		if (c1)
			i++;
		else
			fprintf(to, "^%c", (char)(c ^ 0x40));
		from = i + 1;
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
	say_text(s->to, s->terminal, buf_view(&line));
	fputc('\n', s->to);
	buf_fini(&line);
}

void
say_lines(say *s, text lines)
{
	text line;

	say_clear(s);
	while (text_line(&lines, &line)) {
		say_text(s->to, s->terminal, line);
		fputc('\n', s->to);
	}
}

static size_t
columns(void)
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
	say_text(s->to, true, text_sub(buf_view(&line), 0, columns() - 1));
	fflush(s->to);
	s->live = true;
	buf_fini(&line);
}
