/* SPDX-License-Identifier: MIT */
/*
 * upstream_parts.h -- what the files of upstream.h share:
 *
 *	upstream.c          servers begin, are heard, and end
 *	upstream_wait.c     which of them a script can name, and the wait for them
 *	upstream_catalog.c  their tools as catalogs
 *	upstream_calls.c    calls of their tools
 */
#ifndef CMD_UPSTREAM_PARTS_H
#define CMD_UPSTREAM_PARTS_H

#include "upstream.h"

static inline const server_config *
config_of_server(const upstream *u, size_t server)
{
	return &u->config.entry[u->entry[server]].start;
}

/* Sends a line about servers, without secrets, to the sink. */
void upstream_tell(upstream *u, upstream_sink sink, const char *format, ...)
    __attribute__((format(printf, 3, 4)));
/* Why a server failed: a person gets the end of its stderr as well. */
void upstream_tell_failed(upstream *u, upstream_sink sink, size_t server);

/* A tool of a server as the library takes it; borrowed. */
cm_tool upstream_tool(text space, const mcp_tool *t);
/* Replaces the secrets in its texts; plain has the new texts, and the caller
 * frees it. */
void upstream_hide_secrets(const upstream *u, cm_tool *t, buf plain[3]);

/* The tool as --learn knows it: a saved script by its code. */
cm_tool upstream_learned(const upstream *u, const cm_tool *t);

#endif
