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
#include "say_line.h"

#include "base/text.h"

/* Types of higher rooms. */
struct uv_loop_s;
struct link_hooks;
struct server_config;
struct mcp_client;
struct login_ask;
struct span_sender_parts;

typedef struct net {
	const char *libraries; /* their names and versions, for `doctor` */
	/* A link to a server at a URL (servers/link.h). */
	struct server_link *(*link)(struct uv_loop_s *loop,
	    const struct link_hooks *hooks, void *ctx,
	    const struct server_config *server,
	    const struct mcp_client *client);
	const struct http_serve_parts *serve; /* `serve --http` */
	const struct span_sender_parts *spans; /* --otlp */
	/* Those commands (cmd_login.h). */
	cli_exit (*login)(const struct login_ask *ask);
	cli_exit (*logout)(const struct login_ask *ask);
	cli_exit (*status)(const struct login_ask *ask);
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
