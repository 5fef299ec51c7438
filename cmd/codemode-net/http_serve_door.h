/* SPDX-License-Identifier: MIT */
/*
 * http_serve_door.h -- an HTTP server on the loop of the command: requests that
 * were read whole, and responses that may take their time.
 *
 * It is libmicrohttpd, polled from outside. Nothing is done inside a callback of
 * the loop: the owner calls door_turn between two turns, and hooks are called
 * from there only.
 */
#ifndef HTTP_SERVE_DOOR_H
#define HTTP_SERVE_DOOR_H

#include "base/buf.h"
#include "common/main_loop.h"

typedef struct door door;

/* One request and its response. Texts live as long as it does. */
typedef struct visit {
	door *door;
	struct MHD_Connection *connection;
	const char *method, *path;
	buf body;
	void *owner;   /* the owner's, NULL at first */
	buf out;       /* of a stream: what was not sent yet */
	size_t out_at; /* the first bytes of .out, which were sent */
	struct MHD_Response *response; /* ready to be queued */
	unsigned status;               /* of .response */
	size_t replied;      /* bytes of .response, when it is no stream */
	unsigned body_fault; /* 413 or 503: there was no room for the body */
	bool asked;          /* hooks.request was called */
	bool streaming;      /* .response is a stream */
	bool ended;          /* nothing more is written to .out */
	bool suspended;      /* libmicrohttpd waits until it is resumed */
	bool peer_gone;      /* the client has closed the connection */
	bool complete;       /* all of the response was sent */
	struct visit_watch *watch; /* of the connection, while it waits */
	struct visit *next, **at;  /* of the door */
} visit;

typedef struct door_hooks {
	void *ctx;
	/* The headers were read, the body was not. A response that is given now
	 * is the last word. */
	void (*headers)(void *ctx, visit *v);
	/* The whole request was read. If the hook sets neither a response nor
	 * an .owner, the request waits for door_ask_again. */
	void (*request)(void *ctx, visit *v);
	/* The response was sent, or the client went away: v is freed after this.
	 * Called for each visit that 'headers' was called for. */
	void (*over)(void *ctx, visit *v);
} door_hooks;

typedef struct door_options {
	int fd;               /* listens; taken over */
	size_t body_max;      /* bytes of one request */
	size_t bodies_max;    /* of all that are being read at a time */
	unsigned connections; /* at a time */
} door_options;

/* NULL: it cannot be set up; the descriptor is closed. */
door *door_open(main_loop *l, const door_options *o, door_hooks hooks);
/* Visits that are not over yet are cut. Runs the loop. */
void door_close(door *d);
/* Bytes of all responses that were not sent yet; approximately: those of a
 * response that is no stream count until it is sent whole. */
size_t door_unsent(const door *d);
/* Does what is due. */
void door_turn(door *d);
/* Calls hooks.request again for each visit without a response and an .owner. */
void door_ask_again(door *d);

/* The value of a header, or NULL. */
const char *visit_header(const visit *v, const char *name);

/* The body is not needed any more. */
void visit_drop_body(visit *v);

/* A header as visit_reply wants it; value NULL: left out. */
typedef struct door_header {
	const char *name, *value;
} door_header;

/* The response, once; body is copied. headers end with a name NULL; NULL: none.
 * After this only 'over' comes. */
void visit_reply(
    visit *v, unsigned status, text body, const door_header *headers);
/* The response begins: text/event-stream. */
void visit_stream(visit *v, const door_header *headers);
/* Appends to it. False: no memory. */
bool visit_write(visit *v, text bytes);
/* Bytes that wait to be sent. */
size_t visit_unsent(const visit *v);
/* The stream is complete. */
void visit_end(visit *v);

#endif
