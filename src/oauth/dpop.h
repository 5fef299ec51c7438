/* SPDX-License-Identifier: MIT */
/*
 * dpop.h -- proofs that a client has the key to which its token is bound (RFC
 * 9449): a stolen token alone is useless.
 */
#ifndef OAUTH_DPOP_H
#define OAUTH_DPOP_H

#include "oauth.h"

/* A request and the key; a proof is valid for this request alone. */
typedef struct dpop_proof {
	oauth_crypto crypto;
	text key; /* PEM, for ES256 */
	const char *method;
	text url;
	text token; /* of the request; empty: the request asks for one */
	text nonce; /* the nonce that the server has given; empty: none */
	text id;    /* a new id for the proof */
	uint64_t now_s;
} dpop_proof;

/* Appends "DPoP: PROOF\n". False: the key cannot sign. */
bool dpop_add_header(buf *out, const dpop_proof *p);

#endif
