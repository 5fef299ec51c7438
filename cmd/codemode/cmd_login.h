/* SPDX-License-Identifier: MIT */
/*
 * cmd_login.h -- what `login`, `logout` and `status` ask of codemode-net.
 */
#ifndef CMD_CMD_LOGIN_H
#define CMD_CMD_LOGIN_H

#include "common/cmd.h"
#include "servers/servers.h"

typedef struct login_ask {
	say *say;
	const server_config *server; /* one, or all of them for `status` */
	size_t servers;              /* how many */
	bool one;                    /* which was named */
	const char *scope;           /* NULL: what the server names */
	uint64_t port;               /* of the redirect; 0: a free one */
	bool no_browser;
	bool json;
} login_ask;

/* What does it: messages were printed, the exit code is that of the command. */
typedef cli_exit login_function(const login_ask *ask);

#endif
