/* SPDX-License-Identifier: MIT */
/*
 * oauth.h -- how a client of one MCP server gets a token, as a machine.
 *
 * One `oauth` is one attempt: it begins with what is known (the server's URL,
 * the credentials that were kept, the challenge that the server answered with)
 * and ends with a token or with the reason why there is none. Its owner turns
 * it: oauth_next says what must be done, and what came of that goes in.
 *
 *	OAUTH_FETCH   send the request, then oauth_answered
 *	OAUTH_BROWSE  open the URL in a browser, then oauth_returned
 *	OAUTH_DONE    use the token
 *	OAUTH_FAILED  tell the person
 *
 *	             challenge            expired
 *	                 |                   |
 *	  probe -> resource -> issuer ----> refresh -> DONE
 *	 (login)   metadata    metadata       | refused
 *	                          |<----------+
 *	                          +-> client's own token -> DONE
 *	                          +-> register -> browse -> redeem -> DONE
 *
 * It never touches the system: bytes of randomness, the time, SHA-256 and
 * signatures come from its owner. Documents that lie are refused: a resource or
 * an issuer with another name, a URL at an address that the server could not
 * see (oauth_url.h), a method without PKCE.
 *
 * The protocol is OAuth 2.1 as the MCP revisions from 2025-03-26 to 2026-07-28
 * use it (doc/guide/login.md).
 */
#ifndef OAUTH_OAUTH_H
#define OAUTH_OAUTH_H

#include "base/json.h"

#define OAUTH_BODY_MAX ((size_t)256 << 10) /* bytes of an answer's body */

typedef enum oauth_purpose {
	OAUTH_RENEW,  /* the token has expired: nothing was asked yet */
	OAUTH_ANSWER, /* to a challenge */
	OAUTH_LOGIN   /* a person asked for it, whatever is kept */
} oauth_purpose;

/* What the machine needs of a library of cryptography. */
typedef struct oauth_crypto {
	void (*sha256)(text bytes, unsigned char digest[32]);
	/* Appends the signature of bytes with the key (PEM) by a JWT algorithm,
	 * "ES256" or "RS256"; false: it cannot. NULL: no keys. */
	bool (*sign)(text key, const char *algorithm, text bytes, buf *out);
	/* For tokens that are bound to a key (DPoP). NULL: there are none. The
	 * first appends a new key for ES256 (PEM), the second the public half of
	 * a key as a JWK. */
	bool (*make_key)(buf *out);
	bool (*public_key)(text key, buf *out);
} oauth_crypto;

/* Texts may be empty; they are copied. */
typedef struct oauth_options {
	const cm_alloc *alloc; /* NULL: malloc */
	oauth_purpose purpose;
	text server;    /* its URL */
	text name;      /* in messages, and behind `codemode login` */
	json kept;      /* what oauth_credentials gave last time, or missing */
	text client_id; /* registered already. If it is an https URL: of a
	                       document that describes the client */
	text client_secret;
	text client_key; /* PEM, in place of a secret */
	text scope;      /* asked for in place of what the server names */
	text redirect;   /* where the browser comes back; empty: no person is
	                    there to log in */
	int status;      /* of the challenge */
	text challenge;  /* its header WWW-Authenticate */
	unsigned char random[64];
	uint64_t now_s; /* seconds since 1970 */
	oauth_crypto crypto;
} oauth_options;

typedef enum oauth_step_kind {
	OAUTH_FETCH,
	OAUTH_BROWSE,
	OAUTH_DONE,
	OAUTH_FAILED
} oauth_step_kind;

typedef enum oauth_failure {
	OAUTH_LOGIN_NEEDED, /* a person must log in */
	OAUTH_TRY_LATER,    /* something did not answer */
	OAUTH_REFUSED       /* it will not do without a change */
} oauth_failure;

/* Texts live until the next oauth_ call. */
typedef struct oauth_step {
	oauth_step_kind kind;
	const char
	    *method;  /* FETCH: "GET" or "POST"; never follow a redirect */
	text url;     /* FETCH, BROWSE */
	text headers; /* FETCH: lines "Name: value", each with LF */
	text body;    /* FETCH */
	text token;   /* DONE */
	oauth_failure failure;
	text message; /* FAILED: one line, without the server's name */
} oauth_step;

/* What came of a fetch. */
typedef struct oauth_response {
	int status;            /* 0: no answer */
	text why;              /* no answer: the reason */
	text location;         /* of a redirect */
	text www_authenticate; /* of a 401 */
	text dpop_nonce;       /* its header DPoP-Nonce */
	text body;             /* at most OAUTH_BODY_MAX bytes */
	uint64_t now_s;
} oauth_response;

typedef struct oauth oauth;

/* NULL: no memory. */
oauth *oauth_new(const oauth_options *opts);
void oauth_free(oauth *o);

/* What must be done now; the same until something goes in. */
void oauth_next(oauth *o, oauth_step *out);
void oauth_answered(oauth *o, const oauth_response *r);
/* The URL that the browser was sent to, or the code alone. False: it is not the
 * answer to this login, which still waits. */
bool oauth_returned(oauth *o, text pasted);

/* What is to be kept: an object, with secrets; missing: as it was. It may
 * change with each step, and after OAUTH_FAILED too. */
json oauth_credentials(const oauth *o);

/* ------------------------------------------- what credentials say */

/* The token, as a span of kept without its quotes; empty: there is none. */
text oauth_kept_token(json kept);
/* Appends the key (PEM) to which the token is bound; nothing: it is a bearer
 * token. */
void oauth_kept_key(json kept, buf *out);
/* Seconds since 1970; 0: not known. */
uint64_t oauth_kept_expiry(json kept);
/* Can the token be renewed without a person? */
bool oauth_kept_renews(json kept);
/* The port of the redirect that a client was registered with; 0: none. */
unsigned oauth_kept_port(json kept);

#endif
