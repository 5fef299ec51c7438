/* SPDX-License-Identifier: MIT */
/*
 * buf.h -- bytes that grow, up to a maximum.
 *
 * An append that would pass the maximum, or for which there is no memory,
 * changes nothing and is remembered in .bad; later appends do nothing. So a
 * writer appends freely and checks .bad once, at the end.
 */
#ifndef BASE_BUF_H
#define BASE_BUF_H

#include "mem.h"
#include "text.h"

typedef struct buf {
	const cm_alloc *alloc; /* NULL: mem_system */
	char *ptr;
	size_t len;
	size_t cap;
	size_t max;    /* bytes it may hold */
	cm_status bad; /* CM_OK, CM_ENOMEM or CM_ELIMIT */
} buf;

#define BUF_INIT(allocator, maximum) \
	((buf){(allocator), NULL, 0, 0, (maximum), CM_OK})

void buf_fini(buf *b);
/* Empty again, memory kept, .bad forgotten. */
void buf_clear(buf *b);
void buf_add(buf *b, const void *bytes, size_t len);
void buf_text(buf *b, text t);
/* The same; the copy in b, which lives until b moves: make room for all first. */
text buf_copied(buf *b, text t);
void buf_str(buf *b, const char *cstr);
void buf_byte(buf *b, char c);
/* Any bytes as UTF-8 of at most max bytes: a byte that is none becomes U+FFFD;
 * a longer text is cut behind a character and ends with "…". */
void buf_utf8(buf *b, text bytes, size_t max);
/* What the Encoding Standard's decoder makes of these bytes: U+FFFD for each
 * longest beginning of a sequence that is none. */
void buf_decoded(buf *b, text bytes);
void buf_printf(buf *b, const char *format, ...)
    __attribute__((format(printf, 2, 3)));
/* Room for n more bytes to write at the returned place (then add n to .len);
 * NULL when refused. */
char *buf_room(buf *b, size_t n);
/* Forgets the first n bytes, moves the rest down. */
void buf_drop(buf *b, size_t n);
/*
 * For a buffer that is sent in parts: n more bytes are sent, *sent bytes from
 * the beginning in all. They are dropped when they are half of the buffer, so
 * that each byte is moved at most once; *sent is then 0 again.
 */
void buf_sent(buf *b, size_t *sent, size_t n);
/* Borrowed; ends with the next change of b. */
text buf_view(const buf *b);
/* The bytes are the caller's now, as a block of *size bytes; b is empty. */
char *buf_take(buf *b, size_t *len, size_t *size);

#endif
