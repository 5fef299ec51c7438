/* SPDX-License-Identifier: MIT */
/* crypto.c -- see crypto.h. */
#include "crypto.h"

#include <openssl/bio.h>
#include <openssl/ecdsa.h>
#include <openssl/evp.h>
#include <openssl/pem.h>
#include <openssl/rand.h>

void
crypto_sha256(text bytes, unsigned char digest[32])
{
	must(EVP_Digest(bytes.ptr ? bytes.ptr : "", bytes.len, digest, NULL,
		 EVP_sha256(), NULL) == 1);
}

void
crypto_random(unsigned char *out, size_t n)
{
	must(n <= INT32_MAX && RAND_bytes(out, (int)n) == 1);
}

/* No prompt for the passphrase of a key that has one. */
static int
give_no_passphrase(char *out, int n, int writing, void *ctx)
{
	(void)out;
	(void)n;
	(void)writing;
	(void)ctx;
	return -1;
}

static EVP_PKEY *
read_key(text pem)
{
	BIO *in = BIO_new_mem_buf(pem.ptr, (int)pem.len);
	EVP_PKEY *key = NULL;

	if (in != NULL)
		key =
		    PEM_read_bio_PrivateKey(in, NULL, give_no_passphrase, NULL);
	BIO_free(in);
	return key;
}

/* A JWT has the two numbers of an ECDSA signature, 32 bytes each; OpenSSL has
 * them as DER. */
static bool
add_ecdsa(const unsigned char *der, size_t len, buf *out)
{
	ECDSA_SIG *sig = d2i_ECDSA_SIG(NULL, &der, (long)len);
	unsigned char raw[64];
	bool ok = sig != NULL &&
		  BN_bn2binpad(ECDSA_SIG_get0_r(sig), raw, 32) == 32 &&
		  BN_bn2binpad(ECDSA_SIG_get0_s(sig), raw + 32, 32) == 32;

	if (ok)
		buf_add(out, raw, sizeof(raw));
	ECDSA_SIG_free(sig);
	return ok;
}

static bool
sign_with(EVP_PKEY *key, bool ecdsa, text bytes, buf *out)
{
	EVP_MD_CTX *ctx = EVP_MD_CTX_new();
	unsigned char sig[1024];
	size_t len = sizeof(sig);
	bool ok = ctx != NULL &&
		  EVP_DigestSignInit(ctx, NULL, EVP_sha256(), NULL, key) == 1 &&
		  EVP_DigestSign(ctx, sig, &len,
		      (const unsigned char *)bytes.ptr, bytes.len) == 1;

	EVP_MD_CTX_free(ctx);
	if (!ok)
		return false;
	if (ecdsa)
		return add_ecdsa(sig, len, out);
	buf_add(out, sig, len);
	return true;
}

bool
crypto_sign(text key, const char *algorithm, text bytes, buf *out)
{
	bool ecdsa = strcmp(algorithm, "ES256") == 0;
	EVP_PKEY *k = read_key(key);
	bool ok = k != NULL && (ecdsa ? EVP_PKEY_get_id(k) == EVP_PKEY_EC &&
					    EVP_PKEY_get_bits(k) == 256
				      : EVP_PKEY_get_id(k) == EVP_PKEY_RSA);

	ok = ok && sign_with(k, ecdsa, bytes, out);
	EVP_PKEY_free(k);
	return ok;
}
