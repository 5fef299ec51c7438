/* SPDX-License-Identifier: MIT */
/*
 * server.h -- one server, and what it shares with all others. For server*.c and
 * servers.c only.
 *
 *	server.c        its life: states, turns, the shutdown
 *	server_start.c  the link of a life
 *	server_calls.c  calls, and those that wait until it is up
 */
#ifndef CODEMODE_SERVER_H
#define CODEMODE_SERVER_H

#include "link.h"
#include "revival.h"
#include "servers.h"

enum { SERVER_WHY_MAX = 2048, SERVER_STDERR_MAX = 1000 }; /* bytes */

/* How far the shutdown of a life went; each stage is left at .stage_ends. */
typedef enum stage {
	STAGE_RUNNING,
	STAGE_CLOSING, /* stdin is closed, or will be when it is empty */
	STAGE_TERM,
	STAGE_KILL
} stage;

typedef struct server {
	servers *all;
	size_t index;
	server_config config; /* its texts are borrowed */
	uv_timer_t timer;
	bool turning;
	bool again; /* something happened during the turn */

	server_state state;
	revival revival;
	mcp_era era;       /* known from the configuration or a life; or not */
	mcp_client *lists; /* of the life whose tools stand; NULL: none yet */
	bool recalled;     /* .lists are from before this program, see
	                      servers_recall */
	struct held_call *held; /* calls that wait for it to be up, in order */
	bool wanted;            /* to be started as soon as it may */
	buf why;                /* see servers_why */
	buf said;               /* see servers_stderr */

	/* One life. */
	mcp_client *client; /* the latest; NULL: it was never started */
	server_link *link;  /* NULL: it does not live */
	bool closing;       /* the link is being closed */
	bool closed;        /* it is closed, and to be freed */
	bool meant;         /* we ended it: that is no failure */
	bool explained;     /* .why says how it ended */
	stage stage;
	uint64_t stage_ends;
	uint64_t grace_ms;
	uint64_t late_at; /* since when a server that starts is late */
	uint64_t idle_at; /* from when on a server that is up is idle */
	size_t in_flight; /* calls at the client */
} server;

struct servers {
	uv_loop_t *loop;
	servers_hooks hooks;
	void (*done)(void *ctx);
	uv_timer_t errand; /* calls done when no server lives */
	unsigned open;     /* timers that the loop knows */
	bool stopping;     /* no server is started any more */
	unsigned offers;   /* see servers_offer */
	size_t count;
	server at[];
};

/* ---------------------------------------------------------------- server.c */

void server_init(server *s, servers *all, size_t index, const server_config *c);
/* After its timer was closed. */
void server_fini(server *s);
/* See servers_want. */
void server_want(server *s);
/* Turns the server from the loop, never before this returns. */
void server_turn_soon(server *s);
/* Can it be sent calls? */
bool server_takes_calls(const server *s);
/* Writes what the machine wants to say, as far as the link takes it. */
void server_say(server *s);
/* It has no call in flight from now on. */
void server_note_idle(server *s);
/* Keeps the reason and what stderr says about it. Not final: a later reason
 * replaces it. */
void server_explain(server *s, text reason, bool final);
/* Starts the orderly end, or hurries it: at most grace_ms until SIGTERM, and
 * from there to SIGKILL. SIGTERM comes at once when the server was never up. */
void server_stop(server *s, uint64_t grace_ms);
void server_kill(server *s);
/* Closes its link, also when the process still runs. */
void server_close_link(server *s);

extern const link_hooks server_link_hooks;

/* ---------------------------------------------------------- server_start.c */

/* Makes the link of a new life; a failure is explained, and then there is none,
 * or one that has ended. */
void server_open_link(server *s);

/* ---------------------------------------------------------- server_calls.c */

/* Gives the client all calls that wait. */
void server_send_held(server *s);
/* They fail, because the server is not up; why: how that is told. */
void server_fail_held(server *s, const char *why);
void server_drop_held(server *s);

/* --------------------------------------------------------------- servers.c */

/* Calls done from the loop if all shall stop and none lives any more. */
void servers_note_end(servers *all);

#endif
