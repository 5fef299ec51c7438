/* SPDX-License-Identifier: MIT */
/*
 * mcp_serve.h -- an MCP server of one tool, seen from its client: bytes in, bytes
 * out.
 *
 * The other end of client.h, and a machine like it: what the client wrote goes
 * in with mcp_server_room and mcp_server_fed, what it must be sent is in
 * mcp_server_out, and what it asks for comes out of mcp_server_next. It never
 * touches the system and needs no clock.
 *
 *	mcp_server_fed(s, n);
 *	while (mcp_server_next(s, &asked))
 *		...
 *	write mcp_server_out(s), then mcp_server_sent(s, n)
 *
 * The protocol is JSON-RPC in lines, of both eras: with `initialize`,
 * revisions 2024-11-05 to 2025-11-25, and without it, 2026-07-28, where each
 * request says by itself what it speaks. The greeting is answered at once; a
 * list that is asked for before mcp_server_offer is answered by that. Each
 * request is answered once, or never when its client has cancelled it.
 */
#ifndef MCP_SERVE_H
#define MCP_SERVE_H

#include "base/json.h"

#include <codemode/codemode.h>

#define MCP_ASKED_MAX ((size_t)16 << 20) /* bytes of one request */

typedef struct mcp_server mcp_server;

typedef struct mcp_server_options {
	const cm_alloc *alloc; /* NULL: malloc */
	text tool;             /* the name of the one tool; borrowed */
} mcp_server_options;

typedef enum mcp_asked_kind {
	MCP_ASKED_CALL, /* arguments; answer with mcp_server_answer */
	MCP_ASKED_STOP  /* the client no longer waits for that call */
} mcp_asked_kind;

/* Texts live until the next mcp_server_ call. */
typedef struct mcp_asked {
	mcp_asked_kind kind;
	uint32_t request; /* 1, 2, 3 ...: ours, not the client's id */
	json arguments;   /* an object, or missing */
	text reason;      /* of a stop, as a JSON string, or missing */
} mcp_asked;

/* NULL when there is no memory. */
mcp_server *mcp_server_new(const mcp_server_options *opts);
void mcp_server_free(mcp_server *s);

/* Place for *len bytes that the client wrote, at least 1; NULL: no memory. Not
 * before mcp_server_next said that nothing more is there. */
char *mcp_server_room(mcp_server *s, size_t *len);
/* n bytes were put there. */
void mcp_server_fed(mcp_server *s, size_t n);
/* Nothing more will come: what stands there without a line break is a line. */
void mcp_server_end(mcp_server *s);
/* The next thing that the client wants; false: nothing more for now. */
bool mcp_server_next(mcp_server *s, mcp_asked *out);

/* Bytes to write; they live until the next mcp_server_ call. */
text mcp_server_out(const mcp_server *s);
/* The first n of them were written. */
void mcp_server_sent(mcp_server *s, size_t n);

/* The tool as tools/list shows it, an object on one line; copied. From now on
 * lists are answered, and those that waited are. CM_ENOMEM: nothing changed. */
cm_status mcp_server_offer(mcp_server *s, json tool);

/* The answer to a call: content is an array of blocks on one line. CM_ENOCALL:
 * the client does not wait for it (any more), which is harmless. CM_ELIMIT, CM_ENOMEM: the
 * client was told that there is no room for the answer. */
cm_status mcp_server_answer(
    mcp_server *s, uint32_t request, json content, bool failed);

/* What the client's revision of the protocol lacks; its readers refuse a whole
 * answer for a block that they do not know. */
typedef struct mcp_lacks {
	bool audio, links;
} mcp_lacks;
mcp_lacks mcp_server_lacks(const mcp_server *s);

/* Requests that were not answered yet. */
size_t mcp_server_pending(const mcp_server *s);

#endif
