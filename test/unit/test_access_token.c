/* SPDX-License-Identifier: MIT */
/*
 * test_access_token.c -- what tokens and keys say, without a signature. The
 * whole way is in test/oauth/serve_tokens.mjs.
 */
#include "unit.h"

#include "base/base64.h"
#include "oauth/access_token.h"

static const access_rules rules = {.issuer = TEXT_INIT("https://as.example"),
    .audience = TEXT_INIT("https://mcp.example/mcp"),
    .scopes = TEXT_INIT("a b"),
    .now_s = 1000000};

static void
jwt_is(const char *header, const char *claims, const char *why)
{
	buf token = BUF_INIT(NULL, 10000);
	arena a = ARENA_INIT(NULL, 1 << 20);
	access_jwt j;
	const char *got;

	base64_add_url(&token, text_of(header));
	buf_byte(&token, '.');
	base64_add_url(&token, text_of(claims));
	buf_str(&token, ".AAAA");
	got = access_read_jwt(buf_view(&token), &a, &j);
	if (why == NULL) {
		assert_null(got);
		assert_int_equal(j.signature.len, 3);
		assert_int_equal(j.signed_bytes.len, token.len - 5);
		assert_str(j.claims, claims);
	} else {
		assert_string_equal(got, why);
	}
	arena_fini(&a);
	buf_fini(&token);
}

static void
jwts(void **state)
{
	(void)state;
	jwt_is("{\"alg\":\"ES256\"}", "{}", NULL);
	jwt_is(
	    "{\"alg\":\"EdDSA\",\"typ\":\"Application/AT+JWT\"}", "{}", NULL);
	jwt_is("{\"alg\":\"es256\"}", "{}",
	    "it is not signed by RS256, ES256 or EdDSA");
	jwt_is("{}", "{}", "it is not signed by RS256, ES256 or EdDSA");
	jwt_is("{\"alg\":[\"ES256\"]}", "{}",
	    "it is not signed by RS256, ES256 or EdDSA");
	jwt_is("{\"alg\":\"ES256\",\"crit\":null}", "{}",
	    "its header has extensions that must be understood");
	jwt_is("{\"alg\":\"ES256\",\"typ\":\"dpop+jwt\"}", "{}",
	    "it is a JWT for another purpose");
	jwt_is("{\"alg\":\"ES256\"}", "null", "it is no JWT");
	jwt_is("", "{}", "it is no JWT");
	assert_true(access_is_jwt(TEXT("..")));
	assert_false(access_is_jwt(TEXT("a.b")));
	assert_false(access_is_jwt(TEXT("a.b.c.d")));
}

/* why NULL: it fits; scope: and has the scopes. */
static void
claims_are(const char *claims, const char *why, const char *subject, bool scope)
{
	arena a = ARENA_INIT(NULL, 1 << 20);
	access_grant g;
	const char *got = access_check_jwt(text_of(claims), &rules, &a, &g);

	if (why != NULL) {
		assert_string_equal(got, why);
	} else {
		assert_null(got);
		assert_str(g.subject, subject);
		assert_int_equal(g.lacks_scope, !scope);
	}
	arena_fini(&a);
}

#define FITS \
	"{\"iss\":\"https://as.example\",\"aud\":\"https://mcp.example/mcp\","

static void
claims(void **state)
{
	(void)state;
	claims_are(FITS "\"exp\":1000001,\"sub\":\"x\",\"scope\":\"b c a\"}",
	    NULL, "sub x", true);
	claims_are(FITS "\"exp\":999940.5,\"sub\":\"x\"}", "it has expired", "",
	    false);
	claims_are(FITS "\"exp\":999941,\"client_id\":\"x\",\"scp\":\"a\"}",
	    NULL, "client x", false);
	claims_are(
	    FITS "\"exp\":1e300,\"sub\":\"x\"}", "it has expired", "", false);
	claims_are(
	    FITS "\"exp\":-1,\"sub\":\"x\"}", "it has expired", "", false);
	claims_are(
	    FITS "\"exp\":0,\"sub\":\"x\"}", "it has expired", "", false);
	claims_are(FITS "\"sub\":\"x\"}", "it never expires", "", false);
	claims_are(FITS "\"exp\":1000001,\"nbf\":1000060,\"azp\":\"x\","
			"\"scp\":[\"a\",\"b\",1]}",
	    NULL, "client x", true);
	claims_are(FITS "\"exp\":1000001,\"nbf\":1000061,\"sub\":\"x\"}",
	    "it is not good yet", "", false);
	claims_are(FITS "\"exp\":1000001,\"nbf\":null,\"sub\":\"x\"}",
	    "it is not good yet", "", false);
	claims_are(FITS "\"exp\":1000001,\"sub\":7}", "it names no subject", "",
	    false);
	/* The last one of two counts, and is what was signed. */
	claims_are(FITS "\"exp\":1000001,\"sub\":\"x\",\"aud\":\"other\"}",
	    "it is for another audience", "", false);
}

static void
keys_are(
    const char *kid, const char *algorithm, const char *set, unsigned count)
{
	arena a = ARENA_INIT(NULL, 1 << 20);
	access_jwt j = {.algorithm = algorithm, .kid = text_of(kid)};
	json_iter keys = access_keys(text_of(set));
	access_key key;
	unsigned n = 0;

	while (access_next_key(&keys, &j, &a, &key))
		n++;
	assert_int_equal(n, count);
	arena_fini(&a);
}

#define X32 "\"AAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA\""

static void
keys(void **state)
{
	static const char set[] =
	    "{\"keys\":[1,{\"kty\":\"EC\",\"crv\":\"P-256\",\"kid\":\"a\","
	    "\"x\":" X32 ",\"y\":" X32 "},"
	    "{\"kty\":\"EC\",\"crv\":\"P-384\",\"kid\":\"b\",\"x\":" X32
	    ",\"y\":" X32 "},"
	    "{\"kty\":\"EC\",\"crv\":\"P-256\",\"kid\":\"c\",\"x\":" X32 "},"
	    "{\"kty\":\"OKP\",\"crv\":\"Ed25519\",\"x\":" X32 "},"
	    "{\"kty\":\"RSA\",\"n\":\"AAAA\",\"e\":\"AQAB\"}]}";

	(void)state;
	keys_are("", "ES256", set, 1);
	keys_are("a", "ES256", set, 1);
	keys_are("b", "ES256", set, 0);
	keys_are("c", "ES256", set, 0);
	keys_are("", "EdDSA", set, 1);
	keys_are("a", "EdDSA", set, 0);
	keys_are("", "RS256", set, 0);
	keys_are("", "ES256", "{\"keys\":{}}", 0);
	keys_are("", "ES256", "[]", 0);
	keys_are("", "ES256", "", 0);
}

int
main(void)
{
	const struct CMUnitTest tests[] = {
	    cmocka_unit_test(jwts),
	    cmocka_unit_test(claims),
	    cmocka_unit_test(keys),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
