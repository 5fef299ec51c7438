/* SPDX-License-Identifier: MIT */
/*
 * http_url.h -- URLs and addresses, for this folder only.
 */
#ifndef NET_HTTP_URL_H
#define NET_HTTP_URL_H

#include "base/buf.h"
#include "oauth/reach.h"

#include <sys/socket.h>

/* Is it "unix:///path/to/socket#/path/of/url"? Then both are appended,
 * each with a zero byte: the first part, and "http://localhost/path/of/url". */

bool url_split_socket(const char *url, buf *path_out, buf *url_out);
/* The network from which it can be reached; other protocols: link-local. */
oauth_reach address_reach(const struct sockaddr *address);

#endif
