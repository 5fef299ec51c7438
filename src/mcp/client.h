/* SPDX-License-Identifier: MIT */
/*
 * client.h -- one MCP server, seen from its client: bytes in, bytes out.
 *
 * A machine that its owner turns. What the server wrote goes in with
 * mcp_client_room and mcp_client_fed (a pipe), or with mcp_client_line (a
 * transport that has whole messages); what it must be sent is in
 * mcp_client_out, time comes in with mcp_client_tick, and what happened comes
 * out of mcp_client_next. It never touches the system, so the same machine
 * serves a pipe, HTTP and a test.
 *
 *	mcp_client_tick(c, now);
 *	mcp_client_fed(c, n);
 *	while (mcp_client_next(c, &event))
 *		...
 *	write mcp_client_out(c), then mcp_client_sent(c, n)
 *	sleep until mcp_client_deadline(c)
 *
 * The protocol is JSON-RPC in lines. Two eras speak it differently: the legacy
 * one greets first (revisions 2024-11-05 to 2025-11-25), the modern one names
 * the client in each request (2026-07-28). A new client finds out which, and reads
 * the list of tools; MCP_UP says that this is done. Whatever a server sends,
 * each call is answered once: by the server, by its own time limit, or by the
 * end of the connection.
 */
#ifndef MCP_CLIENT_H
#define MCP_CLIENT_H

#include "base/json.h"

#include <codemode/codemode.h>

#define MCP_FRAME_MAX ((size_t)80 << 20) /* bytes of one message */
#define MCP_OUT_MAX   ((size_t)64 << 20) /* bytes waiting to be written */
#define MCP_NO_CALL   UINT32_MAX         /* no number of a call */

typedef struct mcp_client mcp_client;

typedef enum mcp_era {
	ERA_FIND_OUT,
	ERA_LEGACY, /* `initialize`: up to 2025-11-25 */
	ERA_MODERN  /* no greeting: 2026-07-28 */
} mcp_era;

/* Requests of the server that the owner answers, or-ed together. All others
 * are refused by the machine. */
enum {
	MCP_OFFERS_SAMPLING = 1 << 0,    /* sampling/createMessage */
	MCP_OFFERS_ELICITATION = 1 << 1, /* elicitation/create, by form */
	MCP_OFFERS_ELICIT_URL = 1 << 2,  /* the same, by URL */
	MCP_OFFERS_ROOTS = 1 << 3        /* roots/list */
};

/* Which of them a request of this method needs; 0: none. */
unsigned mcp_offer_of(text method, json params);

enum { MCP_PARENT_MAX = 56 }; /* bytes of a traceparent, with its zero */

typedef struct mcp_client_options {
	const cm_alloc *alloc; /* NULL: malloc */
	uint64_t now_ms;       /* any clock that never goes back */
	uint64_t startup_ms;   /* until MCP_UP; 0: 30 000 */
	uint64_t call_ms;      /* for calls that name no limit; 0: 300 000 */
	uint64_t call_max_ms;  /* to which progress extends a call; 0: 4 times
	                          its own limit */
	mcp_era era;           /* what is known of it, from an earlier life */
	bool over_http;        /* the lines are bodies of POST requests */
	unsigned offers;       /* MCP_OFFERS_* */
	text log_level;        /* static: from which level on the server shall
	                          log, "debug" ... "emergency"; empty: what it
	                          sends by itself */
	/* Writes the traceparent that the call sends to its server. False:
	 * none. NULL: no call does. */
	bool (*parent)(void *ctx, uint32_t call, char out[MCP_PARENT_MAX]);
	void *parent_ctx;
} mcp_client_options;

/* Texts are borrowed from the client; see mcp_client_tools. */
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
	json value;   /* ok: what the script gets */
	text message; /* not ok: the tool's own words, never empty */
	json members; /* not ok: more members of the Error, or empty */
	json result;  /* of tools/call, as the server sent it; missing: there
	                 was none */
	size_t bytes; /* size of the server's reply; 0 when there was none */
} mcp_answer;

typedef enum mcp_event_kind {
	MCP_UP,       /* mcp_client_tools is complete */
	MCP_ANSWER,   /* call, answer */
	MCP_PROGRESS, /* call, progress, total, message (may be empty) */
	MCP_CHANGED,  /* mcp_client_tools is another list now */
	MCP_LOG,      /* level, message: what the server logs, for people */
	MCP_ASKED,    /* asked, call, method, params: a request of the server;
	                 mcp_client_answer is due */
	MCP_WARNING,  /* message: something odd that broke nothing */
	MCP_DOWN      /* message: why; the last event, all calls are answered */
} mcp_event_kind;

/* Texts live until the next mcp_client_ call. */
typedef struct mcp_event {
	mcp_event_kind kind;
	uint32_t call; /* MCP_NO_CALL: none is known */
	mcp_answer answer;
	text message;
	double progress;
	double total; /* 0: not known */
	text level;   /* "debug" ... "emergency" */
	uint64_t asked;
	text method; /* "elicitation/create" ... */
	json params; /* an object, or missing */
} mcp_event;

/* NULL when there is no memory. opts may be NULL. */
mcp_client *mcp_client_new(const mcp_client_options *opts);
void mcp_client_free(mcp_client *c);

/* Place for *len bytes that the server wrote, at least 1; NULL: no memory.
 * Not before mcp_client_next said that nothing more is there. */
char *mcp_client_room(mcp_client *c, size_t *len);
/* n bytes were put there. */
void mcp_client_fed(mcp_client *c, size_t n);
/* One whole message, in the caller's memory: len bytes at line, which stay
 * there until mcp_client_next said that nothing more is there (not before may
 * the next line come), and which may be changed. */
void mcp_client_line(mcp_client *c, char *line, size_t len);
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
cm_status mcp_client_call(
    mcp_client *c, uint32_t call, text tool, json args, uint64_t timeout_ms);
/* Reads a resource: like a call. The value is its text, or what mcp/value.h
 * says of other contents. A server with resources also has the tool
 * readResource({ uri }) in its list, which does the same. */
cm_status mcp_client_read(
    mcp_client *c, uint32_t call, text uri, uint64_t timeout_ms);
/* The caller no longer waits: the server is told, no answer comes. */
void mcp_client_cancel(mcp_client *c, uint32_t call, text reason);
/* From now on this is offered, MCP_OFFERS_*. A server of the legacy era goes on
 * by what it was told when it was greeted. */
void mcp_client_offer(mcp_client *c, unsigned offers);
/* What the owner says to MCP_ASKED: a result, or else an error object. An
 * asked that is over is ignored, also one of an earlier client. */
void mcp_client_answer(mcp_client *c, uint64_t asked, json result, json error);

/* It is now_ms. */
void mcp_client_tick(mcp_client *c, uint64_t now_ms);
/* Tick and next are due by then; UINT64_MAX: not before more bytes come. */
uint64_t mcp_client_deadline(const mcp_client *c);

/* The next thing that happened; false: nothing more for now. */
bool mcp_client_next(mcp_client *c, mcp_event *out);

/* None before MCP_UP. The list and its texts live until mcp_client_next gives
 * the next MCP_UP or MCP_CHANGED. *n may be NULL. */
const mcp_tool *mcp_client_tools(const mcp_client *c, size_t *n);
/* What is known of it: sure since MCP_UP, and worth keeping for the next life
 * of the same server. */
mcp_era mcp_client_era(const mcp_client *c);
/* What it says about its use, for a model; may be empty. Known since MCP_UP,
 * lives as long as the client. */
text mcp_client_instructions(const mcp_client *c);

/* The name and version of the server; may be empty. Known since MCP_UP. */
text mcp_client_program(const mcp_client *c);
/* The revision of the protocol that was agreed on. Empty: none yet. */
text mcp_client_revision(const mcp_client *c);
/* Appends its tools and instructions as a JSON object, for a later program. */
void mcp_client_write_lists(const mcp_client *c, buf *out);
/* A client that only has the tools and instructions of such an object, which is
 * checked like a list from a server. It sends nothing and accepts no calls.
 * NULL: not such an object, or no memory. */
mcp_client *mcp_client_recall(text lists);

/* ------------------------------------------- for a transport over HTTP */

typedef enum mcp_line_kind {
	MCP_LINE_REQUEST,  /* id; its reply comes in the response */
	MCP_LINE_NOTICE,   /* a notification */
	MCP_LINE_RESPONSE, /* to a request of the server */
	MCP_LINE_CANCEL    /* id: the stream of that request is to be closed;
	                      the line itself is not sent */
} mcp_line_kind;

typedef struct mcp_line {
	mcp_line_kind kind;
	uint64_t id; /* 0: it has none */
	text method; /* empty: a response */
} mcp_line;

/* What a line of mcp_client_out is. */
mcp_line mcp_client_line_kind(const mcp_client *c, text line);
/* Does the request with this id still wait for its reply? */
bool mcp_client_waits(const mcp_client *c, uint64_t id);
/* Appends the headers of the POST of this line, each as "Name: value\n": what
 * the protocol wants beyond Content-Type, Accept and the session. */
void mcp_client_headers(const mcp_client *c, text line, buf *out);

/* Why a request got no reply. */
typedef struct mcp_failure {
	int status; /* of HTTP; 0: there was no response, or its stream ended */
	text body;  /* of a 4xx or 5xx; may be empty */
	text message; /* for people: "HTTP 502 from https://…" */
} mcp_failure;

/* The request with this id failed. Only that one ends, unless the start of the
 * server depends on it. Not while lines are in mcp_client_room half fed. */
void mcp_client_failed(mcp_client *c, uint64_t id, const mcp_failure *why);
/* The server lost the session (404): it is greeted again, and its list fetched
 * again. Calls in flight stay so; the transport sends those again that the
 * server refused for this reason, once the greeting is answered. */
void mcp_client_again(mcp_client *c);

#endif
