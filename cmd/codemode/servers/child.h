/* SPDX-License-Identifier: MIT */
/*
 * child.h -- a link to a server that is a supervised process: the pipes to it,
 * on a libuv loop.
 *
 * Knows nothing of MCP: bytes go in, bytes come out, it ends with a status.
 */
#ifndef CODEMODE_CHILD_H
#define CODEMODE_CHILD_H

#include "link.h"

typedef struct child_spec {
	char **argv;     /* ends with NULL; argv[0] is looked up in PATH */
	char **env;      /* the whole environment, ends with NULL */
	const char *cwd; /* NULL: ours */
} child_spec;

/* Starts the process. *error: 0, or a uv error: then the link has .ended,
 * without a hook. NULL: no memory, and no handle was opened. The caller closes
 * the link, then frees it. */
server_link *child_link(uv_loop_t *loop, const link_hooks *hooks, void *ctx,
    const child_spec *spec, int *error);

#endif
