/* SPDX-License-Identifier: MIT */
/*
 * buf.c -- a growing buffer; the first failure sticks until the buffer is
 * cleared, so that a writer needs to look only once.
 */
#include "buf.h"

#include <stdarg.h>
#include <stdio.h>

enum { FIRST_CAP = 64 };

void
buf_fini(buf *b)
{
	mem_free(b->alloc, b->ptr, b->cap);
	*b = BUF_INIT(b->alloc, b->max);
}

void
buf_clear(buf *b)
{
	b->len = 0;
	b->bad = CM_OK;
}

static void
refuse_bytes(buf *b, cm_status why)
{
	b->bad = why;
}

/* Doubling keeps appends cheap; `enough` is the least that will do. */
static size_t
next_cap(const buf *b, size_t enough)
{
	size_t cap = b->cap < FIRST_CAP ? FIRST_CAP : b->cap;

	while (cap < enough && cap <= SIZE_MAX / 2)
		cap *= 2;
	if (cap > b->max)
		cap = b->max;
	return cap < enough ? enough : cap;
}

/* Is there memory for n more bytes that count, and for slack bytes that do not? */
static bool
has_bytes(const buf *b, size_t n, size_t slack)
{
	size_t room = b->cap - b->len;

	return !b->bad && b->ptr && n <= b->max - b->len && n <= room &&
	       slack <= room - n;
}

static bool
grow_bytes(buf *b, size_t n, size_t slack)
{
	size_t enough, cap;
	char *p;

	if (b->bad)
		return false;
	if (n > b->max - b->len || slack > SIZE_MAX - b->len - n) {
		refuse_bytes(b, CM_ELIMIT);
		return false;
	}
	enough = b->len + n + slack;
	cap = next_cap(b, enough ? enough : 1);
	p = mem_resize(b->alloc, b->ptr, b->cap, cap);
	if (!p) {
		refuse_bytes(b, CM_ENOMEM);
		return false;
	}
	b->ptr = p;
	b->cap = cap;
	return true;
}

static bool
reserve_bytes(buf *b, size_t n, size_t slack)
{
	return has_bytes(b, n, slack) || grow_bytes(b, n, slack);
}

char *
buf_room(buf *b, size_t n)
{
	return reserve_bytes(b, n, 0) ? b->ptr + b->len : NULL;
}

void
buf_add(buf *b, const void *bytes, size_t len)
{
	char *room = len ? buf_room(b, len) : NULL;

	if (!room)
		return;
	memcpy(room, bytes, len);
	b->len += len;
}

void
buf_text(buf *b, text t)
{
	buf_add(b, t.ptr, t.len);
}

text
buf_copied(buf *b, text t)
{
	size_t from = b->len;

	buf_text(b, t);
	return text_sub(buf_view(b), from, b->len);
}

void
buf_str(buf *b, const char *cstr)
{
	buf_text(b, text_of(cstr));
}

void
buf_byte(buf *b, char c)
{
	if (b->len < b->cap && b->len < b->max && !b->bad)
		b->ptr[b->len++] = c;
	else
		buf_add(b, &c, 1);
}

void
buf_utf8(buf *b, text bytes, size_t max)
{
	const text bad = TEXT("\xef\xbf\xbd"), dots = TEXT("\xe2\x80\xa6");
	size_t end = b->len + max, at = 0, n, cut = b->len;
	text one;

	while (at < bytes.len && b->bad == CM_OK) {
		n = utf8_one(bytes, at);
		one = n > 0 ? text_sub(bytes, at, at + n) : bad;
		if (b->len + one.len > end) {
			b->len = cut;
			buf_text(b, dots);
			return;
		}
		buf_text(b, one);
		at += n > 0 ? n : 1;
		if (b->len + dots.len <= end)
			cut = b->len;
	}
}

/* How many bytes one U+FFFD stands for (the Encoding Standard, "UTF-8 decoder"):
 * as many as begin a valid sequence, and at least one. */
static size_t
bad_bytes(text t, size_t at)
{
	uint8_t lead = (uint8_t)t.ptr[at], least = 0x80, most = 0xbf;
	size_t need = lead < 0xc2   ? 0
		      : lead < 0xe0 ? 1
		      : lead < 0xf0 ? 2
		      : lead < 0xf5 ? 3
				    : 0;
	size_t n = 1;

	if (lead == 0xe0 || lead == 0xf0)
		least = lead == 0xe0 ? 0xa0 : 0x90;
	if (lead == 0xed || lead == 0xf4)
		most = lead == 0xed ? 0x9f : 0x8f;
	for (; n <= need && at + n < t.len; n++) {
		uint8_t c = (uint8_t)t.ptr[at + n];

		if (c < least || c > most)
			break;
		least = 0x80;
		most = 0xbf;
	}
	return n;
}

void
buf_decoded(buf *b, text t)
{
	size_t bad;

	while ((bad = utf8_bad(t)) != SIZE_MAX) {
		buf_text(b, text_sub(t, 0, bad));
		buf_text(b, TEXT("\xef\xbf\xbd"));
		t = text_sub(t, bad + bad_bytes(t, bad), t.len);
	}
	buf_text(b, t);
}

void
buf_printf(buf *b, const char *format, ...)
{
	va_list args;
	int n;

	va_start(args, format);
	n = vsnprintf(NULL, 0, format, args);
	va_end(args);
	must(n >= 0);
	/* vsnprintf ends with a NUL, which is not part of what b holds. */
	if (!reserve_bytes(b, (size_t)n, 1))
		return;
	va_start(args, format);
	vsnprintf(b->ptr + b->len, (size_t)n + 1, format, args);
	va_end(args);
	b->len += (size_t)n;
}

void
buf_drop(buf *b, size_t n)
{
	if (n > b->len)
		n = b->len;
	if (n == 0)
		return;
	b->len -= n;
	memmove(b->ptr, b->ptr + n, b->len);
}

void
buf_sent(buf *b, size_t *sent, size_t n)
{
	*sent += n;
	if (*sent < b->len - *sent)
		return;
	buf_drop(b, *sent);
	*sent = 0;
}

text
buf_view(const buf *b)
{
	return (text){b->ptr, b->len};
}

char *
buf_take(buf *b, size_t *len, size_t *size)
{
	char *p = b->ptr;

	*len = b->len;
	*size = b->cap;
	b->ptr = NULL;
	b->len = b->cap = 0;
	return p;
}
