/* SPDX-License-Identifier: MIT */
/*
 * serve_machine.h -- what the files of the server share.
 *
 *	mcp_serve.c    the outside: bytes, what is offered, what was asked
 *	serve_batch.c  lists of messages
 *	serve_hear.c   what a line is, and what it leads to
 *	serve_say.c    what is sent as an answer
 *	serve_notice.c what is sent without being asked for
 *	serve_round.c  questions in the era without greeting
 */
#ifndef MCP_SERVE_MACHINE_H
#define MCP_SERVE_MACHINE_H

#include "frame.h"
#include "mcp_serve.h"
#include "outbox.h"

/* A client that asks for more at a time is refused. */
enum { SERVE_OPEN_MAX = 1000 };

/* Where a message goes. */
typedef struct serve_where {
	uint32_t channel; /* 0: of no request, or the only one */
	uint32_t batch;   /* whose answers it joins; 0: it goes alone */
} serve_where;

/* A list of messages (2025-03-26), whose answers are one list too. */
typedef struct batch {
	uint32_t number; /* 1, 2, 3 ... */
	uint32_t channel;
	size_t open; /* its requests that wait for an answer */
	bool read;   /* all of its messages were read */
	buf answers; /* so far, as the elements of an array */
} batch;

typedef enum request_kind {
	REQUEST_LIST,   /* tools/list */
	REQUEST_CALL,   /* tools/call */
	REQUEST_LISTEN, /* subscriptions/listen: open until it is cancelled */
	REQUEST_OTHER
} request_kind;

/* What is waiting for an answer. */
typedef struct request {
	uint32_t number;
	serve_where from;
	request_kind kind;
	bool modern;     /* the era that it was asked in */
	bool gone;       /* its channel was closed: a STOP is due */
	unsigned topics; /* of a REQUEST_LISTEN */
	mcp_level level; /* of the log, in the era without greeting */
	double progress; /* the last that was sent; negative: none */
	char *words;     /* id and token, the client's, byte for byte */
	size_t id_len;
	size_t token_len;          /* 0: it wants no progress */
	struct serve_round *round; /* of a call of the era without greeting */
} request;

/* A message in mcp_server.out. */
typedef struct line_mark {
	uint32_t channel;
	bool answer;
	int error;  /* as mcp_said */
	size_t len; /* bytes that are not written yet, with the line break */
} line_mark;

struct mcp_server {
	const cm_alloc *alloc;
	text tool;
	json capabilities;
	unsigned topics;
	bool others;
	bool shared;
	buf offer; /* empty: not known yet */
	frame frame;
	outbox out;
	line_mark *mark; /* of each message in out, in its order */
	size_t marks;
	size_t mark_cap;
	size_t marks_done; /* the first ones, which were written */

	bool greeted;
	buf can;         /* the capabilities that the greeting told, or empty */
	mcp_level level; /* of the log, for clients that greet */
	bool batches;    /* the revision that was agreed on has them */
	bool no_audio;   /* it has no blocks of audio ... */
	bool no_links;   /* ... and none of kind resource_link */

	text posted; /* what mcp_server_post brought, until it is read */
	uint32_t posted_channel; /* of it, and of what is read of it */
	serve_where to;          /* where what is said now goes */
	int error;        /* code of the error that is being said, or 0 */
	json_iter unread; /* what is left of the batch that is being read */
	batch *batch;     /* those that are not answered yet */
	size_t batch_len;
	size_t batch_cap;
	uint32_t last_batch;

	request *open; /* in the order they came */
	size_t len;
	size_t cap;
	uint32_t last;       /* the latest number given out */
	uint32_t last_asked; /* the same, of what we ask the client */
	bool some_gone;      /* a request is .gone */
	void (*random)(void *bytes, size_t len);
	uint32_t answering; /* the request that the answers in .responses are
	                       of; 0: none */
	json responses;
};

/* One request, taken apart. */
typedef struct asking {
	json id;
	json method;
	json params; /* an object, or missing */
	json meta;   /* params._meta, or missing */
	bool modern;
} asking;

/* --------------------------------------------------------- mcp_serve.c */

/* Enters a request; NULL: there is no room, and the client was told. */
request *serve_open(mcp_server *s, const asking *a, request_kind kind);
void serve_drop(mcp_server *s, request *r);
/* The open one that the client calls so, or NULL. */
request *serve_called(mcp_server *s, json id);
/* The open one of that number, or NULL. */
request *serve_numbered(mcp_server *s, uint32_t number);
json serve_id(const request *r);

/* -------------------------------------------------------- serve_hear.c */

/* True: it became *out. */
bool serve_hear(mcp_server *s, json message, mcp_asked *out);
/* What is no message at all: a line that is not JSON, or is too long. id: as
 * far as it can be read, or missing. */
void serve_hear_noise(mcp_server *s, json id, const char *why);

/* -------------------------------------------------------- serve_round.c */

typedef struct serve_round serve_round;

typedef enum serve_again {
	SERVE_ANOTHER, /* a call of its own */
	SERVE_AGAIN /* a parked call, which is open again; or it was refused */
} serve_again;

/* Of a call with these params. NULL: no memory. */
serve_round *serve_round_new(mcp_server *s, json params);
void serve_round_free(mcp_server *s, serve_round *round);
/* Is the call parked: answered with a question, until the client makes it
 * again? */
bool serve_is_parked(const request *r);
/* As mcp_server_ask. */
uint32_t serve_round_ask(
    mcp_server *s, request *r, const char *method, json params);
/* Keeps the answer to a parked call: the members of its result. */
cm_status serve_round_keep(mcp_server *s, request *r, text members);
/* Is the call the repetition of a parked one? */
serve_again serve_round_again(mcp_server *s, const asking *a);
/* Takes the next answer that came with such a call. */
bool serve_round_next(mcp_server *s, mcp_asked *out);

/* -------------------------------------------------------- serve_batch.c */

/* Begins to read a batch. False: no memory, and the client was told. */
bool serve_batch_begin(mcp_server *s, json list);
/* The next message of it; at the end, false once. */
bool serve_batch_next(mcp_server *s, json *message);
/* A request of this batch waits; it waits no more. 0: it came alone. */
void serve_batch_opened(mcp_server *s, uint32_t number);
void serve_batch_closed(mcp_server *s, uint32_t number);
/* Moves the message that begins at 'opened' in s->out to the batch s->to.batch;
 * 0: it stays. */
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
/* Notes the message that begins at 'opened' in s->out; nothing there: nothing
 * is noted. */
cm_status serve_mark(
    mcp_server *s, size_t opened, uint32_t channel, bool answer);
cm_status serve_say_greeting(mcp_server *s, json id, text version);
cm_status serve_say_discovery(mcp_server *s, json id);
cm_status serve_say_nothing(mcp_server *s, json id);
cm_status serve_say_tools(mcp_server *s, json id, bool modern);
/* more: further members of the result, or empty. */
cm_status serve_say_content(
    mcp_server *s, json id, bool modern, json content, text more);
cm_status serve_say_members(mcp_server *s, json id, bool modern, text members);
cm_status serve_say_error(mcp_server *s, json id, int code, text message);
/* data: missing: none. */
cm_status serve_say_refusal(
    mcp_server *s, json id, int code, text message, json data);
/* The error of a request in a version that we do not speak. */
cm_status serve_say_versions(mcp_server *s, json id, json requested);

/* ------------------------------------------------------ serve_notice.c */

/* The level of that name, a JSON string; MCP_LOG_SILENT: there is none. */
mcp_level serve_level(json name);
/* Of the topics that params ask for, those that there are. */
unsigned serve_topics(const mcp_server *s, json params);
/* The first message to a request that listens. */
void serve_acknowledge(mcp_server *s, const request *r);

#endif
