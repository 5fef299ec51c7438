/* SPDX-License-Identifier: MIT */
/*
 * outgoing.h -- the calls of all scripts, on their way to the servers.
 *
 * Runs number their calls from 1; the servers need numbers that no two calls
 * in flight share, so each call gets a number of its own here.
 *
 * The limits "of a server" and "of a tool" hold for all scripts together: a
 * call without a place in both of its lanes waits, and is sent in the order
 * in which the calls came. A call waits only for calls of the same server or
 * tool.
 */
#ifndef CMD_OUTGOING_H
#define CMD_OUTGOING_H

#include "upstream.h"

#include "base/map.h"

/* A call of that owner is being sent to its server. */
typedef void outgoing_sent(void *owner, cm_call_id id);

typedef struct outgoing {
	upstream *upstream;         /* borrowed */
	outgoing_sent *sent;        /* may be NULL */
	uint64_t server_limit;      /* calls in flight at one server */
	uint64_t tool_limit;        /* calls in flight of one tool */
	struct outgoing_call *call; /* sent or waiting, as they came */
	size_t calls, call_cap;
	struct outgoing_lane *lane; /* made when first used; they stay */
	size_t lanes, lane_cap;
	map lane_of; /* "server" or "server\0tool" -> lane */
	uint32_t next_number;
} outgoing;

#define OUTGOING_NONE UINT32_MAX

/* Limits: calls at a time, 0 or CM_NO_LIMIT: any number. */
void outgoing_init(outgoing *o, upstream *u, uint64_t server_limit,
    uint64_t tool_limit, outgoing_sent *sent);
/* All calls must have been removed. */
void outgoing_fini(outgoing *o);

/* Sends the call or queues it; what is needed of call is copied. CM_OK: the
 * caller must end it with outgoing_answered or outgoing_remove. */
cm_status outgoing_add(outgoing *o, void *owner, const cm_call *call);

/* Cancels the call of that owner; id 0: all calls of the owner; owner NULL: all
 * calls. False: there was no such call. */
bool outgoing_remove(outgoing *o, const void *owner, cm_call_id id);

/* Whose call number is, and its id there. NULL: that call is over. */
void *outgoing_owner(const outgoing *o, uint32_t number, cm_call_id *id);

/* The server has answered number: its place is free, and calls that waited for
 * it are sent. Returns the owner and stores the id of its call. */
void *outgoing_answered(outgoing *o, uint32_t number, cm_call_id *id);

#endif
