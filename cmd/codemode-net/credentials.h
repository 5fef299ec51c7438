/* SPDX-License-Identifier: MIT */
/*
 * credentials.h -- the Authorization header of requests to one server, wherever
 * it comes from: a token of the configuration, a command that prints one, or a
 * login by OAuth (auth.h).
 */
#ifndef NET_CREDENTIALS_H
#define NET_CREDENTIALS_H

#include "auth.h"

typedef struct credentials credentials;

/* server is borrowed. NULL: no memory. */
credentials *credentials_new(uv_loop_t *loop, const server_config *server);
/* Waits are left without a call of .done. The loop must turn once more. NULL is
 * allowed. */
void credentials_free(credentials *c);

/* The same as the functions of auth.h. */
bool credentials_header(credentials *c, auth_wait *w, text *header);
void credentials_challenged(credentials *c, text header, int status,
    text www_authenticate, auth_wait *w);
void credentials_add_proof(
    credentials *c, text header, const char *method, const char *url, buf *out);
void credentials_set_nonce(credentials *c, text nonce);
void credentials_leave(credentials *c, auth_wait *w);

#endif
