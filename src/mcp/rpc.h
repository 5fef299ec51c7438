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
	json result;        /* of a good reply */
	json error;         /* of a failed one */
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
	WAIT_DISCOVER,
	WAIT_GREETING,
	WAIT_LIST,
	WAIT_LISTEN,
	WAIT_CALL,
	WAIT_PING,
	WAIT_IGNORED /* its reply is of no use any more */
} wait_kind;

/* Why a call is over although the server did not answer it. */
typedef enum wait_end {
	WAIT_OPEN,
	WAIT_TIMEOUT,  /* nothing came in time */
	WAIT_ARGS,     /* the arguments are no object */
	WAIT_FULL,     /* the server does not read */
	WAIT_UNBORN,   /* the server is not up yet */
	WAIT_CLOSED,   /* the connection is over */
	WAIT_TOO_LONG, /* the reply was too long to be read */
	WAIT_REFUSED   /* see .more->words */
} wait_end;

/* Which request of a call is the latest one. */
typedef enum wait_step {
	STEP_CALL,       /* the call itself */
	STEP_TASK_GET,   /* how its task is */
	STEP_TASK_RESULT /* what its task gave */
} wait_step;

/* What a call keeps that is more than one request, or that was refused. */
typedef struct wait_more {
	buf params;      /* members of its params, to be sent again */
	buf responses;   /* members of inputResponses so far */
	buf state;       /* requestState, a string; empty: there is none */
	buf task;        /* taskId, a string; empty: it is no task */
	buf seen;        /* keys of inputRequests of the task, a line each */
	buf words;       /* why it was refused, as the message of its error */
	unsigned rounds; /* how often the call was sent again */
	unsigned open;   /* questions of the server without an answer */
} wait_more;

typedef struct waiting {
	uint64_t id;    /* of the latest request that was sent for it */
	uint64_t token; /* of its progress: the id of the call itself */
	wait_kind kind;
	wait_end end;
	wait_step step;
	bool asleep; /* that request is over; wake_at is when the next is due */
	bool progress;   /* the server told of some */
	double done, total; /* the latest; total 0: not known */
	bool after_list; /* asleep until the list of tools was read again */
	bool reads;      /* it reads a resource */
	bool as_task;    /* it was asked for as a task */
	uint32_t call;   /* the caller's */
	uint32_t tool;   /* index, or MAP_NONE */
	uint64_t timeout_ms;
	uint64_t begun; /* when the call came */
	uint64_t deadline;
	uint64_t last_deadline; /* later than this no progress extends it */
	uint64_t wake_at;
	uint64_t told_at; /* when the latest MCP_PROGRESS was given out */
	wait_more *more;  /* NULL: one request, and nothing of it is kept */
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
waiting *waitlist_by_token(waitlist *w, uint64_t token);
/* The first open one of that kind, or NULL. */
waiting *waitlist_by_kind(waitlist *w, wait_kind kind);
/* Gives the entry the next id; the pointer changes. */
waiting *waitlist_renew(waitlist *w, waiting *entry);
/* It is due at that time, if not before. */
void waitlist_wake(waitlist *w, waiting *entry, uint64_t at);
/* entry->more, made if need be; NULL: no memory. */
wait_more *waitlist_more(waitlist *w, waiting *entry);
void waitlist_drop(waitlist *w, waiting *entry);
void waitlist_end(waitlist *w, waiting *entry, wait_end end);
/* The first one that is over but was not dropped yet, or NULL. */
waiting *waitlist_over(waitlist *w);
/* An open one whose deadline or wake_at has come, or NULL; brings .deadline up
 * to date. */
waiting *waitlist_due(waitlist *w, uint64_t now_ms);

#endif
