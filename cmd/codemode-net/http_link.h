/* SPDX-License-Identifier: MIT */
/*
 * http_link.h -- a link to a server at a URL: streamable HTTP, and the older
 * HTTP with SSE.
 *
 * Each line becomes one POST. Its reply is one message, or a stream of them.
 * What happens to a request ends that request, and not the link.
 */
#ifndef NET_HTTP_LINK_H
#define NET_HTTP_LINK_H

#include "servers/link.h"
#include "servers/servers.h"

/* server and client are borrowed until the link is closed. NULL: no memory, and
 * no handle was opened. The caller closes the link, then frees it. */
server_link *http_link(uv_loop_t *loop, const link_hooks *hooks, void *ctx,
    const server_config *server, const mcp_client *client);

#endif
