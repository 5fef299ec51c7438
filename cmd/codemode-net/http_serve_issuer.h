/* SPDX-License-Identifier: MIT */
/*
 * http_serve_issuer.h -- the authorization server whose tokens `serve --http`
 * accepts.
 *
 * Its metadata and keys are fetched at the start, again when they are old, and
 * when a token names an unknown key, at most once a minute. About a token that
 * is not a JWT the issuer is asked. Each verdict is kept for a minute, so a
 * revoked token is accepted for at most that long.
 */
#ifndef HTTP_SERVE_ISSUER_H
#define HTTP_SERVE_ISSUER_H

#include "serve/http_serve.h"

typedef struct http_serve_issuer http_serve_issuer;

enum { TOKEN_DIGEST = 32 };

typedef struct token_verdict {
	unsigned
	    status; /* 200; 401, 403 or 503: the request is refused with it;
	                    0: not known yet */
	const char *why; /* the reason of a refusal; static */
	unsigned char subject
	    [TOKEN_DIGEST]; /* with 200: a digest of the subject of the token */
} token_verdict;

/* url: the URL of this server, for options without one. NULL: the reason was
 * printed. */
http_serve_issuer *issuer_open(
    main_loop *l, const http_serve_options *o, const char *url, say *s);
/* The loop must turn once more. NULL is allowed. */
void issuer_close(http_serve_issuer *i);

token_verdict issuer_check(http_serve_issuer *i, text token);
/* Should verdicts with status 0 be asked for again? True once after each
 * change. */
bool issuer_has_news(http_serve_issuer *i);

/* The value of WWW-Authenticate for a refusal; error NULL: there was no token.
 * Valid until the next call. */
const char *issuer_challenge(
    http_serve_issuer *i, const char *error, const char *why);
/* Appends the metadata of this server to document if it is at that path. False:
 * it is not. */
bool issuer_metadata(
    const http_serve_issuer *i, const char *path, buf *document);

#endif
