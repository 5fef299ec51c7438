/* SPDX-License-Identifier: MIT */
/* access_token.c -- see access_token.h. */
#include "access_token.h"

#include "oauth_text.h"
#include "oauth_url.h"

#include "base/base64.h"

enum { CLAIMS_DEPTH = 32, RSA_MIN = 256, RSA_MAX = 1024, EXPONENT_MAX = 8 };

/* Algorithms, and the members that a key for each of them has. */
static const struct access_algorithm {
	const char *name, *type, *curve;
} algorithms[] = {
    {"RS256", "RSA", NULL},
    {"ES256", "EC", "P-256"},
    {"EdDSA", "OKP", "Ed25519"},
};

/* ------------------------------------------------------------------- JWT */

static text
take_jwt_part(text *rest)
{
	size_t dot = text_find(*rest, TEXT("."), 0);
	text part = text_sub(*rest, 0, dot);

	*rest =
	    dot == SIZE_MAX ? TEXT_NONE : text_sub(*rest, dot + 1, rest->len);
	return part;
}

bool
access_is_jwt(text token)
{
	size_t dots = 0;

	for (size_t i = 0; i < token.len; i++)
		dots += token.ptr[i] == '.';
	return dots == 2;
}

/* The bytes of a base64url text, in a; empty: the text is invalid. */
static text
decode_part(text part, arena *a)
{
	buf b = BUF_INIT(a->alloc, ACCESS_TOKEN_MAX);
	text t = TEXT_NONE;

	if (base64_read_url(part, &b))
		t = oauth_keep(a, buf_view(&b));
	buf_fini(&b);
	return t;
}

/* Missing: the part is no JSON object. */
static json
decode_object(text part, arena *a)
{
	json v = TEXT_NONE;

	if (!json_check(decode_part(part, a), CLAIMS_DEPTH, &v, NULL) ||
	    json_kind_of(v) != JSON_OBJECT)
		return TEXT_NONE;
	return v;
}

/* A string member, unescaped; empty: it is missing, or no string. */
static text
claim_string(json object, const char *name, arena *a)
{
	buf b = BUF_INIT(a->alloc, ACCESS_TOKEN_MAX);
	text t = TEXT_NONE;

	if (json_unescape(json_get(object, text_of(name)), &b))
		t = oauth_keep(a, buf_view(&b));
	buf_fini(&b);
	return t;
}

/* Refuse other kinds of tokens by their type, for example ID tokens. */
static bool
is_access_type(text type)
{
	static const char *const types[] = {
	    "jwt", "at+jwt", "application/at+jwt"};

	if (type.len == 0)
		return true;
	for (size_t i = 0; i < sizeof(types) / sizeof(*types); i++)
		if (oauth_same_caseless(type, text_of(types[i])))
			return true;
	return false;
}

static const struct access_algorithm *
algorithm_of_name(text name)
{
	for (size_t i = 0; i < sizeof(algorithms) / sizeof(*algorithms); i++)
		if (text_eq(name, text_of(algorithms[i].name)))
			return &algorithms[i];
	return NULL;
}

const char *
access_read_jwt(text token, arena *a, access_jwt *out)
{
	const struct access_algorithm *algorithm;
	text rest = token, head, claims;
	json header;

	*out = (access_jwt){NULL};
	head = take_jwt_part(&rest);
	claims = take_jwt_part(&rest);
	header = decode_object(head, a);
	out->claims = decode_object(claims, a);
	out->signature = decode_part(rest, a);
	out->signed_bytes = text_sub(token, 0, head.len + 1 + claims.len);
	out->kid = claim_string(header, "kid", a);
	algorithm = algorithm_of_name(claim_string(header, "alg", a));
	if (!access_is_jwt(token) || header.len == 0 || out->claims.len == 0)
		return "it is no JWT";
	if (json_get(header, TEXT("crit")).len > 0)
		return "its header has extensions that must be understood";
	if (!is_access_type(claim_string(header, "typ", a)))
		return "it is a JWT for another purpose";
	if (algorithm == NULL || out->signature.len == 0)
		return "it is not signed by RS256, ES256 or EdDSA";
	out->algorithm = algorithm->name;
	return NULL;
}

/* ---------------------------------------------------------------- claims */

/* Is name the string v, or one of the strings in the list v? */
static bool
names_one(json v, text name)
{
	json_iter it = json_each(v);
	json one;

	if (json_kind_of(v) != JSON_ARRAY)
		return json_is(v, name);
	while (json_next(&it, NULL, &one))
		if (json_is(one, name))
			return true;
	return false;
}

/* Reads seconds since 1970, perhaps with a fraction; 0: missing. False: not a
 * time. */
static bool
claim_time(json claims, const char *name, uint64_t *out)
{
	json v = json_get(claims, text_of(name));
	double d = 0;

	*out = 0;
	if (v.len > 0 && (!json_double(v, &d) || !(d >= 0 && d < 1e15)))
		return false;
	*out = (uint64_t)d;
	return true;
}

/* Some issuers list scopes as "scp". */
static void
collect_scopes(json claims, buf *out)
{
	json list = json_get(claims, TEXT("scp")), one;
	json_iter it = json_each(list);

	json_unescape(json_get(claims, TEXT("scope")), out);
	buf_byte(out, ' ');
	json_unescape(list, out);
	while (json_next(&it, NULL, &one)) {
		buf_byte(out, ' ');
		json_unescape(one, out);
	}
}

static bool
has_claimed_scopes(json claims, text wanted, const cm_alloc *alloc)
{
	buf scopes = BUF_INIT(alloc, ACCESS_TOKEN_MAX);
	bool has;

	collect_scopes(claims, &scopes);
	has = oauth_has_scopes(buf_view(&scopes), wanted);
	buf_fini(&scopes);
	return has;
}

/* Marks the kind of subject: a person and a client may have the same name. */
static text
claimed_subject(json claims, arena *a)
{
	static const char *const names[] = {"sub", "client_id", "azp"};
	buf b = BUF_INIT(a->alloc, ACCESS_TOKEN_MAX);
	text t = TEXT_NONE;

	for (size_t i = 0; i < 3 && t.len == 0; i++) {
		text name = claim_string(claims, names[i], a);

		if (name.len == 0)
			continue;
		buf_str(&b, i == 0 ? "sub " : "client ");
		buf_text(&b, name);
		t = oauth_keep(a, buf_view(&b));
	}
	buf_fini(&b);
	return t;
}

static const char *
check_claims(json claims, const access_rules *r, arena *a, access_grant *out)
{
	uint64_t from = 0;

	*out = (access_grant){.subject = claimed_subject(claims, a)};
	if (!names_one(json_get(claims, TEXT("aud")), r->audience))
		return "it is for another audience";
	if (!claim_time(claims, "exp", &out->expires_s) ||
	    (json_get(claims, TEXT("exp")).len > 0 &&
		out->expires_s + ACCESS_SKEW_S <= r->now_s))
		return "it has expired";
	if (!claim_time(claims, "nbf", &from) ||
	    from > r->now_s + ACCESS_SKEW_S)
		return "it is not good yet";
	if (out->subject.len == 0)
		return "it names no subject";
	out->lacks_scope = !has_claimed_scopes(claims, r->scopes, a->alloc);
	return NULL;
}

const char *
access_check_jwt(
    json claims, const access_rules *r, arena *a, access_grant *out)
{
	text issuer = claim_string(claims, "iss", a);
	const char *why = check_claims(claims, r, a, out);

	if (issuer.len == 0 || !oauth_same_issuer(issuer, r->issuer))
		return "it is of another issuer";
	if (why == NULL && out->expires_s == 0)
		return "it never expires";
	return why;
}

const char *
access_check_answer(
    json answer, const access_rules *r, arena *a, access_grant *out)
{
	text issuer = claim_string(answer, "iss", a);

	*out = (access_grant){.expires_s = 0};
	if (!json_bool(json_get(answer, TEXT("active")), false))
		return "its issuer takes it no more";
	if (issuer.len > 0 && !oauth_same_issuer(issuer, r->issuer))
		return "it is of another issuer";
	return check_claims(answer, r, a, out);
}

/* ------------------------------------------------------------------ keys */

json_iter
access_keys(json jwks)
{
	json keys = json_get(jwks, TEXT("keys"));

	return json_each(json_kind_of(keys) == JSON_ARRAY ? keys : TEXT_NONE);
}

static text
key_bytes(json key, const char *name, arena *a)
{
	text coded = claim_string(key, name, a);

	return coded.len > 0 ? decode_part(coded, a) : TEXT_NONE;
}

/* Does the key have the members of its type, in a size that is neither too weak
 * nor too slow? */
static bool
is_usable_key(const access_key *k, const struct access_algorithm *algorithm)
{
	if (algorithm->curve == NULL)
		return k->n.len >= RSA_MIN && k->n.len <= RSA_MAX &&
		       k->e.len > 0 && k->e.len <= EXPONENT_MAX;
	return k->x.len == 32 && (k->y.len == 32 || algorithm->type[0] == 'O');
}

/* A missing member restricts nothing. */
static bool
key_may_be(json key, const char *name, const char *value)
{
	json v = json_get(key, text_of(name));

	return v.len == 0 || json_is(v, text_of(value));
}

bool
access_next_key(json_iter *keys, const access_jwt *j, arena *a, access_key *out)
{
	const struct access_algorithm *algorithm =
	    algorithm_of_name(text_of(j->algorithm));
	json key;

	while (json_next(keys, NULL, &key)) {
		if (!json_is(
			json_get(key, TEXT("kty")), text_of(algorithm->type)) ||
		    (j->kid.len > 0 &&
			!json_is(json_get(key, TEXT("kid")), j->kid)) ||
		    (algorithm->curve != NULL &&
			!json_is(json_get(key, TEXT("crv")),
			    text_of(algorithm->curve))) ||
		    !key_may_be(key, "use", "sig") ||
		    !key_may_be(key, "alg", algorithm->name))
			continue;
		*out =
		    (access_key){key_bytes(key, "n", a), key_bytes(key, "e", a),
			key_bytes(key, "x", a), key_bytes(key, "y", a)};
		if (is_usable_key(out, algorithm))
			return true;
	}
	return false;
}
