/* SPDX-License-Identifier: MIT */
/*
 * net.h -- what only the program codemode-net can do.
 *
 * codemode is one static file that starts in 2 ms. Loading libcurl and OpenSSL
 * takes several times as long, and Debian has them as shared libraries only. So
 * codemode-net is the same command, linked with them. A command that needs the
 * network executes it: the same process and arguments, the other program.
 */
#ifndef CMD_NET_H
#define CMD_NET_H

#include "cmd.h"
#include "cmd_login.h"
#include "http_serve.h"
#include "link.h"
#include "say_line.h"
#include "servers.h"

#include "base/text.h"

/* Functions are added here by the parts of cmd/codemode-net. */
typedef struct net {
	const char *libraries; /* their names and versions, for `doctor` */
	/* A link to a server at a URL (http_link.h). */
	server_link *(*link)(uv_loop_t *loop, const link_hooks *hooks,
	    void *ctx, const server_config *server, const mcp_client *client);
	const http_serve_parts *serve; /* `serve --http` */
	login_function *login, *logout, *status;
} net;

/* parts: of this program, NULL in codemode. argv: of main(). Both are kept. */
void net_init(const net *parts, char **argv);

/* NULL in codemode. */
const net *net_parts(void);

/*
 * Executes codemode-net, which lies beside this program, with the arguments
 * that this one has. Returns only when that fails, which was printed: what, for
 * example "a server at a URL", cannot be had.
 */
cli_exit net_execute(say *s, const char *what);

/* These bytes were read from path, by this descriptor. If it was a pipe or
 * stdin, a program that net_execute executes reads them there again. */
void net_input_read(const char *path, int fd, text bytes);

#endif
