/* SPDX-License-Identifier: MIT */
/*
 * rpc.h -- JSON-RPC: what a message is, and which requests wait for a reply.
 */
#ifndef MCP_RPC_H
#define MCP_RPC_H

#include "base/json.h"

/* -------------------------------------------------------- what came in */

typedef enum rpc_kind {
	RPC_NONE,         /* JSON, but no message */
	RPC_REQUEST,      /* method, id, params */
	RPC_NOTIFICATION, /* method, params */
	RPC_REPLY         /* id, and how it ended */
} rpc_kind;

/* Spans of the line that was read. */
typedef struct rpc_message {
	rpc_kind kind;
	json id;
	json method;
	json params;
	json result; /* of a good reply */
	json error;  /* of a failed one */
	const char *broken; /* a reply that is neither: why; else NULL */
} rpc_message;

rpc_message rpc_read(json line);
/* The number that an id stands for, "7" included; 0: none of ours. */
uint64_t rpc_number(json id);
/*
 * The id of a message of which only the two ends are known, or whose text is
 * not JSON; missing: none can be read. It stands before every brace but the
 * first, or is the last member. A text without "jsonrpc" is no message.
 */
json rpc_id_in_ends(text head, text tail);

/* ----------------------------------------------------- what waits for it */

typedef enum wait_kind {
	WAIT_GREETING,
	WAIT_LIST,
	WAIT_CALL
} wait_kind;

/* Why a call is over although the server did not answer it. */
typedef enum wait_end {
	WAIT_OPEN,
	WAIT_TIMEOUT, /* nothing came in time */
	WAIT_ARGS,    /* the arguments are no object */
	WAIT_FULL,    /* the server does not read */
	WAIT_UNBORN,  /* the server is not up yet */
	WAIT_CLOSED,  /* the connection is over */
	WAIT_TOO_LONG, /* the reply was too long to be read */
	WAIT_BROKEN    /* the reply was not JSON */
} wait_end;

typedef struct waiting {
	uint64_t id; /* the upstream one */
	wait_kind kind;
	wait_end end;
	uint32_t call; /* the caller's */
	uint32_t tool; /* index, or MAP_NONE */
	uint64_t timeout_ms;
	uint64_t deadline;
} waiting;

/* Ordered by id, which only grows. */
typedef struct waitlist {
	const cm_alloc *alloc;
	waiting *at;
	size_t len;
	size_t cap;
	uint64_t last_id;  /* the latest one given out */
	uint64_t deadline; /* none is due before; may be early, never late */
	size_t over;       /* how many are not WAIT_OPEN */
} waitlist;

void waitlist_init(waitlist *w, const cm_alloc *alloc);
void waitlist_fini(waitlist *w);
/* Enters w0 under a new id; NULL: no memory. */
waiting *waitlist_add(waitlist *w, const waiting *w0);
waiting *waitlist_by_id(waitlist *w, uint64_t id);
waiting *waitlist_by_call(waitlist *w, uint32_t call);
void waitlist_drop(waitlist *w, waiting *entry);
void waitlist_end(waitlist *w, waiting *entry, wait_end end);
/* The first one that is over but was not dropped yet, or NULL. */
waiting *waitlist_over(waitlist *w);
/* An open one whose time is up, or NULL; brings .deadline up to date. */
waiting *waitlist_due(waitlist *w, uint64_t now_ms);

#endif
