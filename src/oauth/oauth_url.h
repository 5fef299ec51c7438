/* SPDX-License-Identifier: MIT */
/*
 * oauth_url.h -- URLs that documents of servers name, and which of them may be
 * used.
 *
 * A server tells its clients where to log in. So that it cannot make them ask
 * inside of a network that it does not see, an address that is not public is
 * used only when the server is at such an address itself.
 */
#ifndef OAUTH_URL_H
#define OAUTH_URL_H

#include "base/buf.h"
#include "reach.h"

/* Where the metadata of a resource is, before its path. */
#define OAUTH_RESOURCE_PLACE "/.well-known/oauth-protected-resource"

/* Spans of the text that was read. */
typedef struct oauth_url {
	text whole;  /* without a fragment */
	text origin; /* scheme, host and port, as written */
	text host;   /* an IPv6 address has its brackets */
	text path;   /* empty, or begins with / */
	text query;  /* behind the ?, or empty */
	unsigned port;
	bool https;
	oauth_reach reach; /* by what is written: a name is not looked up */
} oauth_url;

/* NULL, or what is wrong with it: static, for "... is no URL to use: %s". */
const char *oauth_url_read(text t, oauth_url *out);

/* Its path, without a slash at the end. */
text oauth_url_path(const oauth_url *u);

bool oauth_url_same_origin(const oauth_url *a, const oauth_url *b);

/* Is inner at or below outer: same origin, and a path that begins with the
 * segments of outer's? */
bool oauth_url_below(const oauth_url *inner, const oauth_url *outer);

/* May a client of this server use the URL? NULL, or why not (static). */
const char *oauth_url_refused(const oauth_url *u, const oauth_url *server);

/* Appends where the metadata of an issuer may be (RFC 8414, OpenID), the place
 * number 'candidate' from 0 on. False: there are no more. */
bool oauth_metadata_url(const oauth_url *issuer, unsigned candidate, buf *out);
/* Are these the same but for a slash that stands for an empty path? */
bool oauth_same_issuer(text a, text b);

#endif
