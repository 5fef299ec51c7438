/* SPDX-License-Identifier: MIT */
/*
 * http_serve_stream.h -- the response to one request of a client: one JSON
 * object, or a stream of events.
 *
 * It is an object when the answer is all there is to say. It becomes a stream by
 * the first notification, or by a beat before the answer. A stream of a session
 * can be resumed: each event has an id, and what was sent is kept.
 */
#ifndef HTTP_SERVE_STREAM_H
#define HTTP_SERVE_STREAM_H

#include "http_serve_parts.h"

typedef struct stream {
	struct stream *next; /* of the owner, as .client */
	void *client;
	const char *session; /* its name, or ""; borrowed */
	visit *visit;        /* NULL: the connection broke */
	uint32_t channel;    /* 0: what belongs to no request */
	bool resumable;
	bool modern;     /* of the era without greeting */
	bool primes;     /* it begins with an event that has only an id */
	bool begun;      /* as a stream of events */
	bool answered;   /* nothing more comes */
	unsigned events; /* that were written */
	buf replay;      /* these, for a client that comes back */
	bool takes_events, takes_json;
	uint64_t last_ms; /* when something was written, or the request came */
} stream;

/* visit->owner becomes the stream. NULL: no memory. */
stream *stream_new(
    visit *v, uint32_t channel, const char *session, bool resumable);
void stream_free(stream *st);

/* A line of the machine; last: no request of its channel waits any more. */
void stream_say(stream *st, const mcp_said *said, bool last);
/* The requests were answered, or there were none. May be called again. */
void stream_finish(stream *st);
/* Something that keeps it alive, if nothing else waits to be sent. */
void stream_beat(stream *st);
/* The session ends. */
void stream_cut(stream *st);

/* The connection broke. */
bool stream_can_resume(const stream *st);
void stream_break(stream *st);
/* The client comes back for what follows the event of that id. */
void stream_resume(stream *st, visit *v, const char *id);
/* It is answered, and no client came back for it. */
bool stream_is_stale(const stream *st, uint64_t now_ms);

#endif
