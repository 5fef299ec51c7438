/* SPDX-License-Identifier: MIT */
/*
 * serve_http.h -- what HTTP adds to a message of a client: headers that say the
 * same as the message, names of hosts that a server goes by, and statuses.
 */
#ifndef MCP_SERVE_HTTP_H
#define MCP_SERVE_HTTP_H

#include "mcp_serve.h"

/* Headers of a POST; NULL: not there. */
typedef struct serve_headers {
	const char *version; /* MCP-Protocol-Version */
	const char *method;  /* Mcp-Method */
	const char *name;    /* Mcp-Name */
} serve_headers;

/* What is posted. */
typedef struct serve_post {
	bool modern;     /* the era without greeting, and so without sessions */
	bool initialize; /* it begins a session */
} serve_post;

/* Looks at a message and its headers. Returns 0, or the status of HTTP that
 * refuses it: then the JSON-RPC error is appended to refusal. What is no
 * message at all passes: the machine answers it. */
unsigned serve_http_check(
    const serve_headers *h, text message, serve_post *out, buf *refusal);

/* Appends a JSON-RPC error as a body; id missing: null. */
void serve_http_error(buf *out, json id, int code, text message);

/* The status of a response whose only message is an error with that code; 0: it
 * is none. */
unsigned serve_http_status(int error, bool modern);

/* Does a Host header, or what follows :// in an Origin header, name this
 * machine (localhost, 127.0.0.1, [::1]) or one of the n names? Any port. */
bool serve_http_is_host(text host, const text *names, size_t n);

/* Is type among those that an Accept header takes? NULL: it takes all. */
bool serve_http_accepts(const char *accept, text type);

#endif
