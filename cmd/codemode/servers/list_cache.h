/* SPDX-License-Identifier: MIT */
/*
 * list_cache.h -- what servers said of themselves the last time, in files: a
 * command that begins can tell their tools before they are up.
 *
 * A file is one server's tools and instructions (mcp_client_write_lists),
 * without the secrets of the configuration. Its name is a hash of what the
 * server is: its name, command, arguments, folder or URL, the names (never the
 * values) of its environment variables and headers, and our version.
 */
#ifndef CMD_LIST_CACHE_H
#define CMD_LIST_CACHE_H

#include "common/pool.h"
#include "servers.h"

#include "base/buf.h"

enum {
	LIST_CACHE_BYTES = 8 << 20, /* of one file */
	LIST_CACHE_FILES = 200      /* the oldest one makes room */
};

/* NULL: there is no HOME. */
char *list_cache_path(pool *p, const server_config *c);
/* False: there is none that is ours alone to write. */
bool list_cache_read(const char *path, buf *lists);
/* One that cannot be written is only missed. */
void list_cache_write(const char *path, text lists);

#endif
