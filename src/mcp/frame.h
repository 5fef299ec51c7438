/* SPDX-License-Identifier: MIT */
/*
 * frame.h -- the server's bytes, cut into lines.
 */
#ifndef MCP_FRAME_H
#define MCP_FRAME_H

#include "base/buf.h"

enum { FRAME_EDGE = 256 };

typedef enum frame_kind {
	FRAME_NONE,    /* not before more bytes come */
	FRAME_LINE,    /* line holds it */
	FRAME_TOO_LONG /* head and tail hold what is left of it */
} frame_kind;

typedef struct frame {
	buf in;
	size_t max;            /* bytes of the longest line */
	size_t at;             /* where the next line starts */
	size_t seen;           /* no line break before this */
	bool begun;            /* the first bytes were looked at for a BOM */
	bool skipping;         /* inside a line that is too long */
	char head[FRAME_EDGE]; /* how that line began */
} frame;

/* One line of the stream; borrowed until the next frame_room. */
typedef struct frame_line {
	frame_kind kind;
	text line; /* never blank */
	text head; /* of a line that was too long: its two ends */
	text tail;
} frame_line;

void frame_init(frame *f, const cm_alloc *alloc, size_t max);
void frame_fini(frame *f);
/* Place for *len >= 1 bytes; NULL when there is no memory. */
char *frame_room(frame *f, size_t *len);
void frame_fed(frame *f, size_t n);
/* Adds a line, its line feed included; false: no memory. */
bool frame_put(frame *f, text line);
/* Drops all that was not read yet. */
void frame_forget(frame *f);
/* The stream is over: what stands there without a line break is a line too. */
void frame_end(frame *f);
frame_line frame_next(frame *f);
/* Is it the header of a framing that MCP does not have, "Content-Length: 7"? */
bool frame_is_header(text line);
#endif
