/* SPDX-License-Identifier: MIT */
/*
 * serve_machine.h -- what the files of the server share.
 *
 *	serve.c       the outside: bytes, what is offered, what was asked
 *	serve_hear.c  what a line is, and what it leads to
 *	serve_say.c   what is sent
 */
#ifndef MCP_SERVE_MACHINE_H
#define MCP_SERVE_MACHINE_H

#include "frame.h"
#include "serve.h"

/* A client that asks for more at a time is refused. */
enum { SERVE_OPEN_MAX = 1000 };

/* What is waiting for an answer. */
typedef struct request {
	uint32_t number;
	bool listing; /* tools/list, else tools/call */
	bool modern;  /* the era that it was asked in */
	char *id;     /* the client's, byte for byte */
	size_t id_len;
} request;

struct mcp_server {
	const cm_alloc *alloc;
	text tool;
	buf offer;         /* empty: not known yet */
	bool batches;      /* the revision that was agreed on has them */
	frame frame;
	json_iter batch;   /* what is left of a list of messages */
	buf out;
	size_t out_at;     /* sent up to here */
	request *open;     /* in the order they came */
	size_t len;
	size_t cap;
	uint32_t last;     /* the latest number given out */
};

/* ------------------------------------------------------------- serve.c */

/* Enters a request; NULL: there is no room, and the client was told. */
request *serve_open(mcp_server *s, json id, bool listing, bool modern);
void serve_drop(mcp_server *s, request *r);
/* The open one that the client calls so, or NULL. */
request *serve_called(mcp_server *s, json id);

/* -------------------------------------------------------- serve_hear.c */

/* True: it became *out. */
bool serve_hear(mcp_server *s, json message, mcp_asked *out);
/* What is no message at all: a line that is not JSON, or is too long. */
void serve_hear_noise(mcp_server *s, const char *why);

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
