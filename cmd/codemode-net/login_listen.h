/* SPDX-License-Identifier: MIT */
/*
 * login_listen.h -- the address of this machine that the browser comes back to
 * at the end of a login.
 *
 * It answers on 127.0.0.1 alone, and a request that is not the answer to the
 * login with an error; the login goes on waiting.
 */
#ifndef NET_LOGIN_LISTEN_H
#define NET_LOGIN_LISTEN_H

#include "base/buf.h"

#include <uv.h>

typedef struct login_listener login_listener;

/* Looks at the URL that the browser asked for. False: it is not the answer. */
typedef bool login_came_back(void *ctx, text url);

/* port 0: one that is free. *redirect is the URL to come back to; it lives as
 * long as the listener. NULL: *why says what failed (of libuv). */
login_listener *login_listen(uv_loop_t *loop, unsigned port,
    login_came_back *came_back, void *ctx, const char **redirect, int *why);
/* The loop must turn until its handles are closed. NULL is allowed. */
void login_listen_close(login_listener *l);

#endif
