/* SPDX-License-Identifier: MIT */
/*
 * frame.c -- the server's bytes, cut into lines.
 *
 * A line ends at byte 0x0A and nowhere else: U+2028, U+0085 and a lone CR are
 * text. A CR before the line feed, blank lines and a byte order mark at the
 * very start are dropped. The reader of the pipe writes straight into our
 * buffer and a line is a span of it, so that a message of 10 MB costs one
 * search for its end and no copy. Of a line over the maximum only both ends
 * are kept: they usually name the call that it would have answered.
 */
#include "frame.h"

enum {
	CHUNK = 64 << 10, /* a pipe's worth */
	KEEP = 1 << 20    /* an empty buffer larger than this is given back */
};

void
frame_init(frame *f, const cm_alloc *alloc, size_t max)
{
	must(max >= FRAME_EDGE);
	*f = (frame){.max = max};
	/* Room for the longest line, its CR LF and a chunk behind it. */
	f->in = BUF_INIT(alloc, max + 2 + (size_t)2 * CHUNK);
}

void
frame_fini(frame *f)
{
	buf_fini(&f->in);
}

/* Moves what is unread to the front of the buffer. */
static void
drop_read(frame *f)
{
	if (f->at == 0)
		return;
	buf_drop(&f->in, f->at);
	f->seen -= f->at;
	f->at = 0;
	if (f->in.len == 0 && f->in.cap > KEEP)
		buf_fini(&f->in);
}

char *
frame_room(frame *f, size_t *len)
{
	char *room;

	drop_read(f);
	f->in.bad = CM_OK;
	room = buf_room(&f->in, CHUNK);
	if (!room)
		return NULL;
	*len = f->in.cap - f->in.len;
	return room;
}

static void
drop_mark(frame *f)
{
	static const char mark[3] = {'\xEF', '\xBB', '\xBF'};

	if (f->begun || f->in.len < sizeof(mark))
		return;
	f->begun = true;
	if (!memcmp(f->in.ptr, mark, sizeof(mark)))
		f->at = f->seen = sizeof(mark);
}

void
frame_fed(frame *f, size_t n)
{
	f->in.len += n;
	must(f->in.len <= f->in.cap);
	drop_mark(f);
}

bool
frame_put(frame *f, text line)
{
	f->in.bad = CM_OK;
	buf_text(&f->in, line);
	return f->in.bad == CM_OK;
}

void
frame_forget(frame *f)
{
	f->at = f->seen = f->in.len;
	f->skipping = false;
	drop_read(f);
}

void
frame_end(frame *f)
{
	if (f->in.len == f->at && !f->skipping)
		return;
	f->in.bad = CM_OK;
	buf_byte(&f->in, '\n');
}

/* Forgets all but the last bytes of the line that is too long. */
static void
shorten(frame *f)
{
	size_t len = f->in.len - f->at;

	if (!f->skipping)
		memcpy(f->head, f->in.ptr + f->at, FRAME_EDGE);
	f->skipping = true;
	f->at += len - FRAME_EDGE;
	drop_read(f);
	f->seen = f->in.len;
}

static frame_line
too_long(frame *f, text line)
{
	f->skipping = false;
	return (frame_line){.kind = FRAME_TOO_LONG,
	    .head = {f->head, sizeof(f->head)},
	    .tail = text_sub(line,
		line.len > FRAME_EDGE ? line.len - FRAME_EDGE : 0, line.len)};
}

/* Takes the next line with all that is in it, or false. */
static bool
next_break(frame *f, text *line)
{
	char *from, *end;

	if (f->seen == f->in.len)
		return false;
	from = f->in.ptr + f->seen;
	end = memchr(from, '\n', f->in.len - f->seen);
	if (!end) {
		f->seen = f->in.len;
		return false;
	}
	*line = (text){f->in.ptr + f->at, (size_t)(end - f->in.ptr) - f->at};
	f->at = f->seen = (size_t)(end - f->in.ptr) + 1;
	return true;
}

frame_line
frame_next(frame *f)
{
	text line;

	while (next_break(f, &line)) {
		if (f->skipping)
			return too_long(f, line);
		if (line.len > f->max + 1) {
			memcpy(f->head, line.ptr, FRAME_EDGE);
			return too_long(f, line);
		}
		line = text_trim(line);
		if (line.len)
			return (frame_line){.kind = FRAME_LINE, .line = line};
	}
	if (f->in.len - f->at > f->max + 1 ||
	    (f->skipping && f->in.len - f->at > CHUNK))
		shorten(f);
	return (frame_line){.kind = FRAME_NONE};
}

bool
frame_is_header(text line)
{
	static const char name[] = "content-length:";

	for (size_t i = 0; i + 1 < sizeof(name); i++)
		if (i >= line.len || (line.ptr[i] | 0x20) != (name[i] | 0x20))
			return false;
	return true;
}
