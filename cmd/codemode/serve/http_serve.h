/* SPDX-License-Identifier: MIT */
/*
 * http_serve.h -- clients of an MCP server that come by HTTP.
 *
 * Streamable HTTP at one path, /mcp, in both eras. A client that greets has a
 * session of its own, named by a header. Clients of the era without greeting
 * share one. The functions are in codemode-net, and reached through net.h; what
 * a client is, its owner says.
 *
 *	h = parts->open(...);
 *	for (;;) {
 *		parts->turn(h);
 *		do what the clients asked for
 *		parts->turn(h);
 *		main_loop_turn(loop);
 *	}
 */
#ifndef CMD_HTTP_SERVE_H
#define CMD_HTTP_SERVE_H

#include "common/main_loop.h"
#include "common/opt.h"

#include "mcp/mcp_serve.h"

typedef struct http_serve http_serve;

typedef struct http_serve_hooks {
	void *ctx;
	/* A client has come: NULL: no memory. shared: the one that stands for
	 * all clients of the era without greeting. */
	void *(*open)(void *ctx, bool shared);
	/* Its machine; mcp_server_options.shared as open was told. */
	mcp_server *(*machine)(void *client);
	/* Something was posted to the machine: ask it until it is through. */
	void (*obey)(void *client);
	/* The client is gone. */
	void (*close)(void *client);
} http_serve_hooks;

/* Options for tokens of an authorization server; they replace the shared
 * token. */
typedef struct http_serve_oauth {
	const char *issuer;       /* NULL: no OAuth */
	const char *resource;     /* the URL of this server; NULL: where it
	                             listens */
	const char *audience;     /* the audience of tokens; NULL: .resource */
	const opt_values *scopes; /* scopes that a token must have */
	const char *client;       /* that asks the issuer; NULL: do not ask */
	const char *secret;       /* the secret of .client; NULL: none */
} http_serve_oauth;

typedef struct http_serve_options {
	const char *address;     /* "127.0.0.1:8080", "[::1]:0", ":8080" */
	const opt_values *names; /* of this machine, that clients may use */
	const char *token;       /* that each request must bear; NULL: none */
	http_serve_oauth oauth;
	bool open;         /* others may come without a token, too */
	uint64_t sessions; /* at a time; 0: HTTP_SESSIONS */
	uint64_t idle_ms;  /* until an unused session ends; 0: HTTP_IDLE_MS */
} http_serve_options;

enum { HTTP_SESSIONS = 100, HTTP_IDLE_MS = 30 * 60 * 1000 };

typedef struct http_serve_parts {
	/* Listens; prints the URL. NULL: the reason was printed. */
	http_serve *(*open)(main_loop *l, const http_serve_options *o,
	    const http_serve_hooks *hooks, say *s);
	/* Reads and writes what can be. */
	void (*turn)(http_serve *h);
	/* Closes all clients. Runs the loop. */
	void (*close)(http_serve *h);
} http_serve_parts;

#endif
