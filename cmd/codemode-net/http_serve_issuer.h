/* SPDX-License-Identifier: MIT */
/*
 * http_serve_issuer.h -- the authorization server whose tokens `serve --http`
 * takes.
 *
 * Its metadata and keys are fetched at the start, again when they are old, and
 * when a token names a key that is not among them, at most once a minute. Of a
 * token that is no JWT the issuer itself is asked. What came out is kept for a
 * minute, so a token that is revoked is good for that long at most.
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
	const char *why;                     /* of a refusal: static */
	unsigned char subject[TOKEN_DIGEST]; /* 200: whose the token is */
} token_verdict;

/* url: where clients reach this server, when the options do not say it. NULL:
 * the reason was printed. */
http_serve_issuer *issuer_open(
    main_loop *l, const http_serve_options *o, const char *url, say *s);
/* The loop must turn once more. NULL is allowed. */
void issuer_close(http_serve_issuer *i);

token_verdict issuer_check(http_serve_issuer *i, text token);
/* Should verdicts with status 0 be asked for again? Once for each change. */
bool issuer_has_news(http_serve_issuer *i);

/* The value of WWW-Authenticate for a refusal; error NULL: there was no token.
 * Until the next call. */
const char *issuer_challenge(
    http_serve_issuer *i, const char *error, const char *why);
/* Is path where the metadata of this server is? Then document gets it. */
bool issuer_metadata(
    const http_serve_issuer *i, const char *path, buf *document);

#endif
