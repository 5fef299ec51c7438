/* SPDX-License-Identifier: MIT */
/*
 * access_token.h -- checks whether a client's token is valid for this server.
 *
 * This is the side of a resource server. A token is a JWT (RFC 9068): its
 * claims are checked here, its signature by the owner. Or it is opaque, and the
 * owner asks the issuer about it (RFC 7662). Of a JWT's header only the
 * algorithm, the type and the name of the key are read: no URL (jku, x5u) and
 * no key (jwk, x5c) in a token is used, and algorithms with a shared secret or
 * without a signature are unknown here.
 */
#ifndef OAUTH_ACCESS_TOKEN_H
#define OAUTH_ACCESS_TOKEN_H

#include "base/arena.h"
#include "base/json.h"

enum {
	ACCESS_TOKEN_MAX = 16 << 10, /* bytes of a token */
	ACCESS_SKEW_S = 60,          /* seconds that two clocks may differ by */
	ACCESS_KEYS_TRIED = 16 /* keys tried for a token that names none */
};

typedef struct access_rules {
	text issuer;   /* as its metadata has it */
	text audience; /* the audience that the token must have */
	text scopes;   /* scopes that it must have, separated by blanks */
	uint64_t now_s;
} access_rules;

/* The result for an accepted token. */
typedef struct access_grant {
	text subject; /* the person, or a client for itself; in the arena */
	uint64_t expires_s; /* 0: not known */
	bool lacks_scope;   /* it is valid, but lacks a scope of .scopes */
} access_grant;

/* A JWT in its parts. Texts are in the token or the arena. */
typedef struct access_jwt {
	const char *algorithm; /* "RS256", "ES256" or "EdDSA" */
	text kid;              /* the name of its key; empty: none */
	text signed_bytes;
	text signature;
	json claims;
} access_jwt;

/* A public key of the issuer, as bytes in the arena. */
typedef struct access_key {
	text n, e; /* RS256 */
	text x, y; /* ES256; EdDSA has x alone */
} access_key;

/* Does it have the three parts of a JWT? */
bool access_is_jwt(text token);
/* NULL, or why it is not a JWT that can be checked (static). */
const char *access_read_jwt(text token, arena *a, access_jwt *out);

/* NULL, or why the token is refused (static), in words for the client. */
const char *access_check_jwt(
    json claims, const access_rules *r, arena *a, access_grant *out);
/* The same for the issuer's answer about an opaque token. */
const char *access_check_answer(
    json answer, const access_rules *r, arena *a, access_grant *out);

/* The keys of a JWK set, and the next one of them that may have signed j. False:
 * there are no more. */
json_iter access_keys(json jwks);
bool access_next_key(
    json_iter *keys, const access_jwt *j, arena *a, access_key *out);

#endif
