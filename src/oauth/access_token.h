/* SPDX-License-Identifier: MIT */
/*
 * access_token.h -- is a token that a client bears good for this server?
 *
 * The side of a resource server. A token is a JWT (RFC 9068), whose claims are
 * checked here and whose signature by the owner; or it is opaque, and the issuer
 * says what it stands for (RFC 7662). Of a JWT's header only the algorithm, the
 * type and the name of the key are read: no URL (jku, x5u) and no key (jwk, x5c)
 * in a token is used, and an algorithm with a shared secret or without a
 * signature does not exist here.
 */
#ifndef OAUTH_ACCESS_TOKEN_H
#define OAUTH_ACCESS_TOKEN_H

#include "base/arena.h"
#include "base/json.h"

enum {
	ACCESS_TOKEN_MAX = 16 << 10, /* bytes of a token */
	ACCESS_SKEW_S = 60,          /* that two clocks may differ by */
	ACCESS_KEYS_TRIED = 16       /* for a token that names no key */
};

typedef struct access_rules {
	text issuer;   /* as its metadata has it */
	text audience; /* that the token must be for */
	text scopes;   /* that it must have, with blanks between */
	uint64_t now_s;
} access_rules;

/* What a token that fits gives. */
typedef struct access_grant {
	text subject; /* the person, or a client for itself; in the arena */
	uint64_t expires_s; /* 0: not known */
	bool lacks_scope;   /* it is good, but not for this */
} access_grant;

/* A JWT in its parts. Texts are in the token or the arena. */
typedef struct access_jwt {
	const char *algorithm; /* "RS256", "ES256" or "EdDSA" */
	text kid;              /* empty: it names no key */
	text signed_bytes;
	text signature;
	json claims;
} access_jwt;

/* A public key of the issuer, as bytes in the arena. */
typedef struct access_key {
	text n, e; /* RS256 */
	text x, y; /* ES256; EdDSA has x alone */
} access_key;

/* Are there three parts, so that it cannot be opaque? */
bool access_is_jwt(text token);
/* NULL, or why it is none that can be checked (static). */
const char *access_read_jwt(text token, arena *a, access_jwt *out);

/* NULL, or why the token is not good (static): an answer to the client. */
const char *access_check_jwt(
    json claims, const access_rules *r, arena *a, access_grant *out);
/* The same for what the issuer says of an opaque token. */
const char *access_check_answer(
    json answer, const access_rules *r, arena *a, access_grant *out);

/* The keys of a JWK set, and the next one of them that may have signed j. False:
 * there are no more. */
json_iter access_keys(json jwks);
bool access_next_key(
    json_iter *keys, const access_jwt *j, arena *a, access_key *out);

#endif
