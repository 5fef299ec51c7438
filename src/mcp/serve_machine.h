/* SPDX-License-Identifier: MIT */
/*
 * serve_machine.h -- what the files of the server share.
 *
 *	mcp_serve.c    the outside: bytes, what is offered, what was asked
 *	serve_batch.c  lists of messages
 *	serve_hear.c   what a line is, and what it leads to
 *	serve_say.c    what is sent
 */
#ifndef MCP_SERVE_MACHINE_H
#define MCP_SERVE_MACHINE_H

#include "frame.h"
#include "mcp_serve.h"
#include "outbox.h"

/* A client that asks for more at a time is refused. */
enum { SERVE_OPEN_MAX = 1000 };

/* A list of messages (2025-03-26), whose answers are one list too. */
typedef struct batch {
	uint32_t number;  /* 1, 2, 3 ... */
	size_t open;      /* its requests that wait for an answer */
	bool read;        /* all of its messages were read */
	buf answers;      /* so far, as the elements of an array */
} batch;

/* What is waiting for an answer. */
typedef struct request {
	uint32_t number;
	uint32_t batch; /* that it came in; 0: none */
	bool listing; /* tools/list, else tools/call */
	bool modern;  /* the era that it was asked in */
	char *id;     /* the client's, byte for byte */
	size_t id_len;
} request;

struct mcp_server {
	const cm_alloc *alloc;
	text tool;
	buf offer;         /* empty: not known yet */
	frame frame;
	outbox out;

	bool batches;      /* the revision that was agreed on has them */
	bool no_audio;     /* it has no blocks of audio ... */
	bool no_links;     /* ... and none of kind resource_link */
	json_iter unread;  /* what is left of the batch that is being read */
	uint32_t speaking; /* batch that gets what is said now; 0: none */
	batch *batch;      /* those that are not answered yet */
	size_t batch_len;
	size_t batch_cap;
	uint32_t last_batch;

	request *open; /* in the order they came */
	size_t len;
	size_t cap;
	uint32_t last; /* the latest number given out */
};

/* --------------------------------------------------------- mcp_serve.c */

/* Enters a request; NULL: there is no room, and the client was told. */
request *serve_open(mcp_server *s, json id, bool listing, bool modern);
void serve_drop(mcp_server *s, request *r);
/* The open one that the client calls so, or NULL. */
request *serve_called(mcp_server *s, json id);

/* -------------------------------------------------------- serve_hear.c */

/* True: it became *out. */
bool serve_hear(mcp_server *s, json message, mcp_asked *out);
/* What is no message at all: a line that is not JSON, or is too long. id: as
 * far as it can be read, or missing. */
void serve_hear_noise(mcp_server *s, json id, const char *why);

/* -------------------------------------------------------- serve_batch.c */

/* Begins to read a batch. False: no memory, and the client was told. */
bool serve_batch_begin(mcp_server *s, json list);
/* The next message of it; at the end, false once. */
bool serve_batch_next(mcp_server *s, json *message);
/* A request of this batch waits; it waits no more. 0: it came alone. */
void serve_batch_opened(mcp_server *s, uint32_t number);
void serve_batch_closed(mcp_server *s, uint32_t number);
/* Moves the message that begins at 'opened' in s->out to the batch that is
 * spoken for, if there is one. */
cm_status serve_batch_take(mcp_server *s, size_t opened);
void serve_batch_fini(mcp_server *s);

/* --------------------------------------------------------- serve_say.c */

enum {
	SERVE_NOT_JSON = -32700,
	SERVE_NO_REQUEST = -32600,
	SERVE_NO_METHOD = -32601,
	SERVE_BAD_PARAMS = -32602,
	SERVE_BROKEN = -32603,
	SERVE_BUSY = -32000,
	SERVE_VERSION = -32022
};

/* All: CM_ELIMIT or CM_ENOMEM, and nothing was queued. id missing: null. */
cm_status serve_say_greeting(mcp_server *s, json id, text version);
cm_status serve_say_discovery(mcp_server *s, json id);
cm_status serve_say_nothing(mcp_server *s, json id);
cm_status serve_say_tools(mcp_server *s, json id, bool modern);
cm_status serve_say_content(
    mcp_server *s, json id, bool modern, json content, bool failed);
cm_status serve_say_error(mcp_server *s, json id, int code, text message);
/* The error of a request in a version that we do not speak. */
cm_status serve_say_versions(mcp_server *s, json id, json requested);

/* The revision that needs no greeting. */
#define SERVE_MODERN "2026-07-28"

#endif
