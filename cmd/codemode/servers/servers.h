/* SPDX-License-Identifier: MIT */
/*
 * servers.h -- MCP servers, each with one life at a time, on a libuv loop.
 *
 * A server's configuration outlives its process or connection. It is started
 * when it is wanted, ended when it is idle, and started again by the next call;
 * one that ends by itself too often stays down for a while (revival.h). Each
 * has its own deadline and its own supervisor (supervise.h). A server that
 * hangs, exits or writes invalid messages does not delay the others: it becomes
 * SERVER_LATE or SERVER_FAILED, and servers_why says why.
 *
 * Hooks are called from the loop only, and may call everything here but
 * servers_free.
 * main() must call supervise_main first, and clean_start (both supervise.h).
 */
#ifndef CODEMODE_SERVERS_H
#define CODEMODE_SERVERS_H

#include "mcp/client.h"

#include <uv.h>

typedef enum server_reach {
	REACH_PROCESS, /* argv */
	REACH_HTTP,    /* url: streamable HTTP, or else the old HTTP with SSE */
	REACH_SSE      /* url: the old HTTP with SSE */
} server_reach;

/* What names us to a server at a URL; all may be NULL. Texts are secrets:
 * they are never printed. */
typedef struct server_auth {
	char *token;           /* for "Authorization: Bearer" */
	char **token_command;  /* prints the token; ends with NULL */
	const char *client_id; /* of a client that is registered already */
	const char *client_secret;
	const char *client_key; /* PEM, in place of a secret */
	const char *scope; /* asked for in place of what the server names */
	bool off;          /* no login: 401 is the end */
} server_auth;

/* Receives the tokens that are fetched while servers run. */
typedef struct server_secrets {
	/* Makes value a secret, and `before` no longer one; either may be
	 * empty. */
	void (*learn)(void *ctx, text before, text value);
	void *ctx;
} server_secrets;

/* Borrowed for the life of the servers. */
typedef struct server_config {
	const char *name; /* for messages */
	server_reach reach;
	char **argv;     /* ends with NULL; argv[0] is looked up in PATH */
	char **env;      /* the whole environment, ends with NULL */
	const char *cwd; /* NULL: ours */
	const char *url; /* http:, https: or unix: */
	char **headers;  /* "Name: value", ends with NULL; may be NULL */
	server_auth auth;
	const server_secrets *secrets; /* NULL: they are not hidden */
	mcp_era era;
	uint64_t startup_ms; /* then it is late; 0: 30 000 */
	uint64_t call_ms;    /* 0: 300 000 */
	uint64_t idle_ms;    /* ended when no call came for so long; 0: never */
	const char *where;   /* "file:line", for messages; may be NULL */
} server_config;

typedef enum server_state {
	SERVER_OFF, /* not started yet, or ended because it was idle */
	SERVER_STARTING,
	SERVER_LATE, /* still starting, but its startup_ms are over */
	SERVER_UP,
	SERVER_FAILED /* it ended by itself, or could not be started */
} server_state;

typedef struct servers servers;

/* Texts live until the hook returns. Any pointer may be NULL. */
typedef struct servers_hooks {
	void *ctx;
	/* servers_state(s, server) is another one now. */
	void (*changed)(void *ctx, size_t server);
	/* servers_tools is another list now. */
	void (*tools_changed)(void *ctx, size_t server);
	/* A call ended. Not called for a call that was cancelled. */
	void (*answer)(
	    void *ctx, size_t server, uint32_t call, const mcp_answer *answer);
	/* kind MCP_PROGRESS, MCP_LOG or MCP_ASKED, to which servers_reply is
	 * due: see mcp_event. */
	void (*event)(void *ctx, size_t server, const mcp_event *event);
	/* Something odd that was tolerated. */
	void (*warning)(void *ctx, size_t server, text message);
	/* As in mcp_client_options. */
	bool (*parent)(void *ctx, uint32_t call, char out[MCP_PARENT_MAX]);
} servers_hooks;

/* What servers may ask for from now on, MCP_OFFERS_*; nothing until then. */
void servers_offer(servers *all, unsigned offers);
/* The answer to MCP_ASKED: see mcp_client_answer. */
void servers_reply(
    servers *all, size_t i, uint64_t asked, json result, json error);

/* No server is started yet. n may be 0. NULL: no memory. */
servers *servers_new(uv_loop_t *loop, const server_config *config, size_t n,
    const servers_hooks *hooks);

server_state servers_state(const servers *all, size_t i);
/* Why it failed or is late: one line, with the lines of its stderr that tell
 * the cause. Lives until the state changes again. */
text servers_why(const servers *all, size_t i);
/* The end of what the server had written to stderr by then, made printable. */
text servers_stderr(const servers *all, size_t i);
/* Its tools; none before it is up for the first time, unless they were
 * recalled. They stay when the server ends, and are valid until
 * tools_changed. */
const mcp_tool *servers_tools(const servers *all, size_t i, size_t *n);
/* What it says about its use; lives as long as the list does. */
text servers_instructions(const servers *all, size_t i);

/* Its own name with its version, and the revision of its protocol; empty before
 * it was up. Valid as long as the list. */
text servers_program(const servers *all, size_t i);
text servers_revision(const servers *all, size_t i);
/* Appends its tools and instructions as JSON, for servers_recall. */
void servers_write_lists(const servers *all, size_t i, buf *out);
/* Gives a server that was never up the tools that an earlier program wrote,
 * until it lists its own or fails. False: lists are invalid. */
bool servers_recall(servers *all, size_t i, text lists);
/* Are its tools recalled ones? */
bool servers_recalled(const servers *all, size_t i);

/* Starts it, unless it is on its way up or was up before: such a one is started
 * by the next call. If it failed, it is started when its pause is over
 * (revival.h), or not at all if it failed too often; otherwise its state is
 * SERVER_STARTING when this returns. */
void servers_want(servers *all, size_t i);

/*
 * call is any number that is not in flight at this server; args a JSON object
 * or empty; timeout_ms 0 means the server's call_ms. A server that is off or
 * failed is started; the call waits until it is up, and its time counts from
 * then on. The answer always comes, and always from the loop, never before this
 * returns: a server that does not come up, arguments that are no object, a full
 * queue are failed answers too.
 * CM_ENOMEM, CM_EMISUSE (that number is in flight): no answer comes.
 */
cm_status servers_call(servers *all, size_t i, uint32_t call, text tool,
    json args, uint64_t timeout_ms);
/* No answer comes any more; the server is told. */
void servers_cancel(servers *all, size_t i, uint32_t call, text reason);

/*
 * Ends all servers in order: stdin closes, after grace_ms (0: 2 000) SIGTERM,
 * after the same time again SIGKILL, each to everything that the server
 * started. None is started again. done (may be NULL) is called when no process
 * is left; calls in flight fail. Called again with a shorter grace it hurries
 * up.
 */
void servers_stop(servers *all, uint64_t grace_ms, void (*done)(void *ctx));
/* SIGKILL to everything now. done of an earlier servers_stop is still called
 * from the loop; without a loop the processes are gone all the same. */
void servers_kill(servers *all);
/* Kills what is left, then waits for it (at most 2 s). Needs the loop: it is
 * run until our handles are closed. NULL is allowed. */
void servers_free(servers *all);

#endif
