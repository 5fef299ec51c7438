/* SPDX-License-Identifier: MIT */
/*
 * http.h -- HTTP requests on a libuv loop, by libcurl.
 *
 * Connections are kept and shared by all that use the same loop. HTTP/2 is used
 * where the server offers it over TLS. Proxies come from the environment
 * (HTTPS_PROXY, NO_PROXY and so on), except that a loopback host is always
 * asked directly; CURL_CA_BUNDLE, SSL_CERT_FILE and SSL_CERT_DIR replace the
 * system's certificates, as for the program curl, and NODE_EXTRA_CA_CERTS adds
 * some, as for Node.
 */
#ifndef NET_HTTP_H
#define NET_HTTP_H

#include "base/buf.h"

#include <uv.h>

/* What a loop's requests share. */
typedef struct http http;
/* A request that is not over. */
typedef struct http_request http_request;

typedef enum http_error {
	HTTP_DONE,        /* the whole reply came */
	HTTP_UNREACHABLE, /* no connection: the request was not sent */
	HTTP_TLS,         /* the certificate or the handshake was refused */
	HTTP_CUT,         /* the connection ended before the reply did */
	HTTP_TIMEOUT,     /* .timeout_ms */
	HTTP_TOO_LARGE,   /* .body_max */
	HTTP_REDIRECT,    /* to where it is not followed */
	HTTP_REFUSED,     /* the URL, or an address under .public_only */
	HTTP_NO_MEMORY
} http_error;

typedef struct http_reply {
	int status; /* 0: none came */
	text head;  /* "Name: value\n" for each header */
	text body;  /* when hooks->body is NULL: all of it */
	http_error error;
	text words; /* what happened, for a sentence about the request; empty
	               with HTTP_DONE */
} http_reply;

/* All are called from the loop, and may call everything here. */
typedef struct http_hooks {
	/* The headers of the reply are there, before any body; once. Never for a
	 * redirect that is followed. May be NULL. */
	void (*head)(void *ctx, const http_reply *r);
	/* n bytes of the body, decompressed. NULL: it is collected. */
	void (*body)(void *ctx, const char *bytes, size_t n);
	/* The last hook; r and its texts live until it returns. */
	void (*done)(void *ctx, const http_reply *r);
} http_hooks;

/* All is copied. */
typedef struct http_ask {
	const char *method; /* "GET", "POST", "DELETE" */
	/* http:, https:, or unix:///path/to/socket#/path/of/url */
	const char *url;
	text headers; /* "Name: value\n" each */
	text body;
	size_t body_max;     /* bytes of the reply's body; 0: any number */
	uint64_t timeout_ms; /* for all of it; 0: none */
	/* Refuse loopback, link-local and private addresses, also those that a
	 * name resolves to. Has no effect behind a proxy, which resolves. */
	bool public_only;
	/* A redirect (301, 302, 307, 308; at most 5) is followed with the same
	 * method, headers and body, but only to the same origin. Otherwise, and
	 * without this, it is a reply like any other (without this) or
	 * HTTP_REDIRECT. */
	bool follow;
} http_ask;

/* NULL: no memory. Each is released once; the loop must turn once more after the
 * last one, and all requests must be over or cancelled by then. */
http *http_hold(uv_loop_t *loop);
void http_release(http *h);

/* NULL: no memory. No hook is called before this returns. */
http_request *http_start(
    http *h, const http_ask *ask, const http_hooks *hooks, void *ctx);
/* Breaks the request off; no hook is called any more. Not after hooks->done. */
void http_cancel(http_request *r);

/* The value of a header (any case), or of all of that name with ", " between
 * them, in out. Empty: there is none. */
text http_header(text head, const char *name, buf *out);

/* The header Retry-After, a number of seconds or a date, as ms from now. False:
 * there is none. */
bool http_retry_after(text head, uint64_t *ms);

/* Do both URLs have the same scheme, host and port (or the same socket)? */
bool http_same_origin(const char *a, const char *b);
/* Is the host of the URL this machine: localhost, 127.0.0.0/8, ::1, a socket? */
bool http_is_loopback(const char *url);

/* Appends a URL for messages: without user, password, query and fragment. */
void http_printable(const char *url, buf *out);
/* Appends what a reference means that was read at base: an absolute URL. False:
 * it is none. */
bool http_resolve(const char *base, text reference, buf *out);

#endif
