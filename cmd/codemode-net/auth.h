/* SPDX-License-Identifier: MIT */
/*
 * auth.h -- the Authorization header of requests to a server that wants OAuth.
 *
 * One `auth` belongs to one server. It reads the tokens that `codemode login`
 * has kept, renews them before they expire and when the server refuses them,
 * and keeps what it gets. Requests that wait for the same renewal share it, also
 * with other processes.
 *
 * It is not for a server whose configuration has a token, a token command or an
 * Authorization header, or says that there is no login (auth_applies).
 */
#ifndef NET_AUTH_H
#define NET_AUTH_H

#include "base/buf.h"
#include "servers/servers.h"

typedef struct auth auth;

/* A request that waits. Its memory is the caller's and stays until .done is
 * called or auth_leave. .done is called from the loop, never before the
 * function that got the wait returns. It may free the wait. */
typedef struct auth_wait {
	/* ok: ask again, with the header that auth_header gives now. Otherwise
	 * why: one line that says what a person can do. */
	void (*done)(struct auth_wait *w, bool ok, text why);
	void *ctx;              /* the caller's */
	unsigned rounds;        /* auth.c's; 0 for a new request */
	bool ok;                /* auth.c's */
	struct auth_wait *next; /* auth.c's */
} auth_wait;

typedef struct auth_options {
	/* Sends the person's browser to url; the answer comes with
	 * auth_returned. NULL: no person is there, and a login that is needed
	 * fails with the command that does it. */
	void (*browse)(void *ctx, auth *a, text url);
	void *ctx;
	const char *redirect; /* where the browser comes back; with browse */
	/* Something odd that broke nothing; may be NULL. */
	void (*warning)(void *ctx, text message);
} auth_options;

bool auth_applies(const server_config *server);

/* For programs that have a person at hand whenever a server wants a login: what
 * auth_new takes when it gets no options. Borrowed; NULL, as at first: no person. */
void auth_set_person(const auth_options *options);

/* server is borrowed. options may be NULL. NULL: no memory. */
auth *auth_new(
    uv_loop_t *loop, const server_config *server, const auth_options *options);
/* Waits are left without a call of .done. The loop must turn once more. NULL is
 * allowed. */
void auth_free(auth *a);

/*
 * The header for the next request, for example "Authorization: Bearer x", in
 * *header until the next auth_ call; empty: ask without. False: a renewal is
 * under way, and w waits for it.
 */
bool auth_header(auth *a, auth_wait *w, text *header);

/* Appends the proof for a request with this header of auth_header, a line
 * "DPoP: ..."; nothing: the token is not bound to a key. */
void auth_add_proof(
    auth *a, text header, const char *method, const char *url, buf *out);
/* Sets the nonce (the server's DPoP-Nonce) of all later proofs. */
void auth_set_nonce(auth *a, text nonce);

/*
 * The server answered with status 401, or 403 with insufficient_scope, to a
 * request that had this header (empty: none). www_authenticate is the value of
 * that header of the answer, or of all of them with ", " between; empty: there
 * is none. w waits for another token, for three rounds at most: a server may
 * refuse every token.
 */
void auth_challenged(
    auth *a, text header, int status, text www_authenticate, auth_wait *w);

/* w no longer waits. */
void auth_leave(auth *a, auth_wait *w);

/* Gets another token, whatever is kept; w waits for it. scope (empty: what the
 * server names) is asked for. */
void auth_login(auth *a, text scope, auth_wait *w);

/* Where the browser was sent to, a URL, or what a person pasted. False: it is
 * not the answer to the login, which still waits. */
bool auth_returned(auth *a, text pasted);

#endif
