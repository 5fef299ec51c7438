/* SPDX-License-Identifier: MIT */
/*
 * machine.h -- what the files of the client share.
 *
 *	client.c     the outside: bytes, time and events
 *	hear.c       what a line is, and what it leads to
 *	handshake.c  which era it is, and the greeting
 *	mcp_list.c   the list of tools, at the start and when it changed
 *	call.c       calls, and the ways in which they end
 *	rounds.c     calls of more than one request: input_required, tasks
 *	asked.c      requests of the server that the owner answers
 *	carry.c      what a transport over HTTP must know
 *	ping.c       is a silent server still there?
 *	talk.c       what is sent
 *	frame, outbox, rpc, mcp_tools, param, value   know nothing of the machine
 */
#ifndef MCP_MACHINE_H
#define MCP_MACHINE_H

#include "client.h"
#include "frame.h"
#include "mcp_tools.h"
#include "outbox.h"
#include "rpc.h"

#define MACHINE_MODERN TEXT("2026-07-28")

enum {
	MACHINE_NOTES_MAX = 16 << 10, /* bytes of warnings not yet fetched */
	MACHINE_DEPTH =
	    JSON_DEPTH + 16 /* of a message: a value and its wrapping */
};

typedef enum machine_phase {
	PHASE_PROBING,  /* server/discover was sent */
	PHASE_GREETING, /* initialize was sent */
	PHASE_LISTING,  /* tools/list was sent */
	PHASE_UP,
	PHASE_CLOSED
} machine_phase;

/* What was dropped so far. Of each kind only the first makes a warning. */
typedef struct mcp_counts {
	uint64_t noise; /* lines that are no message */
	uint64_t late;  /* replies to calls that are over, doubled ones too */
	uint64_t stray; /* replies whose id was never given out */
	uint64_t requests; /* requests that were refused: we offer nothing */
	uint64_t unsent;   /* our replies that had no room to be queued */
} mcp_counts;

/* What the server says that it has. */
typedef struct machine_caps {
	bool list_changed; /* of tools */
	bool resources;
	bool tasks; /* tools/call may be a task, as in 2025-11-25 */
} machine_caps;

/* A request of the server that the owner answers. */
typedef struct asked {
	uint64_t number; /* of MCP_ASKED */
	uint32_t call;   /* MCP_NO_CALL: it is not known */
	bool told;       /* MCP_ASKED went out */
	bool round;      /* id is a key of inputRequests, not of a request */
	buf id;
	buf method; /* a string of JSON */
	buf params;
} asked;

/* A message, and what else is known of the line that it stood in. */
typedef struct incoming {
	rpc_message rpc;
	size_t bytes;
	const char *spoilt; /* what was wrong with its text, or NULL */
} incoming;

struct mcp_client {
	const cm_alloc *alloc;
	machine_phase phase;
	mcp_era era;       /* in which its requests are written */
	mcp_era known;     /* what is sure of it, or was when it was made */
	text revision;     /* that was agreed on; empty: not yet */
	machine_caps caps; /* since PHASE_LISTING */
	bool probed;       /* server/discover was sent in this life */
	bool over_http;
	unsigned offers; /* MCP_OFFERS_* */
	bool (*parent)(void *ctx, uint32_t call, char out[MCP_PARENT_MAX]);
	void *parent_ctx; /* see mcp_client_options */
	text log_level;   /* static; empty: what the server sends by itself */
	uint64_t now_ms;
	uint64_t startup_ms;
	uint64_t start_by; /* MCP_UP must have come */
	uint64_t call_ms;
	uint64_t call_max_ms; /* 0: CALL_STRETCH times its own limit */

	frame frame;
	text handed;        /* by mcp_client_line, or behind a message on its
	                       line; not read yet */
	char *base;         /* of the bytes that the current line stands in */
	json_iter batch;    /* what is left of a list of messages */
	const char *spoilt; /* of the line that batch came from */
	outbox out;

	waitlist waits;
	tools tools;         /* what mcp_client_tools gives */
	tools fetched;       /* what of the next list was read so far */
	bool list_ready;     /* fetched is whole */
	bool dirty;          /* the list changed again while it was read */
	uint64_t changed_at; /* when it is read again; UINT64_MAX: no need */
	uint64_t calm_ms;    /* from a change until then */
	uint64_t listed_at;  /* when it was read last */
	uint64_t listen_ms;  /* until the next try to listen for changes */
	size_t verdicts[TOOLS_VERDICTS]; /* of the tools of fetched */
	unsigned barren; /* pages in a row that had no new tool */

	uint64_t
	    ping_at; /* when it is asked; UINT64_MAX: not during this silence */
	bool silent; /* no answer to a ping, and no bytes since */

	asked *asked;
	size_t asked_len;
	size_t asked_cap;
	uint64_t last_asked;

	buf scratch; /* of the answer that was handed out last */
	buf words;   /* of the message that was handed out last */
	buf notes;   /* warnings that were not fetched yet, a line each */
	buf about;   /* the server's instructions */
	buf program; /* its name and version */
	mcp_counts counts;

	buf why;     /* it ends, or ended */
	bool ending; /* after what was read is dealt with */
	bool told;   /* MCP_DOWN went out */
};

/* -------------------------------------------------------------- ping.c */

void ping_calls_began(mcp_client *c);
/* A message came. */
void ping_heard(mcp_client *c);
/* .ping_at has come. */
void ping_due(mcp_client *c);
void ping_unanswered(mcp_client *c, waiting *entry);

/* ------------------------------------------------------------ client.c */

/* Notes a warning of one line; lost when too many wait to be fetched. */
void machine_warn(mcp_client *c, const char *format, ...)
    __attribute__((format(printf, 2, 3)));
/* The connection is of no more use: all calls end, MCP_DOWN follows. */
void machine_down(mcp_client *c, const char *format, ...)
    __attribute__((format(printf, 2, 3)));
/* now_ms and ms more, at most UINT64_MAX. */
uint64_t machine_later(const mcp_client *c, uint64_t ms);
/* Enters a request that is no call; 0: no memory. */
uint64_t machine_expect(mcp_client *c, wait_kind kind, uint64_t deadline);
/* The same, of a request whose reply says nothing. */
uint64_t machine_expect_nothing(mcp_client *c);
/* Its reply is of no use any more: that is forgotten if it comes soon. */
void machine_ignore(mcp_client *c, waiting *entry);
/* Why the reply to our request is of no use, as a text in c->scratch. */
text machine_complaint(mcp_client *c, const incoming *m);
/* Our message had no room. */
static inline void
machine_sent(mcp_client *c, cm_status r)
{
	if (r != CM_OK)
		c->counts.unsent++;
}

/* -------------------------------------------------------------- hear.c */

/* One step through what was read; *m may stay empty. False: nothing is left. */
bool hear_next(mcp_client *c, incoming *m);
/* True: it became the event *out. */
bool hear_deal(mcp_client *c, const incoming *m, mcp_event *out);

/* -------------------------------------------------------------- talk.c */

/* All: CM_ELIMIT or CM_ENOMEM, and nothing was queued. */
cm_status talk_discover(mcp_client *c, uint64_t id);
cm_status talk_initialize(mcp_client *c, uint64_t id);
cm_status talk_initialized(mcp_client *c);
cm_status talk_ping(mcp_client *c, uint64_t id);
cm_status talk_set_level(mcp_client *c, uint64_t id);
/* cursor missing: the first page. */
cm_status talk_list(mcp_client *c, uint64_t id, json cursor);
cm_status talk_listen(mcp_client *c, uint64_t id);
/* Calls are refused beyond MCP_OUT_MAX; all else may go a little further.
 * task_ms: it is to be a task that is kept so long (UINT64_MAX: for ever); 0:
 * it is not. */
cm_status talk_call(mcp_client *c, const waiting *entry, text tool, json args,
    uint64_t task_ms);
cm_status talk_read(mcp_client *c, const waiting *entry, text uri);
/* Sends what entry->more keeps. */
cm_status talk_call_again(mcp_client *c, const waiting *entry);
cm_status talk_task(
    mcp_client *c, uint64_t id, const char *method, const wait_more *more);
/* Members of params. */
void talk_tool_params(buf *out, text tool, json args);
cm_status talk_cancelled(mcp_client *c, uint64_t id, text reason);
/* error missing: result. */
cm_status talk_answer(mcp_client *c, json id, json result, json error);
cm_status talk_refuse(mcp_client *c, json id, json method);

/* --------------------------------------------------------- handshake.c */

void handshake_begin(mcp_client *c);
/* The reply to server/discover; missing m: there was none, for that reason. */
void handshake_discovered(mcp_client *c, const incoming *m);
void handshake_greeting(mcp_client *c, const incoming *m);
/* Once more, while it is up. */
void handshake_greet_again(mcp_client *c);
/* The deadline of the start came. */
void handshake_late(mcp_client *c);

/* ---------------------------------------------------------- mcp_list.c */

/* Reads the list from its first page on. */
void list_begin(mcp_client *c);
void list_page(mcp_client *c, const incoming *m);
/* The page that is waited for does not come: what came counts. */
void list_cut(mcp_client *c, const char *why);
/* The server says that its list is another one now. */
void list_changed(mcp_client *c);
/* The list was read whole: *out is MCP_UP or MCP_CHANGED. */
bool list_take(mcp_client *c, mcp_event *out);
/* Asks to be told of changes. */
void list_listen(mcp_client *c);
void list_heard(mcp_client *c);
/* The listening ended; again: it may be begun anew. */
void list_listen_ended(mcp_client *c, waiting *entry, bool again);

/* -------------------------------------------------------------- call.c */

/* The server's reply to a call; true: *out is its answer. */
bool call_reply(
    mcp_client *c, waiting *entry, const incoming *m, mcp_event *out);
/* The next call that ended without a reply becomes *out; false: none did. */
bool call_next_over(mcp_client *c, mcp_event *out);
/* Its deadline or its time to wake came. */
void call_due(mcp_client *c, waiting *entry);
/* Its server is still at it: more time, up to the last deadline. */
void call_extend(mcp_client *c, waiting *entry);
/* Ends it by an error in our words. */
void call_refuse(mcp_client *c, waiting *entry, const char *format, ...)
    __attribute__((format(printf, 3, 4)));
/* *out: how a result, or an error, ends the call; the entry is dropped. */
void call_settle(mcp_client *c, waiting *entry, json result, json error,
    size_t bytes, mcp_event *out);
/* What a server tells of a call's progress; true: *out is MCP_PROGRESS. */
bool call_progress(mcp_client *c, json params, mcp_event *out);
bool call_tell(mcp_client *c, waiting *entry, double progress, double total,
    json message, mcp_event *out);
/* Ends all that are open. */
void call_end_all(mcp_client *c, wait_end end);

/* ------------------------------------------------------------ rounds.c */

/* Is the reply one step on the way? True: it was dealt with. */
bool rounds_step(mcp_client *c, waiting *entry, const incoming *m,
    mcp_event *out, bool *answered);
/* An answer of the owner to a question of this call came. */
void rounds_answered(mcp_client *c, waiting *entry);
/* The call is to be sent again, or its task asked for. */
void rounds_wake(mcp_client *c, waiting *entry);
/* All that wait for the list go on. */
void rounds_listed(mcp_client *c);
/* Tells the server that the task is not wanted any more. */
void rounds_cancel(mcp_client *c, waiting *entry);

/* ------------------------------------------------------------- asked.c */

/* Does the owner answer requests of this method? */
bool asked_offered(const mcp_client *c, json method, json params);
/* False: too many, or no memory. */
bool asked_add(mcp_client *c, uint32_t call, bool round, json id, json method,
    json params);
/* The next one that the owner was not told of becomes *out. */
bool asked_take(mcp_client *c, mcp_event *out);
/* Is one of this call open, or one of which the call is not known? */
bool asked_open(const mcp_client *c, uint32_t call);
void asked_drop_call(mcp_client *c, uint32_t call);
/* The server takes its request back. */
void asked_drop_id(mcp_client *c, json id);
void asked_drop_all(mcp_client *c);

#endif
