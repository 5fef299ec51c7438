/* SPDX-License-Identifier: MIT */
/*
 * oauth_credentials.c -- what is kept between attempts, as a JSON object.
 */
#include "oauth_flow.h"

/* The texts of an oauth_kept, by the name of their member. */
#define KEPT_TEXTS(X)     \
	X(issuer)         \
	X(token_endpoint) \
	X(resource)       \
	X(client_id) X(access) X(refresh) X(scope) X(wanted) X(dpop_key)

void
credentials_read(oauth *o, json kept)
{
	oauth_kept *k = &o->kept;
	int64_t expires = 0;
	text method;

#define READ_TEXT(name) k->name = flow_string(o, kept, #name);
	KEPT_TEXTS(READ_TEXT)
#undef READ_TEXT
	method = flow_string(o, kept, "method");
	k->method = auth_method_of_name(method);
	if (k->method == METHOD_COUNT)
		k->method = METHOD_NONE;
	if (json_int(json_get(kept, TEXT("expires")), &expires) && expires > 0)
		k->expires_s = (uint64_t)expires;
	k->clients = json_get(kept, TEXT("clients"));
}

void
credentials_write(oauth *o)
{
	oauth_kept *k = &o->kept;
	buf *out = &o->credentials;

	buf_clear(out);
	buf_byte(out, '{');
	json_member_text(out, "server", o->opt.server);
#define WRITE_TEXT(name)     \
	if (k->name.len > 0) \
		json_member_text(out, #name, k->name);
	KEPT_TEXTS(WRITE_TEXT)
#undef WRITE_TEXT
	json_member_text(out, "method", text_of(auth_method_name(k->method)));
	if (k->expires_s > 0)
		json_member_uint(out, "expires", k->expires_s);
	json_member_json(out, "clients", k->clients);
	buf_byte(out, '}');
}

/* The scope stays: the next login asks for it again. */
void
credentials_drop_tokens(oauth *o)
{
	o->kept.access = o->kept.refresh = o->kept.dpop_key = TEXT_NONE;
	o->kept.expires_s = 0;
	credentials_write(o);
}

json
credentials_client(const oauth *o, text issuer)
{
	return json_get(o->kept.clients, issuer);
}

void
credentials_set_client(oauth *o, text issuer, json client)
{
	buf b = BUF_INIT(o->alloc, OAUTH_BODY_MAX);
	json_iter it = json_each(o->kept.clients);
	json key, value;

	buf_byte(&b, '{');
	if (json_kind_of(o->kept.clients) == JSON_OBJECT)
		while (json_next(&it, &key, &value)) {
			if (json_is(key, issuer))
				continue;
			buf_str(&b, b.len > 1 ? "," : "");
			buf_text(&b, key);
			buf_byte(&b, ':');
			buf_text(&b, value);
		}
	if (client.len > 0) {
		buf_str(&b, b.len > 1 ? "," : "");
		json_string(&b, issuer);
		buf_byte(&b, ':');
		buf_text(&b, client);
	}
	buf_byte(&b, '}');
	o->kept.clients = flow_keep(o, &b);
}

/* ------------------------------------------------------- for the owner */

/* Tokens need no escapes in JSON, which credentials_write writes. */
text
oauth_kept_token(json kept)
{
	json token = json_get(kept, TEXT("access"));

	return json_kind_of(token) == JSON_STRING
		   ? text_sub(token, 1, token.len - 1)
		   : TEXT_NONE;
}

void
oauth_kept_key(json kept, buf *out)
{
	json_unescape(json_get(kept, TEXT("dpop_key")), out);
}

uint64_t
oauth_kept_expiry(json kept)
{
	int64_t expires = 0;

	json_int(json_get(kept, TEXT("expires")), &expires);
	return expires > 0 ? (uint64_t)expires : 0;
}

bool
oauth_kept_renews(json kept)
{
	return json_present(json_get(kept, TEXT("refresh")));
}

unsigned
oauth_kept_port(json kept)
{
	json_iter it = json_each(json_get(kept, TEXT("clients")));
	json client;
	oauth_url u;

	while (json_next(&it, NULL, &client)) {
		json redirect = json_get(client, TEXT("redirect_uri"));

		if (oauth_url_read(
			text_sub(redirect, 1, redirect.len - 1), &u) == NULL)
			return u.port;
	}
	return 0;
}
