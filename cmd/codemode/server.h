/* SPDX-License-Identifier: MIT */
/*
 * server.h -- one server, and what it shares with all others. For server.c and
 * servers.c only.
 */
#ifndef CODEMODE_SERVER_H
#define CODEMODE_SERVER_H

#include "link.h"
#include "servers.h"

enum { SERVER_WHY_MAX = 2048 }; /* bytes */

/* How far the shutdown went; each stage is left at .stage_ends. */
typedef enum stage {
	STAGE_RUNNING,
	STAGE_CLOSING, /* stdin is closed, or will be when it is empty */
	STAGE_TERM,
	STAGE_KILL
} stage;

typedef struct server {
	servers *all;
	size_t index;
	mcp_client *client;
	server_link *link;
	uv_timer_t timer;
	unsigned handles; /* the timer, and the link as one */

	server_state state;
	stage stage;
	uint64_t stage_ends;
	uint64_t grace_ms;
	bool turning;
	bool closing; /* its handles are being closed: it has ended */
	char why[SERVER_WHY_MAX];
	size_t why_len;
} server;

struct servers {
	uv_loop_t *loop;
	servers_hooks hooks;
	void (*done)(void *ctx);
	uv_timer_t errand; /* calls hooks from the loop for closed servers */
	bool errand_closed;
	bool done_due;
	size_t count;
	size_t left; /* whose handles are not all closed */
	server at[];
};

/* False: no memory; nothing was started. */
bool server_prepare(
    server *s, servers *all, size_t index, const server_config *config);
/* Starts the process; a failure shows in a later turn of the loop. */
void server_launch(server *s, const server_config *config);
/* Writes what the machine wants to say, as far as the pipe takes it. */
void server_say(server *s);
/* What happened so far becomes calls of the hooks. */
void server_events(server *s);
/* Turns the server from the loop, never before this returns. */
void server_turn_soon(server *s);
/* Starts the orderly end, or hurries it: at most grace_ms until SIGTERM, and
 * from there to SIGKILL. SIGTERM comes at once when the server was never up. */
void server_stop(server *s, uint64_t grace_ms);
void server_kill(server *s);
/* Closes all handles, also when the process still runs. */
void server_go(server *s);

/* The errand of servers.c will run from the loop. */
void servers_errand(servers *all);

#endif
