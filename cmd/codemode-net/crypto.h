/* SPDX-License-Identifier: MIT */
/*
 * crypto.h -- what is needed of OpenSSL: digests, signatures, randomness.
 */
#ifndef NET_CRYPTO_H
#define NET_CRYPTO_H

#include "base/buf.h"
#include "oauth/access_token.h"

void crypto_sha256(text bytes, unsigned char digest[32]);
/* Ends the process when there is none: nothing could be kept secret then. */
void crypto_random(unsigned char *out, size_t n);
/* The same as oauth_crypto.sign. */
bool crypto_sign(text key, const char *algorithm, text bytes, buf *out);
/* The same as oauth_crypto.make_key and .public_key. */
bool crypto_make_key(buf *out);
bool crypto_public_key(text key, buf *out);
/* Is the signature of j made with the key? */
bool crypto_verify(const access_jwt *j, const access_key *key);

#endif
