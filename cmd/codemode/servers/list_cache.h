/* SPDX-License-Identifier: MIT */
/*
 * list_cache.h -- files with the tools and instructions that servers had the
 * last time: `serve` can list their tools before they are up.
 *
 * A file is one server's tools and instructions (mcp_client_write_lists),
 * without the secrets of the configuration. The name of a file is a hash of the
 * server's name, command, arguments, folder or URL, the names (not the values)
 * of its environment variables and headers, and the version of codemode.
 */
#ifndef CMD_LIST_CACHE_H
#define CMD_LIST_CACHE_H

#include "common/pool.h"
#include "servers.h"

#include "base/buf.h"

enum {
	LIST_CACHE_BYTES = 8 << 20, /* bytes of one file */
	LIST_CACHE_FILES = 200      /* files; the oldest is deleted */
};

/* NULL: there is no HOME. */
char *list_cache_path(pool *p, const server_config *c);
/* False: there is no such file that its owner alone can write. */
bool list_cache_read(const char *path, buf *lists);
/* A write error has no consequence. */
void list_cache_write(const char *path, text lists);

#endif
