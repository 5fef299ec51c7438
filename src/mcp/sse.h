/* SPDX-License-Identifier: MIT */
/*
 * sse.h -- a stream of server-sent events, read from bytes that may be cut
 * anywhere.
 *
 * Reads what the HTML standard calls an event stream: lines end with CR, LF or
 * CRLF, several lines of data are one text, comments are skipped, and an event
 * that the end of the stream cuts off is none. An event whose data is
 * empty ("priming") counts only for its id and its retry.
 */
#ifndef MCP_SSE_H
#define MCP_SSE_H

#include "base/buf.h"

enum {
	SSE_NAME_MAX =
	    64,           /* bytes of an event's type; of a longer one, these */
	SSE_ID_MAX = 4096 /* a longer id is ignored */
};

typedef struct sse_event {
	text type;  /* "message" when the stream names none */
	char *data; /* may be changed; until the next sse_next */
	size_t len;
	cm_status bad; /* CM_ELIMIT: the data was larger than the maximum, and
	                  is missing; CM_ENOMEM */
} sse_event;

typedef enum sse_place {
	SSE_LINE,  /* at the start of a line, or in the name of a field */
	SSE_VALUE, /* behind its colon: one space is skipped */
	SSE_TEXT   /* in its value */
} sse_place;

typedef struct sse {
	sse_place place;
	bool after_cr;  /* a line feed that follows belongs to it */
	bool delivered; /* the last event's data is still in .data */
	bool has_data;  /* the event that is being read has a line of data */
	unsigned bom;   /* bytes of a byte order mark that were seen; 3: no
	                    more is expected */
	char field[8];  /* its name, as far as it matters */
	size_t field_len;
	buf data;
	buf type;
	buf id;            /* of the event that is being read */
	buf value;         /* of the fields "id" and "retry" */
	buf last_id;       /* of the last event; empty: none */
	uint64_t retry_ms; /* as last said by the stream; UINT64_MAX: never */
} sse;

/* max: bytes of one event's data. */
void sse_init(sse *s, const cm_alloc *alloc, size_t max);
void sse_fini(sse *s);
/* Another stream begins, of which only the last id and retry_ms are kept. */
void sse_restart(sse *s);

/* Reads from *in, which gets shorter; true: *e is an event with data. False:
 * all was read. */
bool sse_next(sse *s, text *in, sse_event *e);

#endif
