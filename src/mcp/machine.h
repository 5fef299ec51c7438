/* SPDX-License-Identifier: MIT */
/*
 * machine.h -- what the files of the client share.
 *
 *	client.c     the outside: bytes, time and events
 *	hear.c       what a line is, and what it leads to
 *	handshake.c  greeting and list of tools, until MCP_UP
 *	call.c       calls, and the four ways in which they end
 *	talk.c       what is sent
 *	frame, outbox, rpc, mcp_tools, value   know nothing of the machine
 */
#ifndef MCP_MACHINE_H
#define MCP_MACHINE_H

#include "client.h"
#include "frame.h"
#include "mcp_tools.h"
#include "outbox.h"
#include "rpc.h"


enum {
	MACHINE_NOTES_MAX = 16 << 10, /* bytes of warnings not yet fetched */
	MACHINE_DEPTH = JSON_DEPTH + 16 /* of a message: a value and its wrapping */
};

typedef enum machine_phase {
	PHASE_GREETING, /* initialize was sent */
	PHASE_LISTING,  /* tools/list was sent */
	PHASE_UP,
	PHASE_CLOSED
} machine_phase;

/* What was dropped so far. Of each kind only the first makes a warning. */
typedef struct mcp_counts {
	uint64_t noise;    /* lines that are no message */
	uint64_t late;     /* replies to calls that are over, doubled ones too */
	uint64_t stray;    /* replies whose id was never given out */
	uint64_t requests; /* requests that were refused: we offer nothing */
	uint64_t unsent;   /* our replies that had no room to be queued */
} mcp_counts;

/* A message, and what else is known of the line that it stood in. */
typedef struct incoming {
	rpc_message rpc;
	size_t bytes;
	const char *spoilt; /* what was wrong with its text, or NULL */
} incoming;

struct mcp_client {
	const cm_alloc *alloc;
	machine_phase phase;
	uint64_t now_ms;
	uint64_t startup_ms;
	uint64_t start_by; /* MCP_UP must have come */
	uint64_t call_ms;

	frame frame;
	text handed;        /* by mcp_client_line, not read yet */
	json_iter batch;    /* what is left of a list of messages */
	const char *spoilt; /* of the line that batch came from */
	outbox out;

	waitlist waits;
	tools tools;

	buf scratch; /* of the answer that was handed out last */
	buf words;   /* of the message that was handed out last */
	buf notes;   /* warnings that were not fetched yet, a line each */
	uint64_t changed_at; /* when MCP_CHANGED is due; UINT64_MAX: it is not */
	mcp_counts counts;
	size_t left_out; /* tools beyond TOOLS_MAX */

	buf why;     /* it ends, or ended */
	bool ending; /* after what was read is dealt with */
	bool told;   /* MCP_DOWN went out */
};

/* ------------------------------------------------------------ client.c */

/* Notes a warning of one line; lost when too many wait to be fetched. */
void machine_warn(mcp_client *c, const char *format, ...)
    __attribute__((format(printf, 2, 3)));
/* The connection is of no more use: all calls end, MCP_DOWN follows. */
void machine_down(mcp_client *c, const char *format, ...)
    __attribute__((format(printf, 2, 3)));

/* -------------------------------------------------------------- hear.c */

/* One step through what was read; *m may stay empty. False: nothing is left. */
bool hear_next(mcp_client *c, incoming *m);
/* True: it became the event *out. */
bool hear_deal(mcp_client *c, const incoming *m, mcp_event *out);

/* -------------------------------------------------------------- talk.c */

/* All: CM_ELIMIT or CM_ENOMEM, and nothing was queued. */
cm_status talk_initialize(mcp_client *c, uint64_t id);
cm_status talk_initialized(mcp_client *c);
/* cursor missing: the first page. */
cm_status talk_list(mcp_client *c, uint64_t id, json cursor);
/* Refused beyond MCP_OUT_MAX; everything else may go a little further. */
cm_status talk_call(mcp_client *c, uint64_t id, text tool, json args);
cm_status talk_cancelled(mcp_client *c, uint64_t id, text reason);
cm_status talk_pong(mcp_client *c, json id);
cm_status talk_refuse(mcp_client *c, json id, json method);

/* --------------------------------------------------------- handshake.c */

void handshake_begin(mcp_client *c);
void handshake_greeting(mcp_client *c, const incoming *m);
/* True: *out is MCP_UP. */
bool handshake_list(mcp_client *c, const incoming *m, mcp_event *out);
/* The deadline of the start came. */
void handshake_late(mcp_client *c);

/* -------------------------------------------------------------- call.c */

/* The server's reply to a call; *entry is dropped. */
void call_reply(mcp_client *c, waiting *entry, const incoming *m,
    mcp_event *out);
/* The next call that ended without a reply becomes *out; false: none did. */
bool call_next_over(mcp_client *c, mcp_event *out);
/* Ends the calls whose time is up. */
void call_expire(mcp_client *c);
/* Ends all that are open. */
void call_end_all(mcp_client *c, wait_end end);

#endif
