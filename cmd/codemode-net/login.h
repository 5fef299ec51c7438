/* SPDX-License-Identifier: MIT */
/*
 * login.h -- `login`, `logout` and `status` (cmd_login.h).
 */
#ifndef NET_LOGIN_H
#define NET_LOGIN_H

#include "cmd_login.h"

/* What the configuration has in place of a login (static); NULL: nothing. */
const char *login_instead(const server_config *server);

cli_exit login_run(const login_ask *ask);
cli_exit login_forget(const login_ask *ask);
cli_exit login_status(const login_ask *ask);

#endif
