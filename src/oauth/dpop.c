/* SPDX-License-Identifier: MIT */
/* dpop.c -- see dpop.h. */
#include "dpop.h"

#include "base/base64.h"

enum { PROOF_MAX = 64 << 10 };

static void
add_hash(buf *out, const oauth_crypto *crypto, text bytes)
{
	unsigned char digest[32];

	crypto->sha256(bytes, digest);
	base64_add_url(out, (text){(const char *)digest, sizeof(digest)});
}

/* The URL without query and fragment. */
static text
bare_url(text url)
{
	url = text_sub(url, 0, text_find(url, TEXT("#"), 0));
	return text_sub(url, 0, text_find(url, TEXT("?"), 0));
}

static void
add_proof_claims(buf *out, const dpop_proof *p)
{
	buf hash = BUF_INIT(out->alloc, 64);

	buf_byte(out, '{');
	json_member_text(out, "jti", p->id);
	json_member_text(out, "htm", text_of(p->method));
	json_member_text(out, "htu", bare_url(p->url));
	json_member_uint(out, "iat", p->now_s);
	if (p->token.len > 0) {
		add_hash(&hash, &p->crypto, p->token);
		json_member_text(out, "ath", buf_view(&hash));
	}
	if (p->nonce.len > 0)
		json_member_text(out, "nonce", p->nonce);
	buf_byte(out, '}');
	buf_fini(&hash);
}

bool
dpop_add_header(buf *out, const dpop_proof *p)
{
	buf part = BUF_INIT(out->alloc, PROOF_MAX);
	buf jwt = BUF_INIT(out->alloc, PROOF_MAX);
	bool signs;

	buf_str(&part, "{\"typ\":\"dpop+jwt\",\"alg\":\"ES256\",\"jwk\":");
	signs = p->crypto.public_key(p->key, &part);
	buf_byte(&part, '}');
	base64_add_url(&jwt, buf_view(&part));
	buf_clear(&part);
	add_proof_claims(&part, p);
	buf_byte(&jwt, '.');
	base64_add_url(&jwt, buf_view(&part));
	buf_clear(&part);
	signs = signs && p->crypto.sign(p->key, "ES256", buf_view(&jwt), &part);
	buf_byte(&jwt, '.');
	base64_add_url(&jwt, buf_view(&part));
	signs = signs && part.bad == CM_OK && jwt.bad == CM_OK;
	if (signs)
		buf_printf(out, "DPoP: %.*s\n", TEXT_ARG(buf_view(&jwt)));
	buf_fini(&part);
	buf_fini(&jwt);
	return signs;
}
