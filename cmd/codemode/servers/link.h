/* SPDX-License-Identifier: MIT */
/*
 * link.h -- the connection to one MCP server: the seam between a server's life
 * (server.h) and what carries its messages.
 *
 * A link writes what the protocol machine wants to send and hands over what the
 * server sends. A child process is one kind of link (child.h): bytes both ways.
 * Another kind sends each line as an HTTP request and hands over whole messages.
 *
 * Hooks are called from the loop only, never before the function of the link
 * that leads to them has returned. NULL for a link is allowed, but
 * to link_cause: the server has none, and nothing happens.
 */
#ifndef CODEMODE_LINK_H
#define CODEMODE_LINK_H

#include "mcp/client.h"

#include <uv.h>

typedef struct link_hooks {
	/* Place for *len bytes of output; NULL: no memory. */
	char *(*room)(void *ctx, size_t *len);
	/* n bytes were put there. */
	void (*output)(void *ctx, size_t n);
	/* No output comes any more, but the server may still run. */
	void (*silent)(void *ctx);
	/* link_write takes bytes again, or never will: see .input_closed. */
	void (*writable)(void *ctx);
	/* Nothing of the server is left here, and all its output was
	 * delivered. */
	void (*ended)(void *ctx);
	/* After link_close: no hook is called any more, link_free is due. */
	void (*closed)(void *ctx);

	/* For HTTP; a child process never calls these. */

	/* One whole message, which may have line breaks and may be changed. Its
	 * memory is the link's again when the hook returns. */
	void (*message)(void *ctx, char *message, size_t len);
	/* See mcp_client_failed. */
	void (*request_failed)(void *ctx, uint64_t id, const mcp_failure *why);
	/* See mcp_client_again. */
	void (*session_lost)(void *ctx);
} link_hooks;

typedef struct server_link server_link;

enum { LINK_WORDS_MAX = (10 << 10) + 1 }; /* bytes of link_last_words */

typedef struct link_ops {
	/* See the functions below. */
	size_t (*write)(server_link *l, text bytes);
	void (*hang_up)(server_link *l);
	void (*term)(server_link *l);
	void (*kill)(server_link *l);
	void (*close)(server_link *l);
	void (*free)(server_link *l);
	size_t (*last_words)(const server_link *l, char *out, size_t n);
	text (*cause)(const server_link *l, char *out, size_t n);
} link_ops;

/* What all kinds of links begin with. */
struct server_link {
	const link_ops *ops;
	const link_hooks *hooks;
	void *ctx;         /* of the hooks */
	bool input_closed; /* the server takes no more input */
	bool silent;       /* hooks->silent was called */
	bool ended;        /* hooks->ended was called, or will not be */
};

/* How many of the bytes were taken; fewer: wait for hooks->writable. HTTP takes
 * whole lines only. */
static inline size_t
link_write(server_link *l, text bytes)
{
	return l ? l->ops->write(l, bytes) : 0;
}

/* No more input, once what was written is through. */
static inline void
link_hang_up(server_link *l)
{
	if (l)
		l->ops->hang_up(l);
}

/* Asks the server to end: SIGTERM to all its processes. */
static inline void
link_term(server_link *l)
{
	if (l)
		l->ops->term(l);
}

/* Ends it: SIGKILL to all its processes, all requests are broken off. */
static inline void
link_kill(server_link *l)
{
	if (l)
		l->ops->kill(l);
}

/* Closes its handles, also when the server still runs; hooks->closed follows
 * from the loop. */
static inline void
link_close(server_link *l)
{
	if (l)
		l->ops->close(l);
}

/* After hooks->closed. */
static inline void
link_free(server_link *l)
{
	if (l)
		l->ops->free(l);
}

/* The end of what the server wrote to stderr, made printable, from the start of
 * a line on if possible; at most n bytes go to out. Returns how many. With
 * LINK_WORDS_MAX bytes it is all that is kept: the beginning, and the end. */

static inline size_t
link_last_words(const server_link *l, char *out, size_t n)
{
	return l ? l->ops->last_words(l, out, n) : 0;
}

/* Of a link that .ended: how, in words for a sentence about the server ("it
 * exited with code 1"). Made in out, of n bytes. */
static inline text
link_cause(const server_link *l, char *out, size_t n)
{
	return l->ops->cause(l, out, n);
}

#endif
