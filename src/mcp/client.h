/* SPDX-License-Identifier: MIT */
/*
 * client.h -- one MCP server, seen from its client: bytes in, bytes out.
 *
 * A machine that its owner turns. What the server wrote goes in with
 * mcp_client_room and mcp_client_fed, what it must be
 * sent is in mcp_client_out, time comes in with mcp_client_tick, and what
 * happened comes out of mcp_client_next. It never touches the system, so the
 * same machine serves a pipe, a socket and a test.
 *
 *	mcp_client_tick(c, now);
 *	mcp_client_fed(c, n);
 *	while (mcp_client_next(c, &event))
 *		...
 *	write mcp_client_out(c), then mcp_client_sent(c, n)
 *	sleep until mcp_client_deadline(c)
 *
 * The protocol is JSON-RPC in lines, revisions 2024-11-05 to 2025-11-25. A new
 * client greets the server and reads its list of tools; MCP_UP says that this
 * is done. Whatever a server sends, each call is answered once: by the
 * server, by its own time limit, or by the end of the connection.
 */
#ifndef MCP_CLIENT_H
#define MCP_CLIENT_H

#include "base/json.h"

#include <codemode/codemode.h>

#define MCP_FRAME_MAX ((size_t)80 << 20) /* bytes of one message */
#define MCP_OUT_MAX ((size_t)64 << 20)   /* bytes waiting to be written */

typedef struct mcp_client mcp_client;

typedef struct mcp_client_options {
	const cm_alloc *alloc; /* NULL: malloc */
	uint64_t now_ms;       /* any clock that never goes back */
	uint64_t startup_ms;   /* until MCP_UP; 0: 30 000 */
	uint64_t call_ms;      /* for calls that name no limit; 0: 300 000 */
} mcp_client_options;

/* Texts are borrowed from the client and live as long as it does. */
typedef struct mcp_tool {
	text name;
	text description;  /* its title when there is none; may be empty */
	json input_schema; /* byte for byte as sent; empty: takes anything */
	json output_schema;
	unsigned flags; /* CM_TOOL_* */
} mcp_tool;

/* How a call ended. Fits cm_run_resolve and cm_run_reject as it stands. */
typedef struct mcp_answer {
	bool ok;
	json value;    /* ok: what the script gets */
	text message;  /* not ok: the tool's own words, never empty */
	json members;  /* not ok: more members of the Error, or empty */
	size_t bytes;  /* size of the server's reply; 0 when there was none */
} mcp_answer;

typedef enum mcp_event_kind {
	MCP_UP,      /* mcp_client_tools is complete */
	MCP_ANSWER,  /* call, answer */
	MCP_CHANGED, /* the server says that its list of tools changed */
	MCP_WARNING, /* message: something odd that broke nothing */
	MCP_DOWN     /* message: why; the last event, all calls are answered */
} mcp_event_kind;

/* Texts live until the next mcp_client_ call. */
typedef struct mcp_event {
	mcp_event_kind kind;
	uint32_t call;
	mcp_answer answer;
	text message;
} mcp_event;

/* NULL when there is no memory. opts may be NULL. */
mcp_client *mcp_client_new(const mcp_client_options *opts);
void mcp_client_free(mcp_client *c);

/* Place for *len bytes that the server wrote, at least 1; NULL: no memory.
 * Not before mcp_client_next said that nothing more is there. */
char *mcp_client_room(mcp_client *c, size_t *len);
/* n bytes were put there. */
void mcp_client_fed(mcp_client *c, size_t n);
/* The connection ended: all calls in flight fail with this text. */
void mcp_client_close(mcp_client *c, text why);

/* Bytes to write; they live until the next mcp_client_ call. */
text mcp_client_out(const mcp_client *c);
/* The first n of them were written. */
void mcp_client_sent(mcp_client *c, size_t n);

/*
 * Calls a tool. call is the caller's number and comes back in the answer; it
 * must not be in flight already. args is a JSON object or empty; timeout_ms 0
 * means call_ms, CM_NO_LIMIT none; it counts from the latest tick. What makes
 * the call impossible (args is no object, the server is not up, the queue to
 * it is full) is a failed answer like any other.
 * CM_ENOMEM, CM_EMISUSE (that number is in flight): no answer comes.
 */
cm_status mcp_client_call(mcp_client *c, uint32_t call, text tool, json args,
    uint64_t timeout_ms);
/* The caller no longer waits: the server is told, no answer comes. */
void mcp_client_cancel(mcp_client *c, uint32_t call, text reason);

/* It is now_ms. */
void mcp_client_tick(mcp_client *c, uint64_t now_ms);
/* Tick and next are due by then; UINT64_MAX: not before more bytes come. */
uint64_t mcp_client_deadline(const mcp_client *c);

/* The next thing that happened; false: nothing more for now. */
bool mcp_client_next(mcp_client *c, mcp_event *out);

/* Grows until MCP_UP, then stays. *n may be NULL. */
const mcp_tool *mcp_client_tools(const mcp_client *c, size_t *n);

#endif
