/* SPDX-License-Identifier: MIT */
/*
 * oauth.c -- fuzz target: the answers that a client gets while it logs in, and
 * the tokens that clients bear.
 *
 * Pieces of the input stand between bytes of 0x1e. The first one is the header
 * of the challenge, the second what is kept; each other one begins with a letter
 * for its status and answers the next request, or is what the person pastes.
 * Whatever they say, no request goes where the server could not see, the attempt
 * ends, and what is to be kept is JSON.
 *
 * With a first byte of 't', the pieces are a token, claims and keys of an issuer
 * instead: nothing but a whole JWT is taken for one, and a key has its size.
 */
#include "fuzz.h"

#include "oauth/access_token.h"
#include "oauth/oauth.h"
#include "oauth/oauth_url.h"

#define SERVER TEXT("https://mcp.example/mcp")

enum { STEPS_MAX = 40 };

static text
next_piece(text *in)
{
	size_t end = text_find(*in, TEXT("\x1e"), 0);
	text piece = text_sub(*in, 0, end);

	*in = end == SIZE_MAX ? TEXT_NONE : text_sub(*in, end + 1, in->len);
	return piece;
}

static void
no_digest(text bytes, unsigned char digest[32])
{
	memset(digest, bytes.len ? bytes.ptr[0] : 0, 32);
}

static bool
no_signature(text key, const char *algorithm, text bytes, buf *out)
{
	buf_text(out, text_head(bytes, 8));
	return key.len > 0 && algorithm[0] == 'E';
}

static bool
no_key(buf *out)
{
	buf_str(out, "key");
	return true;
}

static bool
no_public_key(text key, buf *out)
{
	buf_str(out, "{}");
	return key.len == 3;
}

static void
check_url(text url)
{
	oauth_url u, server;

	HOLDS(oauth_url_read(SERVER, &server) == NULL);
	HOLDS(oauth_url_read(url, &u) == NULL);
	HOLDS(oauth_url_refused(&u, &server) == NULL);
}

static void
answer(oauth *o, text piece)
{
	oauth_response r = {.status = 404, .now_s = 1000};
	unsigned status = fuzz_byte(&piece);

	if (status == '2')
		r.status = 200;
	else if (status == '1')
		r.status = 401;
	else if (status == '3')
		r.status = 302;
	else if (status == '0')
		r.status = 0;
	r.body = r.location = r.why = r.www_authenticate = piece;
	r.dpop_nonce = text_head(piece, 20);
	oauth_answered(o, &r);
}

static void
check_headers(text headers)
{
	text line;

	while (text_line(&headers, &line))
		HOLDS(text_find(line, TEXT(": "), 0) != SIZE_MAX &&
		      text_find(line, TEXT("\r"), 0) == SIZE_MAX);
}

static void
try_token(text in)
{
	const access_rules rules = {TEXT("https://as.example"),
	    TEXT("https://mcp.example/mcp"), TEXT("a b"), 1000};
	arena a = ARENA_INIT(NULL, 1 << 20);
	text token = next_piece(&in);
	access_jwt j = {.algorithm = "RS256"};
	access_grant grant;
	access_key key;
	json claims = TEXT_NONE, keys = TEXT_NONE;
	json_iter it;

	if (access_read_jwt(token, &a, &j) == NULL)
		HOLDS(access_is_jwt(token) && j.signature.len > 0 &&
		      json_kind_of(j.claims) == JSON_OBJECT &&
		      j.signed_bytes.len < token.len);
	else
		j.algorithm = "ES256";
	if (json_check(next_piece(&in), 64, &claims, NULL))
		j.claims = claims;
	if (access_check_jwt(j.claims, &rules, &a, &grant) == NULL)
		HOLDS(grant.subject.len > 0 && grant.expires_s > 900);
	if (access_check_answer(j.claims, &rules, &a, &grant) == NULL)
		HOLDS(grant.subject.len > 0);
	json_check(next_piece(&in), 64, &keys, NULL);
	for (it = access_keys(keys); access_next_key(&it, &j, &a, &key);)
		HOLDS(key.x.len == 32 || key.n.len >= 256);
	arena_fini(&a);
}

int
LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t len)
{
	text in = {(const char *)bytes, len};
	oauth_options options = {.server = SERVER,
	    .name = TEXT("s"),
	    .redirect = TEXT("http://127.0.0.1:1/callback"),
	    .status = 401,
	    .now_s = 1000,
	    .crypto = {no_digest, no_signature, no_key, no_public_key}};
	oauth_step step;
	json kept;
	oauth *o;
	int steps = 0;

	if (text_starts(in, TEXT("t"))) {
		try_token(text_sub(in, 1, in.len));
		return 0;
	}
	options.purpose = (oauth_purpose)(fuzz_byte(&in) % 3);
	options.challenge = next_piece(&in);
	if (json_check(next_piece(&in), 64, &kept, NULL))
		options.kept = kept;
	o = oauth_new(&options);
	HOLDS(o != NULL);
	for (; steps < STEPS_MAX; steps++) {
		oauth_next(o, &step);
		if (step.kind == OAUTH_DONE || step.kind == OAUTH_FAILED)
			break;
		check_url(step.url);
		check_headers(step.headers);
		if (step.kind == OAUTH_FETCH)
			answer(o, next_piece(&in));
		else if (!oauth_returned(o, next_piece(&in)) && in.len == 0)
			break;
	}
	HOLDS(steps < STEPS_MAX || in.len > 0);
	HOLDS(oauth_credentials(o).len == 0 ||
	      json_check(oauth_credentials(o), 70, &kept, NULL));
	oauth_free(o);
	return 0;
}
