/* SPDX-License-Identifier: MIT */
/*
 * oauth_client.c -- which client asks, and how it shows that it is the one.
 *
 * In this order: one that the person has registered, one that a document at a
 * URL describes, one that was registered here earlier, one that is registered
 * now.
 */
#include "oauth_flow.h"

#include "base/base64.h"

#include <inttypes.h>

static const char *const method_names[] = {
    [METHOD_NONE] = "none",
    [METHOD_BASIC] = "client_secret_basic",
    [METHOD_POST] = "client_secret_post",
    [METHOD_KEY] = "private_key_jwt",
};

const char *
auth_method_name(oauth_method m)
{
	return method_names[m];
}

oauth_method
auth_method_of_name(text name)
{
	int m = METHOD_NONE;

	while (m < METHOD_COUNT && !text_eq(name, text_of(method_names[m])))
		m++;
	return (oauth_method)m;
}

/* Is word in the list of the issuer's metadata? otherwise: there is no list. */
static bool
issuer_lists(const oauth *o, const char *list, const char *word, bool otherwise)
{
	json words = json_get(o->issuer.metadata, text_of(list)), one;
	json_iter it = json_each(words);

	if (json_kind_of(words) != JSON_ARRAY)
		return otherwise;
	while (json_next(&it, NULL, &one))
		if (json_is(one, text_of(word)))
			return true;
	return false;
}

bool
client_issuer_lists(const oauth *o, const char *list, const char *word)
{
	return issuer_lists(o, list, word, false);
}

static bool
takes_method(const oauth *o, oauth_method m, bool otherwise)
{
	return issuer_lists(o, "token_endpoint_auth_methods_supported",
	    method_names[m], otherwise);
}

static oauth_method
choose_method(const oauth *o, text secret)
{
	if (o->opt.client_key.len > 0 && secret.len == 0)
		return METHOD_KEY;
	if (secret.len == 0)
		return METHOD_NONE;
	if (takes_method(o, METHOD_BASIC, true))
		return METHOD_BASIC;
	if (takes_method(o, METHOD_POST, false))
		return METHOD_POST;
	return takes_method(o, METHOD_NONE, false) ? METHOD_NONE : METHOD_BASIC;
}

void
client_choose_method(oauth *o)
{
	o->client.method = choose_method(o, o->client.secret);
}

bool
client_is_machine(const oauth *o)
{
	if (o->opt.client_secret.len == 0 && o->opt.client_key.len == 0)
		return false;
	return issuer_lists(
		   o, "grant_types_supported", "client_credentials", false) &&
	       (o->issuer.authorize.len == 0 ||
		   !issuer_lists(
		       o, "grant_types_supported", "authorization_code", true));
}

/* -------------------------------------------------------- which client */

/* The URL of a document that describes the client. */
static bool
is_document(text client_id)
{
	oauth_url u;

	return oauth_url_read(client_id, &u) == NULL && u.https &&
	       u.path.len > 1;
}

static bool
use_configured(oauth *o)
{
	if (o->opt.client_id.len == 0 ||
	    (is_document(o->opt.client_id) &&
		!json_bool(json_get(o->issuer.metadata,
			       TEXT("client_id_metadata_document_supported")),
		    false)))
		return false;
	o->client = (oauth_client){.id = o->opt.client_id,
	    .secret = o->opt.client_secret,
	    .method = choose_method(o, o->opt.client_secret)};
	return true;
}

static void
read_registered(oauth *o, json kept)
{
	o->client = (oauth_client){.id = flow_string(o, kept, "client_id"),
	    .secret = flow_string(o, kept, "client_secret"),
	    .method = auth_method_of_name(
		flow_string(o, kept, "token_endpoint_auth_method")),
	    .registered = true};
	if (o->client.method == METHOD_COUNT)
		o->client.method = choose_method(o, o->client.secret);
}

/* One that comes back to another address would be refused. */
static bool
use_registered(oauth *o)
{
	json kept = credentials_client(o, o->issuer.name);
	int64_t expires = 0;

	if (!text_eq(flow_string(o, kept, "redirect_uri"), o->opt.redirect))
		return false;
	if (json_int(
		json_get(kept, TEXT("client_secret_expires_at")), &expires) &&
	    expires > 0 && (uint64_t)expires <= o->now_s)
		return false;
	read_registered(o, kept);
	return o->client.id.len > 0;
}

void
client_of_tokens(oauth *o)
{
	json kept = credentials_client(o, o->kept.issuer);

	if (json_is(json_get(kept, TEXT("client_id")), o->kept.client_id))
		read_registered(o, kept);
	else
		o->client = (oauth_client){
		    .id = o->kept.client_id, .secret = o->opt.client_secret};
	o->client.method = o->kept.method;
}

/* --------------------------------------------------------- registration */

static oauth_method
method_to_register(const oauth *o)
{
	if (takes_method(o, METHOD_NONE, true))
		return METHOD_NONE;
	if (takes_method(o, METHOD_BASIC, false))
		return METHOD_BASIC;
	return takes_method(o, METHOD_POST, false) ? METHOD_POST : METHOD_COUNT;
}

static void
ask_registration(oauth *o, oauth_method method)
{
	flow_request(o, "POST", o->issuer.enroll);
	buf_str(&o->headers, "Content-Type: application/json\n");
	buf_byte(&o->body, '{');
	json_member_text(&o->body, "client_name", TEXT("codemode"));
	json_member(&o->body, "redirect_uris");
	buf_byte(&o->body, '[');
	json_string(&o->body, o->opt.redirect);
	buf_str(&o->body, "],\"grant_types\":[\"authorization_code\"");
	if (issuer_lists(o, "grant_types_supported", "refresh_token", true))
		buf_str(&o->body, ",\"refresh_token\"");
	buf_str(&o->body, "],\"response_types\":[\"code\"]");
	json_member_text(&o->body, "token_endpoint_auth_method",
	    text_of(method_names[method]));
	json_member_text(&o->body, "application_type", TEXT("native"));
	buf_byte(&o->body, '}');
	o->phase = PHASE_REGISTER;
}

bool
client_ready(oauth *o)
{
	oauth_method method = method_to_register(o);

	if (use_configured(o) || use_registered(o))
		return true;
	if (o->issuer.enroll.len == 0)
		flow_fail_as(o, OAUTH_REFUSED,
		    "its authorization server %.*s registers no new clients: "
		    "register one there, and give its client_id in the "
		    "configuration",
		    TEXT_ARG(text_head(o->issuer.name, 200)));
	else if (method == METHOD_COUNT)
		flow_fail_as(o, OAUTH_REFUSED,
		    "its authorization server %.*s knows clients by no method "
		    "that is known here",
		    TEXT_ARG(text_head(o->issuer.name, 200)));
	else
		ask_registration(o, method);
	return false;
}

static void
keep_registered(oauth *o, json document)
{
	buf b = BUF_INIT(o->alloc, OAUTH_BODY_MAX);

	buf_byte(&b, '{');
	json_member_text(&b, "client_id", o->client.id);
	if (o->client.secret.len > 0)
		json_member_text(&b, "client_secret", o->client.secret);
	json_member_text(&b, "token_endpoint_auth_method",
	    text_of(method_names[o->client.method]));
	json_member_text(&b, "redirect_uri", o->opt.redirect);
	json_member_json(&b, "client_secret_expires_at",
	    json_get(document, TEXT("client_secret_expires_at")));
	buf_byte(&b, '}');
	credentials_set_client(o, o->issuer.name, flow_keep(o, &b));
	credentials_write(o);
}

void
client_registered(oauth *o, const oauth_response *r)
{
	json document = TEXT_NONE;
	text error;

	if (r->status >= 200 && r->status < 500)
		json_check(r->body, 64, &document, NULL);
	read_registered(o, document);
	if ((r->status == 200 || r->status == 201) && o->client.id.len > 0) {
		keep_registered(o, document);
		token_browse(o);
		return;
	}
	error = flow_string(o, document, "error_description");
	if (error.len == 0)
		error = flow_string(o, document, "error");
	flow_fail_as(o,
	    r->status == 0 || r->status >= 500 ? OAUTH_TRY_LATER
					       : OAUTH_REFUSED,
	    "its authorization server did not register a client (%.*s: status "
	    "%d%s%.*s): register one there, and give its client_id in the "
	    "configuration",
	    TEXT_ARG(text_head(o->issuer.enroll, 200)), r->status,
	    error.len ? ", " : "", TEXT_ARG(text_head(error, 200)));
}

/* -------------------------------------------------------- who is asking */

static void
add_claims(oauth *o, buf *out)
{
	buf claims = BUF_INIT(o->alloc, OAUTH_BODY_MAX);
	buf id = BUF_INIT(o->alloc, 64);

	base64_add_url(&id, (text){(const char *)o->opt.random + 48, 16});
	buf_byte(&claims, '{');
	json_member_text(&claims, "iss", o->client.id);
	json_member_text(&claims, "sub", o->client.id);
	json_member_text(&claims, "aud",
	    o->issuer.name.len ? o->issuer.name : o->kept.issuer);
	json_member_text(&claims, "jti", flow_keep(o, &id));
	json_member_uint(&claims, "iat", o->now_s);
	json_member_uint(&claims, "exp", o->now_s + 300);
	buf_byte(&claims, '}');
	base64_add_url(out, flow_keep(o, &claims));
}

/* A JWT (RFC 7523) by the first algorithm that both sides have. */
static bool
add_assertion(oauth *o)
{
	static const char *const algorithms[] = {"ES256", "RS256"};
	buf jwt = BUF_INIT(o->alloc, OAUTH_BODY_MAX);
	buf part = BUF_INIT(o->alloc, OAUTH_BODY_MAX);
	bool done = false;

	for (size_t i = 0; i < 2 && !done && o->opt.crypto.sign; i++) {
		if (!issuer_lists(o,
			"token_endpoint_auth_signing_alg_values_supported",
			algorithms[i], true))
			continue;
		buf_clear(&jwt);
		buf_clear(&part);
		buf_printf(
		    &part, "{\"alg\":\"%s\",\"typ\":\"JWT\"}", algorithms[i]);
		base64_add_url(&jwt, buf_view(&part));
		buf_byte(&jwt, '.');
		add_claims(o, &jwt);
		buf_clear(&part);
		done = o->opt.crypto.sign(
		    o->opt.client_key, algorithms[i], buf_view(&jwt), &part);
		buf_byte(&jwt, '.');
		base64_add_url(&jwt, buf_view(&part));
	}
	if (done) {
		oauth_form_add(&o->body, "client_assertion_type",
		    TEXT("urn:ietf:params:oauth:client-assertion-type:"
			 "jwt-bearer"));
		oauth_form_add(
		    &o->body, "client_assertion", flow_keep(o, &jwt));
	}
	buf_fini(&part);
	buf_fini(&jwt);
	return done;
}

void
client_sign_request(oauth *o)
{
	if (o->client.method == METHOD_BASIC) {
		oauth_basic_header(&o->headers, o->client.id, o->client.secret);
		return;
	}
	oauth_form_add(&o->body, "client_id", o->client.id);
	if (o->client.method == METHOD_POST)
		oauth_form_add(&o->body, "client_secret", o->client.secret);
	else if (o->client.method == METHOD_KEY && !add_assertion(o))
		flow_fail_as(o, OAUTH_REFUSED,
		    "its client's key cannot sign as the authorization server "
		    "wants it");
}
