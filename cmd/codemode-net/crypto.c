/* SPDX-License-Identifier: MIT */
/* crypto.c -- see crypto.h. */
#include "crypto.h"

#include "base/base64.h"

#include <openssl/bio.h>
#include <openssl/core_names.h>
#include <openssl/ec.h>
#include <openssl/ecdsa.h>
#include <openssl/evp.h>
#include <openssl/param_build.h>
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

/* ----------------------------------------------------------------- a key */

bool
crypto_make_key(buf *out)
{
	EVP_PKEY *key = EVP_EC_gen("P-256");
	BIO *pem = BIO_new(BIO_s_mem());
	char *bytes = NULL;
	long len = 0;

	if (key != NULL && pem != NULL &&
	    PEM_write_bio_PrivateKey(pem, key, NULL, NULL, 0, NULL, NULL) == 1)
		len = BIO_get_mem_data(pem, &bytes);
	if (len > 0)
		buf_add(out, bytes, (size_t)len);
	BIO_free(pem);
	EVP_PKEY_free(key);
	return len > 0 && out->bad == CM_OK;
}

/* A coordinate of the point, which has 32 bytes. */
static bool
add_coordinate(EVP_PKEY *key, const char *param, const char *name, buf *out)
{
	unsigned char bytes[32];
	BIGNUM *n = NULL;
	bool ok = EVP_PKEY_get_bn_param(key, param, &n) == 1 &&
		  BN_bn2binpad(n, bytes, sizeof(bytes)) == sizeof(bytes);

	BN_free(n);
	if (!ok)
		return false;
	json_member(out, name);
	buf_byte(out, '"');
	base64_add_url(out, (text){(const char *)bytes, sizeof(bytes)});
	buf_byte(out, '"');
	return true;
}

bool
crypto_public_key(text key, buf *out)
{
	EVP_PKEY *k = read_key(key);
	bool ok;

	buf_str(out, "{\"kty\":\"EC\",\"crv\":\"P-256\"");
	ok = k != NULL &&
	     add_coordinate(k, OSSL_PKEY_PARAM_EC_PUB_X, "x", out) &&
	     add_coordinate(k, OSSL_PKEY_PARAM_EC_PUB_Y, "y", out);
	buf_byte(out, '}');
	EVP_PKEY_free(k);
	return ok;
}

/* ----------------------------------------------------------- verification */

static BIGNUM *
bignum_of(text bytes)
{
	return BN_bin2bn(
	    (const unsigned char *)bytes.ptr, (int)bytes.len, NULL);
}

/* NULL: the parameters are invalid. */
static EVP_PKEY *
key_of_params(const char *type, OSSL_PARAM_BLD *params)
{
	EVP_PKEY_CTX *ctx = EVP_PKEY_CTX_new_from_name(NULL, type, NULL);
	OSSL_PARAM *list = OSSL_PARAM_BLD_to_param(params);
	EVP_PKEY *key = NULL;

	if (ctx != NULL && list != NULL && EVP_PKEY_fromdata_init(ctx) == 1 &&
	    EVP_PKEY_fromdata(ctx, &key, EVP_PKEY_PUBLIC_KEY, list) != 1)
		key = NULL;
	OSSL_PARAM_free(list);
	EVP_PKEY_CTX_free(ctx);
	return key;
}

static EVP_PKEY *
rsa_key(const access_key *k)
{
	OSSL_PARAM_BLD *params = OSSL_PARAM_BLD_new();
	BIGNUM *n = bignum_of(k->n), *e = bignum_of(k->e);
	EVP_PKEY *key = NULL;

	if (params != NULL && n != NULL && e != NULL &&
	    OSSL_PARAM_BLD_push_BN(params, OSSL_PKEY_PARAM_RSA_N, n) == 1 &&
	    OSSL_PARAM_BLD_push_BN(params, OSSL_PKEY_PARAM_RSA_E, e) == 1)
		key = key_of_params("RSA", params);
	OSSL_PARAM_BLD_free(params);
	BN_free(n);
	BN_free(e);
	return key;
}

/* OpenSSL checks that the point is on the curve. */
static EVP_PKEY *
p256_key(const access_key *k)
{
	OSSL_PARAM_BLD *params = OSSL_PARAM_BLD_new();
	unsigned char point[65] = {POINT_CONVERSION_UNCOMPRESSED};
	EVP_PKEY *key = NULL;

	memcpy(point + 1, k->x.ptr, 32);
	memcpy(point + 33, k->y.ptr, 32);
	if (params != NULL &&
	    OSSL_PARAM_BLD_push_utf8_string(
		params, OSSL_PKEY_PARAM_GROUP_NAME, "prime256v1", 0) == 1 &&
	    OSSL_PARAM_BLD_push_octet_string(
		params, OSSL_PKEY_PARAM_PUB_KEY, point, sizeof(point)) == 1)
		key = key_of_params("EC", params);
	OSSL_PARAM_BLD_free(params);
	return key;
}

/* The two numbers of a JWT's signature as DER; the caller frees it. *len 0:
 * invalid. */
static unsigned char *
ecdsa_der(text raw, size_t *len)
{
	ECDSA_SIG *sig = raw.len == 64 ? ECDSA_SIG_new() : NULL;
	unsigned char *der = NULL;
	int n = 0;

	if (sig != NULL && ECDSA_SIG_set0(sig, bignum_of(text_sub(raw, 0, 32)),
			       bignum_of(text_sub(raw, 32, 64))) == 1)
		n = i2d_ECDSA_SIG(sig, &der);
	ECDSA_SIG_free(sig);
	*len = n > 0 ? (size_t)n : 0;
	return der;
}

static bool
verify_with(EVP_PKEY *key, const EVP_MD *digest, text bytes,
    const unsigned char *sig, size_t len)
{
	EVP_MD_CTX *ctx = EVP_MD_CTX_new();
	bool good = ctx != NULL && key != NULL && len > 0 &&
		    EVP_DigestVerifyInit(ctx, NULL, digest, NULL, key) == 1 &&
		    EVP_DigestVerify(ctx, sig, len,
			(const unsigned char *)bytes.ptr, bytes.len) == 1;

	EVP_MD_CTX_free(ctx);
	return good;
}

bool
crypto_verify(const access_jwt *j, const access_key *key)
{
	const unsigned char *sig = (const unsigned char *)j->signature.ptr;
	size_t len = j->signature.len;
	unsigned char *der = NULL;
	const EVP_MD *digest = EVP_sha256();
	EVP_PKEY *k;
	bool good;

	if (strcmp(j->algorithm, "RS256") == 0) {
		k = rsa_key(key);
	} else if (strcmp(j->algorithm, "ES256") == 0) {
		k = p256_key(key);
		sig = der = ecdsa_der(j->signature, &len);
	} else {
		k = EVP_PKEY_new_raw_public_key(EVP_PKEY_ED25519, NULL,
		    (const unsigned char *)key->x.ptr, key->x.len);
		digest = NULL;
	}
	good = verify_with(k, digest, j->signed_bytes, sig, len);
	OPENSSL_free(der);
	EVP_PKEY_free(k);
	return good;
}
