/* SPDX-License-Identifier: MIT */
/*
 * dpop.h -- proofs that a client holds the key that its token is bound to
 * (RFC 9449), so that a token which was stolen is of no use.
 */
#ifndef OAUTH_DPOP_H
#define OAUTH_DPOP_H

#include "oauth.h"

/* One request, and the key; a proof is good for this one alone. */
typedef struct dpop_proof {
	oauth_crypto crypto;
	text key; /* PEM, for ES256 */
	const char *method;
	text url;
	text token; /* that the request bears; empty: it is for a token */
	text nonce; /* that the server has given; empty: none */
	text id;    /* of the proof, never used before */
	uint64_t now_s;
} dpop_proof;

/* Appends "DPoP: PROOF\n". False: the key cannot sign. */
bool dpop_add_header(buf *out, const dpop_proof *p);

#endif
